/* machine.h for real programs: the glue between the algorithms and schedule.c, and words for reports. */
#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/memory.h"
#include "native/boundary.h"
#include "native/endings.h"
#include "native/load.h"
#include "native/native.h"
#include "native/schedule.h"
#include "native/suppressions.h"
#include "native/sync.h"

/* ---- words ------------------------------------------------------------------------------------------------
 */

void mz__position_of(uintptr_t pc, mz_position *position)
{
    mz_code_place place;
    *position = (mz_position){0};
    if (pc && mz_symbols_code(mz__w.symbols, pc - 1, &place))
        *position = (mz_position){.file = place.file, .line = place.line, .column = place.column};
}

/* Headers of the system and of the compiler, and parts of the libraries of our own making (c/, cxx/). */
static bool is_of_library(const char *file)
{
    return *file == '<' || strncmp(file, "/usr/include/", 13) == 0 || strstr(file, "/include/c++/") ||
           strstr(file, "/lib/gcc/");
}

/* Where the program itself is: what it calls of a library says little to its author. In the library if no
 * frame is known that is not. */
static void position_in_program(mz_frame frame, mz_position *position)
{
    enum { MOST = 64 };
    mz__position_of(frame.pc, position);
    mz_position place = *position;
    mz_frame caller;
    for (int depth = 0; depth < MOST && place.file && is_of_library(place.file); depth++) {
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            return;
        frame = caller;
        mz__position_of(frame.pc, &place);
    }
    if (place.file)
        *position = place;
}

static mz_frame frame_of_caller(void)
{
    return (mz_frame){
        .pc = mz__caller.pc, .sp = mz__caller.sp, .fp = mz__caller.preserved[MZ__FRAME_POINTER]};
}

static mz_frame frame_of(const mz__thread *t)
{
    return (mz_frame){.pc = t->pc, .sp = t->entry_sp, .fp = t->frame_pointer};
}

void mz__position_of_failure(uintptr_t pc, mz_position *position)
{
    if (mz__w.current && pc == mz__caller.pc)
        position_in_program(frame_of_caller(), position);
    else
        mz__position_of(pc, position);
}

/* The frames of a thread that waits for its turn, innermost first, with the variable of one of them that lies
 * at the address. */
