#include "report/plan_outcome.h"

#include <inttypes.h>

/* What applies for which inputs. */
static void tell_cases(const mz_symbolic_plan *symbolic, mz_text *out)
{
    for (size_t i = 0; symbolic->plan_count > 1 && i < symbolic->plan_count; i++) {
        const mz_plan *plan = &symbolic->plans[i];
        mz_text_add(out, "  when ");
        mz_symbolic_condition(symbolic, i, out);
        size_t left = mz_plan_constraints(plan, plan->prefix);
        if (plan->edges_only)
            mz_text_add(out, ": %zu constraint%s\n", left, left == 1 ? "" : "s");
        else
            mz_text_add(out, ": the first %u of %u operations, %zu of %zu waits left\n", plan->prefix,
                        plan->length, left, mz_plan_constraints(plan, plan->length));
    }
}

/* All that is allowed is verified. */
static void tell_set(const mz_plan_outcome *o, mz_text *out)
{
    const mz_minimised *m = o->minimised;
    bool one = m->after == 1;
    mz_text_add(out, "%s: %u constraint%s (at first %u); all else is free\n", o->file, m->after,
                one ? "" : "s", m->before);
    if (m->after > 0)
        mz_text_add(out, "  %s\n",
                    !m->is_minimal ? "the time was up: perhaps fewer would do"
                    : one          ? "it cannot be left out"
                                   : "none can be left out");
    mz_text_add(out, "  %" PRIu64 " trace%s verified, which %s all that %s\n", m->traces,
                m->traces == 1 ? "" : "s", m->traces == 1 ? "is" : "are", one ? "it allows" : "they allow");
    tell_cases(&o->plan, out);
    if (m->reason[0])
        mz_text_add(out, "not for all inputs: %s\n", m->reason);
}

/* The same for every iteration of a program that does not end. */
static void tell_iterations(const mz_plan_outcome *o, mz_text *out)
{
    const mz_minimised *m = o->minimised;
    if (m->after == 0)
        mz_text_add(out, "%s: no constraints are needed", o->file);
    else
        mz_text_add(out, "%s: %u constraint%s for each iteration; all else is free%s", o->file, m->after,
                    m->after == 1 ? "" : "s",
                    m->is_minimal ? "" : "\n  the time was up: perhaps fewer would do");
    mz_text_add(out,
                "\n  %" PRIu64
                " trace%s of an iteration verified, which %s all from every state\n  at its beginning\n",
                m->traces, m->traces == 1 ? "" : "s", m->traces == 1 ? "is" : "are");
}

/* If inputs decide between several plans, the most threads that one of them holds. */
static uint32_t threads_held(const mz_symbolic_plan *symbolic)
{
    uint32_t most = 0;
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        uint32_t held = mz_plan_threads_held(&symbolic->plans[i]);
        most = held > most ? held : most;
    }
    return most;
}

static void tell_waits(const mz_plan_outcome *o, size_t left, size_t all, mz_text *out)
{
    uint32_t held = threads_held(&o->plan);
    mz_text_add(out, "  in %zu place%s a thread waits for another one there (at first in %zu)\n", left,
                left == 1 ? "" : "s", all);
    if (held > 0)
        mz_text_add(out, "  %u thread%s wait%s once, until all of these have happened; then all is free\n",
                    held, held == 1 ? "" : "s", held == 1 ? "s" : "");
}

