/* Progress: what becomes of a call if all other threads are stopped, wherever they are?
 *
 *   obstruction-free  from every state, a thread that goes on alone completes its call within a bound of
 * steps lock-free         from every state, some call is completed within a bound, however the threads take
 * turns, and whichever of them are stopped
 *
 * All states of a client are visited, by a search of their own: partial order reduction visits every trace,
 * but not every state, and where a thread may be stopped is a matter of states. Two sequences of steps that
 * are linear extensions of the same order lead to the same state, so that each is visited once: its name is
 * the sum of the hashes of its events, and the hash of an event is made of its thread and the hashes of all
 * earlier events that it depends on. No refinement of the relation is in force: what a lock protects are
 * events of their own, between which the one who holds it can be stopped.
 *
 * In each state every thread with an open call goes on alone. If all of them complete it, in all states, the
 * clients are obstruction-free. If, besides, all executions end, they are lock-free: an execution in which no
 * call completes any more, with whichever threads stopped, would go on for ever. (It follows that some thread
 * that is stopped for ever is no obstacle: what the others do is an execution, too.) */
#include "session/clients/progress.h"

#include <string.h>

#include "base/clock.h"
#include "base/hash_set.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "session/learn.h"

enum {
    MOST_STATES = 200000, /* of a client */
    MOST_ALONE = 2000,    /* steps of a call whose thread is alone */
    MOST_IN_VAIN = 400,   /* steps without any call that is completed */
    MOST_FOUND = 8,       /* operations that are told */
    MOST_ACCESSES = 16,
};

typedef struct event {
    uint32_t thread, access_count;
    mz_access accesses[MOST_ACCESSES];
    mz_hash hash;
} event;

typedef struct progress {
    mz_machine *machine;
    const mz_settings *settings;
    double deadline;
    event *path;
    size_t path_capacity;
    mz_hash_set seen;
    uint64_t states, all_states;
    uint32_t attempts;
    bool is_cut;         /* not all states were visited */
    bool is_endless;     /* steps without an end, and without a call that completes */
    uint32_t most_alone; /* steps */
    mz_words found;      /* sentences */
    bool told[MZ_MOST_OPERATIONS];
    mz_choices choices;
} progress;

/* ---- calls ----------------------------------------------------------------------------------------------
 */

/* The thread's call that has begun and not returned; NULL: there is none. */
static const mz_client_call *open_call(const mz_machine *machine, uint32_t thread)
{
    const mz_history *h = mz_native_history(machine);
    for (uint32_t i = h->count; i-- > 0;)
        if (h->calls[i].runs_in == thread && h->calls[i].thread > 0)
            return h->calls[i].returned ? NULL : &h->calls[i];
    return NULL;
}

static uint32_t calls_returned(const mz_machine *machine)
{
    const mz_history *h = mz_native_history(machine);
    uint32_t returned = 0;
    for (uint32_t i = 0; i < h->count; i++)
        returned += h->calls[i].returned;
    return returned;
}

static mz_outcome step(progress *p, uint32_t thread, mz_operation *executed)
{
    mz_choices_prescribe(&p->choices, NULL, 0);
    return p->machine->class->step(p->machine, thread, &p->choices, executed);
}

/* ---- one that is alone ----------------------------------------------------------------------------------
 */

/* "thread 2 in pop(q) (queue.c:56)" */
static void add_place(progress *p, uint32_t thread, const mz_client_call *call, mz_text *out)
{
    mz_text ignored = {0};
    mz_position position = {0};
    p->machine->class->describe_pending(p->machine, thread, &ignored, &position);
    mz_text_add(out, "thread %u in %s", thread, p->settings->operations.items[call->operation]);
    const char *slash = position.file ? strrchr(position.file, '/') : NULL;
    if (position.file)
        mz_text_add(out, " (%s:%u)", slash ? slash + 1 : position.file, position.line);
    mz_text_release(&ignored);
}

static uint32_t steps_of(const progress *p, uint32_t thread, size_t depth)
{
    uint32_t steps = 0;
    for (size_t i = 0; i < depth; i++)
        steps += p->path[i].thread == thread;
    return steps;
}

