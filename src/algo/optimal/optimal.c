/* Optimal partial order reduction by reverse search: every trace is visited once, and no execution is begun
 * that turns out to be redundant. There are no sleep sets and no wake-up trees.
 *
 * Reverse search (Avis, Fukuda, 1996) enumerates objects by giving each but one a *parent*, such that parents
 * lead to that one, the root, and such that the children of an object can be computed from it alone: walking
 * the tree visits every object once and needs to remember nothing. TruSt (Kokologiannakis, Marmanis,
 * Gladstein, Vafeiadis, POPL 2022) does this for execution graphs, and POP (Abdulla, Atig, Das, Jonsson,
 * Sagonas, CAV 2024) has it in common with TruSt that a race is reversed from one execution only. Here it is
 * done for Mazurkiewicz traces of any machine that keeps the promises of machine.h: operations that touch
 * several locations, that touch others after another step, that wait, that make choices.
 *
 * The normal form of a trace T (complete: nothing can go on). From a state w on the way the *default* thread
 * p is the first one that is ready; let p* be its next event in T.
 *   - The *detour* V is the set of events behind w that happen before p*. The normal form goes on with V·p*:
 * first the detour, then its *pivot*. Mostly V is empty and p just goes on.
 *   - If p's operation waits for a location, and some event behind w makes it wait (before p*, or for good):
 * let x be the first one that does, all writes of one location being ordered. The normal form goes on with
 * what happens before x, and x: a detour without a pivot. Then p waits, and some other thread is the default.
 * A *bend* is an event in a detour, or one with a choice other than the lowest. The root is the trace without
 * bends.
 *
 * The parent of T. If the last bend is a choice behind which nothing bends, it is T with the choice before
 * it. Otherwise look at the last detour V, from the state w on, with T going on by default behind it. Let x
 * be the event of the highest thread among the maximal ones of V (the only one, if the pivot waits). Without
 * x, p does e, which comes after V⁻ ⊆ V; let R = V \ V⁻ \ {x}. The parent E is the trace that begins with
 * w·V⁻·e·R·x' (x' is what the thread of x does then, with the lowest choices; without x' if it has to wait
 * there) and whose bends behind e are all in R·x'. There is exactly one such trace: whenever the default
 * thread p2 of a state behind e is to go on, either its next event is in R·x', which determines its detour,
 * or it comes after all events of R·x' that it conflicts with (R·x' is a prefix of the trace) and after
 * nothing else that is not default (its detour has to be in R·x'). E and T agree up to w, and the next detour
 * is smaller in E: going from parent to parent ends at the root.
 *
 * The children of E. For each pivot e of E and each x, the conditions under which E is the parent of what
 * results are tested at the leaf E (algo/optimal/children.c). With fixed footprints x is an event in a direct
 * race with e, R is what happens before it, and as all bends behind e must be in R·x', only events from the
 * last bend on can be x: what E shares with the execution before it has been looked at there.
 *
 * A child is visited from the state before its pivot by running R·x, the pivot, and then the default.
 * Children wait at their nodes until the search comes back there, the deepest first. An event keeps its place
 * in the normal form (mz_place) as long as it is on the path.
 *
 * Where the whole program is one section (algo/sections/sections.h), its traces are known without looking for
 * races, and algo/sections/words.h runs them.
 *
 * Where an operation waits for more than one fixed location (machine->complex_blocking), "the first event
 * that makes it wait" is not defined: different orders of concurrent events have different first ones. That
 * matters only if such an operation is a pivot and is made to wait. So the default is a thread with another
 * operation if there is one, and if a pivot of that kind is found to be made to wait all the same, this gives
 * up (kinship.gave_up) and `source` begins again: exact, but executions may end blocked. Nothing is missed
 * before: if there is a trace without a normal form, take events away from it as above until the pivot does
 * not wait; the parent of that is visited, and the last event taken away is found to make the pivot wait. We
 * know of no way around it (whether a state has a completion that avoids given first steps is NP-hard in
 * general where operations wait: Herbreteau, Larroze-Jardiné, Walukiewicz, CONCUR 2025). */
