/* Command-line options. An option is one row: how it is written, what it says in the help, for whom it is,
 * what it sets, and what it does not go together with. Parser, help and suggestions come from the rows. */
#ifndef MZ_BASE_OPTIONS_H
#define MZ_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/words.h"

/* What becomes of the value: it is stored at `at` in the target, or `set` is called. */
typedef enum mz_option_type {
    MZ_OPTION_SETS,     /* by a function of its own */
    MZ_OPTION_SWITCH,   /* bool */
    MZ_OPTION_EITHER,   /* bool: of the two words of the argument "no|yes", is it the second? */
    MZ_OPTION_TEXT,     /* const char * */
    MZ_OPTION_COUNT,    /* uint64_t: 1, 10k */
    MZ_OPTION_SMALL,    /* uint32_t: 0, 1 */
    MZ_OPTION_DURATION, /* double: 500ms, 10s */
    MZ_OPTION_SIZE,     /* uint64_t: 512M */
    MZ_OPTION_GONE,     /* there is none any more: `instead` says what to use */
} mz_option_type;

typedef struct mz_option {
    const char *name;     /* "timeout" for --timeout */
    char letter;          /* 'a' for -a; 0 for none */
    const char *argument; /* what stands after '=', NULL for a switch; "[K]": it may stand there */
    const char *help;
    uint32_t audience; /* for whom: bits whose meaning is that of who offers it; 0: for all */
    mz_option_type type;
    size_t at;
    void (*set)(void *target, const char *value, mz_error *error);
    const char *excludes; /* an option that it does not go together with; NULL: none */
    const char *needs;    /* an option that it goes with only */
    const char *hint;     /* for `excludes` and `needs`: what to do */
    const char *instead;
} mz_option;

/* One that may be given. */
typedef struct mz_offer {
    const mz_option *option;
    void *target; /* what it sets */
    bool given;
} mz_offer;

typedef struct mz_command_line {
    mz_offer *offers;
    size_t count, capacity;
    void *context; /* for these two */
    /* An argument that is no option. */
    void (*word)(void *context, const char *word, bool after_dashes, mz_error *error);
    /* One with a single dash that is not offered, but known; `next` is what follows it, or NULL. How many
     * arguments were taken: 0, 1 or 2. May be NULL. */
    int (*other)(void *context, const char *argument, const char *next, mz_error *error);
    /* Where to put the words of options that are for one of these, too, and all words that are no options: a
     * command line for them. NULL: nowhere. */
    mz_words *kept;
    uint32_t kept_for;
    bool kept_without_words; /* those that are no options are not put there */
    const mz_option *last;   /* the option that was met last; NULL: none of those that are offered */
} mz_command_line;

/* Offers those that are for the audience. */
void mz_options_offer(mz_command_line *line, const mz_option *options, size_t count, uint32_t audience,
                      void *target);
/* Sets what the arguments from argv[1] on say; *error set if they are wrong. */
void mz_options_parse(mz_command_line *line, int argc, char **argv, mz_error *error);
bool mz_options_given(const mz_command_line *line, const char *name);
void mz_options_release(mz_command_line *line);

/* A line of the help; `help` is the option's own, or another one. */
void mz_option_help(const mz_option *option, const char *help, mz_text *out);
/* All that are offered. */
void mz_options_help(const mz_command_line *line, mz_text *out);

/* 5, 5s, 2m, 1h; 1000, 10k, 2M, 1G (decimal for counts, binary for sizes). False and *error set if not. */
bool mz_parse_duration(const char *option, const char *text, double *seconds, mz_error *error);
bool mz_parse_count(const char *option, const char *text, uint64_t *count, mz_error *error);
/* 0, 1, 2, … */
bool mz_parse_small(const char *option, const char *text, uint32_t *number, mz_error *error);
/* 10% is 0.1. */
bool mz_parse_percent(const char *option, const char *text, double *share, mz_error *error);
bool mz_parse_size(const char *option, const char *text, uint64_t *bytes, mz_error *error);
/* Which of the words "a|b|c" it is; *error set if it is none of them. */
int mz_parse_word(const char *option, const char *text, const char *words, mz_error *error);

#endif
