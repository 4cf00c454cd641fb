/* The whole state is one contiguous block, so that a snapshot is one copy:
 *
 *     mz_status | threads at a blocking operation | shared cells | thread 0: counter, locals | thread 1 …
 */
#include "model/vm.h"

#include <string.h>

#include "base/memory.h"
#include "model/arithmetic.h"

/* Instructions run in loops of one step after which a thread is taken to be running for ever. */
enum { LOCAL_LIMIT = 100 * 1000 * 1000 };

typedef enum run_mode {
    PERFORM, /* the operation and the local work after it */
    PREVIEW, /* the operation's footprint and guard; nothing is stored, nothing fails for good */
} run_mode;

typedef struct vm {
    mz_machine base;
    const mz_program *program;
    const mz_code *code;
    char *state;
    char *scratch;           /* another state: before a transaction, or to preview one */
    mz_threads *at_blocking; /* in the state */
    int64_t *shared;         /* in the state */
    size_t *thread_offset;   /* bytes from the start of the state */
    mz_access *executed, *previewed;
    size_t executed_capacity, previewed_capacity;
    uint32_t access_count; /* recorded by the current run */
    int64_t *stack;
    int64_t guard; /* what a previewed blocking operation found */
} vm;

static vm *of(mz_machine *machine)
{
    return (vm *)machine;
}

static int64_t *thread_words(const vm *m, uint32_t thread)
{
    return (int64_t *)(void *)(m->state + m->thread_offset[thread]); /* [0] = counter, then locals */
}

/* Let the machine work on another block of state. */
static void use_state(vm *m, char *state)
{
    m->state = state;
    m->base.status = (mz_status *)(void *)state;
    m->at_blocking = (mz_threads *)(void *)(state + sizeof(mz_status));
    m->shared = (int64_t *)(void *)(state + sizeof(mz_status) + sizeof(mz_threads));
}

static void record(vm *m, run_mode mode, uint32_t location, uint32_t kind)
{
    mz_access **list = mode == PERFORM ? &m->executed : &m->previewed;
    size_t *capacity = mode == PERFORM ? &m->executed_capacity : &m->previewed_capacity;
    for (uint32_t i = 0; i < m->access_count; i++)
        if ((*list)[i].location == location) {
            if ((*list)[i].kind != MZ_WRITE) /* else it reads what it has written itself */
                (*list)[i].kind |= kind;
            return;
        }
    *list = mz_grow(*list, capacity, (size_t)m->access_count + 1, sizeof **list);
    (*list)[m->access_count++] = (mz_access){location, kind};
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

static mz_outcome fail(vm *m, run_mode mode, uint32_t thread, uint32_t at, mz_failure_kind kind,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));

static mz_outcome fail(vm *m, run_mode mode, uint32_t thread, uint32_t at, mz_failure_kind kind,
                       const char *format, ...)
{
    if (mode == PREVIEW)
        return MZ_STEP_FAILED;
    mz_failure *failure = &m->base.failures[m->base.failure_count++];
    failure->kind = kind;
    failure->thread = thread;
    failure->position = m->code->positions[at];
    mz_text_clear(&failure->message);
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&failure->message, format, arguments);
    va_end(arguments);
    return MZ_STEP_FAILED;
}

static mz_outcome fail_index(vm *m, run_mode mode, uint32_t thread, uint32_t at, int64_t index)
{
    const mz_variable *v = m->program->variables[m->code->instructions[at].variable];
    return fail(m, mode, thread, at, MZ_FAIL_INDEX, "index %lld is outside '%s', which has %u cell%s",
                (long long)index, v->name, v->length, v->length == 1 ? "" : "s");
}

static mz_outcome fail_endless(vm *m, run_mode mode, uint32_t thread, uint32_t at)
{
    mz_position p = m->code->positions[at];
    fail(m, mode, thread, at, MZ_FAIL_ASSERTION,
         "process %u is busy without end at %s:%u: %d instructions without an event", thread, p.file, p.line,
         LOCAL_LIMIT);
    return MZ_STEP_GIVEN_UP;
}

/* Run the thread from its counter: in PERFORM up to its next operation, in PREVIEW up to the end of the
 * current one. Returns with the counter where it stopped. Every access is checked, recorded if its
 * operation's footprint is not fixed, and done. */
