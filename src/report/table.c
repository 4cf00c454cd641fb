/* A row is a step, or a moment between the steps. Rows that repeat are folded (rows.c). If a column per
 * thread leaves room for everything, there are such columns; otherwise the threads' names are one column, and
 * what a row does to memory stands below it where there is no room beside it. */
#include "report/table.h"

#include <string.h>

#include "base/memory.h"
#include "report/lines.h"
#include "report/rows.h"

enum { MOST_COLUMNS = 5, MARGIN = 2, NUMBER = 4, GAP = 2, LINE = 5, NARROW = 14 };

typedef struct table {
    const mz_report *report;
    const mz_report_error *error;
    mz_style style;
    mz__row *rows;
    size_t count;
    uint32_t threads[MOST_COLUMNS + 1]; /* those that take part, from left to right */
    size_t thread_count;
    size_t widths[MOST_COLUMNS + 1]; /* of the threads' columns */
    const char *file;                /* in which most rows are; NULL: all are in one */
    size_t names;                    /* the widest name of a thread */
    size_t text;                     /* the widest one that has its effect beside it */
    size_t effect;                   /* the widest one */
} table;

void mz__add_thread_name(const mz_report *r, const mz_report_error *e, uint32_t thread, mz_text *out)
{
    const char *name = thread < e->thread_count ? e->threads[thread] : NULL;
    bool is_main = thread == 0 && strcmp(r->thread_word, "thread") == 0;
    if (name && name[0])
        mz_text_add(out, "T%u %s", thread, name);
    else
        mz_text_add(out, "%s %u%s", r->thread_word, thread, is_main ? " (main)" : "");
}

void mz__add_step_words(const mz_report_step *step, mz_text *out)
{
    mz_text_add(out, "%s", step->source ? step->source : step->text);
    if (step->effect[0])
        mz_text_add(out, " (%s)", step->effect);
}

static size_t width_of_name(const table *t, uint32_t thread)
{
    mz_text name = {0};
    mz__add_thread_name(t->report, t->error, thread, &name);
    size_t width = mz_text_width(mz_text_string(&name));
    mz_text_release(&name);
    return width;
}

static void find_threads(table *t)
{
    for (uint32_t thread = 0; t->thread_count <= MOST_COLUMNS; thread++) {
        bool takes_part = false, higher = false;
        for (size_t i = 0; i < t->count; i++) {
            takes_part |= t->rows[i].thread == thread;
            higher |= t->rows[i].thread > thread;
        }
        if (takes_part)
            t->threads[t->thread_count++] = thread;
        if (!higher)
            break;
    }
}

static size_t column_of(const table *t, uint32_t thread)
{
    size_t c = 0;
    while (c + 1 < t->thread_count && t->threads[c] != thread)
        c++;
    return c;
}

static void widen(size_t *width, size_t needed)
{
    *width = needed > *width ? needed : *width;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_in(const mz__row *row, const char *file)
{
    return row->position.file && strcmp(row->position.file, file) == 0;
}

/* If the rows are in several files, most of them are in one: that is named once, above the lines, and other
 * files in their rows. */
static void find_file(table *t)
{
    size_t most = 0, placed = 0;
    for (size_t i = 0; i < t->count; i++) {
        const char *file = t->rows[i].position.file;
        size_t rows = 0;
        for (size_t k = 0; file && k < t->count; k++)
            rows += is_in(&t->rows[k], file);
        placed += file != NULL;
        if (rows > most) {
            most = rows;
            t->file = file;
        }
    }
    if (most == placed)
        t->file = NULL;
    for (size_t i = 0; i < t->count && t->file; i++)
        if (t->rows[i].position.file && !is_in(&t->rows[i], t->file))
            mz__row_name_file(&t->rows[i], base_name(t->rows[i].position.file));
}

/* Where the text of a row begins, if the threads are in one column, and how wide it can be. */
static size_t begin_of_text(const table *t)
{
    return MARGIN + NUMBER + GAP + t->names + GAP + LINE + GAP;
}

static size_t room_for_text(const table *t)
{
    enum { LEAST = 12 };
    size_t begin = begin_of_text(t);
    return t->style.width > begin + LEAST ? t->style.width - begin : LEAST;
}

static void measure(table *t)
{
    for (size_t c = 0; c < t->thread_count && c < MOST_COLUMNS; c++) {
        t->widths[c] = NARROW;
        widen(&t->widths[c], width_of_name(t, t->threads[c]));
    }
    for (size_t i = 0; i < t->count; i++) {
        const mz__row *row = &t->rows[i];
        widen(&t->names, width_of_name(t, row->thread));
        widen(&t->effect, mz_text_width(row->effect));
        if (t->thread_count <= MOST_COLUMNS)
            widen(&t->widths[column_of(t, row->thread)], mz_text_width(row->text));
    }
    size_t most = t->style.width / 4; /* the rest is for what they do */
    t->names = t->names < most ? t->names : most;
}

/* Texts that have their effect beside them. */
static void measure_list(table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        size_t text = mz_text_width(t->rows[i].text), effect = mz_text_width(t->rows[i].effect);
        if (text + GAP + effect <= room_for_text(t))
            widen(&t->text, text);
    }
}

static bool fits_in_columns(const table *t)
{
    size_t width = MARGIN + NUMBER + GAP + LINE;
    if (t->thread_count > MOST_COLUMNS || t->file)
        return false;
    for (size_t c = 0; c < t->thread_count; c++)
        width += GAP + t->widths[c];
    return width + (t->effect ? GAP + t->effect : 0) <= t->style.width;
}

static void add_gap(mz_text *out)
{
    mz_text_add_repeated(out, " ", GAP);
}