static bool name_local(uint32_t thread, uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    const mz__thread *t = &mz__w.threads[thread];
    mz_frame frame = frame_of(t), caller;
    if (t->life != MZ__ALIVE || !t->pc)
        return false;
    for (int depth = 0; depth < 64 && mz_symbols_frame(mz__w.symbols, &frame); depth++) {
        if (mz_symbols_local(mz__w.symbols, frame.pc - 1, frame.cfa, frame.fp, address, size, out, kind))
            return true;
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
    return false;
}

/* Of a library the innermost frame only, if that is where the thread is. */
void mz__add_stack(mz_text *out)
{
    enum { MOST = 6, MOST_LOOKED_AT = 64 };
    mz_frame frame = frame_of_caller(), caller;
    mz_code_place place;
    int shown = 0;
    bool skipped = false;
    for (int depth = 0; depth < MOST_LOOKED_AT && shown < MOST; depth++) {
        if (!mz_symbols_code(mz__w.symbols, frame.pc - 1, &place))
            break;
        if (depth > 0 && place.file && is_of_library(place.file)) {
            skipped = true;
        } else {
            mz_text_add(out, "%s%s()",
                        !shown++  ? ""
                        : skipped ? " < … < "
                                  : " < ",
                        place.function ? place.function : "?");
            if (place.file)
                mz_text_add(out, " %s:%u", place.file, place.line);
            skipped = false;
        }
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
}

static void name_stack(uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    uint32_t thread = (uint32_t)((address - MZ__ARENA - MZ__HEAPS) / MZ__STACK_BYTES);
    uintptr_t tls = mz__tls_block(thread);
    if (address >= tls) {
        if (!mz_symbols_thread_local(mz__w.symbols, address - tls, size, out, kind))
            mz_text_add(out, "thread-local variable");
        mz_text_add(out, " of thread %u", thread);
        return;
    }
    if (!name_local(thread, address, size, out, kind))
        mz_text_add(out, "a local variable");
    mz_text_add(out, " of thread %u", thread);
}

static void name_block(uintptr_t address, const mz__block *block, mz_text *out)
{
    mz_position place;
    mz__position_of(block->allocated_by, &place);
    if (place.file)
        mz_text_add(out, "block %u.%u (%s:%u)", block->thread, block->number, place.file, place.line);
    else
        mz_text_add(out, "block %u.%u", block->thread, block->number);
    if (address > block->start)
        mz_text_add(out, "+%zu", (size_t)(address - block->start));
}

void mz__name_data(uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    mz__block block;
    *kind = MZ_VALUE_UNKNOWN;
    if (address - MZ__ARENA < MZ__HEAPS && mz__heap_find(address, &block))
        name_block(address, &block, out);
    else if (address - MZ__ARENA < MZ__ARENA_BYTES && address - MZ__ARENA >= MZ__HEAPS)
        name_stack(address, size, out, kind);
    else if (!mz_symbols_data(mz__w.symbols, address, size, out, kind))
        mz_text_add(out, "address %#lx", (unsigned long)address);
}

static void add_name(uintptr_t address, size_t size, mz_text *out)
{
    mz_value_kind kind;
    mz__name_data(address, size, out, &kind);
}

/* Objects are named as a whole: "queue.lock", not its first member. */
void mz__name_object(uintptr_t address, mz_text *out)
{
    add_name(address, 4, out);
    static const char *const inner[] = {".__data.__lock", ".__data", ".__wseq", ".__lock"};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        char *found = out->bytes ? strstr(out->bytes, inner[i]) : NULL;
        if (found) {
            out->length = (size_t)(found - out->bytes);
            *found = 0;
        }
    }
}

static void add_cell_name(const mz__cell *cell, mz_text *out)
{
    if (cell->object)
        mz__name_object(cell->address, out);
    else
        add_name(cell->address, cell->size, out);
}

/* The operation that a report is about: its values are asked for next. */
static struct {
    const char *verb;
    uint32_t first, second; /* locations; a condition variable comes before its mutex */
} described = {"", UINT32_MAX, UINT32_MAX};

static void note_described(const mz__pending *p)
{
    bool relocks = p->kind == MZ_OP_LOCK && strcmp(p->verb, "pthread_cond_wait") == 0;
    described.verb = p->verb;
    described.first = p->access_count > 0 && !relocks ? p->accesses[0].location : UINT32_MAX;
    described.second = relocks               ? p->accesses[0].location
                       : p->access_count > 1 ? p->accesses[1].location
                                             : UINT32_MAX;
}

static void describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    const mz__pending *p = &t->pending;
    note_described(p);
    position_in_program(frame_of(t), position);
    mz_text_add(out, "%s", p->verb);
    if (p->kind == MZ_OP_JOIN) {
        mz_text_add(out, "(thread %u)", p->joins);
    } else if (p->access_count > 0 && mz__w.cells[p->accesses[0].location].object) {
        mz_text_add(out, "(");
        add_cell_name(&mz__w.cells[p->accesses[0].location], out);
        mz_text_add(out, ")");
    } else if (p->size > 0) {
        mz_text_add(out, " ");
        add_name(p->address, p->size, out);
    }
}

static void describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    const mz__pending *p = &t->pending;
    mz_position place;
    if (p->kind == MZ_OP_JOIN) {
        mz_text_add(out, "the end of thread %u", p->joins);
    } else if (p->guard == MZ__MUTEX_CHANGED) {
        mz_text_add(out, "a change of what it looks at under ");
        add_cell_name(&mz__w.cells[p->accesses[0].location], out);
    } else if (p->guard == MZ__CHANGED || p->guard == MZ__NOT_IN_VAIN || p->guard == MZ__SECTION_CHANGED) {
        mz_text_add(out, p->access_count > 0 ? "a change of " : "nothing that others could do");
        for (uint32_t i = 0; i < p->access_count; i++) {
            mz_text_add(out, "%s", i ? " or " : "");
            add_cell_name(&mz__w.cells[p->accesses[i].location], out);
        }
    } else if (p->guard == MZ__SECTION) {
        mz_text_add(out, "what its atomic section assumes");
    } else {
        uint32_t cell;
        mz__cells_of(p->address, 1, true, &cell);
        add_cell_name(&mz__w.cells[cell], out);
        mz__describe_holder(p, thread, out);
        if (p->guard == MZ__WOKEN)
            mz_text_add(out, ", which nobody %s", strstr(p->verb, "cond") ? "signals" : "completes");
    }
    position_in_program(frame_of(t), &place);
    if (place.file)
        mz_text_add(out, " (%s:%u)", place.file, place.line);
}

