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

static bool is_in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "thread 2" as "T2", which is what it is called elsewhere in the table. */
static void add_with_short_threads(mz_text *out, const char *words)
{
    static const char thread[] = "thread ";
    size_t length = sizeof thread - 1;
    for (const char *at = words, *next; *at; at = next) {
        bool is_one = strncmp(at, thread, length) == 0 && at[length] >= '0' && at[length] <= '9' &&
                      (at == words || !is_in_name(at[-1]));
        next = at + (is_one ? length : 1);
        mz_text_add_bytes(out, is_one ? "T" : at, 1);
    }
}

/* How long is the name that the effect begins with, if it tells of one thing only? 0: it tells of more. */
static size_t name_in(const char *effect)
{
    const char *read = strstr(effect, " = "), *written = strstr(effect, ": ");
    const char *end = read && (!written || read < written) ? read : written;
    return end && !strchr(effect, ',') && !strchr(effect, '{') ? (size_t)(end - effect) : 0;
}

static bool says(const char *text, const char *name, size_t length)
{
    for (const char *at = text; *at; at++)
        if (strncmp(at, name, length) == 0 && (at == text || !is_in_name(at[-1])) &&
            !is_in_name(at[length]) && at[length] != '.' && at[length] != '-' && at[length] != '[')
            return true;
    return false;
}

/* "y: 1 → 2" becomes "1 → 2", and "x = 0" becomes "= 0", where the text names y, or x. */
static char *without_name(const char *text, const char *effect)
{
    size_t length = name_in(effect);
    if (length == 0 || !says(text, effect, length))
        return mz_copy_string(effect);
    return mz_copy_string(effect + length + (effect[length] == ':' ? 2 : 1));
}

static char *statement_of(const mz_report_step *step, mz_style style)
{
    char *text = copy_for(style, words_of(step));
    size_t length = strlen(text);
    if (length > 1 && text[length - 1] == ';')
        text[length - 1] = '\0';
    return text;
}

static mz__row row_of(const mz_report_step *step, mz_style style)
{
    mz_text effect = {0};
    add_with_short_threads(&effect, step->effect);
    mz__row row = {.thread = step->thread, .position = step->position, .text = statement_of(step, style)};
    row.effect = copy_for(style, mz_text_string(&effect));
    row.briefly = without_name(row.text, row.effect);
    row.operation = copy_for(style, step->text);
    mz_text_release(&effect);
    return row;
}

/* "struct node *top = pop()" without the type. */
static const char *without_type(const char *text)
{
    const char *end = strstr(text, " = "), *begin = end;
    while (begin && begin > text && is_in_name(begin[-1]))
        begin--;
    if (!end || begin == text || begin == end || (begin[-1] != ' ' && begin[-1] != '*'))
        return text;
    for (const char *c = text; c < begin; c++)
        if (!is_in_name(*c) && *c != ' ' && *c != '*')
            return text;
    return begin;
}

void mz__add_statement(const mz_report_step *step, mz_text *out)
{
    char *statement = statement_of(step, MZ_PLAIN_STYLE);
    mz_text_add(out, "%s", without_type(statement));
    mz_release(statement);
}

static void replace_text(mz__row *row, const char *text)
{
    char *copy = mz_copy_string(text);
    mz_release(row->text);
    row->text = copy;
}

static char *behind_file(const char *file, const char *text)
{
    mz_text words = {0};
    mz_text_add(&words, "%s: %s", file, text);
    char *copy = mz_copy_string(mz_text_string(&words));
    mz_text_release(&words);
    return copy;
}

void mz__row_name_file(mz__row *row, const char *file)
{
    char *text = behind_file(file, row->text), *operation = behind_file(file, row->operation);
    mz_release(row->text);
    mz_release(row->operation);
    row->text = text;
    row->operation = operation;
}

/* Between words: what is named in the middle of one stays. */
static void cut_words(mz__row *row, const char *text, size_t width)
{
    enum { LEAST = 18 };
    size_t cut = 0;
    mz_text shown = {0};
    for (size_t at = 0, columns = 0; text[at] && columns + 2 <= width; at++) {
        cut = text[at] == ' ' && columns >= LEAST ? at : cut;
        columns += !mz_utf8_continues(text[at]);
    }
    if (cut == 0)
        return;
    mz_text_add_bytes(&shown, text, cut);
    mz_text_add(&shown, " …");
    replace_text(row, mz_text_string(&shown));
    mz_text_release(&shown);
}

static void replace_effect(mz__row *row, const char *effect)
{
    char *copy = mz_copy_string(effect);
    mz_release(row->effect);
    row->effect = copy;
}

void mz__row_fit(mz__row *row, size_t width, size_t gap)
{
    char *of_operation = without_name(row->operation, row->effect), *statement = mz_copy_string(row->text);
    const char *brief = without_type(statement);
    const struct {
        const char *text, *effect;
        bool may_be;
    } ways[] = {{statement, row->effect, true},
                {brief, row->effect, true},
                {statement, row->briefly, true},
                {brief, row->briefly, true},
                {row->operation, row->effect, row->step && row->operation[0]},
                {row->operation, of_operation, row->step && row->operation[0]}};
    enum { WAYS = sizeof ways / sizeof *ways };
    size_t effect = mz_text_width(row->effect), way = 0;
    while (way < WAYS && (!ways[way].may_be ||
                          mz_text_width(ways[way].text) + gap + mz_text_width(ways[way].effect) > width))
        way++;
    if (way < WAYS && way > 0 && effect > 0) {
        replace_text(row, ways[way].text);
        if (ways[way].effect != row->effect)
            replace_effect(row, ways[way].effect);
    } else if (way == WAYS && effect > 0 && effect + gap < width) {
        cut_words(row, brief, width - gap - effect);
    }
    mz_release(of_operation);
    mz_release(statement);
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
    bool aborts = strncmp(e->message, "abort() ", strlen("abort() ")) == 0;
    const char *what = aborts ? "✗ ends the program" : words[e->kind] ? words[e->kind] : "✗ fails";
    mz_text text = {0};
    row->is_end = true;
    mz_text_add(&text, "%s%s%s", row->effect, row->effect[0] ? ", " : "", what);
    mz_release(row->effect);
    row->effect = copy_for(style, mz_text_string(&text));
    mz_text_clear(&text);
    mz_text_add(&text, "%s%s%s", row->briefly, row->briefly[0] ? ", " : "", what);
    mz_release(row->briefly);
    row->briefly = copy_for(style, mz_text_string(&text));
    mz_text_release(&text);
}

static bool is_stuck(const mz_report_error *e)
{
    return e->kind == MZ_FAIL_DEADLOCK || e->kind == MZ_FAIL_LIVELOCK;
}

static bool same(const mz__row *a, const mz__row *b)
{
    return a->step && b->step && !a->is_decisive && !b->is_decisive && !a->folded && !b->folded &&
           !a->is_end && !b->is_end && a->thread == b->thread && a->position.line == b->position.line &&
           a->position.column == b->position.column && strcmp(a->text, b->text) == 0;
}

static void release(mz__row *row)
{
    mz_release(row->text);
    mz_release(row->effect);
    mz_release(row->briefly);
    mz_release(row->operation);
    row->text = row->effect = row->briefly = row->operation = NULL;
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
