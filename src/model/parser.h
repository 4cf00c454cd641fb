/* From dlang text to a checked tree. The grammar is in doc/dlang.md. */
#ifndef MZ_MODEL_PARSER_H
#define MZ_MODEL_PARSER_H

#include "base/error.h"
#include "model/ast.h"

typedef struct mz_definition { /* -Dname=value */
    const char *name;
    int64_t value;
    bool used; /* set when a program has a parameter of that name */
} mz_definition;

/* NULL and *error set if the text is not a program. Definitions that it has no parameter for are left unused:
 * they may be meant for another program of the same call. */
mz_program *mz_parse(const char *file, const char *source, size_t length, mz_definition *definitions,
                     size_t definition_count, mz_error *error);
void mz_program_destroy(mz_program *program);

#endif
