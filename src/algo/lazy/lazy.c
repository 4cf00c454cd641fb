/* LazyPOR: whole executions, planned ahead by trace constraint systems. P. Metzler, "Lazy POR for the
 * verification of distributed programs" (2014), listing 3.1.
 *
 * A call (u1, u2) is to explore whatever begins with u1, given one execution u = u1·u2. It goes through the
 * variations of u2: the satisfiable orientations of its dependences (program order and causes are fixed,
 * section 4.1). Each is solved and executed from u1 on as far as it goes as planned, and then on to the end.
 * Where the execution was other than planned, further calls see to what follows from that. Orientations
 * without a solution need not be looked at, nor their satisfiable prefixes, empty or not (4.3):
 * algo/sections/constraints.h.
 *
 * As published this diverges and, with its remedy, misses executions. This is what is done instead, and why
 * it explores every trace. (Roots, certain: algo/lazy/variation.h; past(e): e and what comes before it.)
 *
 * Let w begin with u1 and not be equivalent to u. Follow w, from u1 on, as long as each event is one of u2
 * and reads from the same events as in u. These events W do in w what they do in u. If w goes on with an
 * event b, then so far b's thread has read what it has in u: b is that thread's next event in u, or waits at
 * the end of u, and reads from another one. Follow w further while what happens is in u2 by name and
 * footprint: H, with W and perhaps b at its beginning. Let c be the variation that has H in w's order first,
 * then w's next event if it is a variable, then the rest as in u. (It is linear, so it is satisfiable.
 * Operations that wait at the end of w count as its last events.)
 *
 *  (1) In c everything before b is in W. So W is certain and unchanged, b is a root, and past(b) in c is
 * past(b) in w: w begins with u1·past(b). The footprint of b in w may be another one than in u; such
 * operations have a constraint with all that they may touch then (algo/lazy/variation.c). (2) If c is
 * executed as planned to the end, with nothing else, then w is that execution. For after H, the execution is
 * where w is; the event with which w goes on would happen there as in w, before all other variables, and it
 * is none of them as planned. (3) If w has no such b, all its events are in W, and the roots of c, if any,
 * are operations that wait at the end of w: they are found to be impossible. The certain events of c are
 * those of w, and w is executed.
 *
 * Executing the certain variables first makes the execution begin with u1·past(b) for every root b that is
 * possible. So after a variation that did not go as planned, whatever is left of those w begins with
 * u1·past(b) for one of these.
 *
 * The two ways out of the divergence are two ways to go on from there:
 *
 * branching (4.2): plan up to the first changed event. A call for each root, with u1·past(b). u1 grows with
 * every call, so it ends. A variation all of whose roots had their calls, at least one of them possible,
 * needs no execution. Everything beginning with the u1 of a finished call, or with it and the past of one
 * that was finished on its behalf, has been explored: calls for that are dropped. (Induction over the calls
 * in the order in which they end: whatever is dropped refers to one that has ended.)
 *
 * visited (4.4): remember the calls. One call, with what the pasts of all roots have in common (and the root,
 * if there is one). Then u1 may stay the same; but a call with the same trace of u1 and the same trace of u
 * is not made twice, and there are finitely many. (As published, the state after u1 is remembered: that finds
 * 2 of the 3 traces of listing 1.2.) With W·b, the execution of c has more in common with w than u has; so
 * the calls lead to every w, whichever of them were made before.
 *
 * What else a program may do: an event whose thread makes choices may have made others. Each value, for each
 * certain event of each execution, is asked for by a call with its past. Where an operation waits for more
 * than one fixed location, a variation cannot tell whom it would wait for, and this is `source`. */
#include "algo/algorithm.h"
#include "algo/lazy/calls.h"
#include "algo/lazy/smt.h"
#include "base/memory.h"

typedef enum outcome { NOT_DONE, AS_PLANNED, OTHERWISE } outcome;

typedef struct lazy {
    mz_calls calls;
    mz_smt *smt;      /* NULL: solve by linear extension */
    size_t return_to; /* the depth to go back to before the next execution; SIZE_MAX: it is under way */

    /* The plan of the current execution: after u1 of the call, these variables. */
    uint32_t *order;
    uint32_t planned, at;
    uint32_t running;    /* the variable whose event was begun, or MZ_NONE */
    outcome *outcomes;   /* [variable] */
    uint32_t *positions; /* [variable], if it was done */
    size_t order_capacity, outcome_capacity, position_capacity;
    uint64_t *common; /* scratch: a row of variables */
    size_t common_capacity;
} lazy;

