/* Plans as text. */
#include "report/plan_picture.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

static void add_amount(const mz_plan *plan, mz_text *out)
{
    size_t constraints = mz_plan_constraints(plan, plan->prefix);
    uint32_t held = mz_plan_threads_held(plan);
    mz_text_add(out, "%zu constraint%s", constraints, constraints == 1 ? "" : "s");
    if (plan->edges_only)
        mz_text_add(out, "%s; all else is free\n", plan->iterations ? " for each iteration" : "");
    else
        mz_text_add(out, " on the first %u of %u operations", plan->prefix, plan->length);
    if (!plan->edges_only && held > 0)
        mz_text_add(out, "; %u thread%s wait%s for all of them", held, held == 1 ? "" : "s",
                    held == 1 ? "s" : "");
    if (!plan->edges_only)
        mz_text_add(out, "\n");
}

static void add_inputs(const mz_symbolic_plan *symbolic, mz_text *out)
{
    for (size_t i = 0; i < symbolic->input_count; i++)
        mz_text_add(out, "%s%s from %" PRId64 " to %" PRId64, i ? ", " : "inputs: ", symbolic->inputs[i].name,
                    symbolic->inputs[i].low, symbolic->inputs[i].high);
    if (symbolic->input_count > 0)
        mz_text_add(out, "%s\n", symbolic->plan_count == 1 ? "; the same for all of them" : "");
}

static void add_summary(const mz_symbolic_plan *symbolic, mz_text *out)
{
    const mz_plan *plan = &symbolic->plans[0];
    for (size_t i = 0; i < plan->line_count; i++)
        if (strcmp(plan->lines[i].key, "file") == 0)
            mz_text_add(out, "%s%s", i ? " " : "", plan->lines[i].text);
    mz_text_add(out, "%s", plan->line_count ? ": " : "");
    if (symbolic->plan_count == 1)
        add_amount(plan, out);
    else
        mz_text_add(out, "%zu plans, which one applies is decided by the inputs\n", symbolic->plan_count);
    mz_text_add(out, "%" PRIu64 " trace%s verified", plan->traces, plan->traces == 1 ? "" : "s");
    if (plan->edges_only)
        mz_text_add(out, ", which %s all that %s", plan->traces == 1 ? "is" : "are",
                    mz_plan_constraints(plan, plan->prefix) == 1 ? "it allows" : "they allow");
    else if (plan->share > 0)
        mz_text_add(out, ", about %.3g %% of all", plan->share * 100);
    mz_text_add(out, "; counts %s%s\n", plan->counts_accesses ? "accesses" : "operations",
                plan->needs_fences ? ", with fences after stores" : "");
    if (plan->bug)
        mz_text_add(out, "excluded: %s\n", plan->bug);
    add_inputs(symbolic, out);
    mz_symbolic_describe_premises(symbolic, "", out);
}

static void add_threads(const mz_plan *plan, mz_text *out)
{
    for (uint32_t t = 0; t < plan->thread_count; t++) {
        if (t == 0)
            mz_text_add(out, "thread 0 is main");
        else
            mz_text_add(out, "; %u: thread %u of %u", t, plan->threads[t].child + 1, plan->threads[t].parent);
    }
    mz_text_add(out, "\n\n");
}

static void add_event_text(const mz_plan *plan, size_t i, mz_text *out)
{
    const mz_plan_event *e = &plan->events[i];
    mz_text_add(out, "%6zu  ", i + 1);
    for (uint32_t t = 0; t < plan->thread_count; t++) {
        if (t == e->thread && e->count == MZ_PLAN_ITERATION_END)
            mz_text_add(out, "%u:end  ", t);
        else if (t == e->thread)
            mz_text_add(out, "%u:%-5u", t, e->count);
        else
            mz_text_add(out, ".      ");
    }
    mz_text_add(out, " %s", e->text);
    if (e->file)
        mz_text_add(out, "  %s:%u", e->file, e->line);
    if (e->picks != MZ_PLAN_PICKS_NOBODY)
        mz_text_add(out, "  wakes %u", e->picks);
    if (i >= plan->prefix)
        mz_text_add(out, "  <- all above");
    for (uint32_t w = 0; w < e->wait_count && i < plan->prefix; w++) {
        mz_plan_wait wait = plan->waits[e->first_wait + w];
        mz_text_add(out, "%s%u:", w ? ", " : "  <- ", wait.thread);
        if (wait.count == MZ_PLAN_ITERATION_END)
            mz_text_add(out, "end");
        else
            mz_text_add(out, "%u", wait.count);
    }
    mz_text_add(out, "\n");
}

