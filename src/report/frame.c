#include "report/frame.h"

#include <string.h>

#include "base/memory.h"
#include "report/lines.h"
#include "report/table.h"

enum { AROUND = 3, MOST_VALUES = 12 };

static size_t steps_done(const mz_report_error *e, size_t steps)
{
    return steps < e->step_count ? steps : e->step_count;
}

/* What is told of the threads: the last row of each so far. NULL: it has had none. */
static const mz_report_step *last_of(const mz_report_error *e, size_t steps, uint32_t thread)
{
    for (size_t i = steps > e->step_count ? e->moment_count : 0; i-- > 0;)
        if (e->moments[i].is_end && e->moments[i].row.thread == thread)
            return &e->moments[i].row;
    for (size_t i = steps_done(e, steps); i-- > 0;)
        if (e->steps[i].thread == thread)
            return &e->steps[i];
    return NULL;
}

static const mz_report_step *current(const mz_report_error *e, size_t steps)
{
    for (size_t i = 0; steps > e->step_count && i < e->moment_count; i++)
        if (e->moments[i].is_end)
            return &e->moments[i].row;
    size_t done = steps_done(e, steps);
    return done > 0 ? &e->steps[done - 1] : NULL;
}

static void add_head(const mz_report *r, const mz_report_error *e, size_t steps, mz_style style, mz_text *out)
{
    const mz_report_step *now = current(e, steps);
    mz_text head = {0};
    if (!now && e->step_count == 0)
        mz_text_add(&head, "the beginning: it fails before any step");
    else if (!now)
        mz_text_add(&head, "before the first of %zu steps", e->step_count);
    else if (steps > e->step_count)
        mz_text_add(&head, "here it fails, after step %zu: ", e->step_count);
    else
        mz_text_add(&head, "step %zu of %zu: ", steps, e->step_count);
    if (now)
        mz__add_thread_name(r, e, now->thread, &head);
    mz__add_coloured(out, style, MZ__BOLD, mz_text_string(&head));
    mz_text_add(out, "\n");
    mz_text_release(&head);
    if (!now)
        return;
    mz_text words = {0};
    mz__add_step_words(now, &words);
    mz_text_add(out, "  ");
    mz__add_wrapped(out, mz_text_string(&words), 2, 4, style, steps > e->step_count ? MZ__RED : NULL);
    mz_text_add(out, "\n");
    mz_text_release(&words);
}

static const mz_report_source *source_of(const mz_report *r, const char *file)
{
    for (size_t i = 0; file && i < r->source_count; i++)
        if (strcmp(r->sources[i].name, file) == 0)
            return &r->sources[i];
    return NULL;
}

/* The threads that are at the line: "T1 T2". */
static void add_threads_at(const mz_report_error *e, size_t steps, const char *file, size_t line,
                           mz_text *out)
{
    for (uint32_t t = 0; t < (e->thread_count ? e->thread_count : MZ_MAX_THREADS); t++) {
        const mz_report_step *last = last_of(e, steps, t);
        if (last && last->position.line == line && last->position.file &&
            strcmp(last->position.file, file) == 0)
            mz_text_add(out, "%sT%u", out->length ? " " : "", t);
    }
}

static void add_source(const mz_report *r, const mz_report_error *e, size_t steps, mz_style style,
                       mz_text *out)
{
    const mz_report_step *now = current(e, steps);
    const mz_report_source *file = now ? source_of(r, now->position.file) : NULL;
    if (!file || now->position.line == 0 || now->position.line > file->line_count)
        return;
    size_t line = now->position.line, first = line > AROUND ? line - AROUND : 1;
    mz_text_add(out, "\n  %s\n", file->name);
    for (size_t i = first; i <= line + AROUND && i <= file->line_count; i++) {
        mz_text threads = {0}, text = {0};
        add_threads_at(e, steps, file->name, i, &threads);
        mz_text_add(&text, "%5zu  %s", i, file->lines[i - 1]);
        mz_text_add(out, "  ");
        mz__add_cell(out, mz_text_string(&threads), 8);
        mz_text cut = {0};
        size_t room = style.width > 12 ? style.width - 12 : 0;
        mz__add_cell(&cut, mz_text_string(&text), mz_text_width(mz_text_string(&text)) > room ? room : 0);
        mz__add_coloured(out, style, i == line ? MZ__BOLD : MZ__FAINT, mz_text_string(&cut));
        mz_text_add(out, "\n");
        mz_text_release(&cut);
        mz_text_release(&threads);
        mz_text_release(&text);
    }
}

/* ---- memory ---------------------------------------------------------------------------------------------
 */

typedef struct value {
    const char *name, *text;
    size_t name_length, text_length;
} value;

static void set_value(value *values, size_t *count, value one)
{
    size_t i = 0;
    while (i < *count && (values[i].name_length != one.name_length ||
                          memcmp(values[i].name, one.name, one.name_length) != 0))
        i++;
    if (i < *count)
        memmove(values + i, values + i + 1, (--*count - i) * sizeof *values);
    if (*count == MOST_VALUES) /* the oldest one goes */
        memmove(values, values + 1, --*count * sizeof *values);
    values[(*count)++] = one;
}

static void take_values(value *values, size_t *count, const char *text)
{
    while (*text) {
        const char *name_end = strchr(text, MZ_VALUE_PART[0]);
        const char *before_end = name_end ? strchr(name_end + 1, MZ_VALUE_PART[0]) : NULL;
        const char *end = before_end ? strchr(before_end + 1, MZ_VALUE_END[0]) : NULL;
        if (!end)
            return;
        bool wrote = end > before_end + 1;
        const char *from = wrote ? before_end + 1 : name_end + 1, *to = wrote ? end : before_end;
        set_value(values, count, (value){text, from, (size_t)(name_end - text), (size_t)(to - from)});
        text = end + 1;
    }
}

static void add_values(const mz_report_error *e, size_t steps, mz_style style, mz_text *out)
{
    value values[MOST_VALUES + 1];
    size_t count = 0;
    mz_text words = {0};
    for (size_t i = 0; i < steps_done(e, steps); i++)
        take_values(values, &count, e->steps[i].values);
    for (size_t i = count; i-- > 0;)
        mz_text_add(&words, "%s%.*s = %.*s", words.length ? ", " : "", (int)values[i].name_length,
                    values[i].name, (int)values[i].text_length, values[i].text);
    if (count > 0) {
        mz_text_add(out, "\n");
        mz__add_labelled(out, "memory", mz_text_string(&words), style);
    }
    mz_text_release(&words);
}

void mz_report_frame(const mz_report *r, const mz_report_error *e, size_t steps, mz_style style, mz_text *out)
{
    add_head(r, e, steps, style, out);
    add_source(r, e, steps, style, out);
    add_values(e, steps, style, out);
}
