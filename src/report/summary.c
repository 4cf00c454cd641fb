/* All checks of a project as one table. */
#include <string.h>

#include "report/lines.h"
#include "report/report.h"

enum { GAP = 2, VERDICT = 10, TRACES = 9, TIME = 8, LONGEST_NAME = 24 };

static const char *verdict_colour(mz_verdict verdict)
{
    return verdict == MZ_SAFE ? MZ__GREEN : verdict == MZ_UNSAFE ? MZ__RED : MZ__YELLOW;
}

/* The name of a target, with the file or the algorithm if there are several of them. */
static void add_name(const mz_report *reports, size_t count, size_t i, mz_text *out)
{
    const mz_report *r = &reports[i];
    const mz_report *next_to = i > 0 && strcmp(reports[i - 1].target, r->target) == 0           ? r - 1
                               : i + 1 < count && strcmp(reports[i + 1].target, r->target) == 0 ? r + 1
                                                                                                : NULL;
    mz_text_add(out, "%s", r->target);
    if (next_to)
        mz_text_add(out, " %s", strcmp(next_to->program, r->program) == 0 ? r->algorithm : r->program);
}

/* In a few words, the place first: it is what the eye looks for. */
static void add_what(const mz_report *r, mz_text *out)
{
    const char *message = r->refused ? r->refused : r->reason;
    if (mz_report_verdict(r) == MZ_UNSAFE && r->error_count > 0) {
        const mz_report_error *e = &r->errors[0];
        if (e->position.file)
            mz_text_add(out, "%s:%u: ", e->position.file, e->position.line);
        message = e->message;
    } else if (mz_report_verdict(r) == MZ_SAFE) {
        message = r->verdict == MZ_SAFE ? "" : "as far as the bound goes";
        if (r->warning_count > 0)
            mz_text_add(out, "%zu warning%s%s", r->warning_count, r->warning_count == 1 ? "" : "s",
                        message[0] ? "; " : "");
    }
    mz_text_add_bytes(out, message, strcspn(message, "\n"));
}

static void add_right(mz_text *out, const mz_text *cell, size_t width)
{
    size_t have = mz_text_width(mz_text_string(cell));
    mz_text_add_repeated(out, " ", GAP + (have < width ? width - have : 0));
    mz_text_add(out, "%s", mz_text_string(cell));
}

static void add_row(const mz_report *r, const char *name, size_t names, mz_style style, mz_text *out)
{
    mz_text traces = {0}, time = {0}, what = {0};
    mz_verdict verdict = mz_report_verdict(r);
    char word[VERDICT + 8] = "";
    const char *said = r->refused ? "error" : mz_verdict_word(verdict);
    for (size_t i = 0; i < sizeof word - 1 && said[i]; i++)
        word[i] = said[i] >= 'a' && said[i] <= 'z' ? (char)(said[i] - 'a' + 'A') : said[i];
    if (!r->refused) {
        mz_text_add_grouped(&traces, mz_report_count_of(r, "traces"));
        mz_text_add_seconds(&time, r->seconds);
    }
    mz_text_add_repeated(out, " ", GAP);
    mz__add_cell(out, name, names);
    mz_text_add_repeated(out, " ", GAP);
    mz__add_coloured(out, style, r->refused ? MZ__RED : verdict_colour(verdict), word);
    mz_text_add_repeated(out, " ", strlen(word) < VERDICT ? VERDICT - strlen(word) : 0);
    add_right(out, &traces, TRACES);
    add_right(out, &time, TIME);
    size_t column = GAP + names + GAP + VERDICT + GAP + TRACES + GAP + TIME + GAP;
    size_t room = style.width > column + 12 ? style.width - column : 12;
    add_what(r, &what);
    if (what.length > 0) {
        mz_text_add_repeated(out, " ", GAP);
        mz__add_cell(out, mz_text_string(&what), mz_text_width(mz_text_string(&what)) > room ? room : 0);
    }
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->bytes[--out->length] = '\0';
    mz_text_add(out, "\n");
    mz_text_release(&traces);
    mz_text_release(&time);
    mz_text_release(&what);
}

static void add_sums(const mz_report *reports, size_t count, mz_text *out)
{
    static const mz_verdict verdicts[] = {MZ_SAFE, MZ_UNSAFE, MZ_INCOMPLETE, MZ_INTERNAL_ERROR};
    size_t refused = 0;
    bool first = true;
    mz_text_add(out, "\n");
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        size_t number = 0;
        for (size_t i = 0; i < count; i++)
            number += !reports[i].refused && mz_report_verdict(&reports[i]) == verdicts[v];
        if (number == 0)
            continue;
        mz_text_add(out, "%s%zu %s", first ? "" : ", ", number, mz_verdict_word(verdicts[v]));
        first = false;
    }
    for (size_t i = 0; i < count; i++)
        refused += reports[i].refused != NULL;
    if (refused > 0)
        mz_text_add(out, "%s%zu error%s", first ? "" : ", ", refused, refused == 1 ? "" : "s");
    mz_text_add(out, "\n");
}

void mz_report_summary(const mz_report *reports, size_t count, mz_style style, mz_text *out)
{
    size_t names = strlen("target");
    for (size_t i = 0; i < count; i++) {
        mz_text name = {0};
        add_name(reports, count, i, &name);
        size_t width = mz_text_width(mz_text_string(&name));
        names = width > names ? width : names;
        mz_text_release(&name);
    }
    names = names < LONGEST_NAME ? names : LONGEST_NAME;
    mz_text head = {0};
    mz_text_add(&head, "  %-*s  %-*s  %*s  %*s", (int)names, "target", VERDICT, "verdict", TRACES, "traces",
                TIME, "time");
    mz__add_coloured(out, style, MZ__BOLD, mz_text_string(&head));
    mz_text_add(out, "\n");
    mz_text_release(&head);
    for (size_t i = 0; i < count; i++) {
        mz_text name = {0};
        add_name(reports, count, i, &name);
        add_row(&reports[i], mz_text_string(&name), names, style, out);
        mz_text_release(&name);
    }
    add_sums(reports, count, out);
}
