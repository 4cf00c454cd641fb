/* What is suspicious, but has not gone wrong (warnings.c). */
#ifndef MZ_PROGRAM_DESCRIBE_WARNINGS_H
#define MZ_PROGRAM_DESCRIBE_WARNINGS_H

#include "program/describe/suppressions.h"
#include "program/world/world.h"

/* Is this the first of its kind at these places? Then it is to be described with mz__warn(). */
bool mz__is_new_warning(mz_warning_kind kind, uintptr_t place, uintptr_t other_place);
void mz__warn(mz_warning_kind kind, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Names by which a place in the code can be meant: its function and its file, with and without directories.
 */
enum { MZ__NAMES_OF_PLACE = 3 };
size_t mz__names_of_place(uintptr_t pc, mz_suppression_name *names);

#endif
