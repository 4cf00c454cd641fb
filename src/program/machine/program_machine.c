/* machine.h for real programs: the glue between the algorithms and schedule.c. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/names.h"
#include "program/describe/notes.h"
#include "program/describe/repeat.h"
#include "program/describe/stuck.h"
#include "program/loops/undone.h"
#include "program/machine/describe.h"
#include "program/machine/fingerprint.h"
#include "program/machine/leaks.h"
#include "program/machine/load.h"
#include "program/machine/schedule.h"
#include "program/machine/weak.h"
#include "program/program.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/guards.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/symbols/symbols.h"
#include "program/world/causes.h"
#include "program/world/noted_premises.h"
#include "program/world/world.h"

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    (void)machine;
    if (mz__w.keeps_spin_rounds)
        mz__note_counts();
    return mz__reset(choices);
}

static void pending(mz_machine *machine, uint32_t thread, mz_operation *operation)
{
    mz__operation_of(&mz__w.threads[thread], operation);
    if (MZ_UNLIKELY(machine->weak))
        mz__add_orders(&mz__w.threads[thread], operation);
}

static uint32_t add_cause(mz_cause *causes, uint32_t count, mz_cause cause)
{
    uint32_t i = 0;
    while (i < count && causes[i].thread != cause.thread)
        i++;
    if (cause.index > 0 && (i == count || causes[i].index < cause.index)) {
        causes[i] = cause;
        count += i == count;
    }
    return count;
}

static bool matters_at_end(const mz_machine *machine, uint32_t location)
{
    (void)machine;
    return mz__may_refer_to_blocks(location);
}

/* Does it wait for the end of a thread that spins, or that waits so itself? */
static bool joins_spinning(mz_threads spinning, uint32_t thread)
{
    const mz__pending *p = &mz__w.threads[thread].pending;
    for (uint32_t i = 0; i < MZ_MAX_THREADS && p->kind == MZ_OP_JOIN && p->guard == MZ__WOKEN; i++) {
        if (mz_threads_has(spinning, p->joins))
            return true;
        p = &mz__w.threads[p->joins].pending;
    }
    return false;
}

static mz_threads deadlocked(const mz_machine *machine, bool *circle)
{
    const mz_status *status = machine->status;
    mz_threads found = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, status->blocked & ~status->spinning)
    {
        if (!joins_spinning(status->spinning, t))
            found |= mz_threads_of(t);
        *circle |= mz__will_never_go_on(&mz__w.threads[t]);
    }
    return found;
}

/* A thread that fails may have gone on in another one's step, and so may the other one of a race. */
static uint32_t causes_of_failure(const mz_machine *machine, uint32_t thread, mz_cause *causes)
{
    uint32_t count = mz__list_causes(&mz__w.threads[thread], causes);
    const mz__thread *other = &mz__w.threads[mz__w.watch_thread];
    for (uint32_t i = 0; i < machine->failure_count; i++) {
        if (machine->failures[i].kind != MZ_FAIL_RACE || machine->failures[i].thread != thread)
            continue;
        mz_cause others[MZ_MAX_THREADS];
        uint32_t other_count = mz__list_causes(other, others);
        count = add_cause(causes, count, (mz_cause){other->number, other->events});
        for (uint32_t k = 0; k < other_count; k++)
            count = add_cause(causes, count, others[k]);
    }
    return count;
}

static void name_pending(const mz_machine *machine, uint32_t thread, mz_name *name)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    const mz__pending *p = &t->pending;
    bool locks = p->kind == MZ_OP_LOCK || p->kind == MZ_OP_ACQUIRE;
    *name = (mz_name){.counted = p->counted,
                      .plain = p->compiled,
                      .after_signal = locks && strcmp(p->verb, "pthread_cond_wait") == 0,
                      .spins = mz__is_spinning(t),
                      .sleeps = mz__sleeps(t),
                      .operations = t->operations,
                      .accesses = t->accesses};
}

static void name_place(const mz_machine *machine, uint32_t thread, mz_text *out)
{
    (void)machine;
    uintptr_t address = mz__w.threads[thread].pending.address;
    if (address - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image)
        mz_symbols_variable(mz__w.symbols, address, out);
}

