/* What a program does after a call has returned, as its machine code tells (x86-64, with capstone; elsewhere
 * nothing is known). */
#ifndef MZ_PROGRAM_CODE_AFTER_CALL_H
#define MZ_PROGRAM_CODE_AFTER_CALL_H

#include <stdbool.h>
#include <stdint.h>

/* What becomes of the number that a call has returned, from here on, where it returns to. */
typedef enum mz__result_use {
    MZ__RESULT_LOOKED_AT, /* perhaps */
    MZ__RESULT_RETURNED,  /* by some way it is returned to the caller, and nobody else looks at it */
    MZ__RESULT_DROPPED,   /* surely nobody looks at it */
} mz__result_use;
mz__result_use mz__use_of_result(uintptr_t returns_to);

/* Does a wait for a condition stand in a loop that looks again? */
typedef enum mz__wait_habit {
    MZ__WAITS_SOMEHOW, /* its function returns at once, or the code cannot be followed */
    MZ__WAITS_IN_LOOP,
    MZ__WAITS_ONCE,
} mz__wait_habit;

/* The code from here on, where the wait returns to. */
mz__wait_habit mz__wait_habit_of(uintptr_t returns_to);

#endif