static mz_outcome run(vm *m, uint32_t thread, run_mode mode, bool recording, mz_choices *choices)
{
#define CELL(index)                                                                                          \
    if ((uint64_t)(index) >= in->b)                                                                          \
        return fail_index(m, mode, thread, at, index);
#define TOUCH(location, kind)                                                                                \
    if (recording)                                                                                           \
        record(m, mode, (uint32_t)(location), kind);

    const mz_code *code = m->code;
    int64_t *words = thread_words(m, thread), *locals = words + 1, *shared = m->shared;
    int64_t *top = m->stack - 1; /* the topmost value */
    const bool storing = mode == PERFORM || m->state == m->scratch;
    uint32_t at = (uint32_t)words[0];
    if (code->instructions[at].code == MZ_CODE_EVENT)
        at++;
    int64_t left = LOCAL_LIMIT;
    for (;; at++) {
        const mz_instruction *in = &code->instructions[at];
        int64_t index, value;
        switch (in->code) {
        case MZ_CODE_NUMBER:
            *++top = code->numbers[in->a];
            break;
        case MZ_CODE_LOAD_LOCAL:
            *++top = locals[in->a];
            break;
        case MZ_CODE_LOAD_LOCAL_AT:
            CELL(*top)
            *top = locals[in->a + *top];
            break;
        case MZ_CODE_LOAD_CONST_AT:
            CELL(*top)
            *top = code->numbers[in->a + *top];
            break;
        case MZ_CODE_LOAD_SHARED:
            TOUCH(in->a, MZ_READ)
            *++top = shared[in->a];
            break;
        case MZ_CODE_LOAD_SHARED_AT:
            CELL(*top)
            TOUCH(in->a + *top, MZ_READ)
            *top = shared[in->a + *top];
            break;
        case MZ_CODE_STORE_LOCAL:
            if (storing)
                locals[in->a] = *top;
            top--;
            break;
        case MZ_CODE_STORE_LOCAL_AT:
            value = *top--;
            index = *top--;
            CELL(index)
            if (storing)
                locals[in->a + index] = value;
            break;
        case MZ_CODE_STORE_SHARED:
            TOUCH(in->a, MZ_WRITE)
            if (storing)
                shared[in->a] = *top;
            top--;
            break;
        case MZ_CODE_STORE_SHARED_AT:
            value = *top--;
            index = *top--;
            CELL(index)
            TOUCH(in->a + index, MZ_WRITE)
            if (storing)
                shared[in->a + index] = value;
            break;
        case MZ_CODE_CAS_LOCAL_AT:
        case MZ_CODE_CAS_SHARED_AT: {
            bool is_shared = in->code == MZ_CODE_CAS_SHARED_AT;
            int64_t *cells = is_shared ? shared : locals;
            value = *top--;
            int64_t expected = *top--;
            index = *top;
            CELL(index)
            bool success = cells[in->a + index] == expected;
            if (is_shared)
                TOUCH(in->a + index, (success ? MZ_READ | MZ_WRITE : MZ_READ))
            if (success && storing)
                cells[in->a + index] = value;
            *top = success;
            break;
        }
        case MZ_CODE_DIVISION:
            if (*top == 0)
                return fail(m, mode, thread, at, MZ_FAIL_DIVISION, "division by zero");
            __attribute__((fallthrough));
        case MZ_CODE_BINARY:
            value = *top--;
            *top = mz_evaluate((mz_expression_kind)in->a, *top, value);
            break;
        case MZ_CODE_UNARY:
            *top = mz_evaluate((mz_expression_kind)in->a, *top, 0);
            break;
        case MZ_CODE_TRUTH:
            *top = *top != 0;
            break;
        case MZ_CODE_JUMP:
            left -= at >= in->a ? (int64_t)(at - in->a) + 1 : 0; /* backwards: once more through all that */
            if (left < 0)
                return fail_endless(m, mode, thread, in->a);
            at = in->a - 1;
            break;
        case MZ_CODE_JUMP_IF_ZERO:
            if (*top-- == 0)
                at = in->a - 1;
            break;
        case MZ_CODE_AND_ELSE_JUMP:
            if (*top == 0)
                at = in->a - 1;
            else
                top--;
            break;
        case MZ_CODE_OR_ELSE_JUMP:
            if (*top != 0) {
                *top = 1;
                at = in->a - 1;
            } else {
                top--;
            }
            break;
        case MZ_CODE_POP:
            top--;
            break;
        case MZ_CODE_CHOOSE:
            value = *top--;
            index = *top--;
            if (index > value)
                return fail(m, mode, thread, at, MZ_FAIL_CHOICE,
                            "choose(%lld, %lld): there is nothing to choose from", (long long)index,
                            (long long)value);
            locals[in->a] = mz_choose(choices, index, value);
            break;
        case MZ_CODE_ASSERT:
            if (*top-- == 0 && !m->base.ignore_assertions)
                return fail(m, mode, thread, at, MZ_FAIL_ASSERTION, "assertion failed: %s",
                            code->texts[in->a]);
            break;
        case MZ_CODE_ASSUME:
            if (*top-- == 0)
                return MZ_STEP_PRUNED;
            break;
        case MZ_CODE_LOCK:
            index = *top--;
            CELL(index)
            TOUCH(in->a + index, MZ_READ | MZ_WRITE)
            if (mode == PREVIEW)
                *++top = shared[in->a + index] == 0;
            else
                shared[in->a + index] = (int64_t)thread + 1;
            break;
        case MZ_CODE_UNLOCK:
            index = *top--;
            CELL(index)
            TOUCH(in->a + index, MZ_READ)
            if (shared[in->a + index] != (int64_t)thread + 1)
                return fail(m, mode, thread, at, MZ_FAIL_LOCK,
                            shared[in->a + index] == 0 ? "unlock of a lock that nobody holds"
                                                       : "unlock of a lock that process %lld holds",
                            (long long)shared[in->a + index] - 1);
            TOUCH(in->a + index, MZ_WRITE)
            if (storing)
                shared[in->a + index] = 0;
            break;
        case MZ_CODE_DONE:
            words[0] = at;
            if (mode == PREVIEW) {
                m->guard = top >= m->stack ? *top : 0;
                return MZ_STEP_DONE;
            }
            recording = false;
            break;
        case MZ_CODE_EVENT:
        case MZ_CODE_FINISH:
            words[0] = at;
            return MZ_STEP_DONE;
        }
    }
#undef CELL
#undef TOUCH
}

