#include "base/error.h"

#include <string.h>

#include "base/memory.h"

void mz_error_set(mz_error *error, mz_position position, const char *format, ...)
{
    if (error->set)
        return;
    error->set = true;
    error->position = position;
    if (position.file)
        error->position.file = mz_copy_string(position.file);
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&error->message, format, arguments);
    va_end(arguments);
}

void mz_error_set_hint(mz_error *error, const char *format, ...)
{
    if (error->hint.length > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&error->hint, format, arguments);
    va_end(arguments);
}

void mz_error_set_source(mz_error *error, const char *line, size_t length)
{
    if (error->source_line.length == 0)
        mz_text_add_bytes(&error->source_line, line, length);
}

static void add_position(const mz_position *p, mz_text *out)
{
    if (p->file)
        mz_text_add(out, "%s:", p->file);
    if (p->line)
        mz_text_add(out, "%u:%u:", p->line, p->column);
    mz_text_add(out, "%s", p->file || p->line ? " " : "");
}

void mz_error_add_other(mz_error *error, mz_position position, const char *format, ...)
{
    mz_text_add(&error->others, "  also: ");
    add_position(&position, &error->others);
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&error->others, format, arguments);
    va_end(arguments);
    mz_text_add(&error->others, "\n");
}

/* Control bytes of a broken file must not reach the terminal, and a very long line must not fill it:
 * shows at most 100 bytes around the column and returns where the caret belongs. */
static size_t print_source(const mz_text *line, uint32_t column, mz_text *out)
{
    enum { WINDOW = 100 };
    size_t at = column > 0 ? column - 1 : 0;
    size_t start = at > WINDOW - 20 ? at - (WINDOW - 20) : 0;
    size_t end = start + WINDOW < line->length ? start + WINDOW : line->length;
    size_t caret = 0;
    while (start < line->length && start > 0 && mz_utf8_continues(line->bytes[start]))
        start--;
    for (size_t i = start; i < end;) {
        size_t bytes = mz_utf8_bytes(line->bytes + i, line->length - i);
        if (i > start && i + bytes > start + WINDOW)
            break;
        unsigned char c = (unsigned char)line->bytes[i];
        if (c == '\t')
            mz_text_add(out, " ");
        else if (bytes == 0 || c < 32 || c == 127 || (c == 0xC2 && (unsigned char)line->bytes[i + 1] < 0xA0))
            mz_text_add(out, "?");
        else
            mz_text_add_bytes(out, line->bytes + i, bytes);
        caret += i < at;
        i += bytes ? bytes : 1;
    }
    return caret;
}

void mz_error_print(const mz_error *error, mz_text *out)
{
    const mz_position *p = &error->position;
    add_position(p, out);
    mz_text_add(out, "error: %s\n", mz_text_string(&error->message));
    if (p->line && error->source_line.bytes) {
        mz_text_add(out, "%5u | ", p->line);
        size_t caret = print_source(&error->source_line, p->column, out);
        mz_text_add(out, "\n      | ");
        mz_text_add_repeated(out, " ", caret);
        mz_text_add(out, "^\n");
    }
    mz_text_add(out, "%s", mz_text_string(&error->others));
    if (error->hint.length > 0)
        mz_text_add(out, "  hint: %s\n", mz_text_string(&error->hint));
}

void mz_error_release(mz_error *error)
{
    mz_text_release(&error->message);
    mz_text_release(&error->hint);
    mz_text_release(&error->source_line);
    mz_text_release(&error->others);
    mz_release((char *)(uintptr_t)error->position.file);
    *error = (mz_error){0};
}

/* Levenshtein distance, words longer than the row are "far". */
static size_t distance(const char *a, const char *b)
{
    enum { ROW = 48 };
    size_t rows[2][ROW + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > ROW || lb > ROW)
        return SIZE_MAX;
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *previous = rows[(i - 1) & 1], *row = rows[i & 1];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = previous[j - 1] + (a[i - 1] != b[j - 1]);
            if (previous[j] + 1 < best)
                best = previous[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return rows[la & 1][lb];
}

const char *mz_closest_name(const char *word, const char *const *names, size_t count)
{
    const char *closest = NULL;
    size_t least = strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, names[i]);
        if (d < least && d < strlen(word)) {
            least = d;
            closest = names[i];
        }
    }
    return closest;
}
