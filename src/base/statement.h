/* Statements of C or C++ as texts: where one ends, and whether it declares a variable. */
#ifndef MZ_BASE_STATEMENT_H
#define MZ_BASE_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Up to the next `;` outside of parentheses, braces and quotes. */
size_t mz_statement_length(const char *text);

/* `TYPE NAME = VALUE`, `NAME = VALUE`, `TYPE NAME`, `TYPE NAME[3]`, in C++ `TYPE NAME(2)`; no name: it is
 * some other statement. */
typedef struct mz_declaration {
    const char *type, *name, *value; /* in the text; NULL: there is none */
    size_t type_length, name_length;
    bool is_untyped; /* its type is that of the value: none is written, or `auto` */
} mz_declaration;

mz_declaration mz_read_declaration(const char *statement, bool cxx);

#endif
