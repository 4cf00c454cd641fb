/* What a reader of a counterexample has to see although it is no step; and which steps come before which. */
#include "base/memory.h"
#include "search/witness/witness.h"

static char *take(mz_text *text)
{
    char *copy = mz_copy_string(mz_text_string(text));
    mz_text_release(text);
    return copy;
}

void mz__moments_release(mz_problem *problem)
{
    for (size_t i = 0; i < problem->moment_count; i++) {
        mz_release(problem->moments[i].text);
        mz_release(problem->moments[i].effect);
    }
    mz_release(problem->moments);
    problem->moments = NULL;
    problem->moment_count = problem->moment_capacity = 0;
    for (uint32_t t = 0; t < problem->thread_count; t++)
        mz_release(problem->threads[t]);
    mz_release(problem->threads);
    problem->threads = NULL;
    problem->thread_count = 0;
}

void mz__moments_begin(mz_problem *problem, mz_machine *machine)
{
    mz__moments_release(problem);
    machine->remark_count = 0;
}

static mz_moment *add(mz_problem *problem, size_t after, uint32_t thread)
{
    problem->moments = mz_grow(problem->moments, &problem->moment_capacity, problem->moment_count + 1,
                               sizeof *problem->moments);
    mz_moment *moment = &problem->moments[problem->moment_count++];
    *moment = (mz_moment){.after = after, .thread = thread};
    return moment;
}

void mz__moments_note(mz_problem *problem, mz_machine *machine, size_t after)
{
    for (uint32_t i = 0; i < machine->remark_count; i++) {
        mz_remark *remark = &machine->remarks[i];
        mz_moment *moment = add(problem, after, remark->thread);
        moment->position = remark->position;
        moment->text = mz_copy_string(mz_text_string(&remark->words));
        moment->effect = mz_copy_string(mz_text_string(&remark->words));
    }
    machine->remark_count = 0;
}

static void add_waiting(mz_problem *problem, mz_machine *machine, uint32_t thread)
{
    mz_text text = {0};
    mz_moment *moment = add(problem, problem->step_count, thread);
    machine->class->describe_pending(machine, thread, &text, &moment->position);
    moment->is_end = true;
    moment->text = take(&text);
    moment->effect = mz_copy_string("waits for ever"); /* for what, the message says */
}

/* In a model it is the last step itself that fails: an operation of its own. */
static bool is_last_step(const mz_problem *problem, const mz_failure *failure)
{
    const mz_witness_step *last = problem->step_count ? &problem->steps[problem->step_count - 1] : NULL;
    return last && last->thread == failure->thread && last->position.line == failure->position.line &&
           last->position.column == failure->position.column;
}

/* What is found when the program is over has no operation that fails. */
static void add_failing(mz_problem *problem, const mz_failure *failure)
{
    if (failure->kind == MZ_FAIL_LEAK || failure->position.line == 0 || is_last_step(problem, failure))
        return;
    mz_moment *moment = add(problem, problem->step_count, failure->thread);
    moment->is_end = true;
    moment->position = failure->position;
    moment->text = mz_copy_string(mz_text_string(&failure->message));
    moment->effect = mz_copy_string("");
}

static void name_threads(mz_problem *problem, mz_machine *machine)
{
    const mz_status *s = machine->status;
    mz_threads all = s->ready | s->blocked | s->finished | s->pruned | s->failed;
    for (size_t i = 0; i < problem->step_count; i++)
        all |= mz_threads_of(problem->steps[i].thread); /* store buffers are none of these when empty */
    if (!machine->class->describe_thread || !mz_threads_any(all))
        return;
    problem->thread_count = mz_threads_last(all) + 1;
    problem->threads = mz_allocate_zeroed(problem->thread_count, sizeof *problem->threads);
    MZ_FOR_EACH_THREAD(t, all)
    {
        mz_text name = {0};
        machine->class->describe_thread(machine, t, &name);
        problem->threads[t] = take(&name);
    }
}

