#include "oracle/native_visits.h"

#include <string.h>

#include "base/memory.h"
#include "machine/identity.h"
#include "oracle/order.h"
#include "oracle/reference.h"
#include "oracle/section_classes.h"
#include "program/program.h"

enum { EVENT_LIMIT = 60000, BRUTE_LIMIT = 100000 };

/* What the reads read from, as text: equal exactly for equivalent executions. */
static void write_observation(const mz_execution *x, const visits *v, mz_text *out)
{
    for (size_t i = 0; i < x->initial_choices; i++)
        mz_text_add(out, "!%lld ", (long long)x->choices[i].value);
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++) {
        mz_text_add(out, "%u:", thread);
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            const mz_event *event = &x->events[mz_position_of(x, thread, index)];
            mz_text_add(out, " (");
            for (uint32_t i = 0; i < event->access_count; i++) {
                const mz_access_record *record = &x->records[event->first_access + i];
                mz_text_add(out, " %u.%u", record->access.location, record->access.kind);
                bool ordered = v->ordered[record->access.location];
                if (!ordered && !(record->access.kind & MZ_READ))
                    continue;
                const mz_event *writer = record->previous_write == MZ_NONE
                                             ? NULL
                                             : &x->events[x->records[record->previous_write].event];
                mz_text_add(out, "<%u.%u", writer ? writer->thread : 0, writer ? writer->index : 0);
            }
            for (uint32_t i = 0; i < event->choice_count; i++)
                mz_text_add(out, " !%lld", (long long)x->choices[event->first_choice + i].value);
            mz_text_add(out, ")");
        }
        mz_text_add(out, "\n");
    }
}

static void note_waiting(visits *v, bool blocking, const mz_access *accesses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (blocking || (accesses[i].kind & MZ_LAST))
            v->ordered[accesses[i].location] = true;
}

/* What is waited for after the first `depth` events? */
static void note_pending(visits *v, mz_search *search, size_t depth)
{
    mz_machine *machine = search->machine;
    mz_search_return_to(search, depth);
    MZ_FOR_EACH_THREAD(thread, machine->status->ready | machine->status->blocked)
    {
        mz_operation pending;
        machine->class->pending(machine, thread, &pending);
        note_waiting(v, pending.blocking, pending.accesses, pending.access_count);
    }
}

/* Is what is there looked at in the end? */
static bool matters_at_end(const mz_search *search, uint32_t location)
{
    const mz_machine *machine = search->machine;
    return (search->options.checks & 1u << MZ_FAIL_LEAK) && machine->class->matters_at_end(machine, location);
}

/* The first time round: what is waited for? */
void visits_look_for_waiting(void *context, mz_search *search, mz_leaf leaf)
{
    (void)leaf;
    visits *v = context;
    const mz_execution *x = search->execution;
    for (size_t i = 0; i < x->record_count; i++) {
        const mz_access *access = &x->records[i].access;
        bool blocking = x->events[x->records[i].event].blocking;
        note_waiting(v, blocking || matters_at_end(search, access->location), access, 1);
    }
    for (size_t depth = 0; search->machine->complex_blocking && depth < x->length; depth++)
        note_pending(v, search, depth); /* it may be something else when it goes on */
    note_pending(v, search, x->length);
}

/* What the execution costs. */
static uint32_t cost_of(const mz_search *search, reference_cost *cost)
{
    const mz_execution *x = search->execution;
    uint32_t sum = 0;
    for (size_t i = 0; i < x->length; i++)
        sum +=
            cost(search->nodes[i].enabled, i > 0, i > 0 ? x->events[i - 1].thread : 0, x->events[i].thread);
    return sum;
}

/* By the words for it, which know nothing of fingerprints. */
static void note_final(string_set *finals, mz_search *search)
{
    mz_machine *machine = search->machine;
    mz_text values = {0};
    mz_search_return_to(search, search->execution->length);
    mz_native_describe_all(machine);
    for (uint32_t location = 0; location < machine->location_count; location++) {
        machine->class->describe_value(machine, location, &values);
        mz_text_add(&values, " ");
    }
    string_set_add(finals, mz_text_string(&values), values.length);
    mz_text_release(&values);
}