#include "algo/algorithm.h"
#include "algo/optimal/children.h"
#include "algo/sections/words.h"
#include "base/recycling.h"
#include "search/frontier.h"

/* One operation of a child, with the choices to make after it. */
typedef struct child_step {
    uint32_t thread, first_choice, choice_count;
} child_step;

/* A child that is to be visited: the operations from the state before its pivot on. */
typedef struct child {
    mz_recycled recycled;
    struct child *next;
    child_step *steps;
    size_t length, step_capacity;
    mz_choice *choices;
    size_t choice_capacity;
    bool ends_with_pivot;
    uint32_t detour; /* of the pivot */
} child;

/* What is going on at a node of the path. */
typedef struct turn {
    bool entered;    /* nothing has been explored from it so far */
    child *followed; /* NULL: the default thread */
    uint32_t at;     /* the step of it that is taken from this node */
    bool given;      /* the event is of an item's prefix, or its other choices are in items: none are tried */
    child *waiting;  /* to be followed from here */
} turn;

typedef struct family {
    turn *turns; /* one per node of the path */
    size_t turn_capacity;
    mz_place *places; /* one per event of the path */
    size_t place_capacity;
    mz_kinship kinship;
    mz_recycling children;
    mz_byte_reader payload; /* of the item that is explored */
} family;

static family *family_of(const mz_search *s)
{
    return s->algorithm_data;
}

/* ---- children ----------------------------------------------------------------------------------------- */

static child *new_child(family *f)
{
    child *p = mz_recycling_take(&f->children, sizeof *p);
    if (!p->choices) /* never NULL: offsets are added */
        p->choices = mz_grow(NULL, &p->choice_capacity, 1, sizeof *p->choices);
    return p;
}

static void release_children(family *f)
{
    for (child *p; (p = mz_recycling_take_apart(&f->children));) {
        mz_release(p->steps);
        mz_release(p->choices);
        mz_release(p);
    }
}

/* A child of the execution that has just ended. */
static void adopt(mz_search *s, const mz_child *found)
{
    family *f = family_of(s);
    const mz_execution *x = s->execution;
    child *p = new_child(f);
    size_t length = found->kept_count + (found->pivot_waits ? 1 : 2), choices = 0;
    p->steps = mz_grow(p->steps, &p->step_capacity, length, sizeof *p->steps);
    for (size_t i = 0; i < found->kept_count; i++) {
        const mz_event *event = &x->events[found->kept[i]];
        p->steps[i] = (child_step){event->thread, (uint32_t)choices, event->choice_count};
        p->choices =
            mz_grow(p->choices, &p->choice_capacity, choices + event->choice_count, sizeof *p->choices);
        for (uint32_t n = 0; n < event->choice_count; n++)
            p->choices[choices++] = x->choices[event->first_choice + n];
    }
    p->steps[found->kept_count] = (child_step){.thread = found->thread};
    if (!found->pivot_waits)
        p->steps[length - 1] = (child_step){.thread = x->events[found->e].thread};
    p->length = length;
    p->ends_with_pivot = !found->pivot_waits;
    p->detour = f->places[found->e].detour + (uint32_t)found->kept_count + 1;
    p->next = f->turns[found->e].waiting;
    f->turns[found->e].waiting = p;
    s->nodes[found->e].waiting++;
}

/* ---- the search ------------------------------------------------------------------------------------ */

static void enter(mz_search *s, mz_node *node)
{
    (void)node;
    family *f = family_of(s);
    size_t depth = s->execution->length;
    f->turns = mz_grow(f->turns, &f->turn_capacity, depth + 1, sizeof *f->turns);
    turn *t = &f->turns[depth];
    *t = (turn){.entered = true};
    if (depth > 0 && t[-1].followed && t[-1].at + 1 < t[-1].followed->length) {
        t->followed = t[-1].followed;
        t->at = t[-1].at + 1;
    }
}

static bool is_last_step(const turn *t)
{
    return t->at + 1 == t->followed->length;
}

