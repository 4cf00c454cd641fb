#include "session/sources.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum { MOST_BYTES = 16 << 20 };

/* ---- one statement of a line ----------------------------------------------------------------------------
 *
 * Several statements may stand on one line; which one is meant, the column tells. No grammar: quotes and
 * parentheses are enough. */

typedef struct reader {
    const char *line;
    size_t at;
    int depth;  /* of parentheses */
    char quote; /* in which it is; 0: none */
} reader;

/* The next character that is neither quoted nor in parentheses; '\0' at the end and at a comment. */
static char next_outside(reader *r)
{
    while (r->line[r->at]) {
        char c = r->line[r->at++];
        bool was_quoted = r->quote;
        if (c == '\\' && r->line[r->at])
            r->at++;
        else if (r->quote)
            r->quote = c == r->quote ? 0 : r->quote;
        else if (c == '"' || c == '\'')
            r->quote = c;
        else if (c == '/' && (r->line[r->at] == '/' || r->line[r->at] == '*'))
            break;
        else if (strchr("([", c))
            r->depth++;
        else if (strchr(")]", c))
            r->depth -= r->depth > 0;
        if (!was_quoted && !r->quote && r->depth == 0)
            return c;
    }
    return '\0';
}

static bool ends_statement(char c)
{
    return c == ';' || c == '{' || c == '}';
}

/* From its first character up to behind its last one. */
static void find_statement(const char *line, size_t column, size_t *begin, size_t *end)
{
    reader r = {.line = line};
    size_t next = 0;
    char c;
    do {
        *begin = next;
        do {
            c = next_outside(&r);
        } while (c && !ends_statement(c));
        next = r.at;
    } while (c && next < column);
    *end = c == ';' ? next : next - (next > *begin && c);
    if (!c) /* without a comment */
        *end = line[r.at] ? r.at - 1 : r.at;
}

/* Blanks as one, nothing that a terminal obeys. */
static char *readable(const char *text, size_t length)
{
    char *copy = mz_allocate(length + 1);
    size_t to = 0;
    for (size_t from = 0; from < length; from++) {
        char c = text[from] == '\t' || text[from] == '\r' ? ' ' : text[from];
        if ((unsigned char)c >= 32 && c != 127 && (c != ' ' || (to > 0 && copy[to - 1] != ' ')))
            copy[to++] = c;
    }
    while (to > 0 && copy[to - 1] == ' ')
        to--;
    copy[to] = '\0';
    return copy;
}

static char *statement_at(const char *line, uint32_t column)
{
    size_t begin = 0, end = strlen(line);
    if (column > 0 && column <= end)
        find_statement(line, column, &begin, &end);
    else
        for (reader r = {.line = line}; next_outside(&r);)
            end = r.at;
    begin += strspn(line + begin, " \t}");
    return readable(line + begin, end > begin ? end - begin : 0);
}

static void split_lines(mz_report_source *file, char *bytes, size_t length)
{
    char *end = bytes + length;
    size_t capacity = 0;
    for (char *line = bytes; line < end;) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        *next = '\0';
        file->lines = mz_grow(file->lines, &capacity, file->line_count + 1, sizeof *file->lines);
        file->lines[file->line_count++] = line;
        line = next + 1;
    }
}

static const mz_report_source *source_of(mz_sources *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->files[i].name, name) == 0)
            return &s->files[i];
    s->files = mz_grow(s->files, &s->capacity, s->count + 1, sizeof *s->files);
    s->bytes = mz_grow(s->bytes, &s->byte_capacity, s->count + 1, sizeof *s->bytes);
    mz_report_source *file = &s->files[s->count];
    mz_text text = {0};
    *file = (mz_report_source){.name = mz_copy_string(name)};
    mz_file_read(name, MOST_BYTES, &text);
    if (text.length > 0)
        split_lines(file, text.bytes, text.length);
    s->bytes[s->count++] = text.bytes;
    return file;
}

static void show(mz_sources *sources, mz_report_step *step)
{
    if (!step->position.file || step->position.line == 0)
        return;
    const mz_report_source *file = source_of(sources, step->position.file);
    if (step->position.line > file->line_count)
        return;
    char *statement = statement_at(file->lines[step->position.line - 1], step->position.column);
    mz_words_add(&sources->statements, statement);
    mz_release(statement);
    const char *kept = sources->statements.items[sources->statements.count - 1];
    step->source = kept[0] ? kept : NULL;
}

static void show_steps(mz_sources *sources, const mz_report_error *e)
{
    for (size_t i = 0; i < e->step_count; i++)
        show(sources, &e->steps[i]);
    for (size_t i = 0; i < e->moment_count; i++)
        show(sources, &e->moments[i].row);
    for (size_t i = 0; i < e->passing_count; i++)
        show(sources, &e->passing[i]);
}

void mz_sources_show(mz_sources *sources, mz_report *report)
{
    for (size_t i = 0; i < report->error_count; i++)
        show_steps(sources, &report->errors[i]);
    if (report->way)
        show_steps(sources, report->way);
}

static void load(mz_sources *sources, const mz_position *position)
{
    if (position->file)
        source_of(sources, position->file);
}

void mz_sources_hand(mz_sources *sources, mz_report *reports, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i].error_count; k++) {
            const mz_report_error *e = &reports[i].errors[k];
            load(sources, &e->position);
            for (size_t at = 0; at < e->step_count; at++)
                load(sources, &e->steps[at].position);
            for (size_t at = 0; at < e->moment_count; at++)
                load(sources, &e->moments[at].row.position);
            for (size_t at = 0; at < e->passing_count; at++)
                load(sources, &e->passing[at].position);
        }
    for (size_t i = 0; i < count; i++) { /* now that they do not move any more */
        reports[i].sources = sources->files;
        reports[i].source_count = sources->count;
    }
}

void mz_sources_release(mz_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        mz_release((char *)(uintptr_t)sources->files[i].name);
        mz_release(sources->bytes[i]);
        mz_release(sources->files[i].lines);
    }
    mz_release(sources->bytes);
    mz_release(sources->files);
    mz_words_release(&sources->statements);
}
