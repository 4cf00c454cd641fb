#include <string.h>

#include "report/report.h"

#define RED    "31;1"
#define GREEN  "32;1"
#define YELLOW "33;1"
#define BOLD   "1"
#define FAINT  "2"

static void add_coloured(mz_text *out, mz_style style, const char *colour, const char *text)
{
    if (style.colour)
        mz_text_add(out, "\033[%sm%s\033[0m", colour, text);
    else
        mz_text_add(out, "%s", text);
}

void mz_text_add_grouped(mz_text *out, uint64_t number)
{
    if (number >= 1000) {
        mz_text_add_grouped(out, number / 1000);
        mz_text_add(out, ",%03u", (unsigned)(number % 1000));
    } else {
        mz_text_add(out, "%u", (unsigned)number);
    }
}

void mz_text_add_seconds(mz_text *out, double s)
{
    if (s < 1e-3)
        mz_text_add(out, "%.0f µs", s * 1e6);
    else if (s < 1)
        mz_text_add(out, "%.1f ms", s * 1e3);
    else if (s < 120)
        mz_text_add(out, "%.2f s", s);
    else
        mz_text_add(out, "%.1f min", s / 60);
}

void mz_text_add_duration(mz_text *out, double s)
{
    if (s < 1)
        mz_text_add(out, "1 s");
    else if (s < 100)
        mz_text_add(out, "%.0f s", s);
    else if (s < 100 * 60)
        mz_text_add(out, "%.0f min", s / 60);
    else if (s < 72 * 3600)
        mz_text_add(out, "%.0f h", s / 3600);
    else if (s < 1000 * 86400.0)
        mz_text_add(out, "%.0f days", s / 86400);
    else
        mz_text_add(out, "%.3g years", s / 86400 / 365);
}

uint64_t mz_report_count_of(const mz_report *r, const char *key)
{
    for (size_t i = 0; i < r->count_count; i++)
        if (strcmp(r->counts[i].key, key) == 0)
            return r->counts[i].value;
    return 0;
}

/* The text cut or padded to the width, in columns; as it is if the width is 0. */
static void add_cell(mz_text *out, const char *text, size_t width)
{
    size_t have = mz_text_width(text);
    if (width == 0 || have <= width) {
        mz_text_add(out, "%s", text);
        mz_text_add_repeated(out, " ", width > have ? width - have : 0);
        return;
    }
    size_t columns = 0;
    for (; *text && columns + 1 < width; columns++) {
        size_t bytes = 1;
        while (((unsigned char)text[bytes] & 0xC0) == 0x80)
            bytes++;
        mz_text_add_bytes(out, text, bytes);
        text += bytes;
    }
    mz_text_add(out, "…");
}

