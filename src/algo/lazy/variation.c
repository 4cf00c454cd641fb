#include "algo/lazy/variation.h"

#include <string.h>

#include "base/memory.h"

static void add_accesses(mz_variations *v, const mz_operation *operation)
{
    v->accesses = mz_grow(v->accesses, &v->access_capacity, v->access_count + operation->access_count,
                          sizeof *v->accesses);
    for (uint32_t i = 0; i < operation->access_count; i++)
        v->accesses[v->access_count++] = operation->accesses[i];
}

static void add_causes(mz_variations *v, const mz_operation *operation)
{
    v->causes =
        mz_grow(v->causes, &v->cause_capacity, v->cause_count + operation->cause_count, sizeof *v->causes);
    for (uint32_t i = 0; i < operation->cause_count; i++)
        v->causes[v->cause_count++] = operation->causes[i];
}

static mz_event_variable *add_variable(mz_variations *v, uint32_t thread, uint32_t index,
                                       const mz_operation *operation)
{
    uint32_t number = mz_constraints_add_event(&v->system, thread);
    v->variables = mz_grow(v->variables, &v->variable_capacity, number + 1, sizeof *v->variables);
    v->variables[number] = (mz_event_variable){
        .thread = thread,
        .index = index,
        .kind = operation->kind,
        .dynamic = operation->dynamic,
        .conditional = operation->conditional,
        .first_access = (uint32_t)v->access_count,
        .access_count = operation->access_count,
        .first_choice = (uint32_t)v->choice_count,
        .first_cause = (uint32_t)v->cause_count,
        .cause_count = operation->cause_count,
    };
    add_accesses(v, operation);
    add_causes(v, operation);
    return &v->variables[number];
}

static void add_event(mz_variations *v, mz_search *s, uint32_t position)
{
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[position];
    s->accesses = mz_grow(s->accesses, &s->access_capacity, event->access_count, sizeof *s->accesses);
    for (uint32_t i = 0; i < event->access_count; i++)
        s->accesses[i] = x->records[event->first_access + i].access;
    mz_operation operation = {.kind = event->kind,
                              .dynamic = event->dynamic,
                              .conditional = event->conditional,
                              .access_count = event->access_count,
                              .accesses = s->accesses,
                              .cause_count = event->cause_count,
                              .causes = x->causes + event->first_cause};
    mz_event_variable *variable = add_variable(v, event->thread, event->index, &operation);
    variable->choice_count = event->choice_count;
    v->choices =
        mz_grow(v->choices, &v->choice_capacity, v->choice_count + event->choice_count, sizeof *v->choices);
    for (uint32_t i = 0; i < event->choice_count; i++)
        v->choices[v->choice_count++] = x->choices[event->first_choice + i];
}

/* ---- constraints ----------------------------------------------------------------------------------- */

static bool accesses_as(const mz_variations *v, const mz_event_variable *variable, uint32_t location,
                        uint32_t kind)
{
    for (uint32_t i = 0; i < variable->access_count; i++) {
        mz_access access = v->accesses[variable->first_access + i];
        if (access.location == location && (access.kind & kind))
            return true;
    }
    return false;
}

/* What is read is what the last write has left. Who only writes does not see that; but if the memory is gone
 * (MZ_LAST) it fails, and its thread goes no further. So a write reads, too: from whoever frees the location,
 * and from nobody else. */
static void add_reading(mz_variations *v, uint32_t reader, mz_access access)
{
    uint32_t seen = access.kind & MZ_READ ? MZ_WRITE : MZ_LAST;
    mz_reading reading = {
        .variable = reader, .writer = MZ_NONE, .first_candidate = (uint32_t)v->candidate_count};
    for (uint32_t g = 0; g < v->system.event_count; g++) {
        if (g == reader || !accesses_as(v, &v->variables[g], access.location, seen))
            continue;
        v->candidates =
            mz_grow(v->candidates, &v->candidate_capacity, v->candidate_count + 1, sizeof *v->candidates);
        v->candidates[v->candidate_count++] = g;
        reading.candidate_count++;
        if (g < reader && !v->variables[g].waits)
            reading.writer = g;
    }
    if (reading.candidate_count == 0)
        return;
    v->readings = mz_grow(v->readings, &v->reading_capacity, v->reading_count + 1, sizeof *v->readings);
    v->readings[v->reading_count++] = reading;
}

