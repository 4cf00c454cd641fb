/* SHA-256 (FIPS 180-4), where others than us have to find the same number again: witnesses, sources of a
 * counterexample. */
#ifndef MZ_BASE_SHA256_H
#define MZ_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { MZ_SHA256_DIGITS = 64 };

/* In hexadecimal digits, terminated. */
void mz_sha256(const void *bytes, size_t length, char digits[MZ_SHA256_DIGITS + 1]);

#endif