static void place_choice(const mz_machine *machine, const mz_choice *choice, mz_position *position)
{
    (void)machine;
    mz__position_of(choice->place, position);
}

static uint32_t picked(const mz_machine *machine, bool *was_choice)
{
    (void)machine;
    *was_choice = mz__w.chose_pick;
    return mz__w.picked;
}

static void rewind_steps(mz_machine *machine, size_t steps)
{
    (void)machine;
    if (mz__w.keeps_spin_rounds)
        mz__note_counts();
    mz__rewind(steps);
}

static void begin_search(mz_machine *machine)
{
    (void)machine;
    mz__w.forgets = true;
}

static void destroy(mz_machine *machine)
{
    (void)machine; /* it lives as long as the process: a program cannot be unloaded */
}

static const mz_machine_class native_class = {
    .name = "native",
    .thread_word = "thread",
    .loop_hint = "if a loop there has no end, --unroll=K follows it K times",
    .failure_kinds = MZ_NATIVE_FAILURES,
    .destroy = destroy,
    .reset = reset,
    .pending = pending,
    .would_write = mz__would_write_from,
    .independent = mz__independent,
    .step = mz__step,
    .rewind = rewind_steps,
    .fingerprint = mz__fingerprint,
    .begin_search = begin_search,
    .keep_variables = mz__keep_variables,
    .find_difference = mz__find_difference,
    .boundary_state = mz__boundary_state,
    .describe_growth = mz__describe_growth,
    .locked_for_ever = mz__locked_for_ever,
    .causes_of_failure = causes_of_failure,
    .deadlocked = deadlocked,
    .matters_at_end = matters_at_end,
    .name_pending = name_pending,
    .name_place = name_place,
    .picked = picked,
    .place_choice = place_choice,
    .describe_pending = mz__describe_pending,
    .describe_wait = mz__describe_wait,
    .describe_location = mz__describe_location,
    .describe_value = mz__describe_value,
    .watch_values = mz__watch_values,
    .describe_consequence = mz__describe_consequence,
    .describe_weakness = mz__describe_weakness,
    .describe_thread = mz__describe_thread,
};

/* Of all that the machine has: a program that takes more and more is not to take everything. */
static uint64_t half_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages / 2 * (uint64_t)bytes : 0;
}

mz_machine *mz_native_create(const mz_native_options *options, mz_error *error)
{
    mz_machine *machine = &mz__w.base;
    *machine = (mz_machine){
        .class = &native_class,
        .status = &mz__w.state.status,
        .thread_capacity = MZ_MAX_THREADS,
        .further = mz__w.further,
        .failures = mz_allocate_zeroed(MZ_MAX_THREADS + 2, sizeof(mz_failure)),
    };
    mz__w.races = options->races;
    mz__w.orders = options->orders;
    mz__w.suppressions = options->suppressions;
    mz__w.tolerates_races = options->races != MZ_RACES_ARE_ERRORS || options->suppressions;
    mz__w.volatile_is_atomic = options->volatile_is_atomic;
    mz__w.plain_events = options->plain_accesses == MZ_PLAIN_IS_EVENT;
    mz__w.unchecked = options->plain_accesses == MZ_PLAIN_IS_UNCHECKED;
    mz__w.report_misuse = options->checks & (1u << MZ_FAIL_LOCK);
    mz__w.report_exit = options->checks & (1u << MZ_FAIL_EXIT);
    mz__w.report_memory = options->checks & (1u << MZ_FAIL_MEMORY);
    mz__w.report_leaks = options->checks & (1u << MZ_FAIL_LEAK);
    mz__w.report_uninitialised = options->checks & (1u << MZ_FAIL_UNINITIALISED);
    mz__w.most_steps = mz__w.allowed_steps = UINT64_MAX;
    mz__w.join_at_exit = options->join_at_exit;
    mz__w.go_on_after_races = options->all_errors;
    mz__w.unroll = options->unroll;
    mz__w.unroll_places = options->unroll_places;
    mz__w.unroll_place_count = options->unroll_place_count;
    mz__w.counts_iterations = options->unroll > 0 || options->unroll_place_count > 0;
    mz__w.spurious = options->spurious;
    mz__w.reuses = options->reuses;
    mz__w.memory_limit = options->memory > 0 ? options->memory : half_of_memory();
    mz__w.patience = options->patience > 0 ? options->patience : 3;
    mz__w.keeps_spin_rounds = options->keeps_spin_rounds;
    mz__w.nondet_low = options->nondet_low;
    mz__w.nondet_high = options->nondet_high;
    mz__w.inline_assembly = options->inline_assembly;
    mz__w.by_clang = options->by_clang;
    mz__w.by_gcc = options->by_gcc;
    mz__w.optimised = options->optimised;
    mz__w.entries_with_null = options->entries_with_null;
    mz__w.entry_calls = options->entry_calls;
    mz__w.entry_call_count = options->entry_call_count;
    if (!mz__load(options, error))
        return NULL;
    if (options->executable_stack)
        mz__make_stacks_executable();
    mz__note_allowed(options->allowed);
    return machine;
}

