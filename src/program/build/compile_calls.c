/* --entry='push(q, 1)': what is to run as a thread, written as C. It is compiled behind the last line of the
 * source that defines the function, so that its types, macros and static functions mean there what they mean
 * in it; behind nothing, if no source does (of an object the user has to include the header: -include
 * queue.h).
 *
 * --entry-setup='q = queue_new(4)' declares q with the type of what the call returns, for all others to use.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"

typedef struct piece {
    const char *start;
    size_t length;
} piece;

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

bool mz__entry_is_call(const char *entry)
{
    return strchr(entry, '(') != NULL;
}

/* ---- reading an entry -----------------------------------------------------------------------------------
 */

/* The first function that it calls. */
static piece called_function(const char *text)
{
    static const char *const others[] = {"if", "for", "while", "switch", "sizeof", "return", "typeof"};
    for (const char *at = text; *at; at++) {
        size_t length = 0;
        while (is_name_char(at[length]))
            length++;
        bool function = length > 0 && *skip_blanks(at + length) == '(';
        for (size_t i = 0; i < MZ_LENGTH(others); i++)
            function = function && (strlen(others[i]) != length || strncmp(at, others[i], length) != 0);
        if (function)
            return (piece){at, length};
        at += length ? length - 1 : 0;
    }
    return (piece){text, 0};
}

/* "q = make()", "queue *q = make()": the name and what it is to be; no name: all of it is a call. */
static piece named_result(const char *text, const char **value)
{
    const char *equals = strchr(text, '=');
    *value = text;
    if (!equals || equals[1] == '=' || equals > strchr(text, '('))
        return (piece){text, 0};
    const char *end = equals;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    const char *start = end;
    while (start > text && is_name_char(start[-1]))
        start--;
    *value = start < end ? equals + 1 : text;
    return (piece){start, (size_t)(end - start)};
}

/* The first name in the entry that is neither called nor a member nor declared in the source. */
static piece unknown_name(const char *entry, const char *source)
{
    for (const char *at = entry; *at;) {
        size_t length = 0;
        while (is_name_char(at[length]))
            length++;
        const char *before = at, *next = skip_blanks(at + length);
        while (before > entry && isspace((unsigned char)before[-1]))
            before--;
        bool member = before > entry && strchr(".>\"':", before[-1]);
        piece name = {at, length};
        if (length > 0 && !isdigit((unsigned char)*at) && *next != '(' && *next != ':' && !member &&
            !mz__declares(source, name.start, name.length))
            return name;
        at += length ? length : 1;
    }
    return (piece){entry, 0};
}

/* ---- which source it belongs to -------------------------------------------------------------------------
 */

