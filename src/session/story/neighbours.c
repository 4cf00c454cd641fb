/* Is there a simpler execution that fails alike? Simpler is: fewer context switches; of as many, fewer steps.
 * What has nothing to do with the failure is a run of steps that can be left out: after it was, threads may
 * go other ways than before, so that each candidate is run to see what becomes of it. Then the executions
 * with few context switches are gone through, one switch more each time, until one fails alike or the effort
 * is spent: of the executions with the fewest switches there are not many.
 *
 * Under weak memory all executions that are tried are interleavings: what is read is what was written last.
 * One of these is simpler than any that is none. */
#include <string.h>

#include "base/memory.h"
#include "search/search.h"
#include "session/story/story_internal.h"

enum { MOST_STEPS = 60000, MOST_RUNS = 200, LONGEST = 3000 };

typedef struct run {
    uint32_t thread;
    size_t length;
} run;

typedef struct hunt {
    mz_problem *problem;
    mz_machine *machine;
    uint64_t effort; /* steps made */
    mz_schedule best;
    size_t best_switches;
    /* The execution at hand. */
    uint32_t threads[LONGEST];
    mz_choice from[LONGEST]; /* under weak memory, what the step reads from: the last write, choice 0 */
    bool reads[LONGEST];     /* there was something to choose from */
    size_t length, switches;
    mz_operation executed;
    mz_choices choices;
    char *snapshots; /* of a model, by depth */
    size_t snapshot_capacity;
    /* Of those that were left in the middle: has anything happened since that their next step depends on? */
    mz_threads left;
} hunt;

static size_t count_switches(const uint32_t *threads, size_t length)
{
    size_t count = 0;
    for (size_t i = 1; i < length; i++)
        count += threads[i] != threads[i - 1];
    return count;
}

static void keep_state(hunt *h)
{
    size_t bytes = h->machine->snapshot_bytes;
    if (!h->machine->class->save)
        return;
    h->snapshots = mz_grow(h->snapshots, &h->snapshot_capacity, (h->length + 1) * bytes, 1);
    h->machine->class->save(h->machine, h->snapshots + h->length * bytes);
}

static void go_back(hunt *h, size_t length)
{
    if (h->length == length)
        return;
    h->length = length;
    if (h->machine->class->save)
        h->machine->class->restore(h->machine, h->snapshots + length * h->machine->snapshot_bytes);
    else
        h->machine->class->rewind(h->machine, length);
}

static bool begin(hunt *h)
{
    mz_choices_prescribe(&h->choices, h->problem->choices, h->problem->initial_choices);
    h->length = 0;
    mz_outcome outcome = h->machine->class->reset(h->machine, &h->choices);
    keep_state(h);
    return outcome == MZ_STEP_DONE && !h->machine->begin_again;
}

typedef enum ending { GOES_ON, FAILS_ALIKE, ENDS_OTHERWISE } ending;

static bool waits_at_end(const hunt *h)
{
    return h->problem->failure.kind == MZ_FAIL_DEADLOCK;
}

/* The choices of the step that was made: none but that of an interleaving, which is kept. */
static bool keeps_to_interleaving(hunt *h, size_t step)
{
    const mz_choices *c = &h->choices;
    h->reads[step] = h->machine->weak && c->count == 1 && !c->made[0].name && c->made[0].value == 0;
    if (h->reads[step])
        h->from[step] = c->made[0];
    return c->count == 0 || h->reads[step];
}

/* One step of a thread that is ready. A choice that is not the only one makes it another program. */
static ending make_step(hunt *h, uint32_t thread)
{
    mz_machine *m = h->machine;
    mz_choices_prescribe(&h->choices, NULL, 0);
    m->most_further = m->goes_on = m->together = 0;
    mz_outcome outcome = m->class->step(m, thread, &h->choices, &h->executed);
    h->effort++;
    h->threads[h->length++] = thread;
    keep_state(h);
    bool chose = !keeps_to_interleaving(h, h->length - 1);
    if (m->begin_again || chose || (outcome != MZ_STEP_DONE && outcome != MZ_STEP_FAILED))
        return ENDS_OTHERWISE;
    if (outcome == MZ_STEP_FAILED)
        return !waits_at_end(h) && mz_witness_is_alike(m, h->problem, outcome) ? FAILS_ALIKE : ENDS_OTHERWISE;
    if (mz_threads_any(m->status->ready))
        return h->length < LONGEST ? GOES_ON : ENDS_OTHERWISE;
    return waits_at_end(h) && mz_waits_alike(m, &h->problem->failure, NULL) ? FAILS_ALIKE : ENDS_OTHERWISE;
}