/* ---- learning what is shared
 * ---------------------------------------------------------------------------------- */

enum { RUNS = 12, MOST_STEPS = 20000, MOST_RESTARTS = 24 };

static uint32_t choose_thread(mz_threads ready, int run, uint32_t last)
{
    if (run == 0)
        return mz_threads_first(ready);
    if (run == 1)
        return mz_threads_last(ready);
    if (run > 2) { /* any, but the same each time */
        for (uint32_t skip =
                 (uint32_t)mz_mix64((uint64_t)run << 32 ^ mz__w.total_steps) % mz_threads_count(ready);
             skip > 0; skip--)
            ready = mz_threads_rest(ready);
        return mz_threads_first(ready);
    }
    mz_threads later = mz_threads_after(ready, last);
    return mz_threads_first(mz_threads_any(later) ? later : ready);
}

/* The first runs are the ones that teach most. The others may take some processor time, and a part of what is
 * left until the deadline. */
static bool has_time(int run, clock_t begun)
{
    enum { AT_LEAST = 3 };
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double left = mz__w.deadline - (double)now.tv_sec - (double)now.tv_nsec * 1e-9;
    if (mz__w.deadline > 0 && seconds > left / 4)
        return run == 0;
    return run < AT_LEAST || seconds < 1;
}

/* Where plain accesses are events, or nothing at all, sections are not simple. */
static bool may_have_simple_sections(const mz_machine *machine)
{
    return (machine->relation & MZ_REFINES_LOCKS) && !machine->has_boundaries && !mz__w.tolerates_races &&
           !mz__w.plain_events && !mz__w.unchecked && !mz__w.keeps_spin_rounds && mz__w.reuses == 0;
}

/* Who waits in a loop for a change never goes on under weak memory (guards.c). */
static bool waits_in_loop(uint32_t thread)
{
    mz__guard guard = mz__w.threads[thread].pending.guard;
    return guard == MZ__CHANGED || guard == MZ__MUTEX_CHANGED;
}

/* Before a step: is it one that cannot be explored under weak memory? Which one? */
static void note_what_is_beyond(mz_machine *machine, uint32_t thread)
{
    mz_operation operation;
    mz_position at;
    mz_text what = {0};
    if (machine->beyond_weak)
        return;
    machine->class->pending(machine, thread, &operation);
    if (mz__has_events(&operation))
        return;
    machine->class->describe_pending(machine, thread, &what, &at);
    bool sizes = operation.access_count > 1 && operation.order != MZ_PLAIN && !operation.on_object;
    snprintf(machine->beyond_what, sizeof machine->beyond_what, "%s (%s:%u)%s", mz_text_string(&what),
             at.file ? at.file : "?", at.line, sizes ? ", of several sizes" : "");
    machine->beyond_weak = true;
    mz_text_release(&what);
}

