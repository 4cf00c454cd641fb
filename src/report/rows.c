#include "report/rows.h"

#include <string.h>

#include "base/memory.h"

/* Its statement in the source, if that is at hand; the operation otherwise. */
static const char *words_of(const mz_report_step *step)
{
    return step->source ? step->source : step->text;
}

static char *copy_for(mz_style style, const char *words)
{
    mz_text text = {0};
    mz_text_add(&text, "%s", words);
    if (style.ascii)
        mz_text_to_ascii(&text);
    char *copy = mz_copy_string(mz_text_string(&text));
    mz_text_release(&text);
    return copy;
}

static mz__row row_of(const mz_report_step *step, mz_style style)
{
    return (mz__row){.thread = step->thread,
                     .position = step->position,
                     .text = copy_for(style, words_of(step)),
                     .effect = copy_for(style, step->effect)};
}

/* How it ends, if nothing else is to be said of it there. */
static void say_failure(mz__row *row, const mz_report_error *e, mz_style style)
{
    static const char *const words[MZ_FAILURE_KIND_COUNT] = {
        [MZ_FAIL_ASSERTION] = "✗ does not hold", [MZ_FAIL_RACE] = "✗ data race",
        [MZ_FAIL_MEMORY] = "✗ memory error",     [MZ_FAIL_CRASH] = "✗ ends here",
        [MZ_FAIL_EXIT] = "✗ ends the program",   [MZ_FAIL_UNINITIALISED] = "✗ never written",
        [MZ_FAIL_INDEX] = "✗ wrong index",       [MZ_FAIL_DIVISION] = "✗ division by zero",
        [MZ_FAIL_LOCK] = "✗ wrong use",          [MZ_FAIL_CHOICE] = "✗ nothing to choose"};
    const char *what = words[e->kind] ? words[e->kind] : "✗ fails";
    mz_text text = {0};
    row->is_end = true;
    mz_text_add(&text, "%s%s%s", row->effect, row->effect[0] ? ", " : "", what);
    mz_release(row->effect);
    row->effect = copy_for(style, mz_text_string(&text));
    mz_text_release(&text);
}

static bool is_stuck(const mz_report_error *e)
{
    return e->kind == MZ_FAIL_DEADLOCK || e->kind == MZ_FAIL_LIVELOCK;
}

static bool same(const mz__row *a, const mz__row *b)
{
    return a->step && b->step && !a->is_decisive && !b->is_decisive && !a->folded && !b->folded && !a->is_end && !b->is_end &&
           a->thread == b->thread && a->position.line == b->position.line &&
           a->position.column == b->position.column && strcmp(a->text, b->text) == 0;
}

static void release(mz__row *row)
{
    mz_release(row->text);
    mz_release(row->effect);
    row->text = row->effect = NULL;
}

/* How often the rows before `at`, so many, come again from there on. */
static size_t repetitions(const mz__row *rows, size_t count, size_t at, size_t period)
{
    size_t i = at;
    while (i < count && same(&rows[i], &rows[i - period]))
        i++;
    return (i - at) / period;
}

/* Loops: a round that comes three times or more is told once. Rows that were left out have no text. */
static size_t fold(mz__row *rows, size_t count)
{
    enum { MOST_ROWS = 8, LEAST = 2 };
    size_t begin = 0, kept = 0;
    for (size_t at = 1; at < count; at++) {
        size_t period = 1, times = 0;
        for (; period <= MOST_ROWS && begin + period <= at; period++)
            if ((times = repetitions(rows, count, at, period)) >= LEAST)
                break;
        if (times < LEAST)
            continue;
        rows[at - 1].folded = times;
        rows[at - 1].period = period;
        rows[at - 1].last_step = rows[at + times * period - 1].step;
        begin = at + times * period;
        while (at < begin)
            release(&rows[at++]);
    }
    for (size_t at = 0; at < count; at++)
        if (rows[at].text)
            rows[kept++] = rows[at];
    return kept;
}

mz__row *mz__rows_of(const mz_report_error *e, mz_style style, size_t *count)
{
    mz__row *rows = mz_allocate_zeroed(e->step_count + e->moment_count + 1, sizeof *rows);
    size_t n = 0, moment = 0;
    bool is_in_step = e->decided == MZ_DECIDED_IN_STEP || e->decided == MZ_DECIDED_PERHAPS;
    for (size_t i = 0; i <= e->step_count; i++) {
        for (; moment < e->moment_count && e->moments[moment].after <= i; moment++) {
            rows[n] = row_of(&e->moments[moment].row, style);
            rows[n++].is_end = e->moments[moment].is_end;
        }
        if (i < e->step_count) {
            rows[n] = row_of(&e->steps[i], style);
            rows[n].is_decisive = is_in_step && e->decisive == i + 1;
            rows[n++].step = i + 1;
        }
    }
    bool fails_in_step = n > 0 && e->steps && e->step_count > 0 && rows[n - 1].step &&
                         rows[n - 1].thread == e->thread && rows[n - 1].position.line == e->position.line;
    if (n > 0 && !is_stuck(e) && !e->is_way && (rows[n - 1].is_end || fails_in_step))
        say_failure(&rows[n - 1], e, style);
    *count = fold(rows, n);
    return rows;
}

void mz__rows_release(mz__row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        release(&rows[i]);
    mz_release(rows);
}
