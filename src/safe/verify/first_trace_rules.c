#include "safe/verify/first_trace_rules.h"

#include "base/memory.h"

const char *mz_first_trace_name(mz_first_trace which)
{
    static const char *const names[] = {
#define MZ_X(constant, name, words) [MZ_FIRST_##constant] = name,
        MZ_FIRST_TRACES(MZ_X)
#undef MZ_X
            [MZ_FIRST_AUTO] = "auto",
    };
    return names[which];
}

typedef mz_rule_walk walk;

static uint32_t last_thread(const walk *w)
{
    return w->x->length > 0 ? w->x->events[w->x->length - 1].thread : MZ_NONE;
}

static bool can_go_on(const walk *w, mz_threads ready)
{
    uint32_t last = last_thread(w);
    return last != MZ_NONE && mz_threads_has(ready, last);
}

/* ---- without looking at what is pending ------------------------------------------------------------------
 */

static bool gives_back(const mz_event *event)
{
    return event->kind == MZ_OP_UNLOCK || event->kind == MZ_OP_RELEASE || event->kind == MZ_OP_WAIT ||
           event->kind == MZ_OP_ARRIVE;
}

static uint32_t done_least(const walk *w, mz_threads ready)
{
    uint32_t best = mz_threads_first(ready);
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        if (w->x->thread_length[thread] < w->x->thread_length[best])
            best = thread;
    }
    return best;
}

/* Few handovers; and the work is shared out as among threads that run at the same time, so that nobody has to
 * wait until another is through with all of its. */
static uint32_t fair(walk *w, mz_threads ready)
{
    if (can_go_on(w, ready) && !gives_back(&w->x->events[w->x->length - 1]))
        return last_thread(w);
    return done_least(w, ready);
}

static uint32_t sequential(walk *w, mz_threads ready)
{
    return can_go_on(w, ready) ? last_thread(w) : mz_threads_first(ready);
}

static uint32_t round_robin(walk *w, mz_threads ready)
{
    uint32_t last = last_thread(w);
    mz_threads later = last == MZ_NONE ? MZ_NO_THREADS : mz_threads_after(ready, last);
    return mz_threads_first(mz_threads_any(later) ? later : ready);
}

/* ---- by the constraints that a pending operation would bring ---------------------------------------------
 *
 * They are found as safe/plan/extract.c finds them in the end: of each other thread the last event that would
 * happen before the operation and not before its thread's previous event or a cause, unless it happens before
 * another one of these. */

static void join(uint32_t *clock, const uint32_t *other, uint32_t width)
{
    for (uint32_t u = 0; u < width; u++)
        if (other[u] > clock[u])
            clock[u] = other[u];
}

static void join_event(const mz_execution *x, uint32_t *clock, uint32_t record)
{
    join(clock, mz_clock(x, x->records[record].event), x->thread_capacity);
}

static void join_conflicts(const mz_execution *x, const mz_operation *operation, uint32_t *clock)
{
    for (uint32_t i = 0; i < operation->access_count; i++) {
        mz_location_state now = mz_location_now(x, operation->accesses[i].location);
        if (now.last_write != MZ_NONE)
            join_event(x, clock, now.last_write);
        if (!(operation->accesses[i].kind & MZ_WRITE))
            continue;
        for (uint32_t r = now.last_read; r != MZ_NONE; r = x->records[r].previous_read)
            join_event(x, clock, r);
    }
}

static void join_program_order(const mz_execution *x, uint32_t thread, const mz_operation *operation,
                               uint32_t *clock)
{
    uint32_t length = x->thread_length[thread];
    if (length > 0)
        join(clock, mz_clock(x, mz_position_of(x, thread, length)), x->thread_capacity);
    for (uint32_t i = 0; i < operation->cause_count; i++)
        join(clock, mz_clock(x, mz_position_of(x, operation->causes[i].thread, operation->causes[i].index)),
             x->thread_capacity);
}

static uint32_t new_edges(const walk *w, uint32_t thread)
{
    const mz_execution *x = w->x;
    uint32_t before[MZ_MAX_THREADS] = {0}, after[MZ_MAX_THREADS] = {0}, found[MZ_MAX_THREADS];
    uint32_t count = 0, kept = 0;
    mz_operation operation;
    w->machine->class->pending(w->machine, thread, &operation);
    join_program_order(x, thread, &operation, before);
    join_conflicts(x, &operation, after);
    for (uint32_t u = 0; u < x->thread_capacity; u++)
        if (u != thread && after[u] > before[u])
            found[count++] = mz_position_of(x, u, after[u]);
    for (uint32_t i = 0; i < count; i++) {
        bool covered = false;
        for (uint32_t k = 0; k < count; k++)
            covered |= k != i && mz_happens_before(x, found[i], found[k]);
        kept += !covered;
    }
    return kept;
}

