/* Source sets by race reversal, at the end of each execution.
 *
 * Notation: E the execution at a leaf, e an event in it, pre = the prefix before e, notdep(e) = the
 * events after e that do not happen after e, x a later operation of another thread that conflicts with e
 * directly. The *reversal* is v = notdep(e)·x, run from pre. Its initials I(v) are the threads whose first
 * event in v has nothing in v before it. Reversing the race means: some thread of I(v) is explored from
 * pre, or sleeps there.
 *
 * Why this suffices (source.c uses it; 'node' = state + sleep set Z, B = threads explored from it):
 *
 * Claim. For every node and every sequence s possible from it with I(s) ∩ Z = ∅, the search below the
 * node explores a sequence that has s as a trace prefix.
 *
 * It is enough that B contains a thread that is in I(s) or independent of all of s: go there first (to the
 * first explored one of I(s) if there is one) and repeat with the rest. Suppose B has none, the subtrees of
 * B being complete by induction. For q ∈ B write s = a·x·… with x the first event in conflict with q's
 * operation. Take the q whose a is longest, and among those the one whose conflict with x comes latest in
 * the order of x's own accesses. Let Q be the other threads of B that are independent of a; by the choice
 * of a they conflict with x.
 *
 * (1) x does not wait, or q does not make it wait. After q·a, x is possible; up to its access in conflict
 *     with q it does what it does in s (promise 1 of machine.h), so it still conflicts with q, and with
 *     all of Q. By induction the search below q explores some E with a·x·(first operations of Q) as a trace
 *     prefix (asleep threads are no obstacle: none of them is in I of it, else it were in I(s)). In E the
 *     race (q, x) is direct, notdep(q) = a·r in trace order, and no thread of Q has its first event in r,
 *     as each comes after x or after another of Q, hence after q. So I(a·r·x) meets B ∪ Z in some u. If u
 *     is in a or is x's thread, u ∈ I(s), a contradiction. If u is in r, it is independent of a; u ∈ B is
 *     then in Q, a contradiction; u ∈ Z slept in E until something woke it, which is either before it in
 *     a·r (so u is no initial) or happens after q (so u is not in r): a contradiction.
 *
 *     This needs v to be looked at in *this* E. But the footprint of x differs with and without q only if
 *     x is dynamic and q writes what x reads. Otherwise u ∈ Q ∩ r conflicts with the executed x, and being
 *     no predecessor of it in E comes after it and so after q: any E with the same prefix up to x will do,
 *     and a race is looked at once. Dynamic ones are looked at again at every leaf, and x's footprint is
 *     taken from running v.
 *
 * (2) q makes x wait (x: lock, await; its guard is one fixed location c, which q writes). In every E below
 *     q·a, x is executed later, perhaps after other writes of c, or is still waiting at the end. q does not
 *     happen before the previous event of x's thread, so it is among the earlier writes of c that are tried
 *     for x, direct race or not. No event of notdep(q) touches c, thus x is possible after a·r just as it
 *     is after a, independent of r, and the argument of (1) applies with v ≃ a·x·r.
 *
 *     With classes (machine.h) events of notdep(q) may touch c, if they are of q's class. If what makes x
 * wait is ordered on c (a semaphore's waits, a writer), q has no class, and all is as before. If x is crowded
 * (a writer, q a reader), notdep(q) = a·r may hold readers: those that have left do not matter to x; those
 *     that have not are left out of v, with what follows them, as they are not in a. So x is possible after
 *     the rest of a·r. Suppose that an initial u of v in B ∪ Z is a reader that is not in a. u ∈ Z sleeps
 * until a writer wakes it, which comes after q. If u ∈ B, choose q in the beginning as the one of its kind
 * that was explored last: then u sleeps below q, and again comes after q if at all.
 *
 *     If what waits is no object (an await, a loop), additions make it wait, of which some may be in a and
 * others not: x waits for the second of three, say. Which ones is not to be seen in E. So for every event of
 * a class that may have made x wait, all threads are explored from the node before it: then B has the first
 * thread of s, and there is nothing to prove.
 *
 * Guards over several or moving locations would break (2): machine->complex_blocking, see source.c. */
#include "search/races.h"

#include "base/vector.h"
#include "search/frontier.h"

typedef struct reversing {
    mz_search *s;
    mz_reverse reverse;
} reversing;

/* What is left out of notdep(e): of each thread the first event that is, or MZ_NONE, and what follows it. */
typedef struct omission {
    uint32_t first[MZ_MAX_THREADS];
    mz_threads threads;
} omission;

