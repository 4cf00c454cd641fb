#include "explore/wakeup.h"

#include <string.h>

#include "base/memory.h"

/* ---- planned operations ---------------------------------------------------------------------------- */

static mz_planned *new_planned(mz_plans *p, uint32_t thread)
{
    mz_planned *planned = p->unused;
    if (planned) {
        p->unused = planned->next;
    } else {
        planned = mz_allocate_zeroed(1, sizeof *planned);
        planned->allocated_before = p->last_allocated;
        p->last_allocated = planned;
    }
    planned->thread = thread;
    planned->access_count = planned->choice_count = 0;
    planned->children = planned->next = NULL;
    return planned;
}

static void recycle(mz_plans *p, mz_planned *list)
{
    while (list) {
        mz_planned *next = list->next;
        recycle(p, list->children);
        mz_release(list->choices);
        list->choices = NULL;
        list->next = p->unused;
        p->unused = list;
        list = next;
    }
}

static mz_access *accesses_for(mz_planned *planned, uint32_t count)
{
    if (count > planned->capacity) {
        planned->accesses = mz_reallocate(planned->accesses, count * sizeof *planned->accesses);
        planned->capacity = count;
    }
    planned->access_count = count;
    return planned->accesses;
}

static void set_choices(mz_planned *planned, const mz_choice *choices, uint32_t count)
{
    mz_release(planned->choices);
    planned->choices = NULL;
    planned->choice_count = count;
    if (count > 0) {
        planned->choices = mz_allocate(count * sizeof *choices);
        memcpy(planned->choices, choices, count * sizeof *choices);
    }
}

/* Choices that are not prescribed are at their low end: equal up to such a rest. */
static bool same_choices(const mz_choice *a, uint32_t a_count, const mz_choice *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count || i < b_count; i++) {
        if (i < a_count && i < b_count ? a[i].value != b[i].value
            : i < a_count              ? a[i].value != a[i].low
                                       : b[i].value != b[i].low)
            return false;
    }
    return true;
}

/* ---- the path -------------------------------------------------------------------------------------- */

static mz_plan *plan_at(mz_plans *p, size_t depth)
{
    p->plans = mz_grow(p->plans, &p->plan_capacity, depth + 1, sizeof *p->plans);
    return &p->plans[depth];
}

static void push_asleep(mz_plans *p, mz_plan *plan, const mz_planned *planned)
{
    p->asleep = mz_grow(p->asleep, &p->asleep_capacity, p->asleep_count + 1, sizeof *p->asleep);
    p->asleep[p->asleep_count++] = planned;
    if (planned->choice_count == 0)
        plan->plainly_asleep |= mz_threads_of(planned->thread);
}

void mz_plans_start(mz_plans *p)
{
    bool again = p->plan_capacity > 0;
    mz_plan *root = plan_at(p, 0);
    if (again) {
        recycle(p, root->tree);
        recycle(p, root->done);
    }
    *root = (mz_plan){0};
    p->asleep_count = 0;
}

void mz_plans_add_thread(mz_plans *p, size_t depth, uint32_t thread)
{
    mz_planned **end = &p->plans[depth].tree;
    while (*end)
        end = &(*end)->next;
    *end = new_planned(p, thread);
}

mz_threads mz_plans_descend(mz_plans *p, mz_search *s, size_t depth, const mz_operation *executed)
{
    mz_plan *child = plan_at(p, depth + 1), *plan = &p->plans[depth];
    mz_planned *current = plan->tree;
    mz_access *accesses = accesses_for(current, executed->access_count);
    for (uint32_t i = 0; i < executed->access_count; i++)
        accesses[i] = executed->accesses[i];
    set_choices(current, s->choices.made, (uint32_t)s->choices.count);
    *child = (mz_plan){.tree = current->children, .first_asleep = p->asleep_count};
    current->children = NULL;
    mz_threads sleep = 0;
    size_t end = p->asleep_count;
    for (size_t i = plan->first_asleep; i < end; i++) {
        const mz_planned *z = p->asleep[i];
        s->execution->dependency_checks++;
        if (z->thread == current->thread ||
            mz_accesses_conflict(z->accesses, z->access_count, executed->accesses, executed->access_count))
            continue;
        push_asleep(p, child, z);
        sleep |= mz_threads_of(z->thread);
    }
    /* What is planned next may be a sleeping operation with other choices. */
    return child->tree ? sleep & ~mz_threads_of(child->tree->thread) : sleep;
}

