#include "oracle/weak/machine.h"

#include <string.h>

#include "base/memory.h"

enum { MOST_EVENTS = 40, MOST_WRITES = 64 };

typedef struct write {
    int8_t thread, index, value; /* thread -1: the initial value */
} write;

typedef struct event {
    char kind;
    uint8_t location;
    int8_t from_thread, from_index;
    int8_t chosen;
} event;

typedef struct state {
    mz_status status;
    weak_thread threads[MOST_THREADS];
    uint32_t event_count[MOST_THREADS], write_count[MOST_LOCATIONS];
    event events[MOST_THREADS][MOST_EVENTS];
    write writes[MOST_LOCATIONS][MOST_WRITES]; /* in modification order */
} state;

typedef struct weak_machine {
    mz_machine base;
    const weak_program *program;
    mz_access accesses[MOST_THREADS];
    state now;
} weak_machine;

static weak_machine *of(const mz_machine *machine)
{
    return (weak_machine *)(uintptr_t)machine;
}

static void settle(weak_machine *m, uint32_t t)
{
    weak_label label;
    mz_threads bit = mz_threads_of(t);
    mz_status *status = &m->now.status;
    status->ready &= ~bit;
    status->blocked &= ~bit;
    if (!weak_next(m->program, t, &m->now.threads[t], &label)) {
        if (m->now.threads[t].status == WEAK_PRUNED)
            status->pruned |= bit;
        else
            status->finished |= bit;
        return;
    }
    const write *last = &m->now.writes[label.location][m->now.write_count[label.location] - 1];
    bool waits =
        label.kind == 'R' && ((label.mutex && last->value != 0) || (label.waits && last->value == 0));
    if (waits)
        status->blocked |= bit;
    else
        status->ready |= bit;
}

static mz_outcome reset(mz_machine *machine, mz_choices *choices)
{
    (void)choices;
    weak_machine *m = of(machine);
    m->now = (state){0};
    for (uint32_t x = 0; x < MOST_LOCATIONS; x++) {
        m->now.writes[x][0] = (write){.thread = -1};
        m->now.write_count[x] = 1;
    }
    for (uint32_t t = 0; t < m->program->threads; t++)
        settle(m, t);
    return MZ_STEP_DONE;
}

static void pending(mz_machine *machine, uint32_t t, mz_operation *operation)
{
    weak_machine *m = of(machine);
    weak_label label;
    weak_next(m->program, t, &m->now.threads[t], &label);
    bool reads = label.kind == 'R', writes = label.kind == 'W' || label.update;
    mz_operation_kind kind = label.waits         ? MZ_OP_ACQUIRE
                             : label.mutex       ? (reads ? MZ_OP_LOCK : MZ_OP_UNLOCK)
                             : label.kind == 'F' ? MZ_OP_FENCE
                             : label.kind == 'C' ? MZ_OP_CHOOSE
                             : reads && writes   ? MZ_OP_UPDATE
                             : reads             ? MZ_OP_READ
                                                 : MZ_OP_WRITE;
    m->accesses[t] = (mz_access){label.location, (reads ? MZ_READ : 0u) | (writes ? MZ_WRITE : 0u)};
    *operation = (mz_operation){.kind = kind,
                                .blocking = kind == MZ_OP_LOCK || kind == MZ_OP_ACQUIRE,
                                .on_object = label.semaphore,
                                .conditional = label.conditional,
                                .order = label.order,
                                .failure_order = label.failure_order,
                                .access_count = label.kind == 'F' || label.kind == 'C' ? 0 : 1,
                                .accesses = &m->accesses[t]};
}

static bool would_write(mz_machine *machine, uint32_t t, uint32_t back)
{
    weak_machine *m = of(machine);
    weak_label label;
    weak_thread thread = m->now.threads[t];
    weak_next(m->program, t, &thread, &label);
    const write *w = &m->now.writes[label.location][m->now.write_count[label.location] - 1 - back];
    bool might_not = label.semaphore && label.order == MZ_ACQUIRE; /* wait, or fail */
    return might_not ? w->value > 0 : weak_happens(m->program, t, &thread, w->value);
}

static void note(weak_machine *m, uint32_t t, const weak_label *label, write from)
{
    m->now.events[t][m->now.event_count[t]++] = (event){.kind = label->kind,
                                                        .location = label->location,
                                                        .from_thread = from.thread,
                                                        .from_index = from.index};
}

static void insert(weak_machine *m, uint32_t t, const weak_label *label, uint32_t at)
{
    write *writes = m->now.writes[label->location];
    uint32_t count = m->now.write_count[label->location]++;
    memmove(&writes[at + 1], &writes[at], (count - at) * sizeof *writes);
    writes[at] = (write){(int8_t)t, (int8_t)m->now.event_count[t], label->value};
    note(m, t, label, (write){0});
}

