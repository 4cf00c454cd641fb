#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static void reserve(mz_text *text, size_t more)
{
    text->bytes = mz_grow(text->bytes, &text->capacity, text->length + more + 1, 1);
}

void mz_text_add_bytes(mz_text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void mz_text_add_list(mz_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        reserve(text, (size_t)length);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void mz_text_add(mz_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(text, format, arguments);
    va_end(arguments);
}

void mz_text_add_repeated(mz_text *text, const char *piece, size_t times)
{
    size_t length = strlen(piece);
    while (times-- > 0)
        mz_text_add_bytes(text, piece, length);
}

void mz_text_clear(mz_text *text)
{
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void mz_text_release(mz_text *text)
{
    mz_release(text->bytes);
    *text = (mz_text){0};
}

const char *mz_text_string(const mz_text *text)
{
    return text->bytes ? text->bytes : "";
}

bool mz_utf8_continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

size_t mz_utf8_bytes(const char *text, size_t length)
{
    unsigned char c = length > 0 ? (unsigned char)text[0] : 0xFF;
    size_t bytes = c < 0x80                ? 1
                   : c >= 0xC2 && c < 0xE0 ? 2
                   : c >= 0xE0 && c < 0xF0 ? 3
                   : c >= 0xF0 && c < 0xF5 ? 4
                                           : 0;
    if (bytes > length)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if (!mz_utf8_continues(text[i]))
            return 0;
    return bytes;
}

size_t mz_text_width(const char *utf8)
{
    size_t width = 0;
    for (; *utf8; utf8++)
        width += !mz_utf8_continues(*utf8);
    return width;
}

void mz_text_to_ascii(mz_text *text)
{
    static const struct {
        const char *sign, *letters;
    } known[] = {{"→", "->"}, {"…", "..."}, {"×", "x"}, {"✗", "!!"}, {"µ", "u"}, {"·", "-"}, {"–", "-"}};
    mz_text out = {0};
    const char *at = mz_text_string(text), *end = at + text->length;
    while (at < end) {
        size_t bytes = mz_utf8_bytes(at, (size_t)(end - at)), i = 0;
        while (bytes > 1 && i < sizeof known / sizeof *known && strncmp(at, known[i].sign, bytes) != 0)
            i++;
        if (bytes == 1)
            mz_text_add_bytes(&out, at, 1);
        else
            mz_text_add(&out, "%s", bytes > 1 && i < sizeof known / sizeof *known ? known[i].letters : "?");
        at += bytes > 0 ? bytes : 1;
    }
    mz_text_release(text);
    *text = out;
}

static size_t bytes_of(const char *text, size_t columns)
{
    size_t bytes = 0;
    while (text[bytes] && columns-- > 0)
        do {
            bytes++;
        } while (mz_utf8_continues(text[bytes]));
    return bytes;
}

size_t mz_text_break(const char *text, size_t columns)
{
    size_t whole = bytes_of(text, columns), bytes = whole;
    if (!text[whole] || text[whole] == ' ')
        return whole;
    while (bytes > 0 && text[bytes - 1] != ' ')
        bytes--;
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    return bytes * 3 >= whole ? bytes : whole;
}

void mz_text_add_folded(mz_text *out, const char *words, size_t column, size_t indent)
{
    for (;;) {
        size_t bytes = mz_text_break(words, MZ_TERMINAL_COLUMNS - column);
        mz_text_add_bytes(out, words, bytes);
        words += bytes;
        while (*words == ' ')
            words++;
        if (!*words)
            return;
        mz_text_add(out, "\n");
        mz_text_add_repeated(out, " ", indent);
        column = indent;
    }
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

void mz_text_add_readable(mz_text *out, const char *name)
{
    for (; *name; name++)
        mz_text_add_bytes(out, is_control(*name) ? "?" : name, 1);
}

void mz_text_make_readable(mz_text *text, const char *name)
{
    size_t length = strlen(name);
    for (char *at = text->bytes; at && length > 0 && (at = strstr(at, name)); at += length)
        for (size_t i = 0; i < length; i++)
            at[i] = is_control(at[i]) ? '?' : at[i];
}
