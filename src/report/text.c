#include <stddef.h>
#include <string.h>

#include "report/lines.h"
#include "report/report.h"
#include "report/table.h"

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

/* As one word of a shell. */
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

/* These tell what each thread does, with "; " between them. */
static bool has_parts(const mz_report_error *e)
{
    return e->kind == MZ_FAIL_DEADLOCK || e->kind == MZ_FAIL_LIVELOCK || e->kind == MZ_FAIL_RACE;
}

static void add_part(const char *words, size_t length, size_t indent, mz_style style, mz_text *out)
{
    mz_text part = {0};
    mz_text_add_bytes(&part, words, length);
    mz_text_add_repeated(out, " ", indent);
    mz__add_wrapped(out, mz_text_string(&part), indent, indent + 2, style, NULL);
    mz_text_add(out, "\n");
    mz_text_release(&part);
}

/* Where it begins between these two; `end` if it does not. */
static const char *find_before(const char *begin, const char *end, const char *words)
{
    const char *found = strstr(begin, words);
    return found && found < end ? found : end;
}

/* "reads it in get() a.c:8 < user() a.c:18, holding m": the frames below the innermost one have lines of
 * their own, behind the rest. */
static void add_access(const char *words, size_t length, mz_style style, mz_text *out)
{
    static const char call[] = " < ";
    const char *end = words + length, *locks = find_before(words, end, ", holding ");
    const char *below = find_before(words, locks, call);
    mz_text line = {0};
    mz_text_add_bytes(&line, words, (size_t)(below - words));
    mz_text_add_bytes(&line, locks, (size_t)(end - locks));
    add_part(mz_text_string(&line), line.length, 2, style, out);
    while (below < locks) {
        static const char others[] = "… < "; /* of a library */
        const char *frame = below + sizeof call - 1;
        size_t skipped = strncmp(frame, others, sizeof others - 1) == 0 ? sizeof others - 1 : 0;
        below = find_before(frame + skipped, locks, call);
        mz_text_clear(&line);
        mz_text_add(&line, "called by %s%.*s", skipped ? "… " : "", (int)(below - frame - (ptrdiff_t)skipped),
                    frame + skipped);
        add_part(mz_text_string(&line), line.length, 6, style, out);
    }
    mz_text_release(&line);
}

/* Each on a line of its own. */
static void add_parts(const char *parts, bool are_accesses, mz_style style, mz_text *out)
{
    while (*parts) {
        const char *end = strstr(parts, "; ");
        size_t length = end ? (size_t)(end - parts) : strlen(parts);
        if (are_accesses)
            add_access(parts, length, style, out);
        else
            add_part(parts, length, 2, style, out);
        parts += length + (end ? 2 : 0);
    }
}

/* The first line is as compilers write it, so that editors find the place. */
static void add_what(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text where = {0}, head = {0};
    const char *parts = has_parts(e) ? strstr(e->message, ": ") : NULL;
    if (e->position.file)
        mz_text_add(&where, "%s:%u:%u: ", e->position.file, e->position.line, e->position.column);
    mz_text_add(&where, "error: ");
    mz_text_add(out, "\n");
    mz__add_coloured(out, style, MZ__BOLD, mz_text_string(&where));
    mz_text_add_bytes(&head, e->message, parts ? (size_t)(parts - e->message) : strlen(e->message));
    if (!e->unknown_steps && !has_parts(e))
        mz_text_add(&head, " (%s %u)", r->thread_word, e->thread); /* the others name their threads */
    mz__add_wrapped(out, mz_text_string(&head), mz_text_width(mz_text_string(&where)), 4, style, MZ__RED);
    mz_text_add(out, "\n");
    if (parts)
        add_parts(parts + 2, e->kind == MZ_FAIL_RACE, style, out);
    mz_text_release(&where);
    mz_text_release(&head);
}

static void add_steps(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    if (e->initial_choices[0])
        mz_text_add(out, "\n  before the first step: %s%s\n",
                    strchr(e->initial_choices, '=') ? "" : "chosen: ", e->initial_choices);
    if (e->step_count + e->moment_count > 0)
        mz__add_table(r, e, style, out);
}

