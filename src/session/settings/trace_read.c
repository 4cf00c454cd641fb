/* Counterexample files: reading them. */
#include "session/settings/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "wire/trace.h"

typedef struct reader {
    mz_trace *trace;
    mz_lines lines;
    const char *body; /* what follows the first line */
    size_t body_length;
    uint64_t seen; /* 1 << index of the key */
    bool ended;
    size_t step_capacity, choice_capacity;
} reader;

static void skip_blanks(char **text)
{
    *text += strspn(*text, " ");
}

/* "x=": the input that it is; for people, because the program says so, too. */
static void skip_name(char **text)
{
    size_t length = strcspn(*text, "=, |");
    if ((*text)[length] == '=')
        *text += length + 1;
}

static size_t read_choices(reader *r, char **text)
{
    mz_problem *p = &r->trace->problem;
    size_t count = 0;
    do {
        skip_blanks(text);
        skip_name(text);
        int64_t value = mz_lines_number(&r->lines, text, INT64_MIN, INT64_MAX, "choice");
        if (r->lines.error->set)
            break;
        p->choices = mz_grow(p->choices, &r->choice_capacity, p->choice_count + 1, sizeof *p->choices);
        p->choices[p->choice_count++] = (mz_choice){.value = value, .low = value, .high = value};
        count++;
    } while (*(*text)++ == ',');
    (*text)--;
    return count;
}

static void read_machine(reader *r, char *rest)
{
    r->trace->settings.native = strcmp(rest, "native") == 0;
    if (!r->trace->settings.native && strcmp(rest, "dlang") != 0)
        mz_lines_wrong(&r->lines, "unknown machine '%.40s': there are native and dlang", rest);
}

static void read_file_name(reader *r, char *rest)
{
    mz_settings *s = &r->trace->settings;
    if (!*mz_lines_unescape(&r->lines, rest))
        mz_lines_wrong(&r->lines, "a file has no name");
    s->files = mz_grow(s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files);
    s->files[s->file_count++] = rest;
}

static void read_directory(reader *r, char *rest)
{
    r->trace->directory = mz_lines_unescape(&r->lines, rest);
}

static void read_source(reader *r, char *rest)
{
    if (strcspn(rest, " ") != MZ_SHA256_DIGITS || rest[MZ_SHA256_DIGITS] != ' ')
        mz_lines_wrong(&r->lines, "a source is a sum of %d digits and a file", MZ_SHA256_DIGITS);
    else
        mz_words_add(&r->trace->sources, mz_lines_unescape(&r->lines, rest));
}

static void read_compiler(reader *r, char *rest)
{
    r->trace->settings.compiler = mz_lines_unescape(&r->lines, rest);
}

static void read_flag(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.compile_flags, mz_lines_unescape(&r->lines, rest));
}

static void read_link(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.link_flags, mz_lines_unescape(&r->lines, rest));
}

static void read_allowed(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.allowed, mz_lines_unescape(&r->lines, rest));
}

static void read_argument(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.arguments, mz_lines_unescape(&r->lines, rest));
}

/* What the settings say about it, with the place in this file. */
static void pass_on(reader *r, mz_error *error)
{
    if (error->set)
        mz_lines_wrong(&r->lines, "%s", mz_text_string(&error->message));
    mz_error_release(error);
}

static void read_entry(reader *r, char *rest)
{
    mz_error error = {0};
    mz_settings_add_entry(&r->trace->settings, mz_lines_unescape(&r->lines, rest), &error);
    pass_on(r, &error);
}

static void read_entry_setup(reader *r, char *rest)
{
    r->trace->settings.entry_setup = mz_lines_unescape(&r->lines, rest);
}

static void read_entry_finally(reader *r, char *rest)
{
    r->trace->settings.entry_finally = mz_lines_unescape(&r->lines, rest);
}

static void read_operation(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.operations, mz_lines_unescape(&r->lines, rest));
}

