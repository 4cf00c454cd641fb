/* With which step was it decided that the execution fails? Before it some continuation passes; after it, none
 * does. If no continuation passes after some step, none does after any later one: so that step is found by
 * halving. Whether one does is found out by a search of the continuations alone: one branch of `source`,
 * whose races with the steps before it are nobody's. That is an argument about a program that begins in the
 * state there, so that every trace of the continuations is visited (search/races.c). */
#include "algo/algorithm.h"
#include "base/memory.h"
#include "search/frontier.h"
#include "session/story/story_internal.h"

enum { MOST_EVENTS = 20000, LONGEST = 10000 };

typedef enum answer { NONE_PASSES, ONE_PASSES, UNKNOWN } answer;

typedef struct quest {
    mz_machine *machine;
    mz_schedule schedule; /* of the counterexample */
    size_t length;        /* steps that are given */
    mz_schedule passing;  /* the one of the longest beginning */
    size_t passing_from;
    bool found, doubtful;
    uint64_t tried;
} quest;

void mz__schedule_of(const mz_problem *problem, mz_schedule *schedule)
{
    *schedule = (mz_schedule){.initial_choices = problem->initial_choices};
    schedule->choices = mz_allocate_zeroed(problem->initial_choices + 1, sizeof *schedule->choices);
    for (size_t i = 0; i < problem->initial_choices; i++)
        schedule->choices[i] = problem->choices[i];
    for (size_t i = 0; i < problem->step_count; i++) {
        const mz_witness_step *step = &problem->steps[i];
        mz_schedule_add(schedule, step->thread, mz_witness_choices(problem, step), step->choice_count);
    }
}

/* The search tries the greater choices of the last given step, too: those are other beginnings. */
static bool begins_as_given(const quest *q, const mz_execution *x)
{
    if (x->length < q->length)
        return false;
    for (size_t i = 0; i < q->length; i++) {
        size_t count;
        const mz_choice *choices = mz_schedule_choices(&q->schedule, i, &count);
        if (x->events[i].thread != q->schedule.threads[i] || x->events[i].choice_count != count)
            return false;
        for (size_t c = 0; c < count; c++)
            if (x->choices[x->events[i].first_choice + c].value != choices[c].value)
                return false;
    }
    return true;
}

static void look_at_leaf(void *context, mz_search *search, mz_leaf leaf)
{
    quest *q = context;
    if (!begins_as_given(q, search->execution) || leaf == MZ_LEAF_BLOCKED)
        return;
    q->found = leaf == MZ_LEAF_COMPLETE;
    q->doubtful |= leaf == MZ_LEAF_CUT || leaf == MZ_LEAF_VISITED || leaf == MZ_LEAF_CLOSED;
    q->tried++;
    if (q->found) {
        mz_schedule_release(&q->passing);
        mz_schedule_copy(&q->passing, search->execution);
        q->passing_from = q->length;
        search->stop = true;
    }
}

/* All steps that are given, the last of them as a branch of the state before it. */
static mz_work_item beginning_of(const quest *q)
{
    mz_work_item item = {.form = MZ_ITEM_ROOT, .whole = true};
    if (q->length == 0)
        return item;
    item = (mz_work_item){.form = MZ_ITEM_BRANCH};
    mz_schedule_copy_part(&item.prefix, &q->schedule, q->length);
    mz_branch_write(&item, MZ_NO_THREADS, q->length - 1);
    return item;
}

/* Does an execution pass that begins with so many steps? */
static answer does_one_pass(quest *q, size_t length)
{
    mz_search search;
    mz_frontier frontier = {0};
    mz_search_options options = {
        .relation = q->machine->relation,
        .all_errors = true,
        .repeats_nothing = true,
        .one_valuation = true,
        .valuation = q->schedule.choices,
        .valuation_length = q->schedule.initial_choices,
        .limits = {.events = MOST_EVENTS + length, .depth = LONGEST},
    };
    q->length = length;
    q->found = q->doubtful = false;
    q->tried = 0;
    mz_work_item item = beginning_of(q);
    bool ignores = q->machine->ignore_assertions;
    mz_search_init(&search, q->machine, &options);
    q->machine->ignore_assertions = ignores;
    search.observe = look_at_leaf;
    search.observe_context = q;
    mz_frontier_search(&frontier, &search, mz_branch_algorithm->run, &item);
    bool whole = !search.stop && !search.begin_again && search.stuck == 0 && !q->doubtful &&
                 frontier.refused.length == 0 && q->tried > 0;
    mz_frontier_release(&frontier);
    mz_work_item_release(&item);
    mz_search_release(&search);
    return q->found ? ONE_PASSES : whole ? NONE_PASSES : UNKNOWN;
}

