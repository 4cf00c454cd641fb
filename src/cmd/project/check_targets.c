/* `mazurka check` in a project: one target after the other, then all in one table. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/project/project.h"
#include "session/check.h"
#include "session/process/supervisor.h"
#include "session/process/wide.h"

/* A target that is checked, and what its reports point to. */
typedef struct run {
    const mz_project_target *target;
    mz_words words;
    mz_request request;
    bool parsed, checked;
    mz_check check;
    mz_text why_not; /* it could not be checked */
    mz_text refused; /* the same in a few words: "does not compile" */
    mz_report none;
} run;

typedef struct all_runs {
    run *items;
    size_t count;
    bool wrong; /* one could not be checked: its sources are not right */
} all_runs;

/* ---- which ----------------------------------------------------------------------------------------------
 */

/* A name, and no file: "queue", but not "./queue" and "queue.c". */
static bool is_bare(const char *word)
{
    return !strpbrk(word, "./");
}

bool mz_project_is_meant(int argc, char **argv)
{
    mz_request_words words;
    mz_error error = {0};
    bool meant = false;
    if (access(MZ_PROJECT_FILE, F_OK) != 0)
        return false;
    mz_request_split(&words, argc, argv, &error);
    if (!error.set && !words.help) {
        mz_project project;
        mz_error mistakes = {0};
        meant = words.names.count == 0;
        mz_project_read(&project, MZ_PROJECT_FILE, &mistakes);
        for (size_t i = 0; i < words.names.count; i++) /* of both, the target; ./queue is the file */
            meant |= is_bare(words.names.items[i]) && (mz_project_find(&project, words.names.items[i]) ||
                                                       access(words.names.items[i], F_OK) != 0);
        mz_project_release(&project);
        mz_error_release(&mistakes);
    }
    mz_error_release(&error);
    mz_request_words_release(&words);
    return meant;
}

static void unknown_target(const mz_project *project, const char *name, mz_error *error)
{
    const char **names = mz_allocate(project->count * sizeof *names);
    mz_text all = {0};
    for (size_t i = 0; i < project->count; i++) {
        names[i] = project->targets[i].name;
        mz_text_add(&all, "%s%s", i ? ", " : "", names[i]);
    }
    const char *closest = mz_closest_name(name, names, project->count);
    mz_error_set(error, (mz_position){.file = MZ_PROJECT_FILE}, "there is no target '%s'", name);
    if (closest)
        mz_error_set_hint(error, "did you mean %s?", closest);
    else
        mz_error_set_hint(error, "there are: %s", mz_text_string(&all));
    mz_text_release(&all);
    mz_release(names);
}

static void choose(all_runs *runs, const mz_project *project, const mz_words *names, mz_error *error)
{
    size_t count = names->count ? names->count : project->count;
    runs->items = mz_allocate_zeroed(count + 1, sizeof *runs->items);
    for (size_t i = 0; i < count && !error->set; i++) {
        const mz_project_target *t =
            names->count ? mz_project_find(project, names->items[i]) : &project->targets[i];
        if (t)
            runs->items[runs->count++].target = t;
        else
            unknown_target(project, names->items[i], error);
    }
}

/* All of them, before any is checked: a mistake is said at once. */
static void parse(all_runs *runs, const mz_project *project, const mz_request_words *given, mz_error *error)
{
    for (size_t i = 0; i < runs->count && !error->set; i++) {
        run *r = &runs->items[i];
        mz_project_request(project, r->target, given, &r->words, &r->request, error);
        r->parsed = true;
    }
}

/* ---- checking -------------------------------------------------------------------------------------------
 */

/* What is wrong with its sources is the target's trouble; the others are checked none the less. */
static void note_why_not(run *r, const mz_error *error)
{
    size_t length = error->position.file ? strlen(error->position.file) : 0;
    bool is_model = length > 6 && strcmp(error->position.file + length - 6, ".dlang") == 0;
    mz_error_print(error, &r->why_not);
    while (r->why_not.length > 0 && r->why_not.bytes[r->why_not.length - 1] == '\n')
        r->why_not.bytes[--r->why_not.length] = '\0';
    r->none = mz_report_of_nothing(&r->request.plan.check, r->request.plan.check.algorithms[0]->name);
    if (is_model)
        mz_text_add(&r->refused, "does not compile (%s:%u)", error->position.file, error->position.line);
    else if (strstr(mz_text_string(&r->why_not), "could not compile"))
        mz_text_add(&r->refused, "does not compile");
    else
        mz_text_add(&r->refused, "%s", mz_text_string(&error->message));
    r->none.reason = mz_text_string(&r->why_not);
    r->none.refused = mz_text_string(&r->refused);
    r->none.target = r->target->name;
}

static void check(run *r)
{
    mz_error error = {0};
    mz_wide_begin_again();
    mz_check_run(&r->check, &r->request.plan.check, &error);
    r->checked = true;
    if (error.set)
        note_why_not(r, &error);
    for (size_t i = 0; i < r->check.count; i++)
        r->check.reports[i].target = r->target->name;
    mz_error_release(&error);
}

/* Why follows on the next lines. */
static const char *in_a_word(const run *r)
{
    const char *refused = mz_text_string(&r->refused);
    return strncmp(refused, "does not compile", strlen("does not compile")) == 0 ? refused
                                                                                 : "cannot be checked";
}