static void add_counterexample(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    add_what(r, e, style, out);
    add_steps(r, e, style, out);
}

static void add_counts(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    size_t left_out = e->original_steps - e->step_count;
    mz_text_add(out, "%s", mz__add_decision(r, e, style, out) ? "  " : "\n  ");
    if (e->step_count > 0)
        mz_text_add(out, "%zu step%s", e->step_count, e->step_count == 1 ? "" : "s");
    if (e->context_switches > 0)
        mz_text_add(out, ", %zu context switch%s", e->context_switches, e->context_switches == 1 ? "" : "es");
    if (e->step_count > 0 && left_out > 0)
        mz_text_add(out, " (%zu left out)", left_out);
    mz_text_add(out, "%sReplayed: it %s the same way.\n", e->step_count > 0 ? ". " : "",
                e->unreplayed ? "does not fail" : "fails");
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
    add_counts(r, e, style, out);
    if (e->occurrences > 1) {
        mz_text_add(out, "  seen in ");
        mz_text_add_grouped(out, e->occurrences);
        mz_text_add(out, " executions\n");
    }
    add_replay(e, out);
}

void mz_report_error_text(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    add_error(r, e, style, out);
}

/* What led to where the program cannot be followed any further. */
static void add_way(const mz_report *r, const mz_report_error *way, mz_style style, mz_text *out)
{
    mz_report_error shown = *way;
    shown.is_way = true;
    add_steps(r, &shown, style, out);
    mz_text_add(out, "\n");
    add_replay(way, out);
}

static void add_verdict(const mz_report *r, mz_style style, mz_text *out)
{
    mz_verdict taken_for = mz_report_verdict(r);
    const char *colour = taken_for == MZ_SAFE ? MZ__GREEN : taken_for == MZ_UNSAFE ? MZ__RED : MZ__YELLOW;
    mz_text word = {0};
    mz_text_add(&word, "%s", taken_for != r->verdict ? "bounded" : mz_verdict_word(r->verdict));
    for (size_t i = 0; i < word.length; i++)
        if (word.bytes[i] >= 'a' && word.bytes[i] <= 'z')
            word.bytes[i] = (char)(word.bytes[i] - 'a' + 'A');
    if (r->target)
        mz_text_add(out, "%s, ", r->target);
    mz_text_add(out, "%s: ", r->program);
    mz__add_coloured(out, style, colour, mz_text_string(&word));
    mz_text_release(&word);
}

static void add_counted(mz_text *out, uint64_t number, const char *one, const char *many)
{
    mz_text_add_grouped(out, number);
    mz_text_add(out, " %s", number == 1 ? one : many);
}

static void add_numbers(const mz_report *r, mz_style style, mz_text *lines)
{
    mz_text words = {0}, *out = &words;
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
    mz__add_labelled(lines, r->algorithm, mz_text_string(&words), style);
    mz_text_release(&words);
}

static void add_checked(const mz_report *r, mz_style style, mz_text *out)
{
    mz_text names = {0};
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        if (r->checks & (1u << kind))
            mz_text_add(&names, "%s%s", names.length ? ", " : "",
                        mz_failure_check_name((mz_failure_kind)kind));
    mz__add_labelled(out, "checked", names.length ? mz_text_string(&names) : "nothing", style);
    mz_text_release(&names);
    for (size_t i = 0; i < r->assumption_count; i++)
        mz__add_labelled(out, "assuming", r->assumptions[i], style);
}

/* The search has not come to its end. */
static void add_covered(const mz_report *r, mz_text *out)
{
    if (r->client_count > 0) /* they are counted */
        return;
    enum { LEAST = 100000 }; /* one in so many is a number that one can imagine */
    if (r->share_done > 0 && r->share_done * LEAST < 1)
        mz_text_add(out, "  covered so far: less than 0.001 %% of the search\n");
    else if (r->share_done > 0)
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
        mz_text where = {0};
        if (w->position.file)
            mz_text_add(&where, "%s:%u:%u: ", w->position.file, w->position.line, w->position.column);
        mz_text_add(out, "%s", mz_text_string(&where));
        mz__add_coloured(out, style, MZ__YELLOW, "warning: ");
        mz__add_wrapped(out, w->message, mz_text_width(mz_text_string(&where)) + 9, 4, style, NULL);
        mz_text_add(out, "\n");
        mz_text_release(&where);
    }
}