/* The threads that take part, from left to right. */
static size_t find_columns(const mz_report_error *e, uint32_t *columns, size_t most)
{
    size_t count = 0;
    for (uint32_t thread = 0; count < most; thread++) {
        bool takes_part = false, higher = false;
        for (size_t i = 0; i < e->step_count; i++) {
            takes_part |= e->steps[i].thread == thread;
            higher |= e->steps[i].thread > thread;
        }
        if (takes_part)
            columns[count++] = thread;
        if (!higher)
            break;
    }
    return count;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Where the steps are: the widest name, in columns, if they are in several files; 0 if they are all in one.
 */
static size_t width_of_files(const mz_report_error *e)
{
    size_t widest = 0;
    const char *first = NULL;
    bool several = false;
    for (size_t i = 0; i < e->step_count; i++) {
        const char *file = e->steps[i].position.file;
        if (!file)
            continue;
        several |= first && strcmp(first, file) != 0;
        first = first ? first : file;
        size_t width = mz_text_width(base_name(file));
        widest = width > widest ? width : widest;
    }
    return several ? widest : 0;
}

static void add_thread(const mz_report *r, uint32_t thread, mz_text *out)
{
    bool is_main = thread == 0 && strcmp(r->thread_word, "thread") == 0;
    mz_text_add(out, "%s %u%s", r->thread_word, thread, is_main ? " (main)" : "");
}

/* Its line of the source, if that is at hand; the operation otherwise. */
static const char *words_of(const mz_report_step *step)
{
    return step->source ? step->source : step->text;
}

enum { MOST_COLUMNS = 5 };

typedef struct table {
    uint32_t columns[MOST_COLUMNS + 1]; /* threads from left to right */
    size_t count;
    bool in_columns;                 /* a column per thread; otherwise there are too many */
    size_t widths[MOST_COLUMNS + 1]; /* of the threads' columns; the first, if there are none */
    size_t file;                     /* of the names of files */
} table;

static size_t column_of(const table *t, const mz_report_step *step)
{
    size_t c = 0;
    while (t->in_columns && t->columns[c] != step->thread)
        c++;
    return c;
}

/* Rather the operation than half a line. */
static const char *fitting(const mz_report_step *step, size_t width)
{
    size_t needed = mz_text_width(words_of(step));
    return needed > width && mz_text_width(step->text) < needed ? step->text : words_of(step);
}

/* Statements of models are short: all columns alike. */
static void plan_alike(table *t, const mz_report_error *e)
{
    enum { NARROW = 14, WIDE = 34 };
    size_t width = NARROW, most = t->count <= 2 ? WIDE : t->count == 3 ? 26 : 20;
    for (size_t i = 0; i < e->step_count; i++) {
        size_t needed = mz_text_width(e->steps[i].text);
        width = needed > width ? needed : width;
    }
    for (size_t c = 0; c < t->count; c++)
        t->widths[c] = !t->in_columns ? WIDE : width > most ? most : width;
}

/* Lines of a program may be long: each column as wide as it needs to be, the widest ones cut until a line of
 * the table fits a wide terminal, effects that are not too long included; but not so far that operations with
 * names of usual length are cut. */
static void plan_each(table *t, const mz_report_error *e)
{
    enum { LINE = 120, BEFORE = 15, NARROW = 16, OPERATION = 24, EFFECT = 40 };
    size_t effect = 0, columns = t->in_columns ? t->count : 1, least[MOST_COLUMNS + 1];
    for (size_t c = 0; c < columns; c++)
        t->widths[c] = least[c] = NARROW;
    for (size_t i = 0; i < e->step_count; i++) {
        size_t c = column_of(t, &e->steps[i]), needed = mz_text_width(words_of(&e->steps[i]));
        size_t told = mz_text_width(e->steps[i].effect), operation = mz_text_width(e->steps[i].text);
        size_t shorter = operation < needed ? operation : needed;
        t->widths[c] = needed > t->widths[c] ? needed : t->widths[c];
        effect = told > effect ? told : effect;
        if (shorter > least[c])
            least[c] = shorter < OPERATION ? shorter : OPERATION;
    }
    size_t used = BEFORE + t->file + (effect < EFFECT ? effect : EFFECT);
    for (size_t c = 0; c < columns; c++)
        used += t->widths[c] + 2;
    for (; used > LINE; used--) {
        size_t widest = 0;
        for (size_t c = 1; c < columns; c++)
            widest = t->widths[c] - least[c] > t->widths[widest] - least[widest] ? c : widest;
        if (t->widths[widest] == least[widest])
            break;
        t->widths[widest]--;
    }
    size_t needed[MOST_COLUMNS + 1] = {0};
    for (size_t i = 0; i < e->step_count; i++) {
        size_t c = column_of(t, &e->steps[i]), width = mz_text_width(fitting(&e->steps[i], t->widths[c]));
        needed[c] = width > needed[c] ? width : needed[c];
    }
    for (size_t c = 0; c < columns; c++)
        if (needed[c] < t->widths[c])
            t->widths[c] = needed[c] > NARROW ? needed[c] : NARROW;
}

static table plan_table(const mz_report_error *e)
{
    table t = {.file = width_of_files(e)};
    bool sources = false;
    t.count = find_columns(e, t.columns, MOST_COLUMNS + 1);
    t.in_columns = t.count <= MOST_COLUMNS;
    for (size_t i = 0; i < e->step_count; i++)
        sources |= e->steps[i].source != NULL;
    (sources ? plan_each : plan_alike)(&t, e);
    return t;
}

static void add_place(const table *t, const mz_position *position, mz_text *out)
{
    mz_text place = {0};
    if (t->file == 0) {
        mz_text_add(out, "%5u  ", position->line);
        return;
    }
    mz_text_add(&place, "%s:%u", position->file ? base_name(position->file) : "", position->line);
    add_cell(out, mz_text_string(&place), t->file + 6);
    mz_text_add(out, "  ");
    mz_text_release(&place);
}

static void add_heading(const mz_report *r, const table *t, mz_text *out)
{
    mz_text_add(out, "\n  %4s  ", "step");
    if (t->file == 0)
        mz_text_add(out, "%5s  ", "line");
    else
        add_cell(out, "line", t->file + 8);
    for (size_t c = 0; t->in_columns && c < t->count; c++) {
        mz_text head = {0};
        add_thread(r, t->columns[c], &head);
        add_cell(out, mz_text_string(&head), c + 1 < t->count ? t->widths[c] + 2 : 0);
        mz_text_release(&head);
    }
    mz_text_add(out, "%s\n", t->in_columns ? "" : r->thread_word);
}

static void add_steps(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    table t = plan_table(e);
    size_t word = mz_text_width(r->thread_word);
    add_heading(r, &t, out);
    for (size_t i = 0; i < e->step_count; i++) {
        const mz_report_step *step = &e->steps[i];
        mz_text_add(out, "  %4zu  ", i + 1);
        add_place(&t, &step->position, out);
        for (size_t c = 0; t.in_columns && c < t.count; c++)
            if (t.columns[c] == step->thread) {
                add_cell(out, fitting(step, t.widths[c]), t.widths[c]);
                mz_text_add(out, "  ");
            } else {
                mz_text_add_repeated(out, " ", t.widths[c] + 2);
            }
        if (!t.in_columns) {
            mz_text_add(out, "%*u  ", (int)word, step->thread);
            add_cell(out, fitting(step, t.widths[0]), t.widths[0]);
            mz_text_add(out, "  ");
        }
        add_coloured(out, style, FAINT, step->effect);
        mz_text_add(out, "\n");
    }
}

void mz_text_add_quoted(mz_text *out, const char *word)
{
    bool plain = word[0] != '\0';
    for (const char *c = word; *c; c++)
        plain &= (unsigned char)*c >= 128 || (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
                 (*c >= 'a' && *c <= 'z') || strchr("_-./+:@%,=", *c);
    if (plain) {
        mz_text_add(out, "%s", word);
        return;
    }
    mz_text_add(out, "'");
    for (const char *c = word; *c; c++)
        mz_text_add(out, *c == '\'' ? "'\\''" : "%c", *c);
    mz_text_add(out, "'");
}

static void add_what(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text where = {0};
    if (e->position.file)
        mz_text_add(&where, "%s:%u:%u: ", e->position.file, e->position.line, e->position.column);
    mz_text_add(out, "\n");
    add_coloured(out, style, BOLD, mz_text_string(&where));
    add_coloured(out, style, RED, e->message);
    mz_text_release(&where);
    if (!e->unknown_steps && e->kind != MZ_FAIL_DEADLOCK && e->kind != MZ_FAIL_LIVELOCK &&
        e->kind != MZ_FAIL_RACE)
        mz_text_add(out, " (%s %u)", r->thread_word, e->thread); /* the others name their threads */
    mz_text_add(out, "\n");
}

static void add_counterexample(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    add_what(r, e, style, out);
    if (e->initial_choices[0])
        mz_text_add(out, "\n  before the first step: chose %s\n", e->initial_choices);
    if (e->step_count > 0)
        add_steps(r, e, style, out);
}

static void add_counts(const mz_report_error *e, mz_text *out)
{
    mz_text_add(out, "\n  %zu step%s, %zu context switch%s", e->step_count, e->step_count == 1 ? "" : "s",
                e->context_switches, e->context_switches == 1 ? "" : "es");
    size_t left_out = e->original_steps - e->step_count;
    if (e->step_count < e->original_steps)
        mz_text_add(out, " (%zu %s left out)", left_out,
                    left_out == 1 ? "step of the execution does not matter and is"
                                  : "steps of the execution do not matter and are");
    mz_text_add(out, e->unreplayed ? ". Replayed: it does not fail the same way.\n"
                                   : ". Replayed: it fails the same way.\n");
}

static void add_replay(const mz_report_error *e, mz_text *out)
{
    if (!e->trace)
        return;
    mz_text_add(out, "  replay: mazurka replay ");
    mz_text_add_quoted(out, e->trace);
    mz_text_add(out, "\n");
}

static void add_error(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    add_counterexample(r, e, style, out);
    if (e->unknown_steps)
        return;
    add_counts(e, out);
    if (e->occurrences > 1) {
        mz_text_add(out, "  seen in ");
        mz_text_add_grouped(out, e->occurrences);
        mz_text_add(out, " executions\n");
    }
    add_replay(e, out);
}

/* What led to where the program cannot be followed any further. */
static void add_way(const mz_report *r, const mz_report_error *way, mz_style style, mz_text *out)
{
    if (way->initial_choices[0])
        mz_text_add(out, "\n  before the first step: chose %s\n", way->initial_choices);
    if (way->step_count > 0)
        add_steps(r, way, style, out);
    mz_text_add(out, "\n");
    add_replay(way, out);
}

static void add_verdict(const mz_report *r, mz_style style, mz_text *out)
{
    mz_verdict taken_for = mz_report_verdict(r);
    const char *colour = taken_for == MZ_SAFE ? GREEN : taken_for == MZ_UNSAFE ? RED : YELLOW;
    mz_text word = {0};
    mz_text_add(&word, "%s", taken_for != r->verdict ? "bounded" : mz_verdict_word(r->verdict));
    for (size_t i = 0; i < word.length; i++)
        if (word.bytes[i] >= 'a' && word.bytes[i] <= 'z')
            word.bytes[i] = (char)(word.bytes[i] - 'a' + 'A');
    mz_text_add(out, "%s: ", r->program);
    add_coloured(out, style, colour, mz_text_string(&word));
    mz_text_release(&word);
}

static void add_counted(mz_text *out, uint64_t number, const char *one, const char *many)
{
    mz_text_add_grouped(out, number);
    mz_text_add(out, " %s", number == 1 ? one : many);
}

static void add_numbers(const mz_report *r, mz_text *out)
{
    mz_text_add(out, "  %s: ", r->algorithm);
    uint64_t visited = mz_report_count_of(r, "traces");
    mz_text_add_grouped(out, visited);
    mz_text_add(out, " %.*s", (int)(strlen(r->equivalence_word) - (visited == 1)), r->equivalence_word);
    if (r->refined) {
        mz_text_add(out, " up to ");
        mz_relation_words(r->refined, out);
    }
    uint64_t blocked = mz_report_count_of(r, "blocked"), pruned = mz_report_count_of(r, "pruned");
    uint64_t revisited = mz_report_count_of(r, "revisited"), repeated = mz_report_count_of(r, "repeated");
    if (repeated > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, repeated);
        mz_text_add(out, " visited again");
    }
    if (blocked > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, blocked);
        mz_text_add(out, " cut short as redundant");
    }
    if (revisited > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, revisited);
        mz_text_add(out, " cut short at visited states");
    }
    if (mz_report_count_of(r, "cut") > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, mz_report_count_of(r, "cut"));
        mz_text_add(out, " cut by --depth");
    }
    if (pruned > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, pruned);
        mz_text_add(out, strcmp(r->thread_word, "thread") == 0
                             ? " pruned by assume, --unroll, --spurious or --heap-reuse"
                             : " pruned by assume");
    }
    if (mz_report_count_of(r, "boundary_states") > 0) {
        mz_text_add(out, ", ");
        add_counted(out, mz_report_count_of(r, "boundary_states"), "state", "states");
        mz_text_add(out, " at the loop boundary");
    }
    mz_text_add(out, ", ");
    add_counted(out, mz_report_count_of(r, "events"), "event", "events");
    if (mz_report_count_of(r, "scouted") > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, mz_report_count_of(r, "scouted"));
        mz_text_add(out, " executions at random");
    }
    mz_text_add(out, " in ");
    mz_text_add_seconds(out, r->seconds);
    mz_text_add(out, "\n");
}