static mz_place place_of(const turn *t)
{
    if (!t->followed)
        return (mz_place){.pivot = true};
    bool pivot = t->followed->ends_with_pivot && is_last_step(t);
    return (mz_place){.pivot = pivot, .detour = pivot ? t->followed->detour : 0};
}

/* The last bend among the first `length` events. */
static uint32_t last_bend(const mz_search *s, size_t length)
{
    const family *f = family_of(s);
    if (length == 0)
        return MZ_NONE;
    uint32_t last = (uint32_t)length - 1;
    return mz_is_bend(s->execution, f->places, last) ? last : f->places[last].last_bend;
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    if (!mz_threads_any(node->enabled))
        return false;
    family *f = family_of(s);
    size_t depth = s->execution->length;
    turn *t = &f->turns[depth];
    if (!t->entered) {
        if (t->followed && t->at == 0)
            mz_recycling_give(&f->children, t->followed);
        t->followed = t->waiting;
        t->at = 0;
        t->given = false;
        if (!t->followed)
            return false;
        t->waiting = t->followed->next;
        node->waiting--;
    }
    t->entered = false;
    f->places = mz_grow(f->places, &f->place_capacity, depth + 1, sizeof *f->places);
    f->places[depth] = place_of(t);
    f->places[depth].last_bend = last_bend(s, depth);
    if (t->followed) {
        const child_step *step = &t->followed->steps[t->at];
        *thread = step->thread;
        mz_choices_prescribe(&s->choices, t->followed->choices + step->first_choice, step->choice_count);
    } else {
        *thread = mz_default_thread(s, node->enabled);
        mz_choices_prescribe(&s->choices, NULL, 0);
    }
    node->backtrack |= mz_threads_of(*thread); /* only for the estimate of what is left */
    return true;
}

/* What is kept of the parent keeps its choices; x and the pivot are free. */
static bool has_free_choices(const turn *t)
{
    return !t->given &&
           (!t->followed || t->at + (t->followed->ends_with_pivot ? 2 : 1) >= t->followed->length);
}

static bool try_choices(mz_search *s)
{
    return has_free_choices(&family_of(s)->turns[s->execution->length - 1]);
}

static void leaf(mz_search *s)
{
    family *f = family_of(s);
    f->kinship.places = f->places;
    f->kinship.last_bend = last_bend(s, s->execution->length);
    mz_find_children(s, &f->kinship);
    s->stop |= f->kinship.gave_up;
}

/* ---- items of the frontier ------------------------------------------------------------------------------
 * The prefix of an item is the beginning of the execution that a child shares with its parent. The payload
 * has the places of its events, which are needed to find the children of what is visited; then the steps of
 * the child, if it has ended with a pivot, and the size of that one's detour. A child is found from its
 * parent alone and by nobody else: the search of an item keeps all that it finds, also where they branch off
 * in the prefix, and no node has an owner. */

typedef struct step_list {
    mz_schedule steps; /* without initial choices */
    bool ends_with_pivot;
    uint32_t detour;
} step_list;

static void put(mz_search *s, size_t depth, const step_list *list)
{
    const family *f = family_of(s);
    mz_work_item item = {.form = MZ_ITEM_CHILD};
    mz_schedule_copy_first(&item.prefix, s->execution, depth);
    for (size_t i = 0; i < depth; i++)
        mz_bytes_add_number(&item.payload, (uint64_t)f->places[i].detour * 2 + f->places[i].pivot);
    mz_schedule_write(&list->steps, &item.payload);
    mz_bytes_add_number(&item.payload, list->ends_with_pivot);
    mz_bytes_add_number(&item.payload, list->detour);
    mz_frontier_put(s->frontier, &item);
}

/* The steps of the child from one on; the first of them with other choices, if these are not NULL. */
static step_list rest_of(const child *c, size_t from, const mz_choice *choices, size_t count)
{
    step_list list = {.ends_with_pivot = c->ends_with_pivot, .detour = c->detour};
    for (size_t i = from; i < c->length; i++) {
        const child_step *step = &c->steps[i];
        bool is_other = i == from && choices;
        mz_schedule_add(&list.steps, step->thread, is_other ? choices : c->choices + step->first_choice,
                        is_other ? count : step->choice_count);
    }
    return list;
}

