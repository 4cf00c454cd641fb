/* Programs that run, under a plan or free: their parts. */
#ifndef MZ_SAFE_RUN_RUN_H
#define MZ_SAFE_RUN_RUN_H

#include <sys/types.h>

#include "base/error.h"
#include "safe/plan/symbolic.h"
#include "session/settings/settings.h"
#include "wire/record.h"

/* ---- the program that runs (run_process.c) --------------------------------------------------------------
 */

typedef struct mz_run_program {
    const char *path;
    const char *name; /* argv[0] */
    const mz_words *arguments;
    int plan, record;      /* file descriptors; -1: none */
    int world;             /* where it writes down what the world answers; -1: nowhere */
    const char *plan_name; /* for people; NULL: none */
    const char *jitter;    /* NULL: none */
    const char *inputs;    /* how to draw inputs that are not given, see wire/symbolic_format.h; NULL: not */
    const mz_words *given; /* inputs: NAME=VALUE; NULL: none */
    bool silent;           /* its output is of no interest */
    bool apart;            /* neither are its messages, and it gets no input that somebody else could miss */
    int output;            /* where it goes instead; -1: nowhere else */
    int messages;          /* the same for standard error */
} mz_run_program;

/* Signals for us and for the program arrive at the file descriptor from now on. -1 and *error set if that
 * cannot be had. */
int mz_run_catch_signals(mz_error *error);
/* 0 and *error set if it cannot be started. */
pid_t mz_run_start(const mz_run_program *program, mz_error *error);
/* The calling process becomes the program, from the file that mz_run_open() has opened (which may be removed
 * meanwhile). Returns with *error set if it cannot be started. */
int mz_run_open(const mz_run_program *program, mz_error *error);
void mz_run_become(const mz_run_program *program, int file, mz_error *error);
/* Takes the signals that have arrived and passes them on: *passed is then set. True: the program has ended,
 * *status says how. */
bool mz_run_has_ended(int signals, pid_t process, bool *passed, int *status);
/* Ends as the program did. */
int mz_run_end_like(int status);

/* ---- variables of the program (run_places.c) ------------------------------------------------------------
 */

typedef struct mz_run_symbols mz_run_symbols;

/* NULL and *error set if the file cannot be read. */
mz_run_symbols *mz_run_symbols_read(const char *program, mz_error *error);
void mz_run_symbols_release(mz_run_symbols *symbols);
/* An mz_place_finder: "lock+8" to an offset in the program's image. */
uint64_t mz_run_find_place(const void *symbols, const char *place);

/* The file descriptor of the plan's image for the program with these symbols; -1 and *error set if there is
 * no memory. */
int mz_run_make_image(const mz_symbolic_plan *symbolic, uint32_t flags, const mz_run_symbols *symbols,
                      mz_error *error);

/* ---- what can be run of a program (runnable.c) ----------------------------------------------------------
 */

typedef struct mz_runnable {
    mz_compiled compiled; /* what is verified, and a program that can be run */
    mz_compiled counting; /* the same with code that counts all accesses, if that is needed */
    mz_run_symbols *symbols;
    const char *path; /* the program */
} mz_runnable;

/* False and *error set if there is nothing that could be run. */
bool mz_runnable_build(mz_runnable *code, const mz_settings *settings, mz_error *error);
/* Races were found: the program has to be the one that counts all accesses, like the one that is checked. */
bool mz_runnable_count_accesses(mz_runnable *code, const mz_settings *settings, mz_error *error);
void mz_runnable_release(mz_runnable *code);

/* ---- plans that programs carry (embed.c) ----------------------------------------------------------------
 */

/* The program, which `mazurka cc` has linked to have one, gets the plan of that file. */
void mz_run_embed(const char *program, const mz_symbolic_plan *plan, const char *name,
                  mz_on_divergence on_divergence, mz_error *error);
/* A plan counts operations: in other code, the same numbers are other operations. *error set if it is for
 * other code than this. */
void mz_run_refuse_other_program(const mz_symbolic_plan *plan, const char *name, const mz_compiled *compiled,
                                 const char *program, mz_error *error);

/* ---- recordings (run_record.c) --------------------------------------------------------------------------
 */

/* A block for so many slots; NULL and *error set if there is no memory. */
mz_record_header *mz_run_record_make(uint64_t slots, int *descriptor, mz_error *error);
void mz_run_record_release(mz_record_header *record, int descriptor);
void mz_run_record_clear(mz_record_header *record);
/* Where the program is to write down what the world answers; -1: nowhere. */
int mz_run_world_make(void);
/* As text, a slot per line, and then those answers. The plan is the one that was kept to. */
bool mz_run_record_write(const mz_record_header *record, int world, const mz_words *arguments,
                         const mz_symbolic_plan *plan, const char *path, mz_error *error);
/* Did all happen in an order that the plan that applied (of a file: with a fixed prefix) allows? If not,
 * *difference says what did not. */
bool mz_run_record_adheres(const mz_record_header *record, const mz_symbolic_plan *symbolic,
                           const uint32_t *at_first, mz_text *difference);
/* Adds to waits[thread], for MZ_PLAN_MOST_THREADS of them, how often it had to wait for the plan. */
void mz_run_record_count_waits(const mz_record_header *record, uint64_t *waits);
/* Equal for two runs that ordered all operations on the same objects alike. */
uint64_t mz_run_record_trace(const mz_record_header *record);

#endif
