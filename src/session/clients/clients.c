#include "session/clients/clients.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

size_t mz_client_function(const char *operation, const char **name)
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

static bool calls(const char *operation, const char *function, size_t length)
{
    const char *name;
    return mz_client_function(operation, &name) == length && strncmp(name, function, length) == 0;
}

/* ---- alone ----------------------------------------------------------------------------------------------
 */

static bool is_judged(const mz_settings *s)
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
static const char *last_call(const mz_client_plan *p, const mz_history *h)
{
    return h->count > 0 ? p->settings->operations.items[h->calls[h->count - 1].operation] : "the setup";
}

/* Threads of the library itself go on as the lowest first. */
static mz_outcome run_to_end(mz_machine *machine, bool *chosen)
{
    enum { MOST_STEPS = 100000 };
    mz_choices choices = {0};
    mz_operation executed;
    mz_outcome outcome = machine->class->reset(machine, &choices);
    *chosen = is_chosen(machine, &choices);
    for (uint32_t i = 0; i < MOST_STEPS && mz_threads_any(machine->status->ready); i++) {
        if (outcome == MZ_STEP_FAILED || outcome == MZ_STEP_GIVEN_UP)
            break;
        mz_choices_prescribe(&choices, NULL, 0);
        outcome =
            machine->class->step(machine, mz_threads_first(machine->status->ready), &choices, &executed);
        *chosen |= is_chosen(machine, &choices);
    }
    mz_release(choices.made);
    return outcome;
}

/* Does main wait in a way that a library may, or is it in a deadlock with itself? */
static bool waits_rightly(mz_client_plan *p, const mz_history *h)
{
    mz_machine *machine = p->machine;
    bool spins = mz_threads_any(machine->status->spinning);
    if (mz_native_waits_for_lock(machine, 0))
        return false;
    return !spins || (h->count > 0 && p->may_spin[h->calls[h->count - 1].operation]);
}

static bool run_alone(void *context, const uint8_t *word, uint32_t length, mz_history *history,
                      mz_sequential_end *end, mz_error *error)
{
    mz_client_plan *p = context;
    mz_machine *machine = p->machine;
    mz_client alone = {.length = {length}};
    bool chosen;
    if (length > 0)
        memcpy(alone.operations[0], word, length);
    mz_native_set_client(machine, &alone);
    mz_outcome outcome = run_to_end(machine, &chosen);
    *history = *mz_native_history(machine);
    const mz_status *status = machine->status;
    if (mz_native_client_problem(machine)) {
        mz_error_set(error, (mz_position){0}, "option --setup: %s", mz_native_client_problem(machine));
        mz_error_set_hint(error, "without it there is nothing that operations could be about");
    } else if (chosen && is_judged(p->settings)) {
        mz_error_set(error, (mz_position){0}, "%s may do this or that, although nobody else runs: it chooses",
                     last_call(p, history));
        mz_error_set_hint(error, "what calls return beside others is compared with what they return alone; "
                                 "give a value instead of the choice, or --criterion=none");
    }
    bool failed = outcome == MZ_STEP_FAILED || mz_threads_any(status->failed) || outcome == MZ_STEP_GIVEN_UP;
    bool blocked = mz_threads_any(status->blocked) && !status->ended;
    *end = failed                      ? MZ_SEQUENTIAL_FAILED
           : !blocked                  ? MZ_SEQUENTIAL_RETURNED
           : waits_rightly(p, history) ? MZ_SEQUENTIAL_WAITS
                                       : MZ_SEQUENTIAL_FAILED;
    return !error->set;
}

/* ---- beside others --------------------------------------------------------------------------------------
 */

static bool condemns(void *context, mz_machine *machine, mz_knows *knows, const void *order,
                     mz_failure *failure, uint16_t *schedule)
{
    mz_client_plan *p = context;
    const mz_history *h = mz_native_history(machine);
    mz_timing timing = {.schedule = schedule};
    if (mz_explain(&p->explaining, h, knows, order, &timing))
        return false;
    failure->kind = MZ_FAIL_HISTORY;
    failure->thread = h->count > 0 ? h->calls[h->count - 1].runs_in : 0;
    mz_text_clear(&failure->message);
    mz_history_sentence(&p->explaining, &p->settings->operations, h, &timing, &failure->message);
    mz_text_clear(&p->picture);
    mz_history_picture(&p->settings->operations, h, &timing, &p->picture);
    p->wrong = *h;
    p->in_any_order = timing.in_any_order;
    return true;
}

