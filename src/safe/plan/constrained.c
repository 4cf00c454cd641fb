/* P_C as a machine.
 *
 * What an edge from f to e is. In every execution of P_C in which e happens, f has happened before: f is a
 * *cause* of e (doc/events.md), as the creation of a thread is of what the thread does first. While f has not
 * happened, the thread that has come to e has no operation, like one that joins another: it is blocked, and
 * touches nothing. When f happens, e is there, with the footprint it has in P, and f among its causes. So
 * edges are program order across threads: no location of their own, no race, nothing to reverse. The promises
 * of machine.h hold, because those of P do: a step of P is a step of P_C unless it is held back; what holds
 * it back goes away by the event f alone, and never comes again. Two operations that are both there and do
 * not conflict commute in P, and neither is what the other waits for, or the other would not be there. An
 * operation in which its thread fails or is pruned is never over, and lets nobody go on (promise 3).
 *
 * Why verifying P_C is enough. Let an exact algorithm have explored P_C, without a limit, and let no
 * execution fail, be pruned, or end before its end. Let u be an execution of the running program in which the
 * waits of C are kept. Then u is an execution of P (program/order/happens_before.c says why it is one of
 * events: what is not an event is not noticed by others, or races, and races are found in P_C without regard
 * to C), in which every e comes after the f of its edges: an execution of P_C; so it does not fail. It is not
 * stuck either: the running program waits exactly where P_C does.
 *
 * Exactly there: the runtime knows an operation by its count, and P_C knows only events. So C is given up
 * (MZ_STEP_GIVEN_UP: the search is incomplete, and C not verified) where the two could disagree:
 *
 *  - A thread has gone past a named operation that was no event, but local work: what it touches is private,
 *    or no other thread is left. The running program would publish f, or hold back e, where P_C does not.
 *  - A thread waits in a loop of its own, and a name follows: how often it looks is up to the time that it
 *    takes, and with it the counts of what comes after. Every execution in which it finds nothing at all has,
 *    after that look, the loop's read as the thread's pending operation, which says that it waits so
 *    (mz_name.spins): that is seen after every step, whether or not it has to wait at that moment. If an edge
 *    leads to that read itself, and nothing of the thread is named after it, all is well: the first look that
 *    has this count waits for f, and so do all later ones, the one among them that finds it, too.
 *  - An operation that touches something shared has no name at all: such a program has no plan.
 *
 * Iterations. Where threads have loop boundaries (search/loop_closing.c), names are those of the iteration: a
 * thread counts from its last boundary, and C holds in every iteration anew. An iteration may be shorter than
 * another, and f may not come in it: so e waits for f, or for the end of that iteration of f's thread, which
 * is where the thread has come to its boundary, or has ended. (A thread whose edge is to come from its end
 * alone has MZ_PLAN_ITERATION_END as the count of f.) Until e has happened the boundary is not opened, since
 * e could happen in P; so that end does not go away again, and what e comes after, the last event of f's
 * thread, is a cause of e as f would be. (f's thread may sleep, at a condition variable: quiescence.c.) The
 * fingerprint of P at a boundary is that of P_C: nobody is held there, and what has happened so far is
 * forgotten when it is opened.
 *
 * A name may stand for different operations in different executions. That does not matter: P_C is defined by
 * names. */
#include "safe/plan/constrained_internal.h"

#include <string.h>

#include "base/memory.h"

static constrained *of(mz_machine *machine)
{
    return (constrained *)machine;
}

static const constrained *of_const(const mz_machine *machine)
{
    return (const constrained *)machine;
}

/* ---- where threads are ------------------------------------------------------------------------------------
 */

/* What an unfinished thread is about to do, and how many operations a thread has begun. */
typedef struct whereabouts {
    uint32_t begun;
    bool named; /* its pending operation has the last of these counts as its name */
    bool spins;
} whereabouts;

static whereabouts look_at(const constrained *c, uint32_t thread)
{
    const mz_machine *inner = c->inner;
    bool alive = mz_threads_has(inner->status->ready | inner->status->blocked, thread);
    mz_name name;
    if (!inner->class->name_pending) /* every operation is an event */
        return (whereabouts){.begun = c->now->events[thread] + alive, .named = alive};
    inner->class->name_pending(inner, thread, &name);
    return (whereabouts){
        .begun = name.operations + (c->counts_accesses ? name.accesses : 0),
        .named = alive && name.counted && (c->counts_accesses || !name.plain),
        .spins = alive && name.spins,
    };
}

