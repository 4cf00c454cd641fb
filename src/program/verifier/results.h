/* What calls of clients return, as text: by type. */
#ifndef MZ_PROGRAM_VERIFIER_RESULTS_H
#define MZ_PROGRAM_VERIFIER_RESULTS_H

#include <stddef.h>

#include "machine/history.h"

/* What the driver says of the type (build/compile_driver.c). */
typedef enum mz__result_kind {
    MZ__RESULT_BYTES, /* a struct, for example: the debug information has its type */
    MZ__RESULT_BOOLEAN,
    MZ__RESULT_CHARACTER,
    MZ__RESULT_SIGNED,
    MZ__RESULT_UNSIGNED,
    MZ__RESULT_FLOATING,
    MZ__RESULT_STRING,
    MZ__RESULT_POINTER,
} mz__result_kind;

/* Reads what the debug information says of results; once, before the program runs. */
void mz__learn_result_types(void);
/* Appends the value to what the call has returned so far. `typed`: a pointer to the type of the value, of
 * which only its own address matters. Texts that do not fit are cut, and end with a hash of all of them. */
void mz__add_result(mz__result_kind kind, const void *value, size_t size, const void *typed,
                    char result[MZ_CALL_RESULT]);

#endif
