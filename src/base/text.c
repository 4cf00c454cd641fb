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

size_t mz_text_width(const char *utf8)
{
    size_t width = 0;
    for (; *utf8; utf8++)
        width += ((unsigned char)*utf8 & 0xC0) != 0x80;
    return width;
}
