#include "oracle/objects.h"

#include <string.h>

#include "base/memory.h"

/* What a thread can do. The first three are local: they look at what was read last. */
#define INSTRUCTIONS(X)                                                                                      \
    X(IF)     /* unless it is `value`, pass over `skipped` instructions */                                   \
    X(FORBID) /* it must not be `value` */                                                                   \
    X(END)                                                                                                   \
    X(READ)                                                                                                  \
    X(WRITE)                                                                                                 \
    X(ADD)                                                                                                   \
    X(MULTIPLY)                                                                                              \
    X(LOCK) X(UNLOCK) X(READ_LOCK) X(READ_UNLOCK) X(WRITE_LOCK) X(WRITE_UNLOCK) X(POST) X(WAIT) X(ARRIVE)

typedef enum action {
#define X(name) name,
    INSTRUCTIONS(X)
#undef X
} action;

enum { THREADS = 4, LONGEST = 24, LOCATIONS = 8, VARIABLES = 2, WRITTEN = -1 };
/* Locations by what they are. */
enum { VARIABLE = 0, RWLOCK = 2, SEMAPHORE = 4, MUTEX = 5, BARRIER = 7 };

typedef struct instruction {
    action code;
    uint32_t location;
    int32_t value;
    uint32_t skipped;
} instruction;

typedef struct state {
    mz_status status;
    uint32_t pc[THREADS], events[THREADS], cause[THREADS][THREADS];
    int32_t read[THREADS], values[LOCATIONS]; /* of a read-write lock: WRITTEN, or its readers */
    bool waits[THREADS];                      /* at the barrier */
} state;

typedef struct objects {
    mz_machine base;
    instruction code[THREADS][LONGEST + 1];
    uint32_t length[THREADS];
    int32_t initial[LOCATIONS];
    uint32_t arrivals_needed;
    bool arrivals_commute; /* all who come to the barrier are needed */
    state now;
    mz_access access, executed;
    mz_cause causes[THREADS];
} objects;

static objects *of(mz_machine *machine)
{
    return (objects *)(void *)machine;
}

/* ---- the machine ----------------------------------------------------------------------------------------
 */

static const instruction *next_of(const objects *m, uint32_t thread)
{
    return &m->code[thread][m->now.pc[thread]];
}

static bool can_happen(const objects *m, const instruction *i)
{
    int32_t value = m->now.values[i->location];
    return i->code == LOCK || i->code == WRITE_LOCK ? value == 0
           : i->code == READ_LOCK                   ? value >= 0
           : i->code == WAIT                        ? value > 0
                                                    : true;
}

static bool may_wait(action code)
{
    return code == LOCK || code == READ_LOCK || code == WRITE_LOCK || code == WAIT;
}

static mz_operation_kind kind_of(action code)
{
    switch (code) {
    case READ:
        return MZ_OP_READ;
    case WRITE:
        return MZ_OP_WRITE;
    case LOCK:
        return MZ_OP_LOCK;
    case UNLOCK:
        return MZ_OP_UNLOCK;
    case READ_LOCK:
    case WRITE_LOCK:
    case WAIT:
        return MZ_OP_ACQUIRE;
    case READ_UNLOCK:
    case WRITE_UNLOCK:
    case POST:
        return MZ_OP_RELEASE;
    case ARRIVE:
        return MZ_OP_ARRIVE;
    default:
        return MZ_OP_UPDATE;
    }
}

/* What is said to commute. The referee (reference.c) finds out in every state whether that is so. */
static uint32_t class_of(const objects *m, action code)
{
    if (!(m->base.relation & MZ_REFINES_CLASSES))
        return 0;
    switch (code) {
    case ADD:
    case READ_LOCK:
    case READ_UNLOCK:
    case POST:
        return MZ_CLASS;
    case MULTIPLY:
        return 2 * MZ_CLASS;
    case ARRIVE:
        return m->arrivals_commute ? MZ_CLASS : 0;
    default:
        return 0;
    }
}