/* It will do nothing more in this iteration. */
static bool is_over(const constrained *c, uint32_t thread)
{
    const mz_status *status = c->inner->status;
    return c->inner->has_boundaries &&
           mz_threads_has(status->at_boundary | status->finished | c->now->over, thread);
}

static bool is_held(const constrained *c, const point *p)
{
    for (uint32_t i = 0; i < p->source_count; i++) {
        uint32_t source = c->sources[p->first_source + i];
        if (!c->now->happened[source] && !is_over(c, c->points[source].thread))
            return true;
    }
    return false;
}

/* Who has come to a point, who waits there? Returns why names cannot be relied upon; NULL: they can. */
static const char *look_at_points(constrained *c, uint32_t *culprit)
{
    progress *now = c->now;
    const mz_status *status = c->inner->status;
    mz_threads born = status->ready | status->blocked | status->finished | status->pruned | status->failed;
    now->held = now->arrived = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(u, born & c->named)
    {
        if (now->next[u] == c->end[u])
            continue;
        const point *p = &c->points[now->next[u]];
        whereabouts at = look_at(c, u);
        *culprit = u;
        if (p->count < at.begun || (p->count == at.begun && !at.named))
            return "is no event in every execution";
        bool is_last_wait = now->next[u] + 1 == c->end[u] && !p->awaited && p->count == at.begun;
        if (at.spins && !is_last_wait)
            return "comes after a loop that waits, or in it: its count is not the same in every execution";
        if (p->count > at.begun)
            continue;
        now->arrived |= mz_threads_of(u);
        if (c->watch)
            c->watch(c->watch_context, u, p->count);
        if (is_held(c, p))
            now->held |= mz_threads_of(u);
    }
    return NULL;
}

/* The inner machine has gone on. */
static const char *look_around(constrained *c, uint32_t *culprit)
{
    progress *now = c->now;
    const char *why = look_at_points(c, culprit);
    if (!why && mz_threads_any(now->held) && mz_constrained_is_quiet(c))
        why = look_at_points(c, culprit);
    now->status = *c->inner->status;
    if (why)
        return why;
    now->status.ready &= ~now->held;
    now->status.spinning &= ~now->held;
    now->status.blocked |= now->held;
    return NULL;
}

static mz_outcome give_up(constrained *c, uint32_t thread, const char *format, ...)
{
    mz_machine *m = &c->base;
    va_list arguments;
    mz_failure *failure = &m->failures[m->failure_count++];
    failure->kind = MZ_FAIL_ASSERTION;
    failure->thread = thread;
    failure->position = (mz_position){0};
    mz_text_clear(&failure->message);
    va_start(arguments, format);
    mz_text_add_list(&failure->message, format, arguments);
    va_end(arguments);
    return MZ_STEP_GIVEN_UP;
}

/* What the inner machine has to say is said by this one, too. */
static mz_outcome take_over(constrained *c, mz_outcome outcome)
{
    const mz_machine *inner = c->inner;
    uint32_t culprit = 0;
    c->base.thread_capacity = inner->thread_capacity;
    c->base.location_count = inner->location_count;
    c->base.complex_blocking = inner->complex_blocking;
    c->base.wakes_by_reads = inner->wakes_by_reads;
    c->base.knows_steering = inner->knows_steering;
    c->base.has_boundaries = inner->has_boundaries;
    c->base.failure_count = inner->failure_count;
    c->base.begin_again = inner->begin_again;
    const char *why = look_around(c, &culprit);
    if (!why || outcome == MZ_STEP_GIVEN_UP || inner->begin_again)
        return outcome;
    return give_up(c, culprit, "operation %u of %s %u cannot be constrained: it %s",
                   c->points[c->now->next[culprit]].count, c->class.thread_word, culprit, why);
}

/* ---- operations -------------------------------------------------------------------------------------------
 */

static uint32_t add_cause(mz_cause *causes, uint32_t count, mz_cause cause)
{
    uint32_t i = 0;
    while (i < count && causes[i].thread != cause.thread)
        i++;
    if (i == count)
        causes[count++] = cause;
    else if (causes[i].index < cause.index)
        causes[i] = cause;
    return count;
}

/* All that had happened when nobody could go on: only after that the source is none any more. */
static uint32_t add_quiescence(const constrained *c, uint32_t thread, mz_cause *causes, uint32_t count)
{
    for (uint32_t u = 0; u < MZ_MAX_THREADS; u++)
        if (u != thread && c->now->before[u] > 0)
            count = add_cause(causes, count, (mz_cause){u, c->now->before[u]});
    return count;
}

