/* What a thread is about to do: how it is described, whether anybody could notice, and what it comes after.
 */
#include "base/memory.h"
#include "program/runtime/program.h"
#include "program/runtime/schedule.h"
#include "program/pthread/sync.h"

/* ---- causes ------------------------------------------------------------------------------------------- */

void mz__add_cause(mz__thread *t, uint32_t other, uint32_t index)
{
    bool known = mz_threads_has(t->caused_by, other);
    if (index == 0 || other == t->number || (known && t->cause_index[other] >= index))
        return;
    MZ__SAVE(t->cause_index[other]); /* also if it is not in use now: it may have been before */
    t->cause_index[other] = index;
    t->caused_by |= mz_threads_of(other);
}

/* Of each thread its latest event that the next operation of `t` comes after. Those that were joined may have
 * joined others: `left` are those that have not been looked at, each once, as threads that come one after the
 * other have joined all before them. */
static mz_threads collect_causes(const mz__thread *t, mz_threads set, uint32_t *index, mz_threads *left)
{
    MZ_FOR_EACH_THREAD(u, t->caused_by)
    {
        if (!mz_threads_has(set, u) || index[u] < t->cause_index[u])
            index[u] = t->cause_index[u];
        set |= mz_threads_of(u);
    }
    mz_threads joined = t->joined & *left;
    *left &= ~joined;
    MZ_FOR_EACH_THREAD(ended, joined)
    {
        const mz__thread *other = &mz__w.threads[ended];
        if (other->events > 0) {
            index[ended] = other->events;
            set |= mz_threads_of(ended);
        }
        set = collect_causes(other, set, index, left);
    }
    return set;
}

uint32_t mz__list_causes(const mz__thread *t, mz_cause *causes)
{
    uint32_t count = 0, index[MZ_MAX_THREADS];
    mz_threads left = MZ_ALL_THREADS, set = collect_causes(t, MZ_NO_THREADS, index, &left);
    MZ_FOR_EACH_THREAD(u, set & ~mz_threads_of(t->number))
    {
        causes[count++] = (mz_cause){u, index[u]};
    }
    return count;
}

/* What `to` does next comes after everything that `from` has done: its last event, and what that thread's
 * next one would come after. */
static void inherit_causes(mz__thread *to, const mz__thread *from, mz_threads *left)
{
    mz__add_cause(to, from->number, from->events);
    MZ_FOR_EACH_THREAD(u, from->caused_by)
    {
        mz__add_cause(to, u, from->cause_index[u]);
    }
    mz_threads joined = from->joined & *left;
    *left &= ~joined;
    MZ_FOR_EACH_THREAD(ended, joined)
    {
        inherit_causes(to, &mz__w.threads[ended], left);
    }
}

void mz__inherit_causes(mz__thread *to, const mz__thread *from)
{
    mz_threads left = MZ_ALL_THREADS;
    inherit_causes(to, from, &left);
}

/* ---- operations --------------------------------------------------------------------------------------- */

/* Every other thread has ended, and the program itself orders all they did before what we do now. */
bool mz__alone(void)
{
    const mz__thread *me = mz__w.current;
    const mz_status *status = &mz__w.state.status;
    if (mz_threads_any((status->ready | status->blocked) & ~mz_threads_of(me->number)))
        return false; /* a thread leaves these sets when it has run and ended */
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        const mz__thread *other = &mz__w.threads[u];
        if (other != me && other->life != MZ__UNBORN &&
            (other->life != MZ__FINISHED || me->clock.of[u] < other->clock.of[u]))
            return false;
    }
    return true;
}

bool mz__unnoticed(void)
{
    bool wanted = mz__w.base.by_observation && mz__w.state.thread_count > 1;
    return !wanted && mz__alone();
}

static inline bool is_shared(const mz__pending *p)
{
    bool shared = p->access_count > 0;
    for (uint32_t i = 0; i < p->access_count; i++)
        shared &= mz__w.cells[p->accesses[i].location].owner == MZ__SHARED;
    return shared;
}

/* Until a second thread touches it, nobody can notice. */
static bool is_private(const mz__pending *p)
{
    bool private = true;
    for (uint32_t i = 0; i < p->access_count; i++)
    private &= mz__is_mine(p->accesses[i].location);
    return private;
}

/* By observation: who is alone looks at what two others share, and which of them wrote last is worth an
 * event. What one thread alone has touched so far stays with that one: its last write is what is there.
 * (Taken for shared, a loop that waits for one location would be one that waits for two, with more to be
 * explored.) */