static void pending(mz_machine *machine, uint32_t thread, mz_operation *out)
{
    objects *m = of(machine);
    const instruction *i = next_of(m, thread);
    *out = (mz_operation){.kind = MZ_OP_AWAIT, .blocking = true, .causes = m->causes};
    if (m->now.waits[thread])
        return;
    uint32_t class = class_of(m, i->code);
    m->access = (mz_access){i->location, i->code == READ    ? MZ_READ
                                         : i->code == WRITE ? MZ_WRITE
                                                            : MZ_READ | MZ_WRITE | class};
    machine->refined |= class ? MZ_REFINES_CLASSES : 0;
    out->kind = kind_of(i->code);
    out->blocking = may_wait(i->code);
    out->branching = out->steering = i->code == READ;
    out->crowded = i->code == WRITE_LOCK && (machine->relation & MZ_REFINES_CLASSES);
    out->access_count = 1;
    out->accesses = &m->access;
    for (uint32_t u = 0; u < machine->thread_capacity; u++)
        if (m->now.cause[thread][u] > 0)
            m->causes[out->cause_count++] = (mz_cause){u, m->now.cause[thread][u]};
}

static void set_ready(objects *m)
{
    mz_status *status = &m->now.status;
    mz_threads alive = status->ready | status->blocked;
    MZ_FOR_EACH_THREAD(t, alive)
    {
        bool ready = !m->now.waits[t] && can_happen(m, next_of(m, t));
        status->ready = ready ? status->ready | mz_threads_of(t) : status->ready & ~mz_threads_of(t);
        status->blocked = alive & ~status->ready;
    }
}

/* Up to its next operation. False if it fails. */
static bool run_local(objects *m, uint32_t thread)
{
    mz_status *status = &m->now.status;
    for (;; m->now.pc[thread]++) {
        const instruction *i = next_of(m, thread);
        bool is_value = m->now.read[thread] == i->value;
        if (i->code == IF && !is_value)
            m->now.pc[thread] += i->skipped;
        if (i->code == IF || (i->code == FORBID && !is_value))
            continue;
        if (i->code != END && i->code != FORBID)
            return true;
        status->ready &= ~mz_threads_of(thread);
        status->blocked &= ~mz_threads_of(thread);
        if (i->code == END) {
            status->finished |= mz_threads_of(thread);
            return true;
        }
        status->failed |= mz_threads_of(thread);
        mz_failure *failure = &m->base.failures[m->base.failure_count++];
        failure->kind = MZ_FAIL_ASSERTION;
        failure->thread = thread;
        failure->position =
            (mz_position){.file = "objects", .line = m->now.pc[thread] + 1, .column = thread + 1};
        mz_text_clear(&failure->message);
        mz_text_add(&failure->message, "%d was read", i->value);
        return false;
    }
}

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    objects *m = of(machine);
    (void)choices;
    memset(&m->now, 0, sizeof m->now);
    memcpy(m->now.values, m->initial, sizeof m->initial);
    machine->failure_count = 0;
    for (uint32_t t = 0; t < machine->thread_capacity; t++) {
        m->now.status.ready |= mz_threads_of(t);
        run_local(m, t);
    }
    set_ready(m);
    return machine->failure_count > 0 ? MZ_STEP_FAILED : MZ_STEP_DONE;
}

/* The last arrival lets all go on, each after all arrivals. */
static void complete_phase(objects *m)
{
    uint32_t count = m->base.thread_capacity;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t u = 0; u < count && m->now.waits[t]; u++)
            if (u != t && m->now.waits[u])
                m->now.cause[t][u] = m->now.events[u];
    for (uint32_t t = 0; t < count; t++)
        if (m->now.waits[t]) {
            m->now.waits[t] = false;
            run_local(m, t);
        }
}

