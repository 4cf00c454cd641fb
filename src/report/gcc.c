/* Lines as compilers print them: problem matchers and editors jump to the place. */
#include "report/formats.h"
#include "report/table.h"

static void add_line(mz_text *out, const mz_report *r, const mz_position *position, const char *level,
                     const char *message)
{
    bool has_place = position->file && position->line > 0;
    mz_text_add_readable(out, has_place ? position->file : r->program);
    if (has_place)
        mz_text_add(out, ":%u:%u", position->line, position->column ? position->column : 1);
    mz_text_add(out, ": ");
    mz_text_add(out, "%s: ", level);
    for (size_t length = strcspn(message, "\n"); *message; length = strcspn(message, "\n")) {
        mz_text part = {0};
        mz_text_add_bytes(&part, message, length);
        mz_text_add_readable(out, mz_text_string(&part));
        mz_text_add(out, "%s", message[length] ? " " : "");
        mz_text_release(&part);
        message += length + (message[length] == '\n');
    }
    mz_text_add(out, "\n");
}

static void add_step(mz_text *out, const mz_report *r, const mz_report_error *e, size_t at)
{
    const mz_report_step *step = &e->steps[at];
    mz_text words = {0};
    mz_text_add(&words, "step %zu, ", at + 1);
    mz__add_thread_name(r, e, step->thread, &words);
    mz_text_add(&words, ": ");
    mz__add_step_words(step, &words);
    add_line(out, r, &step->position, "note", mz_text_string(&words));
    mz_text_release(&words);
}

static void add_report(mz_text *out, const mz_report *r)
{
    for (size_t i = 0; i < r->error_count; i++) {
        const mz_report_error *e = &r->errors[i];
        mz_text words = {0};
        mz_text_add(&words, "%s [%s]", e->message, mz_failure_name(e->kind));
        add_line(out, r, &e->position, "error", mz_text_string(&words));
        for (size_t k = 0; k < e->step_count; k++)
            add_step(out, r, e, k);
        mz_text_release(&words);
    }
    for (size_t i = 0; i < r->warning_count; i++)
        add_line(out, r, &r->warnings[i].position, "warning", r->warnings[i].message);
    if (mz_report_verdict(r) == MZ_INCOMPLETE)
        add_line(out, r, &(mz_position){0}, "warning", r->reason);
}

void mz_reports_gcc(const mz_report *reports, size_t count, mz_text *out)
{
    for (size_t i = 0; i < count; i++)
        add_report(out, &reports[i]);
}