static bool is_simpler(const hunt *h)
{
    size_t switches = count_switches(h->threads, h->length);
    return switches < h->best_switches || (switches == h->best_switches && h->length < h->best.length);
}

static void take(hunt *h)
{
    size_t initial = h->problem->initial_choices;
    mz_schedule_release(&h->best);
    h->best = (mz_schedule){.initial_choices = initial};
    h->best.choices = mz_allocate_zeroed(initial + 1, sizeof *h->best.choices);
    memcpy(h->best.choices, h->problem->choices, initial * sizeof *h->best.choices);
    for (size_t i = 0; i < h->length; i++)
        mz_schedule_add(&h->best, h->threads[i], h->reads[i] ? &h->from[i] : NULL, h->reads[i]);
    h->best_switches = count_switches(h->threads, h->length);
}

/* ---- runs of steps that are left out --------------------------------------------------------------------
 */

static size_t runs_of(const mz_schedule *s, run *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < s->length && count < MOST_RUNS; i++) {
        if (i == 0 || s->threads[i] != s->threads[i - 1])
            runs[count++] = (run){s->threads[i], 0};
        runs[count - 1].length++;
    }
    return count;
}

/* As far as the runs can be made; then everybody goes on for as long as possible. */
static ending make_runs(hunt *h, const run *runs, size_t count)
{
    ending e = begin(h) ? GOES_ON : ENDS_OTHERWISE;
    uint32_t thread = 0;
    for (size_t i = 0; i < count && e == GOES_ON; i++) {
        thread = runs[i].thread;
        for (size_t k = 0; k < runs[i].length && e == GOES_ON; k++) {
            if (!mz_threads_has(h->machine->status->ready, thread))
                break;
            e = make_step(h, thread);
        }
    }
    while (e == GOES_ON && h->length <= 2 * h->problem->original_steps + 100) {
        if (!mz_threads_has(h->machine->status->ready, thread))
            thread = mz_threads_first(h->machine->status->ready);
        e = make_step(h, thread);
    }
    return e;
}

/* Without the i-th run, or with it at the end of the one before of its thread. */
static size_t change_runs(const run *from, size_t count, size_t i, bool moves, run *to)
{
    size_t n = 0, before = SIZE_MAX;
    for (size_t k = 0; k < i; k++)
        if (from[k].thread == from[i].thread)
            before = k;
    if (moves && (before == SIZE_MAX || before + 1 == i))
        return 0;
    for (size_t k = 0; k < count; k++) {
        if (k == i)
            continue;
        to[n] = from[k];
        to[n++].length += moves && k == before ? from[i].length : 0;
    }
    return n;
}

static bool leave_out_one(hunt *h)
{
    run runs[MOST_RUNS], fewer[MOST_RUNS];
    size_t count = runs_of(&h->best, runs);
    for (size_t i = 0; i < count && h->effort < MOST_STEPS / 2; i++)
        for (int moves = 0; moves < 2; moves++) {
            size_t n = change_runs(runs, count, i, moves, fewer);
            if (n > 0 && make_runs(h, fewer, n) == FAILS_ALIKE && is_simpler(h)) {
                take(h);
                return true;
            }
        }
    return false;
}

/* ---- all executions with few switches -------------------------------------------------------------------
 */

/* A thread that was left in the middle may as well have made its next step at once, as long as nobody has
 * done what that depends on: those executions are among the others, and have no more switches. */
static mz_threads still_left(hunt *h, mz_threads left)
{
    mz_threads still = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, left)
    {
        mz_operation pending;
        if (!mz_threads_has(h->machine->status->ready, t))
            continue;
        h->machine->class->pending(h->machine, t, &pending);
        if (!mz_operations_conflict(&pending, &h->executed))
            still |= mz_threads_of(t);
    }
    return still;
}

