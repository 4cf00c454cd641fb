#include "oracle/reference.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/states.h"

/* ---- prefixes -------------------------------------------------------------------------------------- */

/* Two accesses of one location: both read, or both are of one class. That what is said to commute does so is
 * seen from the states, in all of them: referee(). */
static bool commute(uint32_t a, uint32_t b)
{
    bool both_read = a == MZ_READ && b == MZ_READ, same_class = a == b && a / MZ_CLASS > 0;
    return both_read || same_class;
}

static bool depend(const reference_event *a, const reference_event *b)
{
    if (a->thread == b->thread)
        return true;
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t j = 0; j < b->access_count; j++)
            if (a->accesses[i].location == b->accesses[j].location &&
                !commute(a->accesses[i].kind, b->accesses[j].kind))
                return true;
    return false;
}

/* How many events of each thread happen before the new one: those that do before `earlier`, or equal it. */
static void add_before(reference_event *e, const reference_event *earlier)
{
    for (int t = 0; t < MOST_THREADS; t++)
        if (earlier->before[t] > e->before[t])
            e->before[t] = earlier->before[t];
}

static void add_causes(const reference_prefix *p, reference_event *e, const mz_operation *operation)
{
    for (uint32_t c = 0; c < operation->cause_count; c++)
        for (uint32_t i = 0, index = 0; i < p->length; i++) {
            index += p->events[i].thread == operation->causes[c].thread;
            if (p->events[i].thread == operation->causes[c].thread && index == operation->causes[c].index)
                add_before(e, &p->events[i]);
        }
}

bool reference_append(reference_prefix *p, uint32_t thread, const mz_operation *operation,
                      const mz_choice *choices, uint32_t choice_count)
{
    reference_event *e = &p->events[p->length];
    uint32_t access_count = operation->access_count;
    if (p->length == MOST_EVENTS || access_count > MOST_ACCESSES || choice_count > MOST_CHOICES)
        return false;
    *e = (reference_event){.thread = thread, .access_count = access_count, .choice_count = choice_count};
    if (access_count > 0)
        memcpy(e->accesses, operation->accesses, access_count * sizeof *e->accesses);
    for (uint32_t i = 0; i < choice_count; i++)
        e->choices[i] = choices[i].value;
    for (uint32_t i = 0; i < p->length; i++)
        if (depend(&p->events[i], e))
            add_before(e, &p->events[i]);
    add_causes(p, e, operation);
    e->before[thread]++;
    p->length++;
    return true;
}

/* Bytes, not text: this is most of what the oracle does. */
static void add_event(const reference_event *e, mz_text *out)
{
    char bytes[MOST_THREADS + 2 * MOST_ACCESSES + 8 * MOST_CHOICES + 2];
    size_t length = MOST_THREADS;
    memcpy(bytes, e->before, MOST_THREADS);
    for (uint32_t location = 0; location < 16; location++) /* in a canonical order */
        for (uint32_t j = 0; j < e->access_count; j++)
            if (e->accesses[j].location == location) {
                bytes[length++] = (char)location;
                bytes[length++] = (char)e->accesses[j].kind;
            }
    bytes[length++] = (char)e->choice_count;
    memcpy(bytes + length, e->choices, e->choice_count * sizeof *e->choices);
    length += e->choice_count * sizeof *e->choices;
    bytes[length++] = (char)e->access_count;
    mz_text_add_bytes(out, bytes, length);
}

void reference_identity(const reference_prefix *p, uint32_t thread_count, mz_text *out)
{
    mz_text_add_bytes(out, (const char *)p->initial_choices,
                      p->initial_choice_count * sizeof *p->initial_choices);
    for (uint32_t t = 0; t < thread_count; t++) {
        mz_text_add_bytes(out, "|", 1);
        for (uint32_t i = 0; i < p->length; i++)
            if (p->events[i].thread == t)
                add_event(&p->events[i], out);
    }
}