static const mz_static_operation *operation_at(const vm *m, uint32_t thread)
{
    const mz_instruction *in = &m->code->instructions[thread_words(m, thread)[0]];
    return in->code == MZ_CODE_EVENT ? &m->code->operations[in->a] : NULL;
}

/* Run the pending operation without lasting effect; leaves its footprint in previewed. */
static mz_outcome preview(vm *m, uint32_t thread, const mz_static_operation *operation)
{
    m->access_count = 0;
    int64_t counter = thread_words(m, thread)[0];
    if (!operation->transaction) {
        mz_outcome outcome = run(m, thread, PREVIEW, true, NULL);
        thread_words(m, thread)[0] = counter;
        return outcome;
    }
    char *state = m->state;
    memcpy(m->scratch, state, m->base.snapshot_bytes);
    use_state(m, m->scratch);
    mz_outcome outcome = run(m, thread, PREVIEW, true, NULL);
    use_state(m, state);
    if (outcome != MZ_STEP_DONE)
        forget_writes(m->previewed, &m->access_count);
    return outcome;
}

static inline bool tells_classes(const vm *m)
{
    return m->base.relation & MZ_REFINES_CLASSES;
}

static inline const mz_access *fixed_accesses(const vm *m, const mz_static_operation *operation)
{
    return m->code->accesses + (tells_classes(m) ? operation->refined_access : operation->first_access);
}

/* The class, where the footprint is not fixed, of one location. An operation that fails writes nothing. */
static void add_class(vm *m, const mz_static_operation *operation, mz_access *accesses)
{
    m->base.refined |= m->base.relation & MZ_REFINES_CLASSES;
    if (tells_classes(m) && m->access_count == 1 && accesses[0].kind == (MZ_READ | MZ_WRITE))
        accesses[0].kind |= operation->class;
}