static bool is_of_no_interest(const mz__pending *p)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if (mz__w.cells[p->accesses[i].location].owner == MZ__SHARED)
            return false;
    return mz__alone();
}

/* Who reads what is his own so often in one step may be in a loop that waits for somebody after all: surely
 * if he comes back to where he was, and if not, in the end all the same. Who writes is busy (tired.c). */
enum { SUSPICIOUS = 100000, PRIVATE_LIMIT = 20000000 };

static bool waits_for_somebody(const mz__pending *p)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if (p->accesses[i].kind & MZ_WRITE)
            return false;
    uint32_t reads = ++mz__w.private_operations;
    return reads >= PRIVATE_LIMIT || (reads >= SUSPICIOUS && mz__comes_back());
}

static inline bool nobody_can_notice(const mz__pending *p, bool shared)
{
    if (p->guard != MZ__FREE && !mz__guard_holds(p, mz__w.current))
        return false; /* it waits: that is to be seen */
    if (mz__unnoticed() || (mz__w.base.by_observation && is_of_no_interest(p)))
        return true;
    return !shared && is_private(p) && !waits_for_somebody(p);
}

void mz__note_large_frame(uintptr_t size)
{
    if (size > mz__w.largest_frame && size < MZ__STACK_BYTES) {
        mz__w.largest_frame = size;
        mz__learned();
    }
}

static __attribute__((noinline)) bool must_wait_for_turn(mz__thread *t, mz__pending *p, bool reads)
{
    mz__note_frame(t); /* it may have grown: alloca */
    if (mz__w.tired)
        mz__give_up_if_tired();
    if (t->section) {
        mz__section_operation(p);
        return false;
    }
    bool shared = is_shared(p);
    if (nobody_can_notice(p, shared)) {
        if (MZ_SELDOM(p->gone))
            mz__check_memory((const void *)p->address, 1, false, mz__caller.pc);
        return false;
    }
    mz__is_noticed(t);
    for (uint32_t i = 0; i < p->access_count && !shared; i++)
        mz__share_cell(p->accesses[i].location);
    if (mz__w.counts_iterations)
        mz__count_iteration(t);
    return reads ? mz__look_for_spinning(t) : true;
}

/* Most operations are on one location that is known to be shared, and there are others who may notice them.
 * Then all that is left to be done is to look for spinning, and nothing is called on the way: no registers
 * are saved. */
static inline bool is_usual(const mz__thread *t, const mz__pending *p)
{
    const mz_status *status = &mz__w.state.status;
    bool special = mz__w.tired || t->put_off || mz__w.counts_iterations || mz__has_large_frame(t);
    return !special && !t->section && p->access_count == 1 &&
           mz__w.cells[p->accesses[0].location].owner == MZ__SHARED &&
           mz_threads_any((status->ready | status->blocked) & ~mz_threads_of(t->number));
}

bool mz__must_wait_for_turn(mz__pending *p, bool reads)
{
    mz__thread *t = mz__w.current;
    mz__w.in_operation = false;
    if (!is_usual(t, p))
        return must_wait_for_turn(t, p, reads);
    return reads ? mz__look_for_spinning(t) : true;
}

/* The running thread comes to an atomic section. */
void mz__begin_section(void)
{
    mz__is_noticed(mz__w.current);
    if (mz__w.counts_iterations)
        mz__count_iteration(mz__w.current);
    mz__look_for_spinning(mz__w.current);
    mz__leave_fiber();
}

void mz__executed_as(mz_operation_kind kind, bool writes)
{
    if (!mz__w.in_operation)
        return;
    mz__w.executed->kind = kind;
    for (uint32_t i = 0; i < mz__w.executed->access_count; i++)
        mz__w.executed_into[i].kind = MZ_READ | (writes ? MZ_WRITE : 0);
}

void mz__wake(uint32_t thread)
{
    mz__w.woken[mz__w.woken_count++] = thread;
}

/* ---- choices --------------------------------------------------------------------------------------------
 */

int64_t mz__choose(int64_t low, int64_t high)
{
    return mz__choose_input(low, high, NULL);
}

