/* A user's error is a value with a position, so that messages can be tested. */
#ifndef MZ_BASE_ERROR_H
#define MZ_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct mz_position {
    const char *file; /* not owned, but by an error */
    uint32_t line;    /* 1-based; 0 = no position */
    uint32_t column;  /* 1-based, in bytes */
} mz_position;

typedef struct mz_error {
    bool set;
    mz_position position;  /* its file is a copy of its own */
    mz_text message;       /* what is wrong */
    mz_text hint;          /* what was expected, or what to do; may be empty */
    mz_text source_line;   /* the line with the mistake; may be empty */
    mz_text others;        /* further places with the same mistake, a line each; may be empty */
    bool too_many_threads; /* more threads than sets have room for: machine/threads.h */
    bool out_of_time;      /* nothing is wrong but that it took too long */
} mz_error;

/* Record the first error; later ones are ignored, the first is the cause. */
void mz_error_set(mz_error *error, mz_position position, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mz_error_set_hint(mz_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mz_error_set_source(mz_error *error, const char *line, size_t length);
/* Another one of its kind, for which the same hint holds: "  also: file:line:column: …" */
void mz_error_add_other(mz_error *error, mz_position position, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* file:line:column: error: message / the line / a caret / others / hint */
void mz_error_print(const mz_error *error, mz_text *out);
/* It is forgotten with that. */
void mz_error_release(mz_error *error);

/* The closest of `names` to `word`, or NULL if none is close: about a third of the letters may differ, not
 * all. */
const char *mz_closest_name(const char *word, const char *const *names, size_t count);

#endif