/* Can the variable come to read from another event? */
static bool is_changeable(const mz_variations *v, uint32_t variable)
{
    for (size_t i = 0; i < v->reading_count; i++) {
        const mz_reading *reading = &v->readings[i];
        for (uint32_t j = 0; reading->variable == variable && j < reading->candidate_count; j++)
            if (v->system.threads[v->candidates[reading->first_candidate + j]] != v->system.threads[variable])
                return true;
    }
    return false;
}

bool mz_may_conflict(const mz_variations *v, const mz_event_variable *variable, const mz_access *accesses,
                     uint32_t count)
{
    if (variable->reach == MZ_ANYTHING)
        return count > 0;
    uint32_t more = variable->reach == MZ_MAY_WRITE ? MZ_WRITE : 0;
    for (uint32_t i = 0; i < variable->access_count; i++) {
        mz_access own = v->accesses[variable->first_access + i];
        own.kind |= more;
        if (mz_accesses_conflict(&own, 1, accesses, count))
            return true;
    }
    return false;
}

/* Either may touch more than it did. */
static bool are_dependent(const mz_variations *v, const mz_event_variable *a, const mz_event_variable *b)
{
    return mz_may_conflict(v, a, v->accesses + b->first_access, b->access_count) ||
           mz_may_conflict(v, b, v->accesses + a->first_access, a->access_count);
}

static void add_constraints(mz_variations *v, mz_execution *x)
{
    uint32_t count = v->system.event_count;
    for (uint32_t e = 0; e < count; e++) {
        mz_event_variable *variable = &v->variables[e];
        bool varies = (variable->dynamic || variable->conditional) && is_changeable(v, e);
        variable->reach = !varies ? MZ_AS_IN_REFERENCE : variable->dynamic ? MZ_ANYTHING : MZ_MAY_WRITE;
    }
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t a = 0; a < b; a++) {
            if (v->system.threads[a] == v->system.threads[b])
                continue;
            x->dependency_checks++;
            if (are_dependent(v, &v->variables[a], &v->variables[b]))
                mz_constraints_add(&v->system, a, b);
        }
}

/* Number of the variable that is the thread's event of this index; MZ_NONE if that is in u1. */
static uint32_t find_variable(const mz_variations *v, mz_cause event)
{
    for (uint32_t e = 0; e < v->system.event_count; e++)
        if (v->variables[e].thread == event.thread && v->variables[e].index == event.index)
            return e;
    return MZ_NONE;
}

static void fix_causes(mz_variations *v)
{
    for (uint32_t e = 0; e < v->system.event_count; e++)
        for (uint32_t i = 0; i < v->variables[e].cause_count; i++) {
            uint32_t cause = find_variable(v, v->causes[v->variables[e].first_cause + i]);
            if (cause != MZ_NONE)
                mz_constraints_add_fixed(&v->system, cause, e);
        }
}

void mz_variations_take(mz_variations *v, mz_search *s, const uint32_t *order, size_t prefix)
{
    mz_execution *x = s->execution;
    mz_machine *machine = s->machine;
    mz_constraints_clear(&v->system);
    v->access_count = v->choice_count = v->cause_count = v->reading_count = v->candidate_count = 0;
    for (size_t i = prefix; i < x->length; i++)
        add_event(v, s, order[i]);
    v->event_count = v->system.event_count;
    MZ_FOR_EACH_THREAD(t, machine->status->blocked)
    {
        mz_operation operation;
        machine->class->pending(machine, t, &operation);
        add_variable(v, t, x->thread_length[t] + 1, &operation)->waits = true;
    }
    for (uint32_t e = 0; e < v->system.event_count; e++)
        for (uint32_t i = 0; i < v->variables[e].access_count; i++)
            add_reading(v, e, v->accesses[v->variables[e].first_access + i]);
    add_constraints(v, x);
    fix_causes(v);
    mz_constraints_start(&v->system);
    size_t words = v->system.word_count + 1; /* never NULL */
    v->changed = mz_grow(v->changed, &v->changed_capacity, words, sizeof *v->changed);
    v->uncertain = mz_grow(v->uncertain, &v->uncertain_capacity, words, sizeof *v->uncertain);
}

