/* A report that a worker and its supervisor can both read. */
#include <stdio.h>
#include <string.h>

#include "session/process/supervisor.h"

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

void mz_share_refusal(mz_shared *s, const mz_error *error)
{
    const char *file = error->position.file, *hint = mz_text_string(&error->hint);
    snprintf(s->message, sizeof s->message, "%s%s%s%s%s", file ? file : "", file ? ": " : "",
             mz_text_string(&error->message), *hint ? "\n  hint: " : "", hint);
}

static void share_step(mz_shared *s, mz_report_step *step)
{
    step->text = mz_share_text(s, step->text);
    step->effect = mz_share_text(s, step->effect);
    step->choices = mz_share_text(s, step->choices);
    step->values = mz_share_text(s, step->values);
    step->position.file = mz_share_text(s, step->position.file);
}

static void share_error(mz_shared *s, mz_report_error *e)
{
    e->message = mz_share_text(s, e->message);
    e->position.file = mz_share_text(s, e->position.file);
    e->other.file = mz_share_text(s, e->other.file);
    e->initial_choices = mz_share_text(s, e->initial_choices);
    e->steps = mz_share_bytes(s, e->steps, e->step_count * sizeof *e->steps);
    if (!e->steps)
        e->step_count = 0;
    for (size_t i = 0; i < e->step_count; i++)
        share_step(s, &e->steps[i]);
    e->moments = mz_share_bytes(s, e->moments, e->moment_count * sizeof *e->moments);
    if (!e->moments)
        e->moment_count = 0;
    for (size_t i = 0; i < e->moment_count; i++)
        share_step(s, &e->moments[i].row);
    e->passing = mz_share_bytes(s, e->passing, e->passing_count * sizeof *e->passing);
    if (!e->passing)
        e->passing_count = 0;
    for (size_t i = 0; i < e->passing_count; i++)
        share_step(s, &e->passing[i]);
    e->threads = mz_share_bytes(s, e->threads, e->thread_count * sizeof *e->threads);
    if (!e->threads)
        e->thread_count = 0;
    e->links = mz_share_bytes(s, e->links, e->link_count * sizeof *e->links);
    if (!e->links)
        e->link_count = 0;
    for (uint32_t i = 0; i < e->thread_count; i++)
        e->threads[i] = mz_share_text(s, e->threads[i]);
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
    r->numbers = mz_share_text(s, r->numbers);
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
    r->exploration = mz_share_text(s, r->exploration);
    r->client = mz_share_text(s, r->client);
    r->calls_json = mz_share_text(s, r->calls_json);
    r->progress = mz_share_text(s, r->progress);
    r->progress_json = mz_share_text(s, r->progress_json);
    r->coverage = mz_share_text(s, r->coverage);
    r->coverage_json = mz_share_text(s, r->coverage_json);
    r->lcov = mz_share_text(s, r->lcov);
    r->history = mz_share_text(s, r->history);
    s->finished = true;
}