/* The last event before the given one that writes the location, by name; zeros if there is none. */
static void add_last_writer(const reference_prefix *p, uint32_t before, uint32_t location, mz_text *out)
{
    char name[2] = {0};
    for (uint32_t i = 0, indices[MOST_THREADS] = {0}; i < before; i++) {
        const reference_event *e = &p->events[i];
        indices[e->thread]++;
        for (uint32_t j = 0; j < e->access_count; j++)
            if (e->accesses[j].location == location && (e->accesses[j].kind & MZ_WRITE)) {
                name[0] = (char)(e->thread + 1);
                name[1] = (char)indices[e->thread];
            }
    }
    mz_text_add_bytes(out, name, sizeof name);
}

void reference_observation(const reference_prefix *p, uint32_t thread_count, uint32_t ordered, mz_text *out)
{
    mz_text_add_bytes(out, (const char *)p->initial_choices,
                      p->initial_choice_count * sizeof *p->initial_choices);
    for (uint32_t t = 0; t < thread_count; t++) {
        mz_text_add_bytes(out, "|", 1);
        for (uint32_t i = 0; i < p->length; i++) {
            const reference_event *e = &p->events[i];
            if (e->thread != t)
                continue;
            mz_text_add_bytes(out, "(", 1);
            for (uint32_t location = 0; location < 16; location++) /* in a canonical order */
                for (uint32_t j = 0; j < e->access_count; j++) {
                    if (e->accesses[j].location != location)
                        continue;
                    char access[2] = {(char)location, (char)e->accesses[j].kind};
                    mz_text_add_bytes(out, access, sizeof access);
                    if ((e->accesses[j].kind & MZ_READ) || (ordered >> location & 1))
                        add_last_writer(p, i, location, out);
                }
            mz_text_add_bytes(out, ")", 1);
            mz_text_add_bytes(out, (const char *)e->choices, e->choice_count * sizeof *e->choices);
        }
    }
}

void reference_add_final(string_set *finals, const mz_machine *machine)
{
    if (!machine->class->fingerprint)
        return;
    mz_hash hash = machine->class->fingerprint(machine);
    string_set_add(finals, (const char *)&hash, sizeof hash);
}

void reference_error_name(const mz_failure *f, mz_text *out)
{
    mz_text_add(out, "%s %u %u:%u", mz_failure_name(f->kind), f->thread, f->position.line,
                f->position.column);
}

/* ---- enumeration ----------------------------------------------------------------------------------- */

typedef struct entry {
    reference_prefix *prefix; /* the part of it that is used */
    char *state;
} entry;

typedef struct enumeration {
    mz_machine *machine;
    reference_result *result;
    size_t most;
    entry *level, *next;
    size_t level_count, next_count, level_capacity, next_capacity;
    string_set seen;             /* prefixes of the next level */
    reference_prefix **complete; /* traces */
    size_t complete_count, complete_capacity;
    mz_choices choices;
    const mz_edge *edges;
    size_t edge_count;
    reference_cost *cost; /* within a bound: of a step */
    reference_show *show;
    void *show_context;
} enumeration;

/* A prefix has room for many events, and most are short: only what is used is copied. */
static size_t used_bytes(const reference_prefix *prefix)
{
    return offsetof(reference_prefix, events) + prefix->length * sizeof *prefix->events;
}

static reference_prefix *keep(const reference_prefix *prefix)
{
    return (reference_prefix *)(void *)mz_copy_bytes((const char *)prefix, used_bytes(prefix));
}

/* How many operations of the thread are over: one in which it fails never is. */
static uint32_t count_of(const enumeration *n, const reference_prefix *prefix, uint32_t thread)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < prefix->length; i++)
        count += prefix->events[i].thread == thread;
    bool stopped = mz_threads_has(n->machine->status->failed | n->machine->status->pruned, thread);
    return stopped && count > 0 ? count - 1 : count;
}