static void perform(objects *m, uint32_t thread, const instruction *i)
{
    int32_t *value = &m->now.values[i->location];
    switch (i->code) {
    case READ:
        m->now.read[thread] = *value;
        break;
    case WRITE:
        *value = i->value;
        break;
    case ADD:
        *value += i->value;
        break;
    case MULTIPLY:
        *value *= i->value;
        break;
    case LOCK:
    case READ_LOCK:
    case POST:
        ++*value;
        break;
    case UNLOCK:
    case READ_UNLOCK:
    case WAIT:
        --*value;
        break;
    case WRITE_LOCK:
        *value = WRITTEN;
        break;
    case WRITE_UNLOCK:
        *value = 0;
        break;
    case ARRIVE:
        m->now.waits[thread] = true;
        *value = (*value + 1) % (int32_t)m->arrivals_needed;
        break;
    default:
        break;
    }
}

static mz_outcome step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed)
{
    objects *m = of(machine);
    const instruction *i = next_of(m, thread);
    choices->count = 0;
    machine->failure_count = 0;
    pending(machine, thread, executed);
    m->executed = m->access;
    executed->accesses = &m->executed;
    memset(m->now.cause[thread], 0, sizeof m->now.cause[thread]);
    m->now.events[thread]++;
    m->now.pc[thread]++;
    perform(m, thread, i);
    if (!m->now.waits[thread])
        run_local(m, thread);
    else if (m->now.values[i->location] == 0)
        complete_phase(m);
    set_ready(m);
    return machine->failure_count > 0 ? MZ_STEP_FAILED : MZ_STEP_DONE;
}

static uint32_t causes_of_failure(const mz_machine *machine, uint32_t thread, mz_cause *causes)
{
    const objects *m = (const objects *)(const void *)machine;
    uint32_t count = 0;
    for (uint32_t u = 0; u < machine->thread_capacity; u++)
        if (m->now.cause[thread][u] > 0)
            causes[count++] = (mz_cause){u, m->now.cause[thread][u]};
    return count;
}

static void save(const mz_machine *machine, void *snapshot)
{
    memcpy(snapshot, &((const objects *)(const void *)machine)->now, sizeof(state));
}

static void restore(mz_machine *machine, const void *snapshot)
{
    memcpy(&of(machine)->now, snapshot, sizeof(state));
}

/* Without what an operation comes after, which is no state. */
static mz_hash fingerprint(const mz_machine *machine)
{
    const state *now = &((const objects *)(const void *)machine)->now;
    mz_hash h = mz_hash_start(mz_threads_first(now->status.failed | mz_threads_of(THREADS)));
    for (uint32_t t = 0; t < machine->thread_capacity; t++)
        h = mz_hash_add(h,
                        (uint64_t)now->pc[t] << 33 | (uint64_t)now->waits[t] << 32 | (uint32_t)now->read[t]);
    for (uint32_t i = 0; i < LOCATIONS; i++)
        h = mz_hash_add(h, (uint64_t)(uint32_t)now->values[i]);
    return h;
}

/* ---- words ----------------------------------------------------------------------------------------------
 */

static void write_instruction(const instruction *i, mz_text *out)
{
    static const char *const names[] = {
#define X(name) #name,
        INSTRUCTIONS(X)
#undef X
    };
    mz_text_add(out, "%s ", names[i->code]);
    if (i->code == IF)
        mz_text_add(out, "%d +%u", i->value, i->skipped);
    else if (i->code == FORBID)
        mz_text_add(out, "%d", i->value);
    else
        mz_text_add(out, "%u %d", i->location, i->value);
}

static void describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    const objects *m = of(machine);
    write_instruction(next_of(m, thread), out);
    *position = (mz_position){.file = "objects", .line = m->now.pc[thread] + 1, .column = thread + 1};
}

static void describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    write_instruction(next_of(of(machine), thread), out);
}

static void describe_location(const mz_machine *machine, uint32_t location, mz_text *out)
{
    (void)machine;
    mz_text_add(out, "%u", location);
}

static void describe_value(const mz_machine *machine, uint32_t location, mz_text *out)
{
    mz_text_add(out, "%d", ((const objects *)(const void *)machine)->now.values[location]);
}