static void read_client(reader *r, char *rest)
{
    mz_client client;
    r->trace->settings.client_threads =
        (uint32_t)mz_lines_number(&r->lines, &rest, 1, MZ_CLIENT_THREADS, "client");
    skip_blanks(&rest);
    if (!mz_client_of_word(rest, &client)) {
        mz_lines_wrong(&r->lines, "'%.40s' is no client", rest);
        return;
    }
    for (uint32_t t = 0; t <= client.threads; t++)
        for (uint32_t i = 0; i < client.length[t]; i++)
            if (client.operations[t][i] >= r->trace->settings.operations.count)
                mz_lines_wrong(&r->lines, "the client has operations that are not there");
    if (client.threads > r->trace->settings.client_threads)
        mz_lines_wrong(&r->lines, "the client has more threads than there are");
    r->trace->settings.client = rest;
}

static void read_criterion(reader *r, char *rest)
{
    mz_settings *s = &r->trace->settings;
    s->criterion = (mz_criterion)mz_lines_number(&r->lines, &rest, 0, MZ_QUIESCENT, "criterion");
    skip_blanks(&rest);
    s->out_of_order = (uint32_t)mz_lines_number(&r->lines, &rest, 0, 255, "criterion");
    mz_lines_nothing_left(&r->lines, rest);
}

static void read_relaxed(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.relaxed, mz_lines_unescape(&r->lines, rest));
}

static void read_blocking(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.blocking, mz_lines_unescape(&r->lines, rest));
}

static void read_specification(reader *r, char *rest)
{
    r->trace->settings.specification = mz_lines_unescape(&r->lines, rest);
}

static void read_check(reader *r, char *rest)
{
    mz_error error = {0};
    for (char *save, *kind = strtok_r(rest, ",", &save); kind && !error.set;
         kind = strtok_r(NULL, ",", &save))
        mz_settings_add_check(&r->trace->settings, kind, &error);
    pass_on(r, &error);
}

static void read_main_exit(reader *r, char *rest)
{
    r->trace->settings.join_at_exit = strcmp(rest, "join") == 0;
    if (!r->trace->settings.join_at_exit && strcmp(rest, "end") != 0)
        mz_lines_wrong(&r->lines, "main-exit is end or join, not '%.40s'", rest);
}

static void read_suppressions(reader *r, char *rest)
{
    mz_error error = {0};
    mz_suppressions_read(&r->trace->settings.suppressions, mz_lines_unescape(&r->lines, rest), &error);
    pass_on(r, &error);
}

static void read_suppression(reader *r, char *rest)
{
    mz_error error = {0};
    mz_suppressions_add(&r->trace->settings.suppressions, mz_lines_unescape(&r->lines, rest), "--suppress", 0,
                        &error);
    pass_on(r, &error);
}

static void read_plain_accesses(reader *r, char *rest)
{
    mz_error error = {0};
    mz_settings_set_plain_accesses(&r->trace->settings, rest, &error);
    pass_on(r, &error);
}

static void read_unroll(reader *r, char *rest)
{
    r->trace->settings.unroll = (uint32_t)mz_lines_number(&r->lines, &rest, 0, UINT32_MAX, "unroll");
    mz_lines_nothing_left(&r->lines, rest);
}

static void read_unroll_at(reader *r, char *rest)
{
    mz_error error = {0};
    if (strchr(rest, ':'))
        mz_settings_add_unroll(&r->trace->settings, rest, &error);
    else
        mz_lines_wrong(&r->lines, "unroll-at: '%.40s' is not FILE:LINE:K", rest);
    pass_on(r, &error);
}

/* Of a model. */
static void read_memory(reader *r, char *rest)
{
    r->trace->settings.search.memory = MZ_MEMORY_TSO;
    if (strcmp(rest, "tso") != 0)
        mz_lines_wrong(&r->lines, "memory is tso, not '%.40s'", rest);
}

static void read_after_races(reader *r, char *rest)
{
    r->trace->settings.search.all_errors = true;
    if (strcmp(rest, "go-on") != 0)
        mz_lines_wrong(&r->lines, "after-races is go-on, not '%.40s'", rest);
}

static void read_spurious(reader *r, char *rest)
{
    r->trace->settings.spurious = true;
    if (strcmp(rest, "yes") != 0)
        mz_lines_wrong(&r->lines, "spurious is yes, not '%.40s'", rest);
}

static void read_volatile(reader *r, char *rest)
{
    r->trace->settings.volatile_is_atomic = true;
    if (strcmp(rest, "atomic") != 0)
        mz_lines_wrong(&r->lines, "volatile is atomic, not '%.40s'", rest);
}

