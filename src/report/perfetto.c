/* Counterexamples in the format of Chrome's traces, which ui.perfetto.dev shows: a process per error, a
 * thread per thread, a slice of a microsecond per step, and flows for what happens before what. */
#include "report/formats.h"
#include "report/table.h"

static void add_string(mz_text *out, const char *key, const char *value)
{
    mz_text_add(out, ",\"%s\":", key);
    mz_json_add_string(out, value);
}

/* {"ph":…,"pid":…,"tid":…,"ts":… */
static void begin(mz_text *out, const char *phase, size_t process, uint32_t thread, size_t at)
{
    mz_text_add(out, ",\n{\"ph\":\"%s\",\"pid\":%zu,\"tid\":%u,\"ts\":%zu", phase, process, thread, at);
}

static void add_name(mz_text *out, const char *what, size_t process, uint32_t thread, const char *name)
{
    begin(out, "M", process, thread, 0);
    mz_text_add(out, ",\"name\":\"%s\",\"args\":{\"name\":", what);
    mz_json_add_string(out, name);
    mz_text_add(out, "}}");
}

static void add_step(mz_text *out, const mz_report_step *step, size_t process, size_t at)
{
    mz_text place = {0};
    mz_text_add(&place, "%s:%u", step->position.file ? step->position.file : "", step->position.line);
    begin(out, "X", process, step->thread, at);
    mz_text_add(out, ",\"dur\":1");
    add_string(out, "name", step->source ? step->source : step->text);
    mz_text_add(out, ",\"args\":{\"step\":%zu", at + 1);
    add_string(out, "place", mz_text_string(&place));
    add_string(out, "effect", step->effect);
    mz_text_add(out, "}}");
    mz_text_release(&place);
}

static void add_link(mz_text *out, const mz_report_error *e, const mz_link *link, size_t process, size_t id)
{
    begin(out, "s", process, e->steps[link->from].thread, link->from);
    mz_text_add(out, ",\"id\":%zu,\"name\":\"happens before\",\"cat\":\"order\"}", id);
    begin(out, "f", process, e->steps[link->to].thread, link->to);
    mz_text_add(out, ",\"bp\":\"e\",\"id\":%zu,\"name\":\"happens before\",\"cat\":\"order\"}", id);
}

static void add_error(mz_text *out, const mz_report *r, const mz_report_error *e, size_t process)
{
    mz_threads threads = mz_threads_of(e->thread);
    add_name(out, "process_name", process, 0, e->message);
    for (size_t i = 0; i < e->step_count; i++) {
        threads |= mz_threads_of(e->steps[i].thread);
        add_step(out, &e->steps[i], process, i);
    }
    MZ_FOR_EACH_THREAD(t, threads)
    {
        mz_text name = {0};
        mz__add_thread_name(r, e, t, &name);
        add_name(out, "thread_name", process, t, mz_text_string(&name));
        mz_text_release(&name);
    }
    for (size_t i = 0; i < e->link_count; i++)
        if (e->links[i].to < e->step_count)
            add_link(out, e, &e->links[i], process, process * 1000000 + i);
    begin(out, "i", process, e->thread, e->step_count);
    add_string(out, "name", e->message);
    mz_text_add(out, ",\"s\":\"p\"}");
}

void mz_reports_perfetto(const mz_report *reports, size_t count, mz_text *out)
{
    size_t process = 0;
    mz_text_add(out,
                "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                "{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"ts\":0,\"name\":\"process_sort_index\",\"args\":{}}");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i].error_count; k++)
            add_error(out, &reports[i], &reports[i].errors[k], ++process);
    mz_text_add(out, "]}\n");
}