/* Who waits for a lock is in a deadlock, whatever the calls are. */
static bool may_wait(void *context, mz_machine *machine, mz_knows *knows, const void *order)
{
    mz_client_plan *p = context;
    const mz_history *h = mz_native_history(machine);
    MZ_FOR_EACH_THREAD(t, machine->status->blocked)
    {
        if (mz_native_waits_for_lock(machine, t))
            return false;
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (!h->calls[i].returned && mz_threads_has(machine->status->spinning, h->calls[i].runs_in) &&
            !p->may_spin[h->calls[i].operation])
            return false;
    return mz_explain_waiting(&p->explaining, h, knows, order);
}

/* ---- one after the other --------------------------------------------------------------------------------
 */

/* "pop=-1": an operation that calls pop may return -1 at any time. */
static void excuse(mz_client_plan *p, const char *relaxed)
{
    const mz_words *operations = &p->settings->operations;
    const char *equals = strchr(relaxed, '=');
    size_t length = equals ? (size_t)(equals - relaxed) : strlen(relaxed);
    for (size_t i = 0; i < operations->count; i++)
        if (calls(operations->items[i], relaxed, length)) {
            p->excused[i] = equals ? equals + 1 : "false";
            p->optional[i] = true;
        }
}

void mz_clients_begin(mz_client_plan *p, const mz_settings *s, mz_machine *machine)
{
    p->settings = s;
    p->machine = machine;
    mz_sequential_init(&p->sequential, run_alone, p);
    for (size_t i = 0; i < s->relaxed.count; i++)
        excuse(p, s->relaxed.items[i]);
    for (size_t i = 0; i < s->blocking.count; i++)
        for (size_t k = 0; k < s->operations.count; k++)
            p->may_spin[k] |=
                calls(s->operations.items[k], s->blocking.items[i], strlen(s->blocking.items[i]));
    p->explaining = (mz_explaining){.sequential = &p->sequential,
                                    .criterion = s->criterion,
                                    .out_of_order = s->out_of_order,
                                    .excused = p->excused,
                                    .explained = &p->explained};
    p->judge = (mz_judge){p, condemns, may_wait};
}

/* At least that is to make something. */
static void run_setup(mz_client_plan *p, mz_error *error)
{
    mz_history history;
    mz_sequential_end end;
    run_alone(p, NULL, 0, &history, &end, error);
}

void mz_clients_take(mz_client_plan *p, const mz_client *client, mz_error *error)
{
    const mz_settings *s = p->settings;
    bool any_order = s->criterion == MZ_QUIESCENT || s->out_of_order > 0;
    p->machine->judge = NULL;
    p->client = *client;
    mz_hash_set_clear(&p->explained);
    if (is_judged(s))
        mz_sequential_learn(&p->sequential, client, any_order, p->optional, error);
    else
        run_setup(p, error);
    if (p->sequential.failing_length > 0) {
        p->client = (mz_client){.length = {p->sequential.failing_length}};
        memcpy(p->client.operations[0], p->sequential.failing, p->sequential.failing_length);
    } else if (is_judged(s)) {
        p->machine->judge = &p->judge;
    }
    mz_native_set_client(p->machine, &p->client);
}

static bool returns_pointers(const mz_client_plan *p)
{
    for (size_t i = 0; i < p->sequential.count; i++)
        if (strstr(p->sequential.nodes[i].result, "a pointer"))
            return true;
    return false;
}

size_t mz_clients_assumptions(const mz_client_plan *p, const char **lines)
{
    size_t count = 0;
    if (p->description->set_count > 0)
        lines[count++] = "the library treats the values of a set {…} alike ({1|2} are not taken to be)";
    if (returns_pointers(p))
        lines[count++] = "pointers that calls return are compared as NULL or not, no further";
    if (p->first > 0)
        lines[count++] = "the clients before the first one (--from) are right";
    return count;
}