static void read_heap_reuse(reader *r, char *rest)
{
    r->trace->settings.reuses = (uint32_t)mz_lines_number(&r->lines, &rest, 1, UINT32_MAX, "heap-reuse");
    mz_lines_nothing_left(&r->lines, rest);
}

static void read_patience(reader *r, char *rest)
{
    char *end;
    double seconds = strtod(rest, &end);
    if (end == rest || *end || !(seconds > 0 && seconds < 1e9))
        mz_lines_wrong(&r->lines, "patience: '%.40s' is not a number of seconds", rest);
    r->trace->settings.patience = seconds;
}

static void read_nondet(reader *r, char *rest)
{
    mz_error error = {0};
    mz_settings_set_nondet(&r->trace->settings, rest, &error);
    pass_on(r, &error);
}

static void read_world(reader *r, char *rest)
{
    const char *line = mz_lines_unescape(&r->lines, rest), *problem = mz_world_problem(line);
    if (problem)
        mz_lines_wrong(&r->lines, "%s", problem);
    else
        mz_words_add(&r->trace->settings.world, line);
}

static void read_threads(reader *r, char *rest)
{
    mz_text_add(&r->trace->threads, "%s", rest);
}

static void read_shared(reader *r, char *rest)
{
    mz_text_add(&r->trace->shared, "%s%s", r->trace->shared.length ? " " : "", rest);
}

/* LINE:COLUMN FILE */
static void read_line_of(reader *r, char *rest, mz_position *place)
{
    place->line = (uint32_t)mz_lines_number(&r->lines, &rest, 0, UINT32_MAX, "line");
    if (*rest == ':')
        rest++;
    place->column = (uint32_t)mz_lines_number(&r->lines, &rest, 0, UINT32_MAX, "column");
    if (r->lines.error->set)
        return;
    if (*rest && *rest != ' ')
        mz_lines_nothing_left(&r->lines, rest);
    skip_blanks(&rest);
    place->file = *rest ? mz_lines_unescape(&r->lines, rest) : NULL;
}

static void read_error(reader *r, char *rest)
{
    mz_failure *failure = &r->trace->problem.failure;
    size_t length = strcspn(rest, " ");
    int kind = 0;
    while (kind < MZ_FAILURE_KIND_COUNT && !mz_is_word(rest, length, mz_failure_name((mz_failure_kind)kind)))
        kind++;
    if (kind == MZ_FAILURE_KIND_COUNT) {
        mz_lines_wrong(&r->lines, "unknown kind of error '%.*s'", mz_lines_shown(length), rest);
        return;
    }
    rest += length;
    failure->kind = (mz_failure_kind)kind;
    skip_blanks(&rest);
    failure->thread = (uint32_t)mz_lines_number(&r->lines, &rest, 0, MZ_WIDE_THREADS - 1, "thread");
    skip_blanks(&rest);
    read_line_of(r, rest, &failure->position);
}

static void read_other(reader *r, char *rest)
{
    read_line_of(r, rest, &r->trace->problem.failure.other);
}

static void read_message(reader *r, char *rest)
{
    mz_text_add(&r->trace->problem.failure.message, "%s", mz_lines_unescape(&r->lines, rest));
}

static void read_found_after(reader *r, char *rest)
{
    r->trace->problem.original_steps = (size_t)mz_lines_number(&r->lines, &rest, 0, INT64_MAX, "steps");
    mz_lines_nothing_left(&r->lines, rest);
}

static void read_initial_choices(reader *r, char *rest)
{
    r->trace->problem.initial_choices = read_choices(r, &rest);
    mz_lines_nothing_left(&r->lines, rest);
}

/* The next part of what is for people: up to a bar, without the blanks around it. NULL: there is no more. */
static char *next_part(char **rest)
{
    if (!*rest)
        return NULL;
    char *part = *rest, *end = part;
    while (*end && *end != '|')
        end += *end == '\\' && end[1] ? 2 : 1;
    *rest = *end ? end + 1 : NULL;
    while (end > part && end[-1] == ' ')
        end--;
    *end = '\0';
    return part + strspn(part, " ");
}

