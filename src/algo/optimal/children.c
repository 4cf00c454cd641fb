/* Finding the children of an execution E: the notation is that of algo/optimal/optimal.c.
 *
 * A candidate is a pivot e of E and an operation x of another thread that conflicts with e, where everything
 * that happens before x other than through e is kept. It yields a child if E is the parent of what results:
 *
 *  - (bends) Every bend of E behind e is kept, or is x itself: E deviates from the default for the sake of
 *    x alone.
 *  - (closed) After the new detour V = V⁻·R·x (V⁻ the old detour of e, R what is kept) every event of V
 *    happens before the pivot.
 *  - (last) x is the one of the highest thread among the maximal events of V.
 *
 * Where footprints are fixed, R is what happens before x, (closed) holds by itself, and all is decided with
 * the clocks. Where x does something else without e, or e's thread something else after x, the machine is
 * asked, and R may have to hold more: whatever the changed operations depend on. */
#include "algo/optimal/children.h"

#include <string.h>

#include "base/memory.h"
#include "search/races.h"

/* The operation x, to come before the pivot e. */
typedef struct candidate {
    uint32_t e;
    uint32_t thread, index; /* of x */
    uint32_t event;         /* position of x in E, MZ_NONE if it is still waiting at the end */
    uint32_t previous;      /* the event before it in its thread, or MZ_NONE */
    const mz_cause *causes;
    uint32_t cause_count;
    bool waits; /* e makes x wait: x is not performed directly after it in the parent */
} candidate;

typedef struct finding {
    mz_search *s;
    mz_kinship *k;
    const mz_execution *x;
} finding;

uint32_t mz_default_thread(const mz_search *s, mz_threads ready)
{
    mz_machine *machine = s->machine;
    mz_threads simple = ready;
    MZ_FOR_EACH_THREAD(t, machine->complex_blocking || machine->crowd_blocking ? ready : MZ_NO_THREADS)
    {
        mz_operation operation;
        machine->class->pending(machine, t, &operation);
        if (operation.crowded ||
            mz_waits_complexly(operation.blocking, operation.dynamic, operation.access_count))
            simple &= ~mz_threads_of(t);
    }
    return mz_threads_first(mz_threads_any(simple) ? simple : ready);
}

static uint32_t bend_before(const finding *f, uint32_t bend)
{
    return f->k->places[bend].last_bend;
}

static bool is_complex(const mz_event *event)
{
    return mz_waits_complexly(event->blocking, event->dynamic, event->access_count);
}

/* ---- asking the machine ---------------------------------------------------------------------------- */

static void perform(mz_search *s, const uint32_t *positions, size_t count)
{
    const mz_execution *x = s->execution;
    for (size_t i = 0; i < count; i++) {
        const mz_event *event = &x->events[positions[i]];
        mz_operation ignored;
        mz_choices_prescribe(&s->choices, x->choices + event->first_choice, event->choice_count);
        s->machine->class->step(s->machine, event->thread, &s->choices, &ignored);
    }
}

/* Is the thread ready in the state at this depth, after the events at these positions? */
static bool is_ready_after(mz_search *s, size_t depth, const uint32_t *positions, size_t count,
                           uint32_t thread)
{
    mz_search_return_to(s, depth);
    s->machine_depth = SIZE_MAX;
    perform(s, positions, count);
    return mz_threads_has(s->machine->status->ready, thread);
}

/* The machine reuses the memory of an operation's accesses: keep them in the scratch. */
static mz_operation keep(finding *f, size_t first, const mz_operation *operation)
{
    mz_kinship *k = f->k;
    size_t count = operation->access_count;
    k->accesses = mz_grow(k->accesses, &k->access_capacity, first + count, sizeof *k->accesses);
    if (count > 0)
        memcpy(k->accesses + first, operation->accesses, count * sizeof *k->accesses);
    return *operation;
}

/* ---- sets of kept events, as positions in E in ascending order -------------------------------------- */

static bool was_tried(mz_kinship *k, const uint32_t *kept, size_t count)
{
    for (size_t at = 0; at < k->tried_count; at += k->tried[at] + 1)
        if (k->tried[at] == count && memcmp(k->tried + at + 1, kept, count * sizeof *kept) == 0)
            return true;
    k->tried = mz_grow(k->tried, &k->tried_capacity, k->tried_count + count + 1, sizeof *k->tried);
    k->tried[k->tried_count++] = (uint32_t)count;
    if (count > 0)
        memcpy(k->tried + k->tried_count, kept, count * sizeof *kept);
    k->tried_count += count;
    return false;
}

