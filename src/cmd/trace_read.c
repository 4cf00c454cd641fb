/* Counterexample files: reading them. */
#include "cmd/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "wire/trace.h"

typedef struct reader {
    mz_trace *trace;
    const char *name;
    uint32_t line;
    const char *source; /* the line as it stands in the file */
    size_t source_length;
    mz_error *error;
    uint32_t seen; /* 1 << index of the key */
    bool ended;
    size_t step_capacity, choice_capacity;
} reader;

__attribute__((format(printf, 2, 3))) static void wrong(reader *r, const char *format, ...)
{
    mz_text message = {0};
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&message, format, arguments);
    va_end(arguments);
    mz_error_set(r->error, (mz_position){.file = r->name, .line = r->line, .column = 1}, "%s",
                 mz_text_string(&message));
    mz_error_set_source(r->error, r->source, r->source_length);
    mz_text_release(&message);
}

/* How much of a word is shown: a message is one line, whatever the file has. */
static int shown(size_t length)
{
    return length < 40 ? (int)length : 40;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* In place: what it stands for is never longer. */
static char *unescaped(reader *r, char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        char c = from[1];
        int high = c == 'x' ? hex_digit(from[2]) : -1, low = high >= 0 ? hex_digit(from[3]) : -1;
        if (c == '\\' || c == '|')
            *to++ = c;
        else if (c == 'n' || c == 'r' || c == 't')
            *to++ = c == 'n' ? '\n' : c == 'r' ? '\r' : '\t';
        else if (low >= 0 && high + low > 0)
            *to++ = (char)(high << 4 | low);
        else {
            wrong(r, "a backslash is followed by \\, |, n, r, t or x and two hexadecimal digits, not 00");
            break;
        }
        from += c == 'x' ? 4 : 2;
    }
    *to = '\0';
    return text;
}

/* A number up to the blank or the end; moves *text behind it and the blanks that follow. */
static int64_t number(reader *r, char **text, int64_t low, int64_t high, const char *what)
{
    char *end;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    if (end == *text || **text == ' ' || errno || value < low || value > high) {
        size_t length = strcspn(*text, " ,:|");
        wrong(r, "%s: '%.*s' is not a number from %" PRId64 " to %" PRId64, what, shown(length), *text, low,
              high);
        return low;
    }
    *text = end;
    return value;
}

static void skip_blanks(char **text)
{
    *text += strspn(*text, " ");
}

static void nothing_left(reader *r, const char *text)
{
    if (*text)
        wrong(r, "'%.40s' is too much here", text);
}

static size_t read_choices(reader *r, char **text)
{
    mz_problem *p = &r->trace->problem;
    size_t count = 0;
    do {
        skip_blanks(text);
        int64_t value = number(r, text, INT64_MIN, INT64_MAX, "choice");
        if (r->error->set)
            break;
        p->choices = mz_grow(p->choices, &r->choice_capacity, p->choice_count + 1, sizeof *p->choices);
        p->choices[p->choice_count++] = (mz_choice){value, value, value};
        count++;
    } while (*(*text)++ == ',');
    (*text)--;
    return count;
}

static void read_machine(reader *r, char *rest)
{
    r->trace->settings.native = strcmp(rest, "native") == 0;
    if (!r->trace->settings.native && strcmp(rest, "dlang") != 0)
        wrong(r, "unknown machine '%.40s': there are native and dlang", rest);
}

static void read_file_name(reader *r, char *rest)
{
    mz_settings *s = &r->trace->settings;
    if (!*unescaped(r, rest))
        wrong(r, "a file has no name");
    s->files = mz_grow(s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files);
    s->files[s->file_count++] = rest;
}

static void read_compiler(reader *r, char *rest)
{
    r->trace->settings.compiler = unescaped(r, rest);
}

static void read_flag(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.compile_flags, unescaped(r, rest));
}

static void read_link(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.link_flags, unescaped(r, rest));
}

static void read_allowed(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.allowed, unescaped(r, rest));
}

static void read_argument(reader *r, char *rest)
{
    mz_words_add(&r->trace->settings.arguments, unescaped(r, rest));
}

/* What the settings say about it, with the place in this file. */
static void pass_on(reader *r, mz_error *error)
{
    if (error->set)
        wrong(r, "%s", mz_text_string(&error->message));
    mz_error_release(error);
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
        wrong(r, "main-exit is end or join, not '%.40s'", rest);
}

static void read_unroll(reader *r, char *rest)
{
    r->trace->settings.unroll = (uint64_t)number(r, &rest, 0, UINT32_MAX, "unroll");
    nothing_left(r, rest);
}