static mz_outcome step(mz_machine *machine, uint32_t t, mz_choices *choices, mz_operation *executed)
{
    weak_machine *m = of(machine);
    weak_thread *thread = &m->now.threads[t];
    weak_label label;
    pending(machine, t, executed);
    weak_next(m->program, t, thread, &label);
    uint32_t writes = m->now.write_count[label.location] - 1, back = 0;
    if (label.kind == 'C') {
        weak_happens(m->program, t, thread, (int8_t)mz_choose(choices, 0, 1));
        event chosen = {.kind = 'C', .chosen = thread->registers[m->program->code[t][thread->at - 1].target]};
        m->now.events[t][m->now.event_count[t]++] = chosen;
    } else if (label.kind == 'F') {
        note(m, t, &label, (write){0});
        weak_happens(m->program, t, thread, 0);
    } else {
        if (!label.mutex && !label.semaphore && writes > 0)
            back = (uint32_t)mz_choose(choices, 0, writes);
        if (label.kind == 'W') {
            insert(m, t, &label, writes + 1 - back);
            weak_happens(m->program, t, thread, 0);
        } else {
            write from = m->now.writes[label.location][writes - back];
            note(m, t, &label, from);
            if (weak_happens(m->program, t, thread, from.value)) {
                weak_next(m->program, t, thread, &label);
                insert(m, t, &label, writes + 1 - back);
                weak_happens(m->program, t, thread, 0);
            } else if (label.update) {
                executed->kind = MZ_OP_READ;
                m->accesses[t].kind = MZ_READ;
            }
        }
    }
    for (uint32_t u = 0; u < m->program->threads; u++)
        settle(m, u);
    return thread->status == WEAK_PRUNED ? MZ_STEP_PRUNED : MZ_STEP_DONE;
}

static void save(const mz_machine *machine, void *snapshot)
{
    memcpy(snapshot, &of(machine)->now, sizeof(state));
}

static void restore(mz_machine *machine, const void *snapshot)
{
    memcpy(&of(machine)->now, snapshot, sizeof(state));
}

static void destroy(mz_machine *machine)
{
    mz_release(machine->failures);
    mz_release(machine);
}

static void describe(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    (void)machine;
    *position = (mz_position){0};
    mz_text_add(out, "thread %u", thread);
}

static void name(const mz_machine *machine, uint32_t location, mz_text *out)
{
    (void)machine;
    mz_text_add(out, "x%u", location);
}

static void describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    (void)machine;
    mz_text_add(out, "thread %u waits", thread);
}

static const mz_machine_class class = {
    .name = "weak",
    .thread_word = "thread",
    .loop_hint = "",
    .destroy = destroy,
    .reset = reset,
    .pending = pending,
    .step = step,
    .would_write = would_write,
    .save = save,
    .restore = restore,
    .describe_pending = describe,
    .describe_wait = describe_wait,
    .describe_location = name,
    .describe_value = name,
};

mz_machine *weak_machine_create(const weak_program *program)
{
    weak_machine *m = mz_allocate_zeroed(1, sizeof *m);
    m->program = program;
    m->base = (mz_machine){.class = &class,
                           .status = &m->now.status,
                           .thread_capacity = program->threads,
                           .location_count = MOST_LOCATIONS,
                           .snapshot_bytes = sizeof(state),
                           .weak = true,
                           .failures = mz_allocate_zeroed(MZ_MAX_THREADS + 2, sizeof(mz_failure))};
    return &m->base;
}

void weak_machine_graph(const mz_machine *machine, mz_text *out)
{
    const state *s = &of(machine)->now;
    for (uint32_t t = 0; t < MOST_THREADS; t++) {
        for (uint32_t k = 0; k < s->event_count[t]; k++) {
            const event *e = &s->events[t][k];
            if (e->kind == 'R')
                mz_text_add(out, "%u.%u<%d.%d ", t, k, e->from_thread, e->from_index);
            else if (e->kind == 'C')
                mz_text_add(out, "%u.%u=%d ", t, k, e->chosen);
        }
        mz_text_add(out, "%u; ", s->event_count[t]);
    }
    for (uint32_t x = 0; x < MOST_LOCATIONS; x++) {
        for (uint32_t i = 1; i < s->write_count[x]; i++)
            mz_text_add(out, "%d.%d ", s->writes[x][i].thread, s->writes[x][i].index);
        mz_text_add(out, "| ");
    }
}