/* The event that the thread does at the node, with these choices, and what follows by what is known. */
static void put_event(mz_search *s, size_t depth, uint32_t thread, const mz_choice *choices, size_t count)
{
    const turn *t = &family_of(s)->turns[depth];
    step_list list = {.ends_with_pivot = true};
    if (t->followed)
        list = rest_of(t->followed, t->at, choices, count);
    else
        mz_schedule_add(&list.steps, thread, choices, count);
    put(s, depth, &list);
    mz_schedule_release(&list.steps);
}

static void put_next_choices(mz_search *s, size_t depth)
{
    turn *t = &family_of(s)->turns[depth];
    const mz_event *event = &s->execution->events[depth];
    size_t count = has_free_choices(t) ? event->choice_count : 0;
    mz_choice *choices = mz_allocate_zeroed(count, sizeof *choices);
    for (size_t i = 0; i < count; i++)
        choices[i] = s->execution->choices[event->first_choice + i];
    mz_choice *others = mz_allocate_zeroed(count, sizeof *others);
    count = mz_choices_next(choices, count);
    size_t more = mz_choices_divide(choices, count, others);
    if (count > 0) {
        put_event(s, depth, event->thread, choices, count);
        t->given = true;
    }
    if (more > 0)
        put_event(s, depth, event->thread, others, more);
    mz_release(others);
    mz_release(choices);
}

static void put_waiting(mz_search *s, size_t depth)
{
    family *f = family_of(s);
    turn *t = &f->turns[depth];
    while (t->waiting) {
        child *c = t->waiting;
        step_list list = rest_of(c, 0, NULL, 0);
        put(s, depth, &list);
        mz_schedule_release(&list.steps);
        t->waiting = c->next;
        s->nodes[depth].waiting--;
        mz_recycling_give(&f->children, c);
    }
}

/* The execution at hand, which has not come to its end. */
static void put_unfinished(mz_search *s)
{
    size_t length = s->execution->length;
    const turn *last = length > 0 ? &family_of(s)->turns[length - 1] : NULL;
    step_list list = {.ends_with_pivot = true};
    if (s->undone != MZ_NONE) {
        put_event(s, length, s->undone, s->choices.made, s->choices.prescribed);
        return;
    }
    if (last && last->followed && !is_last_step(last))
        list = rest_of(last->followed, last->at + 1, NULL, 0);
    put(s, length, &list);
    mz_schedule_release(&list.steps);
}

static void hand_out(mz_search *s, bool all)
{
    size_t length = s->execution->length, before = s->frontier->count;
    bool has_entered_top = s->at_leaf ? mz_threads_any(s->nodes[length].enabled) : s->undone != MZ_NONE;
    for (size_t depth = 0; depth < length && (all || s->frontier->count == before); depth++) {
        put_next_choices(s, depth); /* in the order in which the search would come to them */
        put_waiting(s, depth);
    }
    if (all && has_entered_top)
        put_waiting(s, length);
    if (all && !s->at_leaf)
        put_unfinished(s);
}

static void pass(mz_search *s)
{
    family *f = family_of(s);
    size_t at = s->execution->length - 1;
    uint64_t place = mz_read_number_to(&f->payload, 2 * (uint64_t)at + 1);
    f->turns = mz_grow(f->turns, &f->turn_capacity, at + 1, sizeof *f->turns);
    f->places = mz_grow(f->places, &f->place_capacity, at + 1, sizeof *f->places);
    f->turns[at] = (turn){.given = true};
    f->places[at] =
        (mz_place){.pivot = place & 1, .detour = (uint32_t)(place / 2), .last_bend = last_bend(s, at)};
}