/* What is read after so many events, but not before the first one: that is no part of the way. */
static void add_reads(const mz_plan *plan, size_t rank, mz_text *out)
{
    for (size_t i = 0; i < plan->read_count && rank > 0; i++) {
        const mz_plan_read *read = &plan->reads[i];
        if (read->rank != rank)
            continue;
        mz_text_add(out, "        ---- %s is read", read->name);
        if (read->file)
            mz_text_add(out, "  %s:%u", read->file, read->line);
        mz_text_add(out, "\n");
    }
}

/* From one event up to another. */
static void add_part(const mz_plan *plan, size_t from, size_t to, mz_text *out)
{
    for (size_t i = from; i < to; i++) {
        if (i == plan->prefix && i > 0)
            mz_text_add(out, "        ---- then in any order:\n");
        add_event_text(plan, i, out);
        if (i < plan->prefix)
            add_reads(plan, i + 1, out);
    }
}

static void add_rest(const mz_plan *plan, size_t from, mz_text *out)
{
    add_part(plan, from, plan->event_count, out);
    if (plan->prefix == 0)
        mz_text_add(out, "nothing is constrained\n");
}

/* ---- the tree -------------------------------------------------------------------------------------------
 *
 * What is common before something is decided, and then what follows, for each way in which it can be. Guards
 * that are decided at the same time are told together. */

typedef struct tree {
    const mz_symbolic_plan *symbolic;
    bool *shown; /* [plan] */
    mz_text *out;
} tree;

static void add_below(tree *t, uint32_t at, uint32_t from);

static void add_branch(tree *t, uint32_t target, uint32_t from)
{
    mz_text_add(t->out, "\nwhen ");
    mz_symbolic_condition_between(t->symbolic, 0, target, t->out);
    mz_text_add(t->out, ": ");
    if (!(target & MZ_GUARD_PLAN))
        mz_text_add(t->out, "up to the next input\n");
    else if (t->shown[target & ~MZ_GUARD_PLAN])
        mz_text_add(t->out, "as plan %u above\n", target & ~MZ_GUARD_PLAN);
    else
        add_amount(&t->symbolic->plans[target & ~MZ_GUARD_PLAN], t->out);
    add_below(t, target, from);
}

/* Each target once that is reached from the guard by what is decided with it. */
static void add_branches(tree *t, uint32_t at, uint32_t decided, uint32_t *told, size_t *count)
{
    bool goes_on = !(at & MZ_GUARD_PLAN) && mz_symbolic_decided_at(t->symbolic, at) <= decided;
    if (goes_on) {
        add_branches(t, t->symbolic->guards[at].holds, decided, told, count);
        add_branches(t, t->symbolic->guards[at].fails, decided, told, count);
        return;
    }
    for (size_t i = 0; i < *count; i++)
        if (told[i] == at)
            return;
    told[(*count)++] = at;
    add_branch(t, at, decided);
}

static const mz_plan *any_below(const mz_symbolic_plan *s, uint32_t at)
{
    while (!(at & MZ_GUARD_PLAN))
        at = s->guards[at].holds;
    return &s->plans[at & ~MZ_GUARD_PLAN];
}

static void add_below(tree *t, uint32_t at, uint32_t from)
{
    const mz_plan *plan = any_below(t->symbolic, at);
    if (at & MZ_GUARD_PLAN) {
        bool *shown = &t->shown[at & ~MZ_GUARD_PLAN];
        if (!*shown && from == 0)
            add_threads(plan, t->out);
        if (!*shown)
            add_rest(plan, from, t->out);
        *shown = true;
        return;
    }
    uint32_t decided = mz_symbolic_decided_at(t->symbolic, at);
    decided = decided > from ? decided : from;
    if (decided > 0 && from == 0)
        add_threads(plan, t->out);
    add_part(plan, from, decided, t->out);
    uint32_t *told = mz_allocate_zeroed(t->symbolic->guard_count + 1, sizeof *told);
    size_t count = 0;
    add_branches(t, at, decided, told, &count);
    mz_release(told);
}

void mz_show_text(const mz_symbolic_plan *symbolic, mz_text *out)
{
    tree t = {
        .symbolic = symbolic, .shown = mz_allocate_zeroed(symbolic->plan_count, sizeof(bool)), .out = out};
    add_summary(symbolic, out);
    add_below(&t, symbolic->guard_count > 0 ? 0 : MZ_GUARD_PLAN, 0);
    mz_release(t.shown);
}