static void describe_location(const mz_machine *machine, uint32_t location, mz_text *out)
{
    (void)machine;
    add_cell_name(&mz__w.cells[location], out);
}

static void add_holder(int32_t owner, mz_text *out)
{
    if (owner)
        mz_text_add(out, "thread %d", owner - 1);
    else
        mz_text_add(out, "free");
}

/* Which kind of object it is, the operation that was described last tells. */
static void add_object_value(uint32_t location, mz_text *out)
{
    const void *object = (const void *)mz__w.cells[location].address;
    const char *verb = described.verb;
    if (mz__is_only_a_name((uintptr_t)object))
        return;
    bool first = location == described.first, second = location == described.second;
    if ((first && strncmp(verb, "pthread_mutex", 13) == 0) ||
        (second && strcmp(verb, "pthread_cond_wait") == 0)) {
        add_holder(((const mz__mutex *)object)->owner, out);
    } else if (first && strncmp(verb, "pthread_spin", 12) == 0) {
        add_holder(*(const int32_t *)object, out);
    } else if (first && strncmp(verb, "sem_", 4) == 0) {
        mz_text_add(out, "%u", *(const uint32_t *)object);
    } else if (first && strncmp(verb, "pthread_rwlock", 14) == 0) {
        const mz__rwlock *lock = object;
        if (lock->readers)
            mz_text_add(out, "%u reader%s", lock->readers, lock->readers == 1 ? "" : "s");
        else
            add_holder((int32_t)lock->writer, out);
    } else if (first && strncmp(verb, "pthread_barrier", 15) == 0) {
        const mz__barrier *barrier = object;
        mz_text_add(out, "%u of %u", barrier->arrived, barrier->needed);
    }
}

void mz__add_value(const void *bytes, uint32_t size, mz_value_kind kind, mz_text *out)
{
    uint64_t raw = 0;
    memcpy(&raw, bytes, size < 8 ? size : 8);
    uint32_t bits = size < 8 ? size * 8 : 64;
    int64_t number = (int64_t)(raw << (64 - bits)) >> (64 - bits);
    if (size == 16)
        mz_text_add(out, "%#" PRIx64 "'%016" PRIx64, ((const uint64_t *)bytes)[1], raw);
    else if (kind == MZ_VALUE_FLOAT && size == 8)
        mz_text_add(out, "%g", *(const double *)bytes);
    else if (kind == MZ_VALUE_FLOAT && size == 4)
        mz_text_add(out, "%g", (double)*(const float *)bytes);
    else if (kind == MZ_VALUE_POINTER && raw == 0)
        mz_text_add(out, "NULL");
    else if (kind == MZ_VALUE_POINTER && mz__shadow_of(raw))
        mz_text_add(out, "&"), add_name(raw, 1, out);
    else if (kind == MZ_VALUE_POINTER)
        mz_text_add(out, "%#" PRIx64, raw);
    else if (kind == MZ_VALUE_BOOL)
        mz_text_add(out, "%s", raw ? "true" : "false");
    else if (kind == MZ_VALUE_UNSIGNED)
        mz_text_add(out, "%" PRIu64, raw);
    else
        mz_text_add(out, "%" PRId64, number);
}

static void describe_value(const mz_machine *machine, uint32_t location, mz_text *out)
{
    (void)machine;
    const mz__cell *cell = &mz__w.cells[location];
    if (cell->object) {
        add_object_value(location, out);
        return;
    }
    mz_text name = {0};
    mz_value_kind kind;
    mz__name_data(cell->address, cell->size, &name, &kind);
    mz_text_release(&name);
    mz__add_value((const void *)cell->address, cell->size, kind, out);
}

/* ---- the machine
 * -------------------------------------------------------------------------------------------- */

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    (void)machine;
    return mz__reset(choices);
}

static void pending(mz_machine *machine, uint32_t thread, mz_operation *operation)
{
    (void)machine;
    mz__operation_of(&mz__w.threads[thread], operation);
}

