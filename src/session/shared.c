/* A report that a worker and its supervisor can both read. */
#include <string.h>

#include "session/supervisor.h"

void *mz_share_bytes(mz_shared *s, const void *bytes, size_t size)
{
    size_t at = (s->used + 15) & ~(size_t)15;
    if (sizeof *s + at + size > MZ_SHARED_BYTES)
        return NULL;
    s->used = at + size;
    if (size > 0)
        memcpy(s->bytes + at, bytes, size);
    return s->bytes + at;
}

const char *mz_share_text(mz_shared *s, const char *text)
{
    const char *copy = text ? mz_share_bytes(s, text, strlen(text) + 1) : NULL;
    return copy ? copy : text ? "" : NULL;
}

static void share_error(mz_shared *s, mz_report_error *e)
{
    e->message = mz_share_text(s, e->message);
    e->position.file = mz_share_text(s, e->position.file);
    e->initial_choices = mz_share_text(s, e->initial_choices);
    e->steps = mz_share_bytes(s, e->steps, e->step_count * sizeof *e->steps);
    if (!e->steps)
        e->step_count = 0;
    for (size_t i = 0; i < e->step_count; i++) {
        e->steps[i].text = mz_share_text(s, e->steps[i].text);
        e->steps[i].effect = mz_share_text(s, e->steps[i].effect);
        e->steps[i].choices = mz_share_text(s, e->steps[i].choices);
        e->steps[i].position.file = mz_share_text(s, e->steps[i].position.file);
    }
}

static const char *const *share_lines(mz_shared *s, const char *const *lines, size_t count)
{
    const char **copy = mz_share_bytes(s, lines, count * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = mz_share_text(s, copy[i]);
    return copy;
}

void mz_share_report(mz_shared *s, const mz_report *report)
{
    mz_report *r = &s->report;
    *r = *report;
    r->reason = mz_share_text(s, r->reason);
    r->found_by = mz_share_text(s, r->found_by);
    r->counts = mz_share_bytes(s, r->counts, r->count_count * sizeof *r->counts);
    r->errors = mz_share_bytes(s, r->errors, r->error_count * sizeof *r->errors);
    for (size_t i = 0; i < r->error_count; i++)
        share_error(s, &r->errors[i]);
    r->assumptions = share_lines(s, r->assumptions, r->assumption_count);
    r->notes = share_lines(s, r->notes, r->note_count);
    r->exit_statuses = mz_share_bytes(s, r->exit_statuses, r->exit_status_count);
    mz_warning *warnings = mz_share_bytes(s, r->warnings, r->warning_count * sizeof *warnings);
    for (size_t i = 0; i < r->warning_count; i++) {
        warnings[i].message = mz_share_text(s, warnings[i].message);
        warnings[i].position.file = mz_share_text(s, warnings[i].position.file);
    }
    r->warnings = warnings;
    r->unasked = mz_share_bytes(s, r->unasked, r->unasked_count * sizeof *r->unasked);
    for (size_t i = 0; i < r->unasked_count; i++) {
        r->unasked[i].message = mz_share_text(s, r->unasked[i].message);
        r->unasked[i].position.file = mz_share_text(s, r->unasked[i].position.file);
    }
    for (size_t i = 0; i < r->advice_count; i++)
        r->advice[i] = mz_share_text(s, r->advice[i]);
    r->checkpoint = mz_share_text(s, r->checkpoint);
    r->output = mz_share_text(s, r->output);
    s->finished = true;
}
