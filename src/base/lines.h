/* Text files with one thing per line, as Mazurka writes them (wire/trace.h, wire/plan_format.h): escapes, and
 * a reader that says where a mistake is. */
#ifndef MZ_BASE_LINES_H
#define MZ_BASE_LINES_H

#include "base/arena.h"
#include "base/error.h"

/* Readable text as it is, everything else as \… */
void mz_add_escaped(mz_text *out, const char *text);
/* "KEY TEXT", the text escaped. */
void mz_add_line(mz_text *out, const char *key, const char *text);

/* Where the reader is. */
typedef struct mz_lines {
    const char *name; /* of the file */
    uint32_t line;
    const char *start;  /* of the line, in the copy that is read */
    const char *source; /* the line as it stands in the file */
    size_t source_length;
    mz_error *error; /* the first mistake; nothing is read after it */
} mz_lines;

/* Calls `each` for every line but those that are empty or begin with '#' (the first is always read), as long
 * as there is no mistake. The lines are copies that may be changed and live as long as the arena. */
void mz_lines_read(mz_lines *lines, mz_arena *arena, const char *text, size_t length,
                   void (*each)(void *context, char *line), void *context);
/* A mistake, in the line as a whole or at the place (in the line that is being read). */
void mz_lines_wrong(mz_lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mz_lines_wrong_at(mz_lines *lines, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The first line: "MAGIC VERSION". */
void mz_lines_check_version(mz_lines *lines, char *line, const char *what, const char *magic, int version);
/* In place: what it stands for is never longer. */
char *mz_lines_unescape(mz_lines *lines, char *text);
/* A number from low to high; moves *text behind it. */
int64_t mz_lines_number(mz_lines *lines, char **text, int64_t low, int64_t high, const char *what);
void mz_lines_nothing_left(mz_lines *lines, const char *text);
/* How much of a word is shown: a message is one line, whatever the file has. */
int mz_lines_shown(size_t length);
bool mz_is_word(const char *text, size_t length, const char *word);

#endif
