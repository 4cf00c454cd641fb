/* Counterexample files: their text, and the files of a check. */
#include "base/file.h"
#include "session/settings/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "wire/trace.h"

/* ---- the text --------------------------------------------------------------------------------------------
 */

static void add_words(mz_text *out, const char *key, const mz_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        mz_add_line(out, key, words->items[i]);
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

/* Those of the file are read again. */
static void add_suppressions(mz_text *out, const mz_suppressions *s)
{
    for (size_t i = 0; i < s->count; i++) {
        mz_text text = {0};
        mz_suppression_text(&s->entries[i], &text);
        if (!s->file || s->entries[i].file != s->file)
            mz_add_line(out, "suppress", mz_text_string(&text));
        mz_text_release(&text);
    }
}

static void add_native(mz_text *out, const mz_settings *s, const mz_trace_native *native)
{
    mz_text_add(out, "main-exit %s\nunroll %" PRIu32 "\n", s->join_at_exit ? "join" : "end", s->unroll);
    for (size_t i = 0; i < s->unroll_place_count; i++) {
        const mz_unroll_place *place = &s->unroll_places[i];
        mz_text_add(out, "unroll-at %s:%" PRIu32 ":%" PRIu32 "\n", place->file, place->line, place->count);
    }
    if (s->search.all_errors)
        mz_text_add(out, "after-races go-on\n");
    if (s->spurious)
        mz_text_add(out, "spurious yes\n");
    if (s->volatile_is_atomic)
        mz_text_add(out, "volatile atomic\n");
    if (s->reuses > 0)
        mz_text_add(out, "heap-reuse %" PRIu32 "\n", s->reuses);
    if (s->patience > 0)
        mz_text_add(out, "patience %g\n", s->patience);
    if (s->suppressions.file)
        mz_add_line(out, "suppressions", s->suppressions.file);
    add_suppressions(out, &s->suppressions);
    if (s->plain_accesses != MZ_PLAIN_IS_LOCAL)
        mz_text_add(out, "plain-accesses %s\n",
                    s->plain_accesses == MZ_PLAIN_IS_EVENT ? "events" : "unchecked");
    for (size_t i = 0; i < s->world.count; i++)
        mz_add_line(out, "world", s->world.items[i]);
    mz_text_add(out, "nondet %" PRId64 "..%" PRId64 "\n", s->nondet_low, s->nondet_high);
    if (native->threads[0])
        mz_text_add(out, "threads %s\n", native->threads);
    add_places(out, native->shared);
}

static void add_step(mz_text *out, const mz_report_step *step)
{
    mz_text_add(out, "step %u %s | ", step->thread, step->choices[0] ? step->choices : "-");
    if (step->position.file) {
        mz_add_escaped(out, step->position.file);
        mz_text_add(out, ":%u:%u", step->position.line, step->position.column);
    }
    mz_text_add(out, " | ");
    mz_add_escaped(out, step->text);
    mz_text_add(out, " | ");
    mz_add_escaped(out, step->effect);
    mz_text_add(out, "\n");
}

static void add_source(mz_text *out, mz_words *told, const char *file)
{
    char digits[MZ_SHA256_DIGITS + 1];
    mz_text bytes = {0};
    bool known = !file;
    for (size_t i = 0; file && i < told->count; i++)
        known |= strcmp(told->items[i], file) == 0;
    if (known)
        return;
    mz_words_add(told, file);
    if (mz_file_read(file, MZ_FILE_ANY_SIZE - 1, &bytes)) {
        mz_sha256(mz_text_string(&bytes), bytes.length, digits);
        mz_text_add(out, "source %s ", digits);
        mz_add_escaped(out, file);
        mz_text_add(out, "\n");
    }
    mz_text_release(&bytes);
}

/* A line each. */
static void add_sources(mz_text *out, mz_words *told, const char *files)
{
    for (const char *end; files && (end = strchr(files, '\n')); files = end + 1) {
        char *file = mz_copy_bytes(files, (size_t)(end - files));
        add_source(out, told, file);
        mz_release(file);
    }
}

/* What it was made of: its files, those in which its steps stand, and all others of the debug information. */
static void add_origin(mz_text *out, const mz_settings *s, const char *file, const mz_report_error *e,
                       const char *others)
{
    char directory[PATH_MAX];
    mz_words told = {0};
    if (getcwd(directory, sizeof directory))
        mz_add_line(out, "directory", directory);
    for (size_t i = 0; file ? i < 1 : i < s->file_count; i++)
        add_source(out, &told, file ? file : s->files[i]);
    for (size_t i = 0; i < e->step_count; i++)
        add_source(out, &told, e->steps[i].position.file);
    add_source(out, &told, e->position.file);
    add_sources(out, &told, others);
    mz_words_release(&told);
}

static void add_body(const mz_settings *s, const char *file, const mz_trace_native *native,
                     const mz_report_error *e, mz_text *out)
{
    mz_text_add(out, "# a counterexample: 'mazurka replay' with the name of this file shows it again\n");
    mz_text_add(out, "machine %s\n", native ? "native" : "dlang");
    add_origin(out, s, file, e, native ? native->sources : NULL);
    for (size_t i = 0; file ? i < 1 : i < s->file_count; i++)
        mz_add_line(out, "file", file ? file : s->files[i]);
    if (s->compiler)
        mz_add_line(out, "compiler", s->compiler);
    add_words(out, "flag", &s->compile_flags);
    add_words(out, "link", &s->link_flags);
    add_words(out, "allow", &s->allowed);
    add_words(out, "entry", &s->entries);
    if (s->entry_setup)
        mz_add_line(out, "entry-setup", s->entry_setup);
    if (s->entry_finally)
        mz_add_line(out, "entry-finally", s->entry_finally);
    if (s->client) {
        add_words(out, "operation", &s->operations);
        mz_text_add(out, "client %" PRIu32 " %s\ncriterion %d %" PRIu32 "\n", s->client_threads, s->client,
                    (int)s->criterion, s->out_of_order);
        add_words(out, "relaxed", &s->relaxed);
        add_words(out, "blocking", &s->blocking);
        if (s->specification)
            mz_add_line(out, "specification", s->specification);
    }
    add_words(out, "argument", &s->arguments);
    add_checks(out, s->search.checks);
    if (native)
        add_native(out, s, native);
    else if (s->search.memory == MZ_MEMORY_TSO)
        mz_text_add(out, "memory tso\n");
    mz_text_add(out, "error %s %u %u:%u ", mz_failure_name(e->kind), e->thread, e->position.line,
                e->position.column);
    mz_add_escaped(out, e->position.file ? e->position.file : "");
    mz_text_add(out, "\n");
    if (e->other.file) {
        mz_text_add(out, "other %u:%u ", e->other.line, e->other.column);
        mz_add_escaped(out, e->other.file);
        mz_text_add(out, "\n");
    }
    mz_add_line(out, "message", e->message);
    mz_text_add(out, "found-after %zu\n", e->original_steps);
    if (e->initial_choices[0])
        mz_text_add(out, "choices %s\n", e->initial_choices);
    mz_text_add(out, "\n# step thread choices | where | what | what it read and wrote\n");
    for (size_t i = 0; i < e->step_count; i++)
        add_step(out, &e->steps[i]);
    mz_text_add(out, "end\n");
}

void mz_trace_text(const mz_settings *s, const char *file, const mz_trace_native *native,
                   const mz_report_error *e, mz_text *out)
{
    char digits[MZ_SHA256_DIGITS + 1];
    mz_text body = {0};
    add_body(s, file, native, e, &body);
    mz_sha256(mz_text_string(&body), body.length, digits);
    mz_text_add(out, "%s %d %s\n", MZ_TRACE_MAGIC, MZ_TRACE_VERSION, digits);
    mz_text_add_bytes(out, mz_text_string(&body), body.length);
    mz_text_release(&body);
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
        if (strcmp(files->written.items[i], name) == 0)
            return true;
    return false;
}

static bool write_file(const char *name, const mz_text *text)
{
    bool written = mz_file_write(name, mz_text_string(text), text->length);
    if (!written)
        fprintf(stderr, "%s: warning: the counterexample cannot be written: %s\n", name, strerror(errno));
    return written;
}

static void write_one(mz_trace_files *files, const mz_settings *s, const char *file,
                      const mz_trace_native *native, const mz_report *report, mz_report_error *e)
{
    mz_text name = {0}, text = {0};
    size_t serial = 1;
    do
        name_file(s, report->program, serial++, &name);
    while (is_written(files, mz_text_string(&name)));
    mz_trace_text(s, file, native, e, &text);
    if (write_file(mz_text_string(&name), &text)) {
        mz_words_add(&files->written, mz_text_string(&name));
        e->trace = files->written.items[files->written.count - 1];
    }
    mz_text_release(&name);
    mz_text_release(&text);
}

void mz_trace_write_all(mz_trace_files *files, const mz_settings *s, const char *file,
                        const mz_trace_native *native, mz_report *report)
{
    if (s->trace && strcmp(s->trace, "none") == 0)
        return;
    for (size_t i = 0; i < report->error_count; i++)
        write_one(files, s, file, native, report, &report->errors[i]);
    if (report->way)
        write_one(files, s, file, native, report, report->way);
}

void mz_trace_files_release(mz_trace_files *files)
{
    mz_words_release(&files->written);
}
