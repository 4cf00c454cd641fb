#include "model/vm.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "model/buffers.h"
#include "model/peers.h"

/* Let the machine work on another block of state. */
static void use_state(mz__vm *m, char *state)
{
    m->state = state;
    m->base.status = (mz_status *)(void *)state;
    m->at_blocking = (mz_threads *)(void *)(state + sizeof(mz_status));
    m->shared = (int64_t *)(void *)(state + sizeof(mz_status) + sizeof(mz_threads));
}

/* A failed or pruned operation has written nothing. */
static void forget_writes(mz_access *accesses, uint32_t *count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (accesses[i].kind & MZ_READ)
            accesses[kept++] = (mz_access){accesses[i].location, MZ_READ};
    *count = kept;
}

/* Run the pending operation without lasting effect; leaves its footprint in previewed. */
static mz_outcome preview(mz__vm *m, uint32_t thread, const mz_static_operation *operation)
{
    m->access_count = 0;
    int64_t counter = mz__thread_words(m, thread)[0];
    if (!operation->transaction) {
        mz_outcome outcome = mz__vm_run(m, thread, MZ__PREVIEW, true, NULL);
        mz__thread_words(m, thread)[0] = counter;
        return outcome;
    }
    char *state = m->state;
    memcpy(m->scratch, state, m->base.snapshot_bytes);
    use_state(m, m->scratch);
    mz_outcome outcome = mz__vm_run(m, thread, MZ__PREVIEW, true, NULL);
    use_state(m, state);
    if (outcome != MZ_STEP_DONE)
        forget_writes(m->previewed, &m->access_count);
    return outcome;
}

static inline bool tells_classes(const mz__vm *m)
{
    return m->base.relation & MZ_REFINES_CLASSES;
}

static inline const mz_access *fixed_accesses(const mz__vm *m, const mz_static_operation *operation)
{
    return m->code->accesses + (tells_classes(m) ? operation->refined_access : operation->first_access);
}

/* The class, where the footprint is not fixed, of one location. An operation that fails writes nothing. */
static void add_class(mz__vm *m, const mz_static_operation *operation, mz_access *accesses)
{
    m->base.refined |= m->base.relation & MZ_REFINES_CLASSES;
    if (tells_classes(m) && m->access_count == 1 && accesses[0].kind == (MZ_READ | MZ_WRITE))
        accesses[0].kind |= operation->class;
}

/* Cold path: what it touches has to be found out. */
static __attribute__((noinline)) void find_accesses(mz__vm *m, uint32_t thread,
                                                    const mz_static_operation *operation, mz_operation *out)
{
    preview(m, thread, operation);
    if (operation->class)
        add_class(m, operation, m->previewed);
    out->accesses = m->previewed;
    out->access_count = m->access_count;
}

static inline void tell_operation(mz__vm *m, uint32_t thread, const mz_static_operation *operation,
                                  mz_operation *out)
{
    *out = operation->told;
    if (!operation->fixed) {
        find_accesses(m, thread, operation, out);
        return;
    }
    out->accesses = fixed_accesses(m, operation);
    out->access_count = operation->access_count;
}

/* With store buffers: theirs, or of a process that may have to wait for its own. */
static __attribute__((noinline)) void tell_beside_buffers(mz__vm *m, uint32_t thread, mz_operation *out)
{
    if (thread >= m->processes) {
        mz__pending_of_buffer(m, thread, out);
        return;
    }
    const mz_static_operation *operation = mz__operation_at(m, thread);
    if (mz__waits_for_buffer(m, thread, operation)) {
        *out = (mz_operation){.kind = MZ_OP_JOIN, .blocking = true};
        return;
    }
    tell_operation(m, thread, operation, out);
    mz__add_cause_of_buffer(m, thread, operation, &m->pending_cause, out);
}

static void pending(mz_machine *machine, uint32_t thread, mz_operation *out)
{
    mz__vm *m = mz__vm_of(machine);
    if (mz__has_buffers(m))
        tell_beside_buffers(m, thread, out);
    else
        tell_operation(m, thread, mz__operation_at(m, thread), out);
    if (mz__has_peers(m))
        mz__tell_peer(m, thread, &m->pending_cause, out);
}

/* An operation whose guard cannot be evaluated (a wrong index) can happen: it fails. */
static bool guard_holds(mz__vm *m, uint32_t thread)
{
    const mz_static_operation *operation = mz__operation_at(m, thread);
    if (mz__has_buffers(m) && (!operation->told.blocking || mz__waits_for_buffer(m, thread, operation)))
        return !mz__waits_for_buffer(m, thread, operation);
    return preview(m, thread, operation) != MZ_STEP_DONE || m->guard != 0;
}