/* The sources of the point are causes of the operation, too. */
static void add_sources(const constrained *c, const point *p, mz_operation *operation, mz_cause *causes)
{
    uint32_t count = operation->cause_count;
    if (count > 0)
        memcpy(causes, operation->causes, count * sizeof *causes);
    for (uint32_t i = 0; i < p->source_count; i++) {
        uint32_t source = c->sources[p->first_source + i], thread = c->points[source].thread;
        if (mz_threads_has(c->now->over, thread)) {
            count = add_quiescence(c, p->thread, causes, count);
            continue;
        }
        uint32_t index = c->now->happened[source] ? c->now->happened[source] : c->now->events[thread];
        if (index > 0)
            count = add_cause(causes, count, (mz_cause){thread, index});
    }
    operation->cause_count = count;
    operation->causes = causes;
}

static void pending(mz_machine *machine, uint32_t thread, mz_operation *operation)
{
    constrained *c = of(machine);
    if (mz_threads_has(c->now->held, thread)) {
        *operation = (mz_operation){.kind = MZ_OP_JOIN, .blocking = true};
        return;
    }
    c->inner->class->pending(c->inner, thread, operation);
    if (mz_threads_has(c->now->arrived, thread))
        add_sources(c, &c->points[c->now->next[thread]], operation, c->pending_causes);
}

static mz_threads independent(mz_machine *machine, mz_threads threads, const mz_operation *operation)
{
    constrained *c = of(machine);
    mz_threads held = threads & c->now->held; /* touch nothing */
    return held | c->inner->class->independent(c->inner, threads & ~held, operation);
}

static bool has_name(const mz_machine *inner, uint32_t thread)
{
    mz_name name = {.counted = true};
    if (inner->class->name_pending)
        inner->class->name_pending(inner, thread, &name);
    return name.counted;
}

static void keep(constrained *c)
{
    c->earlier = mz_grow(c->earlier, &c->earlier_capacity, (c->steps + 1) * c->bytes, 1);
    memcpy(c->earlier + c->steps++ * c->bytes, c->now, c->bytes);
}

/* Nothing of the new iteration has happened; who has ended has no part in it. */
static void begin_iteration(constrained *c, mz_threads ended)
{
    progress *now = c->now;
    memset(now->happened, 0, c->point_count * sizeof *now->happened);
    memset(now->before, 0, sizeof now->before);
    now->over = MZ_NO_THREADS;
    for (size_t i = c->point_count; i-- > 0;) {
        uint32_t thread = c->points[i].thread;
        now->next[thread] = mz_threads_has(ended, thread) ? c->end[thread] : (uint32_t)i;
    }
}

static mz_outcome step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    constrained *c = of(machine);
    progress *now = c->now;
    bool named = has_name(c->inner, thread);
    mz_threads ended = c->inner->status->finished;
    if (c->inner->class->rewind)
        keep(c);
    mz_outcome outcome = c->inner->class->step(c->inner, thread, choices, executed);
    now->events[thread]++;
    if (mz_threads_has(now->arrived, thread)) {
        uint32_t at = now->next[thread]++;
        add_sources(c, &c->points[at], executed, c->executed_causes);
        if (!mz_threads_has(c->inner->status->failed | c->inner->status->pruned, thread))
            now->happened[at] = now->events[thread];
    }
    if (executed->kind == MZ_OP_BOUNDARY) {
        begin_iteration(c, ended);
        named = true;
    }
    outcome = take_over(c, outcome);
    if (named || outcome == MZ_STEP_GIVEN_UP || c->base.begin_again)
        return outcome;
    return give_up(c, thread, "%s %u does something that has no name in a plan", c->class.thread_word,
                   thread);
}

/* ---- states -----------------------------------------------------------------------------------------------
 */

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    constrained *c = of(machine);
    c->inner->ignore_assertions = machine->ignore_assertions;
    c->inner->by_observation = machine->by_observation;
    c->inner->makes_rounds = true; /* so that what waits in a loop is seen to do so */
    mz_outcome outcome = c->inner->class->reset(c->inner, choices);
    memset(c->now, 0, c->bytes);
    begin_iteration(c, MZ_NO_THREADS);
    c->steps = 0;
    return take_over(c, outcome);
}

static void save(const mz_machine *machine, void *snapshot)
{
    const constrained *c = of_const(machine);
    c->inner->class->save(c->inner, snapshot);
    memcpy((char *)snapshot + c->inner->snapshot_bytes, c->now, c->bytes);
}

