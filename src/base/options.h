/* Command-line options from a table: the table is the parser, the help and the list for suggestions. */
#ifndef MZ_BASE_OPTIONS_H
#define MZ_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

typedef struct mz_option {
    const char *name;     /* "timeout" for --timeout */
    char letter;          /* 'a' for -a; 0 for none */
    const char *argument; /* what stands after '=', NULL for a switch; "[K]": it may stand there */
    const char *help;
    int id; /* for the caller's switch */
} mz_option;

/* From a list OPTIONS(X) of X(id, name, letter, argument, help): enum { OPTION_id, … } and option_table[]. */
#define MZ_DEFINE_OPTIONS(OPTIONS)                                                                           \
    enum option_id { OPTIONS(MZ_OPTION_ID_) OPTION_COUNT };                                                  \
    static const mz_option option_table[] = {OPTIONS(MZ_OPTION_ROW_)}
#define MZ_OPTION_ID_(id, name, letter, argument, help)  OPTION_##id,
#define MZ_OPTION_ROW_(id, name, letter, argument, help) {name, letter, argument, help, OPTION_##id},

typedef struct mz_option_parser {
    const mz_option *options;
    size_t count;
    int argc;
    char **argv;
    int next;                               /* in argv */
    bool only_words;                        /* after -- */
    bool (*is_other)(const char *argument); /* an option that is not of the table, but known; NULL: none is */
    const char *word;                       /* an argument that is no option */
    const char *value;
} mz_option_parser;

enum { MZ_OPTION_END = -1, MZ_OPTION_WORD = -2, MZ_OPTION_ERROR = -3, MZ_OPTION_OTHER = -4 };

/* The next option's id (value in parser->value), MZ_OPTION_WORD or _OTHER (in parser->word), MZ_OPTION_END,
 * or MZ_OPTION_ERROR with *error set. */
int mz_options_next(mz_option_parser *parser, mz_error *error);
void mz_options_help(const mz_option *options, size_t count, mz_text *out);

/* 5, 5s, 2m, 1h; 1000, 10k, 2M, 1G (decimal for counts, binary for sizes). False and *error set if not. */
bool mz_parse_duration(const char *option, const char *text, double *seconds, mz_error *error);
bool mz_parse_count(const char *option, const char *text, uint64_t *count, mz_error *error);
/* 0, 1, 2, … */
bool mz_parse_small(const char *option, const char *text, uint32_t *number, mz_error *error);
/* 10% is 0.1. */
bool mz_parse_percent(const char *option, const char *text, double *share, mz_error *error);
bool mz_parse_size(const char *option, const char *text, uint64_t *bytes, mz_error *error);

#endif
