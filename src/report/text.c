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

static void add_steps(const mz_report_error *e, mz_style style, mz_text *out)
{
    enum { MOST = 5, NARROW = 14, WIDE = 34 };
    uint32_t columns[MOST + 1];
    size_t count = find_columns(e, columns, MOST + 1);
    bool in_columns = count <= MOST;
    size_t width = NARROW;
    for (size_t i = 0; i < e->step_count; i++) {
        size_t needed = mz_text_width(e->steps[i].text);
        width = needed > width ? needed : width;
    }
    size_t most = count <= 2 ? WIDE : count == 3 ? 26 : 20;
    width = !in_columns ? WIDE : width > most ? most : width;
    mz_text_add(out, "\n  %4s  %5s  ", "step", "line");
    for (size_t c = 0; in_columns && c < count; c++) {
        mz_text head = {0};
        mz_text_add(&head, "process %u", columns[c]);
        add_cell(out, mz_text_string(&head), c + 1 < count ? width + 2 : 0);
        mz_text_release(&head);
    }
    if (!in_columns)
        mz_text_add(out, "process  ");
    mz_text_add(out, "\n");
    for (size_t i = 0; i < e->step_count; i++) {
        const mz_report_step *step = &e->steps[i];
        mz_text_add(out, "  %4zu  %5u  ", i + 1, step->position.line);
        for (size_t c = 0; in_columns && c < count; c++) {
            bool mine = columns[c] == step->thread;
            add_cell(out, mine ? step->text : "", width + (mine ? 1 : 2));
            if (mine)
                mz_text_add(out, " ");
        }
        if (!in_columns) {
            mz_text_add(out, "%7u  ", step->thread);
            add_cell(out, step->text, width);
            mz_text_add(out, "  ");
        }
        add_coloured(out, style, FAINT, step->effect);
        mz_text_add(out, "\n");
    }
}

static void add_error(const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text where = {0};
    if (e->position.file)
        mz_text_add(&where, "%s:%u:%u: ", e->position.file, e->position.line, e->position.column);
    mz_text_add(out, "\n");
    add_coloured(out, style, BOLD, mz_text_string(&where));
    add_coloured(out, style, RED, e->message);
    mz_text_release(&where);
    if (e->kind != MZ_FAIL_DEADLOCK)
        mz_text_add(out, " (process %u)", e->thread);
    mz_text_add(out, "\n");
    if (e->initial_choices[0])
        mz_text_add(out, "\n  before the first step: chose %s\n", e->initial_choices);
    if (e->step_count > 0)
        add_steps(e, style, out);
    mz_text_add(out, "\n  %zu step%s, %zu context switch%s", e->step_count, e->step_count == 1 ? "" : "s",
                e->context_switches, e->context_switches == 1 ? "" : "es");
    if (e->step_count < e->original_steps)
        mz_text_add(out, " (%zu steps of the execution do not matter and are left out)",
                    e->original_steps - e->step_count);
    mz_text_add(out, ". Replayed: it fails the same way.\n");
    if (e->occurrences > 1) {
        mz_text_add(out, "  seen in ");
        mz_text_add_grouped(out, e->occurrences);
        mz_text_add(out, " executions\n");
    }
}

static void add_verdict(const mz_report *r, mz_style style, mz_text *out)
{
    const char *colour = strcmp(r->verdict, "safe") == 0     ? GREEN
                         : strcmp(r->verdict, "unsafe") == 0 ? RED
                                                             : YELLOW;
    mz_text word = {0};
    mz_text_add(&word, "%s", r->verdict);
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
    bool interleavings = strcmp(r->equivalence_word, "interleavings") == 0;
    add_counted(out, mz_report_count_of(r, "traces"), interleavings ? "interleaving" : "trace",
                interleavings ? "interleavings" : "traces");
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
    if (pruned > 0) {
        mz_text_add(out, ", ");
        mz_text_add_grouped(out, pruned);
        mz_text_add(out, " pruned by assume");
    }
    mz_text_add(out, ", ");
    add_counted(out, mz_report_count_of(r, "events"), "event", "events");
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

void mz_report_text(const mz_report *r, mz_style style, mz_text *out)
{
    add_verdict(r, style, out);
    if (strcmp(r->verdict, "safe") == 0)
        mz_text_add(out, "  every interleaving of %u process%s is covered\n", r->thread_count,
                    r->thread_count == 1 ? "" : "es");
    else if (strcmp(r->verdict, "unsafe") == 0)
        mz_text_add(out, "  %zu error%s%s\n", r->error_count, r->error_count == 1 ? "" : "s",
                    r->all_errors ? "" : ", the first one found (--all-errors goes on)");
    else
        mz_text_add(out, "  %s\n", r->reason);
    for (size_t i = 0; i < r->error_count; i++)
        add_error(&r->errors[i], style, out);
    if (r->error_count > 0) {
        mz_text_add(out, "\n");
        if (r->reason[0] && strcmp(r->verdict, "unsafe") == 0)
            mz_text_add(out, "  not finished: %s\n", r->reason);
    }
    if (r->reason[0])
        mz_text_add(out, "  covered so far: about %.3g %% of the search\n", r->share_done * 100);
    add_numbers(r, out);
    add_checked(r, out);
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
        mz_text_add(out, "  %-12s  %-10s", r->algorithm, r->verdict);
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