static void tell_prefix(const mz_plan_outcome *o, mz_text *out)
{
    const mz_plan *plan = &o->plan.plans[0];
    uint32_t length, prefix = mz_symbolic_prefix(&o->plan, &length);
    size_t all = mz_symbolic_constraints_at_first(&o->plan), left = mz_symbolic_constraints(&o->plan);
    if (prefix > 0)
        mz_text_add(out, "%s: the first %u of %u operations keep the verified order\n", o->file, prefix,
                    length);
    else
        mz_text_add(out, "%s: no thread has to wait for another one (at first in %zu place%s)\n", o->file,
                    all, all == 1 ? "" : "s");
    if (prefix > 0)
        tell_waits(o, left, all, out);
    mz_text_add(out, "  %" PRIu64 " trace%s verified", plan->traces, plan->traces == 1 ? "" : "s");
    if (o->all_verified)
        mz_text_add(out, ", which are all: the program is safe\n");
    else if (plan->share > 0 && plan->share < 1e-5)
        mz_text_add(out, ", less than 0.001 %% of all\n");
    else if (plan->share > 0 && plan->share < 0.9995) /* an estimate: that it is all would be said above */
        mz_text_add(out, ", about %.3g %% of all\n", plan->share * 100);
    else
        mz_text_add(out, "\n");
    tell_cases(&o->plan, out);
    if (o->minimised->tried && !o->minimised->has_set)
        mz_text_add(out, "no smaller set of constraints was found: %s\n", o->minimised->reason);
}

/* For some inputs at least. */
static bool is_set(const mz_symbolic_plan *symbolic)
{
    for (size_t i = 0; i < symbolic->plan_count; i++)
        if (symbolic->plans[i].edges_only)
            return true;
    return false;
}

static void tell_what_is_left(const mz_plan_outcome *o, mz_text *out)
{
    if (o->plan.plans[0].iterations)
        tell_iterations(o, out);
    else if (is_set(&o->plan))
        tell_set(o, out);
    else
        tell_prefix(o, out);
    if (o->bug) {
        mz_text_add(out, "a bug was found, which the plan excludes: %s\n", o->bug);
        if (o->trace)
            mz_text_add(out, "  counterexample: %s (mazurka replay %s)\n", o->trace, o->trace);
    }
    if (o->learns && o->is_covered)
        mz_text_add(out, "the recorded run is one that it allows\n");
    else if (o->learns)
        mz_text_add(out, "the recorded run is none that it allows: %s\n", o->uncovered);
    mz_symbolic_describe_premises(&o->plan, "", out);
    for (size_t i = 0; o->report && i < o->report->assumption_count; i++)
        mz_text_add(out, "assumed: %s\n", o->report->assumptions[i]);
}

bool mz_plan_every_execution_fails(const mz_plan_outcome *o)
{
    return !o->has_plan && o->report && o->report->error_count > 0 && !o->report->reason[0] &&
           !o->obstacle[0];
}

static void tell_no_plan(const mz_plan_outcome *o, mz_text *out)
{
    const char *why = o->report ? o->report->reason : o->end;
    if (mz_plan_every_execution_fails(o) && o->valuation[0])
        mz_text_add(out, "no plan: with %s every execution fails; no plan is for some inputs only\n",
                    o->valuation);
    else if (mz_plan_every_execution_fails(o))
        mz_text_add(out, "no plan: every execution fails\n");
    else if (o->obstacle[0])
        mz_text_add(out, "no plan: %s\n", o->obstacle);
    else
        mz_text_add(out, "no plan: no complete execution could be verified%s%s\n", why[0] ? ": " : "", why);
    if (o->bug)
        mz_text_add(out, "a bug was found: %s\n", o->bug);
    if (o->trace)
        mz_text_add(out, "  counterexample: %s (mazurka replay %s)\n", o->trace, o->trace);
}

void mz_plan_text(const mz_plan_outcome *o, mz_text *out)
{
    if (o->has_plan)
        tell_what_is_left(o, out);
    else
        tell_no_plan(o, out);
}

static void add_json_string(mz_text *out, const char *key, const char *text)
{
    mz_text_add(out, ",\"%s\":", key);
    if (text)
        mz_json_add_string(out, text);
    else
        mz_text_add(out, "null");
}

