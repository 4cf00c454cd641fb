
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/describe/suppressions.h"

static const char *const kind_names[] = {
#define MZ_X(constant, name) name,
    MZ_SUPPRESSION_KINDS(MZ_X)
#undef MZ_X
};

/* ---- reading ------------------------------------------------------------------------------------------ */

static const char blanks[] = " \t\r";

/* The line without blanks at its ends. */
static char *trim(char *text)
{
    text += strspn(text, blanks);
    for (size_t length = strlen(text); length > 0 && strchr(blanks, text[length - 1]);)
        text[--length] = 0;
    return text;
}

/* Where the reason begins: at the first # after a blank. */
static char *find_reason(char *text)
{
    for (char *mark = strchr(text, '#'); mark; mark = strchr(mark + 1, '#'))
        if (mark > text && strchr(blanks, mark[-1]))
            return mark;
    return NULL;
}

static void wrong(mz_error *error, const char *file, uint32_t line, const char *begin, const char *at,
                  const char *what, const char *source)
{
    mz_position position = {.file = file, .line = line, .column = (uint32_t)(at - begin) + 1};
    mz_error_set(error, line ? position : (mz_position){.file = file}, "%s", what);
    mz_error_set_source(error, source, strlen(source));
    mz_error_set_hint(error,
                      "an entry is KIND:PATTERN # REASON, for example race:stats_* # may be approximate; "
                      "kinds are race, lock-order, lock-kept, wait-once, signal-unlocked, leak");
}

static bool find_kind(const char *word, size_t length, mz_suppression_kind *kind)
{
    for (int k = 0; k < MZ_SUPPRESSION_KIND_COUNT; k++)
        if (strlen(kind_names[k]) == length && strncmp(kind_names[k], word, length) == 0) {
            *kind = (mz_suppression_kind)k;
            return true;
        }
    return false;
}

/* cache.c:31: the line is cut off. */
static uint32_t take_line(char *pattern)
{
    char *colon = strrchr(pattern, ':'), *end;
    if (!colon || colon == pattern || colon[1] < '1' || colon[1] > '9')
        return 0;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || line > UINT32_MAX)
        return 0;
    *colon = '\0';
    return (uint32_t)line;
}

/* One line, which is changed. */
static void read_line(mz_suppressions *s, char *line, const char *file, uint32_t number, mz_error *error)
{
    char *source = mz_copy_string(line), *word = line + strspn(line, blanks);
    if (*word && *word != '#') {
        mz_suppression entry = {.file = file, .line = number};
        char *colon = strchr(word, ':'), *reason = find_reason(word);
        const char *what = NULL, *at = word;
        if (!colon || (reason && reason < colon)) {
            what = "a suppression begins with a kind and a colon";
        } else if (!find_kind(word, (size_t)(colon - word), &entry.kind)) {
            what = "there is no such kind of suppression";
        } else if (!reason || !*trim(reason + 1)) {
            what = "the suppression has no reason";
            at = reason ? reason : word + strlen(word);
        } else {
            *reason = 0;
            entry.pattern = trim(colon + 1);
            entry.reason = trim(reason + 1);
            at = colon + 1;
            what = *entry.pattern ? NULL : "the suppression has no pattern";
        }
        if (what) {
            wrong(error, file, number, line, at, what, source);
        } else {
            entry.pattern = mz_copy_string(entry.pattern);
            entry.at_line = take_line(entry.pattern);
            entry.reason = mz_copy_string(entry.reason);
            s->entries = mz_grow(s->entries, &s->capacity, s->count + 1, sizeof *s->entries);
            s->entries[s->count++] = entry;
        }
    }
    mz_release(source);
}

bool mz_suppressions_read(mz_suppressions *s, const char *file, mz_error *error)
{
    s->file = file;
    FILE *stream = fopen(file, "r");
    mz_text line = {0};
    uint32_t number = 0;
    int c = stream ? 0 : EOF;
    if (!stream)
        mz_error_set(error, (mz_position){.file = file}, "cannot be read: %s", strerror(errno));
    while (c != EOF && !error->set) {
        mz_text_clear(&line);
        while ((c = getc(stream)) != EOF && c != '\n')
            mz_text_add_bytes(&line, &(char){(char)c}, 1);
        char *copy = mz_copy_string(mz_text_string(&line));
        read_line(s, copy, file, ++number, error);
        mz_release(copy);
    }
    if (stream && ferror(stream) && !error->set)
        mz_error_set(error, (mz_position){.file = file}, "cannot be read: %s", strerror(errno));
    if (stream)
        fclose(stream);
    mz_text_release(&line);
    return !error->set;
}

void mz_suppressions_add(mz_suppressions *s, const char *text, const char *file, uint32_t line,
                         mz_error *error)
{
    char *copy = mz_copy_string(text);
    size_t before = s->count;
    read_line(s, copy, file, line, error);
    if (s->count == before && !error->set)
        mz_error_set(error, (mz_position){.file = file, .line = line}, "the suppression is empty");
    mz_release(copy);
}

void mz_suppressions_release(mz_suppressions *s)
{
    for (size_t i = 0; i < s->count; i++) {
        mz_release(s->entries[i].pattern);
        mz_release(s->entries[i].reason);
    }
    mz_release(s->entries);
    *s = (mz_suppressions){0};
}

/* ---- asking ------------------------------------------------------------------------------------------- */

static bool fits(const mz_suppression *entry, const mz_suppression_name *name)
{
    return name->name && (entry->at_line == 0 || entry->at_line == name->line) &&
           fnmatch(entry->pattern, name->name, 0) == 0;
}

bool mz_suppressed(mz_suppressions *s, mz_suppression_kind kind, const mz_suppression_name *names,
                   size_t count)
{
    for (size_t i = 0; s && i < s->count; i++)
        for (size_t n = 0; n < count && s->entries[i].kind == kind; n++)
            if (fits(&s->entries[i], &names[n])) {
                s->entries[i].used++;
                return true;
            }
    return false;
}

static void add_pattern(const mz_suppression *e, mz_text *out)
{
    mz_text_add(out, "%s:%s", kind_names[e->kind], e->pattern);
    if (e->at_line > 0)
        mz_text_add(out, ":%u", e->at_line);
}

static const char unused[] = ") is not used: ";

void mz_suppression_describe(const mz_suppressions *s, size_t entry, mz_text *out)
{
    const mz_suppression *e = &s->entries[entry];
    add_pattern(e, out);
    mz_text_add(out, " (%s", e->file);
    if (e->line > 0)
        mz_text_add(out, ":%u", e->line);
    if (e->used == 0)
        mz_text_add(out, "%s%s", unused, e->reason);
    else
        mz_text_add(out, ") is suppressed (%llu found): %s", (unsigned long long)e->used, e->reason);
}

bool mz_suppression_is_unused(const char *description)
{
    for (int k = 0; k < MZ_SUPPRESSION_KIND_COUNT; k++) {
        size_t length = strlen(kind_names[k]);
        if (strncmp(description, kind_names[k], length) == 0 && description[length] == ':')
            return strstr(description, unused) != NULL;
    }
    return false;
}

void mz_suppression_text(const mz_suppression *e, mz_text *out)
{
    add_pattern(e, out);
    mz_text_add(out, " # %s", e->reason);
}