/* Those whose next event an edge holds back. */
static mz_threads held_back(const enumeration *n, const reference_prefix *prefix)
{
    mz_threads held = MZ_NO_THREADS, alive = n->machine->status->ready | n->machine->status->blocked;
    for (size_t i = 0; i < n->edge_count; i++) {
        mz_edge e = n->edges[i];
        if (count_of(n, prefix, e.to.thread) + 1 == e.to.count &&
            count_of(n, prefix, e.from.thread) < e.from.count)
            held |= mz_threads_of(e.to.thread) & alive;
    }
    return held;
}

static void add_error(enumeration *n, const mz_failure *failure)
{
    mz_text name = {0};
    reference_error_name(failure, &name);
    string_set_add(&n->result->errors, mz_text_string(&name), name.length);
    mz_text_release(&name);
}

/* The machine is in the state after the prefix. */
static void add_next(enumeration *n, const reference_prefix *prefix)
{
    mz_text identity = {0};
    reference_identity(prefix, n->machine->thread_capacity, &identity);
    if (string_set_add(&n->seen, mz_text_string(&identity), identity.length)) {
        n->next = mz_grow(n->next, &n->next_capacity, n->next_count + 1, sizeof *n->next);
        n->next[n->next_count++] = (entry){keep(prefix), state_save(n->machine)};
        if (++n->result->prefixes > n->most)
            n->result->too_large = true;
    }
    mz_text_release(&identity);
}

static void note_users(enumeration *n, const reference_prefix *prefix)
{
    for (uint32_t i = 0; i < prefix->length; i++)
        for (uint32_t j = 0; j < prefix->events[i].access_count; j++)
            n->result->users[prefix->events[i].accesses[j].location] |=
                mz_threads_of(prefix->events[i].thread);
}

static void finish(enumeration *n, const reference_prefix *prefix)
{
    const mz_status *status = n->machine->status;
    note_users(n, prefix); /* what is pruned is seen by the algorithms, too */
    if (mz_threads_any(status->pruned))
        return;
    mz_threads waiting = status->blocked | held_back(n, prefix);
    if (!mz_threads_any(status->failed) && mz_threads_any(waiting)) {
        mz_failure failure = {.kind = MZ_FAIL_DEADLOCK, .thread = mz_threads_first(waiting)};
        mz_text ignored = {0};
        n->machine->class->describe_pending(n->machine, failure.thread, &ignored, &failure.position);
        mz_text_release(&ignored);
        add_error(n, &failure);
    }
    mz_text identity = {0};
    reference_identity(prefix, n->machine->thread_capacity, &identity);
    if (string_set_add(&n->result->traces, mz_text_string(&identity), identity.length)) {
        n->complete = mz_grow(n->complete, &n->complete_capacity, n->complete_count + 1, sizeof *n->complete);
        n->complete[n->complete_count++] = keep(prefix);
    }
    reference_add_final(&n->result->finals, n->machine);
    mz_text_release(&identity);
}

static void break_promise(enumeration *n, const char *what, uint32_t p, uint32_t q)
{
    if (n->result->broken_promise.length == 0)
        mz_text_add(&n->result->broken_promise, "%s (threads %u, %u)", what, p, q);
}

static bool same_operation(const mz_operation *a, const mz_access *b, uint32_t b_count)
{
    if (a->access_count != b_count)
        return false;
    for (uint32_t i = 0; i < b_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < b_count; j++)
            found |= a->accesses[j].location == b[i].location && a->accesses[j].kind == b[i].kind;
        if (!found)
            return false;
    }
    return true;
}