/* Sort the threads that stand at blocking operations into ready and blocked. */
static void update_blocking(mz__vm *m)
{
    MZ_FOR_EACH_THREAD(t, *m->at_blocking)
    {
        mz_threads bit = mz_threads_of(t);
        bool holds = guard_holds(m, t);
        m->base.status->ready = holds ? m->base.status->ready | bit : m->base.status->ready & ~bit;
        m->base.status->blocked = holds ? m->base.status->blocked & ~bit : m->base.status->blocked | bit;
    }
    if (mz__has_buffers(m))
        mz__update_buffers(m);
    if (mz__has_peers(m))
        mz__update_peers(m);
}

/* The thread has run: into which set does it belong now? */
MZ_INLINE void settle(mz__vm *m, uint32_t thread, mz_outcome outcome)
{
    mz_threads bit = mz_threads_of(thread);
    mz_status *status = m->base.status;
    status->ready &= ~bit;
    *m->at_blocking &= ~bit;
    if (outcome == MZ_STEP_FAILED || outcome == MZ_STEP_GIVEN_UP) {
        status->failed |= bit;
    } else if (outcome == MZ_STEP_PRUNED) {
        status->pruned |= bit;
    } else {
        const mz_static_operation *next = mz__operation_at(m, thread);
        if (!next)
            status->finished |= bit;
        else
            status->ready |= bit;
        bool may_wait =
            next && (next->told.blocking || (mz__has_buffers(m) && (next->drains || next->stores)));
        if (may_wait)
            *m->at_blocking |= bit;
    }
}

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    mz__vm *m = mz__vm_of(machine);
    if (m->peers_at)
        machine->snapshot_bytes = mz__has_peers(m) ? m->bytes : m->peers_at;
    memset(m->state, 0, machine->snapshot_bytes);
    for (size_t i = 0; i < m->program->variable_count; i++) {
        const mz_variable *v = m->program->variables[i];
        if (v->storage == MZ_SHARED && v->length > 0)
            memcpy(m->shared + v->base, v->initial, v->length * sizeof *v->initial);
    }
    mz_outcome gravest = MZ_STEP_DONE;
    machine->failure_count = 0;
    for (uint32_t t = 0; t < m->processes; t++) {
        const mz_process_code *process = &m->code->processes[t];
        int64_t *words = mz__thread_words(m, t);
        words[0] = process->start;
        if (process->local_count > 0)
            memcpy(words + 1, m->code->local_initials + process->first_initial,
                   process->local_count * sizeof *words);
        mz_outcome outcome = m->code->instructions[process->start].code == MZ_CODE_EVENT
                                 ? MZ_STEP_DONE
                                 : mz__vm_run(m, t, MZ__PERFORM, false, choices);
        settle(m, t, outcome);
        if (outcome == MZ_STEP_GIVEN_UP)
            return outcome;
        if (outcome == MZ_STEP_FAILED)
            gravest = outcome;
    }
    if (mz__has_peers(m))
        mz__begin_peers(m);
    update_blocking(m);
    return gravest;
}

static inline mz_outcome perform(mz__vm *m, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    const mz_static_operation *operation = mz__operation_at(m, thread);
    int64_t *words = mz__thread_words(m, thread);
    uint32_t start = (uint32_t)words[0];
    if (operation->transaction)
        memcpy(m->scratch, m->state, m->base.snapshot_bytes);
    mz_outcome outcome = mz__vm_run(m, thread, MZ__PERFORM, !operation->fixed, choices);
    bool inside = outcome != MZ_STEP_DONE && (uint32_t)words[0] == start; /* DONE was not reached */
    if (inside && operation->transaction) {
        memcpy(m->state, m->scratch, m->base.snapshot_bytes);
        forget_writes(m->executed, &m->access_count);
    }
    *executed = operation->told;
    if (operation->class)
        add_class(m, operation, m->executed);
    executed->accesses = operation->fixed ? fixed_accesses(m, operation) : m->executed;
    executed->access_count = operation->fixed ? operation->access_count : m->access_count;
    settle(m, thread, outcome);
    return outcome;
}

/* With store buffers: a step of theirs, or of a process. */
static __attribute__((noinline)) mz_outcome step_beside_buffers(mz__vm *m, uint32_t thread,
                                                                mz_choices *choices, mz_operation *executed)
{
    if (thread >= m->processes) {
        mz__step_of_buffer(m, thread, executed);
        return MZ_STEP_DONE;
    }
    mz_operation caused = {0};
    mz__add_cause_of_buffer(m, thread, mz__operation_at(m, thread), &m->executed_cause, &caused);
    mz__buffer_of(m, thread)->events++;
    mz_outcome outcome = perform(m, thread, choices, executed);
    executed->cause_count = caused.cause_count;
    executed->causes = caused.causes;
    return outcome;
}

