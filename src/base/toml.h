/* A reader of TOML 1.0, of the part that configurations need: tables [a.b], keys of letters, digits, - and _,
 * strings of one line in "" and '', integers, true and false, arrays, comments. What TOML has besides (dates,
 * fractions, inline tables, arrays of tables, strings of several lines, quoted and dotted keys) is refused by
 * name. */
#ifndef MZ_BASE_TOML_H
#define MZ_BASE_TOML_H

#include "base/arena.h"
#include "base/error.h"

typedef enum mz_toml_type { MZ_TOML_STRING, MZ_TOML_INTEGER, MZ_TOML_BOOLEAN, MZ_TOML_ARRAY } mz_toml_type;

typedef struct mz_toml_value {
    mz_toml_type type;
    mz_position position;
    const char *text; /* a string's; an integer's digits; "true" or "false" */
    const struct mz_toml_value *items;
    size_t count; /* of an array's items */
} mz_toml_value;

typedef struct mz_toml_entry {
    const char *table; /* "target.queue"; "" before the first header */
    const char *key;   /* "" for the header itself, which has no value */
    mz_position position;
    mz_toml_value value;
} mz_toml_entry;

typedef struct mz_toml {
    mz_toml_entry *entries; /* in the order of the file */
    size_t count, capacity;
    mz_arena arena; /* the texts, and items of arrays */
    mz_text source;
} mz_toml;

/* "a string", "an integer", … */
const char *mz_toml_type_words(mz_toml_type type);
/* False and *error set, with the place, if it cannot be read or understood. To be released in either case. */
bool mz_toml_read(mz_toml *toml, const char *file, mz_error *error);
void mz_toml_release(mz_toml *toml);
/* A mistake in what it means: at the place, with the line. */
void mz_toml_wrong(const mz_toml *toml, mz_position position, mz_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