void mz_plans_ascend(mz_plans *p, size_t depth)
{
    mz_plan *plan = &p->plans[depth], *child = plan + 1;
    recycle(p, child->tree);
    recycle(p, child->done);
    p->asleep_count = child->first_asleep;
    mz_planned *explored = plan->tree;
    plan->tree = explored->next;
    explored->next = plan->done;
    plan->done = explored;
    push_asleep(p, plan, explored);
}

void mz_plans_release(mz_plans *p)
{
    while (p->last_allocated) {
        mz_planned *planned = p->last_allocated;
        p->last_allocated = planned->allocated_before;
        mz_release(planned->accesses);
        mz_release(planned->choices);
        mz_release(planned);
    }
    mz_release(p->plans);
    mz_release(p->asleep);
    mz_release(p->word);
    mz_release(p->positions);
}

/* ---- insertion ------------------------------------------------------------------------------------- */

/* One operation of v: an event of the execution, or x. */
typedef struct mz_word_item {
    uint32_t thread;
    uint32_t access_count, choice_count;
    const mz_access_record *records; /* of an event */
    const mz_access *accesses;       /* of x, if it does something else than the event */
    const mz_choice *choices;
} item;

static mz_access access_of(const item *i, uint32_t n)
{
    return i->accesses ? i->accesses[n] : i->records[n].access;
}

static bool item_conflicts(const item *i, const mz_planned *planned)
{
    for (uint32_t n = 0; n < i->access_count; n++) {
        mz_access a = access_of(i, n);
        if (mz_accesses_conflict(&a, 1, planned->accesses, planned->access_count))
            return true;
    }
    return false;
}

/* Can the planned operation come first, before the word and with the same result? It is the word's own (its
 * index in *found) and nothing before it conflicts, or it is not in the word and nothing conflicts. */
static bool is_weak_initial(mz_search *s, const mz_planned *planned, const item *word, size_t length,
                            size_t *found)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i].thread == planned->thread) {
            *found = i;
            return same_choices(word[i].choices, word[i].choice_count, planned->choices,
                                planned->choice_count);
        }
        s->execution->dependency_checks++;
        if (item_conflicts(&word[i], planned))
            return false;
    }
    *found = length;
    return true;
}

void mz_plans_leaf(mz_plans *p)
{
    p->leaf++;
    p->position_count = 0;
}

/* notdep(e) depends on e and the execution only; many races have the same e. */
static void determine_notdep(mz_plans *p, const mz_search *s, uint32_t e)
{
    const mz_execution *x = s->execution;
    mz_plan *plan = &p->plans[e];
    if (plan->leaf == p->leaf)
        return;
    plan->leaf = p->leaf;
    plan->first_position = p->position_count;
    plan->members = plan->initials = plan->plain_initials = 0;
    p->positions =
        mz_grow(p->positions, &p->position_capacity, p->position_count + x->length - e, sizeof *p->positions);
    for (uint32_t k = e + 1; k < x->length; k++) {
        const mz_event *event = &x->events[k];
        if (mz_happens_before(x, e, k))
            continue;
        p->positions[p->position_count++] = k;
        plan->members |= mz_threads_of(event->thread);
        if (!mz_is_initial(x, e, k))
            continue;
        plan->initials |= mz_threads_of(event->thread);
        if (event->choice_count == 0)
            plan->plain_initials |= mz_threads_of(event->thread);
    }
    plan->position_count = p->position_count - plan->first_position;
}

static item event_item(const mz_execution *x, const mz_event *event)
{
    return (item){.thread = event->thread,
                  .access_count = event->access_count,
                  .choice_count = event->choice_count,
                  .records = x->records + event->first_access,
                  .choices = x->choices + event->first_choice};
}

/* x with the choices prescribed after it. */
static item last_item(const mz_execution *x, const mz_reversal *v, const mz_choice *choices,
                      uint32_t choice_count)
{
    item last = {.thread = v->thread};
    if (v->operation) {
        last.access_count = v->operation->access_count;
        last.accesses = v->operation->accesses;
    } else {
        last = event_item(x, &x->events[v->event]);
    }
    last.choices = choices;
    last.choice_count = choice_count;
    return last;
}

