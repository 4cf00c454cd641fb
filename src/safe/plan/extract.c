/* Which constraints, and why they suffice.
 *
 * Let T be the trace, → its happens-before, and P the first d events of T, a safe prefix: every execution
 * that begins with P is verified (search/safe_prefix.h). P is closed under →, because → agrees with the
 * order of T. An enforced execution u keeps the two rules of wire/plan_format.h. It stays inside what is
 * verified:
 *
 *  (1) As long as only events of P have happened, u is a part of T, in another order. Induction: let u be a
 * set of events of P, closed under →, in an order that extends →. Two conflicting events are ordered by →, so
 * u and T order them alike, and each thread has read in u what it read in T. It has therefore come to the
 * same next operation, with the same name (a count of what the thread itself does). If that is an event e of
 * P, it happens only after all f → e (see 2), so u·e is of the same kind. If it is not in P, rule 2 holds it
 * back until all of P has happened. Operations that are no events in T do not matter: nobody but their thread
 * touches what they touch, in T and in all that was explored below P (or the search would have begun again
 * before it left P's state; see program/runtime/operations.c), or every other thread has ended by then, which
 * a thread knows by having joined them and can know of one that has events beyond P only after these. Neither
 * do those that have no name: a program in whose T such an operation is an event has no plan.
 *
 *  (2) If f → e in different threads, there is a chain from f to e in which each step is program order, an
 * edge that is kept here as a wait, or the creation or the join of a thread. The runtime keeps the waits, the
 *      program itself the others; so f is over when e begins. That is why the transitive reduction suffices.
 * The edge from a signal to the lock that follows the wait is kept: a real pthread_cond_wait may return
 * without a signal. (A barrier cannot.)
 *
 *  (3) Hence, if rule 2 lets no event overtake, u is all of P in an order that extends → when the first event
 * that is not in P happens, equivalent to P: the state is the one that the search has left for good, and
 * whatever happens then was explored. The document's free() lets an event that is not in P overtake one that
 * is; then u·e may be no part of any verified execution. So rule 2 is as strict as theorem 1 of the document
 * needs it.
 *
 *  (3a) An event b that is not in P may happen earlier if it is independent of every event of P that has not
 * happened. Induction: let u consist of a part P1 of P as in (1), and of events b1 … bk that are not in P,
 * each of which was independent, when it happened, of what was then missing of P. So they can be moved behind
 * all of P1 one by one, the last one first, and P1·b1…bk is the same trace. The events P2 of P that are
 * missing are independent of each bi (those that were missing when bi happened include them), hence come to
 * be as in T, by the argument of (1), and P1·b1…bk·P2 is the same trace as P·b1…bk: a beginning of a verified
 * execution. What can be done in it can be done there, so (4) holds, too, and b's own thread may do what it
 * does: nothing that it has read is other than there. P2 is not held up: whether its events can happen
 * depends on objects that the bi have not touched, and a thread that events of P wait for by joining it has
 * none that are not in P. Where plain accesses are no events: let p be an access of a thread v that comes
 * before an event of P2 in it, and q one of b's thread after b, in conflict with p. In the verified execution
 * P·b1…bk… they are no race: p → q, since p is there first. The chain from p to q goes through v's next
 * event, which is in P2, to an event of b's thread, b or one before it; its last step is from an event that
 * is not before one of P1, so it is in P2 or one of the bi, back to the first of which the same goes. But
 * none of P2 is in conflict with any of these. So there are no such p and q. In particular it need not be
 * known where b's thread goes on: each of its next operations is looked at as it comes. Threads that it
 * creates wait: they may not be those of T. What is known of objects when the program runs: an event of P has
 * the place that its object has in T, if that is a variable; b has its address. One whose place is not known,
 * or that operates on a second object (waiting gives the mutex), may be about anything.
 *
 *  (4) Nothing fails before that either: an execution that is a part of T in another order fails if T does.
 *
 * Progress. Let the events of P that have not happened be not empty, and e the first of them in T. All f → e
 * have happened: they are in P and earlier in T. By (1) e's thread comes to e unless something else than the
 * rules holds it up on the way: local work (it is finite in T); a join of a thread w, but then the last event
 * of w happens before e, has happened, and w's local work leads to its end; a barrier or a wait for a signal:
 * what ends that happens before e as well. When e's thread has come to e, e can happen: its guard (a mutex
 * that is free, a semaphore that is positive) is a function of what the events on the same object have done,
 * these are ordered by → and are the same as in T. When P is complete, the rules hold up nothing, and the
 * program is as free of deadlocks as was verified.
 *
 * Why synchronisation is enough where the search has found no data race: plain accesses are no events then. u
 * orders the synchronisation operations as T does; the argument of program/order/happens_before.c says that
 * every plain read then sees the same write as in T. On real hardware, too: it is sequentially consistent for
 * a program without races, and the runtime's waiting only adds order. Where there are races, and they are no
 * errors, the racy accesses are events like any others: they have names and waits.
 *
 * A prefix that becomes shorter while threads run under the longer one: runtime.c. A plan stays valid when
 * the search learns something and begins again: the subtree below its prefix had been explored with what was
 * known then, and had anything in it contradicted that, the search would have begun again before leaving it.
 */