/* ---- one of them ----------------------------------------------------------------------------------- */

static void set_bit(uint64_t *row, uint32_t event)
{
    row[event / 64] |= UINT64_C(1) << (event % 64);
}

/* The writers of a location depend on each other and on who reads it: they are all ordered. */
static uint32_t writer_now(const mz_variations *v, const mz_reading *reading)
{
    uint32_t last = MZ_NONE;
    for (uint32_t i = 0; i < reading->candidate_count; i++) {
        uint32_t g = v->candidates[reading->first_candidate + i];
        if (mz_constraints_is_before(&v->system, g, reading->variable) &&
            (last == MZ_NONE || mz_constraints_is_before(&v->system, last, g)))
            last = g;
    }
    return last;
}

bool mz_variations_next(mz_variations *v)
{
    if (!mz_constraints_next(&v->system))
        return false;
    uint32_t words = v->system.word_count;
    memset(v->changed, 0, words * sizeof *v->changed);
    memset(v->uncertain, 0, words * sizeof *v->uncertain);
    for (size_t i = 0; i < v->reading_count; i++)
        if (writer_now(v, &v->readings[i]) != v->readings[i].writer)
            set_bit(v->changed, v->readings[i].variable);
    MZ_FOR_EACH_EVENT(e, v->changed, words)
    {
        const uint64_t *after = mz_constraints_row(&v->system, v->system.after, e);
        for (uint32_t w = 0; w < words; w++)
            v->uncertain[w] |= after[w];
    }
    return true;
}

void mz_variations_solve(mz_variations *v, mz_smt *smt, uint32_t *order)
{
    uint32_t count = v->system.event_count, placed = 0;
    v->word = mz_grow(v->word, &v->word_capacity, count, sizeof *v->word);
    if (!smt || !mz_smt_solve(smt, &v->system, v->word))
        mz_constraints_least_word(&v->system, v->word);
    /* Nothing uncertain is before what is certain: this order is a solution, too. */
    for (int later = 0; later < 2; later++)
        for (uint32_t i = 0; i < count; i++)
            if (mz_is_certain(v, v->word[i]) != later)
                order[placed++] = v->word[i];
}

static bool are_causes_as_planned(const mz_variations *v, const mz_event_variable *planned,
                                  const mz_cause *causes, uint32_t count)
{
    if (planned->cause_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        mz_cause cause = v->causes[planned->first_cause + i];
        if (cause.thread != causes[i].thread || cause.index != causes[i].index)
            return false;
    }
    return true;
}

/* Each location is there once: as many accesses, and each of them planned, are the same. */
static bool is_access_planned(const mz_variations *v, const mz_event_variable *planned, mz_access access)
{
    for (uint32_t i = 0; i < planned->access_count; i++) {
        mz_access known = v->accesses[planned->first_access + i];
        if (known.location == access.location && known.kind == access.kind)
            return true;
    }
    return false;
}

bool mz_is_as_planned(const mz_variations *v, uint32_t variable, const mz_operation *operation)
{
    const mz_event_variable *planned = &v->variables[variable];
    bool same = planned->kind == operation->kind && planned->access_count == operation->access_count &&
                are_causes_as_planned(v, planned, operation->causes, operation->cause_count);
    for (uint32_t i = 0; same && i < operation->access_count; i++)
        same = is_access_planned(v, planned, operation->accesses[i]);
    return same;
}

bool mz_is_done_as_planned(const mz_variations *v, uint32_t variable, const mz_execution *x,
                           uint32_t position)
{
    const mz_event_variable *planned = &v->variables[variable];
    const mz_event *event = &x->events[position];
    bool same = planned->kind == event->kind && planned->access_count == event->access_count &&
                are_causes_as_planned(v, planned, x->causes + event->first_cause, event->cause_count);
    for (uint32_t i = 0; same && i < event->access_count; i++)
        same = is_access_planned(v, planned, x->records[event->first_access + i].access);
    return same;
}

void mz_variations_release(mz_variations *v)
{
    mz_constraints_release(&v->system);
    mz_release(v->variables);
    mz_release(v->accesses);
    mz_release(v->choices);
    mz_release(v->causes);
    mz_release(v->readings);
    mz_release(v->candidates);
    mz_release(v->changed);
    mz_release(v->word);
    mz_release(v->uncertain);
}