void mz__moments_end(mz_problem *problem, mz_machine *machine, bool fails)
{
    const mz_failure *failure = &problem->failure;
    name_threads(problem, machine);
    if (!fails)
        return;
    if (failure->kind != MZ_FAIL_DEADLOCK && failure->kind != MZ_FAIL_LIVELOCK) {
        add_failing(problem, failure);
        return;
    }
    mz_threads waiting = machine->status->blocked;
    if (machine->class->locked_for_ever && mz_threads_any(machine->status->ready))
        waiting = machine->class->locked_for_ever(machine);
    MZ_FOR_EACH_THREAD(t, waiting)
    {
        add_waiting(problem, machine, t);
    }
}

/* ---- links ----------------------------------------------------------------------------------------------
 */

static void add_link(mz_problem *problem, size_t *capacity, uint32_t from, uint32_t to)
{
    if (from == MZ_NONE)
        return;
    problem->links = mz_grow(problem->links, capacity, problem->link_count + 1, sizeof *problem->links);
    problem->links[problem->link_count++] = (mz_link){from, to};
}

/* Races are what happens before an event directly; causes are program order across threads. */
void mz__links_take(mz_problem *problem, const mz_execution *x)
{
    size_t capacity = 0;
    mz_release(problem->links);
    problem->links = NULL;
    problem->link_count = 0;
    for (uint32_t to = 0; to < x->length; to++) {
        const mz_event *event = &x->events[to];
        for (uint32_t i = 0; i < event->race_count; i++)
            add_link(problem, &capacity, x->races[event->first_race + i], to);
        for (uint32_t i = 0; i < event->cause_count; i++) {
            const mz_cause *cause = &x->causes[event->first_cause + i];
            if (cause->thread != event->thread)
                add_link(problem, &capacity, mz_position_of(x, cause->thread, cause->index), to);
        }
    }
}

/* ---- threads that wait for ever, in words ----------------------------------------------------------------
 */

static void tell_waiting(mz_machine *machine, mz_threads told, mz_text *out, const char *before)
{
    MZ_FOR_EACH_THREAD(t, told)
    {
        mz_text_add(out, "%s%s %u waits for ", before, machine->class->thread_word, t);
        machine->class->describe_wait(machine, t, out);
        before = "; ";
    }
}

mz_failure mz_describe_stuck(mz_machine *machine, mz_failure_kind kind, mz_threads who, mz_threads told)
{
    mz_failure failure = {.kind = kind, .thread = mz_threads_first(who)};
    mz_text ignored = {0};
    machine->class->describe_pending(machine, failure.thread, &ignored, &failure.position);
    mz_text_release(&ignored);
    mz_text_add(&failure.message, "%s", mz_failure_name(kind));
    mz_threads circle =
        machine->class->locked_for_ever ? machine->class->locked_for_ever(machine) & told : MZ_NO_THREADS;
    tell_waiting(machine, circle, &failure.message, ": ");
    tell_waiting(machine, told & ~circle, &failure.message, mz_threads_any(circle) ? "; " : ": ");
    return failure;
}

bool mz_waits_alike(mz_machine *machine, const mz_failure *failure, mz_failure *words)
{
    mz_threads spinning = machine->status->spinning, waiting = machine->status->blocked;
    bool circle = false;
    mz_threads who = failure->kind == MZ_FAIL_LIVELOCK ? spinning
                     : mz_threads_any(spinning) && machine->class->deadlocked
                         ? machine->class->deadlocked(machine, &circle)
                         : waiting & ~spinning;
    if (!mz_threads_any(who))
        return false;
    mz_failure now = mz_describe_stuck(machine, failure->kind, who, waiting);
    bool alike = mz_failure_same(&now, failure);
    if (alike && words)
        mz_failure_copy(words, &now);
    mz_failure_release(&now);
    return alike;
}