static void follow(mz_search *s, const mz_schedule *steps, bool ends_with_pivot, uint32_t detour)
{
    family *f = family_of(s);
    child *c = new_child(f);
    size_t choices = mz_schedule_choice_count(steps);
    c->steps = mz_grow(c->steps, &c->step_capacity, steps->length, sizeof *c->steps);
    c->choices = mz_grow(c->choices, &c->choice_capacity, choices, sizeof *c->choices);
    for (size_t i = 0; i < choices; i++)
        c->choices[i] = steps->choices[i];
    for (size_t i = 0; i < steps->length; i++) {
        size_t count;
        const mz_choice *first = mz_schedule_choices(steps, i, &count);
        c->steps[i] = (child_step){steps->threads[i], (uint32_t)(first - steps->choices), (uint32_t)count};
    }
    c->length = steps->length;
    c->ends_with_pivot = ends_with_pivot;
    c->detour = detour;
    f->turns[s->execution->length].followed = c;
}

static bool begin(mz_search *s, const mz_work_item *item)
{
    (void)item;
    mz_byte_reader *r = &family_of(s)->payload;
    mz_schedule steps;
    bool can_go_on = mz_threads_any(s->nodes[s->execution->length].enabled);
    mz_schedule_read(r, &steps);
    bool ends_with_pivot = mz_read_number_to(r, 1);
    uint32_t detour = (uint32_t)mz_read_number_to(r, s->execution->length + steps.length);
    bool fits =
        !r->failed && steps.initial_choices == 0 && (can_go_on || steps.length == 0) &&
        (steps.length == 0 || mz_threads_has(s->nodes[s->execution->length].enabled, steps.threads[0]));
    if (fits && steps.length > 0)
        follow(s, &steps, ends_with_pivot, detour);
    mz_schedule_release(&steps);
    return fits;
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

/* False if it had to give up. */
static bool search_in_reverse(mz_search *search)
{
    family f = {.kinship.adopt = adopt};
    search->algorithm_data = &f;
    if (mz_search_is_part(search))
        f.payload =
            (mz_byte_reader){.data = search->item->payload.data, .length = search->item->payload.length};
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .enter = enter,
                                       .leaf = leaf,
                                       .next = next,
                                       .try_choices = try_choices,
                                       .form = MZ_ITEM_CHILD,
                                       .pass = pass,
                                       .begin = begin,
                                       .hand_out = hand_out,
                                   });
    release_children(&f);
    mz_kinship_release(&f.kinship);
    mz_release(f.turns);
    mz_release(f.places);
    return !f.kinship.gave_up;
}

/* It may have to give up: nobody is to see anything before that is known, unless it does no harm. */
static bool try_in_reverse(mz_search *search)
{
    void (*observe)(void *, mz_search *, mz_leaf) = search->observe_at_once ? NULL : search->observe;
    if (observe)
        search->observe = NULL;
    bool done = search_in_reverse(search);
    if (observe)
        search->observe = observe;
    if (!done || observe)
        mz_search_restart(search);
    if (done && observe)
        search_in_reverse(search);
    return done;
}

/* In parts: what was seen before it gave up is void. */
static void search_part_in_reverse(mz_search *search)
{
    if (!search_in_reverse(search))
        mz_frontier_next_epoch(search->frontier, MZ_ITEM_BRANCH);
}

static void run(mz_search *search)
{
    mz_item_form form = mz_search_form(search);
    if (form == MZ_ITEM_BRANCH) {
        mz_algorithm_source.run(search);
        return;
    }
    if (form != MZ_ITEM_CHILD && mz_explore_words(search, false, MZ_ITEM_CHILD))
        return;
    if (search->machine->wakes_by_reads && search->frontier)
        mz_frontier_next_epoch(search->frontier, MZ_ITEM_BRANCH);
    else if (search->machine->wakes_by_reads)
        mz_algorithm_source.run(search);
    else if (search->frontier)
        search_part_in_reverse(search);
    else if (!search->machine->complex_blocking && !(search->machine->relation & MZ_REFINES_CLASSES))
        search_in_reverse(search);
    else if (!try_in_reverse(search))
        mz_algorithm_source.run(search);
}

const mz_algorithm mz_algorithm_optimal = {
    .name = "optimal",
    .description = "reverse search: one execution per trace, none cut short",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_LOCKS | MZ_REFINES_ROUNDS | MZ_REFINES_SYMMETRY,
    .optimal = true,
    .run = run,
};