static bool happens_before_candidate(const finding *f, const candidate *c, uint32_t position)
{
    return mz_is_past(f->x, position, c->previous, c->causes, c->cause_count);
}

/* Write the positions behind e that are in the set `old`, or happen before the event z or equal it, to
 * kept[first …]; returns how many. */
static size_t add_past(finding *f, uint32_t e, size_t old, size_t old_count, uint32_t z, size_t first)
{
    mz_kinship *k = f->k;
    size_t count = 0;
    k->kept = mz_grow(k->kept, &k->kept_capacity, first + f->x->length, sizeof *k->kept);
    for (uint32_t position = e + 1; position < f->x->length; position++) {
        bool is_old = old_count > 0 && k->kept[old] == position;
        old += is_old;
        old_count -= is_old;
        if (is_old || (position <= z && mz_happens_before(f->x, position, z)))
            k->kept[first + count++] = position;
    }
    return count;
}

/* Can z be kept? It must not depend on e, nor come after x. */
static bool can_be_kept(const finding *f, const candidate *c, uint32_t z)
{
    return !mz_happens_before(f->x, c->e, z) && mz_clock(f->x, z)[c->thread] < c->index;
}

static bool is_among(const uint32_t *kept, size_t count, uint32_t position)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (kept[middle] == position)
            return true;
        if (kept[middle] < position)
            low = middle + 1;
        else
            count = middle;
    }
    return false;
}

/* The least set: what happens before x, and every bend behind e. False if some bend cannot be kept. */
static bool least_kept(finding *f, const candidate *c, size_t *kept_count)
{
    mz_kinship *k = f->k;
    const mz_execution *x = f->x;
    size_t count = 0;
    k->kept = mz_grow(k->kept, &k->kept_capacity, 2 * x->length, sizeof *k->kept);
    for (uint32_t position = c->e + 1; position < x->length; position++) {
        bool is_past = c->waits ? happens_before_candidate(f, c, position)
                                : position < c->event && mz_happens_before(x, position, c->event);
        if (is_past)
            k->kept[count++] = position;
    }
    for (uint32_t bend = k->last_bend; bend != MZ_NONE && bend > c->e; bend = bend_before(f, bend)) {
        if (bend == c->event && !c->waits)
            continue;
        if (!can_be_kept(f, c, bend))
            return false;
        if (is_among(k->kept, count, bend))
            continue; /* with another one */
        size_t more = add_past(f, c->e, 0, count, bend, x->length);
        memcpy(k->kept, k->kept + x->length, more * sizeof *k->kept);
        count = more;
    }
    *kept_count = count;
    return true;
}

/* ---- where footprints may change ------------------------------------------------------------------- */

/* Does some other event of V⁻·R happen after the one at this position? */
static bool is_hidden(const finding *f, const candidate *c, const uint32_t *kept, size_t count,
                      uint32_t position)
{
    uint32_t first = c->e - f->k->places[c->e].detour;
    for (uint32_t later = position < first ? first : position + 1; later < c->e; later++)
        if (mz_happens_before(f->x, position, later))
            return true;
    for (size_t i = 0; i < count; i++)
        if (kept[i] > position && mz_happens_before(f->x, position, kept[i]))
            return true;
    return false;
}

/* (closed) and (last) for one event of V⁻·R. */
static bool suits(const finding *f, const candidate *c, const uint32_t *kept, size_t count, uint32_t position,
                  const mz_operation *x, const mz_operation *pivot, bool pivot_waits)
{
    const mz_event *event = &f->x->events[position];
    if (happens_before_candidate(f, c, position) || mz_event_conflicts(f->x, event, x) ||
        is_hidden(f, c, kept, count, position))
        return true;
    return !pivot_waits && event->thread < c->thread && mz_event_conflicts(f->x, event, pivot);
}

static bool all_suit(const finding *f, const candidate *c, const uint32_t *kept, size_t count,
                     const mz_operation *x, const mz_operation *pivot, bool pivot_waits)
{
    for (uint32_t position = c->e - f->k->places[c->e].detour; position < c->e; position++)
        if (!suits(f, c, kept, count, position, x, pivot, pivot_waits))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!suits(f, c, kept, count, kept[i], x, pivot, pivot_waits))
            return false;
    return true;
}

