#include "session/clients/clients.h"

#include <string.h>

#include "base/memory.h"
#include "report/report.h"

/* The history as data: an array of JSON. What never ended ends after all moments. */
static void add_calls(const mz_words *operations, const mz_history *h, const mz_timing *timing, mz_text *out)
{
    mz_text_add(out, "[");
    for (uint32_t i = 0; i < h->count; i++) {
        const mz_client_call *c = &h->calls[i];
        uint32_t ends = timing->ends[i] == UINT32_MAX ? timing->moments : timing->ends[i];
        mz_text_add(out, "%s{\"thread\":%u,\"begins\":%u,\"ends\":%u,\"returned\":%s,\"call\":", i ? "," : "",
                    c->thread, timing->begins[i], ends, c->returned ? "true" : "false");
        mz_json_add_string(out, operations->items[c->operation]);
        mz_text_add(out, ",\"result\":");
        mz_json_add_string(out, c->result);
        mz_text_add(out, "}");
    }
    mz_text_add(out, "]");
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
    mz_text_clear(&p->calls_json);
    add_calls(&p->settings->operations, h, &timing, &p->calls_json);
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
            !p->alone.may_spin[h->calls[i].operation])
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
        if (mz_operation_calls(operations->items[i], relaxed, length)) {
            p->excused[i] = equals ? equals + 1 : "false";
            p->optional[i] = true;
        }
}

bool mz_clients_specify(mz_client_plan *p, const mz_settings *s, uint32_t askers, mz_error *error)
{
    if (s->specification && mz_is_judged(s))
        p->specification = mz_specification_begin(s, askers, error);
    return !error->set;
}

void mz_clients_begin(mz_client_plan *p, const mz_settings *s, mz_machine *machine)
{
    p->settings = s;
    p->machine = machine;
    mz_alone_begin(&p->alone, s, machine);
    if (p->specification)
        mz_sequential_init(&p->sequential, mz_specification_ask, p->specification);
    else
        mz_sequential_init(&p->sequential, mz_run_word, &p->alone);
    for (size_t i = 0; i < s->relaxed.count; i++)
        excuse(p, s->relaxed.items[i]);
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
    mz_run_word(&p->alone, NULL, 0, &history, &end, error);
    p->is_set_up = true;
}

void mz_clients_learn(const mz_client_plan *p, const mz_client *client, mz_sequential *sequential,
                      mz_error *error)
{
    const mz_settings *s = p->settings;
    bool any_order = s->criterion == MZ_QUIESCENT || s->out_of_order > 0;
    if (mz_is_judged(s))
        mz_sequential_learn(sequential, client, any_order, p->optional, error);
}

void mz_clients_take(mz_client_plan *p, const mz_client *client, mz_error *error)
{
    const mz_settings *s = p->settings;
    p->machine->judge = NULL;
    p->client = *client;
    mz_hash_set_clear(&p->explained);
    if (!p->is_set_up && (p->specification || !mz_is_judged(s)))
        run_setup(p, error);
    if (!error->set)
        mz_clients_learn(p, client, &p->sequential, error);
    if (p->sequential.failing_length > 0) {
        p->client = p->alone.client;
    } else if (mz_is_judged(s)) {
        p->machine->judge = &p->judge;
    }
    mz_native_set_client(p->machine, &p->client);
}

static bool returns_pointers(const mz_sequential *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (strstr(s->nodes[i].result, "a pointer"))
            return true;
    return false;
}

void mz_clients_assume(mz_client_plan *p, const mz_sequential *sequential)
{
    const char **lines = p->assumptions;
    size_t count = 0;
    if (p->settings->specification)
        lines[count++] = "what calls return one after the other is what they return with --spec";
    if (p->description->set_count > 0)
        lines[count++] = "the library treats the values of a set {…} alike ({1|2} are not taken to be)";
    if (returns_pointers(sequential))
        lines[count++] = "pointers that calls return are compared as NULL or not, no further";
    if (p->first > 0)
        lines[count++] = "the clients before the first one (--from) are right";
    p->assumption_count = count;
}