typedef struct level {
    mz_threads untried, left;
    uint32_t current;
    size_t switches;
} level;

/* Before the first step nobody is at hand. */
static bool is_at_hand(uint32_t current, mz_threads set)
{
    return current < MZ_MAX_THREADS && mz_threads_has(set, current);
}

static level level_of(const hunt *h, uint32_t current, size_t switches, size_t most, mz_threads left)
{
    mz_threads ready = h->machine->status->ready;
    mz_threads same = is_at_hand(current, ready) ? mz_threads_of(current) : MZ_NO_THREADS;
    bool may_switch = switches < most;
    return (level){.untried = may_switch ? ready & ~(left & ~same) : same,
                   .left = left,
                   .current = current,
                   .switches = switches};
}

/* The thread at hand first. */
static uint32_t next_of(level *l)
{
    uint32_t thread = is_at_hand(l->current, l->untried) ? l->current : mz_threads_first(l->untried);
    l->untried &= ~mz_threads_of(thread);
    return thread;
}

/* Depth first. Returns true if all was tried or one was found, false if the effort is spent. */
static bool try_all(hunt *h, size_t most, bool *found)
{
    static level levels[LONGEST + 1];
    if (!begin(h))
        return false;
    levels[0] = level_of(h, MZ_MAX_THREADS, 0, most + 1, MZ_NO_THREADS);
    for (size_t depth = 0;;) {
        level *l = &levels[depth];
        if (h->effort >= MOST_STEPS || h->machine->begin_again)
            return false;
        if (!mz_threads_any(l->untried)) {
            if (depth == 0)
                return true;
            depth--;
            continue;
        }
        go_back(h, depth);
        uint32_t thread = next_of(l);
        bool was_ready = is_at_hand(l->current, h->machine->status->ready);
        mz_threads left = l->left;
        if (thread != l->current && was_ready)
            left |= mz_threads_of(l->current);
        ending e = make_step(h, thread);
        if (e == FAILS_ALIKE && is_simpler(h)) {
            take(h);
            *found = true;
            return true;
        }
        if (e != GOES_ON)
            continue;
        size_t switches = l->switches + (depth > 0 && thread != l->current);
        levels[++depth] = level_of(h, thread, switches, most, still_left(h, left & ~mz_threads_of(thread)));
    }
}

/* Other choices under weak memory are those of what is read from. */
static bool has_inputs(const mz_problem *problem)
{
    for (size_t i = problem->initial_choices; i < problem->choice_count; i++)
        if (problem->choices[i].name)
            return true;
    return false;
}

bool mz__is_interleaving(const mz_problem *problem)
{
    for (size_t i = problem->initial_choices; i < problem->choice_count; i++)
        if (!problem->choices[i].name && problem->choices[i].value != 0)
            return false;
    return true;
}

static bool can_be_tried(const mz_problem *problem, const mz_machine *machine)
{
    mz_failure_kind kind = problem->failure.kind;
    return problem->step_count > 2 && problem->step_count < LONGEST &&
           (machine->weak ? !has_inputs(problem) : problem->choice_count == problem->initial_choices) &&
           !machine->has_boundaries && kind != MZ_FAIL_LIVELOCK && kind != MZ_FAIL_LEAK &&
           kind != MZ_FAIL_HISTORY && (machine->class->save || machine->class->rewind);
}

void mz__find_neighbour(mz_problem *problem, mz_machine *machine, mz_bytes *out)
{
    static hunt h;
    bool found = false;
    h = (hunt){.problem = problem, .machine = machine};
    if (!can_be_tried(problem, machine))
        return;
    mz__schedule_of(problem, &h.best);
    bool simple = !machine->weak || mz__is_interleaving(problem);
    h.best_switches = simple ? problem->context_switches : SIZE_MAX;
    while (h.effort < MOST_STEPS / 2 && leave_out_one(&h))
        found = true;
    for (size_t most = 1; most <= h.best_switches; most++)
        if (!try_all(&h, most, &found) || h.best_switches <= most)
            break;
    if (found && !machine->begin_again)
        mz_schedule_write(&h.best, out);
}
