/* What a linked program says about itself: what the compile step noted, and what it leaves undefined. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile.h"
#include "program/build/compile_internal.h"

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

/* A note about a place in the source. */
typedef struct place_note {
    char *file, *line, *column, *name, *instruction;
} place_note;

static bool read_place_note(char *rest, place_note *note)
{
    return next_field(&rest, &note->file) && next_field(&rest, &note->line) &&
           next_field(&rest, &note->column) && next_field(&rest, &note->name) &&
           next_field(&rest, &note->instruction);
}

static bool is_allowed(const mz_compile_options *options, const char *name)
{
    for (size_t i = 0; i < options->allowed_count; i++)
        if (strcmp(options->allowed[i], name) == 0)
            return true;
    return false;
}

/* The line a position points at, for the message; not there any more: the message goes without. */
static void add_source_line(mz_error *error, const char *file, unsigned long line)
{
    mz_text text = {0};
    if (mz_file_read(file, MZ_FILE_ANY_SIZE, &text)) {
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

static void refuse_own_hook(char *rest, mz_error *error)
{
    const char *name = strrchr(rest, '\t');
    mz_error_set(error, (mz_position){0},
                 "the program defines '%s' itself, a name that belongs to the checker",
                 name ? name + 1 : rest);
}

static mz_position position_of(const place_note *note)
{
    return (mz_position){.file = note->file,
                         .line = (uint32_t)strtoul(note->line, NULL, 10),
                         .column = (uint32_t)strtoul(note->column, NULL, 10)};
}

static void refuse_assembly(const place_note *note, mz_error *error)
{
    mz_position position = position_of(note);
    if (*note->instruction)
        mz_error_set(error, position, "function '%s' contains the instruction '%s', which cannot be checked",
                     note->name, note->instruction);
    else if (!*note->name)
        mz_error_set(error, (mz_position){.file = note->file},
                     "the file contains assembly, whose memory accesses cannot be seen");
    else
        mz_error_set(error, position,
                     "function '%s' contains inline assembly, whose memory accesses cannot be seen",
                     note->name);
    if (position.line)
        add_source_line(error, position.file, position.line);
    mz_error_set_hint(error, "use the compiler's __atomic functions there; or --allow=asm, if it touches "
                             "nothing that threads share");
}

/* Its accesses would not be seen. The user may let a file through, as a call. */
static void use_foreign_note(const mz_compile_options *options, char *rest, mz_text *allowed, mz_error *error)
{
    char *file, *member = "";
    next_field(&rest, &file);
    next_field(&rest, &member);
    if (is_allowed(options, file)) {
        mz_text_add(allowed, "%s\n", file);
    } else if (!error->set) {
        mz_error_set(error, (mz_position){0}, "'%s%s%s' was not compiled for checking", member,
                     *member ? "' in '" : "", file);
        mz_error_set_hint(error,
                          "compile it with 'mazurka cc' instead of the compiler; or --allow=%s, if it "
                          "touches nothing that threads share",
                          file);
    }
}

static void use_assembly_note(const mz_compile_options *options, const place_note *note, mz_compiled *out,
                              mz_text *warnings, mz_error *error)
{
    out->inline_assembly = true;
    if (!is_allowed(options, "asm") && !error->set)
        refuse_assembly(note, error);
    else if (*note->instruction)
        mz_text_add(
            warnings,
            "%s:%s: warning: function '%s' contains the instruction '%s', which cannot be checked: what "
            "it does is not seen\n",
            note->file, note->line, note->name, note->instruction);
    else if (*note->name)
        mz_text_add(warnings,
                    "%s:%s: warning: function '%s' contains inline assembly, which cannot be seen: its "
                    "memory accesses are not checked\n",
                    note->file, note->line, note->name);
    else
        mz_text_add(warnings,
                    "%s: warning: the file contains assembly, which cannot be seen: its memory accesses are "
                    "not checked\n",
                    note->file);
}

typedef struct undefined_names {
    const char **items;
    size_t count, capacity;
} undefined_names;

/* What to do about it: all names at once, so that they need not be found out one by one. */
static void suggest_allowing(const undefined_names *names, mz_error *error)
{
    enum { MOST = 12 };
    mz_text list = {0};
    size_t count = 0;
    const char *never = NULL, *first = NULL;
    for (size_t i = 0; i < names->count; i++) {
        const char *why = mz_never_allowed(names->items[i]);
        if (why && !never) {
            never = why;
            first = names->items[i];
        } else if (!why && ++count <= MOST) {
            mz_text_add(&list, "%s%s", count > 1 ? "," : "", names->items[i]);
        }
    }
    if (never)
        mz_error_set_hint(error, "leave '%s' out where MAZURKA is defined: %s", first, never);
    else
        mz_error_set_hint(error,
                          "compile its source with the program if there is one; --allow=%s%s calls the "
                          "library itself, unchecked",
                          mz_text_string(&list), count > MOST ? ",…" : "");
    mz_text_release(&list);
}

static mz_position position_of_call(const char *name, const place_note *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(calls[i].name, name) == 0)
            return position_of(&calls[i]);
    return (mz_position){0};
}

/* In the order of the sources, which is that of the notes; what nobody noted comes last. */
static void sort_by_place(undefined_names *names, const place_note *calls, size_t count)
{
    size_t sorted = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t i = sorted; i < names->count; i++)
            if (strcmp(calls[c].name, names->items[i]) == 0) {
                const char *name = names->items[i];
                names->items[i] = names->items[sorted];
                names->items[sorted++] = name;
            }
}