static void restore(mz_machine *machine, const void *snapshot)
{
    constrained *c = of(machine);
    c->inner->class->restore(c->inner, snapshot);
    memcpy(c->now, (const char *)snapshot + c->inner->snapshot_bytes, c->bytes);
}

static void rewind_steps(mz_machine *machine, size_t steps)
{
    constrained *c = of(machine);
    c->inner->class->rewind(c->inner, steps);
    if (steps < c->steps) {
        memcpy(c->now, c->earlier + steps * c->bytes, c->bytes);
        c->steps = steps;
    }
}

/* How the program goes on depends also on which of the points have happened, and on how far the others are:
 * the same local state may be reached with different counts. */
static mz_hash fingerprint(const mz_machine *machine)
{
    const constrained *c = of_const(machine);
    mz_hash hash = c->inner->class->fingerprint(c->inner);
    for (size_t i = 0; i < c->point_count; i++)
        hash.low = mz_mix64(hash.low + (c->now->happened[i] > 0));
    MZ_FOR_EACH_THREAD(u, c->named)
    {
        hash.low = mz_mix64(hash.low + mz_threads_has(c->now->over, u));
        if (c->now->next[u] < c->end[u])
            hash.low = mz_mix64(hash.low + look_at(c, u).begun);
    }
    return hash;
}

/* Nobody is held at a boundary, and what has happened is forgotten there. */
static bool boundary_state(mz_machine *machine, bool keep, mz_hash *state, mz_text *problem)
{
    mz_machine *inner = of(machine)->inner;
    return inner->class->boundary_state(inner, keep, state, problem);
}

static void describe_growth(mz_machine *machine, mz_text *out)
{
    mz_machine *inner = of(machine)->inner;
    inner->class->describe_growth(inner, out);
}

/* ---- what others ask --------------------------------------------------------------------------------------
 */

/* Who is held back waits for an event that does not come. */
static mz_threads deadlocked(const mz_machine *machine, bool *circle)
{
    const mz_machine *inner = of_const(machine)->inner;
    mz_threads held = machine->status->blocked & ~inner->status->blocked;
    return inner->class->deadlocked(inner, circle) | held;
}

static bool matters_at_end(const mz_machine *machine, uint32_t location)
{
    const mz_machine *inner = of_const(machine)->inner;
    return inner->class->matters_at_end(inner, location);
}

static uint32_t causes_of_failure(const mz_machine *machine, uint32_t thread, mz_cause *causes)
{
    const mz_machine *inner = of_const(machine)->inner;
    return inner->class->causes_of_failure(inner, thread, causes);
}

static void name_pending(const mz_machine *machine, uint32_t thread, mz_name *name)
{
    const mz_machine *inner = of_const(machine)->inner;
    inner->class->name_pending(inner, thread, name);
}

static void name_place(const mz_machine *machine, uint32_t thread, mz_text *out)
{
    const mz_machine *inner = of_const(machine)->inner;
    inner->class->name_place(inner, thread, out);
}

static uint32_t picked(const mz_machine *machine, bool *was_choice)
{
    const mz_machine *inner = of_const(machine)->inner;
    return inner->class->picked(inner, was_choice);
}

static void describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    mz_machine *inner = of(machine)->inner;
    inner->class->describe_pending(inner, thread, out, position);
}

static void describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    constrained *c = of(machine);
    if (!mz_threads_has(c->now->held, thread)) {
        c->inner->class->describe_wait(c->inner, thread, out);
        return;
    }
    const point *p = &c->points[c->now->next[thread]];
    const char *between = "";
    for (uint32_t i = 0; i < p->source_count; i++) {
        const point *source = &c->points[c->sources[p->first_source + i]];
        if (c->now->happened[c->sources[p->first_source + i]])
            continue;
        if (source->count == MZ_PLAN_ITERATION_END)
            mz_text_add(out, "%sthe end of the iteration of %s %u, by a constraint", between,
                        machine->class->thread_word, source->thread);
        else
            mz_text_add(out, "%soperation %u of %s %u, by a constraint", between, source->count,
                        machine->class->thread_word, source->thread);
        between = ", ";
    }
}

static void describe_location(const mz_machine *machine, uint32_t location, mz_text *out)
{
    const mz_machine *inner = of_const(machine)->inner;
    inner->class->describe_location(inner, location, out);
}

static void describe_value(const mz_machine *machine, uint32_t location, mz_text *out)
{
    const mz_machine *inner = of_const(machine)->inner;
    inner->class->describe_value(inner, location, out);
}