static lazy *lazy_of(const mz_search *search)
{
    return search->algorithm_data;
}

/* ---- executing a plan ------------------------------------------------------------------------------ */

/* Certain and not a root: it does what it does in u, and makes the same choices. */
static bool is_unchanged(const mz_variations *v, uint32_t e)
{
    return mz_is_certain(v, e) && !mz_is_root(v, e);
}

/* The variable's event is the one at this position: what has become of it? */
static void settle(lazy *l, const mz_execution *x, uint32_t e, uint32_t position)
{
    const mz_variations *v = &mz_last_call(&l->calls)->variations;
    uint32_t choices = x->events[position].choice_count;
    bool same_choices = choices == v->variables[e].choice_count && (choices == 0 || is_unchanged(v, e));
    l->outcomes[e] = same_choices && mz_is_done_as_planned(v, e, x, position) ? AS_PLANNED : OTHERWISE;
    l->positions[e] = position;
}

static void settle_last(lazy *l, const mz_execution *x)
{
    if (l->running != MZ_NONE)
        settle(l, x, l->running, (uint32_t)x->length - 1);
    l->running = MZ_NONE;
}

/* Has everything before the variable happened as planned? */
static bool is_reached(const lazy *l, const mz_variations *v, uint32_t e)
{
    const uint64_t *before = mz_constraints_row(&v->system, v->system.before, e);
    MZ_FOR_EACH_EVENT(f, before, v->system.word_count)
    {
        if (l->outcomes[f] != AS_PLANNED)
            return false;
    }
    return true;
}

/* Can the variable's event happen now? One that is certain is tried in any case, to see what becomes of it;
 * others only where they will do what is planned. */
static bool is_possible(mz_search *s, const mz_variations *v, uint32_t e)
{
    const mz_event_variable *variable = &v->variables[e];
    mz_operation pending;
    if (!mz_threads_has(s->machine->status->ready, variable->thread))
        return false;
    if (mz_is_certain(v, e))
        return true;
    s->machine->class->pending(s->machine, variable->thread, &pending);
    return variable->choice_count == 0 && mz_is_as_planned(v, e, &pending);
}

static bool follow_plan(mz_search *s, uint32_t *thread)
{
    lazy *l = lazy_of(s);
    const mz_variations *v = &mz_last_call(&l->calls)->variations;
    while (l->at < l->planned) {
        uint32_t e = l->order[l->at++];
        if (!is_reached(l, v, e) || !is_possible(s, v, e))
            continue;
        const mz_event_variable *variable = &v->variables[e];
        uint32_t given = is_unchanged(v, e) ? variable->choice_count : 0;
        mz_choices_prescribe(&s->choices, given ? v->choices + variable->first_choice : NULL, given);
        l->running = e;
        *thread = variable->thread;
        return true;
    }
    return false;
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    lazy *l = lazy_of(s);
    size_t depth = s->execution->length;
    if (l->calls.count == 0 || l->return_to < depth)
        return false;
    l->return_to = SIZE_MAX;
    mz_search_return_to(s, depth);
    settle_last(l, s->execution);
    const mz_call *c = mz_last_call(&l->calls);
    if (depth < c->prefix) {
        const mz_step *step = &c->steps[depth];
        *thread = step->thread;
        mz_choices_prescribe(&s->choices, c->choices + step->first_choice, step->choice_count);
    } else if (!follow_plan(s, thread)) {
        *thread = mz_threads_first(node->enabled);
        mz_choices_prescribe(&s->choices, NULL, 0);
    }
    node->backtrack |= mz_threads_of(*thread);
    if (!mz_threads_has(node->enabled, *thread))
        mz_search_stop(s, "the program does not do the same when the same schedule is repeated");
    return !s->stop;
}

/* ---- what follows from an execution ---------------------------------------------------------------- */

