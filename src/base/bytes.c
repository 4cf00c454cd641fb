#include "base/bytes.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { SEAL_BYTES = 8, LONGEST_NUMBER = 10 };

void mz_bytes_add(mz_bytes *b, const void *data, size_t length)
{
    if (length == 0)
        return;
    b->data = mz_grow(b->data, &b->capacity, b->length + length, 1);
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

void mz_bytes_add_number(mz_bytes *b, uint64_t number)
{
    uint8_t bytes[LONGEST_NUMBER];
    size_t count = 0;
    do {
        bytes[count++] = (uint8_t)((number & 127) | (number > 127 ? 128 : 0));
        number >>= 7;
    } while (number > 0);
    mz_bytes_add(b, bytes, count);
}

/* The sign is the lowest bit, so that numbers near 0 are short. */
void mz_bytes_add_signed(mz_bytes *b, int64_t number)
{
    uint64_t bits = (uint64_t)number;
    mz_bytes_add_number(b, number < 0 ? ~bits << 1 | 1 : bits << 1);
}

void mz_bytes_add_block(mz_bytes *b, const mz_bytes *block)
{
    mz_bytes_add_number(b, block->length);
    mz_bytes_add(b, block->data, block->length);
}

static void sum(const uint8_t *data, size_t length, uint8_t *seal)
{
    uint64_t low = mz_hash_add_bytes(mz_hash_start(SEAL_BYTES), data, length).low;
    for (size_t i = 0; i < SEAL_BYTES; i++)
        seal[i] = (uint8_t)(low >> (8 * i));
}

void mz_bytes_seal(mz_bytes *b, size_t start)
{
    uint8_t seal[SEAL_BYTES];
    sum(b->length > start ? b->data + start : NULL, b->length - start, seal);
    mz_bytes_add(b, seal, sizeof seal);
}

void mz_bytes_copy(mz_bytes *b, const mz_bytes *other)
{
    b->length = 0;
    mz_bytes_add(b, other->data, other->length);
}

void mz_bytes_release(mz_bytes *b)
{
    mz_release(b->data);
    *b = (mz_bytes){0};
}

/* ---- reading --------------------------------------------------------------------------------------------
 */

uint64_t mz_read_number(mz_byte_reader *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0; !r->failed; shift += 7) {
        if (r->at == r->length || shift > 63) {
            r->failed = true;
            break;
        }
        uint8_t byte = r->data[r->at++];
        if (shift == 63 && byte > 1)
            r->failed = true;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return r->failed ? 0 : number;
    }
    return 0;
}

int64_t mz_read_signed(mz_byte_reader *r)
{
    uint64_t bits = mz_read_number(r);
    return (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
}

uint64_t mz_read_number_to(mz_byte_reader *r, uint64_t most)
{
    uint64_t number = mz_read_number(r);
    if (number > most)
        r->failed = true;
    return r->failed ? 0 : number;
}

size_t mz_read_count(mz_byte_reader *r)
{
    return (size_t)mz_read_number_to(r, r->length - r->at);
}

void mz_read_bytes(mz_byte_reader *r, void *data, size_t length)
{
    if (length > r->length - r->at)
        r->failed = true;
    if (r->failed)
        return;
    memcpy(data, r->data + r->at, length);
    r->at += length;
}

void mz_read_block(mz_byte_reader *r, mz_bytes *block)
{
    size_t length = mz_read_count(r);
    if (length > r->length - r->at)
        r->failed = true;
    block->length = 0;
    if (r->failed)
        return;
    mz_bytes_add(block, r->data + r->at, length);
    r->at += length;
}

void mz_read_seal(mz_byte_reader *r, size_t start)
{
    uint8_t seal[SEAL_BYTES];
    if (r->failed || r->length - r->at < SEAL_BYTES) {
        r->failed = true;
        return;
    }
    sum(r->data + start, r->at - start, seal);
    r->failed = memcmp(seal, r->data + r->at, SEAL_BYTES) != 0;
    r->at += SEAL_BYTES;
}

/* One more than its length: 0 is no text. */
void mz_bytes_add_string(mz_bytes *bytes, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    mz_bytes_add_number(bytes, text ? length + 1 : 0);
    mz_bytes_add(bytes, text, length);
}

char *mz_read_string(mz_byte_reader *r)
{
    size_t length = mz_read_count(r);
    if (r->failed || length == 0)
        return NULL;
    char *string = mz_allocate_zeroed(length, 1);
    mz_read_bytes(r, string, length - 1);
    return string;
}