/* The others that have made a step in a call and not returned from it. */
static void add_stopped(progress *p, uint32_t alone, size_t depth, mz_text *out)
{
    uint32_t stopped = 0;
    MZ_FOR_EACH_THREAD(t, p->machine->status->ready | p->machine->status->blocked)
    {
        const mz_client_call *call = t != alone ? open_call(p->machine, t) : NULL;
        if (!call || steps_of(p, t, depth) <= call->before)
            continue;
        mz_text_add(out, "%s", stopped++ > 0 ? " and " : "");
        add_place(p, t, call, out);
    }
    mz_text_add(out, stopped == 0   ? "no other thread is in a call"
                     : stopped == 1 ? " is stopped"
                                    : " are stopped");
}

static void tell(progress *p, uint32_t thread, size_t depth, const char *what)
{
    mz_text words = {0}, waits = {0};
    add_place(p, thread, open_call(p->machine, thread), &waits);
    p->machine->class->rewind(p->machine, depth);
    mz_text_add(&words, "while ");
    add_stopped(p, thread, depth, &words);
    mz_text_add(&words, ", %s %s", mz_text_string(&waits), what);
    mz_words_add(&p->found, mz_text_string(&words));
    mz_text_release(&waits);
    mz_text_release(&words);
}

/* From the state after so many steps, in which we are again afterwards. */
static void run_alone(progress *p, uint32_t thread, size_t depth)
{
    const mz_client_call *call = open_call(p->machine, thread);
    mz_operation executed;
    uint32_t steps = 0;
    if (!call)
        return;
    uint32_t operation = call->operation;
    mz_outcome outcome = MZ_STEP_DONE;
    while (!call->returned && steps < MOST_ALONE && outcome == MZ_STEP_DONE &&
           mz_threads_has(p->machine->status->ready, thread)) {
        outcome = step(p, thread, &executed);
        steps++;
    }
    if (call->returned)
        p->most_alone = steps > p->most_alone ? steps : p->most_alone;
    else if (outcome == MZ_STEP_DONE && !p->told[operation] && !p->machine->begin_again) {
        p->told[operation] = true;
        tell(p, thread, depth, steps < MOST_ALONE ? "waits for ever" : "goes on without an end");
    }
    p->machine->class->rewind(p->machine, depth);
}

/* ---- all states -----------------------------------------------------------------------------------------
 */

static bool depend(const event *a, const event *b)
{
    return a->thread == b->thread || a->access_count > MOST_ACCESSES || b->access_count > MOST_ACCESSES ||
           mz_accesses_conflict(a->accesses, a->access_count, b->accesses, b->access_count);
}

/* The event that was made as the depth-th one (from 0). */
static void note_event(progress *p, size_t depth, uint32_t thread, const mz_operation *executed)
{
    p->path = mz_grow(p->path, &p->path_capacity, depth + 1, sizeof *p->path);
    event *e = &p->path[depth];
    *e = (event){.thread = thread, .access_count = executed->access_count};
    for (uint32_t i = 0; i < executed->access_count && i < MOST_ACCESSES; i++)
        e->accesses[i] = executed->accesses[i];
    mz_hash before = {0};
    for (size_t i = 0; i < depth; i++)
        if (depend(&p->path[i], e))
            before = mz_hash_combine(before, p->path[i].hash);
    mz_hash hash = mz_hash_add(mz_hash_start(thread + 1), before.low);
    e->hash = mz_hash_add(hash, before.high);
}

static bool is_over(progress *p)
{
    p->is_cut |= p->states >= MOST_STATES || mz_interrupted ||
                 (p->deadline > 0 && p->states % 64 == 0 && mz_seconds_now() > p->deadline);
    return p->is_cut || p->machine->begin_again;
}

static void visit(progress *p, size_t depth, mz_hash state, size_t in_vain);