void visits_observe(void *context, mz_search *search, mz_leaf leaf)
{
    visits *v = context;
    if (leaf == MZ_LEAF_BLOCKED || leaf == MZ_LEAF_PRUNED || leaf == MZ_LEAF_VISITED)
        return;
    mz_text identity = {0};
    mz_identity_write(search->execution, &identity);
    bool is_new = string_set_add(&v->traces, mz_text_string(&identity), identity.length);
    v->repeated += !is_new;
    for (uint32_t level = cost_of(search, reference_preemptions); level < LEVELS; level++)
        string_set_add(&v->levels[level], mz_text_string(&identity), identity.length);
    for (uint32_t level = cost_of(search, reference_delays); level < LEVELS; level++)
        string_set_add(&v->delayed[level], mz_text_string(&identity), identity.length);
    mz_text_clear(&identity);
    write_observation(search->execution, v, &identity);
    v->observed_again += !string_set_add(&v->observations, mz_text_string(&identity), identity.length);
    mz_text_clear(&identity);
    if (v->finals)
        note_final(v->finals, search);
    if (v->classes) {
        section_classes_write(search->execution, &identity);
        string_set_add(v->classes, mz_text_string(&identity), identity.length);
    }
    mz_text_release(&identity);
    if (is_new && v->order)
        order_check(search, v->of_observations ? v->ordered : NULL, v->order);
}

static void note_error(visits *v, const mz_failure *failure)
{
    mz_text name = {0};
    if (strstr(mz_text_string(&failure->message), "outcome ")) {
        mz_text_add(&name, "%s", mz_text_string(&failure->message));
        string_set_add(&v->errors, mz_text_string(&name), name.length);
        mz_text_release(&name);
        return;
    }
    bool stuck = failure->kind == MZ_FAIL_DEADLOCK || failure->kind == MZ_FAIL_LIVELOCK ||
                 failure->kind == MZ_FAIL_RACE; /* whoever comes second has it */
    mz_text_add(&name, "%s", mz_failure_name(failure->kind));
    if (!stuck)
        mz_text_add(&name, " at line %u of thread %u", failure->position.line, failure->thread);
    string_set_add(&v->errors, mz_text_string(&name), name.length);
    mz_text_release(&name);
}

bool visits_explore(mz_machine *machine, const mz_algorithm *algorithm, mz_search_options options,
                    void (*look)(void *, mz_search *, mz_leaf), visits *v)
{
    mz_search search;
    options.all_errors = options.repeats_nothing = true;
    bool begins_again = v->of_observations || algorithm->in_levels;
    if (options.limits.events == 0)
        options.limits.events = v->classes ? BRUTE_LIMIT : begins_again ? 4 * EVENT_LIMIT : EVENT_LIMIT;
    options.limits.depth = 2000;
    mz_search_init(&search, machine, &options);
    search.observe = look;
    search.observe_context = v;
    mz_relation relation = machine->relation;
    machine->by_observation = v->of_observations;
    machine->relation |= options.relation;
    if (v->of_observations)
        machine->relation &= ~(mz_relation)MZ_REFINES_LOCKS;
    algorithm->run(&search);
    machine->by_observation = false; /* as it was */
    machine->relation = relation;
    const char *reason = mz_text_string(&search.reason);
    bool bound = strstr(reason, "--preemptions") || strstr(reason, "--delays");
    bool cut = search.unasked.count > 0 && !strstr(reason, "limit of"); /* threads only, and nothing else */
    v->finished = (!search.incomplete || bound || cut) && !search.begin_again;
    v->is_finer = search.is_finer;
    v->blocked = search.statistics.blocked - search.statistics.in_vain;
    v->reason = search.internal_error ? "a counterexample does not replay"
                                      : mz_copy_string(mz_text_string(&search.reason));
    for (size_t i = 0; i < search.problem_count; i++)
        note_error(v, &search.problems[i].failure);
    bool again = search.begin_again;
    mz_search_release(&search);
    return !again;
}

