#include "algo/lazy/calls.h"

#include "base/memory.h"

void mz_calls_release(mz_calls *l)
{
    for (size_t i = 0; i < l->used; i++) {
        mz_call *c = &l->calls[i];
        mz_release(c->steps);
        mz_release(c->choices);
        mz_release(c->pasts);
        mz_release(c->clocks);
        mz_release(c->sums);
        mz_variations_release(&c->variations);
        mz_hash_set_release(&c->asleep);
        mz_hash_set_release(&c->asked_for);
    }
    mz_release(l->calls);
    mz_release(l->chosen);
    mz_release(l->order);
    mz_hash_set_release(&l->done);
}

/* What the call that was here before has allocated is used again. */
static mz_call *push(mz_calls *l, size_t parent)
{
    l->calls = mz_grow(l->calls, &l->capacity, l->count + 1, sizeof *l->calls);
    if (l->count == l->used)
        l->calls[l->used++] = (mz_call){0};
    mz_call *c = &l->calls[l->count++];
    c->prefix = c->choice_count = c->past_count = 0;
    c->has_reference = c->begun = c->is_one_past = false;
    c->parent = parent;
    mz_hash_set_clear(&c->asleep);
    mz_hash_set_clear(&c->asked_for);
    return c;
}

void mz_calls_start(mz_calls *l)
{
    l->count = 0;
    mz_hash_set_clear(&l->done);
    push(l, SIZE_MAX);
}

/* ---- identities ------------------------------------------------------------------------------------ */

static mz_hash hash_one(uint32_t thread, uint32_t index, const uint32_t *clock, uint32_t thread_count,
                        const mz_choice *choices, uint32_t choice_count)
{
    mz_hash h = mz_hash_start(((uint64_t)thread << 32) | index);
    for (uint32_t t = 0; t < thread_count; t++)
        h = mz_hash_add(h, clock[t]);
    for (uint32_t i = 0; i < choice_count; i++)
        h = mz_hash_add(h, (uint64_t)choices[i].value);
    return h;
}

static mz_hash hash_event(const mz_execution *x, uint32_t position, uint32_t choice_count)
{
    const mz_event *event = &x->events[position];
    return hash_one(event->thread, event->index, mz_clock(x, position), x->thread_capacity,
                    x->choices + event->first_choice, choice_count);
}

/* Of the chosen events, or of all: as in machine/identity.c. */
static mz_hash hash_trace(const mz_execution *x, const bool *chosen)
{
    mz_hash trace = mz_hash_start(0);
    for (uint32_t k = 0; k < x->length; k++)
        if (!chosen || chosen[k])
            trace = mz_hash_combine(trace, hash_event(x, k, x->events[k].choice_count));
    return trace;
}

static mz_hash hash_past(const mz_execution *x, uint32_t position)
{
    mz_hash trace = mz_hash_start(0);
    for (uint32_t k = 0; k <= position; k++)
        if (mz_happens_before(x, k, position))
            trace = mz_hash_combine(trace, hash_event(x, k, x->events[k].choice_count));
    return trace;
}

static void add_past(mz_call *c, const mz_execution *x, uint32_t position)
{
    c->pasts = mz_grow(c->pasts, &c->past_capacity, c->past_count + 1, sizeof *c->pasts);
    c->pasts[c->past_count++] = hash_past(x, position);
}

/* ---- u1 and u2 ------------------------------------------------------------------------------------- */

void mz_calls_choose(mz_calls *l, const mz_execution *x, size_t prefix)
{
    l->chosen = mz_grow(l->chosen, &l->chosen_capacity, x->length + 1, sizeof *l->chosen);
    for (size_t k = 0; k < x->length; k++)
        l->chosen[k] = k < prefix;
}

/* The chosen events, then the others. Returns how many were chosen. */
static size_t order_chosen_first(mz_calls *l, const mz_execution *x)
{
    size_t count = 0, chosen = 0;
    l->order = mz_grow(l->order, &l->order_capacity, x->length + 1, sizeof *l->order);
    for (int others = 0; others < 2; others++)
        for (uint32_t k = 0; k < x->length; k++)
            if (l->chosen[k] != others) {
                l->order[count++] = k;
                chosen += !others;
            }
    return chosen;
}