static bool is_left_out(const mz_execution *x, const omission *omitted, uint32_t k)
{
    MZ_FOR_EACH_THREAD(t, omitted ? omitted->threads : MZ_NO_THREADS)
    {
        if (k >= omitted->first[t] && mz_happens_before(x, omitted->first[t], k))
            return true;
    }
    return false;
}

/* Run notdep(e) from the state before e; the machine is then where x would happen. */
static void run_notdep(mz_search *s, uint32_t e, uint32_t x_thread, uint32_t x_index, const omission *omitted)
{
    const mz_execution *x = s->execution;
    mz_search_return_to(s, e);
    s->machine_depth = SIZE_MAX;
    for (uint32_t k = e + 1; k < x->length; k++) {
        const mz_event *event = &x->events[k];
        if (mz_happens_before(x, e, k) || (event->thread == x_thread && event->index >= x_index) ||
            is_left_out(x, omitted, k))
            continue;
        mz_operation ignored;
        mz_choices_prescribe(&s->choices, x->choices + event->first_choice, event->choice_count);
        s->machine->class->step(s->machine, event->thread, &s->choices, &ignored);
    }
}

/* Does any event of notdep(e) conflict with the operation that is pending there? */
static bool conflicts_with_notdep(mz_search *s, uint32_t e, const mz_operation *operation,
                                  const omission *omitted)
{
    mz_execution *x = s->execution;
    for (uint32_t k = e + 1; k < x->length; k++) {
        if (mz_happens_before(x, e, k) || is_left_out(x, omitted, k))
            continue;
        x->dependency_checks++;
        if (mz_event_conflicts(x, &x->events[k], operation))
            return true;
    }
    return false;
}

/* A direct race of two executed events. If e writes what x reads and x is dynamic, it may touch other
 * locations without e: run v to see. Otherwise it does what it did, and it is an initial if e is the last
 * event it depends on: what else it depends on is not after e. */
static void reverse_direct(const reversing *r, uint32_t e, uint32_t x_position, bool dynamic)
{
    mz_search *s = r->s;
    const mz_event *x = &s->execution->events[x_position];
    mz_reversal v = {.e = e, .thread = x->thread, .index = x->index, .event = x_position};
    s->statistics.race_checks++;
    if (!dynamic) {
        v.initial = x->last_dependency == e;
    } else if (mz_stands_before(x->past, e)) {
        mz_operation operation;
        run_notdep(s, e, x->thread, x->index, NULL);
        s->machine->class->pending(s->machine, x->thread, &operation);
        v.initial = !conflicts_with_notdep(s, e, &operation, NULL);
    }
    r->reverse(s, &v);
}

/* Could x happen before e, which writes the location that x waits for? */
static bool possible_before(mz_search *s, uint32_t e, mz_operation_kind x_kind, uint32_t thread,
                            uint32_t index)
{
    if (x_kind == MZ_OP_LOCK && s->execution->events[e].kind == MZ_OP_LOCK)
        return true; /* it was free before e took it */
    if (x_kind == MZ_OP_LOCK && s->execution->events[e].kind == MZ_OP_UNLOCK)
        return false; /* it was held */
    run_notdep(s, e, thread, index, NULL);
    return mz_threads_has(s->machine->status->ready, thread);
}

/* ---- where what makes x wait has a class ------------------------------------------------------------------
 */

static bool touches(const mz_execution *x, const mz_event *event, uint32_t location)
{
    for (uint32_t i = 0; i < event->access_count; i++)
        if (x->records[event->first_access + i].access.location == location)
            return true;
    return false;
}

/* Those of notdep(e) that have come to the crowded location and have not left it: from where they came. */
static void find_insiders(const mz_execution *x, uint32_t e, uint32_t location, omission *omitted)
{
    uint32_t depth[MZ_MAX_THREADS] = {0};
    omitted->threads = MZ_NO_THREADS;
    for (uint32_t k = e + 1; k < x->length; k++) {
        const mz_event *event = &x->events[k];
        if (mz_happens_before(x, e, k) || !touches(x, event, location))
            continue;
        mz_threads own = mz_threads_of(event->thread);
        if (event->blocking && depth[event->thread]++ == 0) {
            omitted->first[event->thread] = k;
            omitted->threads |= own;
        } else if (!event->blocking && depth[event->thread] > 0 && --depth[event->thread] == 0) {
            omitted->threads &= ~own;
        }
    }
}