/* Has x, which makes the pivot wait, a class? Then others of it may do so, too, and none is the first:
 * readers that a writer waits for, additions after which a value is not the one that is awaited. */
static bool is_one_of_a_crowd(const mz_operation *x)
{
    return x->access_count == 1 && x->accesses[0].kind >= MZ_CLASS;
}

/* Who comes to a crowded location and does not leave it again lets nobody go on. */
static bool only_comes(const finding *f, const mz_operation *x, const mz_event *z)
{
    return x->crowded && z->blocking && f->x->records[z->first_access].access.kind >= MZ_CLASS;
}

/* Try R = kept[first … first + count), and then the larger sets that x or the pivot, as they are after it,
 * may depend on. Every set R' for which (closed) holds is reached: if the operations are the same after R as
 * after R', R' holds nothing that they do not depend on; else take the first access in which one of them
 * differs; what makes the difference conflicts with it. */
static void try_kept(finding *f, const candidate *c, size_t first, size_t count, size_t scratch)
{
    mz_kinship *k = f->k;
    mz_search *s = f->s;
    mz_machine *machine = s->machine;
    uint32_t pivot_thread = f->x->events[c->e].thread;
    if (was_tried(k, k->kept + first, count) || k->gave_up)
        return;
    bool waits_after_e = !c->waits || !is_ready_after(s, c->e + 1, k->kept + first, count, c->thread);
    mz_operation x, pivot = {0};
    s->statistics.race_checks++;
    if (is_ready_after(s, c->e, k->kept + first, count, c->thread)) {
        mz_choices_prescribe(&s->choices, NULL, 0);
        machine->class->step(machine, c->thread, &s->choices, &x);
        x = keep(f, scratch, &x);
        machine->class->pending(machine, pivot_thread, &pivot);
        pivot = keep(f, scratch + x.access_count, &pivot);
        bool pivot_waits = !mz_threads_has(machine->status->ready, pivot_thread);
        x.accesses = k->accesses + scratch;
        pivot.accesses = x.accesses + x.access_count;
        const mz_event *e = &f->x->events[c->e];
        bool crowd = waits_after_e && pivot_waits && is_one_of_a_crowd(&x);
        machine->crowd_blocking |= crowd;
        k->gave_up = crowd || (waits_after_e && pivot_waits && is_complex(e));
        if (waits_after_e && !k->gave_up && all_suit(f, c, k->kept + first, count, &x, &pivot, pivot_waits))
            k->adopt(s, &(mz_child){c->e, k->kept + first, count, c->thread, pivot_waits});
    } else {
        machine->class->pending(machine, c->thread, &x); /* what is kept may have to hold what it waits for */
        x = keep(f, scratch, &x);
    }
    for (uint32_t z = c->e + 1; z < f->x->length && !k->gave_up; z++) {
        x.accesses = k->accesses + scratch; /* may have moved */
        pivot.accesses = x.accesses + x.access_count;
        if (!can_be_kept(f, c, z) || is_among(k->kept + first, count, z) ||
            only_comes(f, &x, &f->x->events[z]) ||
            (!mz_event_conflicts(f->x, &f->x->events[z], &x) &&
             !mz_event_conflicts(f->x, &f->x->events[z], &pivot)))
            continue;
        size_t next = first + count;
        size_t more = add_past(f, c->e, first, count, z, next);
        try_kept(f, c, next, more, scratch + x.access_count + pivot.access_count);
    }
}

static void ask_machine(finding *f, const candidate *c)
{
    size_t count;
    if (!least_kept(f, c, &count))
        return;
    f->k->tried_count = 0;
    try_kept(f, c, 0, count, 0);
}

/* ---- where they cannot ------------------------------------------------------------------------------ */

/* (bends), if just what happens before x is kept. */
static bool bends_are_kept(const finding *f, const candidate *c)
{
    for (uint32_t bend = f->k->last_bend; bend != MZ_NONE && bend > c->e; bend = bend_before(f, bend))
        if (c->waits ? !happens_before_candidate(f, c, bend) : !mz_happens_before(f->x, bend, c->event))
            return false;
    return true;
}

