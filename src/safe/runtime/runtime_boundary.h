/* Loop boundaries under a plan for iterations (runtime_boundary.c): what the other parts of the runtime tell
 * about threads. Nothing happens without such a plan. */
#ifndef MZ_SAFE_RUNTIME_RUNTIME_BOUNDARY_H
#define MZ_SAFE_RUNTIME_RUNTIME_BOUNDARY_H

#include <pthread.h>

#include "safe/runtime/follow/runtime.h"

/* It goes on, or begins: told by who lets it, while nobody else can. */
void mz__let_run(uint32_t thread);
/* The calling thread waits for a condition variable, while nobody can signal it; and then, when somebody can:
 * has everybody stopped? */
void mz__now_waits(void);
void mz__has_stopped(void);
/* In which iteration is it? And, when it was signalled: it began to wait in that one. */
uint32_t mz__iteration(void);
void mz__is_awake(uint32_t iteration);
void mz__note_handle(uint32_t thread, pthread_t handle);
/* It is about to join the thread with this handle: which one is it? And it has done so. */
uint32_t mz__now_joins(pthread_t handle);
void mz__has_joined(uint32_t thread);
/* At the start: the plan, if it is one for iterations. */
void mz__find_sources(const mz_plan_image *plan);
/* It does nothing more. */
void mz__has_ended(void);

#endif
