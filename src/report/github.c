/* Workflow commands of GitHub: an annotation beside the line. */
#include <string.h>

#include "report/formats.h"

/* %, line ends; in a property also what ends it. Nothing that steers a terminal. */
static void add_escaped(mz_text *out, const char *text, const char *also)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' || strchr(also, *text))
            mz_text_add(out, "%%%02X", (unsigned char)*text);
        else if ((unsigned char)*text < ' ' && *text != '\t')
            mz_text_add(out, "?");
        else
            mz_text_add_bytes(out, text, 1);
}

static void add_annotation(mz_text *out, const char *level, const mz_position *position, const char *title,
                           const char *message)
{
    mz_text_add(out, "::%s ", level);
    if (position->file) {
        mz_text_add(out, "file=");
        add_escaped(out, position->file, ":,");
        if (position->line > 0)
            mz_text_add(out, ",line=%u", position->line);
        if (position->column > 0)
            mz_text_add(out, ",col=%u", position->column);
        mz_text_add(out, ",");
    }
    mz_text_add(out, "title=");
    add_escaped(out, title, ":,");
    mz_text_add(out, "::");
    add_escaped(out, message, "");
    mz_text_add(out, "\n");
}

static void add_report(mz_text *out, const mz_report *r)
{
    for (size_t i = 0; i < r->error_count; i++) {
        const mz_report_error *e = &r->errors[i];
        mz_text story = {0};
        mz_report_error_text(r, e, MZ_PLAIN_STYLE, &story);
        add_annotation(out, "error", &e->position, mz_failure_name(e->kind),
                       mz_text_string(&story) + strspn(mz_text_string(&story), "\n"));
        mz_text_release(&story);
    }
    for (size_t i = 0; i < r->warning_count; i++)
        add_annotation(out, "warning", &r->warnings[i].position, mz_warning_name(r->warnings[i].kind),
                       r->warnings[i].message);
    if (mz_report_verdict(r) == MZ_INCOMPLETE)
        add_annotation(out, "warning", &(mz_position){.file = r->program}, "incomplete", r->reason);
}

void mz_reports_github(const mz_report *reports, size_t count, mz_text *out)
{
    for (size_t i = 0; i < count; i++)
        add_report(out, &reports[i]);
}