static const char *behind_parentheses(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* 2: the text defines the function, 1: it mentions it, 0: it does not. */
static int knows(const char *text, piece name)
{
    int best = 0;
    for (const char *at = text; (at = memmem(at, strlen(at), name.start, name.length)) != NULL; at++) {
        if ((at > text && is_name_char(at[-1])) || is_name_char(at[name.length]))
            continue;
        best = best ? best : 1;
        const char *open = skip_blanks(at + name.length);
        if (*open == '(' && *skip_blanks(behind_parentheses(open)) == '{')
            return 2;
    }
    return best;
}

/* The index of the word; words->count: none of them. *best is raised to what it knows. */
static size_t find_source(const mz_words *words, piece name, int *best)
{
    size_t found = words->count;
    for (size_t i = 0; i < words->count && name.length > 0; i++) {
        mz_text text = {0};
        int now =
            mz__is_source_word(words->items[i]) && mz_file_read(words->items[i], MZ_FILE_ANY_SIZE, &text)
                ? knows(mz_text_string(&text), name)
                : 0;
        mz_text_release(&text);
        if (now > *best) {
            *best = now;
            found = i;
        }
    }
    return found;
}

/* Of clients: all functions that are called, by the setup, which makes the types known, and by operations, of
 * which some may be the C library's. If no source has any of them (member functions), it is the first one. */
static size_t find_library(const mz_compile_options *options, const mz_words *words)
{
    size_t found = words->count;
    int best = 0;
    for (size_t i = 0; i <= options->operation_count; i++) {
        const char *text = i > 0 ? options->operations[i - 1] : options->entries[0];
        for (piece call; (call = called_function(text)).length > 0; text = call.start + call.length) {
            size_t place = find_source(words, call, &best);
            found = place < words->count ? place : found;
        }
    }
    for (size_t i = 0; i < words->count && found == words->count; i++)
        found = mz__is_source_word(words->items[i]) ? i : found;
    return found;
}

/* What makes the types known comes first, then the threads. */
static piece first_call(const mz_compile_options *options)
{
    piece found = called_function(options->entries[0]);
    for (size_t i = 2; i < options->entry_count && found.length == 0; i++)
        found = called_function(options->entries[i]);
    return found.length > 0 ? found : called_function(options->entries[1]);
}

/* ---- writing it -----------------------------------------------------------------------------------------
 */

static const char *option_of(size_t entry)
{
    return entry == 0 ? "--entry-setup" : entry == 1 ? "--entry-finally" : "--entry";
}

/* A function of this number; `result` is what it is to set, to `value`; no result: just do it. */
static void add_function(mz_text *out, size_t entry, piece result, const char *value, bool cxx)
{
    unsigned line = entry < 2 ? 1 : (unsigned)entry - 1;
    const char *option = option_of(entry);
    if (result.length > 0)
        mz_text_add(out, "#line %u \"%s\"\nstatic __typeof__(%s) %.*s;\n", line, option, value,
                    (int)result.length, result.start);
    mz_text_add(out, "#line %u \"%s\"\n%svoid *mz_entry_%zu(void *mz_nothing);\n", line, option,
                cxx ? "extern \"C\" " : "", entry);
    mz_text_add(out, "#line %u \"%s\"\nvoid *mz_entry_%zu(void *mz_nothing) { ", line, option, entry);
    if (result.length > 0)
        mz_text_add(out, "%.*s = ", (int)result.length, result.start);
    mz_text_add(out, "%s; return mz_nothing; }\n", value);
}

/* The setup comes first. What it returns has the name that it gives to it, or the one that others use. */
static void add_setup(mz_text *out, const mz_compile_options *options, const char *source, bool cxx)
{
    mz_text call = {0};
    const char *setup = options->entries[0], *value;
    mz_text_add(&call, "%s%s", setup, mz__entry_is_call(setup) ? "" : "()");
    piece name = named_result(mz_text_string(&call), &value);
    for (size_t i = 1; i < options->entry_count && name.length == 0; i++)
        if (mz__entry_is_call(options->entries[i]))
            name = unknown_name(options->entries[i], source);
    if (name.length > 0 || mz__entry_is_call(setup))
        add_function(out, 0, name, value, cxx);
    mz_text_release(&call);
}

static void add_functions(mz_text *out, const mz_compile_options *options, const char *source, bool cxx)
{
    static const char strict[] = "\n#pragma GCC diagnostic error \"-Wimplicit-function-declaration\"\n"
                                 "#pragma GCC diagnostic error \"-Wint-conversion\"\n"
                                 "#pragma GCC diagnostic error \"-Wincompatible-pointer-types\"\n"
                                 "#pragma GCC diagnostic ignored \"-Wunused-value\"\n";
    mz_text_add(out, "%s", cxx ? "\n" : strict);
    if (options->operation_count > 0) {
        mz__add_driver(out, options, source, cxx);
        return;
    }
    if (*options->entries[0])
        add_setup(out, options, source, cxx);
    for (size_t i = 1; i < options->entry_count; i++)
        if (mz__entry_is_call(options->entries[i]))
            add_function(out, i, (piece){"", 0}, options->entries[i], cxx);
}

static void add_quoted_line(mz_text *out, const char *file)
{
    mz_text_add(out, "#line 1 \"");
    for (; *file; file++)
        mz_text_add(out, *file == '"' || *file == '\\' ? "\\%c" : "%c", *file);
    mz_text_add(out, "\"\n");
}

/* Where the source's own headers are looked for. */
static void add_folder(mz_words *flags, const char *source)
{
    const char *slash = strrchr(source, '/');
    char *folder = slash ? mz_copy_bytes(source, (size_t)(slash - source) + 1) : mz_copy_string(".");
    mz_words_add(flags, "-iquote");
    mz_words_add(flags, folder);
    mz_release(folder);
}

/* Headers among the files of a library are included. True if one is for C++ by its name. */
static bool take_headers(mz_words *words, mz_words *flags, mz_text *includes)
{
    bool cxx = false;
    for (size_t i = 0; i < words->count;) {
        char *word = words->items[i];
        if (!mz_is_header(word)) {
            i++;
            continue;
        }
        char *path = *word == '/' ? mz_copy_string(word) : realpath(word, NULL);
        mz_text_add(includes, "#include \"%s\"\n", path ? path : word);
        cxx |= strcmp(strrchr(word, '.'), ".h") != 0;
        add_folder(flags, word);
        mz_release(path);
        mz_words_remove(words, i);
    }
    return cxx;
}

bool mz__add_calls(const mz_compile_options *options, mz_words *words, mz_words *flags, const char *directory,
                   mz_error *error)
{
    bool clients = options->operation_count > 0;
    piece function = options->entry_count > 1 && !clients ? first_call(options) : (piece){"", 0};
    if (function.length == 0 && !clients)
        return true;
    int best = 0;
    mz_text text = {0}, includes = {0}, source = {0}, path = {0};
    bool cxx = clients && take_headers(words, flags, &includes);
    size_t place = clients ? find_library(options, words) : find_source(words, function, &best);
    cxx |=
        clients && place == words->count && mz__mentions_cxx((const char *const *)words->items, words->count);
    const char *name = place < words->count ? words->items[place] : cxx ? "calls.cc" : "calls.c";
    if (place < words->count) {
        mz_file_read(name, MZ_FILE_ANY_SIZE, &source);
        add_quoted_line(&text, name);
        add_folder(flags, name);
    }
    mz_text_add_bytes(&text, mz_text_string(&source), source.length);
    mz_text_add(&text, "%s%s", includes.length > 0 ? "\n" : "", mz_text_string(&includes));
    add_functions(&text, options, mz_text_string(&source), mz__is_cxx_source(name));
    mz_text_add(&path, "%s/calls%s", directory, strrchr(name, '.'));
    bool good = mz__write_file(path.bytes, mz_text_string(&text), text.length, error);
    if (place < words->count)
        mz_words_replace(words, place, path.bytes);
    else
        mz_words_add(words, path.bytes);
    mz_text_release(&includes);
    mz_text_release(&text);
    mz_text_release(&source);
    mz_text_release(&path);
    return good;
}