static void add_story(const run *r, mz_style style, mz_text *out)
{
    if (r->why_not.length > 0)
        mz_text_add(out, "%s: %s\n%s\n\n", r->target->name, in_a_word(r), mz_text_string(&r->why_not));
    for (size_t i = 0; i < r->check.count; i++) {
        const mz_report *report = &r->check.reports[i];
        if (mz_report_verdict(report) == MZ_SAFE && report->warning_count == 0)
            continue; /* its row says it */
        mz_report_text(report, style, out);
        mz_text_add(out, "\n");
    }
    for (size_t i = 0; i < r->check.count && i < 1; i++)
        for (size_t k = 0; k < r->check.reports[i].assumption_count; k++)
            if (mz_suppression_is_unused(r->check.reports[i].assumptions[k]))
                mz_text_add(out, "%s: warning: %s\n\n", r->target->name, r->check.reports[i].assumptions[k]);
}

/* What is printed while others are still checked. */
static void tell(const run *r, bool for_programs)
{
    mz_text text = {0};
    mz_style style = mz_style_of(for_programs);
    add_story(r, style, &text);
    if (style.ascii)
        mz_text_to_ascii(&text);
    fputs(mz_text_string(&text), for_programs ? stderr : stdout);
    fflush(for_programs ? stderr : stdout);
    mz_text_release(&text);
}

static void check_all(all_runs *runs, bool for_programs)
{
    size_t told_before = mz_wide_told_before();
    for (size_t i = 0; i < runs->count && !mz_interrupted; i++) {
        check(&runs->items[i]);
        runs->wrong |= runs->items[i].why_not.length > 0;
        if (i >= told_before && runs->count > 1)
            tell(&runs->items[i], for_programs);
        mz_wide_has_told(i + 1 > told_before ? i + 1 : told_before);
    }
}

/* Somebody has interrupted: the rest was not checked. */
static void note_unchecked(run *r)
{
    mz_text_add(&r->why_not, "interrupted before it was checked");
    r->none = mz_report_of_nothing(&r->request.plan.check, r->request.plan.check.algorithms[0]->name);
    r->none.reason = mz_text_string(&r->why_not);
    r->none.target = r->target->name;
}

static mz_report *collect(all_runs *runs, size_t *count)
{
    mz_report *reports = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        run *r = &runs->items[i];
        if (!r->checked)
            note_unchecked(r);
        reports = mz_grow(reports, &capacity, *count + r->check.count + 1, sizeof *reports);
        for (size_t k = 0; k < r->check.count; k++)
            reports[(*count)++] = r->check.reports[k];
        if (r->check.count == 0)
            reports[(*count)++] = r->none;
    }
    return reports;
}

/* A bug comes before sources that are not right, and these before what was not finished. */
static int exit_code(const all_runs *runs, const mz_report *reports, size_t count)
{
    mz_verdict gravest = MZ_SAFE;
    for (size_t i = 0; i < count; i++)
        gravest = mz_verdict_gravest(gravest, mz_report_verdict(&reports[i]));
    int code = mz_verdict_exit_code(gravest);
    return runs->wrong && code != MZ_EXIT_BUG && code != MZ_EXIT_INTERNAL ? MZ_EXIT_USAGE : code;
}

static int print(const all_runs *runs, const mz_report *reports, size_t count, const mz_outputs *outputs,
                 mz_error *error)
{
    bool for_programs = mz_outputs_take_stdout(outputs);
    mz_style style = mz_style_of(for_programs);
    mz_text text = {0}, programs = {0};
    const run *only = runs->count == 1 ? &runs->items[0] : NULL;
    for (size_t i = 0; only && i < only->check.count; i++)
        mz_report_text(&reports[i], style, &text);
    if (only && only->check.count == 0)
        mz_text_add(&text, "%s: %s\n%s\n", only->target->name, in_a_word(only),
                    mz_text_string(&only->why_not));
    if (!only)
        mz_report_summary(reports, count, style, &text);
    mz_outputs_write(outputs, reports, count, &programs, error);
    return mz_print("check", &text, for_programs ? &programs : NULL, exit_code(runs, reports, count));
}

static void release(all_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        run *r = &runs->items[i];
        if (r->checked)
            mz_check_release(&r->check);
        if (r->parsed)
            mz_request_release(&r->request);
        mz_words_release(&r->words);
        mz_text_release(&r->why_not);
        mz_text_release(&r->refused);
    }
    mz_release(runs->items);
}

int mz_project_check(int argc, char **argv, mz_error *error)
{
    mz_request_words given;
    mz_project project = {0};
    all_runs runs = {0};
    int code = MZ_EXIT_USAGE;
    bool native = false;
    mz_request_split(&given, argc, argv, error);
    if (!error->set)
        mz_project_read(&project, MZ_PROJECT_FILE, error);
    if (!error->set)
        choose(&runs, &project, &given.names, error);
    if (!error->set)
        parse(&runs, &project, &given, error);
    if (!error->set)
        mz_outputs_try(&given.outputs, error);
    if (!error->set) {
        for (size_t i = 0; i < runs.count; i++)
            native |= runs.items[i].request.plan.check.native;
        if (native)
            mz_without_randomisation(argv - 1);
        check_all(&runs, mz_outputs_take_stdout(&given.outputs));
        size_t count;
        mz_report *reports = collect(&runs, &count);
        code = print(&runs, reports, count, &given.outputs, error);
        mz_release(reports);
    }
    release(&runs);
    mz_project_release(&project);
    mz_request_words_release(&given);
    return code;
}