/* As possible_before(); e has a class, and notdep(e) may hold others of its class. */
static bool possible_before_one_of_class(mz_search *s, uint32_t previous, const mz_operation *operation,
                                         mz_reversal *v)
{
    const mz_execution *x = s->execution;
    omission omitted = {.threads = MZ_NO_THREADS};
    if (operation->crowded)
        find_insiders(x, v->e, operation->accesses[0].location, &omitted);
    MZ_FOR_EACH_THREAD(t, omitted.threads)
    {
        uint32_t first = omitted.first[t];
        if (mz_is_past(x, first, previous, operation->causes, operation->cause_count))
            return false;
        if (mz_first_after(x, t, v->e) == first)
            v->left_out |= mz_threads_of(t);
    }
    run_notdep(s, v->e, v->thread, v->index, &omitted);
    v->initial &= !conflicts_with_notdep(s, v->e, operation, &omitted);
    return mz_threads_has(s->machine->status->ready, v->thread);
}

/* Semaphores and read-write locks are made to wait by what is ordered, or by insiders. */
static bool waits_for_sums(const mz_operation *operation)
{
    return operation->kind != MZ_OP_ACQUIRE;
}

static void require_all(mz_search *s, uint32_t e)
{
    mz_node *node = &s->nodes[e];
    if (e >= s->own_from) {
        node->backtrack |= node->enabled;
        return;
    }
    MZ_FOR_EACH_THREAD(t, node->enabled)
    {
        mz_frontier_ask(s, e, mz_threads_of(t), t, false);
    }
}

static uint32_t latest_past(const mz_execution *x, uint32_t previous, const mz_operation *operation)
{
    uint32_t past = previous;
    for (uint32_t i = 0; i < operation->cause_count; i++) {
        uint32_t position = mz_position_of(x, operation->causes[i].thread, operation->causes[i].index);
        if (mz_stands_before(past, position))
            past = position;
    }
    return past;
}

/* A waiting operation x (the index-th of its thread): try every earlier write of the location it waits for,
 * from the last one back, up to what happens before the thread got there. (Writes of one class are not
 * ordered: one of them in x's past says nothing of those before it.) */
static void reverse_waiting(const reversing *r, uint32_t thread, uint32_t index, uint32_t x_position,
                            const mz_operation *x_operation, uint32_t last_write)
{
    mz_search *s = r->s;
    const mz_execution *x = s->execution;
    uint32_t previous = index > 1 ? mz_position_of(x, thread, index - 1) : MZ_NONE;
    uint32_t past = latest_past(x, previous, x_operation);
    for (uint32_t record = last_write; record != MZ_NONE; record = x->records[record].previous_write) {
        uint32_t e = x->records[record].event;
        bool has_class = x->records[record].access.kind >= MZ_CLASS;
        if (!mz_kinds_conflict(x->records[record].access.kind, x_operation->accesses[0].kind))
            continue;
        if (x->events[e].thread == thread ||
            mz_is_past(x, e, previous, x_operation->causes, x_operation->cause_count)) {
            if (has_class)
                continue;
            return; /* and so do all earlier writes of the location */
        }
        s->statistics.race_checks++;
        if (has_class && waits_for_sums(x_operation)) {
            require_all(s, e);
            continue;
        }
        mz_reversal v = {.e = e,
                         .thread = thread,
                         .index = index,
                         .initial = mz_stands_before(past, e), /* nothing in notdep(e) touches its location */
                         .event = x_position};
        if (has_class ? possible_before_one_of_class(s, previous, x_operation, &v)
                      : possible_before(s, e, x_operation->kind, thread, index))
            r->reverse(s, &v);
    }
}

static void reverse_event(const reversing *r, uint32_t position, bool is_new)
{
    const mz_execution *execution = r->s->execution;
    const mz_event *x = &execution->events[position];
    for (uint32_t i = 0; i < x->race_count; i++) {
        uint32_t e = execution->races[x->first_race + i];
        bool changes =
            (x->blocking || x->dynamic) && mz_writes_what_it_reads(execution, &execution->events[e], x);
        if (x->blocking && changes)
            continue; /* among those that reverse_waiting tries */
        if (is_new || changes)
            reverse_direct(r, e, position, changes);
    }
    if (is_new && x->blocking && x->access_count > 0) { /* none: its guard is local, or fails at once */
        const mz_access_record *record = &execution->records[x->first_access];
        mz_access access = record->access; /* it touches nothing else */
        mz_operation operation = {.kind = x->kind,
                                  .blocking = true,
                                  .crowded = x->crowded,
                                  .access_count = 1,
                                  .accesses = &access,
                                  .cause_count = x->cause_count,
                                  .causes = execution->causes + x->first_cause};
        reverse_waiting(r, x->thread, x->index, position, &operation, record->previous_write);
    }
}