static void add_checked(const mz_report *r, mz_text *out)
{
    mz_text_add(out, "  checked: ");
    bool first = true;
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        if (r->checks & (1u << kind)) {
            mz_text_add(out, "%s%s", first ? "" : ", ", mz_failure_check_name((mz_failure_kind)kind));
            first = false;
        }
    mz_text_add(out, "%s\n", first ? "nothing" : "");
    for (size_t i = 0; i < r->assumption_count; i++)
        mz_text_add(out, "  assuming: %s\n", r->assumptions[i]);
}

/* The search has not come to its end. */
static void add_covered(const mz_report *r, mz_text *out)
{
    if (r->share_done > 0)
        mz_text_add(out, "  covered so far: about %.3g %% of the search\n", r->share_done * 100);
    else if (mz_report_count_of(r, "traces") == 0)
        mz_text_add(out, "  covered so far: no whole execution\n");
    else
        mz_text_add(out, "  covered so far: these, of how many is not known\n");
}

static void add_warnings(const mz_report *r, mz_style style, mz_text *out)
{
    for (size_t i = 0; i < r->warning_count; i++) {
        const mz_warning *w = &r->warnings[i];
        mz_text_add(out, "%s", i ? "" : "\n");
        if (w->position.file)
            mz_text_add(out, "%s:%u:%u: ", w->position.file, w->position.line, w->position.column);
        add_coloured(out, style, YELLOW, "warning: ");
        mz_text_add(out, "%s\n", w->message);
    }
}