static void read_patience(reader *r, char *rest)
{
    char *end;
    double seconds = strtod(rest, &end);
    if (end == rest || *end || !(seconds > 0 && seconds < 1e9))
        wrong(r, "patience: '%.40s' is not a number of seconds", rest);
    r->trace->settings.patience = seconds;
}

static void read_nondet(reader *r, char *rest)
{
    mz_error error = {0};
    mz_settings_set_nondet(&r->trace->settings, rest, &error);
    pass_on(r, &error);
}

static void read_threads(reader *r, char *rest)
{
    mz_text_add(&r->trace->threads, "%s", rest);
}

static void read_shared(reader *r, char *rest)
{
    mz_text_add(&r->trace->shared, "%s%s", r->trace->shared.length ? " " : "", rest);
}

static void read_error(reader *r, char *rest)
{
    mz_failure *failure = &r->trace->problem.failure;
    size_t length = strcspn(rest, " ");
    int kind = 0;
    while (kind < MZ_FAILURE_KIND_COUNT && !is_word(rest, length, mz_failure_name((mz_failure_kind)kind)))
        kind++;
    if (kind == MZ_FAILURE_KIND_COUNT) {
        wrong(r, "unknown kind of error '%.*s'", shown(length), rest);
        return;
    }
    rest += length;
    failure->kind = (mz_failure_kind)kind;
    skip_blanks(&rest);
    failure->thread = (uint32_t)number(r, &rest, 0, MZ_MAX_THREADS - 1, "thread");
    skip_blanks(&rest);
    failure->position.line = (uint32_t)number(r, &rest, 0, UINT32_MAX, "line");
    if (*rest == ':')
        rest++;
    failure->position.column = (uint32_t)number(r, &rest, 0, UINT32_MAX, "column");
    if (r->error->set)
        return;
    if (*rest && *rest != ' ')
        nothing_left(r, rest);
    skip_blanks(&rest);
    failure->position.file = *rest ? unescaped(r, rest) : NULL;
}

static void read_message(reader *r, char *rest)
{
    mz_text_add(&r->trace->problem.failure.message, "%s", unescaped(r, rest));
}

static void read_found_after(reader *r, char *rest)
{
    r->trace->problem.original_steps = (size_t)number(r, &rest, 0, INT64_MAX, "steps");
    nothing_left(r, rest);
}

static void read_initial_choices(reader *r, char *rest)
{
    r->trace->problem.initial_choices = read_choices(r, &rest);
    nothing_left(r, rest);
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
        wrong(r, "a place is FILE:LINE:COLUMN");
        return;
    }
    *line++ = '\0';
    position->file = unescaped(r, place);
    position->line = (uint32_t)number(r, &line, 0, UINT32_MAX, "line");
    position->column = (uint32_t)number(r, &column, 0, UINT32_MAX, "column");
    nothing_left(r, line);
    nothing_left(r, column);
}

static void read_step(reader *r, char *rest)
{
    mz_problem *p = &r->trace->problem;
    mz_witness_step step = {.first_choice = p->choice_count};
    char *what = next_part(&rest), *place = next_part(&rest), *text = next_part(&rest),
         *effect = next_part(&rest);
    step.thread = (uint32_t)number(r, &what, 0, MZ_MAX_THREADS - 1, "thread");
    skip_blanks(&what);
    if (strcmp(what, "-") == 0)
        what++;
    else if (*what)
        step.choice_count = read_choices(r, &what);
    nothing_left(r, what);
    if (rest)
        wrong(r, "a step has four parts, not more");
    if (place)
        read_place(r, place, &step.position);
    if (text && *text)
        step.text = mz_copy_string(unescaped(r, text));
    if (effect)
        step.effect = mz_copy_string(unescaped(r, effect));
    p->steps = mz_grow(p->steps, &r->step_capacity, p->step_count + 1, sizeof *p->steps);
    p->steps[p->step_count++] = step;
}

static void read_end(reader *r, char *rest)
{
    nothing_left(r, rest);
    r->ended = true;
}

enum { NEEDED = 1, REPEATED = 2 };

static const struct {
    const char *name;
    void (*read)(reader *, char *);
    unsigned how;
} keys[] = {
    {"machine", read_machine, NEEDED},
    {"file", read_file_name, NEEDED | REPEATED},
    {"compiler", read_compiler, 0},
    {"flag", read_flag, REPEATED},
    {"link", read_link, REPEATED},
    {"allow", read_allowed, REPEATED},
    {"argument", read_argument, REPEATED},
    {"check", read_check, 0},
    {"main-exit", read_main_exit, 0},
    {"unroll", read_unroll, 0},
    {"patience", read_patience, 0},
    {"nondet", read_nondet, 0},
    {"threads", read_threads, 0},
    {"shared", read_shared, REPEATED},
    {"error", read_error, NEEDED},
    {"message", read_message, 0},
    {"found-after", read_found_after, 0},
    {"choices", read_initial_choices, 0},
    {"step", read_step, REPEATED},
    {"end", read_end, NEEDED},
};
enum { KEYS = sizeof keys / sizeof *keys };