/* What is told beside the verdict. */
static void add_beside(const mz_report *r, const char *words, mz_style style, mz_text *out)
{
    size_t column = (r->target ? mz_text_width(r->target) + 2 : 0) + mz_text_width(r->program) + 2 +
                    strlen(mz_verdict_word(r->verdict));
    mz_text_add(out, "  ");
    mz__add_wrapped(out, words, column + 2, 2, style, NULL);
    mz_text_add(out, "\n");
}

static void add_reason(const mz_report *r, mz_style style, mz_text *out)
{
    mz_text errors = {0};
    mz_text_add(&errors, "%zu error%s%s", r->error_count, r->error_count == 1 ? "" : "s",
                r->all_errors ? "" : ", the first one found (--all-errors goes on)");
    add_beside(r, r->verdict == MZ_UNSAFE ? mz_text_string(&errors) : r->reason, style, out);
    mz_text_release(&errors);
}

static const char *under_model(const mz_report *r)
{
    return r->memory == MZ_MEMORY_RC11 ? " under RC11" : r->memory == MZ_MEMORY_TSO ? " under TSO" : "";
}

static void add_memory(const mz_report *r, mz_style style, mz_text *out)
{
    if (r->memory != MZ_MEMORY_SC)
        mz__add_labelled(out, "memory",
                         r->memory == MZ_MEMORY_TSO ? "TSO, as asked for (--memory=tso)"
                         : r->is_memory_found
                             ? "RC11, since the program has atomic operations weaker than seq_cst "
                               "(--memory=sc explores interleavings only)"
                             : "RC11, as asked for (--memory=rc11)",
                         style);
}

static void add_coverage(const mz_report *r, mz_style style, mz_text *out)
{
    mz_text words = {0};
    const char *plural = strcmp(r->thread_word, "process") == 0 ? "es" : "s";
    const char *what = r->memory == MZ_MEMORY_SC ? "interleaving" : "execution";
    if (r->client_count > 0)
        mz_text_add(&words, "every %s of %zu client%s is covered%s", what, r->clients_checked,
                    r->clients_checked == 1 ? "" : "s", under_model(r));
    else
        mz_text_add(&words, "every %s of %u %s%s is covered%s%s%s%s", what, r->thread_count, r->thread_word,
                    r->thread_count == 1 ? "" : plural, under_model(r), r->numbers ? ", for numbers " : "",
                    r->numbers ? r->numbers : "", r->numbers ? " only" : "");
    add_beside(r, mz_text_string(&words), style, out);
    mz_text_release(&words);
}

static void add_lines(const char *lines, mz_style style, mz_text *out)
{
    for (; lines && *lines; lines = strchr(lines, '\n') + 1) {
        mz_text words = {0};
        mz_text_add(&words, "%.*s", (int)strcspn(lines, "\n"), lines);
        mz_text_add(out, "  ");
        mz__add_wrapped(out, mz_text_string(&words), 2, 4, style, NULL);
        mz_text_add(out, "\n");
        mz_text_release(&words);
    }
}

/* Of a library: what its calls did, and the client that shows it. */
static void add_client(const mz_report *r, mz_style style, mz_text *out)
{
    if (r->history)
        mz_text_add(out, "  the calls in time:\n%s\n", r->history);
    if (r->client)
        mz_text_add(out, "  the client:\n\n%s\n", r->client);
    if (r->client_count > 0)
        mz_text_add(out, "  clients: %zu of %zu, %llu sequence%s of calls to compare with\n",
                    r->clients_checked, r->client_count, (unsigned long long)r->sequences,
                    r->sequences == 1 ? "" : "s");
    add_lines(r->progress, style, out);
    add_lines(r->coverage, style, out);
    if (r->client_count > 0 && r->verdict == MZ_INCOMPLETE && r->client_next <= r->client_count &&
        !r->checkpoint)
        mz_text_add(out, "  to go on: the same command with --from=%zu\n", r->client_next);
}

