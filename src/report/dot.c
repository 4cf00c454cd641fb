/* Counterexamples for Graphviz: a column per thread; arrows for program order and for what happens before
 * what across threads. */
#include "report/formats.h"
#include "report/table.h"

static void add_quoted(mz_text *out, const char *text)
{
    mz_text_add(out, "\"");
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            mz_text_add(out, "\\%c", *text);
        else
            mz_text_add_bytes(out, *text == '\n' ? "\\n" : text, *text == '\n' ? 2 : 1);
    mz_text_add(out, "\"");
}

static void add_step(mz_text *out, const mz_report_step *step, size_t number)
{
    mz_text words = {0};
    mz_text_add(&words, "%zu  %s", number + 1, step->source ? step->source : step->text);
    if (step->effect[0])
        mz_text_add(&words, "\n%s", step->effect);
    mz_text_add(out, "    s%zu [label=", number);
    add_quoted(out, mz_text_string(&words));
    mz_text_add(out, "];\n");
    mz_text_release(&words);
}

/* A moment between the steps, such as the earlier access of a race: of other form, and red where it goes
 * wrong. */
static void add_moment(mz_text *out, const mz_report_moment *moment, size_t number)
{
    const mz_report_step *row = &moment->row;
    mz_text words = {0};
    mz_text_add(&words, "%s", row->source ? row->source : row->text);
    if (row->effect[0])
        mz_text_add(&words, "\n%s", row->effect);
    mz_text_add(out, "    m%zu [style=%s, label=", number,
                moment->is_end ? "bold, color=\"#c0392b\"" : "rounded");
    add_quoted(out, mz_text_string(&words));
    mz_text_add(out, "];\n");
    mz_text_release(&words);
}

/* The next node of the thread, "s3" or "m0", behind the one before. */
static void go_on(mz_text *out, mz_text *before, char kind, size_t number)
{
    if (before->length > 0)
        mz_text_add(out, "    %s -> %c%zu;\n", mz_text_string(before), kind, number);
    mz_text_clear(before);
    mz_text_add(before, "%c%zu", kind, number);
}

static void add_thread(mz_text *out, const mz_report *r, const mz_report_error *e, uint32_t thread)
{
    mz_text name = {0}, before = {0};
    size_t moment = 0;
    mz__add_thread_name(r, e, thread, &name);
    mz_text_add(out, "  subgraph cluster_%u {\n    label=", thread);
    add_quoted(out, mz_text_string(&name));
    mz_text_add(out, ";\n");
    for (size_t i = 0; i <= e->step_count; i++) {
        for (; moment < e->moment_count && e->moments[moment].after <= i; moment++)
            if (e->moments[moment].row.thread == thread) {
                add_moment(out, &e->moments[moment], moment);
                go_on(out, &before, 'm', moment);
            }
        if (i < e->step_count && e->steps[i].thread == thread) {
            add_step(out, &e->steps[i], i);
            go_on(out, &before, 's', i);
        }
    }
    mz_text_add(out, "  }\n");
    mz_text_release(&before);
    mz_text_release(&name);
}

/* Between the two accesses of a race, which nothing orders. */
static void add_race(mz_text *out, const mz_report_error *e)
{
    size_t last = e->moment_count;
    if (e->kind == MZ_FAIL_RACE && last >= 2 &&
        e->moments[last - 1].row.thread != e->moments[last - 2].row.thread)
        mz_text_add(out, "  m%zu -> m%zu [dir=none, style=dashed, constraint=false, color=\"#c0392b\"];\n",
                    last - 2, last - 1);
}

static void add_error(mz_text *out, const mz_report *r, const mz_report_error *e, size_t number)
{
    mz_threads threads = MZ_NO_THREADS;
    mz_text_add(out, "digraph counterexample_%zu {\n  labelloc=t; label=", number);
    add_quoted(out, e->message);
    mz_text_add(out, ";\n  node [shape=box, fontname=monospace, fontsize=10];\n");
    for (size_t i = 0; i < e->step_count; i++)
        threads |= mz_threads_of(e->steps[i].thread);
    for (size_t i = 0; i < e->moment_count; i++)
        threads |= mz_threads_of(e->moments[i].row.thread);
    MZ_FOR_EACH_THREAD(t, threads)
    {
        add_thread(out, r, e, t);
    }
    for (size_t i = 0; i < e->link_count; i++)
        mz_text_add(out, "  s%u -> s%u [constraint=false, color=\"#c0392b\"];\n", e->links[i].from,
                    e->links[i].to);
    add_race(out, e);
    mz_text_add(out, "}\n");
}

void mz_reports_dot(const mz_report *reports, size_t count, mz_text *out)
{
    size_t number = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i].error_count; k++)
            add_error(out, &reports[i], &reports[i].errors[k], ++number);
}