void mz_collect_waiting(mz_search *s, mz_waiting *waiting)
{
    waiting->threads = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, s->machine->status->blocked)
    {
        mz_operation *operation = &waiting->of[t].operation;
        s->machine->class->pending(s->machine, t, operation);
        if (operation->access_count == 0 || !mz_causes_have_happened(s->execution, operation))
            continue; /* its guard reads nothing shared: it waits for ever; or it is not there yet */
        waiting->threads |= mz_threads_of(t);
        waiting->of[t].access = operation->accesses[0];
        operation->accesses = &waiting->of[t].access;
        for (uint32_t i = 0; i < operation->cause_count; i++)
            waiting->of[t].causes[i] = operation->causes[i];
        operation->causes = waiting->of[t].causes;
    }
}

void mz_reverse_races(mz_search *s, mz_reverse reverse)
{
    const mz_execution *x = s->execution;
    reversing r = {s, reverse};
    static mz_waiting waiting; /* too large for a stack */
    mz_collect_waiting(s, &waiting);
    for (uint32_t position = 0; x->dynamic_count > 0 && position < s->first_new; position++)
        if (x->events[position].dynamic)
            reverse_event(&r, position, false);
    for (uint32_t position = (uint32_t)s->first_new; position < x->length; position++)
        if (x->events[position].race_count > 0 || x->events[position].blocking)
            reverse_event(&r, position, true);
    MZ_FOR_EACH_THREAD(thread, waiting.threads)
    {
        reverse_waiting(&r, thread, x->thread_length[thread] + 1, MZ_NONE, &waiting.of[thread].operation,
                        mz_location_now(x, waiting.of[thread].access.location).last_write);
    }
}

/* Can the thread's first event after e be the first of them all? */
static inline bool is_first_initial(mz_execution *x, uint32_t e, uint32_t thread)
{
    uint32_t position = mz_first_after(x, thread, e);
    x->dependency_checks++;
    return position != MZ_NONE && mz_is_initial(x, e, position);
}

/* Is one of the initials explored from the node already, or does it sleep there? */
static inline bool has_initial(mz_execution *x, const mz_reversal *v, mz_threads have)
{
    uint32_t after = v->e + 1;
    if (v->initial && mz_threads_has(have, v->thread))
        return true;
    if (after < x->length && mz_threads_has(have, x->events[after].thread) && mz_is_initial(x, v->e, after))
        return true; /* most often it is the next one: no need to search */
    MZ_FOR_EACH_THREAD(t, have)
    {
        if (is_first_initial(x, v->e, t))
            return true;
    }
    return false;
}

/* The node is not this search's: its owner is asked for one of all initials. */
static __attribute__((noinline)) void ask_for_initial(mz_search *s, const mz_reversal *v)
{
    mz_execution *x = s->execution;
    mz_threads initials = v->initial ? mz_threads_of(v->thread) : MZ_NO_THREADS, others = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, s->nodes[v->e].enabled & ~v->left_out)
    {
        if (is_first_initial(x, v->e, t))
            others |= mz_threads_of(t);
    }
    uint32_t prefer = v->initial ? v->thread : mz_threads_any(others) ? mz_threads_first(others) : MZ_NONE;
    mz_frontier_ask(s, v->e, initials | others, prefer, false);
}

void mz_require_initial(mz_search *s, const mz_reversal *v)
{
    mz_execution *x = s->execution;
    mz_node *node = &s->nodes[v->e];
    mz_threads have = (node->backtrack | node->sleep) & ~v->left_out;
    if (has_initial(x, v, have)) /* of nodes above: as far as that is known */
        return;
    if (MZ_UNLIKELY(v->e < s->own_from)) {
        ask_for_initial(s, v);
        return;
    }
    mz_threads missing = v->initial ? mz_threads_of(v->thread) : MZ_NO_THREADS;
    for (mz_threads rest = node->enabled & ~have & ~v->left_out;
         mz_threads_any(rest) && !mz_threads_any(missing); rest = mz_threads_rest(rest))
        if (is_first_initial(x, v->e, mz_threads_first(rest)))
            missing = mz_threads_of(mz_threads_first(rest));
    node->backtrack |= missing;
}
