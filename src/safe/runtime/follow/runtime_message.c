/* Messages, without memory and without the C library's streams. */
#include "safe/runtime/follow/runtime.h"

#include <string.h>
#include <unistd.h>

void mz__add_text(mz__message *message, const char *text)
{
    size_t length = strlen(text), room = sizeof message->text - message->length;
    if (length > room)
        length = room;
    memcpy(message->text + message->length, text, length);
    message->length += length;
}

void mz__add_digits(mz__message *message, uint64_t number, unsigned base)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = "0123456789abcdef"[number % base];
    while (number /= base);
    mz__add_text(message, digits + at);
}

void mz__add_number(mz__message *message, uint64_t number)
{
    mz__add_digits(message, number, 10);
}

void mz__add_kinds(mz__message *message, uint32_t kinds)
{
    bool first = true;
    for (uint32_t kind = 0; kind < MZ_OPERATION_KIND_COUNT; kind++)
        if (kinds >> kind & 1) {
            mz__add_text(message, first ? "'" : " or '");
            mz__add_text(message, mz_operation_name((mz_operation_kind)kind));
            mz__add_text(message, "'");
            first = false;
        }
}

void mz__say(mz__message *message)
{
    ssize_t written = write(STDERR_FILENO, message->text, message->length);
    (void)written; /* nobody listens */
}
