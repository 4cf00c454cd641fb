/* Where the constraints of an iteration come from. To begin with, the threads have their iterations one after
 * the other, in the order of their numbers: as sequential as they can be, which excludes most failures. That
 * is one edge for each two threads: from the end of one's iteration to the other one's first operation. Then
 * each edge is left out, or made weaker, as far as what becomes possible can be verified
 * (safe/plan/small_set.c): from every state at the boundary that the constrained program reaches, since that
 * is what exploring it means (search/loop_closing.c). */
#include "safe/verify/iterations.h"

#include <string.h>

#include "base/memory.h"
#include "safe/plan/constrained.h"
#include "safe/plan/small_set.h"
#include "session/learn.h"

/* Without constraints. */
typedef struct unconstrained {
    mz_settings settings;
    mz_machine *machine;
    mz_result *result;
} unconstrained;

static bool try_to_check(void *context)
{
    unconstrained *u = context;
    if (u->result->search.machine)
        mz_result_release(u->result); /* of the attempt before */
    *u->result = (mz_result){0};
    mz_result_run(u->result, u->machine, &u->settings, u->settings.files[0],
                  mz_default_algorithm_for(u->machine));
    return u->result->search.begin_again;
}

/* The machine may learn something on the way. */
static void check(const mz_settings *settings, mz_machine *machine, mz_result *result)
{
    unconstrained u = {*settings, machine, result};
    u.settings.search.safe_prefix = NULL;
    u.settings.search.all_errors = false;
    *result = (mz_result){0};
    mz_learn(machine, mz_native_prepare, true, try_to_check, &u);
}

static void add_event(mz_plan *plan, uint32_t thread, uint32_t count)
{
    plan->events = mz_grow(plan->events, &plan->event_capacity, plan->event_count + 1, sizeof *plan->events);
    plan->events[plan->event_count++] = (mz_plan_event){
        .thread = thread,
        .count = count,
        .kind = MZ_OP_BOUNDARY,
        .picks = MZ_PLAN_PICKS_NOBODY,
        .place = MZ_PLAN_NOWHERE,
        .first_wait = (uint32_t)plan->wait_count,
        .text = count == MZ_PLAN_ITERATION_END ? "the end of the iteration" : "",
    };
}

static void add_waits(mz_plan *plan, mz_threads earlier)
{
    MZ_FOR_EACH_THREAD(t, earlier)
    {
        plan->waits = mz_grow(plan->waits, &plan->wait_capacity, plan->wait_count + 1, sizeof *plan->waits);
        plan->waits[plan->wait_count++] = (mz_plan_wait){t, MZ_PLAN_ITERATION_END};
        plan->events[plan->event_count - 1].wait_count++;
    }
}

/* Operations of an iteration that may be named, if not even one has come to its end before the failure. What
 * does not come is as good as the end. */
enum { LEAST_LENGTH = 8 };

/* One thread after the other: each waits, at this operation of its iteration, for all that come before it.
 * (Not only for the last of them, which may have ended.) */
static void make_sequential(mz_plan *plan, const mz_machine *machine, const uint32_t *waits_at)
{
    uint32_t longest[MZ_MAX_THREADS];
    mz_threads members = mz_native_boundary_members(machine, plan->counts_accesses, longest),
               earlier = MZ_NO_THREADS;
    plan->event_count = plan->wait_count = 0;
    MZ_FOR_EACH_THREAD(t, members)
    {
        uint32_t length = longest[t] > LEAST_LENGTH ? longest[t] : LEAST_LENGTH;
        for (uint32_t count = 1; count <= length; count++) {
            add_event(plan, t, count);
            if (count == waits_at[t])
                add_waits(plan, earlier);
        }
        add_event(plan, t, MZ_PLAN_ITERATION_END);
        earlier |= mz_threads_of(t);
    }
    plan->prefix = plan->length = (uint32_t)plan->event_count;
}

/* ---- words for people -------------------------------------------------------------------------------------
 */

typedef struct description {
    mz_machine *machine;
    mz_plan *plan;
} description;

static void describe(void *context, uint32_t thread, uint32_t count)
{
    const description *d = context;
    mz_operation operation;
    mz_position position = {0};
    mz_text text = {0}, place = {0};
    size_t i = 0;
    while (i < d->plan->event_count &&
           (d->plan->events[i].thread != thread || d->plan->events[i].count != count))
        i++;
    if (i == d->plan->event_count || d->plan->events[i].text[0])
        return;
    mz_plan_event *event = &d->plan->events[i];
    d->machine->class->pending(d->machine, thread, &operation);
    d->machine->class->describe_pending(d->machine, thread, &text, &position);
    d->machine->class->name_place(d->machine, thread, &place);
    event->kind = operation.kind;
    event->text = mz_arena_copy(&d->plan->strings, mz_text_string(&text), text.length);
    if (place.length > 0)
        event->place = mz_plan_add_place(d->plan, mz_text_string(&place));
    if (position.file) {
        event->file = mz_arena_copy(&d->plan->strings, position.file, strlen(position.file));
        event->line = position.line;
    }
    mz_text_release(&text);
    mz_text_release(&place);
}

