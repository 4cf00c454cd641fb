/* When a search is saved, where, and with what. */
#ifndef MZ_SESSION_SAVING_H
#define MZ_SESSION_SAVING_H

#include "pool/checkpoint.h"
#include "pool/pool.h"
#include "session/settings/settings.h"

typedef struct mz_saving {
    const mz_settings *settings;
    const char *program, *compiler; /* its hash, and the compiler's version ("": a model) */
    mz_machine *machine;            /* a real program, of which something was learned; NULL: a model */
    const mz_compiled *compiled;    /* the same as it was built */
    const mz_algorithm *algorithm;  /* of the search at hand */
    char *path;                     /* where it was saved last; NULL: nowhere */
    bool failed;
} mz_saving;

/* What the pool is to be told about saving, and about workers elsewhere, who go on with something similar. */
void mz_saving_begin(mz_saving *saving, const mz_settings *settings, const mz_algorithm *algorithm,
                     mz_pool_options *options);

/* Now, if somebody has asked for a file or has ended the run by hand; where it was saved is in `path`. */
void mz_saving_save(mz_saving *saving, const mz_bytes *state);

#endif