/* Does m, a maximal event of the old detour, happen before x other than through e? */
static bool happens_before_without(const finding *f, const candidate *c, uint32_t m)
{
    const mz_execution *x = f->x;
    const mz_event *event = &x->events[c->event];
    if (happens_before_candidate(f, c, m) || mz_events_conflict(x, &x->events[m], event))
        return true;
    for (uint32_t i = 0; i < event->race_count; i++) {
        uint32_t other = x->races[event->first_race + i];
        if (other != c->e && mz_happens_before(x, m, other))
            return true;
    }
    return false;
}

/* (last): the maximal events of V⁻ are those that e races with. */
static bool is_last(const finding *f, const candidate *c)
{
    const mz_execution *x = f->x;
    const mz_event *e = &x->events[c->e];
    uint32_t first = c->e - f->k->places[c->e].detour;
    for (uint32_t i = 0; i < e->race_count; i++) {
        uint32_t m = x->races[e->first_race + i];
        if (m >= first && x->events[m].thread > c->thread && !happens_before_without(f, c, m))
            return false;
    }
    return true;
}

static void adopt_with_past(finding *f, const candidate *c)
{
    mz_kinship *k = f->k;
    size_t count = 0;
    uint32_t end = c->waits ? (uint32_t)f->x->length : c->event;
    k->kept = mz_grow(k->kept, &k->kept_capacity, end, sizeof *k->kept);
    for (uint32_t position = c->e + 1; position < end; position++)
        if (c->waits ? happens_before_candidate(f, c, position) : mz_happens_before(f->x, position, c->event))
            k->kept[count++] = position;
    k->adopt(f->s, &(mz_child){c->e, k->kept, count, c->thread, .pivot_waits = c->waits});
}

/* ---- candidates ------------------------------------------------------------------------------------ */

static bool can_be_moved(const finding *f, uint32_t e)
{
    return f->k->places[e].pivot && !mz_has_higher_choice(f->x, &f->x->events[e]);
}

/* Can what it does depend on what it reads: where it goes, whether it writes, whether it waits? */
static bool is_changeable(const mz_event *event)
{
    return event->dynamic || event->conditional || event->blocking;
}

/* How a direct race of e and x is to be treated. Without e, x may do something else; after x, so may the
 * pivot. */
typedef enum treatment { BY_CLOCKS, BY_MACHINE, BY_MACHINE_ALWAYS, IMPOSSIBLE } treatment;

static treatment treatment_of(const finding *f, uint32_t e, const mz_event *event)
{
    const mz_execution *x = f->x;
    const mz_event *pivot = &x->events[e];
    if (!is_changeable(event) && !is_changeable(pivot))
        return BY_CLOCKS;
    bool event_changes = is_changeable(event) && mz_writes_what_it_reads(x, pivot, event);
    bool pivot_changes = is_changeable(pivot) && (event_changes || mz_writes_what_it_reads(x, event, pivot));
    if (event->kind == MZ_OP_LOCK && pivot->kind == MZ_OP_UNLOCK && event_changes)
        return IMPOSSIBLE; /* it was held (an unlock that fails writes nothing) */
    if ((event_changes && (event->dynamic || is_complex(event))) || (pivot_changes && pivot->dynamic))
        return BY_MACHINE_ALWAYS; /* R may hold events behind x: also if x has been looked at before */
    /* one location only: that it is written or not matters to the old detour, and to what waits */
    bool turning = f->k->places[e].detour > 0 && (event_changes || pivot_changes);
    return turning || event->blocking || pivot->blocking ? BY_MACHINE : BY_CLOCKS;
}

static void try_direct(finding *f, uint32_t e, uint32_t position, bool is_new)
{
    const mz_execution *x = f->x;
    const mz_event *event = &x->events[position];
    if (!can_be_moved(f, e))
        return;
    treatment how = treatment_of(f, e, event);
    if (how == IMPOSSIBLE || (!is_new && how != BY_MACHINE_ALWAYS) || mz_has_higher_choice(x, event))
        return;
    candidate c = {.e = e,
                   .thread = event->thread,
                   .index = event->index,
                   .event = position,
                   .previous = event->previous,
                   .causes = x->causes + event->first_cause,
                   .cause_count = event->cause_count};
    f->s->statistics.race_checks++;
    if (how != BY_CLOCKS)
        ask_machine(f, &c);
    else if (bends_are_kept(f, &c) && is_last(f, &c))
        adopt_with_past(f, &c);
}