void mz_report_text(const mz_report *r, mz_style style, mz_text *out)
{
    add_verdict(r, style, out);
    if (r->verdict == MZ_SAFE)
        mz_text_add(out, "  every interleaving of %u %s%s is covered\n", r->thread_count, r->thread_word,
                    r->thread_count == 1                     ? ""
                    : strcmp(r->thread_word, "process") == 0 ? "es"
                                                             : "s");
    else if (r->verdict == MZ_UNSAFE)
        mz_text_add(out, "  %zu error%s%s\n", r->error_count, r->error_count == 1 ? "" : "s",
                    r->all_errors ? "" : ", the first one found (--all-errors goes on)");
    else
        mz_text_add(out, "  %s\n", r->reason);
    for (size_t i = 0; i < r->note_count; i++) {
        add_coloured(out, style, YELLOW, "  note: ");
        mz_text_add(out, "%s\n", r->notes[i]);
    }
    for (size_t i = 0; i < r->error_count; i++)
        add_error(r, &r->errors[i], style, out);
    if (r->error_count > 0) {
        mz_text_add(out, "\n");
        if (r->found_by && r->found_by[0])
            mz_text_add(out, "  found by %s\n", r->found_by);
        if (r->reason[0] && r->verdict == MZ_UNSAFE)
            mz_text_add(out, "  not finished: %s\n", r->reason);
    }
    if (r->way)
        add_way(r, r->way, style, out);
    if (r->reason[0])
        add_covered(r, out);
    for (size_t i = 0; i < r->advice_count; i++)
        mz_text_add(out, "  %s\n", r->advice[i]);
    if (r->checkpoint)
        mz_text_add(out, "  to go on: mazurka resume %s\n", r->checkpoint);
    add_numbers(r, out);
    add_checked(r, out);
    add_warnings(r, style, out);
}