static void refuse_calls(undefined_names *names, const place_note *calls, size_t count, mz_error *error)
{
    sort_by_place(names, calls, count);
    for (size_t i = 0; i < names->count; i++) {
        mz_position position = position_of_call(names->items[i], calls, count);
        mz_text readable = {0};
        mz__add_readable_name(names->items[i], &readable);
        if (i == 0)
            mz_error_set(error, position, "the program calls '%s', which cannot be checked",
                         mz_text_string(&readable));
        else
            mz_error_add_other(error, position, "'%s'", mz_text_string(&readable));
        if (i == 0 && position.line)
            add_source_line(error, position.file, position.line);
        mz_text_release(&readable);
    }
    if (strstr(names->items[0], "locale"))
        mz_error_set_hint(error, "C++ locales cannot be checked; streams have that of C");
    else
        suggest_allowing(names, error);
}

/* Undefined names that are not ours: those that the user allows are noted, the others listed. */
static void find_unknown(const mz_compile_options *options, const mz_text *library, undefined_names *refused,
                         mz_text *allowed, bool *has_main)
{
    size_t cursor = 0;
    for (const char *name; (name = mz__object_unknown(library, &cursor, has_main));) {
        if (is_allowed(options, name) && !mz_never_allowed(name)) {
            mz_text_add(allowed, "%s\n", name);
            continue;
        }
        refused->items =
            mz_grow(refused->items, &refused->capacity, refused->count + 1, sizeof *refused->items);
        refused->items[refused->count++] = name;
    }
}

/* Those that call malloc() for their results call the program's, which ours would not. */
static void refuse_own_malloc(const mz_text *library, mz_error *error)
{
    static const char *const allocating[] = {"strdup",    "strndup", "wcsdup",   "asprintf",
                                             "vasprintf", "getline", "getdelim", "__getdelim"};
    bool own = mz__object_has(library, "", "malloc", true);
    for (size_t i = 0; own && i < MZ_LENGTH(allocating) && !error->set; i++)
        if (mz__object_has(library, "__wrap_", allocating[i], false)) {
            mz_error_set(error, (mz_position){0},
                         "the program has its own 'malloc', which '%s' would call: that cannot be checked",
                         allocating[i]);
            mz_error_set_hint(error, "leave one of the two out, or define '%s', too", allocating[i]);
        }
}

static void refuse_without_main(mz_error *error)
{
    mz_error_set(error, (mz_position){0}, "the program has no function 'main'");
    mz_error_set_hint(error, "--entry=f,g runs functions of a library as threads");
}

static bool check_symbols(const mz_compile_options *options, const mz_text *library, const place_note *calls,
                          size_t count, mz_text *allowed, mz_error *error)
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
    refuse_own_malloc(library, error);
    bool has_main = false;
    undefined_names refused = {0};
    find_unknown(options, library, &refused, allowed, &has_main);
    if (error->set)
        ; /* that comes first */
    else if (refused.count > 0)
        refuse_calls(&refused, calls, count, error);
    else if (!has_main && options->entry_count == 0)
        refuse_without_main(error);
    mz_release(refused.items);
    return !error->set;
}

/* The same compiler made most files: name it once. */
static void use_compiler_note(mz_text *versions, const char *version)
{
    if (*version && !strstr(mz_text_string(versions), version))
        mz_text_add(versions, "%s%s", versions->length ? ", " : "", version);
}

static void use_level_note(mz_text *levels, const char *level)
{
    if (!strstr(mz_text_string(levels), level))
        mz_text_add(levels, "%s%s", levels->length ? " " : "", level);
}

bool mz__read_result(const mz_compile_options *options, mz_compiled *out, mz_error *error)
{
    mz_text library = {0}, notes = {0}, warnings = {0}, versions = {0}, allowed = {0}, levels = {0};
    place_note *calls = NULL, note;
    size_t count = 0, capacity = 0;
    if (!mz_file_read(out->library, MZ_FILE_ANY_SIZE, &library))
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read: %s", out->library, strerror(errno));
    mz__object_notes(&library, &notes);
    mz_text_add(&notes, "%s", "");
    for (char *line = notes.bytes, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char *rest = line, *kind;
        next_field(&rest, &kind);
        if (rest && strcmp(kind, "own") == 0) {
            refuse_own_hook(rest, error);
        } else if (rest && strcmp(kind, "foreign") == 0) {
            use_foreign_note(options, rest, &allowed, error);
        } else if (rest && strcmp(kind, "level") == 0) {
            use_level_note(&levels, rest);
        } else if (rest && strcmp(kind, "stack") == 0) {
            out->executable_stack = true;
        } else if (rest && strcmp(kind, "compiler") == 0) {
            use_compiler_note(&versions, rest);
        } else if (rest && strcmp(kind, "asm") == 0 && read_place_note(rest, &note)) {
            use_assembly_note(options, &note, out, &warnings, error);
        } else if (rest && strcmp(kind, "call") == 0 && read_place_note(rest, &note)) {
            calls = mz_grow(calls, &capacity, count + 1, sizeof *calls);
            calls[count++] = note;
        }
    }
    out->notes = notes.bytes;
    out->warnings = mz_copy_string(mz_text_string(&warnings));
    out->optimised = mz_copy_string(mz_text_string(&levels));
    mz_text_release(&levels);
    out->compiler_version = mz_copy_string(mz_text_string(&versions));
    bool good = !error->set && check_symbols(options, &library, calls, count, &allowed, error) &&
                (options->entry_count == 0 || mz__find_entries(&library, options, out, error));
    out->allowed = mz_copy_string(mz_text_string(&allowed));
    mz_text_release(&allowed);
    mz_release(calls);
    mz_text_release(&warnings);
    mz_text_release(&versions);
    mz_text_release(&library);
    return good;
}