#include "safe/plan/extract.h"

#include <string.h>

#include "base/memory.h"

typedef struct extractor {
    mz_plan *plan;
    mz_extraction *out;
    mz_machine *machine;
    const mz_execution *x;
    uint32_t fixed; /* one valuation of what is read in so many events */
    bool words;
    mz_name *names;   /* [|T|] */
    uint32_t *places; /* [location]: number of its place + 1, 0: not asked yet */
    size_t place_capacity;
    uint32_t last_count[MZ_PLAN_MOST_THREADS]; /* of the thread's last event; 0: none */
    uint32_t accesses[MZ_PLAN_MOST_THREADS];   /* plain accesses of the thread up to that event */
    mz_choices choices;
} extractor;

void mz_extraction_release(mz_extraction *e)
{
    mz_text_release(&e->obstacle);
}

/* No prefix longer than this can be enforced. */
static void limit(extractor *e, uint32_t depth, const char *why, const mz_plan_event *event)
{
    if (depth >= e->out->deepest)
        return;
    e->out->deepest = depth;
    mz_text_clear(&e->out->obstacle);
    mz_text_add(&e->out->obstacle, "%s", why);
    if (event->text[0])
        mz_text_add(&e->out->obstacle, ": %s", event->text);
    if (event->file)
        mz_text_add(&e->out->obstacle, " (%s:%u)", event->file, event->line);
}

static mz_position place_of_choice(const extractor *e, const mz_choice *choice)
{
    mz_position place = {0};
    if (e->machine->class->place_choice)
        e->machine->class->place_choice(e->machine, choice, &place);
    return place;
}

static const char *why_unnamed(const mz_plan_event *event)
{
    bool accesses = event->kind == MZ_OP_READ || event->kind == MZ_OP_WRITE || event->kind == MZ_OP_UPDATE;
    return accesses ? "an access that races is inside of a library function, which has no name in a plan"
                    : "the program does something that a plan has no name for";
}

/* The same for what a choice keeps from being enforced. */
static void limit_choice(extractor *e, uint32_t depth, const char *why, const mz_choice *choice)
{
    mz_position place = place_of_choice(e, choice);
    mz_plan_event told = {.text = choice->name ? choice->name : "", .file = place.file, .line = place.line};
    limit(e, depth, why, &told);
}

/* ---- names ----------------------------------------------------------------------------------------------
 */

static uint32_t place_of(extractor *e, uint32_t position)
{
    const mz_event *event = &e->x->events[position];
    bool several = event->kind == MZ_OP_ATOMIC;
    if (!e->machine->class->name_place || event->access_count == 0 || several)
        return MZ_PLAN_NOWHERE;
    uint32_t location = e->x->records[event->first_access].access.location;
    if (location >= e->place_capacity) {
        size_t known = e->place_capacity;
        e->places = mz_grow(e->places, &e->place_capacity, location + 1, sizeof *e->places);
        for (size_t i = known; i < e->place_capacity; i++)
            e->places[i] = 0;
    }
    if (e->places[location] == 0) {
        mz_text name = {0};
        e->machine->class->name_place(e->machine, event->thread, &name);
        uint32_t place =
            name.length > 0 ? mz_plan_add_place(e->plan, mz_text_string(&name)) : MZ_PLAN_NOWHERE;
        e->places[location] = place + 1; /* nowhere is asked for again */
        mz_text_release(&name);
    }
    return e->places[location] - 1;
}

/* Its words, as long as it is pending. */
static void describe(extractor *e, uint32_t position, mz_plan_event *event)
{
    mz_text text = {0};
    mz_position place = {0};
    e->machine->class->describe_pending(e->machine, e->x->events[position].thread, &text, &place);
    event->text = mz_arena_copy(&e->plan->strings, mz_text_string(&text), text.length);
    event->file = place.file ? mz_arena_copy(&e->plan->strings, place.file, strlen(place.file)) : NULL;
    event->line = place.line;
    mz_text_release(&text);
}

