/* What a check, an estimate, a replay or a verification was asked to do: a value. Who reads it from a command
 * line (cmd/request/request.h) or a file (session/settings/trace_file.h) fills it. */
#ifndef MZ_SESSION_SETTINGS_SETTINGS_H
#define MZ_SESSION_SETTINGS_SETTINGS_H

#include "algo/algorithm.h"
#include "base/words.h"
#include "client/linearize.h"
#include "model/parser.h"
#include "program/build/compile.h"
#include "program/describe/suppressions.h"
#include "program/program.h"

typedef struct mz_settings {
    const mz_algorithm **algorithms;
    size_t algorithm_count, algorithm_capacity;
    bool algorithm_is_default;  /* nobody has asked for it */
    mz_definition *definitions; /* for models */
    size_t definition_count, definition_capacity;
    mz_words what; /* the words that say what is searched, not how; for who is to search again */
    const char **files;
    size_t file_count, file_capacity;
    mz_search_options search;
    uint32_t default_checks;               /* what --check=default means */
    uint32_t jobs;                         /* processes that search; 0: as many as there are processors */
    const volatile uint32_t *allowed_jobs; /* mz_pool_options.allowed; NULL: all of them */
    bool accepts_bounded;                  /* a bound that is explored is as good as safe */
    bool fuzzes;                           /* a sample is all that is asked for: 'mazurka fuzz' */
    const struct mz_pool_program *pool_program; /* what the searches of a real program need for that */
    mz_words command;                           /* of a check: its words, for checkpoints */
    const char *checkpoint;              /* where the search is saved; NULL: only when it is interrupted */
    double checkpoint_every;             /* seconds */
    uint32_t tasks;                      /* the search stops when it can be dealt out to so many; 0: never */
    const struct mz_checkpoint *resumed; /* go on with this one; NULL: from the beginning */
    const struct mz_pool_home *home;     /* this is a worker of a search that is elsewhere; NULL: it is not */
    struct mz_saving *saving;            /* what is known about the program; NULL: nothing is saved */
    bool quiet;                          /* no progress line */
    const char *trace;                   /* where counterexamples go; NULL: named after the program; "none" */

    bool native; /* the files are a program in C or C++, not models */
    const char *compiler;
    mz_words compile_flags, link_flags, arguments, allowed;
    mz_words entries;                        /* functions that are threads; none: main is called */
    const char *entry_setup, *entry_finally; /* functions called before and after them; NULL: none */
    /* Of a library whose clients are checked (session/clients/clients.h). */
    mz_words operations;     /* as C; none: no clients */
    uint32_t client_threads; /* at most */
    const char *client;      /* the one that is run: mz_client_word; NULL: not yet known */
    mz_criterion criterion;
    uint32_t out_of_order;
    const char *specification;      /* a file that says what calls return alone; NULL: the library */
    bool progress;                  /* of clients: what becomes of calls while others are stopped */
    bool coverage;                  /* what of the library's code has run is told */
    mz_words relaxed;               /* "pop=-1": that may be returned at any time */
    mz_words blocking;              /* functions that may wait in loops of their own */
    struct mz_client_plan *clients; /* all of them; NULL: none, or the one */
    bool join_at_exit;
    bool report_races; /* as warnings; without data races among the checks */
    mz_suppressions suppressions;
    mz_plain_accesses plain_accesses;
    uint32_t unroll; /* 0: no limit */
    mz_unroll_place *unroll_places;
    size_t unroll_place_count, unroll_place_capacity;
    bool spurious, volatile_is_atomic;
    uint64_t seed;   /* of an estimate */
    uint32_t reuses; /* --heap-reuse: how often in each thread; 0: never */
    double patience;
    bool keeps_spin_rounds;        /* as in mz_native_options: for plans */
    struct mz_order_sites *orders; /* that are tried, in memory shared with workers; NULL: the program's */
    int64_t nondet_low, nondet_high;
    const char *environment; /* a file that says what the world answers; NULL: none */
    mz_words world;          /* what it answers: lines of wire/world.h */
    bool has_nondet;         /* somebody has chosen that range */
    mz_run_code run;         /* is it to be run, too? */
    double build_until;      /* as in mz_compile_options */
} mz_settings;

void mz_settings_init(mz_settings *settings);
void mz_settings_release(mz_settings *settings);

/* Has a search over graphs been asked for? */
bool mz_settings_weak_memory(const mz_settings *settings);
/* An option that the search over graphs of weak memory does not know; NULL: none is given. */
const char *mz_settings_against_weak_memory(const mz_settings *settings);

/* Single settings; *error set, without a position, if the text is wrong. */
void mz_settings_add_file(mz_settings *settings, const char *file);
void mz_settings_use_algorithm(mz_settings *settings, const mz_algorithm *algorithm);
void mz_settings_add_check(mz_settings *settings, const char *kind, mz_error *error);
void mz_settings_change_relation(mz_settings *settings, const char *word, mz_error *error);
void mz_settings_set_plain_accesses(mz_settings *settings, const char *way, mz_error *error);
/* NULL: once. */
void mz_settings_set_reuses(mz_settings *settings, const char *text, mz_error *error);
void mz_settings_set_nondet(mz_settings *settings, const char *text, mz_error *error);
void mz_settings_add_entry(mz_settings *settings, const char *name, mz_error *error);
void mz_settings_add_unroll(mz_settings *settings, const char *text, mz_error *error);
void mz_settings_define(mz_settings *settings, const char *text,
                        mz_error *error); /* for models: NAME=NUMBER */

#endif