void objects_write(const mz_machine *machine, mz_text *out)
{
    const objects *m = (const objects *)(const void *)machine;
    mz_text_add(out, "semaphore %d, barrier %u\n", m->initial[SEMAPHORE], m->arrivals_needed);
    for (uint32_t t = 0; t < machine->thread_capacity; t++) {
        mz_text_add(out, "%u:", t);
        for (uint32_t i = 0; m->code[t][i].code != END; i++) {
            mz_text_add(out, "  ");
            write_instruction(&m->code[t][i], out);
        }
        mz_text_add(out, "\n");
    }
}

static void destroy(mz_machine *machine)
{
    mz_failures_release(machine->failures, machine->thread_capacity + 1);
    mz_release(machine);
}

static const mz_machine_class objects_class = {
    .name = "objects",
    .thread_word = "thread",
    .loop_hint = "",
    .failure_kinds = 1u << MZ_FAIL_ASSERTION | 1u << MZ_FAIL_DEADLOCK,
    .destroy = destroy,
    .reset = reset,
    .pending = pending,
    .step = step,
    .save = save,
    .restore = restore,
    .fingerprint = fingerprint,
    .causes_of_failure = causes_of_failure,
    .describe_pending = describe_pending,
    .describe_wait = describe_wait,
    .describe_location = describe_location,
    .describe_value = describe_value,
};

/* ---- random programs -------------------------------------------------------------------------------------
 */

typedef struct dice {
    uint64_t seed, drawn;
} dice;

static uint32_t below(dice *d, uint32_t end)
{
    return (uint32_t)(mz_mix64(d->seed + UINT64_C(0x9e3779b97f4a7c15) * ++d->drawn) >> 20) % end;
}

/* What a program is about: some of these, the others not. */
enum { ABOUT_VARIABLES = 1, ABOUT_RWLOCKS = 2, ABOUT_SEMAPHORES = 4, ABOUT_MUTEXES = 8, ABOUT_BARRIERS = 16 };

typedef struct writer {
    objects *m;
    dice *dice;
    uint32_t thread, about, rwlocks;
    instruction held[LONGEST]; /* how to give back what is held */
    uint32_t held_count;
} writer;

static void add(writer *w, instruction i)
{
    if (w->m->length[w->thread] < LONGEST)
        w->m->code[w->thread][w->m->length[w->thread]++] = i;
}

static void add_on_variable(writer *w)
{
    static const action codes[] = {READ, READ, WRITE, ADD, ADD, ADD, MULTIPLY};
    action code = codes[below(w->dice, sizeof codes / sizeof *codes)];
    instruction i = {code, VARIABLE + below(w->dice, VARIABLES), 1 + (int32_t)below(w->dice, 2), 0};
    add(w, i);
    if (code != READ)
        return;
    if (below(w->dice, 2))
        add(w, (instruction){IF, 0, (int32_t)below(w->dice, 3), 1});
    else if (below(w->dice, 3) == 0)
        add(w, (instruction){FORBID, 0, (int32_t)below(w->dice, 4), 0});
    if (below(w->dice, 2))
        add_on_variable(w);
}

static void give_back(writer *w, uint32_t which)
{
    add(w, w->held[which]);
    memmove(&w->held[which], &w->held[which + 1], (--w->held_count - which) * sizeof *w->held);
}

static void take(writer *w, action how, action back, uint32_t location)
{
    for (uint32_t i = 0; i < w->held_count; i++)
        if (w->held[i].location == location)
            return;
    add(w, (instruction){how, location, 0, 0});
    w->held[w->held_count++] = (instruction){back, location, 0, 0};
    if (below(w->dice, 2))
        give_back(w, w->held_count - 1);
}

