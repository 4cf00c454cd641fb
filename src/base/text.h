/* A growable string, always terminated. */
#ifndef MZ_BASE_TEXT_H
#define MZ_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mz_text {
    char *bytes; /* NULL until something is added; use mz_text_string() to read */
    size_t length;
    size_t capacity;
} mz_text;

void mz_text_add(mz_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mz_text_add_list(mz_text *text, const char *format, va_list arguments);
void mz_text_add_bytes(mz_text *text, const char *bytes, size_t length);
void mz_text_add_repeated(mz_text *text, const char *piece, size_t times);
void mz_text_clear(mz_text *text);
void mz_text_release(mz_text *text);
const char *mz_text_string(const mz_text *text);

/* Length of the UTF-8 character at the start of the text; 0 if there is none. */
size_t mz_utf8_bytes(const char *text, size_t length);
/* Is this a byte within a UTF-8 character, not its first? */
bool mz_utf8_continues(char c);
/* In place: arrows, dots and the like in letters that every terminal has; what else is not ASCII becomes '?'.
 */
void mz_text_to_ascii(mz_text *text);
/* A name may hold anything: nothing that steers a terminal, or ends a line. */
void mz_text_add_readable(mz_text *out, const char *name);
/* The same for each place where the name stands in the text. */
void mz_text_make_readable(mz_text *text, const char *name);
/* Columns a UTF-8 string takes on a terminal (one per code point). */
size_t mz_text_width(const char *utf8);
/* The bytes of it that fit into so many columns: all, or up to behind the last word that fits, or, if that is
 * far back, in the middle of a word. */
size_t mz_text_break(const char *text, size_t columns);
/* Words from this column on, broken at blanks; further lines begin with `indent` blanks. No line feed at the
 * end. */
void mz_text_add_folded(mz_text *out, const char *words, size_t column, size_t indent);

enum { MZ_TERMINAL_COLUMNS = 80 }; /* of a terminal that nobody has made wider */

#endif
