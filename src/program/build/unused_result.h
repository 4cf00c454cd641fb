/* Does the program look at what a function has returned? (x86-64, with capstone; elsewhere it always may.) */
#ifndef MZ_PROGRAM_BUILD_UNUSED_RESULT_H
#define MZ_PROGRAM_BUILD_UNUSED_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/* The code from here on, where a call returns to: is the returned number surely replaced before it is read?
 */
bool mz__result_is_replaced(uintptr_t returns_to);

#endif