/* A choice is a part of an event: of the last one that led to it. Which one that is must not depend on the
 * order of events that are independent of each other, or executions that are equivalent would differ in it.
 * It does after a join: the last event of our own and that of the thread that was joined happen in any order,
 * and we go on after whichever is the last. So the choice gets an event of its own, after both, which touches
 * nothing. (Who goes on after a barrier does so after the last to arrive, and operations on one barrier
 * depend on each other.) */
static __attribute__((noinline)) void begin_choice(mz__thread *t, bool counted)
{
    const mz__registers caller = mz__caller; /* others call hooks meanwhile */
    mz__pending *p = mz__plan(t, MZ_OP_CHOOSE, "choice");
    p->address = 0;
    p->counted = counted;
    mz__leave_fiber();
    mz__caller = caller;
}

int64_t mz__choose_input(int64_t low, int64_t high, const char *name)
{
    mz__made_progress();
    return mz__choose_without_progress(low, high, name);
}

int64_t mz__choose_without_progress(int64_t low, int64_t high, const char *name)
{
    mz__thread *t = mz__w.current;
    if (!mz__w.choices)
        return low;
    mz__is_noticed(t);
    if (low == high)
        return low;
    if (mz__in_section_event())
        return mz__section_choose(low, high);
    if (mz_threads_any(t->joined))
        begin_choice(t, name);
    int64_t value = mz_choose(mz__w.choices, low, high);
    mz_choice *made = &mz__w.choices->made[mz__w.choices->count - 1];
    made->name = name;
    made->place = mz__caller.pc;
    mz_flight *flight = mz__w.flight;
    if (flight && flight->choice_count < MZ_FLIGHT_CHOICES) {
        flight->choices[flight->choice_count++] = value;
        flight->initial_choices += mz__w.steps == 0;
    }
    return value;
}

/* ---- for the algorithms -----------------------------------------------------------------------------------
 */

static const mz_access *without_writes(mz__thread *t)
{
    for (uint32_t i = 0; i < t->pending.access_count; i++)
        t->reads_only[i] = (mz_access){t->pending.accesses[i].location, MZ_READ};
    return t->reads_only;
}

void mz__add_details(mz__thread *t, mz_operation *operation)
{
    const mz__pending *p = &t->pending;
    if (p->kind == MZ_OP_ATOMIC) {
        operation->dynamic = true;
        operation->blocking = mz__w.base.complex_blocking;
        operation->access_count = t->section_access_count;
        operation->accesses = t->section_accesses;
    }
    if (mz_threads_any(t->caused_by | t->joined))
        operation->cause_count = mz__list_causes(t, t->causes);
    if (p->condition != MZ__FREE) {
        operation->conditional = true;
        if (p->condition == MZ__EQUAL ? !mz__is_as_expected(p) : !mz__condition_holds(p, t)) {
            operation->kind = MZ_OP_READ;
            operation->accesses = without_writes(t);
        }
    }
}

/* Without describing the operation in full, which sleep sets would ask for at every step. */
static __attribute__((noinline)) bool conflicts(mz__thread *t, const mz_operation *operation)
{
    const mz__pending *p = &t->pending;
    mz_operation own;
    if (p->condition == MZ__FREE && p->kind != MZ_OP_ATOMIC)
        return mz_accesses_conflict(p->accesses, p->access_count, operation->accesses,
                                    operation->access_count);
    mz__operation_of(t, &own); /* what it touches depends on what is there now */
    return mz_operations_conflict(&own, operation);
}

/* The same for what most operations are: one access of a kind that is known. */
static inline bool conflicts_with_one(mz__thread *t, const mz_operation *operation, mz_access access)
{
    const mz__pending *p = &t->pending;
    if (p->access_count == 1 && p->kind != MZ_OP_ATOMIC) {
        if (p->accesses[0].location != access.location)
            return false; /* most often */
        if (p->condition == MZ__FREE)
            return (p->accesses[0].kind | access.kind) & MZ_WRITE;
    }
    return conflicts(t, operation);
}

mz_threads mz__independent(mz_machine *machine, mz_threads threads, const mz_operation *operation)
{
    (void)machine;
    mz__thread *all = mz__w.threads;
    mz_threads independent = threads;
    bool one = operation->access_count == 1;
    mz_access access = one ? operation->accesses[0] : (mz_access){0, 0};
    MZ_FOR_EACH_THREAD(u, threads)
    {
        bool conflict = one ? conflicts_with_one(&all[u], operation, access) : conflicts(&all[u], operation);
        if (conflict)
            independent &= ~mz_threads_of(u);
    }
    return independent;
}
