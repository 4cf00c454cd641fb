/* Checkpoints: files from which a search goes on. One holds the command, which program it was about and with
 * which compiler, what was learned about the program, and all that waits and was found (pool/pool.h). */
#ifndef MZ_POOL_CHECKPOINT_H
#define MZ_POOL_CHECKPOINT_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "base/words.h"

typedef struct mz_checkpoint {
    const char *path;   /* where it was read, or goes */
    mz_text subcommand; /* "check" or "clients" */
    mz_words command;   /* the words after it */
    mz_text directory;
    mz_text version;         /* of Mazurka */
    mz_text program;         /* its hash */
    mz_text compiler;        /* its version; empty: a model */
    mz_text algorithm;       /* its name */
    mz_text threads, places; /* what was learned: as in counterexample files */
    mz_bytes lessons;        /* and what only the checker itself can use */
    mz_bytes state;
} mz_checkpoint;

void mz_checkpoint_release(mz_checkpoint *checkpoint);
void mz_checkpoint_write(const mz_checkpoint *checkpoint, mz_bytes *out);
/* False and *error set, at the file, if it cannot be read or is none. */
bool mz_checkpoint_read(mz_checkpoint *checkpoint, const char *path, mz_error *error);
/* The same out of bytes, which are called `path`. */
bool mz_checkpoint_parse(mz_checkpoint *checkpoint, const char *path, const mz_bytes *bytes, mz_error *error);
/* Replaces the file in one step; false and a warning if that is not possible. */
bool mz_checkpoint_save(const mz_checkpoint *checkpoint, const char *path);

/* Is it one of this program? Otherwise *error is set. */
void mz_checkpoint_compare(const mz_checkpoint *checkpoint, const char *program, const char *compiler,
                           mz_error *error);
/* The hash of the contents of a file. */
bool mz_checkpoint_hash_file(const char *path, mz_text *out, mz_error *error);
/* "ring.mzc" after "models/ring.dlang" */
void mz_checkpoint_name(const char *program, mz_text *out);

#endif