/* Does the variable's operation wait at the end, as it does at the end of u? */
static bool waits_as_planned(const mz_search *s, const mz_variations *v, uint32_t e)
{
    uint32_t thread = v->variables[e].thread;
    mz_operation pending;
    if (!v->variables[e].waits || !mz_threads_has(s->machine->status->blocked, thread))
        return false;
    s->machine->class->pending(s->machine, thread, &pending);
    return mz_is_as_planned(v, e, &pending);
}

/* Was everything planned done as planned, and nothing else? */
static bool went_as_planned(const mz_search *s, const mz_call *c)
{
    const lazy *l = lazy_of(s);
    const mz_variations *v = &c->variations;
    size_t done = 0, waiting = 0;
    for (uint32_t e = 0; e < v->system.event_count; e++) {
        if (l->outcomes[e] == OTHERWISE || (l->outcomes[e] == NOT_DONE && !waits_as_planned(s, v, e)))
            return false;
        done += l->outcomes[e] == AS_PLANNED;
        waiting += l->outcomes[e] == NOT_DONE;
    }
    return done == s->execution->length - c->prefix &&
           waiting == mz_threads_count(s->machine->status->blocked);
}

/* The past of a variable, as the variation orders it, for `asked_for`; and a mark that it was impossible. */
static mz_hash hash_past(const mz_variations *v, uint32_t variable)
{
    uint32_t words = v->system.word_count;
    const uint64_t *before = mz_constraints_row(&v->system, v->system.before, variable);
    mz_hash h = mz_hash_start(variable);
    MZ_FOR_EACH_EVENT(e, before, words)
    {
        const uint64_t *row = mz_constraints_row(&v->system, v->system.before, e);
        h = mz_hash_add(h, e);
        for (uint32_t w = 0; w < words; w++)
            h = mz_hash_add(h, row[w]);
    }
    return h;
}

static mz_hash as_impossible(mz_hash past)
{
    return mz_hash_add(past, 1);
}

static void choose_variables(lazy *l, const mz_variations *v, const uint64_t *row)
{
    MZ_FOR_EACH_EVENT(e, row, v->system.word_count)
    {
        l->calls.chosen[l->positions[e]] = true;
    }
}

static void call_for_each_root(mz_search *s, size_t index)
{
    lazy *l = lazy_of(s);
    uint32_t count = l->calls.calls[index].variations.system.event_count;
    for (uint32_t e = 0; e < count; e++) {
        mz_call *c = &l->calls.calls[index]; /* they move when one is added */
        const mz_variations *v = &c->variations;
        if (!mz_is_root(v, e) || !mz_hash_set_add(&c->asked_for, hash_past(v, e)))
            continue;
        if (l->outcomes[e] == NOT_DONE) {
            mz_hash_set_add(&c->asked_for, as_impossible(hash_past(v, e)));
            continue;
        }
        mz_calls_choose(&l->calls, s->execution, c->prefix);
        choose_variables(l, v, mz_constraints_row(&v->system, v->system.before, e));
        l->calls.chosen[l->positions[e]] = true;
        mz_calls_ask(&l->calls, s, index);
    }
}

static void call_for_common_past(mz_search *s, size_t index)
{
    lazy *l = lazy_of(s);
    const mz_call *c = &l->calls.calls[index];
    const mz_variations *v = &c->variations;
    uint32_t words = v->system.word_count, roots = 0, root = 0;
    l->common = mz_grow(l->common, &l->common_capacity, words + 1, sizeof *l->common);
    for (uint32_t e = 0; e < v->system.event_count; e++) {
        if (!mz_is_root(v, e) || l->outcomes[e] == NOT_DONE)
            continue;
        const uint64_t *before = mz_constraints_row(&v->system, v->system.before, e);
        for (uint32_t w = 0; w < words; w++)
            l->common[w] = before[w] & (roots > 0 ? l->common[w] : UINT64_MAX);
        root = e;
        roots++;
    }
    if (roots == 0)
        return;
    mz_calls_choose(&l->calls, s->execution, c->prefix);
    choose_variables(l, v, l->common);
    if (roots == 1)
        l->calls.chosen[l->positions[root]] = true;
    mz_calls_ask(&l->calls, s, index);
}

static bool makes_choices(const mz_variations *v, uint32_t e)
{
    return mz_is_certain(v, e) && v->variables[e].choice_count > 0;
}

