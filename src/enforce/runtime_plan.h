/* The plan that applies, for the parts of the runtime that look at it (runtime_begin.c finds it), and what is
 * told when the program does not keep to it (runtime_divergence.c). */
#ifndef MZ_ENFORCE_RUNTIME_PLAN_H
#define MZ_ENFORCE_RUNTIME_PLAN_H

#include "enforce/runtime.h"
#include "enforce/runtime_image.h"

extern const mz_symbolic_image *mz__symbolic; /* NULL: none */
/* The one that applies. NULL: there is none, or the inputs that decide it are not read yet; then nothing is
 * enforced, because nothing is an event before that (wire/symbolic.h). */
extern const mz_plan_image *mz__plan;
extern _Atomic bool mz__switched_off; /* after a divergence that was to be told only */

/* The program's image, from the linker. */
extern const char __executable_start[], _end[];

static inline const void *mz__in_symbolic(uint64_t offset)
{
    return (const char *)mz__symbolic + offset;
}

static inline const mz_plan_image *mz__plan_number(uint32_t number)
{
    return mz__in_symbolic(((const uint64_t *)mz__in_symbolic(mz__symbolic->plans))[number]);
}

static inline const mz_plan_thread *mz__thread_of(uint32_t number)
{
    return mz__thread_in(mz__plan, number);
}

static inline bool mz__has_edges_only(void)
{
    return mz__plan->flags & MZ_PLAN_EDGES_ONLY;
}

static inline uint32_t mz__prefix(void)
{
    if (atomic_load_explicit(&mz__switched_off, memory_order_relaxed))
        return 0;
    return __atomic_load_n(&mz__plan->prefix, __ATOMIC_ACQUIRE);
}

/* ---- divergence (runtime_divergence.c)
 * --------------------------------------------------------------------------------------- */

/* Each ends the program, or returns if that is only to be told (mz__leave_verified_ground). The calling
 * thread came to another operation than this one; to one beyond its end in T; it waits for one of another
 * thread that will not come; it ends before its next one in the plan, or before it has created that thread.
 */
void mz__tell_difference(const mz_plan_entry *entry, uint32_t kinds, uint64_t place);
void mz__tell_extra_operation(uint32_t kinds, uint64_t place);
void mz__tell_missing_event(uint32_t number, uint32_t count);
void mz__tell_missing_operation(void);
void mz__tell_missing_thread(uint32_t number);

#endif