/* Promise (2): a step does not let those go on that it does not conflict with. */
static void referee_of_waiting(enumeration *n, const char *state, uint32_t p, mz_threads waiting)
{
    mz_machine *m = n->machine;
    mz_operation operation, executed;
    m->class->restore(m, state);
    mz_choices_prescribe(&n->choices, NULL, 0);
    m->class->step(m, p, &n->choices, &executed);
    MZ_FOR_EACH_THREAD(q, waiting & m->status->ready)
    {
        m->class->pending(m, q, &operation);
        bool is_cause = false;
        for (uint32_t i = 0; i < operation.cause_count; i++)
            is_cause |= operation.causes[i].thread == p;
        if (!is_cause && !mz_operations_conflict(&executed, &operation))
            break_promise(n, "an independent step enables", p, q);
    }
}

/* Promises (1) and (2) of machine.h at this state, for each pair of ready threads. */
static void referee(enumeration *n, const char *state)
{
    mz_machine *m = n->machine;
    mz_threads ready = m->status->ready, waiting = m->status->blocked;
    MZ_FOR_EACH_THREAD(p, ready)
    {
        referee_of_waiting(n, state, p, waiting);
    }
    MZ_FOR_EACH_THREAD(p, ready)
    {
        MZ_FOR_EACH_THREAD(q, ready & ~mz_threads_of(p))
        {
            mz_operation operation, executed;
            m->class->restore(m, state);
            m->class->pending(m, q, &operation);
            mz_access of_q[MOST_ACCESSES];
            uint32_t q_count = operation.access_count;
            memcpy(of_q, operation.accesses, q_count * sizeof *of_q);
            mz_choices_prescribe(&n->choices, NULL, 0);
            m->class->step(m, p, &n->choices, &executed);
            bool conflict = mz_accesses_conflict(executed.accesses, executed.access_count, of_q, q_count);
            bool still_ready = mz_threads_has(m->status->ready, q);
            if (!conflict && !still_ready)
                break_promise(n, "an independent step disables", p, q);
            if (!still_ready)
                continue;
            m->class->pending(m, q, &operation);
            if (!conflict && !same_operation(&operation, of_q, q_count))
                break_promise(n, "an independent step changes a footprint", p, q);
            if (conflict && !mz_operations_conflict(&executed, &operation))
                break_promise(n, "a conflict vanishes", p, q);
            if (conflict)
                continue;
            mz_choices_prescribe(&n->choices, NULL, 0);
            m->class->step(m, q, &n->choices, &executed);
            mz_hash one = m->class->fingerprint(m);
            m->class->restore(m, state);
            mz_choices_prescribe(&n->choices, NULL, 0);
            m->class->step(m, q, &n->choices, &executed);
            mz_choices_prescribe(&n->choices, NULL, 0);
            m->class->step(m, p, &n->choices, &executed);
            mz_hash other = m->class->fingerprint(m);
            if (one.low != other.low || one.high != other.high)
                break_promise(n, "independent steps do not commute", p, q);
        }
    }
    m->class->restore(m, state);
}

static void extend(enumeration *n, const entry *from, uint32_t thread)
{
    mz_machine *m = n->machine;
    size_t prescribed = 0;
    mz_choice given[16];
    do {
        mz_operation executed, operation;
        reference_prefix prefix;
        memcpy(&prefix, from->prefix, used_bytes(from->prefix));
        m->class->restore(m, from->state);
        m->class->pending(m, thread, &operation);
        mz_access announced[MOST_ACCESSES];
        uint32_t announced_count = operation.access_count;
        memcpy(announced, operation.accesses, announced_count * sizeof *announced);
        mz_choices_prescribe(&n->choices, given, prescribed);
        mz_outcome outcome = m->class->step(m, thread, &n->choices, &executed);
        if (!same_operation(&executed, announced, announced_count))
            break_promise(n, "the pending operation is not the one executed", thread, thread);
        if (outcome == MZ_STEP_FAILED)
            add_error(n, &m->failures[0]);
        if (outcome == MZ_STEP_GIVEN_UP || n->choices.count > 16 ||
            !reference_append(&prefix, thread, &executed, n->choices.made, (uint32_t)n->choices.count)) {
            n->result->too_large = true;
            return;
        }
        add_next(n, &prefix);
        if (n->choices.count > 0)
            memcpy(given, n->choices.made, n->choices.count * sizeof *given);
        prescribed = mz_choices_next(given, n->choices.count);
    } while (prescribed > 0 && !n->result->too_large);
}