/* What the program printed, line by line, apart from our own words. */
static void add_output(const char *output, mz_style style, mz_text *out)
{
    if (!output || !output[0])
        return;
    mz_text_add(out, "\n  the program printed:\n");
    while (*output) {
        size_t length = strcspn(output, "\n");
        mz_text_add(out, "    ");
        add_coloured(out, style, FAINT, "| ");
        for (size_t i = 0; i < length; i++) { /* nothing that a terminal obeys */
            unsigned char c = (unsigned char)output[i];
            mz_text_add_bytes(out, c == '\t' || (c >= 32 && c != 127) ? output + i : "?", 1);
        }
        mz_text_add(out, "\n");
        output += length + (output[length] == '\n');
    }
}

void mz_report_replay(const mz_report *r, const char *file, mz_style style, mz_text *out)
{
    bool differs = r->reason[0];
    mz_text_add(out, "%s: ", file);
    add_coloured(out, style, differs ? YELLOW : RED, differs ? "DIFFERENT" : "REPLAYED");
    mz_text_add(out, "  %s\n", differs ? r->reason : r->program);
    for (size_t i = 0; i < r->error_count; i++) {
        if (differs)
            mz_text_add(out, "\nrecorded was:");
        add_counterexample(r, &r->errors[i], style, out);
        if (!differs)
            add_counts(&r->errors[i], out);
    }
    add_output(r->output, style, out);
    if (differs)
        mz_text_add(out, "\n  Replayed: it does not fail the same way.\n");
}