static void end_variation(mz_search *s)
{
    lazy *l = lazy_of(s);
    size_t index = l->calls.count - 1, prefix = l->calls.calls[index].prefix;
    bool as_planned = went_as_planned(s, &l->calls.calls[index]);
    if (!as_planned && s->options.visited_calls)
        call_for_common_past(s, index);
    else if (!as_planned)
        call_for_each_root(s, index);
    for (uint32_t k = (uint32_t)prefix; k < s->execution->length; k++)
        mz_calls_ask_for_choices(&l->calls, s, index, prefix, k, 0);
    mz_call *c = &l->calls.calls[index];
    for (uint32_t e = 0; e < c->variations.system.event_count; e++)
        if (makes_choices(&c->variations, e))
            mz_hash_set_add(&c->asked_for, hash_past(&c->variations, e));
}

/* ---- what to execute next -------------------------------------------------------------------------- */

/* Have there been calls for all that could follow from the variation? */
static bool is_covered(mz_call *c)
{
    const mz_variations *v = &c->variations;
    bool possible = false;
    for (uint32_t e = 0; e < v->system.event_count; e++) {
        if (!mz_is_root(v, e) && !makes_choices(v, e))
            continue;
        mz_hash past = hash_past(v, e);
        if (mz_is_root(v, e) && mz_call_is_asleep(c, e))
            mz_hash_set_add(&c->asked_for, past);
        if (!mz_hash_set_has(&c->asked_for, past))
            return false;
        possible |= mz_is_root(v, e) && !mz_hash_set_has(&c->asked_for, as_impossible(past));
    }
    return possible;
}

static bool plan_variation(mz_search *s, mz_call *c)
{
    lazy *l = lazy_of(s);
    mz_variations *v = &c->variations;
    uint32_t count = v->system.event_count;
    do {
        if (v->event_count == 0 || s->stop || !mz_variations_next(v))
            return false; /* without events u1 is all there is: nothing is enabled after it */
        if ((++s->statistics.constraint_systems & 1023) == 0)
            mz_search_look_around(s);
    } while (!s->options.visited_calls && is_covered(c));
    l->order = mz_grow(l->order, &l->order_capacity, count, sizeof *l->order);
    l->outcomes = mz_grow(l->outcomes, &l->outcome_capacity, count, sizeof *l->outcomes);
    l->positions = mz_grow(l->positions, &l->position_capacity, count, sizeof *l->positions);
    for (uint32_t e = 0; e < count; e++)
        l->outcomes[e] = NOT_DONE;
    mz_variations_solve(v, l->smt, l->order);
    l->planned = count;
    return true;
}

static mz_hash identity_of(const mz_search *s, const mz_call *c)
{
    return s->options.visited_calls ? mz_hash_combine(mz_hash_add(c->trace, 1), c->whole) : c->trace;
}

static bool is_asleep(const mz_calls *l, const mz_call *c)
{
    for (size_t i = 0; i < c->past_count; i++)
        if (mz_hash_set_has(&l->calls[c->parent].asleep, c->pasts[i]))
            return true;
    return false;
}

/* False if it is for nothing. Whether it has been made before is known when u2 is. */
static bool begin_call(mz_search *s, mz_call *c)
{
    mz_calls *l = &lazy_of(s)->calls;
    if (is_asleep(l, c) || (c->has_reference && mz_hash_set_has(&l->done, identity_of(s, c))))
        return false;
    if (!c->has_reference)
        return true;
    c->begun = true;
    if (s->options.visited_calls)
        mz_hash_set_add(&l->done, identity_of(s, c));
    else if (c->parent != SIZE_MAX)
        mz_hash_set_add_all(&c->asleep, &l->calls[c->parent].asleep);
    return true;
}

static void end_call(mz_search *s, const mz_call *c)
{
    mz_calls *l = &lazy_of(s)->calls;
    uint64_t avoided = mz_constraints_avoided(&c->variations.system);
    uint64_t *sum = &s->statistics.unsatisfiable_avoided;
    *sum = avoided > UINT64_MAX - *sum ? UINT64_MAX : *sum + avoided;
    if (s->options.visited_calls)
        return;
    mz_hash_set_add(&l->done, identity_of(s, c));
    if (c->is_one_past)
        mz_hash_set_add(&l->calls[c->parent].asleep, c->pasts[c->past_count - 1]);
}