static void add_notes(const mz_report *r, mz_style style, mz_text *out)
{
    for (size_t i = 0; i < r->note_count; i++) {
        mz__add_coloured(out, style, MZ__YELLOW, "  note: ");
        mz__add_wrapped(out, r->notes[i], 8, 4, style, NULL);
        mz_text_add(out, "\n");
    }
}

static void add_report(const mz_report *r, mz_style style, mz_text *out)
{
    add_verdict(r, style, out);
    if (r->verdict == MZ_SAFE)
        add_coverage(r, style, out);
    else
        add_reason(r, style, out);
    add_notes(r, style, out);
    for (size_t i = 0; i < r->error_count; i++)
        add_error(r, &r->errors[i], style, out);
    if (r->error_count > 0) {
        mz_text_add(out, "\n");
        if (r->found_by && r->found_by[0])
            mz_text_add(out, "  found by %s\n", r->found_by);
        if (r->reason[0] && r->verdict == MZ_UNSAFE)
            mz__add_labelled(out, "not finished", r->reason, style);
    }
    add_client(r, style, out);
    if (r->way)
        add_way(r, r->way, style, out);
    if (r->reason[0])
        add_covered(r, out);
    for (size_t i = 0; i < r->advice_count; i++)
        mz_text_add(out, "  %s\n", r->advice[i]);
    if (r->alone)
        mz_text_add(out, "  by one process%s, whatever -j says: %s\n",
                    r->was_stopped && !r->checkpoint ? ", and not saved" : "", r->alone);
    if (r->checkpoint)
        mz_text_add(out, "  to go on: mazurka resume %s\n", r->checkpoint);
    add_numbers(r, style, out);
    add_memory(r, style, out);
    add_checked(r, style, out);
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
        mz__add_coloured(out, style, MZ__FAINT, "| ");
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
    mz__add_coloured(out, style, differs ? MZ__YELLOW : MZ__RED, differs ? "DIFFERENT" : "REPLAYED");
    mz_text_add(out, "  ");
    size_t column = mz_text_width(file) + strlen(": DIFFERENT  ");
    mz__add_wrapped(out, differs ? r->reason : r->program, column, 2, style, NULL);
    mz_text_add(out, "\n");
    add_notes(r, style, out);
    for (size_t i = 0; i < r->error_count; i++) {
        mz_report_error shown = r->errors[i];
        shown.is_way = differs;
        if (differs)
            shown.decided = MZ_DECIDED_UNKNOWN;
        if (differs)
            mz_text_add(out, "\nrecorded was:");
        add_counterexample(r, &shown, style, out);
        if (!differs)
            add_counts(r, &r->errors[i], style, out);
    }
    if (r->history && !differs)
        mz_text_add(out, "\n  the calls in time:\n%s", r->history);
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
    mz__add_cell(&head, "program", program_width);
    mz_text_add(&head, "  %-12s  %-10s", "algorithm", "verdict");
    for (size_t k = 0; k < KEYS; k++)
        for (size_t i = 0; count > 0 && i < reports[0].count_count; i++)
            if (strcmp(reports[0].counts[i].key, keys[k]) == 0)
                mz_text_add(&head, "  %14s", reports[0].counts[i].label);
    mz_text_add(&head, "  %10s", "time");
    mz__add_coloured(out, style, MZ__BOLD, mz_text_string(&head));
    mz_text_add(out, "\n");
    mz_text_release(&head);
    for (size_t i = 0; i < count; i++) {
        const mz_report *r = &reports[i];
        mz__add_cell(out, r->program, program_width);
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

/* Lines stay lines, whatever the files are called. */
void mz_report_text(const mz_report *r, mz_style style, mz_text *out)
{
    mz_text text = {0};
    add_report(r, style, &text);
    mz_text_make_readable(&text, r->program);
    for (size_t i = 0; r->files && i < r->file_count; i++)
        mz_text_make_readable(&text, r->files[i]);
    mz_text_add_bytes(out, mz_text_string(&text), text.length);
    mz_text_release(&text);
}