static void pending(mz_machine *machine, uint32_t thread, mz_operation *out)
{
    vm *m = of(machine);
    const mz_static_operation *operation = operation_at(m, thread);
    *out = (mz_operation){.kind = operation->kind,
                          .blocking = operation->blocking,
                          .branching = operation->branching,
                          .steering = operation->steering,
                          .dynamic = operation->dynamic,
                          .conditional = operation->conditional};
    if (operation->fixed) {
        out->accesses = fixed_accesses(m, operation);
        out->access_count = operation->access_count;
    } else {
        preview(m, thread, operation);
        if (operation->class)
            add_class(m, operation, m->previewed);
        out->accesses = m->previewed;
        out->access_count = m->access_count;
    }
}

/* An operation whose guard cannot be evaluated (a wrong index) can happen: it fails. */
static bool guard_holds(vm *m, uint32_t thread)
{
    return preview(m, thread, operation_at(m, thread)) != MZ_STEP_DONE || m->guard != 0;
}

/* Sort the threads that stand at blocking operations into ready and blocked. */
static void update_blocking(vm *m)
{
    MZ_FOR_EACH_THREAD(t, *m->at_blocking)
    {
        mz_threads bit = mz_threads_of(t);
        bool holds = guard_holds(m, t);
        m->base.status->ready = holds ? m->base.status->ready | bit : m->base.status->ready & ~bit;
        m->base.status->blocked = holds ? m->base.status->blocked & ~bit : m->base.status->blocked | bit;
    }
}

/* The thread has run: into which set does it belong now? */
static void settle(vm *m, uint32_t thread, mz_outcome outcome)
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
        const mz_static_operation *next = operation_at(m, thread);
        if (!next)
            status->finished |= bit;
        else
            status->ready |= bit;
        if (next && next->blocking)
            *m->at_blocking |= bit;
    }
}

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    vm *m = of(machine);
    memset(m->state, 0, machine->snapshot_bytes);
    for (size_t i = 0; i < m->program->variable_count; i++) {
        const mz_variable *v = m->program->variables[i];
        if (v->storage == MZ_SHARED && v->length > 0)
            memcpy(m->shared + v->base, v->initial, v->length * sizeof *v->initial);
    }
    mz_outcome gravest = MZ_STEP_DONE;
    machine->failure_count = 0;
    for (uint32_t t = 0; t < machine->thread_capacity; t++) {
        const mz_process_code *process = &m->code->processes[t];
        int64_t *words = thread_words(m, t);
        words[0] = process->start;
        if (process->local_count > 0)
            memcpy(words + 1, m->code->local_initials + process->first_initial,
                   process->local_count * sizeof *words);
        mz_outcome outcome = m->code->instructions[process->start].code == MZ_CODE_EVENT
                                 ? MZ_STEP_DONE
                                 : run(m, t, PERFORM, false, choices);
        settle(m, t, outcome);
        if (outcome == MZ_STEP_GIVEN_UP)
            return outcome;
        if (outcome == MZ_STEP_FAILED)
            gravest = outcome;
    }
    update_blocking(m);
    return gravest;
}

static mz_outcome step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    vm *m = of(machine);
    const mz_static_operation *operation = operation_at(m, thread);
    int64_t *words = thread_words(m, thread);
    uint32_t start = (uint32_t)words[0];
    m->access_count = 0;
    machine->failure_count = 0;
    if (operation->transaction)
        memcpy(m->scratch, m->state, machine->snapshot_bytes);
    mz_outcome outcome = run(m, thread, PERFORM, !operation->fixed, choices);
    bool inside = outcome != MZ_STEP_DONE && (uint32_t)words[0] == start; /* DONE was not reached */
    if (inside && operation->transaction) {
        memcpy(m->state, m->scratch, machine->snapshot_bytes);
        forget_writes(m->executed, &m->access_count);
    }
    *executed = (mz_operation){.kind = operation->kind,
                               .blocking = operation->blocking,
                               .branching = operation->branching,
                               .steering = operation->steering,
                               .dynamic = operation->dynamic,
                               .conditional = operation->conditional};
    if (operation->class)
        add_class(m, operation, m->executed);
    executed->accesses = operation->fixed ? fixed_accesses(m, operation) : m->executed;
    executed->access_count = operation->fixed ? operation->access_count : m->access_count;
    settle(m, thread, outcome);
    update_blocking(m);
    return outcome;
}

