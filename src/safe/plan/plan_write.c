/* Plan files: their text, and writing them so that nobody ever sees a part of one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "safe/plan/symbolic.h"

static void add_count(mz_text *out, uint32_t count)
{
    if (count == MZ_PLAN_ITERATION_END)
        mz_text_add(out, "end");
    else
        mz_text_add(out, "%u", count);
}

/* Beyond the prefix there is nothing to say: they wait for all of it. */
static void add_waits(mz_text *out, const mz_plan *plan, size_t index)
{
    const mz_plan_event *event = &plan->events[index];
    uint32_t count = index < plan->prefix ? event->wait_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        mz_plan_wait wait = plan->waits[event->first_wait + i];
        mz_text_add(out, "%c%u:", i ? ',' : ' ', wait.thread);
        add_count(out, wait.count);
    }
    mz_text_add(out, "%s", count ? "" : " -");
}

static void add_event(mz_text *out, const mz_plan *plan, size_t index)
{
    const mz_plan_event *event = &plan->events[index];
    mz_text_add(out, "event %u ", event->thread);
    add_count(out, event->count);
    mz_text_add(out, " %s ",
                (uint32_t)event->kind == MZ_PLAN_ANY_KIND ? "any" : mz_operation_name(event->kind));
    mz_add_escaped(out, event->place == MZ_PLAN_NOWHERE ? "-" : plan->places[event->place]);
    add_waits(out, plan, index);
    if (event->picks == MZ_PLAN_PICKS_NOBODY)
        mz_text_add(out, " - | ");
    else
        mz_text_add(out, " %u | ", event->picks);
    if (event->file) {
        mz_add_escaped(out, event->file);
        mz_text_add(out, ":%u", event->line);
    }
    mz_text_add(out, " | ");
    mz_add_escaped(out, event->text);
    mz_text_add(out, "\n");
}

/* The prefix, and of each thread the event that comes after it. */
static void add_events(mz_text *out, const mz_plan *plan)
{
    uint64_t followed = 0; /* threads */
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *event = &plan->events[i];
        uint64_t bit = UINT64_C(1) << event->thread;
        if (i == plan->prefix)
            mz_text_add(out, "# beyond the prefix: these wait for all of it\n");
        if (i < plan->prefix || !(followed & bit))
            add_event(out, plan, i);
        if (i >= plan->prefix)
            followed |= bit;
    }
}

/* What was verified. */
static void add_header(mz_text *out, const mz_plan *plan)
{
    mz_text_add(out, "%s %d\n", MZ_PLAN_MAGIC, MZ_PLAN_VERSION);
    mz_text_add(
        out, "# verified schedules: 'mazurka run --plan' keeps a program within them, 'mazurka show' draws "
             "them\n");
    for (size_t i = 0; i < plan->line_count; i++)
        mz_add_line(out, plan->lines[i].key, plan->lines[i].text);
    mz_add_line(out, "image", plan->hash && plan->hash[0] ? plan->hash : "-");
    mz_text_add(out, "counts %s\nfences %s\n", plan->counts_accesses ? "accesses" : "operations",
                plan->needs_fences ? "yes" : "no");
    mz_text_add(out, "verified %" PRIu64 " %.6f\n", plan->traces, plan->share);
    if (plan->bug)
        mz_add_line(out, "bug", plan->bug);
}

/* What is read beyond the prefix may have any value, and have another name in every execution. */
static void add_read(mz_text *out, const mz_plan *plan, const mz_plan_read *read)
{
    if (read->rank > (plan->edges_only ? 0 : plan->prefix))
        return;
    mz_text_add(out, "reads %s %u", read->name, read->rank);
    if (read->file) {
        mz_text_add(out, " | ");
        mz_add_escaped(out, read->file);
        mz_text_add(out, ":%u", read->line);
    }
    mz_text_add(out, "\n");
}

static void add_plan(mz_text *out, const mz_plan *plan)
{
    for (uint32_t t = 1; t < plan->thread_count; t++)
        mz_text_add(out, "thread %u.%u\n", plan->threads[t].parent, plan->threads[t].child);
    for (uint32_t t = 0; t < plan->thread_count && !plan->edges_only; t++)
        if (plan->threads[t].ends > 0)
            mz_text_add(out, "ends %u %u\n", t, plan->threads[t].ends - 1);
    for (size_t i = 0; i < plan->read_count; i++)
        add_read(out, plan, &plan->reads[i]);
    if (plan->iterations)
        mz_text_add(out, "rule iterations\n");
    else if (plan->edges_only)
        mz_text_add(out, "rule edges\n");
    else
        mz_text_add(out, "prefix %u of %u\n", plan->prefix, plan->length);
    mz_text_add(out, "\n# event thread count kind place waits picks | where | what\n");
    add_events(out, plan);
}

/* ---- inputs and guards ----------------------------------------------------------------------------------
 */

static void add_target(mz_text *out, uint32_t target)
{
    mz_text_add(out, " %s:%u", target & MZ_GUARD_PLAN ? "plan" : "guard", target & ~MZ_GUARD_PLAN);
}

static void add_guard(mz_text *out, const mz_symbolic_plan *symbolic, const mz_guard *guard)
{
    static const char *const operators[] = {"==", "<", "<="};
    mz_text_add(out, "guard %s %s ", symbolic->inputs[guard->left].name, operators[guard->comparison]);
    if (guard->right == MZ_GUARD_CONSTANT)
        mz_text_add(out, "%" PRId64, guard->constant);
    else
        mz_text_add(out, "%s", symbolic->inputs[guard->right].name);
    add_target(out, guard->holds);
    add_target(out, guard->fails);
    mz_text_add(out, "\n");
}

static void add_inputs(mz_text *out, const mz_symbolic_plan *symbolic)
{
    mz_text_add(out, "nondet %" PRId64 " %" PRId64 "\n", symbolic->nondet_low, symbolic->nondet_high);
    for (size_t i = 0; i < symbolic->input_count; i++)
        mz_text_add(out, "input %s %" PRId64 " %" PRId64 "\n", symbolic->inputs[i].name,
                    symbolic->inputs[i].low, symbolic->inputs[i].high);
    for (size_t i = 0; i < symbolic->guard_count; i++)
        add_guard(out, symbolic, &symbolic->guards[i]);
}

void mz_symbolic_text(const mz_symbolic_plan *symbolic, mz_text *out)
{
    add_header(out, &symbolic->plans[0]);
    mz_symbolic_lines_text(symbolic, out);
    add_inputs(out, symbolic);
    mz_symbolic_premises_text(symbolic, out);
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        if (symbolic->plan_count > 1) {
            mz_text_add(out, "\nplan %zu\n# when ", i);
            mz_symbolic_condition(symbolic, i, out);
            mz_text_add(out, "\n");
        }
        add_plan(out, &symbolic->plans[i]);
    }
    mz_text_add(out, "end\n");
}

bool mz_symbolic_save(const mz_symbolic_plan *symbolic, const char *path, mz_error *error)
{
    mz_text text = {0};
    mz_symbolic_text(symbolic, &text);
    if (!mz_file_replace(path, mz_text_string(&text), text.length))
        mz_error_set(error, (mz_position){.file = path}, "cannot be written: %s", strerror(errno));
    mz_text_release(&text);
    return !error->set;
}
