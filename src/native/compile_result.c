/* What a linked program says about itself: what the compile step noted, and what it leaves undefined. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "native/compile.h"
#include "native/compile_internal.h"

/* The fields of a note after its kind; the text is cut into strings in place. */
static bool next_field(char **at, char **field)
{
    if (!*at)
        return false;
    *field = *at;
    char *tab = strchr(*at, '\t');
    if (tab)
        *tab++ = 0;
    *at = tab;
    return true;
}

static void use_assembly_note(mz_compiled *out, mz_text *warnings, char *rest)
{
    char *file, *line, *column, *function;
    if (!next_field(&rest, &file) || !next_field(&rest, &line) || !next_field(&rest, &column) ||
        !next_field(&rest, &function))
        return;
    out->inline_assembly = true;
    if (*function)
        mz_text_add(
            warnings,
            "%s:%s: warning: function '%s' contains inline assembly, which cannot be seen: its memory "
            "accesses are not checked\n",
            file, line, function);
    else
        mz_text_add(
            warnings,
            "%s: warning: the file contains assembly, which cannot be seen: its memory accesses are not "
            "checked\n",
            file);
}

/* The line a position points at, for the message; not there any more: the message goes without. */
static void add_source_line(mz_error *error, const char *file, unsigned long line)
{
    mz_text text = {0};
    if (mz__read_file(file, &text)) {
        const char *at = mz_text_string(&text);
        for (unsigned long i = 1; i < line && at; i++) {
            at = strchr(at, '\n');
            at = at ? at + 1 : NULL;
        }
        if (at)
            mz_error_set_source(error, at, strcspn(at, "\r\n"));
    }
    mz_text_release(&text);
}

typedef struct call_note {
    char *file, *line, *column, *name;
} call_note;

static bool is_stream(const char *name)
{
    static const char *const streams[] = {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin"};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (strcmp(name, streams[i]) == 0)
            return true;
    return false;
}

static void refuse_call(const char *name, const call_note *calls, size_t count, mz_error *error)
{
    mz_position position = {0};
    for (size_t i = 0; i < count && !position.line; i++)
        if (strcmp(calls[i].name, name) == 0)
            position = (mz_position){.file = calls[i].file,
                                     .line = (uint32_t)strtoul(calls[i].line, NULL, 10),
                                     .column = (uint32_t)strtoul(calls[i].column, NULL, 10)};
    mz_text readable = {0};
    mz__add_readable_name(name, &readable);
    mz_error_set(error, position, "the program calls '%s', which cannot be checked",
                 mz_text_string(&readable));
    mz_text_release(&readable);
    if (position.line)
        add_source_line(error, position.file, position.line);
    if (strstr(name, "stream") || strstr(name, "ios_") || is_stream(name))
        mz_error_set_hint(error, "C++ streams cannot be checked; printf can");
}

static bool check_symbols(const mz_text *library, const call_note *calls, size_t count, mz_error *error)
{
    const char *own = mz__object_own_new(library);
    if (own) {
        mz_text readable = {0};
        mz__add_readable_name(own, &readable);
        mz_error_set(error, (mz_position){0}, "the program defines its own '%s', which cannot be checked",
                     mz_text_string(&readable));
        mz_text_release(&readable);
        return false;
    }
    size_t cursor = 0;
    bool has_main = false;
    const char *name = mz__object_unknown(library, &cursor, &has_main);
    for (const char *other = name;
         other && !is_stream(name);) { /* the cause rather than what it drags along */
        other = mz__object_unknown(library, &cursor, &has_main);
        if (other && is_stream(other))
            name = other;
    }
    if (name) {
        refuse_call(name, calls, count, error);
        return false;
    }
    if (!has_main)
        mz_error_set(error, (mz_position){0}, "the program has no function 'main'");
    return has_main;
}

/* The same compiler made most files: name it once. */
static void use_compiler_note(mz_text *versions, const char *version)
{
    if (*version && !strstr(mz_text_string(versions), version))
        mz_text_add(versions, "%s%s", versions->length ? ", " : "", version);
}

bool mz__read_result(mz_compiled *out, mz_error *error)
{
    mz_text library = {0}, notes = {0}, warnings = {0}, versions = {0};
    call_note *calls = NULL;
    size_t count = 0, capacity = 0;
    if (!mz__read_file(out->library, &library))
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read: %s", out->library, strerror(errno));
    mz__object_notes(&library, &notes);
    mz_text_add(&notes, "%s", "");
    for (char *line = notes.bytes, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char *rest = line, *kind;
        next_field(&rest, &kind);
        if (rest && strcmp(kind, "asm") == 0) {
            use_assembly_note(out, &warnings, rest);
        } else if (rest && strcmp(kind, "compiler") == 0) {
            use_compiler_note(&versions, rest);
        } else if (rest && strcmp(kind, "call") == 0) {
            call_note call;
            if (next_field(&rest, &call.file) && next_field(&rest, &call.line) &&
                next_field(&rest, &call.column) && next_field(&rest, &call.name)) {
                calls = mz_grow(calls, &capacity, count + 1, sizeof *calls);
                calls[count++] = call;
            }
        }
    }
    out->notes = notes.bytes;
    out->warnings = mz_copy_string(mz_text_string(&warnings));
    out->compiler_version = mz_copy_string(mz_text_string(&versions));
    bool good = !error->set && check_symbols(&library, calls, count, error);
    mz_release(calls);
    mz_text_release(&warnings);
    mz_text_release(&versions);
    mz_text_release(&library);
    return good;
}
