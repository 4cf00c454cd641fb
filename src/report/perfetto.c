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

/* A step, from 1, or a moment between the steps: 0. */
static void add_slice(mz_text *out, const mz_report_step *row, size_t number, size_t process, size_t at)
{
    mz_text place = {0};
    mz_text_add(&place, "%s:%u", row->position.file ? row->position.file : "", row->position.line);
    begin(out, "X", process, row->thread, at);
    mz_text_add(out, ",\"dur\":1");
    add_string(out, "name", row->source ? row->source : row->text);
    mz_text_add(out, ",\"args\":{");
    if (number > 0)
        mz_text_add(out, "\"step\":%zu,", number);
    mz_text_add(out, "\"place\":");
    mz_json_add_string(out, mz_text_string(&place));
    add_string(out, "effect", row->effect);
    mz_text_add(out, "}}");
    mz_text_release(&place);
}

/* Moments take their time, too: the earlier access of a race is before the later one. */
static size_t time_of(const mz_report_error *e, size_t step)
{
    size_t at = step;
    for (size_t i = 0; i < e->moment_count && e->moments[i].after <= step; i++)
        at++;
    return at;
}

static void add_link(mz_text *out, const mz_report_error *e, const mz_link *link, size_t process, size_t id)
{
    begin(out, "s", process, e->steps[link->from].thread, time_of(e, link->from));
    mz_text_add(out, ",\"id\":%zu,\"name\":\"happens before\",\"cat\":\"order\"}", id);
    begin(out, "f", process, e->steps[link->to].thread, time_of(e, link->to));
    mz_text_add(out, ",\"bp\":\"e\",\"id\":%zu,\"name\":\"happens before\",\"cat\":\"order\"}", id);
}

/* Returns the threads that have some; behind all of them it is `*at`. */
static mz_threads add_slices(mz_text *out, const mz_report_error *e, size_t process, size_t *at)
{
    mz_threads threads = MZ_NO_THREADS;
    size_t moment = 0;
    for (size_t i = 0; i <= e->step_count; i++) {
        for (; moment < e->moment_count && e->moments[moment].after <= i; moment++) {
            threads |= mz_threads_of(e->moments[moment].row.thread);
            add_slice(out, &e->moments[moment].row, 0, process, (*at)++);
        }
        if (i < e->step_count) {
            threads |= mz_threads_of(e->steps[i].thread);
            add_slice(out, &e->steps[i], i + 1, process, (*at)++);
        }
    }
    return threads;
}

static void add_error(mz_text *out, const mz_report *r, const mz_report_error *e, size_t process)
{
    size_t end = 0;
    add_name(out, "process_name", process, 0, e->message);
    mz_threads threads = mz_threads_of(e->thread) | add_slices(out, e, process, &end);
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
    begin(out, "i", process, e->thread, end);
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
