/* From a prefix to a constraint set, while the program runs.
 *
 * The verifier has found a constraint set C that is enough (safe/plan/constrained.c), while the program runs
 * under the prefix P that C was made from. The program may go on under C if what it has done so far keeps to
 * C: if of each edge f' → e' of C, e' has not happened, or after f'. Then all of it keeps to C, and that was
 * verified.
 *
 *  - If e' is in P, it does: the edge was made from a wait f → e of P (safe/plan/edges.c,
 * safe/plan/small_set.c), where f' is f or an event of its thread before it, and e' is e or one after it. e
 * has waited for f.
 *  - If e' is not in P, it may have overtaken what is left of P, or have been a part of the prefix when that
 * was longer. If it has happened, the program goes on as it is, under P.
 *
 * So every thread says how far it goes (`admitted`) before it looks whether there is a set, and does what it
 * was about to do only if there is none. Who finds one decides for all, once. What a thread was let do before
 * that is seen: it has found nothing, thus before the set was there, thus before we look at how far it goes;
 * all this is sequentially consistent. A thread that takes its word back (mz__admit_beyond) may make us
 * refuse a set for nothing, which is safe.
 *
 * Threads notice one by one: where they come to an event, or wait. Until then a thread keeps to rules that
 * are stricter, publishes more events than C needs, and waits for some that others no longer publish, but
 * looks for a set as long as it waits. An operation that was let happen in the prefix, as it was verified
 * there, has one of the outcomes that it may have under C: a time limit that is over, a certain thread that
 * is woken, if that one still waits. What comes otherwise than in T is no divergence once there is a set: the
 * thread has noticed it because of something that another one did under C, so it looks for the set after
 * that. */
#include "safe/runtime/follow/runtime_plan.h"

static _Atomic uint32_t lock;
static _Atomic bool is_refused;

static bool is_offered(void)
{
    return mz__symbolic->set_room > 0 && __atomic_load_n(&mz__symbolic->has_set, __ATOMIC_SEQ_CST) &&
           !atomic_load_explicit(&is_refused, memory_order_relaxed);
}

/* Has nothing of the thread happened that an edge of the set leads to, beyond the prefix? */
static bool keeps_to(const mz_plan_image *set, const mz_plan_image *plan, uint32_t number)
{
    uint32_t d = __atomic_load_n(&plan->prefix, __ATOMIC_ACQUIRE);
    const mz_plan_entry *last = mz__last_below(plan, mz__thread_in(plan, number), d);
    const mz_plan_thread *thread = mz__thread_in(set, number);
    const mz_plan_entry *entries = mz__entries_in(set, thread);
    uint32_t admitted = atomic_load(&mz__participants[number].admitted);
    for (uint32_t i = mz__first_after(set, thread, last ? last->count : 0);
         i < thread->entry_count && entries[i].count <= admitted; i++)
        if (entries[i].wait_count > 0)
            return false;
    return true;
}

static void decide(const mz_plan_image *plan)
{
    const mz_plan_image *set = mz__plan_number(mz__symbolic->plan_count);
    bool all = true;
    mz__take(&lock);
    for (uint32_t u = 0; u < plan->thread_count; u++)
        all = all && keeps_to(set, plan, u);
    bool undecided = mz__plan_now() == plan;
    if (undecided && all)
        mz__apply_plan(mz__symbolic->plan_count);
    else if (undecided)
        is_refused = true;
    mz__give(&lock);
}

bool mz__is_changed(void)
{
    const mz_plan_image *own = mz__plan();
    if (!own || mz__has_edges_only() || !is_offered())
        return false;
    if (mz__plan_now() == own)
        decide(own);
    return mz__plan_now() != own;
}

void mz__admit(uint64_t count)
{
    if (mz__symbolic->set_room > 0)
        atomic_store(&mz__participants[mz__self.number].admitted, (uint32_t)count);
}

bool mz__admit_beyond(uint64_t count)
{
    _Atomic uint32_t *admitted = &mz__participants[mz__self.number].admitted;
    uint32_t before = atomic_load_explicit(admitted, memory_order_relaxed);
    mz__admit(count);
    if (!is_offered())
        return true;
    mz__admit(before);
    if (mz__is_changed())
        return false;
    mz__admit(count);
    return true;
}