/* Which locations are waited for? */
static void note_waiting(enumeration *n, mz_threads held)
{
    mz_machine *m = n->machine;
    MZ_FOR_EACH_THREAD(t, (m->status->ready | m->status->blocked) & ~held)
    {
        mz_operation operation;
        m->class->pending(m, t, &operation);
        for (uint32_t i = 0; operation.blocking && i < operation.access_count; i++)
            n->result->ordered |= 1u << operation.accesses[i].location;
    }
}

/* Which observations are there? Known when all that is waited for is. */
static void observe_traces(enumeration *n)
{
    for (size_t i = 0; i < n->complete_count; i++) {
        mz_text observation = {0};
        reference_observation(n->complete[i], n->machine->thread_capacity, n->result->ordered, &observation);
        string_set_add(&n->result->observations, mz_text_string(&observation), observation.length);
        if (n->show)
            n->show(n->show_context, n->complete[i]);
        mz_text_release(&observation);
        mz_release(n->complete[i]);
    }
    mz_release(n->complete);
}

static void expand(enumeration *n, const entry *e)
{
    mz_machine *m = n->machine;
    m->class->restore(m, e->state);
    mz_threads held = held_back(n, e->prefix), ready = m->status->ready & ~held;
    note_waiting(n, held);
    if (!mz_threads_any(ready)) {
        finish(n, e->prefix);
        return;
    }
    if (n->edge_count == 0)
        referee(n, e->state);
    MZ_FOR_EACH_THREAD(t, ready)
    {
        extend(n, e, t);
    }
}

static void start(enumeration *n)
{
    size_t prescribed = 0;
    mz_choice given[16];
    do {
        mz_choices_prescribe(&n->choices, given, prescribed);
        mz_outcome outcome = n->machine->class->reset(n->machine, &n->choices);
        for (uint32_t i = 0; outcome == MZ_STEP_FAILED && i < n->machine->failure_count; i++)
            add_error(n, &n->machine->failures[i]);
        if (outcome == MZ_STEP_GIVEN_UP || n->choices.count > 16) {
            n->result->too_large = true;
            return;
        }
        reference_prefix prefix = {.initial_choice_count = (uint32_t)n->choices.count};
        for (size_t i = 0; i < n->choices.count; i++) {
            given[i] = n->choices.made[i];
            prefix.initial_choices[i] = given[i].value;
        }
        add_next(n, &prefix);
        prescribed = mz_choices_next(given, n->choices.count);
    } while (prescribed > 0);
}

static void release_level(entry *level, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mz_release(level[i].prefix);
        mz_release(level[i].state);
    }
}

static void enumerate(enumeration *of)
{
    enumeration n = *of;
    reference_result *result = n.result;
    *result = (reference_result){0};
    start(&n);
    while (n.next_count > 0 && !result->too_large) {
        release_level(n.level, n.level_count);
        entry *empty = n.level;
        size_t empty_capacity = n.level_capacity;
        n.level = n.next;
        n.level_count = n.next_count;
        n.level_capacity = n.next_capacity;
        n.next = empty;
        n.next_capacity = empty_capacity;
        n.next_count = 0;
        string_set_release(&n.seen);
        for (size_t i = 0; i < n.level_count && !result->too_large; i++)
            expand(&n, &n.level[i]);
    }
    observe_traces(&n);
    release_level(n.level, n.level_count);
    release_level(n.next, n.next_count);
    mz_release(n.level);
    mz_release(n.next);
    string_set_release(&n.seen);
    mz_release(n.choices.made);
}

