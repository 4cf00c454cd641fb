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

static void add_thread(mz_text *out, const mz_report *r, const mz_report_error *e, uint32_t thread)
{
    mz_text name = {0};
    size_t before = SIZE_MAX;
    mz__add_thread_name(r, e, thread, &name);
    mz_text_add(out, "  subgraph cluster_%u {\n    label=", thread);
    add_quoted(out, mz_text_string(&name));
    mz_text_add(out, ";\n");
    for (size_t i = 0; i < e->step_count; i++) {
        if (e->steps[i].thread != thread)
            continue;
        add_step(out, &e->steps[i], i);
        if (before != SIZE_MAX)
            mz_text_add(out, "    s%zu -> s%zu;\n", before, i);
        before = i;
    }
    mz_text_add(out, "  }\n");
    mz_text_release(&name);
}

static void add_error(mz_text *out, const mz_report *r, const mz_report_error *e, size_t number)
{
    mz_threads threads = MZ_NO_THREADS;
    mz_text_add(out, "digraph counterexample_%zu {\n  labelloc=t; label=", number);
    add_quoted(out, e->message);
    mz_text_add(out, ";\n  node [shape=box, fontname=monospace, fontsize=10];\n");
    for (size_t i = 0; i < e->step_count; i++)
        threads |= mz_threads_of(e->steps[i].thread);
    MZ_FOR_EACH_THREAD(t, threads)
    {
        add_thread(out, r, e, t);
    }
    for (size_t i = 0; i < e->link_count; i++)
        mz_text_add(out, "  s%u -> s%u [constraint=false, color=\"#c0392b\"];\n", e->links[i].from,
                    e->links[i].to);
    mz_text_add(out, "}\n");
}

void mz_reports_dot(const mz_report *reports, size_t count, mz_text *out)
{
    size_t number = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i].error_count; k++)
            add_error(out, &reports[i], &reports[i].errors[k], ++number);
}
