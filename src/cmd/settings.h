/* What `mazurka check`, or `mazurka estimate`, was asked to do. */
#ifndef MZ_CMD_SETTINGS_H
#define MZ_CMD_SETTINGS_H

#include "algo/algorithm.h"
#include "base/words.h"
#include "safe/verify/first_trace_rules.h"
#include "model/parser.h"
#include "program/build/compile.h"
#include "program/runtime/program.h"
#include "program/order/suppressions.h"

/* What `mazurka check` uses without -a. */
extern const mz_algorithm *const mz_default_algorithm;

/* What for: not every option is for everything. */
typedef enum mz_purpose { MZ_TO_CHECK, MZ_TO_ESTIMATE, MZ_TO_PLAN } mz_purpose;

typedef struct mz_settings {
    const mz_algorithm **algorithms;
    size_t algorithm_count, algorithm_capacity;
    bool algorithm_is_default;  /* nobody has asked for it */
    mz_definition *definitions; /* for models */
    size_t definition_count, definition_capacity;
    const char **files;
    size_t file_count, file_capacity;
    mz_search_options search;
    bool json, quiet, help;
    const char *trace; /* --trace; NULL: named after the program */
    /* For plans. */
    const char *output;   /* -o */
    bool has_constraints; /* --constraints */
    uint64_t constraints;
    bool tune;                               /* --tune */
    bool has_overhead;                       /* --overhead */
    double overhead;                         /* 0.1: 10 % */
    uint32_t waived;                         /* --waive: 1 << mz_premise_kind */
    mz_first_trace first_trace;              /* --first-trace */
    const struct mz_record_header *free_run; /* what was seen when nothing kept the program; NULL: nothing */
    bool minimise;                           /* --minimise */

    bool native; /* the files are a program in C or C++, not models */
    const char *compiler;
    mz_words compile_flags, link_flags, arguments, allowed;
    uint32_t more_checks;                    /* beside those of --check */
    mz_words entries;                        /* --entry: functions that are threads; none: main is called */
    const char *entry_setup, *entry_finally; /* … called before and after them; NULL: nothing */
    bool join_at_exit;
    const char *races; /* --races; NULL: as --check says */
    bool report_races; /* as warnings; without data races among the checks */
    mz_suppressions suppressions;
    mz_plain_accesses plain_accesses;
    uint32_t unroll; /* 0: no limit */
    mz_unroll_place *unroll_places;
    size_t unroll_place_count, unroll_place_capacity;
    bool spurious;
    uint32_t reuses; /* --heap-reuse: how often in each thread; 0: never */
    double patience;
    bool keeps_vain_rounds; /* as in mz_native_options: for plans */
    int64_t nondet_low, nondet_high;
    bool has_nondet;    /* somebody has chosen that range */
    mz_run_code run;    /* is it to be run, too? */
    double build_until; /* as in mz_compile_options */
} mz_settings;

/* -O2, -Wall, -lm, -isystem, …: is it an option of the compiler, and what becomes of it. True: the next word
 * was its value. */
bool mz_is_compiler_option(const char *word);
bool mz_settings_take_compiler_option(mz_settings *s, const char *word, const char *next, mz_error *error);
/* The words of a text as a shell would split it; *error set if a quote is not closed. */
void mz_words_add_flags(mz_words *words, const char *option, const char *text, mz_error *error);

/* Single settings; *error set, without a position, if the text is wrong. */
void mz_settings_init(mz_settings *settings);
void mz_settings_use_algorithm(mz_settings *settings, const mz_algorithm *algorithm);
void mz_settings_add_check(mz_settings *settings, const char *kind, mz_error *error);
void mz_settings_set_plain_accesses(mz_settings *settings, const char *way, mz_error *error);
/* NULL: once. */
void mz_settings_set_reuses(mz_settings *settings, const char *text, mz_error *error);
void mz_settings_set_nondet(mz_settings *settings, const char *text, mz_error *error);
void mz_settings_waive(mz_settings *settings, const char *kinds, mz_error *error);
void mz_settings_add_entry(mz_settings *settings, const char *name, mz_error *error);
void mz_settings_add_unroll(mz_settings *settings, const char *text, mz_error *error);
void mz_settings_define(mz_settings *settings, const char *text,
                        mz_error *error); /* for models: NAME=NUMBER */

/* When all are there: what was not said, and *error set if they do not go together. */
void mz_settings_check(mz_settings *settings, mz_purpose purpose, mz_error *error);

/* From the command line; *error set if it is wrong. */
void mz_settings_parse(mz_settings *settings, mz_purpose purpose, int argc, char **argv, mz_error *error);
void mz_settings_release(mz_settings *settings);
/* For --help. */
void mz_settings_help(mz_purpose purpose, mz_text *out);

#endif