/* After these steps: can the thread of the next one make it, without a choice? */
static bool is_next_ready(quest *q, size_t length)
{
    mz_machine *m = q->machine;
    mz_choices choices = {0};
    mz_operation executed;
    bool goes = true;
    mz_choices_prescribe(&choices, q->schedule.choices, q->schedule.initial_choices);
    m->class->reset(m, &choices);
    for (size_t i = 0; i <= length && goes; i++) {
        size_t count;
        const mz_choice *made = mz_schedule_choices(&q->schedule, i, &count);
        uint32_t thread = q->schedule.threads[i];
        goes = mz_threads_has(m->status->ready, thread);
        mz_choices_prescribe(&choices, made, count);
        m->most_further = m->goes_on = m->together = 0;
        if (goes)
            goes = m->class->step(m, thread, &choices, &executed) == MZ_STEP_DONE && choices.count == count;
    }
    mz_release(choices.made);
    return goes;
}

/* Otherwise there is no order to decide upon. */
static bool has_several_threads(quest *q)
{
    const mz_status *s = q->machine->status;
    mz_choices choices = {0};
    if (q->schedule.length > 0) {
        is_next_ready(q, q->schedule.length - 1);
    } else {
        mz_choices_prescribe(&choices, q->schedule.choices, q->schedule.initial_choices);
        q->machine->class->reset(q->machine, &choices);
        mz_release(choices.made);
    }
    return mz_threads_count(s->ready | s->blocked | s->finished | s->pruned | s->failed) > 1;
}

static void write_decision(const quest *q, mz_decided decided, size_t step, uint64_t tried, mz_bytes *out)
{
    mz_bytes_add_number(out, decided);
    mz_bytes_add_number(out, step);
    mz_bytes_add_number(out, tried);
    if (decided == MZ_DECIDED_IN_STEP || decided == MZ_DECIDED_PERHAPS)
        mz_schedule_write(&q->passing, out);
}

/* What would have been fine instead is told best of who takes part in the rest: of the others first, that one
 * who comes next. */
static void prefer_who_takes_part(quest *q, size_t step)
{
    uint32_t decisive = q->schedule.threads[step - 1];
    mz_threads tried = mz_threads_of(decisive);
    mz_schedule whole = q->schedule;
    for (size_t i = step; i < whole.length; i++) {
        uint32_t thread = whole.threads[i];
        if (mz_threads_has(tried, thread))
            continue;
        tried |= mz_threads_of(thread);
        mz_schedule_copy_part(&q->schedule, &whole, step - 1);
        mz_schedule_add(&q->schedule, thread, NULL, 0);
        answer a = is_next_ready(q, step - 1) ? does_one_pass(q, step) : UNKNOWN;
        mz_schedule_release(&q->schedule);
        if (a == ONE_PASSES)
            break;
    }
    q->schedule = whole;
    q->length = step - 1;
}

static mz_decided outcome_of(const quest *q, size_t fails, bool certain)
{
    if (q->machine->begin_again || (fails == 0 && !certain) || (fails > 0 && q->passing_from + 1 != fails))
        return MZ_DECIDED_UNKNOWN;
    return fails == 0 ? MZ_DECIDED_AT_START : certain ? MZ_DECIDED_IN_STEP : MZ_DECIDED_PERHAPS;
}

/* No execution is known to pass that begins with the first `fails` steps; one is for each shorter beginning
 * of less than `passes` steps. */
void mz__find_decision(mz_problem *problem, mz_machine *machine, mz_bytes *out)
{
    quest q = {.machine = machine};
    mz__schedule_of(problem, &q.schedule);
    if (!has_several_threads(&q))
        return;
    size_t passes = 0, fails = problem->step_count;
    uint64_t tried = 0;
    bool certain = true;
    while (passes < fails && !machine->begin_again) {
        size_t middle = passes + (fails - passes) / 2;
        answer a = does_one_pass(&q, middle);
        if (a == ONE_PASSES) {
            passes = middle + 1;
        } else {
            fails = middle;
            certain = a == NONE_PASSES;
            tried = q.tried;
        }
    }
    mz_decided decided = outcome_of(&q, fails, certain);
    if (decided == MZ_DECIDED_IN_STEP || decided == MZ_DECIDED_PERHAPS)
        prefer_who_takes_part(&q, fails);
    write_decision(&q, machine->begin_again ? MZ_DECIDED_UNKNOWN : decided, fails, tried, out);
}
