#include "session/sources.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum { MOST_BYTES = 16 << 20 };

/* Without blanks and comments around it, tabs as blanks: for one cell of a table. */
static char *trimmed(char *line)
{
    line += strspn(line, " \t}");
    char *comment = strstr(line, "//");
    if (comment && comment > line && !strchr(line, '"'))
        *comment = '\0';
    size_t length = strlen(line), from = 0, to = 0;
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        length--;
    for (; from < length; from++) {
        char c = line[from] == '\t' ? ' ' : line[from];
        if ((unsigned char)c >= 32 && c != 127 && (c != ' ' || (to > 0 && line[to - 1] != ' ')))
            line[to++] = c;
    }
    line[to] = '\0';
    return line;
}

static void split_lines(mz_source *file, size_t length)
{
    char *end = file->bytes + length;
    for (char *line = file->bytes; line < end;) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        *next = '\0';
        file->lines = mz_grow(file->lines, &file->line_capacity, file->line_count + 1, sizeof *file->lines);
        file->lines[file->line_count++] = trimmed(line);
        line = next + 1;
    }
}

static void read_source(mz_source *file)
{
    mz_text text = {0};
    mz_file_read(file->name, MOST_BYTES, &text);
    file->bytes = text.bytes;
    if (text.length > 0)
        split_lines(file, text.length);
}

static const mz_source *source_of(mz_sources *sources, const char *name)
{
    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->files[i].name, name) == 0)
            return &sources->files[i];
    sources->files = mz_grow(sources->files, &sources->capacity, sources->count + 1, sizeof *sources->files);
    mz_source *file = &sources->files[sources->count++];
    *file = (mz_source){.name = mz_copy_string(name)};
    read_source(file);
    return file;
}

static void show_steps(mz_sources *sources, const mz_report_error *e)
{
    for (size_t i = 0; i < e->step_count; i++) {
        mz_report_step *step = &e->steps[i];
        if (!step->position.file || step->position.line == 0)
            continue;
        const mz_source *file = source_of(sources, step->position.file);
        const char *line =
            step->position.line <= file->line_count ? file->lines[step->position.line - 1] : "";
        step->source = line[0] ? line : NULL;
    }
}

void mz_sources_show(mz_sources *sources, mz_report *report)
{
    for (size_t i = 0; i < report->error_count; i++)
        show_steps(sources, &report->errors[i]);
    if (report->way)
        show_steps(sources, report->way);
}

void mz_sources_release(mz_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        mz_release(sources->files[i].name);
        mz_release(sources->files[i].bytes);
        mz_release(sources->files[i].lines);
    }
    mz_release(sources->files);
}
