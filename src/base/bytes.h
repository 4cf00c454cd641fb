/* Numbers as bytes, and back. A reader never reads past the end: it fails, and stays failed. */
#ifndef MZ_BASE_BYTES_H
#define MZ_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mz_bytes {
    uint8_t *data;
    size_t length, capacity;
} mz_bytes;

void mz_bytes_add(mz_bytes *bytes, const void *data, size_t length);
/* Seven bits to a byte, the lowest first: small numbers are short. */
void mz_bytes_add_number(mz_bytes *bytes, uint64_t number);
void mz_bytes_add_signed(mz_bytes *bytes, int64_t number);
/* Bytes with their length before them. */
void mz_bytes_add_block(mz_bytes *bytes, const mz_bytes *block);
/* A text, or NULL: the two are not the same when they are read. */
void mz_bytes_add_string(mz_bytes *bytes, const char *text);
/* A check sum of all that is there from `start` on: eight bytes. */
void mz_bytes_seal(mz_bytes *bytes, size_t start);
void mz_bytes_copy(mz_bytes *bytes, const mz_bytes *other);
void mz_bytes_release(mz_bytes *bytes);

typedef struct mz_byte_reader {
    const uint8_t *data;
    size_t length, at;
    bool failed; /* something was not there, or not as it must be */
} mz_byte_reader;

/* 0 if there is none. */
uint64_t mz_read_number(mz_byte_reader *reader);
int64_t mz_read_signed(mz_byte_reader *reader);
/* The same; a number above `most` is a failure. */
uint64_t mz_read_number_to(mz_byte_reader *reader, uint64_t most);
/* How many things follow, of which each takes a byte at least: no more than there are bytes left. */
size_t mz_read_count(mz_byte_reader *reader);
/* As they were added. */
void mz_read_bytes(mz_byte_reader *reader, void *data, size_t length);
void mz_read_block(mz_byte_reader *reader, mz_bytes *block);
/* NULL if there is none, or nothing left. Otherwise the caller's, to be released. */
char *mz_read_string(mz_byte_reader *reader);
/* The check sum of what was read since `start` must follow. */
void mz_read_seal(mz_byte_reader *reader, size_t start);

#endif