void mz_report_comparison(const mz_report *reports, size_t count, mz_style style, mz_text *out)
{
    static const char *const keys[] = {"traces", "blocked",           "executions",
                                       "events", "dependency_checks", "race_checks"};
    enum { KEYS = sizeof keys / sizeof *keys };
    size_t program_width = 7;
    for (size_t i = 0; i < count; i++) {
        size_t width = mz_text_width(reports[i].program);
        program_width = width > program_width ? width : program_width;
    }
    mz_text head = {0};
    add_cell(&head, "program", program_width);
    mz_text_add(&head, "  %-12s  %-10s", "algorithm", "verdict");
    for (size_t k = 0; k < KEYS; k++)
        for (size_t i = 0; count > 0 && i < reports[0].count_count; i++)
            if (strcmp(reports[0].counts[i].key, keys[k]) == 0)
                mz_text_add(&head, "  %14s", reports[0].counts[i].label);
    mz_text_add(&head, "  %10s", "time");
    add_coloured(out, style, BOLD, mz_text_string(&head));
    mz_text_add(out, "\n");
    mz_text_release(&head);
    for (size_t i = 0; i < count; i++) {
        const mz_report *r = &reports[i];
        add_cell(out, r->program, program_width);
        mz_text_add(out, "  %-12s  %-10s", r->algorithm, mz_verdict_word(r->verdict));
        for (size_t k = 0; k < KEYS; k++) {
            mz_text number = {0};
            mz_text_add_grouped(&number, mz_report_count_of(r, keys[k]));
            mz_text_add(out, "  %14s", mz_text_string(&number));
            mz_text_release(&number);
        }
        mz_text seconds = {0};
        mz_text_add_seconds(&seconds, r->seconds);
        mz_text_add(out, "  ");
        mz_text_add_repeated(
            out, " ",
            mz_text_width(mz_text_string(&seconds)) < 10 ? 10 - mz_text_width(mz_text_string(&seconds)) : 0);
        mz_text_add(out, "%s\n", mz_text_string(&seconds));
        mz_text_release(&seconds);
    }
}