/* x waits for a location: every earlier write of it may have made it wait. A lock waits after a lock, and
 * what has been locked was free: before e, x would make e wait. But if e waits for more than one location,
 * that it is made to wait is a reason to give up, as the machine is asked for that. */
static void try_waiting(finding *f, candidate *c, bool is_lock, uint32_t kind, uint32_t last_write)
{
    const mz_execution *x = f->x;
    c->waits = true;
    for (uint32_t record = last_write; record != MZ_NONE; record = x->records[record].previous_write) {
        c->e = x->records[record].event;
        const mz_event *e = &x->events[c->e];
        uint32_t kind_of_e = x->records[record].access.kind;
        if (!mz_kinds_conflict(kind_of_e, kind))
            continue;
        if (e->thread == c->thread || happens_before_candidate(f, c, c->e)) {
            if (kind_of_e >= MZ_CLASS)
                continue;
            return; /* and so do all earlier writes of the location */
        }
        f->s->statistics.race_checks++;
        if (!can_be_moved(f, c->e) || (is_lock && e->kind == MZ_OP_UNLOCK))
            continue;
        if (!is_lock || e->kind != MZ_OP_LOCK || is_complex(e))
            ask_machine(f, c);
        else if (bends_are_kept(f, c))
            adopt_with_past(f, c);
    }
}

/* x waits for more than one fixed location, which may be others by now: anything may have made it wait. */
static void try_waiting_complexly(finding *f, candidate *c, uint32_t end)
{
    c->waits = true;
    for (c->e = 0; c->e < end; c->e++)
        if (f->x->events[c->e].thread != c->thread && can_be_moved(f, c->e) &&
            !happens_before_candidate(f, c, c->e))
            ask_machine(f, c);
}

static void try_event(finding *f, uint32_t position, bool is_new)
{
    const mz_execution *x = f->x;
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->race_count; i++)
        try_direct(f, x->races[event->first_race + i], position, is_new);
    if (!event->blocking || event->access_count == 0 || (!is_new && !is_complex(event)))
        return;
    candidate c = {.thread = event->thread,
                   .index = event->index,
                   .event = position,
                   .previous = event->previous,
                   .causes = x->causes + event->first_cause,
                   .cause_count = event->cause_count};
    if (is_complex(event))
        try_waiting_complexly(f, &c, position);
    else
        try_waiting(f, &c, event->kind == MZ_OP_LOCK, x->records[event->first_access].access.kind,
                    x->records[event->first_access].previous_write);
}

static void try_pending(finding *f, uint32_t thread, const mz_operation *operation)
{
    const mz_execution *x = f->x;
    uint32_t done = x->thread_length[thread];
    candidate c = {.thread = thread,
                   .index = done + 1,
                   .event = MZ_NONE,
                   .previous = done > 0 ? mz_position_of(x, thread, done) : MZ_NONE,
                   .causes = operation->causes,
                   .cause_count = operation->cause_count};
    if (mz_waits_complexly(operation->blocking, operation->dynamic, operation->access_count))
        try_waiting_complexly(f, &c, (uint32_t)x->length);
    else
        try_waiting(f, &c, operation->kind == MZ_OP_LOCK, operation->accesses[0].kind,
                    mz_location_now(x, operation->accesses[0].location).last_write);
}

/* With fixed footprints x comes after every bend behind e, so that events before the last bend, which earlier
 * executions had, need not be looked at. */
void mz_find_children(mz_search *s, mz_kinship *k)
{
    const mz_execution *x = s->execution;
    finding f = {s, k, x};
    uint32_t first_new = k->last_bend == MZ_NONE ? 0 : k->last_bend;
    bool old_ones = x->dynamic_count > 0 || s->machine->complex_blocking;
    static mz_waiting waiting; /* too large for a stack */
    mz_collect_waiting(s, &waiting);
    for (uint32_t position = 0; old_ones && position < first_new; position++)
        try_event(&f, position, false);
    for (uint32_t position = first_new; position < x->length; position++)
        try_event(&f, position, true);
    MZ_FOR_EACH_THREAD(thread, waiting.threads)
    {
        try_pending(&f, thread, &waiting.of[thread].operation);
    }
}

void mz_kinship_release(mz_kinship *k)
{
    mz_release(k->kept);
    mz_release(k->tried);
    mz_release(k->accesses);
}