/* To how many events can the current execution be kept for the plan? Beyond u1 it is kept while it does the
 * certain variables in the planned order: they would be tried, and turn out, just so. (Its last event never
 * is: there is something left to do.) */
static size_t keep_events(lazy *l, const mz_execution *x, const mz_call *c)
{
    const mz_variations *v = &c->variations;
    size_t depth = mz_call_shares(c, x);
    for (; depth >= c->prefix && depth + 1 < x->length && l->at < l->planned; l->at++, depth++) {
        uint32_t e = l->order[l->at];
        const mz_event *event = &x->events[depth];
        if (!mz_is_certain(v, e) || v->variables[e].thread != event->thread ||
            v->variables[e].index != event->index || event->choice_count + v->variables[e].choice_count > 0)
            break;
        settle(l, x, e, (uint32_t)depth);
    }
    return depth;
}

static void plan_next(mz_search *s)
{
    lazy *l = lazy_of(s);
    l->planned = l->at = 0;
    while (l->calls.count > 0) {
        mz_call *c = mz_last_call(&l->calls);
        if (c->begun || begin_call(s, c)) {
            if (!c->has_reference || plan_variation(s, c)) {
                l->return_to = keep_events(l, s->execution, c);
                return;
            }
            end_call(s, c);
        }
        l->calls.count--;
    }
}

static void leaf(mz_search *s)
{
    lazy *l = lazy_of(s);
    if (l->calls.count == 0)
        return; /* nothing has ever happened */
    mz_search_return_to(s, s->execution->length);
    settle_last(l, s->execution);
    if (mz_last_call(&l->calls)->has_reference) {
        end_variation(s);
    } else {
        mz_calls_take_reference(&l->calls, s);
        s->statistics.constraint_systems++; /* the one of u2 itself */
    }
    plan_next(s);
}

static void enter(mz_search *s, mz_node *node)
{
    (void)node;
    if (s->execution->length > 0)
        return;
    mz_calls_start(&lazy_of(s)->calls);
    plan_next(s);
}

/* They are calls of their own. */
static bool no_other_choices(mz_search *search)
{
    (void)search;
    return false;
}

static void run(mz_search *search)
{
    if (search->machine->complex_blocking) {
        mz_algorithm_source.run(search);
        return;
    }
    lazy l = {.running = MZ_NONE, .smt = search->options.smt ? mz_smt_create() : NULL};
    search->algorithm_data = &l;
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .repeats = true,
                                       .enter = enter,
                                       .leaf = leaf,
                                       .next = next,
                                       .try_choices = no_other_choices,
                                   });
    mz_smt_destroy(l.smt);
    mz_calls_release(&l.calls);
    mz_release(l.order);
    mz_release(l.outcomes);
    mz_release(l.positions);
    mz_release(l.common);
}

static const mz_option lazy_option = {
    .name = "lazy",
    .argument = "branching|visited",
    .help = "plan up to the first change (default), or remember the calls made",
    .audience = MZ_FOR_CHECK | MZ_FOR_ESTIMATE,
    .type = MZ_OPTION_EITHER,
    .at = offsetof(mz_search_options, visited_calls),
};

static void set_solver(void *target, const char *name, mz_error *error)
{
    mz_search_options *options = target;
    options->smt = mz_parse_word("solver", name, "linear|smt", error) == 1;
    if (options->smt && !mz_smt_is_available()) {
        mz_error_set(error, (mz_position){0}, "option --solver=smt: Z3 is not there");
        mz_error_set_hint(error, "install libz3-dev and build again, or use --solver=linear");
    }
}

static const mz_option solver_option = {
    .name = "solver",
    .argument = "linear|smt",
    .help = "solve constraints by linear extension (default) or Z3",
    .audience = MZ_FOR_CHECK | MZ_FOR_ESTIMATE,
    .set = set_solver,
};

const mz_algorithm mz_algorithm_lazy = {
    .name = "lazy",
    .description = "LazyPOR: whole executions planned ahead by constraint systems (--lazy, --solver)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_LOCKS | MZ_REFINES_ROUNDS,
    .repeats = true,
    .reads_the_last = true, /* variations are planned by what reads read */
    .in_one_piece = true,   /* its calls refer to each other's results: calls.h */
    .options = (const mz_option *const[]){&lazy_option, &solver_option, NULL},
    .run = run,
};
