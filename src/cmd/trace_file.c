#include "cmd/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "wire/trace.h"

/* ---- writing ---------------------------------------------------------------------------------------------
 */

/* Readable text as it is, everything else as \… */
static void add_escaped(mz_text *out, const char *text)
{
    size_t length = strlen(text), bytes;
    for (size_t i = 0; i < length; i += bytes) {
        unsigned char c = (unsigned char)text[i];
        bytes = mz_utf8_bytes(text + i, length - i);
        if (c == '\\' || c == '|')
            mz_text_add(out, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t')
            mz_text_add(out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (bytes == 0 || c < 32 || c == 127 || (c == ' ' && (i == 0 || i + 1 == length)))
            mz_text_add(out, "\\x%02x", c);
        else
            mz_text_add_bytes(out, text + i, bytes);
        if (bytes == 0)
            bytes = 1;
    }
}

static void add_line(mz_text *out, const char *key, const char *text)
{
    mz_text_add(out, "%s ", key);
    add_escaped(out, text);
    mz_text_add(out, "\n");
}

static void add_words(mz_text *out, const char *key, const mz_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        add_line(out, key, words->words[i]);
}

static void add_checks(mz_text *out, uint32_t checks)
{
    bool first = true;
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        if (checks & (1u << kind)) {
            mz_text_add(out, "%s%s", first ? "check " : ",", mz_failure_check_name((mz_failure_kind)kind));
            first = false;
        }
    mz_text_add(out, "%s", first ? "" : "\n");
}

/* Words of a list that may be long: some per line. */
static void add_places(mz_text *out, const char *places)
{
    enum { WIDE = 100 };
    while (*places) {
        size_t length = strlen(places);
        if (length > WIDE) {
            length = WIDE;
            while (places[length] && places[length] != ' ')
                length++;
        }
        mz_text_add(out, "shared %.*s\n", (int)length, places);
        places += length + strspn(places + length, " ");
    }
}

static void add_native(mz_text *out, const mz_settings *s, const mz_trace_native *native)
{
    mz_text_add(out, "main-exit %s\nunroll %" PRIu64 "\n", s->join_at_exit ? "join" : "end", s->unroll);
    if (s->patience > 0)
        mz_text_add(out, "patience %g\n", s->patience);
    mz_text_add(out, "nondet %" PRId64 "..%" PRId64 "\n", s->nondet_low, s->nondet_high);
    if (native->threads[0])
        mz_text_add(out, "threads %s\n", native->threads);
    add_places(out, native->shared);
}

static void add_step(mz_text *out, const mz_report_step *step)
{
    mz_text_add(out, "step %u %s | ", step->thread, step->choices[0] ? step->choices : "-");
    if (step->position.file) {
        add_escaped(out, step->position.file);
        mz_text_add(out, ":%u:%u", step->position.line, step->position.column);
    }
    mz_text_add(out, " | ");
    add_escaped(out, step->text);
    mz_text_add(out, " | ");
    add_escaped(out, step->effect);
    mz_text_add(out, "\n");
}

void mz_trace_text(const mz_settings *s, const char *file, const mz_trace_native *native,
                   const mz_report_error *e, mz_text *out)
{
    mz_text_add(out, "%s %d\n", MZ_TRACE_MAGIC, MZ_TRACE_VERSION);
    mz_text_add(out, "# a counterexample: 'mazurka replay' with the name of this file shows it again\n");
    mz_text_add(out, "machine %s\n", native ? "native" : "dlang");
    for (size_t i = 0; file ? i < 1 : i < s->file_count; i++)
        add_line(out, "file", file ? file : s->files[i]);
    if (s->compiler)
        add_line(out, "compiler", s->compiler);
    add_words(out, "flag", &s->compile_flags);
    add_words(out, "link", &s->link_flags);
    add_words(out, "argument", &s->arguments);
    add_checks(out, s->search.checks);
    if (native)
        add_native(out, s, native);
    mz_text_add(out, "error %s %u %u:%u ", mz_failure_name(e->kind), e->thread, e->position.line,
                e->position.column);
    add_escaped(out, e->position.file ? e->position.file : "");
    mz_text_add(out, "\n");
    add_line(out, "message", e->message);
    mz_text_add(out, "found-after %zu\n", e->original_steps);
    if (e->initial_choices[0])
        mz_text_add(out, "choices %s\n", e->initial_choices);
    mz_text_add(out, "\n# step thread choices | where | what | what it read and wrote\n");
    for (size_t i = 0; i < e->step_count; i++)
        add_step(out, &e->steps[i]);
    mz_text_add(out, "end\n");
}

/* ---- reading ---------------------------------------------------------------------------------------------
 */

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
        wrong(r, "%s: '%.*s' is not a number from %" PRId64 " to %" PRId64, what,
              (int)(length < 40 ? length : 40), *text, low, high);
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
    while (kind < MZ_FAILURE_KIND_COUNT &&
           (strlen(mz_failure_name((mz_failure_kind)kind)) != length ||
            strncmp(rest, mz_failure_name((mz_failure_kind)kind), length) != 0))
        kind++;
    if (kind == MZ_FAILURE_KIND_COUNT) {
        wrong(r, "unknown kind of error '%.*s'", (int)(length < 40 ? length : 40), rest);
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

/* key, function, may it be repeated */
static const struct {
    const char *name;
    void (*read)(reader *, char *);
    bool repeated, needed;
} keys[] = {
    {"machine", read_machine, false, true},
    {"file", read_file_name, true, true},
    {"compiler", read_compiler, false, false},
    {"flag", read_flag, true, false},
    {"link", read_link, true, false},
    {"argument", read_argument, true, false},
    {"check", read_check, false, false},
    {"main-exit", read_main_exit, false, false},
    {"unroll", read_unroll, false, false},
    {"patience", read_patience, false, false},
    {"nondet", read_nondet, false, false},
    {"threads", read_threads, false, false},
    {"shared", read_shared, true, false},
    {"error", read_error, false, true},
    {"message", read_message, false, false},
    {"found-after", read_found_after, false, false},
    {"choices", read_initial_choices, false, false},
    {"step", read_step, true, false},
    {"end", read_end, false, true},
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
    while (k < KEYS && (strlen(keys[k].name) != length || strncmp(line, keys[k].name, length) != 0))
        k++;
    if (k == KEYS)
        wrong(r, "unknown word '%.*s'", (int)(length < 40 ? length : 40), line);
    else if (r->ended)
        wrong(r, "something follows 'end'");
    else if ((r->seen & (1u << k)) && !keys[k].repeated)
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
        if (keys[k].needed && !(r->seen & (1u << k)))
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

/* ---- the files of a check --------------------------------------------------------------------------------
 */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* bank.mzt, bank-2.mzt, … after bank.c; what was asked for with --trace, numbered in the same way. */
static void name_file(const mz_settings *s, const char *program, size_t serial, mz_text *out)
{
    const char *path = s->trace ? s->trace : base_name(program);
    const char *dot = strrchr(base_name(path), '.');
    size_t stem = dot && dot > base_name(path) ? (size_t)(dot - path) : strlen(path);
    mz_text_clear(out);
    mz_text_add(out, "%s%.*s", path[0] == '-' ? "./" : "", (int)stem, path);
    if (serial > 1)
        mz_text_add(out, "-%zu", serial);
    mz_text_add(out, "%s", s->trace ? path + stem : ".mzt");
}

static bool is_written(const mz_trace_files *files, const char *name)
{
    for (size_t i = 0; i < files->written.count; i++)
        if (strcmp(files->written.words[i], name) == 0)
            return true;
    return false;
}

static bool write_file(const char *name, const mz_text *text)
{
    FILE *file = fopen(name, "wb");
    bool written = file && fwrite(mz_text_string(text), 1, text->length, file) == text->length;
    int trouble = errno;
    if (file && fclose(file) != 0) {
        written = false;
        trouble = errno;
    }
    if (!written)
        fprintf(stderr, "%s: warning: the counterexample cannot be written: %s\n", name, strerror(trouble));
    return written;
}

void mz_trace_write_all(mz_trace_files *files, const mz_settings *s, const char *file,
                        const mz_trace_native *native, mz_report *report)
{
    mz_text name = {0}, text = {0};
    if (s->trace && strcmp(s->trace, "none") == 0)
        return;
    for (size_t i = 0; i < report->error_count; i++) {
        mz_report_error *e = &report->errors[i];
        size_t serial = 1;
        do
            name_file(s, report->program, serial++, &name);
        while (is_written(files, mz_text_string(&name)));
        mz_text_clear(&text);
        mz_trace_text(s, file, native, e, &text);
        if (write_file(mz_text_string(&name), &text)) {
            mz_words_add(&files->written, mz_text_string(&name));
            e->trace = files->written.words[files->written.count - 1];
        }
    }
    mz_text_release(&name);
    mz_text_release(&text);
}

void mz_trace_files_release(mz_trace_files *files)
{
    mz_words_release(&files->written);
}
