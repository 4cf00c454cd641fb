/* The plan that applies, for the parts of the runtime that look at it (runtime_begin.c finds it,
 * runtime_stage.c decides, if inputs do), and what is told when the program does not keep to it
 * (runtime_divergence.c). */
#ifndef MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_PLAN_H
#define MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_PLAN_H

#include "safe/runtime/follow/runtime.h"
#include "safe/runtime/follow/runtime_image.h"

extern const mz_symbolic_image *mz__symbolic; /* NULL: none */
extern _Atomic bool mz__switched_off;         /* after a divergence that was to be told only */

/* Is all as it was when the plan was made (runtime_premises.c)? Ends the program if not, or returns if that
 * is only to be told. */
void mz__compare_premises(int count, char **arguments, char **environment);

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

/* The plan that applies, as far as the calling thread knows; NULL: it knows of none. */
static inline const mz_plan_image *mz__plan(void)
{
    return mz__self.plan;
}

static inline const mz_plan_thread *mz__thread_of(uint32_t number)
{
    return mz__thread_in(mz__plan(), number);
}

static inline bool mz__has_edges_only(void)
{
    return mz__plan()->flags & MZ_PLAN_EDGES_ONLY;
}

/* ---- inputs decide (runtime_stage.c) --------------------------------------------------------------------
 */

/* Does the calling thread know which plan applies? */
static inline bool mz__is_decided(void)
{
    return mz__self.stage & MZ_GUARD_PLAN;
}

static inline const mz_stage *mz__stage_of(uint32_t guard)
{
    return (const mz_stage *)mz__in_symbolic(mz__symbolic->stages) + guard;
}

/* The shortest prefix that is safe whatever is decided; but not more than all plans have in common. */
uint32_t mz__common_prefix(void);

static inline uint32_t mz__prefix(void)
{
    if (atomic_load_explicit(&mz__switched_off, memory_order_relaxed))
        return 0;
    return mz__is_decided() ? __atomic_load_n(&mz__plan()->prefix, __ATOMIC_ACQUIRE) : mz__common_prefix();
}

/* Is it decided, and a constraint set? Also for threads that do not know of it. */
bool mz__keeps_to_set(void);
/* At the start, when the image is there. */
void mz__begin_deciding(void);
/* Look at what is decided by now; the calling thread has begun so many operations that it need not look for
 * any more. */
void mz__look_again(uint64_t done);
/* The count at which the calling thread may have to wait for the decision; MZ__NEVER: nowhere. */
uint64_t mz__next_stop(void);
/* Wait until it is known how the operation is to happen. */
void mz__await_decision(void);
/* When the calling thread has to come to mz__begin_noted() again (runtime.c). */
void mz__set_next(void);

/* From now on this plan applies; and which one it is now that it is decided. */
void mz__apply_plan(uint32_t number);
const mz_plan_image *mz__plan_now(void);

/* ---- changing over (runtime_change.c) --------------------------------------------------------------------
 */

/* Is there a constraint set now that is to be used instead of the calling thread's plan? */
bool mz__is_changed(void);
/* The calling thread will do its operation with this count, unless it finds that there is one: to be asked
 * after this. */
void mz__admit(uint64_t count);
/* The same for an operation that is not in the prefix. False: there is one. */
bool mz__admit_beyond(uint64_t count);

/* Plain accesses that are not to be counted are not (runtime_sites.c). */
void mz__take_out_hooks(void);

/* ---- divergence (runtime_divergence.c) ------------------------------------------------------------------
 */

/* Each ends the program, or returns if that is only to be told (mz__leave_verified_ground). The calling
 * thread came to another operation than this one (NULL: its end in T), or to one more than any verified
 * execution has of it; it waits for one of another thread
 * that will not come, or for an input that nobody reads; it ends before its next one in the plan, or before
 * it has created that thread. */
void mz__tell_difference(const mz_plan_entry *entry, uint32_t kinds, uint64_t place);
void mz__tell_too_many(uint32_t kinds, uint64_t place);
void mz__tell_missing_event(uint32_t number, uint32_t count);
void mz__tell_missing_input(const char *name);
void mz__tell_missing_operation(void);
void mz__tell_missing_thread(uint32_t number);

#endif