/* ---- making one -------------------------------------------------------------------------------------------
 */

static void destroy(mz_machine *machine)
{
    constrained *c = of(machine);
    c->inner->makes_rounds = c->made_rounds;
    mz_release(c->points);
    mz_release(c->sources);
    mz_release(c->now);
    mz_release(c->earlier);
    mz_release(c);
}

static mz_machine_class class_for(const mz_machine_class *inner)
{
    return (mz_machine_class){
        .name = inner->name,
        .thread_word = inner->thread_word,
        .loop_hint = inner->loop_hint,
        .failure_kinds = inner->failure_kinds,
        .destroy = destroy,
        .reset = reset,
        .pending = pending,
        .independent = inner->independent ? independent : NULL,
        .step = step,
        .save = inner->save ? save : NULL,
        .restore = inner->restore ? restore : NULL,
        .rewind = inner->rewind ? rewind_steps : NULL,
        .fingerprint = inner->fingerprint ? fingerprint : NULL,
        .boundary_state = inner->boundary_state ? boundary_state : NULL,
        .describe_growth = inner->describe_growth ? describe_growth : NULL,
        .causes_of_failure = inner->causes_of_failure ? causes_of_failure : NULL,
        .deadlocked = inner->deadlocked ? deadlocked : NULL,
        .matters_at_end = inner->matters_at_end ? matters_at_end : NULL,
        .name_pending = inner->name_pending ? name_pending : NULL,
        .name_place = inner->name_place ? name_place : NULL,
        .picked = inner->picked ? picked : NULL,
        .describe_pending = describe_pending,
        .describe_wait = describe_wait,
        .describe_location = describe_location,
        .describe_value = describe_value,
    };
}

static bool stands_before(mz_plan_wait a, const point *b)
{
    return a.thread < b->thread || (a.thread == b->thread && a.count < b->count);
}

/* Its number among the points, which stay in order; it may be there already. */
static void add_point(constrained *c, mz_plan_wait name)
{
    size_t at = c->point_count;
    while (at > 0 && stands_before(name, &c->points[at - 1]))
        at--;
    if (at > 0 && c->points[at - 1].thread == name.thread && c->points[at - 1].count == name.count)
        return;
    memmove(&c->points[at + 1], &c->points[at], (c->point_count - at) * sizeof *c->points);
    c->points[at] = (point){.thread = name.thread, .count = name.count};
    c->point_count++;
    c->named |= mz_threads_of(name.thread);
}

static uint32_t find_point(const constrained *c, mz_plan_wait name)
{
    uint32_t at = 0;
    while (c->points[at].thread != name.thread || c->points[at].count != name.count)
        at++;
    return at;
}

static void add_edges(constrained *c, const mz_edge *edges, size_t count)
{
    c->points = mz_allocate_zeroed(2 * count + 1, sizeof *c->points);
    c->sources = mz_allocate_zeroed(count + 1, sizeof *c->sources);
    for (size_t i = 0; i < count; i++) {
        add_point(c, edges[i].from);
        add_point(c, edges[i].to);
    }
    for (uint32_t at = 0, used = 0; at < c->point_count; at++) {
        point *p = &c->points[at];
        c->end[p->thread] = at + 1;
        p->first_source = used;
        for (size_t i = 0; i < count; i++)
            if (edges[i].to.thread == p->thread && edges[i].to.count == p->count) {
                c->sources[used] = find_point(c, edges[i].from);
                c->points[c->sources[used++]].awaited = true;
            }
        p->source_count = used - p->first_source;
    }
}

void mz_constrained_watch(mz_machine *machine, void (*watch)(void *context, uint32_t thread, uint32_t count),
                          void *context)
{
    of(machine)->watch = watch;
    of(machine)->watch_context = context;
}

mz_machine *mz_constrain(mz_machine *inner, const mz_edge *edges, size_t count, bool counts_accesses)
{
    constrained *c = mz_allocate_zeroed(1, sizeof *c);
    c->inner = inner;
    c->made_rounds = inner->makes_rounds;
    c->counts_accesses = counts_accesses;
    add_edges(c, edges, count);
    c->bytes = sizeof *c->now + c->point_count * sizeof *c->now->happened;
    c->now = mz_allocate_zeroed(1, c->bytes);
    c->class = class_for(inner->class);
    c->base = *inner;
    c->base.class = &c->class;
    c->base.status = &c->now->status;
    c->base.snapshot_bytes = inner->snapshot_bytes + c->bytes;
    return &c->base;
}