static void add_something(writer *w)
{
    uint32_t what;
    do
        what = 1u << below(w->dice, 4);
    while (!(w->about & what));
    if (w->held_count > 0 && below(w->dice, 3) == 0)
        give_back(w, below(w->dice, w->held_count));
    if (what == ABOUT_VARIABLES)
        add_on_variable(w);
    else if (what == ABOUT_SEMAPHORES)
        add(w, (instruction){below(w->dice, 3) ? POST : WAIT, SEMAPHORE, 0, 0});
    else if (what == ABOUT_MUTEXES)
        take(w, LOCK, UNLOCK, MUTEX + below(w->dice, 2));
    else if (below(w->dice, 3))
        take(w, READ_LOCK, READ_UNLOCK, RWLOCK + below(w->dice, w->rwlocks));
    else
        take(w, WRITE_LOCK, WRITE_UNLOCK, RWLOCK + below(w->dice, w->rwlocks));
}

/* An IF must not pass over half of a section, nor an arrival: it is followed by what touches variables. */
static void mend_skips(objects *m, uint32_t thread)
{
    for (uint32_t i = 0; i < m->length[thread]; i++) {
        const instruction *next = &m->code[thread][i + 1];
        if (m->code[thread][i].code == IF && (next->code < READ || next->code > MULTIPLY) &&
            next->code != POST && next->code != WAIT)
            m->code[thread][i].skipped = 0;
    }
}

static void write_thread(objects *m, dice *d, uint32_t thread, uint32_t about, uint32_t arrivals)
{
    writer w = {.m = m, .dice = d, .thread = thread, .about = about, .rwlocks = 1 + below(d, 2)};
    for (uint32_t count = 1 + below(d, 5); count > 0; count--) {
        add_something(&w);
        if (arrivals > 0 && below(d, 2)) {
            add(&w, (instruction){ARRIVE, BARRIER, 0, 0});
            arrivals--;
        }
    }
    while (w.held_count > 0)
        give_back(&w, w.held_count - 1);
    for (; arrivals > 0; arrivals--)
        add(&w, (instruction){ARRIVE, BARRIER, 0, 0});
    m->code[thread][m->length[thread]] = (instruction){.code = END};
    mend_skips(m, thread);
}

static bool uses(const objects *m, action code)
{
    for (uint32_t t = 0; t < m->base.thread_capacity; t++)
        for (uint32_t i = 0; i < m->length[t]; i++)
            if (m->code[t][i].code == code)
                return true;
    return false;
}

mz_machine *objects_generate(uint64_t seed)
{
    static const uint32_t subjects[] = {
        ABOUT_VARIABLES,
        ABOUT_SEMAPHORES,
        ABOUT_RWLOCKS,
        ABOUT_RWLOCKS,
        ABOUT_VARIABLES | ABOUT_SEMAPHORES,
        ABOUT_VARIABLES | ABOUT_RWLOCKS,
        ABOUT_RWLOCKS | ABOUT_SEMAPHORES,
        ABOUT_VARIABLES | ABOUT_BARRIERS,
        ABOUT_VARIABLES | ABOUT_MUTEXES,
        ABOUT_VARIABLES | ABOUT_RWLOCKS | ABOUT_SEMAPHORES | ABOUT_MUTEXES | ABOUT_BARRIERS,
    };
    dice d = {.seed = mz_mix64(seed)};
    objects *m = mz_allocate_zeroed(1, sizeof *m);
    uint32_t threads = 2 + below(&d, 3), about = subjects[below(&d, sizeof subjects / sizeof *subjects)];
    bool all_arrive = below(&d, 4) > 0;
    uint32_t rounds = about & ABOUT_BARRIERS ? 1 + below(&d, 2) : 0;
    m->base = (mz_machine){.class = &objects_class,
                           .status = &m->now.status,
                           .thread_capacity = threads,
                           .location_count = LOCATIONS,
                           .snapshot_bytes = sizeof(state),
                           .failures = mz_allocate_zeroed(threads + 1, sizeof(mz_failure))};
    m->initial[SEMAPHORE] = (int32_t)below(&d, 3);
    m->arrivals_commute = all_arrive;
    m->arrivals_needed = all_arrive ? threads : 2;
    for (uint32_t t = 0; t < threads; t++)
        write_thread(m, &d, t, about, all_arrive ? rounds : rounds ? below(&d, 3) : 0);
    m->base.crowd_blocking = uses(m, WRITE_LOCK);
    return &m->base;
}