static void add_number(const mz__row *row, mz_text *out)
{
    mz_text_add_repeated(out, " ", MARGIN);
    if (row->step)
        mz_text_add(out, "%*zu", NUMBER, row->step);
    else
        mz_text_add_repeated(out, " ", NUMBER);
    mz_text_add(out, row->is_decisive ? "*" : " ");
    mz_text_add_repeated(out, " ", GAP - 1);
}

static void add_line(const mz_position *position, mz_text *out)
{
    if (position->line)
        mz_text_add(out, "%*u", LINE, position->line);
    else
        mz_text_add_repeated(out, " ", LINE);
}

static void add_heading(const table *t, bool in_columns, mz_text *out)
{
    mz_text_add(out, "\n");
    mz_text_add_repeated(out, " ", MARGIN);
    mz_text_add(out, "%*s", NUMBER, "step");
    add_gap(out);
    if (!in_columns) {
        mz__add_cell(out, t->report->thread_word, t->names);
        add_gap(out);
        mz_text_add(out, "%*s", LINE, "line");
        if (t->file)
            mz_text_add(out, "  of %s", base_name(t->file));
        mz_text_add(out, "\n");
        return;
    }
    mz_text_add(out, "%*s", LINE, "line");
    for (size_t c = 0; c < t->thread_count; c++) {
        mz_text name = {0};
        add_gap(out);
        mz__add_thread_name(t->report, t->error, t->threads[c], &name);
        mz__add_cell(out, mz_text_string(&name), c + 1 < t->thread_count ? t->widths[c] : 0);
        mz_text_release(&name);
    }
    mz_text_add(out, "\n");
}

static const char *colour_of(const mz__row *row)
{
    return row->is_end ? MZ__RED : row->is_decisive ? MZ__YELLOW : MZ__FAINT;
}

static void add_in_columns(const table *t, const mz__row *row, mz_text *out)
{
    size_t at = column_of(t, row->thread);
    add_number(row, out);
    add_line(&row->position, out);
    for (size_t c = 0; c < t->thread_count; c++) {
        add_gap(out);
        mz__add_cell(out, c == at ? row->text : "", t->widths[c]);
    }
    if (row->effect[0])
        add_gap(out);
    mz__add_coloured(out, t->style, colour_of(row), row->effect);
    mz_text_add(out, "\n");
}

/* What ends the line is cut to the room, not filled up to it. */
static void add_last_cell(const char *text, size_t room, mz_text *out)
{
    mz_text cell = {0};
    mz__add_cell(&cell, text, mz_text_width(text) <= room ? 0 : room);
    while (cell.length > 0 && cell.bytes[cell.length - 1] == ' ')
        cell.length--;
    mz_text_add_bytes(out, cell.bytes, cell.length);
    mz_text_release(&cell);
}

/* The thread is only named where another one had its turn before. */
static void add_in_list(const table *t, const mz__row *row, bool same_thread, mz_text *out)
{
    mz_text name = {0};
    add_number(row, out);
    if (!same_thread)
        mz__add_thread_name(t->report, t->error, row->thread, &name);
    mz__add_cell(out, mz_text_string(&name), t->names);
    add_gap(out);
    mz_text_release(&name);
    add_line(&row->position, out);
    add_gap(out);
    size_t begin = begin_of_text(t), room = room_for_text(t), column = t->text;
    size_t text = mz_text_width(row->text), effect = mz_text_width(row->effect);
    if (effect == 0) {
        add_last_cell(row->text, room, out);
    } else if (text <= column && column + GAP + effect <= room) {
        mz__add_cell(out, row->text, column + GAP);
        mz__add_coloured(out, t->style, colour_of(row), row->effect);
    } else if (text + GAP + effect <= room) {
        mz__add_cell(out, row->text, text + GAP);
        mz__add_coloured(out, t->style, colour_of(row), row->effect);
    } else {
        add_last_cell(row->text, room, out);
        mz_text_add(out, "\n");
        enum { ROOM = 30, LEFT = 12 };
        size_t indent = begin + GAP + ROOM <= t->style.width ? begin + GAP : LEFT;
        mz_text_add_repeated(out, " ", indent);
        mz__add_wrapped(out, row->effect, indent, indent, t->style, colour_of(row));
    }
    mz_text_add(out, "\n");
}

static void add_fold(const table *t, const mz__row *row, mz_text *out)
{
    if (!row->folded)
        return;
    mz_text words = {0};
    mz_text_add_repeated(out, " ", MARGIN + NUMBER + GAP);
    mz_text_add(&words, "× %zu: ", row->folded + 1);
    if (row->period == 1)
        mz_text_add(&words, "steps %zu to %zu", row->step, row->last_step);
    else
        mz_text_add(&words, "the last %zu rows, up to step %zu", row->period, row->last_step);
    mz__add_coloured(out, t->style, MZ__FAINT, mz_text_string(&words));
    mz_text_add(out, "\n");
    mz_text_release(&words);
}

void mz__add_table(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    table t = {.report = r, .error = e, .style = style};
    t.rows = mz__rows_of(e, style, &t.count);
    find_file(&t);
    find_threads(&t);
    measure(&t);
    bool in_columns = fits_in_columns(&t);
    for (size_t i = 0; i < t.count && !in_columns; i++)
        mz__row_fit(&t.rows[i], room_for_text(&t), GAP);
    measure_list(&t);
    add_heading(&t, in_columns, out);
    for (size_t i = 0; i < t.count; i++) {
        if (in_columns)
            add_in_columns(&t, &t.rows[i], out);
        else
            add_in_list(&t, &t.rows[i], i > 0 && t.rows[i - 1].thread == t.rows[i].thread, out);
        add_fold(&t, &t.rows[i], out);
    }
    mz__rows_release(t.rows, t.count);
}
