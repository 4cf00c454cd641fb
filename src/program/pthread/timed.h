/* Waits with a time limit (timed.c). */
#ifndef MZ_PROGRAM_PTHREAD_TIMED_H
#define MZ_PROGRAM_PTHREAD_TIMED_H

#include <pthread.h>
#include <time.h>

#include "program/pthread/sync.h"

/* 0 or ETIMEDOUT, and what the object has to say. */
int mz__wait_with_limit(mz__condition *condition, mz__mutex *mutex, const char *verb);
int mz__lock_with_limit(mz__mutex *mutex, const struct timespec *deadline, const char *verb);
/* What the deadline makes of a wait that is over: EINVAL if it is none. */
int mz__time_is_up(const struct timespec *deadline);
/* Returns the result of a wait. If it is ETIMEDOUT, it is as late as the deadline by now: who asks the clock
 * sees that. */
int mz__let_pass(const struct timespec *deadline, int result);

#endif
