#include "base/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------------------
 */

void mz_add_escaped(mz_text *out, const char *text)
{
    size_t length = strlen(text), bytes;
    for (size_t i = 0; i < length; i += bytes) {
        unsigned char c = (unsigned char)text[i];
        bytes = mz_utf8_bytes(text + i, length - i);
        if (c == '\\' || c == '|')
            mz_text_add(out, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t')
            mz_text_add(out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (bytes == 0 || c < 32 || c == 127 || (c == ' ' && (i == 0 || i + 1 == length)))
            mz_text_add(out, "\\x%02x", c);
        else
            mz_text_add_bytes(out, text + i, bytes);
        if (bytes == 0)
            bytes = 1;
    }
}

void mz_add_line(mz_text *out, const char *key, const char *text)
{
    mz_text_add(out, "%s ", key);
    mz_add_escaped(out, text);
    mz_text_add(out, "\n");
}

/* ---- reading --------------------------------------------------------------------------------------------
 */

static void set_error(mz_lines *l, uint32_t column, const char *format, va_list arguments)
{
    mz_text message = {0};
    mz_text_add_list(&message, format, arguments);
    mz_error_set(l->error, (mz_position){.file = l->name, .line = l->line, .column = column}, "%s",
                 mz_text_string(&message));
    mz_error_set_source(l->error, l->source, l->source_length);
    mz_text_release(&message);
}

void mz_lines_wrong(mz_lines *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_error(l, 1, format, arguments);
    va_end(arguments);
}

void mz_lines_wrong_at(mz_lines *l, const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_error(l, (uint32_t)(place - l->start) + 1, format, arguments);
    va_end(arguments);
}

int mz_lines_shown(size_t length)
{
    return length < 40 ? (int)length : 40;
}

bool mz_is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *mz_lines_unescape(mz_lines *l, char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        char c = from[1];
        int high = c == 'x' ? hex_digit(from[2]) : -1, low = high >= 0 ? hex_digit(from[3]) : -1;
        if (c == '\\' || c == '|')
            *to++ = c;
        else if (c == 'n' || c == 'r' || c == 't')
            *to++ = c == 'n' ? '\n' : c == 'r' ? '\r' : '\t';
        else if (low >= 0 && high + low > 0)
            *to++ = (char)(high << 4 | low);
        else {
            mz_lines_wrong(
                l, "a backslash is followed by \\, |, n, r, t or x and two hexadecimal digits, not 00");
            break;
        }
        from += c == 'x' ? 4 : 2;
    }
    *to = '\0';
    return text;
}

int64_t mz_lines_number(mz_lines *l, char **text, int64_t low, int64_t high, const char *what)
{
    char *end;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    if (end == *text || **text == ' ' || errno || value < low || value > high) {
        size_t length = strcspn(*text, " ,:|");
        mz_lines_wrong(l, "%s: '%.*s' is not a number from %" PRId64 " to %" PRId64, what,
                       mz_lines_shown(length), *text, low, high);
        return low;
    }
    *text = end;
    return value;
}

void mz_lines_nothing_left(mz_lines *l, const char *text)
{
    if (*text)
        mz_lines_wrong(l, "'%.40s' is too much here", text);
}

void mz_lines_check_version(mz_lines *l, char *line, const char *what, const char *magic, int known)
{
    size_t length = strlen(magic);
    if (strncmp(line, magic, length) != 0 || line[length] != ' ') {
        mz_lines_wrong(l, "not %s: the first line would be '%s %d'", what, magic, known);
        return;
    }
    char *rest = line + length + 1;
    int64_t version = mz_lines_number(l, &rest, 1, INT64_MAX, "version");
    mz_lines_nothing_left(l, rest);
    if (!l->error->set && version != known)
        mz_lines_wrong(l,
                       "version %" PRId64
                       " of the format is not known here: this is mazurka %s, which reads version %d",
                       version, MZ_VERSION, known);
}

void mz_lines_read(mz_lines *l, mz_arena *arena, const char *text, size_t length,
                   void (*each)(void *context, char *line), void *context)
{
    char *copy = mz_arena_copy(arena, text, length), *line = copy, *all = copy + length;
    l->line = 1;
    l->start = copy;
    l->source = text;
    for (; line < all && !l->error->set; l->line++) {
        char *end = memchr(line, '\n', (size_t)(all - line));
        char *next = end ? end + 1 : all;
        end = end ? end : all;
        if (end > line && end[-1] == '\r')
            end--;
        *end = '\0';
        l->start = line;
        l->source = text + (line - copy);
        l->source_length = (size_t)(end - line);
        if (strlen(line) != (size_t)(end - line))
            mz_lines_wrong(l, "a byte 0 in the line: not a text");
        else if (l->line == 1 || (*line && *line != '#'))
            each(context, line);
        line = next;
    }
    if (length == 0)
        mz_lines_wrong(l, "the file is empty");
    l->line -= l->line > 1;
}