/* The cause is what it was before, the history what it is behind it. */
static __attribute__((noinline)) mz_outcome step_among_peers(mz__vm *m, uint32_t thread, mz_choices *choices,
                                                             mz_operation *executed)
{
    mz_operation caused = {0};
    mz__tell_peer(m, thread, &m->executed_cause, &caused);
    mz_outcome outcome = perform(m, thread, choices, executed);
    mz__note_peer(m, thread, executed, choices->count > 0);
    executed->cause_count = caused.cause_count;
    executed->causes = caused.causes;
    executed->steering |= caused.steering;
    return outcome;
}

static mz_outcome step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    mz__vm *m = mz__vm_of(machine);
    m->access_count = 0;
    machine->failure_count = 0;
    m->viewer = m->writer = UINT32_MAX;
    mz_outcome outcome = mz__has_buffers(m) ? step_beside_buffers(m, thread, choices, executed)
                         : mz__has_peers(m) ? step_among_peers(m, thread, choices, executed)
                                            : perform(m, thread, choices, executed);
    update_blocking(m);
    return outcome;
}

static void save(const mz_machine *machine, void *snapshot)
{
    memcpy(snapshot, ((const mz__vm *)machine)->state, machine->snapshot_bytes);
}

static void restore(mz_machine *machine, const void *snapshot)
{
    memcpy(mz__vm_of(machine)->state, snapshot, machine->snapshot_bytes);
}

static mz_hash fingerprint(const mz_machine *machine)
{
    const int64_t *words = (const int64_t *)(const void *)((const mz__vm *)machine)->state;
    mz_hash h = mz_hash_start(0);
    for (size_t i = 0; i < machine->snapshot_bytes / sizeof *words; i++)
        h = mz_hash_add(h, (uint64_t)words[i]);
    return h;
}

static void destroy(mz_machine *machine)
{
    mz__vm *m = mz__vm_of(machine);
    mz_release(m->state);
    mz_release(m->scratch);
    mz_release(m->thread_offset);
    mz_release(m->executed);
    mz_release(m->previewed);
    mz_release(m->stack);
    mz_release(m->buffer_offset);
    mz_release(m->view);
    mz_failures_release(machine->failures, machine->thread_capacity + 1);
    mz_release(m);
}

static const mz_machine_class vm_class = {
    .name = "dlang",
    .thread_word = "process",
    .loop_hint = "does a loop wait for another process? await says so",
    .failure_kinds = 1u << MZ_FAIL_ASSERTION | 1u << MZ_FAIL_DEADLOCK | 1u << MZ_FAIL_INDEX |
                     1u << MZ_FAIL_DIVISION | 1u << MZ_FAIL_LOCK | 1u << MZ_FAIL_CHOICE,
    .destroy = destroy,
    .reset = reset,
    .pending = pending,
    .step = step,
    .save = save,
    .restore = restore,
    .fingerprint = fingerprint,
    .describe_pending = mz__vm_describe_pending,
    .describe_wait = mz__vm_describe_wait,
    .describe_location = mz__vm_describe_location,
    .describe_value = mz__vm_describe_value,
    .describe_thread = mz__vm_describe_thread,
    .describe_consequence = mz__vm_describe_consequence,
};

mz_machine *mz_vm_create(const mz_program *program, const mz_code *code)
{
    mz__vm *m = mz_allocate_zeroed(1, sizeof *m);
    m->program = program;
    m->code = code;
    m->processes = code->process_count;
    m->viewer = m->writer = UINT32_MAX;
    m->thread_offset = mz_allocate_zeroed(code->process_count, sizeof *m->thread_offset);
    size_t bytes = sizeof(mz_status) + sizeof(mz_threads) + code->shared_count * sizeof(int64_t);
    for (uint32_t t = 0; t < code->process_count; t++) {
        m->thread_offset[t] = bytes;
        bytes += (1 + (size_t)code->processes[t].local_count) * sizeof(int64_t);
    }
    if (code->has_buffers)
        bytes = mz__place_buffers(m, bytes);
    m->bytes = mz__place_peers(m, bytes);
    uint32_t buffers = code->has_buffers ? code->process_count : 0;
    m->base = (mz_machine){
        .class = &vm_class,
        .thread_capacity = code->process_count + buffers,
        .buffer_count = buffers,
        .location_count = code->shared_count,
        .snapshot_bytes = bytes, /* without peers, until they are asked for */
        .complex_blocking = code->complex_blocking,
        .knows_steering = true,
        .failures = mz_allocate_zeroed(code->process_count + buffers + 1, sizeof(mz_failure)),
    };
    m->scratch = mz_allocate_zeroed(1, m->bytes);
    m->stack = mz_allocate_zeroed((size_t)code->stack_needed + 2, sizeof *m->stack);
    use_state(m, mz_allocate_zeroed(1, m->bytes));
    return &m->base;
}