static void go_on(progress *p, uint32_t thread, size_t depth, mz_hash state, size_t in_vain)
{
    mz_operation executed;
    uint32_t before = calls_returned(p->machine);
    if (step(p, thread, &executed) == MZ_STEP_DONE && !p->machine->begin_again) {
        note_event(p, depth, thread, &executed);
        bool completed = calls_returned(p->machine) > before;
        visit(p, depth + 1, mz_hash_combine(state, p->path[depth].hash), completed ? 0 : in_vain + 1);
    }
    p->machine->class->rewind(p->machine, depth);
}

static void visit(progress *p, size_t depth, mz_hash state, size_t in_vain)
{
    if (is_over(p) || !mz_hash_set_add(&p->seen, state))
        return;
    p->states++;
    if (in_vain > MOST_IN_VAIN) {
        p->is_endless = true;
        return;
    }
    mz_threads ready = p->machine->status->ready, all = ready | p->machine->status->blocked;
    MZ_FOR_EACH_THREAD(t, all)
    {
        run_alone(p, t, depth);
    }
    MZ_FOR_EACH_THREAD(t, ready)
    {
        if (!is_over(p))
            go_on(p, t, depth, state, in_vain);
    }
}

/* One client; true if it is to be done again. */
static bool look(void *context)
{
    enum { MOST_ATTEMPTS = 50 };
    progress *p = context;
    p->states = 0;
    mz_hash_set_clear(&p->seen);
    mz_choices_prescribe(&p->choices, NULL, 0);
    if (p->machine->class->reset(p->machine, &p->choices) == MZ_STEP_DONE)
        visit(p, 0, mz_hash_start(0), 0);
    return p->machine->begin_again && ++p->attempts < MOST_ATTEMPTS;
}

/* ---- words ----------------------------------------------------------------------------------------------
 */

static const char *property(const progress *p)
{
    return p->found.count > 0 ? "blocking"
           : p->is_cut        ? "unknown"
           : p->is_endless    ? "obstruction-free"
                              : "lock-free";
}

static void tell_all(const progress *p, size_t clients, mz_report *report)
{
    mz_text text = {0}, json = {0};
    const char *what = property(p);
    mz_text_add(&text, "progress: %s", what);
    if (p->found.count > 0)
        mz_text_add(&text, " (not obstruction-free)");
    else if (!p->is_cut)
        mz_text_add(
            &text,
            ", with these clients: a thread that goes on alone has completed its call after %u step%s "
            "at most%s",
            p->most_alone, p->most_alone == 1 ? "" : "s",
            p->is_endless ? "; but together they can go on for ever" : ", and every execution ends");
    mz_text_add(&text, "; %llu states of %zu clients\n", (unsigned long long)p->all_states, clients);
    mz_text_add(&json, "{\"property\":\"%s\",\"complete\":%s,\"steps\":%u,\"states\":%llu,\"blocking\":[",
                what, p->is_cut ? "false" : "true", p->most_alone, (unsigned long long)p->all_states);
    for (size_t i = 0; i < p->found.count; i++) {
        if (i < MOST_FOUND)
            mz_text_add(&text, "%s\n", p->found.items[i]);
        mz_text_add(&json, "%s", i > 0 ? "," : "");
        mz_json_add_string(&json, p->found.items[i]);
    }
    mz_text_add(&json, "]}");
    report->progress = mz_text_string(&text);
    report->progress_json = mz_text_string(&json);
}

void mz_clients_tell_progress(mz_machine *machine, const mz_settings *settings, const mz_client *clients,
                              size_t count, double deadline, mz_report *report)
{
    progress p = {.machine = machine, .settings = settings, .deadline = deadline};
    size_t i = 0;
    machine->judge = NULL;
    machine->relation = MZ_RELATION_PUBLISHED;
    machine->most_further = machine->goes_on = machine->together = 0;
    for (; i < count && !p.is_cut; i++) {
        mz_native_set_client(machine, &clients[i]);
        mz_learn(machine, mz_native_prepare, i > 0, look, &p);
        p.is_cut |= machine->begin_again;
        p.all_states += p.states;
    }
    tell_all(&p, i, report);
    mz_hash_set_release(&p.seen);
    mz_release(p.path);
    mz_release(p.choices.made);
    mz_words_release(&p.found);
}