/* notdep(e)·x as a list; x first where it is e itself with other choices, which is the same trace. */
static size_t build_word(mz_plans *p, const mz_search *s, const mz_reversal *v, const item *last)
{
    const mz_plan *plan = &p->plans[v->e];
    size_t length = v->event == v->e;
    p->word = mz_grow(p->word, &p->word_capacity, plan->position_count + 1, sizeof *p->word);
    for (size_t i = 0; i < plan->position_count; i++)
        p->word[length++] =
            event_item(s->execution, &s->execution->events[p->positions[plan->first_position + i]]);
    if (v->event == v->e)
        p->word[0] = *last;
    else
        p->word[length++] = *last;
    return length;
}

static void append_word(mz_plans *p, mz_planned **end, const item *word, size_t length)
{
    while (*end)
        end = &(*end)->next;
    for (size_t i = 0; i < length; i++) {
        mz_planned *planned = new_planned(p, word[i].thread);
        mz_access *accesses = accesses_for(planned, word[i].access_count);
        for (uint32_t n = 0; n < word[i].access_count; n++)
            accesses[n] = access_of(&word[i], n);
        set_choices(planned, word[i].choices, word[i].choice_count);
        *end = planned;
        end = &planned->children;
    }
}

/* Most reversals have been seen before: an initial of v that made no choice sleeps at the node, or is planned
 * there as a leaf. */
static bool is_covered_at_once(const mz_plan *plan, const mz_reversal *v)
{
    mz_threads have = plan->plainly_asleep;
    for (const mz_planned *child = plan->tree->next; child; child = child->next)
        if (!child->children && child->choice_count == 0)
            have |= mz_threads_of(child->thread);
    return have & (plan->plain_initials | (v->initial ? mz_threads_of(v->thread) : 0));
}

/* is_weak_initial for all of v, without going through it where the clocks know. */
static bool comes_first(const mz_plans *p, mz_search *s, const mz_planned *planned, const mz_reversal *v,
                        const item *last)
{
    const mz_execution *x = s->execution;
    const mz_plan *plan = &p->plans[v->e];
    if (mz_threads_has(plan->members, planned->thread)) {
        if (!mz_threads_has(plan->initials, planned->thread))
            return false;
        const mz_event *event = &x->events[mz_first_after(x, planned->thread, v->e)];
        return same_choices(x->choices + event->first_choice, event->choice_count, planned->choices,
                            planned->choice_count);
    }
    if (planned->thread == v->thread)
        return v->initial &&
               same_choices(last->choices, last->choice_count, planned->choices, planned->choice_count);
    if (s->machine->moving_footprints || item_conflicts(last, planned))
        return false; /* for the first, see algo/optimal.c */
    mz_operation operation = {.accesses = planned->accesses, .access_count = planned->access_count};
    for (size_t i = plan->position_count; i-- > 0;) {
        s->execution->dependency_checks++;
        if (mz_event_conflicts(x, &x->events[p->positions[plan->first_position + i]], &operation))
            return false;
    }
    return true;
}

void mz_plans_insert(mz_plans *p, mz_search *s, const mz_reversal *v, const mz_choice *choices,
                     uint32_t choice_count)
{
    mz_plan *plan = &p->plans[v->e];
    size_t asleep_end = (plan + 1)->first_asleep, at;
    determine_notdep(p, s, v->e);
    if (choice_count == 0 && is_covered_at_once(plan, v))
        return;
    item last = last_item(s->execution, v, choices, choice_count);
    for (size_t i = plan->first_asleep; i < asleep_end; i++)
        if (comes_first(p, s, p->asleep[i], v, &last))
            return; /* explored elsewhere */
    size_t length = build_word(p, s, v, &last);
    mz_planned **list = &plan->tree;
    for (bool descended = true; descended;) {
        descended = false;
        for (mz_planned *child = *list; child && !descended; child = child->next) {
            if (child == plan->tree || !is_weak_initial(s, child, p->word, length, &at))
                continue; /* the first one at the node is e's own, in conflict with x */
            if (at < length) {
                memmove(p->word + at, p->word + at + 1, (length - at - 1) * sizeof *p->word);
                length--;
            }
            if (!child->children || length == 0)
                return; /* whatever comes after it will be explored */
            list = &child->children;
            descended = true;
        }
    }
    append_word(p, list, p->word, length);
}