static void save(const mz_machine *machine, void *snapshot)
{
    memcpy(snapshot, ((const vm *)machine)->state, machine->snapshot_bytes);
}

static void restore(mz_machine *machine, const void *snapshot)
{
    memcpy(of(machine)->state, snapshot, machine->snapshot_bytes);
}

static mz_hash fingerprint(const mz_machine *machine)
{
    const int64_t *words = (const int64_t *)(const void *)((const vm *)machine)->state;
    mz_hash h = mz_hash_start(0);
    for (size_t i = 0; i < machine->snapshot_bytes / sizeof *words; i++)
        h = mz_hash_add(h, (uint64_t)words[i]);
    return h;
}

static void describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    const mz_static_operation *operation = operation_at(of(machine), thread);
    mz_text_add(out, "%s", operation->text);
    *position = operation->position;
}

static void describe_location(const mz_machine *machine, uint32_t location, mz_text *out)
{
    const mz_program *program = ((const vm *)machine)->program;
    for (size_t i = 0; i < program->variable_count; i++) {
        const mz_variable *v = program->variables[i];
        if (v->storage != MZ_SHARED || location < v->base || location >= v->base + v->length)
            continue;
        mz_text_add(out, "%s", v->name);
        if (v->length > 1)
            mz_text_add(out, "[%u]", location - v->base);
        return;
    }
}

static void describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    vm *m = of(machine);
    const mz_static_operation *operation = operation_at(m, thread);
    if (operation->kind == MZ_OP_LOCK) {
        mz_operation lock;
        pending(machine, thread, &lock);
        uint32_t location = lock.accesses[0].location;
        for (uint32_t i = 0; i < lock.access_count; i++)
            if (lock.accesses[i].kind & MZ_WRITE)
                location = lock.accesses[i].location;
        describe_location(machine, location, out);
        int64_t holder = m->shared[location] - 1;
        if (holder == (int64_t)thread)
            mz_text_add(out, ", which it holds itself");
        else if (holder >= 0 && holder < machine->thread_capacity)
            mz_text_add(out, ", held by process %lld", (long long)holder);
    } else {
        const char *condition = operation->text;
        if (strncmp(condition, "await", 5) == 0)
            condition += 5;
        mz_text_add(out, "%s", condition + strspn(condition, " "));
    }
}

static void describe_value(const mz_machine *machine, uint32_t location, mz_text *out)
{
    mz_text_add(out, "%lld", (long long)((const vm *)machine)->shared[location]);
}

static void destroy(mz_machine *machine)
{
    vm *m = of(machine);
    mz_release(m->state);
    mz_release(m->scratch);
    mz_release(m->thread_offset);
    mz_release(m->executed);
    mz_release(m->previewed);
    mz_release(m->stack);
    for (uint32_t t = 0; t <= machine->thread_capacity; t++)
        mz_failure_release(&machine->failures[t]);
    mz_release(machine->failures);
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
    .describe_pending = describe_pending,
    .describe_wait = describe_wait,
    .describe_location = describe_location,
    .describe_value = describe_value,
};

mz_machine *mz_vm_create(const mz_program *program, const mz_code *code)
{
    vm *m = mz_allocate_zeroed(1, sizeof *m);
    m->program = program;
    m->code = code;
    m->thread_offset = mz_allocate_zeroed(code->process_count, sizeof *m->thread_offset);
    size_t bytes = sizeof(mz_status) + sizeof(mz_threads) + code->shared_count * sizeof(int64_t);
    for (uint32_t t = 0; t < code->process_count; t++) {
        m->thread_offset[t] = bytes;
        bytes += (1 + (size_t)code->processes[t].local_count) * sizeof(int64_t);
    }
    m->base = (mz_machine){
        .class = &vm_class,
        .thread_capacity = code->process_count,
        .location_count = code->shared_count,
        .snapshot_bytes = bytes,
        .complex_blocking = code->complex_blocking,
        .knows_steering = true,
        .failures = mz_allocate_zeroed(code->process_count + 1, sizeof(mz_failure)),
    };
    m->scratch = mz_allocate_zeroed(1, bytes);
    m->stack = mz_allocate_zeroed((size_t)code->stack_needed + 2, sizeof *m->stack);
    use_state(m, mz_allocate_zeroed(1, bytes));
    return &m->base;
}