/* What the operations are that the edges name: in some execution, there may be others in another. */
static void describe_events(const mz_settings *settings, mz_machine *machine, mz_plan *plan)
{
    mz_search s;
    mz_edges set = {0};
    description d = {machine, plan};
    mz_search_options options = settings->search;
    options.safe_prefix = NULL;
    mz_edges_of_plan(plan, &set);
    mz_machine *constrained = mz_constrain(machine, set.edges, set.count, plan->counts_accesses);
    mz_constrained_watch(constrained, describe, &d);
    mz_search_init(&s, constrained, &options);
    mz_algorithm_run(mz_default_algorithm_for(machine), &s);
    mz_search_release(&s);
    constrained->class->destroy(constrained);
    mz_edges_release(&set);
}

/* ---- the plan ---------------------------------------------------------------------------------------------
 */

static void begin_plan(mz_plan *plan, const mz_machine *machine)
{
    plan->thread_count = machine->thread_capacity;
    for (uint32_t t = 1; t < plan->thread_count; t++)
        mz_native_birth(machine, t, &plan->threads[t].parent, &plan->threads[t].child);
    plan->counts_accesses = plan->needs_fences = mz_native_has_races(machine);
    plan->iterations = true;
}

/* Where each thread waits: the next vector of numbers up to `most`, of which one at least is that, as on a
 * counter; false: that was the last. The first thread waits for nobody. */
static bool next_places(uint32_t *waits_at, mz_threads members, uint32_t most)
{
    bool has_most = false;
    while (!has_most) {
        mz_threads left = members & ~mz_threads_of(mz_threads_first(members));
        while (mz_threads_any(left) && waits_at[mz_threads_first(left)] == most) {
            waits_at[mz_threads_first(left)] = 1;
            left &= ~mz_threads_of(mz_threads_first(left));
        }
        if (!mz_threads_any(left))
            return false;
        waits_at[mz_threads_first(left)]++;
        MZ_FOR_EACH_THREAD(t, members & ~mz_threads_of(mz_threads_first(members)))
        {
            has_most |= waits_at[t] == most;
        }
    }
    return true;
}

/* Some set that is enough, as small as can be found. The operation at which a thread waits may be no event,
 * so that nothing is known about it, or one in which it holds what others need: then a later one, of this
 * thread or of another. The reason why there is none is that of the strictest. */
static bool find_set(const mz_set_job *job, mz_plan *plan, mz_minimised *minimised)
{
    enum { MOST_ATTEMPTS = 100 };
    mz_minimised first = {0};
    uint32_t waits_at[MZ_MAX_THREADS], longest[MZ_MAX_THREADS], attempts = 0;
    mz_threads members = mz_native_boundary_members(job->machine, false, longest);
    for (uint32_t most = 1; most <= LEAST_LENGTH && attempts < MOST_ATTEMPTS; most++) {
        for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
            waits_at[t] = 1;
        bool more = most == 1 || next_places(waits_at, members, most);
        for (; more && attempts < MOST_ATTEMPTS; more = next_places(waits_at, members, most)) {
            begin_plan(plan, job->machine);
            make_sequential(plan, job->machine, waits_at);
            mz_minimise_plan(job, plan, minimised);
            if (minimised->has_set)
                return true;
            if (attempts++ == 0)
                first = *minimised;
        }
    }
    *minimised = first;
    return false;
}

static bool is_needed(const mz_result *result)
{
    return result->report.verdict == MZ_UNSAFE;
}

bool mz_plan_iterations(const mz_set_job *job, mz_result *result, mz_plan *plan, mz_minimised *minimised,
                        mz_text *obstacle)
{
    mz_machine *machine = job->machine;
    *minimised = (mz_minimised){.tried = true, .has_set = true, .is_minimal = true};
    check(job->settings, machine, result);
    if (mz_native_waits_elsewhere(machine, obstacle))
        return false;
    if (result->report.verdict == MZ_INCOMPLETE) {
        mz_text_add(obstacle, "%s", result->report.reason);
        return false;
    }
    begin_plan(plan, machine);
    minimised->traces = result->search.statistics.traces;
    plan->edges_only = true;
    if (!is_needed(result))
        return true;
    if (!find_set(job, plan, minimised)) {
        if (minimised->reason[0])
            mz_text_add(obstacle, "also with one thread after the other in each iteration: %s",
                        minimised->reason);
        else
            mz_text_add(obstacle, "the time was up before any constraints were verified");
        return false;
    }
    if (mz_native_waits_elsewhere(machine, obstacle))
        return false;
    plan->edges_only = true;
    describe_events(job->settings, machine, plan);
    return true;
}