static void add_json_cases(const mz_symbolic_plan *symbolic, mz_text *out)
{
    mz_text_add(out, ",\"cases\":[");
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        const mz_plan *plan = &symbolic->plans[i];
        mz_text condition = {0};
        mz_symbolic_condition(symbolic, i, &condition);
        mz_text_add(out, "%s{\"when\":", i ? "," : "");
        mz_json_add_string(out, mz_text_string(&condition));
        mz_text_add(out, ",\"prefix\":%u,\"length\":%u,\"constraints\":%zu}", plan->prefix, plan->length,
                    mz_plan_constraints(plan, plan->prefix));
        mz_text_release(&condition);
    }
    mz_text_add(out, "]");
}

static void add_json_premises(const mz_symbolic_plan *symbolic, mz_text *out)
{
    mz_text_add(out, ",\"premises\":[");
    for (size_t i = 0; i < symbolic->premise_count; i++) {
        const mz_plan_premise *p = &symbolic->premises[i];
        uint32_t uncompared = MZ_PREMISES_NOT_COMPARED | symbolic->waived;
        mz_text_add(out, "%s{\"kind\":\"%s\",\"name\":", i ? "," : "", mz_premise_name(p->kind));
        mz_json_add_string(out, p->name);
        mz_text_add(out, ",\"compared\":%s}", uncompared >> p->kind & 1 ? "false" : "true");
    }
    mz_text_add(out, "]");
}

static const char *rule_of(const mz_plan_outcome *o)
{
    if (!o->has_plan || !is_set(&o->plan))
        return "prefix";
    return o->plan.plans[0].iterations ? "iterations" : "edges";
}

void mz_plan_json(const mz_plan_outcome *o, mz_text *out)
{
    const mz_plan none = {0}, *plan = o->has_plan ? &o->plan.plans[0] : &none;
    uint32_t length = 0, prefix = o->has_plan ? mz_symbolic_prefix(&o->plan, &length) : 0;
    mz_text_add(out, "{\"tool\":\"mazurka\",\"version\":\"%s\"", MZ_VERSION);
    add_json_string(out, "program", o->program);
    add_json_string(out, "plan", o->has_plan ? o->file : NULL);
    mz_text_add(out, ",\"rule\":\"%s\"", rule_of(o));
    if (o->minimised->tried)
        mz_text_add(out, ",\"minimised\":%s,\"minimal\":%s,\"sets\":%" PRIu64,
                    o->minimised->has_set ? "true" : "false", o->minimised->is_minimal ? "true" : "false",
                    o->minimised->trials);
    mz_text_add(out, ",\"prefix\":%u,\"length\":%u,\"constraints\":%zu,\"constraints_at_first\":%zu", prefix,
                length, mz_symbolic_constraints(&o->plan),
                o->minimised->has_set ? (size_t)o->minimised->before
                                      : mz_symbolic_constraints_at_first(&o->plan));
    mz_text_add(out,
                ",\"traces\":%" PRIu64 ",\"share\":%.6f,\"all_verified\":%s,\"counts\":\"%s\",\"fences\":%s",
                plan->traces, plan->share, o->all_verified ? "true" : "false",
                plan->counts_accesses ? "accesses" : "operations", plan->needs_fences ? "true" : "false");
    if (o->learns)
        mz_text_add(out, ",\"learned\":%s", o->is_covered ? "true" : "false");
    if (o->has_overhead)
        mz_text_add(out, ",\"overhead\":%.4f", o->overhead);
    add_json_string(out, "first_trace", o->has_plan ? o->first_trace : NULL);
    add_json_string(out, "bug", o->bug);
    add_json_string(out, "trace", o->trace);
    add_json_string(out, "reason",
                    o->has_plan      ? NULL
                    : o->obstacle[0] ? o->obstacle
                    : o->report      ? o->report->reason
                                     : o->end);
    add_json_cases(&o->plan, out);
    add_json_premises(&o->plan, out);
    mz_text_add(out, ",\"assumptions\":[");
    for (size_t i = 0; o->report && i < o->report->assumption_count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        mz_json_add_string(out, o->report->assumptions[i]);
    }
    mz_text_add(out, "]}\n");
}