static void add_step(mz_call *c, const mz_execution *x, uint32_t position, uint32_t choice_count)
{
    const mz_event *event = &x->events[position];
    c->steps = mz_grow(c->steps, &c->step_capacity, c->prefix + 1, sizeof *c->steps);
    c->steps[c->prefix++] = (mz_step){event->thread, c->choice_count, choice_count};
    c->choices =
        mz_grow(c->choices, &c->choice_capacity, c->choice_count + choice_count + 1, sizeof *c->choices);
    for (uint32_t i = 0; i < choice_count; i++)
        c->choices[c->choice_count++] = x->choices[event->first_choice + i];
}

/* ---- the past of what is planned ------------------------------------------------------------------- */

/* Does the event of u1 come directly before the variable's? */
static bool is_directly_before(const mz_execution *x, const mz_event *event, const mz_variations *v,
                               const mz_event_variable *variable)
{
    if (event->thread == variable->thread)
        return true;
    for (uint32_t i = 0; i < variable->cause_count; i++)
        if (v->causes[variable->first_cause + i].thread == event->thread &&
            v->causes[variable->first_cause + i].index == event->index)
            return true;
    for (uint32_t i = 0; i < event->access_count; i++)
        if (mz_may_conflict(v, variable, &x->records[event->first_access + i].access, 1))
            return true;
    return false;
}

static void join_clock(uint32_t *clock, const uint32_t *other, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++)
        if (other[t] > clock[t])
            clock[t] = other[t];
}

static void take_clocks(mz_call *c, const mz_execution *x, const uint32_t *order)
{
    const mz_variations *v = &c->variations;
    size_t count = v->system.event_count, threads = c->thread_count;
    c->clocks = mz_grow(c->clocks, &c->clock_capacity, count * threads + 1, sizeof *c->clocks);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t *clock = c->clocks + e * threads;
        for (uint32_t t = 0; t < threads; t++)
            clock[t] = 0;
        for (size_t k = 0; k < c->prefix; k++)
            if (is_directly_before(x, &x->events[order[k]], v, &v->variables[e]))
                join_clock(clock, mz_clock(x, order[k]), c->thread_count);
    }
}

static void take_sums(mz_call *c, const mz_execution *x, const uint32_t *order)
{
    c->sums = mz_grow(c->sums, &c->sum_capacity, c->prefix + c->thread_count, sizeof *c->sums);
    uint32_t at = 0;
    for (uint32_t t = 0; t < c->thread_count; t++) {
        c->first_sum[t] = at;
        c->sums[at++] = (mz_hash){0, 0};
        for (size_t k = 0; k < c->prefix; k++) {
            if (x->events[order[k]].thread != t)
                continue;
            c->sums[at] =
                mz_hash_combine(c->sums[at - 1], hash_event(x, order[k], x->events[order[k]].choice_count));
            at++;
        }
    }
    c->first_sum[c->thread_count] = at;
}

static void planned_clock(const mz_call *c, uint32_t e, uint32_t *clock)
{
    const mz_variations *v = &c->variations;
    const uint64_t *before = mz_constraints_row(&v->system, v->system.before, e);
    for (uint32_t t = 0; t < c->thread_count; t++)
        clock[t] = c->clocks[(size_t)e * c->thread_count + t];
    MZ_FOR_EACH_EVENT(f, before, v->system.word_count)
    {
        join_clock(clock, c->clocks + (size_t)f * c->thread_count, c->thread_count);
        if (clock[v->variables[f].thread] < v->variables[f].index)
            clock[v->variables[f].thread] = v->variables[f].index;
    }
    clock[v->variables[e].thread] = v->variables[e].index;
}

/* What is ordered here may be more than what is dependent. But if it is ordered as in a past that is known,
 * then the same steps lead to both, and nothing else of u1 could make a difference: they are the same. */
bool mz_call_is_asleep(const mz_call *c, uint32_t variable)
{
    const mz_variations *v = &c->variations;
    uint32_t clock[MZ_MAX_THREADS];
    if (c->asleep.count == 0)
        return false;
    const uint64_t *before = mz_constraints_row(&v->system, v->system.before, variable);
    mz_hash past = mz_hash_start(0);
    MZ_FOR_EACH_EVENT(e, before, v->system.word_count)
    {
        const mz_event_variable *planned = &v->variables[e];
        planned_clock(c, e, clock);
        past = mz_hash_combine(past, hash_one(planned->thread, planned->index, clock, c->thread_count,
                                              v->choices + planned->first_choice, planned->choice_count));
    }
    planned_clock(c, variable, clock);
    past = mz_hash_combine(past, hash_one(v->variables[variable].thread, v->variables[variable].index, clock,
                                          c->thread_count, NULL, 0));
    for (uint32_t t = 0; t < c->thread_count; t++) {
        uint32_t in_u1 = c->first_sum[t + 1] - c->first_sum[t] - 1;
        mz_hash sum = c->sums[c->first_sum[t] + (clock[t] < in_u1 ? clock[t] : in_u1)];
        past.low += sum.low;
        past.high += sum.high;
    }
    return mz_hash_set_has(&c->asleep, past);
}