void visits_clear(visits *v)
{
    string_set_release(&v->traces);
    string_set_release(&v->errors);
    string_set_release(&v->observations);
    for (uint32_t level = 0; level < LEVELS; level++) {
        string_set_release(&v->levels[level]);
        string_set_release(&v->delayed[level]);
    }
    *v = (visits){.of_observations = v->of_observations,
                  .ordered = v->ordered,
                  .order = v->order,
                  .finals = v->finals,
                  .classes = v->classes};
}

size_t visits_missing(const string_set *from, const string_set *in, const char *label, mz_text *out)
{
    size_t count = 0;
    for (size_t i = 0; i < from->capacity; i++)
        if (from->strings[i] && !string_set_has(in, from->strings[i], from->lengths[i])) {
            if (count++ == 0 && label)
                mz_text_add(out, "  %s: %.*s\n", label, (int)from->lengths[i], from->strings[i]);
        }
    return count;
}

static bool is_of_race(const char *error)
{
    const char *kinds[] = {mz_failure_name(MZ_FAIL_RACE), mz_failure_name(MZ_FAIL_MEMORY)};
    return strncmp(error, kinds[0], strlen(kinds[0])) == 0 || strncmp(error, kinds[1], strlen(kinds[1])) == 0;
}

bool visits_have_race(const string_set *errors)
{
    for (size_t i = 0; i < errors->capacity; i++)
        if (errors->strings[i] && is_of_race(errors->strings[i]))
            return true;
    return false;
}

/* What a thread reads that races depends on more than the trace: if both find a race, one may come to other
 * errors behind it. By observation, of a block's end and a use that nothing orders one order is enough: it is
 * told as a race or as a use of what is gone. */
void visits_compare_errors(const char *name, bool observations, const visits *reference, const visits *v,
                           mz_text *out)
{
    const char *race = mz_failure_name(MZ_FAIL_RACE); /* only where races are errors */
    bool races = string_set_has(&reference->errors, race, strlen(race));
    if (races &&
        (observations ? visits_have_race(&v->errors) : string_set_has(&v->errors, race, strlen(race))))
        return;
    if (visits_missing(&reference->errors, &v->errors, "error not found", out))
        mz_text_add(out, " %s: errors not found\n", name);
    if (visits_missing(&v->errors, &reference->errors, "error that does not exist", out))
        mz_text_add(out, " %s: errors that do not exist\n", name);
}

void visits_compare(const mz_algorithm *algorithm, const visits *reference, const visits *v, bool once,
                    mz_text *out)
{
    const char *name = algorithm->name;
    if (!v->finished) {
        if (once)
            mz_text_add(out, " %s: not finished: %s\n", name, v->reason);
        return;
    }
    bool observations = algorithm->equivalence == MZ_OBSERVATION;
    size_t missed = observations ? visits_missing(&reference->observations, &v->observations, "missed", out)
                                 : visits_missing(&reference->traces, &v->traces, "missed", out);
    size_t extra = visits_missing(&v->traces, &reference->traces, NULL, out);
    if (missed)
        mz_text_add(out, " %s: %zu of %zu %s missed\n", name, missed,
                    observations ? reference->observations.count : reference->traces.count,
                    observations ? "observations" : "traces");
    if (observations && v->observed_again && !v->is_finer && !algorithm->only_on_trees)
        mz_text_add(out, " %s: %llu observations visited again\n", name,
                    (unsigned long long)v->observed_again);
    if (extra)
        mz_text_add(out, " %s: %zu traces that do not exist\n", name, extra);
    if (once && v->repeated)
        mz_text_add(out, " %s: %llu traces visited again\n", name, (unsigned long long)v->repeated);
    visits_compare_errors(name, observations, reference, v, out);
}

void visits_compare_ends(const mz_algorithm *algorithm, const visits *reference, const visits *v,
                         mz_text *out)
{
    size_t extra = visits_missing(&v->traces, &reference->traces, NULL, out);
    if (extra)
        mz_text_add(out, " %s: %zu traces that do not exist\n", algorithm->name, extra);
    visits_compare_errors(algorithm->name, false, reference, v, out);
}