/* An input: if the plan is for one value of it, that is known when the event has happened. Otherwise, and
 * where something is chosen that has no name, it may go on in several ways, and the prefix has to end. */
static void look_at_choice(extractor *e, uint32_t position, const mz_choice *choice)
{
    if (!mz_is_input(e->machine, choice) || position >= e->fixed)
        limit_choice(e, position, "the program chooses, or reads an input, after its first operation",
                     choice);
    if (!choice->name)
        return;
    mz_position place = place_of_choice(e, choice);
    mz_plan_add_read(e->plan, choice->name, position + 1, place.file, place.line);
}

/* The pick of a signal comes first, and is a part of the plan. */
static void look_at_choices(extractor *e, uint32_t position, bool chose_pick)
{
    for (size_t i = chose_pick ? 1 : 0; i < e->choices.count; i++)
        look_at_choice(e, position, &e->choices.made[i]);
}

/* Perform the event again, and ask for all that can be asked for only then. */
static bool repeat(extractor *e, uint32_t position, mz_plan_event *event)
{
    const mz_machine_class *class = e->machine->class;
    const mz_event *was = &e->x->events[position];
    mz_name *name = &e->names[position];
    mz_operation executed;
    bool chose_pick = false;
    if (!mz_threads_has(e->machine->status->ready, was->thread))
        return false;
    *event =
        (mz_plan_event){.thread = was->thread, .kind = was->kind, .picks = MZ_PLAN_PICKS_NOBODY, .text = ""};
    *name = (mz_name){.counted = true, .operations = was->index};
    if (class->name_pending)
        class->name_pending(e->machine, was->thread, name);
    event->place = place_of(e, position);
    if (e->words || !name->counted)
        describe(e, position, event);
    mz_choices_prescribe(&e->choices, e->x->choices + was->first_choice, was->choice_count);
    class->step(e->machine, was->thread, &e->choices, &executed);
    if (class->picked)
        event->picks = class->picked(e->machine, &chose_pick);
    look_at_choices(e, position, chose_pick);
    if (!name->counted)
        limit(e, 0, why_unnamed(event), event);
    return executed.kind == was->kind && e->choices.count == was->choice_count;
}

/* ---- waits ----------------------------------------------------------------------------------------------
 */

static bool is_covered(const mz_execution *x, uint32_t f, const uint32_t *by, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (by[i] != f && mz_happens_before(x, f, by[i]))
            return true;
    return false;
}

static size_t causes_of(const extractor *e, uint32_t position, uint32_t *positions)
{
    const mz_event *event = &e->x->events[position];
    const mz_cause *causes = e->x->causes + event->first_cause;
    size_t count = e->names[position].after_signal ? 0 : event->cause_count;
    for (size_t i = 0; i < count; i++)
        positions[i] = mz_position_of(e->x, causes[i].thread, causes[i].index);
    return count;
}

static bool is_cause(const mz_execution *x, uint32_t f, const uint32_t *causes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mz_happens_before(x, f, causes[i]))
            return true;
    return false;
}

/* The events of other threads that it has to wait for itself: of each thread the last one that happens before
 * it, unless that happens before the thread's own previous event, a cause, or another one of these. */
static size_t find_waits(const extractor *e, uint32_t position, uint32_t *waits)
{
    const mz_execution *x = e->x;
    const mz_event *event = &x->events[position];
    const uint32_t *clock = mz_clock(x, position);
    const uint32_t *before = mz_clock(x, event->previous);
    uint32_t found[MZ_MAX_THREADS], causes[MZ_MAX_THREADS];
    size_t count = 0, kept = 0, cause_count = causes_of(e, position, causes);
    for (uint32_t u = 0; u < x->thread_capacity; u++)
        if (u != event->thread && clock[u] > before[u])
            found[count++] = mz_position_of(x, u, clock[u]);
    for (size_t i = 0; i < count; i++)
        if (!is_covered(x, found[i], found, count) && !is_cause(x, found[i], causes, cause_count))
            waits[kept++] = found[i];
    return kept;
}

static uint32_t count_of(const extractor *e, uint32_t position)
{
    const mz_name *name = &e->names[position];
    return name->operations + (e->plan->counts_accesses ? name->accesses : 0);
}

static void add_waits(extractor *e, mz_plan_event *event, const uint32_t *waits, size_t count)
{
    mz_plan *plan = e->plan;
    plan->waits = mz_grow(plan->waits, &plan->wait_capacity, plan->wait_count + count, sizeof *plan->waits);
    event->first_wait = (uint32_t)plan->wait_count;
    event->wait_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        plan->waits[plan->wait_count++] =
            (mz_plan_wait){e->x->events[waits[i]].thread, count_of(e, waits[i])};
}