/* ---- calls ----------------------------------------------------------------------------------------- */

static void take_variations(mz_call *c, mz_search *s, const uint32_t *order)
{
    c->thread_count = s->execution->thread_capacity;
    mz_variations_take(&c->variations, s, order, c->prefix);
    mz_variations_next(&c->variations); /* u2 itself */
    take_clocks(c, s->execution, order);
    take_sums(c, s->execution, order);
    c->has_reference = true;
}

void mz_calls_ask(mz_calls *l, mz_search *s, size_t parent)
{
    const mz_execution *x = s->execution;
    size_t prefix = order_chosen_first(l, x), old = l->calls[parent].prefix;
    mz_call *c = push(l, parent);
    c->is_one_past = prefix > old;
    for (size_t i = 0; i < prefix; i++) {
        add_step(c, x, l->order[i], x->events[l->order[i]].choice_count);
        if (i < old)
            continue;
        add_past(c, x, l->order[i]);
        c->is_one_past &= mz_happens_before(x, l->order[i], l->order[prefix - 1]);
    }
    c->trace = hash_trace(x, l->chosen);
    c->whole = hash_trace(x, NULL);
    take_variations(c, s, l->order);
}

static void ask_for_choice(mz_calls *l, const mz_execution *x, size_t parent, size_t prefix,
                           uint32_t position, uint32_t which, int64_t value)
{
    mz_calls_choose(l, x, prefix);
    for (uint32_t k = (uint32_t)prefix; k < position; k++)
        l->chosen[k] = mz_happens_before(x, k, position);
    mz_hash key = mz_hash_combine(hash_trace(x, l->chosen), hash_event(x, position, which));
    if (!mz_hash_set_add(&l->calls[parent].asked_for, mz_hash_add(key, (uint64_t)value)))
        return;
    size_t count = order_chosen_first(l, x);
    mz_call *c = push(l, parent);
    for (size_t i = 0; i < count; i++) {
        add_step(c, x, l->order[i], x->events[l->order[i]].choice_count);
        if (i >= prefix)
            add_past(c, x, l->order[i]);
    }
    add_step(c, x, position, which + 1);
    c->choices[c->choice_count - 1].value = value;
}

void mz_calls_ask_for_choices(mz_calls *l, mz_search *s, size_t parent, size_t prefix, uint32_t position,
                              uint32_t from)
{
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[position];
    for (uint32_t i = from; i < event->choice_count; i++) {
        mz_choice made = x->choices[event->first_choice + i];
        for (int64_t value = made.low; value <= made.high; value++)
            if (value != made.value)
                ask_for_choice(l, x, parent, prefix, position, i, value);
    }
}

void mz_calls_take_reference(mz_calls *l, mz_search *s)
{
    mz_call *c = mz_last_call(l);
    const mz_execution *x = s->execution;
    size_t prefix = c->prefix, parent = c->parent, index = l->count - 1;
    uint32_t last = (uint32_t)prefix - 1, given = prefix > 0 ? c->steps[last].choice_count : 0;
    mz_calls_choose(l, x, prefix);
    order_chosen_first(l, x);
    c->trace = hash_trace(x, l->chosen);
    c->whole = hash_trace(x, NULL);
    take_variations(c, s, l->order);
    c->is_one_past = prefix > 0;
    if (prefix > 0) { /* it was asked for with a choice of its last event */
        add_past(c, x, last);
        mz_calls_ask_for_choices(l, s, parent, last, last, given);
    }
    for (uint32_t k = (uint32_t)prefix; k < x->length; k++)
        mz_calls_ask_for_choices(l, s, index, prefix, k, 0);
}

size_t mz_call_shares(const mz_call *c, const mz_execution *x)
{
    size_t depth = 0;
    for (; depth < c->prefix && depth < x->length; depth++) {
        const mz_event *event = &x->events[depth];
        const mz_step *step = &c->steps[depth];
        uint32_t i = 0;
        while (i < step->choice_count && i < event->choice_count &&
               x->choices[event->first_choice + i].value == c->choices[step->first_choice + i].value)
            i++;
        if (event->thread != step->thread || event->choice_count != step->choice_count ||
            i < step->choice_count)
            break;
    }
    return depth;
}
