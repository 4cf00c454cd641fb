/* Sets of byte strings, for the reference: traces, errors, observations by their names. */
#ifndef TEST_ORACLE_STRING_SET_H
#define TEST_ORACLE_STRING_SET_H

#include <stdbool.h>
#include <stddef.h>

/* A set of byte strings. */
typedef struct string_set {
    char **strings; /* NULL = free */
    size_t *lengths;
    size_t capacity, count;
} string_set;

/* True if it was new. */
bool string_set_add(string_set *set, const char *bytes, size_t length);
bool string_set_has(const string_set *set, const char *bytes, size_t length);
void string_set_release(string_set *set);

#endif