/* FILE:LINE:COLUMN; the file may have colons of its own. */
static void read_place(reader *r, char *place, mz_position *position)
{
    char *column = strrchr(place, ':'), *line;
    if (!*place)
        return;
    if (column)
        *column++ = '\0';
    line = strrchr(place, ':');
    if (!column || !line) {
        mz_lines_wrong(&r->lines, "a place is FILE:LINE:COLUMN");
        return;
    }
    *line++ = '\0';
    position->file = mz_lines_unescape(&r->lines, place);
    position->line = (uint32_t)mz_lines_number(&r->lines, &line, 0, UINT32_MAX, "line");
    position->column = (uint32_t)mz_lines_number(&r->lines, &column, 0, UINT32_MAX, "column");
    mz_lines_nothing_left(&r->lines, line);
    mz_lines_nothing_left(&r->lines, column);
}

static void read_step(reader *r, char *rest)
{
    mz_problem *p = &r->trace->problem;
    mz_witness_step step = {.first_choice = p->choice_count};
    char *what = next_part(&rest), *place = next_part(&rest), *text = next_part(&rest),
         *effect = next_part(&rest);
    step.thread = (uint32_t)mz_lines_number(&r->lines, &what, 0, MZ_WIDE_THREADS - 1, "thread");
    skip_blanks(&what);
    if (strcmp(what, "-") == 0)
        what++;
    else if (*what)
        step.choice_count = read_choices(r, &what);
    mz_lines_nothing_left(&r->lines, what);
    if (rest)
        mz_lines_wrong(&r->lines, "a step has four parts, not more");
    if (place)
        read_place(r, place, &step.position);
    if (text && *text)
        step.text = mz_copy_string(mz_lines_unescape(&r->lines, text));
    if (effect)
        step.effect = mz_copy_string(mz_lines_unescape(&r->lines, effect));
    p->steps = mz_grow(p->steps, &r->step_capacity, p->step_count + 1, sizeof *p->steps);
    p->steps[p->step_count++] = step;
}

static void read_end(reader *r, char *rest)
{
    mz_lines_nothing_left(&r->lines, rest);
    r->ended = true;
}

enum { NEEDED = 1, REPEATED = 2 };