static void read_first_line(reader *r, char *line)
{
    size_t length = strlen(MZ_TRACE_MAGIC);
    if (strncmp(line, MZ_TRACE_MAGIC " ", length + 1) != 0) {
        wrong(r, "not a counterexample: the first line would be '%s %d'", MZ_TRACE_MAGIC, MZ_TRACE_VERSION);
        return;
    }
    char *rest = line + length + 1;
    int64_t version = number(r, &rest, 1, INT64_MAX, "version");
    nothing_left(r, rest);
    if (!r->error->set && version != MZ_TRACE_VERSION)
        wrong(r,
              "version %" PRId64
              " of the format is not known here: this is mazurka %s, which reads version %d",
              version, MZ_VERSION, MZ_TRACE_VERSION);
}

static void read_line(reader *r, char *line)
{
    size_t length = strcspn(line, " ");
    int k = 0;
    if (!*line || *line == '#')
        return;
    while (k < KEYS && !is_word(line, length, keys[k].name))
        k++;
    if (k == KEYS)
        wrong(r, "unknown word '%.*s'", shown(length), line);
    else if (r->ended)
        wrong(r, "something follows 'end'");
    else if ((r->seen & (1u << k)) && !(keys[k].how & REPEATED))
        wrong(r, "'%s' is given twice", keys[k].name);
    else if (r->trace->problem.step_count > 0 && keys[k].read != read_step && keys[k].read != read_end)
        wrong(r, "'%s' has to stand before the steps", keys[k].name);
    if (r->error->set)
        return;
    r->seen |= 1u << k;
    char *rest = line + length;
    skip_blanks(&rest);
    keys[k].read(r, rest);
}

/* What no single line tells. */
static void check_whole(reader *r)
{
    mz_settings *s = &r->trace->settings;
    for (int k = 0; k < KEYS && !r->error->set; k++)
        if ((keys[k].how & NEEDED) && !(r->seen & (1u << k)))
            wrong(r, "there is no line '%s'%s", keys[k].name,
                  keys[k].read == read_end ? ": is the file cut off?" : "");
    if (!r->error->set && !s->native && s->file_count != 1)
        wrong(r, "a model is one file, not %zu", s->file_count);
    for (size_t i = 0; !r->error->set && !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.words[i], "-D", 2) == 0) {
            mz_error error = {0};
            mz_settings_define(s, s->compile_flags.words[i] + 2, &error);
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
    reader r = {.trace = trace, .name = name, .line = 1, .source = "", .error = error};
    char *copy = mz_arena_copy(&trace->strings, text, length), *line = copy, *all = copy + length;
    for (; line < all && !error->set; r.line++) {
        char *end = memchr(line, '\n', (size_t)(all - line));
        char *next = end ? end + 1 : all;
        end = end ? end : all;
        if (end > line && end[-1] == '\r')
            end--;
        *end = '\0';
        r.source = text + (line - copy);
        r.source_length = (size_t)(end - line);
        if (strlen(line) != (size_t)(end - line))
            wrong(&r, "a byte 0 in the line: not a text");
        else if (r.line == 1)
            read_first_line(&r, line);
        else
            read_line(&r, line);
        line = next;
    }
    if (length == 0)
        wrong(&r, "the file is empty");
    r.line -= r.line > 1;
    if (!error->set)
        check_whole(&r);
    return !error->set;
}

bool mz_trace_load(mz_trace *trace, const char *path, mz_error *error)
{
    mz_text text = {0};
    char bytes[65536];
    size_t got;
    *trace = (mz_trace){0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        mz_error_set(error, (mz_position){.file = path}, "cannot open: %s", strerror(errno));
        return false;
    }
    while (text.length <= MZ_TRACE_MOST_BYTES && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        mz_text_add_bytes(&text, bytes, got);
    if (ferror(file))
        mz_error_set(error, (mz_position){.file = path}, "cannot read: %s", strerror(errno));
    else if (text.length > MZ_TRACE_MOST_BYTES)
        mz_error_set(error, (mz_position){.file = path}, "larger than %u MiB: not a counterexample",
                     MZ_TRACE_MOST_BYTES >> 20);
    else
        mz_trace_parse(trace, path, mz_text_string(&text), text.length, error);
    fclose(file);
    mz_text_release(&text);
    return !error->set;
}

void mz_trace_release(mz_trace *trace)
{
    mz_settings_release(&trace->settings);
    mz_text_release(&trace->threads);
    mz_text_release(&trace->shared);
    mz_problem_release(&trace->problem);
    mz_arena_release(&trace->strings);
}
