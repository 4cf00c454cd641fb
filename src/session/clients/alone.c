/* What calls do one after the other. */
#include "session/clients/alone.h"

#include <ctype.h>
#include <string.h>

#include "session/learn.h"

/* The name of the function: "push" of "push(q, 1)". Its length. */
static size_t called_function(const char *operation, const char **name)
{
    const char *open = strchr(operation, '('), *start;
    if (!open)
        open = operation + strlen(operation);
    while (open > operation && isspace((unsigned char)open[-1]))
        open--;
    for (start = open; start > operation && (isalnum((unsigned char)start[-1]) || start[-1] == '_');)
        start--;
    *name = start;
    return (size_t)(open - start);
}

bool mz_operation_calls(const char *operation, const char *function, size_t length)
{
    const char *name;
    return called_function(operation, &name) == length && strncmp(name, function, length) == 0;
}

void mz_alone_begin(mz_alone *a, const mz_settings *s, mz_machine *machine)
{
    *a = (mz_alone){.settings = s, .machine = machine};
    for (size_t i = 0; i < s->blocking.count; i++)
        for (size_t k = 0; k < s->operations.count; k++)
            a->may_spin[k] |= mz_operation_calls(s->operations.items[k], s->blocking.items[i],
                                                 strlen(s->blocking.items[i]));
}

bool mz_is_judged(const mz_settings *s)
{
    return s->search.checks & 1u << MZ_FAIL_HISTORY;
}

/* A choice that the program makes: what it does alone is not one thing. */
static bool is_chosen(const mz_machine *machine, const mz_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++)
        if (mz_is_input(machine, &choices->made[i]))
            return true;
    return false;
}

/* The call that was made last, or has not returned. */
static const char *last_call(const mz_alone *p, const mz_history *h)
{
    return h->count > 0 ? p->settings->operations.items[h->calls[h->count - 1].operation] : "the setup";
}

/* One run of calls one after the other: by thread 1 while main waits for it, as in all clients, or by main.
 */
typedef struct lone_run {
    mz_alone *alone;
    mz_client client;
    bool by_main;
    mz_outcome outcome;
    bool chosen;
    uint32_t attempts;
} lone_run;

/* Threads of the library itself go on as the lowest first; beside main the highest. */
static bool run_to_end(void *context)
{
    enum { MOST_STEPS = 100000, MOST_ATTEMPTS = 100 };
    lone_run *r = context;
    mz_machine *machine = r->alone->machine;
    mz_choices choices = {0};
    mz_operation executed;
    r->outcome = machine->class->reset(machine, &choices);
    r->chosen = is_chosen(machine, &choices);
    for (uint32_t i = 0; i < MOST_STEPS && mz_threads_any(machine->status->ready); i++) {
        if (r->outcome == MZ_STEP_FAILED || r->outcome == MZ_STEP_GIVEN_UP)
            break;
        mz_threads ready = machine->status->ready;
        uint32_t next = r->by_main ? mz_threads_last(ready) : mz_threads_first(ready);
        mz_choices_prescribe(&choices, NULL, 0);
        r->outcome = machine->class->step(machine, next, &choices, &executed);
        r->chosen |= is_chosen(machine, &choices);
    }
    mz_release(choices.made);
    return machine->begin_again && ++r->attempts < MOST_ATTEMPTS;
}

static bool is_error(const mz_machine *machine, mz_outcome outcome)
{
    return outcome == MZ_STEP_FAILED || outcome == MZ_STEP_GIVEN_UP || outcome == MZ_STEP_STUCK ||
           mz_threads_any(machine->status->failed);
}

/* Does the caller wait in a way that a library may, or is it in a deadlock with itself? */
static bool waits_rightly(mz_alone *p, const mz_history *h)
{
    if (h->count == 0)
        return false;
    const mz_client_call *last = &h->calls[h->count - 1];
    bool spins = mz_threads_has(p->machine->status->spinning, last->runs_in);
    return !last->returned && !mz_native_waits_for_lock(p->machine, last->runs_in) &&
           (!spins || p->may_spin[last->operation]);
}

static mz_sequential_end run(lone_run *r, const uint8_t *word, uint32_t length, mz_history *history)
{
    mz_alone *p = r->alone;
    mz_machine *machine = p->machine;
    uint32_t caller = r->by_main ? 0 : 1;
    r->client = (mz_client){.threads = caller};
    r->client.length[caller] = length;
    if (length > 0)
        memcpy(r->client.operations[caller], word, length);
    mz_native_set_client(machine, &r->client);
    mz_learn(machine, mz_native_prepare, true, run_to_end, r);
    *history = *mz_native_history(machine);
    bool blocked = mz_threads_any(machine->status->blocked) && !machine->status->ended;
    return is_error(machine, r->outcome) ? MZ_SEQUENTIAL_FAILED
           : !blocked                    ? MZ_SEQUENTIAL_RETURNED
           : waits_rightly(p, history)   ? MZ_SEQUENTIAL_WAITS
                                         : MZ_SEQUENTIAL_FAILED;
}

static void refuse_choice(const mz_alone *p, const mz_history *h, mz_error *error)
{
    mz_error_set(error, (mz_position){0}, "%s may do this or that, although nobody else runs: it chooses",
                 last_call(p, h));
    mz_error_set_hint(error, "what calls return beside others is compared with what they return alone; "
                             "give a value instead of the choice, or --criterion=none");
}

/* Two runs of the same calls must return the same: otherwise there is nothing to compare with. */
static void compare_runs(const mz_alone *p, const mz_history *a, const mz_history *b, mz_error *error)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        if (strcmp(a->calls[i].result, b->calls[i].result) == 0)
            continue;
        mz_error_set(
            error, (mz_position){0}, "%s returned %s, and %s after the same calls, although nobody else ran",
            p->settings->operations.items[a->calls[i].operation], a->calls[i].result, b->calls[i].result);
        mz_error_set_hint(error,
                          "does it depend on addresses, the time, the thread that calls, or on threads of "
                          "the library? leave it out, give it a specification (--spec), or compare "
                          "nothing (--criterion=none)");
        return;
    }
}

bool mz_run_word(void *context, const uint8_t *word, uint32_t length, mz_history *history,
                 mz_sequential_end *end, mz_error *error)
{
    mz_alone *p = context;
    mz_history again;
    lone_run first = {.alone = p}, second = {.alone = p, .by_main = true};
    *end = run(&first, word, length, history);
    p->client = first.client;
    if (mz_native_client_problem(p->machine)) {
        mz_error_set(error, (mz_position){0}, "option --setup: %s", mz_native_client_problem(p->machine));
        mz_error_set_hint(error, "without it there is nothing that operations could be about");
    } else if (first.chosen && mz_is_judged(p->settings)) {
        refuse_choice(p, history, error);
    } else if (*end != MZ_SEQUENTIAL_WAITS && !mz_threads_any(p->machine->status->spinning)) {
        bool fails = run(&second, word, length, &again) == MZ_SEQUENTIAL_FAILED;
        if (fails) /* the simpler one to show */
            p->client = second.client;
        else if (*end == MZ_SEQUENTIAL_RETURNED && mz_is_judged(p->settings))
            compare_runs(p, history, &again, error);
        *end = fails ? MZ_SEQUENTIAL_FAILED : *end;
    }
    return !error->set;
}
