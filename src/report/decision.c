/* With which step it was decided that an execution fails, and what would have been fine. */
#include <string.h>

#include "report/lines.h"
#include "report/rows.h"
#include "report/table.h"

static void add_line(mz_text *words, mz_style style, mz_text *out)
{
    if (style.ascii)
        mz_text_to_ascii(words);
    mz_text_add(out, "  ");
    mz__add_wrapped(out, mz_text_string(words), 2, 4, style, NULL);
    mz_text_add(out, "\n");
    mz_text_clear(words);
}

static void add_instead(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text words = {0};
    const mz_report_step *step = &e->passing[e->decisive - 1];
    bool is_choice = step->thread == e->steps[e->decisive - 1].thread;
    mz_text_add(&words, "fine instead: ");
    if (is_choice) {
        mz_text_add(&words, "another choice in this step");
        add_line(&words, style, out);
        mz_text_release(&words);
        return;
    }
    mz__add_thread_name(r, e, step->thread, &words);
    if (step->position.line)
        mz_text_add(&words, ", line %u", step->position.line);
    mz_text_add(&words, ": ");
    mz__add_statement(step, &words);
    add_line(&words, style, out);
    mz_text_release(&words);
}

/* ---- signals that came too early ------------------------------------------------------------------------
 */

/* "pthread_cond_wait(pool->ready)" and "pthread_cond_signal(pool->ready)": of the same object? */
static bool is_of_same(const char *wait, const char *signal)
{
    const char *a = strchr(wait, '('), *b = strchr(signal, '(');
    return a && b && strcmp(a, b) == 0;
}

/* With what has the thread begun to wait? NULL: it waits for nothing that somebody has to signal. */
static const mz_report_step *began_to_wait(const mz_report_error *e, uint32_t thread)
{
    for (size_t i = e->step_count; i-- > 0;)
        if (e->steps[i].thread == thread)
            return strstr(e->steps[i].text, "wait(") ? &e->steps[i] : NULL;
    return NULL;
}

/* The last one before the thread waited. */
static const mz_report_step *early_signal(const mz_report_error *e, const mz_report_step *wait)
{
    for (const mz_report_step *step = wait; step-- > e->steps;)
        if (strstr(step->effect, "wakes nobody") && is_of_same(wait->text, step->text))
            return step;
    return NULL;
}

static void add_early_signals(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text words = {0};
    for (size_t m = 0; m < e->moment_count; m++) {
        const mz_report_step *wait = e->moments[m].is_end ? began_to_wait(e, e->moments[m].row.thread) : NULL;
        const mz_report_step *signal = wait ? early_signal(e, wait) : NULL;
        if (!signal)
            continue;
        mz_text_add(&words, "the signal came too early: in step %zu nobody waited, since step %zu ",
                    (size_t)(signal - e->steps) + 1, (size_t)(wait - e->steps) + 1);
        mz__add_thread_name(r, e, wait->thread, &words);
        mz_text_add(&words, " does");
        add_line(&words, style, out);
    }
    mz_text_release(&words);
}

/* What a step may read is decided by the graph, and continuations are not tried one by one. */
static bool add_why_undecided(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text words = {0};
    if (r->memory != MZ_MEMORY_RC11 || e->step_count < 2)
        return false;
    mz_text_add(out, "\n");
    mz_text_add(&words, "which step decides is not known under RC11: only interleavings are tried on");
    add_line(&words, style, out);
    mz_text_release(&words);
    return true;
}

bool mz__add_decision(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text words = {0}, count = {0};
    bool has_plural = e->continuations != 1;
    if (e->decided == MZ_DECIDED_UNKNOWN)
        return add_why_undecided(r, e, style, out);
    mz_text_add(&count, "%llu", (unsigned long long)e->continuations);
    const char *tried = mz_text_string(&count);
    mz_text_add(out, "\n");
    if (e->decided == MZ_DECIDED_AT_START)
        mz_text_add(&words, "every schedule fails, not only this one");
    else if (e->decided == MZ_DECIDED_PERHAPS)
        mz_text_add(&words, "* step %zu decides, it seems: %s continuation%s fail%s, others were not tried",
                    e->decisive, tried, has_plural ? "s" : "", has_plural ? "" : "s");
    else if (e->decisive == e->step_count)
        mz_text_add(&words, "* step %zu decides: before it all could still go well", e->decisive);
    else
        mz_text_add(&words, "* step %zu decides: whatever follows fails", e->decisive);
    add_line(&words, style, out);
    if (e->decided != MZ_DECIDED_AT_START && e->decisive >= 1 && e->decisive <= e->passing_count)
        add_instead(r, e, style, out);
    if (e->kind == MZ_FAIL_DEADLOCK)
        add_early_signals(r, e, style, out);
    mz_text_release(&words);
    mz_text_release(&count);
    return true;
}