void mz_native_prepare(mz_machine *machine)
{
    mz_choices choices = {0};
    mz_operation executed;
    mz__w.exploring = mz__w.ignores_order = false;
    machine->begin_again = false;
    mz__forget_stuck();
    if (++mz__w.restarts > MOST_RESTARTS) { /* enough: take everything for shared, which is always right */
        mz__w.all_shared = true;
        for (size_t i = 0; i < mz__w.cell_count; i++)
            mz__w.cells[i].owner = MZ__SHARED;
    }
    mz__w.total_steps = 0;
    machine->refined = 0; /* what it notes is noted again */
    mz__w.notes_sections = may_have_simple_sections(machine);
    mz__track_changes(true);
    clock_t begun = clock();
    for (int run = 0; run < RUNS && mz__w.total_steps < MOST_STEPS && has_time(run, begun); run++) {
        mz_choices_prescribe(&choices, NULL, 0);
        mz__begin_section_notes();
        mz_outcome outcome = mz__reset(&choices);
        uint32_t thread = 0;
        for (int i = 0;
             i < MOST_STEPS / 4 && outcome != MZ_STEP_GIVEN_UP && mz_threads_any(machine->status->ready);
             i++) {
            thread = choose_thread(machine->status->ready, run, thread);
            mz_choices_prescribe(&choices, NULL, 0);
            bool counts = !waits_in_loop(thread);
            if (counts)
                note_what_is_beyond(machine, thread);
            outcome = mz__step(machine, thread, &choices, &executed);
            machine->beyond_weak |= counts && !mz__has_events(&executed);
        }
        if (outcome == MZ_STEP_GIVEN_UP)
            break;
    }
    mz_release(choices.made);
    if (mz__w.notes_sections && !machine->has_boundaries)
        mz__choose_simple_sections();
    mz__w.notes_sections = false;
    machine->thread_capacity = mz__w.birth_count;
    mz__forget_ends();
    mz__w.total_steps = 0;
    mz__w.ignores_order = !mz__w.plain_accesses;
    mz__track_changes(false);
    mz__note_what_is_shared();
    mz__w.exploring = true;
}

uint32_t mz_native_knows(const mz_machine *machine, uint32_t thread, uint32_t of)
{
    (void)machine;
    return mz__w.threads[thread].life == MZ__UNBORN ? 0 : mz__w.threads[thread].clock.of[of];
}

void mz_native_keep_order(mz_machine *machine)
{
    (void)machine;
    mz__w.plain_accesses = true;
}

/* ---- threads by path
 * ---------------------------------------------------------------------------------------------- */

void mz_native_thread_paths(const mz_machine *machine, mz_text *out)
{
    (void)machine;
    for (uint32_t i = 1; i < mz__w.birth_count; i++)
        mz_text_add(out, "%s%u.%u", i > 1 ? " " : "", mz__w.births[i].parent, mz__w.births[i].child);
}

void mz_native_birth(const mz_machine *machine, uint32_t thread, uint32_t *parent, uint32_t *child)
{
    (void)machine;
    *parent = mz__w.births[thread].parent;
    *child = mz__w.births[thread].child;
}

mz_threads mz_native_boundary_members(const mz_machine *machine, bool accesses,
                                      uint32_t longest[MZ_MAX_THREADS])
{
    (void)machine;
    memcpy(longest, mz__w.longest_iteration[accesses], sizeof mz__w.longest_iteration[accesses]);
    return mz__w.boundary_members;
}

bool mz_native_waits_elsewhere(const mz_machine *machine, mz_text *out)
{
    (void)machine;
    if (!mz__w.waits_elsewhere)
        return false;
    mz_text_add(out, "at a loop boundary a thread waits otherwise than for a condition variable or the end "
                     "of another one");
    mz__add_place(out, "", mz__w.waits_elsewhere_at);
    return true;
}

bool mz_native_set_thread_paths(mz_machine *machine, const char *paths)
{
    (void)machine;
    mz__w.births[0].parent = UINT32_MAX;
    mz__w.births[0].child = 0;
    mz__w.birth_count = 1;
    unsigned parent, child;
    int length;
    while (sscanf(paths, " %u.%u%n", &parent, &child, &length) == 2) {
        if (mz__w.birth_count == MZ_MAX_THREADS || parent >= mz__w.birth_count)
            return false;
        mz__w.births[mz__w.birth_count].parent = parent;
        mz__w.births[mz__w.birth_count++].child = child;
        paths += length;
    }
    return true;
}

void mz_native_record(mz_machine *machine, mz_flight *flight)
{
    (void)machine;
    mz__w.flight = flight;
}
