/* What a program does after a call has returned, as its machine code tells (x86-64, with capstone; elsewhere
 * nothing is known). */
#ifndef MZ_PROGRAM_CODE_AFTER_CALL_H
#define MZ_PROGRAM_CODE_AFTER_CALL_H

#include <stdbool.h>
#include <stdint.h>

/* The code from here on, where a call returns to: is the returned number surely replaced before it is read?
 */
bool mz__result_is_replaced(uintptr_t returns_to);

/* Does a wait for a condition stand in a loop that looks again? */
typedef enum mz__wait_habit {
    MZ__WAITS_SOMEHOW, /* its function returns at once, or the code cannot be followed */
    MZ__WAITS_IN_LOOP,
    MZ__WAITS_ONCE,
} mz__wait_habit;

/* The code from here on, where the wait returns to. */
mz__wait_habit mz__wait_habit_of(uintptr_t returns_to);

#endif