/* ---- entries --------------------------------------------------------------------------------------------
 */

static void add_entry(extractor *e, uint32_t position, mz_plan_event event)
{
    uint32_t waits[MZ_MAX_THREADS];
    event.count = count_of(e, position);
    if (event.count <= e->last_count[event.thread])
        limit(e, 0, "an access that races is too large for a name in a plan, which are for 8 bytes at most",
              &event);
    e->last_count[event.thread] = event.count;
    event.work = e->names[position].accesses - e->accesses[event.thread];
    e->accesses[event.thread] = e->names[position].accesses;
    add_waits(e, &event, waits, find_waits(e, position, waits));
    e->plan->events[e->plan->event_count++] = event;
}

/* A thread that waits when the program ends, which is no deadlock then, has an operation that does not happen
 * in T. It must not happen before the prefix either: an entry beyond T. (A join, or waiting at a barrier, is
 * no operation: what follows it comes after something that does not happen in T.) */
static void add_pending(extractor *e)
{
    const mz_machine_class *class = e->machine->class;
    MZ_FOR_EACH_THREAD(thread, class->name_pending ? e->machine->status->blocked : MZ_NO_THREADS)
    {
        mz_name name;
        mz_operation operation;
        mz_plan_event event = {
            .thread = thread, .picks = MZ_PLAN_PICKS_NOBODY, .place = MZ_PLAN_NOWHERE, .text = ""};
        class->name_pending(e->machine, thread, &name);
        class->pending(e->machine, thread, &operation);
        event.kind = operation.kind;
        event.count = name.operations + (e->plan->counts_accesses ? name.accesses : 0);
        if (!name.counted && operation.access_count > 0)
            limit(e, 0, why_unnamed(&event), &event);
        if (name.counted)
            e->plan->events[e->plan->event_count++] = event;
    }
}

/* When all of the thread is in the prefix, it does no more than in T: an operation that follows is another
 * program's. */
static void note_ends(extractor *e)
{
    const mz_machine_class *class = e->machine->class;
    MZ_FOR_EACH_THREAD(thread, class->name_pending ? e->machine->status->finished : MZ_NO_THREADS)
    {
        mz_name name;
        class->name_pending(e->machine, thread, &name);
        e->plan->threads[thread].ends = name.operations + (e->plan->counts_accesses ? name.accesses : 0) + 1;
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

/* Those that are read before the first event: the plan is for one valuation of them. */
static void look_at_inputs(extractor *e)
{
    for (size_t i = 0; i < e->x->initial_choices; i++) {
        const mz_choice *choice = &e->x->choices[i];
        mz_position place = place_of_choice(e, choice);
        if (choice->name)
            mz_plan_add_read(e->plan, choice->name, 0, place.file, place.line);
        else
            limit_choice(e, 0, "the program makes choices, which a plan cannot make for it, when it begins",
                         choice);
    }
}

static bool repeat_all(extractor *e, mz_plan_event *events)
{
    mz_choices_prescribe(&e->choices, e->x->choices, e->x->initial_choices);
    e->machine->class->reset(e->machine, &e->choices);
    look_at_inputs(e);
    for (uint32_t i = 0; i < e->x->length; i++) {
        if (!repeat(e, i, &events[i]))
            return false;
        e->plan->counts_accesses |= e->names[i].plain;
    }
    return true;
}

bool mz_plan_extract(mz_plan *plan, mz_extraction *out, mz_machine *machine, const mz_execution *x,
                     uint32_t fixed, bool words)
{
    size_t length = x->length;
    extractor e = {.plan = plan, .out = out, .machine = machine, .x = x, .fixed = fixed, .words = words};
    *out = (mz_extraction){.deepest = (uint32_t)length};
    e.names = mz_allocate_zeroed(length, sizeof *e.names);
    mz_plan_event *events = mz_allocate_zeroed(length, sizeof *events);
    bool same = repeat_all(&e, events);
    plan->events =
        mz_grow(plan->events, &plan->event_capacity, length + MZ_PLAN_MOST_THREADS, sizeof *plan->events);
    for (uint32_t i = 0; same && i < length; i++)
        add_entry(&e, i, events[i]);
    plan->thread_count = x->thread_capacity;
    plan->prefix = plan->length = (uint32_t)plan->event_count;
    if (same) {
        add_pending(&e);
        note_ends(&e);
    }
    mz_release(events);
    mz_release(e.names);
    mz_release(e.places);
    mz_release(e.choices.made);
    return same;
}