void reference_enumerate(mz_machine *machine, size_t most_prefixes, reference_result *result)
{
    enumerate(&(enumeration){.machine = machine, .result = result, .most = most_prefixes});
}

void reference_enumerate_under(mz_machine *machine, const mz_edge *edges, size_t edge_count,
                               size_t most_prefixes, reference_result *result)
{
    enumerate(&(enumeration){.machine = machine,
                             .result = result,
                             .most = most_prefixes,
                             .edges = edges,
                             .edge_count = edge_count});
}

void reference_enumerate_showing(mz_machine *machine, size_t most_prefixes, reference_result *result,
                                 reference_show *show, void *context)
{
    enumerate(&(enumeration){
        .machine = machine, .result = result, .most = most_prefixes, .show = show, .show_context = context});
}

/* ---- within a bound ----------------------------------------------------------------------------------
 */

/* Steps of a thread from the state, one for each combination of its choices. */
static void run_on(enumeration *n, const reference_prefix *before, const char *state, uint32_t thread,
                   uint32_t budget);

/* Every execution that goes on from here, `last` having made the last step. */
static void run_all(enumeration *n, const reference_prefix *prefix, uint32_t last, uint32_t budget)
{
    mz_machine *m = n->machine;
    mz_threads ready = m->status->ready;
    if (!mz_threads_any(ready)) {
        finish(n, prefix);
        return;
    }
    char *state = mz_allocate(m->snapshot_bytes);
    m->class->save(m, state);
    MZ_FOR_EACH_THREAD(t, ready)
    {
        uint32_t cost = n->cost(ready, prefix->length > 0, last, t);
        if (cost <= budget && !n->result->too_large)
            run_on(n, prefix, state, t, budget - cost);
    }
    mz_release(state);
}

static void run_on(enumeration *n, const reference_prefix *before, const char *state, uint32_t thread,
                   uint32_t budget)
{
    mz_machine *m = n->machine;
    size_t prescribed = 0;
    mz_choice given[16];
    do {
        mz_operation executed;
        reference_prefix prefix;
        memcpy(&prefix, before, used_bytes(before));
        m->class->restore(m, state);
        mz_choices_prescribe(&n->choices, given, prescribed);
        mz_outcome outcome = m->class->step(m, thread, &n->choices, &executed);
        if (outcome == MZ_STEP_FAILED)
            add_error(n, &m->failures[0]);
        size_t made = n->choices.count;
        if (n->result->prefixes++ >= n->most || outcome == MZ_STEP_GIVEN_UP || made > 16 ||
            !reference_append(&prefix, thread, &executed, n->choices.made, (uint32_t)made)) {
            n->result->too_large = true;
            return;
        }
        if (made > 0)
            memcpy(given, n->choices.made, made * sizeof *given);
        run_all(n, &prefix, thread, budget);
        prescribed = mz_choices_next(given, made);
    } while (prescribed > 0 && !n->result->too_large);
}

void reference_enumerate_within(mz_machine *machine, reference_cost *cost, uint32_t budget, size_t most_steps,
                                reference_result *result)
{
    *result = (reference_result){0};
    enumeration n = {.machine = machine, .result = result, .most = most_steps, .cost = cost};
    start(&n); /* the states in which the program may begin, as `next` */
    for (size_t i = 0; i < n.next_count && !result->too_large; i++) {
        machine->class->restore(machine, n.next[i].state);
        run_all(&n, n.next[i].prefix, 0, budget);
    }
    observe_traces(&n); /* which releases them */
    release_level(n.next, n.next_count);
    mz_release(n.next);
    string_set_release(&n.seen);
    mz_release(n.choices.made);
}

void reference_release(reference_result *result)
{
    string_set_release(&result->traces);
    string_set_release(&result->observations);
    string_set_release(&result->errors);
    string_set_release(&result->finals);
    mz_text_release(&result->broken_promise);
}