static mz_threads with_fewest_edges(const walk *w, mz_threads ready, uint32_t *edges)
{
    mz_threads best = MZ_NO_THREADS;
    *edges = UINT32_MAX;
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        uint32_t count = new_edges(w, thread);
        if (count < *edges)
            best = MZ_NO_THREADS;
        if (count <= *edges) {
            best |= mz_threads_of(thread);
            *edges = count;
        }
    }
    return best;
}

/* One step ahead only: what it makes others wait for later is not seen. Of several, who has the turn: so few
 * edges come from handing over without need. */
static uint32_t fewest_edges(walk *w, mz_threads ready)
{
    uint32_t edges;
    mz_threads best = with_fewest_edges(w, ready, &edges);
    return can_go_on(w, best) ? last_thread(w) : done_least(w, best);
}

/* "Few threads wait often" was found to be faster than "many threads wait rarely". */
static uint32_t fewest_waits(walk *w, mz_threads ready)
{
    uint32_t edges;
    mz_threads best = with_fewest_edges(w, ready, &edges);
    if (edges > 0 && mz_threads_any(ready & w->waited))
        best = with_fewest_edges(w, ready & w->waited, &edges);
    uint32_t next = can_go_on(w, best) ? last_thread(w) : mz_threads_first(best);
    if (edges > 0)
        w->waited |= mz_threads_of(next);
    return next;
}

/* ---- as it was seen --------------------------------------------------------------------------------------
 *
 * An operation comes when it was seen; one that was not seen comes with the next one of its thread that was.
 * So whatever the threads do, now or because they read something else than then, there is always one that is
 * next. */

static size_t when_seen(walk *w, uint32_t thread)
{
    mz_name name = {.counted = true, .operations = w->x->thread_length[thread] + 1};
    if (w->machine->class->name_pending)
        w->machine->class->name_pending(w->machine, thread, &name);
    uint32_t count = name.operations +
                     (w->seen->counts_accesses ? name.accesses + !name.counted : name.plain || !name.counted);
    size_t *at = &w->next_seen[thread];
    while (*at < w->seen->count &&
           (w->seen->operations[*at].thread != thread || w->seen->operations[*at].count < count))
        ++*at;
    return *at;
}

static uint32_t free_run(walk *w, mz_threads ready)
{
    uint32_t best = mz_threads_first(ready);
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        if (when_seen(w, thread) < when_seen(w, best))
            best = thread;
    }
    return best;
}

/* ---- following a rule ------------------------------------------------------------------------------------
 */

static uint32_t (*const rules[])(walk *, mz_threads) = {
    [MZ_FIRST_FAIR] = fair,
    [MZ_FIRST_SEQUENTIAL] = sequential,
    [MZ_FIRST_ROUND_ROBIN] = round_robin,
    [MZ_FIRST_FEWEST_EDGES] = fewest_edges,
    [MZ_FIRST_FEWEST_WAITS] = fewest_waits,
    [MZ_FIRST_FREE_RUN] = free_run,
};

uint32_t mz_rule_next(mz_rule_walk *w, mz_first_trace which, mz_threads ready)
{
    return rules[which](w, ready);
}

bool mz_has_ended_well(const mz_status *status)
{
    return !mz_threads_any(status->pruned | status->failed) &&
           (!mz_threads_any(status->blocked) || status->ended);
}

bool mz_first_trace_run(mz_machine *machine, mz_execution *x, mz_first_trace which, const mz_seen_order *seen,
                        const mz_choice *valuation, size_t valuation_length, uint64_t most)
{
    walk w = {.machine = machine, .x = x, .seen = seen};
    mz_choices choices = {0};
    mz_choices_prescribe(&choices, valuation, valuation_length);
    mz_outcome outcome = machine->class->reset(machine, &choices);
    mz_execution_restart(x, &choices);
    while (outcome == MZ_STEP_DONE && mz_threads_any(machine->status->ready) && !machine->begin_again &&
           (most == 0 || x->length < most)) {
        mz_operation executed;
        uint32_t thread = rules[which](&w, machine->status->ready);
        mz_choices_prescribe(&choices, NULL, 0);
        outcome = machine->class->step(machine, thread, &choices, &executed);
        mz_execution_push(x, thread, &executed, &choices);
    }
    mz_release(choices.made);
    return outcome == MZ_STEP_DONE && !machine->begin_again && !mz_threads_any(machine->status->ready) &&
           mz_has_ended_well(machine->status);
}