static const struct {
    const char *name;
    void (*read)(reader *, char *);
    unsigned how;
} keys[] = {
    {"machine", read_machine, NEEDED},
    {"directory", read_directory, 0},
    {"source", read_source, REPEATED},
    {"file", read_file_name, NEEDED | REPEATED},
    {"compiler", read_compiler, 0},
    {"flag", read_flag, REPEATED},
    {"link", read_link, REPEATED},
    {"allow", read_allowed, REPEATED},
    {"argument", read_argument, REPEATED},
    {"entry", read_entry, REPEATED},
    {"entry-setup", read_entry_setup, 0},
    {"entry-finally", read_entry_finally, 0},
    {"operation", read_operation, REPEATED},
    {"client", read_client, 0},
    {"criterion", read_criterion, 0},
    {"relaxed", read_relaxed, REPEATED},
    {"blocking", read_blocking, REPEATED},
    {"specification", read_specification, 0},
    {"check", read_check, 0},
    {"main-exit", read_main_exit, 0},
    {"unroll", read_unroll, 0},
    {"unroll-at", read_unroll_at, REPEATED},
    {"memory", read_memory, 0},
    {"after-races", read_after_races, 0},
    {"spurious", read_spurious, 0},
    {"volatile", read_volatile, 0},
    {"heap-reuse", read_heap_reuse, 0},
    {"patience", read_patience, 0},
    {"suppressions", read_suppressions, 0},
    {"suppress", read_suppression, REPEATED},
    {"plain-accesses", read_plain_accesses, 0},
    {"world", read_world, REPEATED},
    {"nondet", read_nondet, 0},
    {"threads", read_threads, 0},
    {"shared", read_shared, REPEATED},
    {"error", read_error, NEEDED},
    {"other", read_other, 0},
    {"message", read_message, 0},
    {"found-after", read_found_after, 0},
    {"choices", read_initial_choices, 0},
    {"step", read_step, REPEATED},
    {"end", read_end, NEEDED},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* "mazurka-trace 1 SUM": the sum is taken off the line, and compared. */
static void compare_sum(reader *r, char *line)
{
    char *sum = strrchr(line, ' '), digits[MZ_SHA256_DIGITS + 1];
    if (!sum || strspn(sum + 1, "0123456789abcdef") != MZ_SHA256_DIGITS || sum[MZ_SHA256_DIGITS + 1])
        return;
    mz_sha256(r->body, r->body_length, digits);
    if (strcmp(sum + 1, digits) != 0) {
        mz_lines_wrong(&r->lines, "the file was changed or cut off after it was written");
        mz_error_set_hint(r->lines.error,
                          "check the program again; or leave the sum out of the first line, and "
                          "it is replayed as it is");
    }
    *sum = '\0';
}

static void read_line(void *context, char *line)
{
    reader *r = context;
    size_t length = strcspn(line, " ");
    int k = 0;
    if (r->lines.line == 1) {
        compare_sum(r, line);
        if (r->lines.error->set)
            return;
        mz_lines_check_version(&r->lines, line, "a counterexample", MZ_TRACE_MAGIC, MZ_TRACE_VERSION);
        return;
    }
    while (k < KEYS && !mz_is_word(line, length, keys[k].name))
        k++;
    if (k == KEYS)
        mz_lines_wrong(&r->lines, "unknown word '%.*s'", mz_lines_shown(length), line);
    else if (r->ended)
        mz_lines_wrong(&r->lines, "something follows 'end'");
    else if ((r->seen >> k & 1) && !(keys[k].how & REPEATED))
        mz_lines_wrong(&r->lines, "'%s' is given twice", keys[k].name);
    else if (r->trace->problem.step_count > 0 && keys[k].read != read_step && keys[k].read != read_end)
        mz_lines_wrong(&r->lines, "'%s' has to stand before the steps", keys[k].name);
    if (r->lines.error->set)
        return;
    r->seen |= (uint64_t)1 << k;
    char *rest = line + length;
    skip_blanks(&rest);
    keys[k].read(r, rest);
}

/* What no single line tells. */
static void check_whole(reader *r)
{
    mz_settings *s = &r->trace->settings;
    for (int k = 0; k < KEYS && !r->lines.error->set; k++)
        if ((keys[k].how & NEEDED) && !(r->seen >> k & 1))
            mz_lines_wrong(&r->lines, "there is no line '%s'%s", keys[k].name,
                           keys[k].read == read_end ? ": is the file cut off?" : "");
    if (!r->lines.error->set && !s->native && s->file_count != 1)
        mz_lines_wrong(&r->lines, "a model is one file, not %zu", s->file_count);
    for (size_t i = 0; !r->lines.error->set && !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.items[i], "-D", 2) == 0) {
            mz_error error = {0};
            mz_settings_define(s, s->compile_flags.items[i] + 2, &error);
            pass_on(r, &error);
        }
    if (s->search.checks == 0)
        s->search.checks = MZ_FAILURES_DEFAULT;
    mz_problem *p = &r->trace->problem;
    if (p->original_steps < p->step_count)
        p->original_steps = p->step_count;
}

bool mz_trace_parse(mz_trace *trace, const char *name, const char *text, size_t length, mz_error *error)
{
    *trace = (mz_trace){0};
    mz_settings_init(&trace->settings);
    const char *end = memchr(text, '\n', length), *body = end ? end + 1 : text + length;
    reader r = {.trace = trace,
                .lines = {.name = name, .error = error},
                .body = body,
                .body_length = length - (size_t)(body - text)};
    trace->problem.choices = /* never NULL: offsets are added */
        mz_grow(NULL, &r.choice_capacity, 1, sizeof *trace->problem.choices);
    mz_lines_read(&r.lines, &trace->strings, text, length, read_line, &r);
    if (!error->set)
        check_whole(&r);
    return !error->set;
}

bool mz_trace_load(mz_trace *trace, const char *path, mz_error *error)
{
    mz_text text = {0};
    *trace = (mz_trace){0};
    if (mz_file_read_text(path, MZ_TRACE_MOST_BYTES, "a counterexample", &text, error))
        mz_trace_parse(trace, path, mz_text_string(&text), text.length, error);
    mz_text_release(&text);
    return !error->set;
}

void mz_trace_release(mz_trace *trace)
{
    mz_words_release(&trace->sources);
    mz_settings_release(&trace->settings);
    mz_text_release(&trace->threads);
    mz_text_release(&trace->shared);
    mz_problem_release(&trace->problem);
    mz_arena_release(&trace->strings);
}