static size_t run_sequence(mz_machine *machine, const uint32_t *threads, size_t count, mz_choices *choices)
{
    mz_operation ignored;
    for (size_t i = 0; i < count; i++)
        if (!mz_threads_has(machine->status->ready, threads[i]) ||
            mz__step(machine, threads[i], choices, &ignored) != MZ_STEP_DONE)
            return i;
    return count;
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

static uint32_t picked(const mz_machine *machine, bool *was_choice)
{
    (void)machine;
    *was_choice = mz__w.chose_pick;
    return mz__w.picked;
}

static void rewind_steps(mz_machine *machine, size_t steps)
{
    (void)machine;
    mz__rewind(steps);
}

static void destroy(mz_machine *machine)
{
    (void)machine; /* it lives as long as the process: a program cannot be unloaded */
}

static const mz_machine_class native_class = {
    .name = "native",
    .thread_word = "thread",
    .failure_kinds = MZ_NATIVE_FAILURES,
    .destroy = destroy,
    .reset = reset,
    .pending = pending,
    .independent = mz__independent,
    .step = mz__step,
    .run = run_sequence,
    .rewind = rewind_steps,
    .boundary_state = mz__boundary_state,
    .describe_growth = mz__describe_growth,
    .causes_of_failure = causes_of_failure,
    .name_pending = name_pending,
    .name_place = name_place,
    .picked = picked,
    .describe_pending = describe_pending,
    .describe_wait = describe_wait,
    .describe_location = describe_location,
    .describe_value = describe_value,
};

mz_machine *mz_native_create(const mz_native_options *options, mz_error *error)
{
    mz_machine *machine = &mz__w.base;
    *machine = (mz_machine){
        .class = &native_class,
        .status = &mz__w.state.status,
        .thread_capacity = MZ_MAX_THREADS,
        .failures = mz_allocate_zeroed(MZ_MAX_THREADS + 2, sizeof(mz_failure)),
    };
    mz__w.races = options->races;
    mz__w.suppressions = options->suppressions;
    mz__w.tolerates_races = options->races != MZ_RACES_ARE_ERRORS || options->suppressions;
    mz__w.plain_events = options->plain_accesses == MZ_PLAIN_IS_EVENT;
    mz__w.unchecked = options->plain_accesses == MZ_PLAIN_IS_UNCHECKED;
    mz__w.report_misuse = options->checks & (1u << MZ_FAIL_LOCK);
    mz__w.report_exit = options->checks & (1u << MZ_FAIL_EXIT);
    mz__w.report_leaks = options->checks & (1u << MZ_FAIL_LEAK);
    mz__w.report_uninitialised = options->checks & (1u << MZ_FAIL_UNINITIALISED);
    mz__w.join_at_exit = options->join_at_exit;
    mz__w.go_on_after_races = options->all_errors;
    mz__w.unroll = options->unroll;
    mz__w.unroll_places = options->unroll_places;
    mz__w.unroll_place_count = options->unroll_place_count;
    mz__w.counts_iterations = options->unroll > 0 || options->unroll_place_count > 0;
    mz__w.spurious = options->spurious;
    mz__w.patience = options->patience > 0 ? options->patience : 3;
    mz__w.nondet_low = options->nondet_low;
    mz__w.nondet_high = options->nondet_high;
    mz__w.inline_assembly = options->inline_assembly;
    if (!mz__load(options, error))
        return NULL;
    mz__note_unseen(options->allowed);
    return machine;
}

/* ---- learning what is shared
 * ---------------------------------------------------------------------------------- */

enum { RUNS = 12, MOST_STEPS = 20000, MOST_LESSONS = 24 };

static uint32_t choose_thread(mz_threads ready, int run, uint32_t last)
{
    if (run == 0)
        return mz_threads_first(ready);
    if (run == 1)
        return 63 - (uint32_t)__builtin_clzll(ready);
    if (run > 2) { /* any, but the same each time */
        for (uint32_t skip =
                 (uint32_t)mz_mix64((uint64_t)run << 32 ^ mz__w.total_steps) % mz_threads_count(ready);
             skip > 0; skip--)
            ready &= ready - 1;
        return mz_threads_first(ready);
    }
    mz_threads later = last >= 63 ? 0 : ready & ~((mz_threads_of(last) << 1) - 1);
    return mz_threads_first(later ? later : ready);
}

void mz_native_prepare(mz_machine *machine)
{
    mz_choices choices = {0};
    mz_operation executed;
    mz__w.exploring = mz__w.ignores_order = false;
    machine->begin_again = false;
    if (++mz__w.lessons > MOST_LESSONS) { /* enough: take everything for shared, which is always right */
        mz__w.all_shared = true;
        for (size_t i = 0; i < mz__w.cell_count; i++)
            mz__w.cells[i].owner = MZ__SHARED;
    }
    mz__w.total_steps = 0;
    for (int run = 0; run < RUNS && mz__w.total_steps < MOST_STEPS; run++) {
        mz_choices_prescribe(&choices, NULL, 0);
        mz_outcome outcome = mz__reset(&choices);
        uint32_t thread = 0;
        for (int i = 0; i < MOST_STEPS / 4 && outcome != MZ_STEP_GIVEN_UP && machine->status->ready; i++) {
            thread = choose_thread(machine->status->ready, run, thread);
            mz_choices_prescribe(&choices, NULL, 0);
            outcome = mz__step(machine, thread, &choices, &executed);
        }
        if (outcome == MZ_STEP_GIVEN_UP)
            break;
    }
    mz_release(choices.made);
    machine->thread_capacity = mz__w.birth_count;
    mz__w.total_steps = 0;
    mz__w.ignores_order = !mz__w.plain_accesses;
    mz__w.exploring = true;
}

/* ---- what a verdict rests on
 * ------------------------------------------------------------------------------------ */

static bool has_races(void)
{
    for (size_t i = 0; i < mz__w.special_word_count; i++)
        if (mz__w.special_words[i].flags & MZ__WORD_IS_EVENT)
            return true;
    return false;
}

static size_t add_suppressions(const char **lines, size_t most)
{
    const mz_suppressions *s = mz__w.suppressions;
    size_t count = 0;
    for (size_t i = 0; s && i < s->count && count < most; i++) {
        mz_text text = {0};
        mz_suppression_describe(s, i, &text);
        lines[count++] = mz_copy_string(mz_text_string(&text));
        mz_text_release(&text);
    }
    return count;
}

static const char *ignored_line(void)
{
    static mz_text line;
    mz_text_clear(&line);
    mz_text_add(&line, "the values of ");
    mz__describe_ignored(&line);
    mz_text_add(&line, " do not matter after a loop boundary (mz_boundary_ignore)");
    return mz_text_string(&line);
}

size_t mz_native_assumptions(const mz_machine *machine, const char **lines, size_t most)
{
    (void)machine;
    const char *ignored = ignored_line();
    const struct {
        bool holds;
        const char *line;
    } all[] = {
        {mz__w.weak_orders, "atomic operations weaker than sequentially consistent are executed as such"},
        {mz__w.heap_used && !mz__w.has_boundaries, "memory that is freed is not used again by malloc"},
        {mz__w.heap_used && mz__w.has_boundaries,
         "memory that is freed is used again by malloc after the next loop boundary only"},
        {mz__w.has_boundaries, "threads wait for each other at mz_loop_boundary()"},
        {mz__w.ever_ignored_count > 0, ignored},
        {mz__w.conditions_used && !mz__w.spurious,
         "pthread_cond_wait does not return without a signal (--spurious tries it)"},
        {mz__w.conditions_used && mz__w.spurious,
         "each thread returns from a condition wait without a signal once at most (--spurious)"},
        {mz__w.nondet_bounded, "nondeterministic numbers are taken from a range (--nondet)"},
        {mz__w.forks_awaited, "nobody forks: the functions of pthread_atfork are not called"},
        {mz__w.inline_assembly, "inline assembly does not touch shared memory"},
        {mz__w.unseen_calls.length > 0, mz_text_string(&mz__w.unseen_calls)},
        {mz__w.unchecked, "there are no data races and no invalid accesses (--plain-accesses=unchecked)"},
        {has_races(), "accesses that race happen one after the other, each as a whole"},
        {mz__w.cut_count > 0, "loops are followed for --unroll iterations only"},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && count < most; i++)
        if (all[i].holds)
            lines[count++] = all[i].line;
    return count + add_suppressions(lines + count, most - count);
}

const mz_warning *mz_native_warnings(mz_machine *machine, size_t *count)
{
    (void)machine;
    mz__warn_of_lock_orders();
    *count = mz__w.warning_count;
    return mz__w.warnings;
}

void mz_native_incomplete(const mz_machine *machine, mz_text *out)
{
    (void)machine;
    mz__describe_cuts(out);
}

void mz_native_narrate(mz_machine *machine, bool on)
{
    (void)machine;
    mz__w.narrating = on;
}

const char *mz_native_output(const mz_machine *machine)
{
    (void)machine;
    return mz_text_string(&mz__w.output);
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

bool mz_native_has_races(const mz_machine *machine)
{
    (void)machine;
    for (size_t i = 0; i < mz__w.special_word_count; i++)
        if (mz__w.special_words[i].flags & MZ__WORD_IS_EVENT)
            return true;
    return false;
}

bool mz_native_has_boundaries(const mz_machine *machine)
{
    (void)machine;
    return mz__w.has_boundaries;
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
