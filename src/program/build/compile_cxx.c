/* The parts of the C++ library (cxx/) and of the C library (c/) that a program needs are compiled and linked
 * with it. Which ones those are is seen from the names that stand in the assembly or in the objects: most
 * programs need few, and compiling them takes longer than compiling the program. */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "program/build/compile_internal.h"
#include "program/build/embedded_files.h"

/* A file is needed if one of the names occurs, in part, in the program or in one of the files above it. */
static const struct {
    const char *file;
    const char *names[14];
} parts[] = {
    {"futures.cpp", {"__future_base", "__atomic_futex", "St12future_error"}},
    {"threads.cpp", {"St6thread", "St18condition_variable", "__once_"}},
    {"errors.cpp",
     {"St11logic_error", "St12domain_error", "St16invalid_argument", "St12length_error", "St12out_of_range",
      "St13runtime_error", "St11range_error", "St14overflow_error", "St15underflow_error", "St12system_error",
      "__throw_", "error_category", "_V2", "St16nested_exception"}},
    {"containers.cpp", {"_Rb_tree_", "_List_node_base", "_Prime_rehash_policy", "_Hash_bytes"}},
    {"clocks.cpp", {"system_clock3now", "steady_clock3now"}},
    {"streams.cpp", {"_ZSt3cin", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"}},
    {"runtime.cpp", {"__gxx_personality_v0", "__cxa_", "_Zn", "_Zd", "_ZTV", "_ZSt", "_ZNSt"}},
};

enum { ERRORS = 2, PARTS = sizeof parts / sizeof *parts };

/* The same for C, where a name is all of a word. */
static const struct {
    const char *file;
    const char *names[32];
} c_parts[] = {
    {"environment.c", {"setenv", "unsetenv", "putenv", "clearenv"}},
    {"options.c", {"getopt", "getopt_long", "getopt_long_only", "optind"}},
    {"searching.c",
     {"lfind", "lsearch", "tsearch", "tfind", "tdelete", "twalk", "twalk_r", "tdestroy", "hcreate", "hsearch",
      "hdestroy", "insque", "remque"}},
    {"bounded.c",
     {"memcpy_s", "memmove_s", "memset_s", "strcpy_s", "strncpy_s", "strcat_s", "strncat_s", "strtok_s",
      "strnlen_s", "sprintf_s", "vsprintf_s", "snprintf_s", "set_constraint_handler_s"}},
    {"converting.c", {"mbrtowc",  "wcrtomb",          "mbtowc",          "wctomb",    "mbrlen",    "mblen",
                      "mbsinit",  "mbstowcs",         "wcstombs",        "mbsrtowcs", "wcsrtombs", "wcstol",
                      "wcstoul",  "wcstoll",          "wcstoull",        "wcstod",    "wcstof",    "swscanf",
                      "vswscanf", "__isoc99_swscanf", "__isoc23_swscanf"}},
    {"sockets.c", {"socket"}},
    {"addresses.c", {"inet_pton", "inet_ntop", "inet_aton", "inet_addr"}},
};

static const mz__cxx_source *find_source(const char *name)
{
    for (size_t i = 0; i < mz__cxx_source_count; i++)
        if (strcmp(mz__cxx_source_files[i].name, name) == 0)
            return &mz__cxx_source_files[i];
    abort(); /* the list of meson.build lacks it */
}

static bool mentions(const mz_text *text, size_t part)
{
    for (size_t i = 0; i < sizeof parts->names / sizeof *parts->names && parts[part].names[i]; i++)
        if (text->length > 0 &&
            memmem(text->bytes, text->length, parts[part].names[i], strlen(parts[part].names[i])))
            return true;
    return false;
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const mz_text *text, const char *word)
{
    size_t length = strlen(word);
    const char *at = mz_text_string(text), *end = at + text->length;
    while ((at = memmem(at, (size_t)(end - at), word, length)) != NULL) {
        bool begins = at == text->bytes || !is_part_of_name(at[-1]);
        at += length;
        if (begins && (at == end || !is_part_of_name(*at)))
            return true;
    }
    return false;
}

static bool mentions_c_part(const mz_text *text, size_t part)
{
    for (size_t i = 0; i < sizeof c_parts->names / sizeof *c_parts->names && c_parts[part].names[i]; i++)
        if (has_word(text, c_parts[part].names[i]))
            return true;
    return false;
}

/* C programs have none of these; that an archive mentions one by chance costs time and nothing else. */
static void find_needed(const char *const *inputs, size_t count, bool *needed)
{
    for (size_t i = 0; i < count; i++) {
        mz_text text = {0};
        if (mz_file_read(inputs[i], MZ_FILE_ANY_SIZE, &text))
            for (size_t part = 0; part < PARTS; part++)
                needed[part] |= mentions(&text, part);
        mz_text_release(&text);
    }
    for (size_t part = 0; part + 1 < PARTS; part++) /* they throw, wait and allocate */
        if (needed[part])
            needed[PARTS - 1] = true;
    needed[ERRORS] |= needed[0] || needed[1];
}

bool mz__mentions_cxx(const char *const *inputs, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        mz_text text = {0};
        found = mz_file_read(inputs[i], MZ_FILE_ANY_SIZE, &text) && mentions(&text, PARTS - 1);
        mz_text_release(&text);
    }
    return found;
}

static bool write_source(const mz__cxx_source *source, const char *name, const char *directory,
                         mz_error *error)
{
    mz_text path = {0};
    mz_text_add(&path, "%s/%s", directory, name);
    bool good = mz__write_file(mz_text_string(&path), source->text, source->length, error);
    mz_text_release(&path);
    return good;
}

static bool write_file(const char *name, const char *directory, mz_error *error)
{
    return write_source(find_source(name), name, directory, error);
}

/* Each of them is the same: all that there is about streams. */
static bool write_stream_headers(const char *directory, mz_error *error)
{
    static const char *const headers[] = {"streams.h", "streams_base.h", "streams_input.h",
                                          "streams_output.h"};
    static const char *const names[] = {"ios",     "iostream", "istream", "ostream",        "streambuf",
                                        "sstream", "fstream",  "iomanip", "bits/ios_base.h"};
    static const mz__cxx_source include = {"", "#include \"streams.h\"\n",
                                           sizeof "#include \"streams.h\"\n" - 1};
    bool good = true;
    for (size_t i = 0; good && i < MZ_LENGTH(headers); i++)
        good = write_file(headers[i], directory, error);
    for (size_t i = 0; good && i < MZ_LENGTH(names); i++)
        good = write_source(&include, names[i], directory, error);
    return good;
}

/* The header as it is installed, which reckons its own waits by the clock of deadlines.h. */
static bool write_deadline_header(const char *name, const char *directory, mz_error *error)
{
    mz_text text = {0};
    mz_text_add(&text,
                "#pragma GCC system_header\n"
                "#include <bits/c++config.h>\n"
                "#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 13\n"
                "#include_next <%s>\n"
                "#else\n"
                "#include <mazurka_deadlines.h>\n"
                "#pragma push_macro(\"steady_clock\")\n"
                "#define steady_clock __deadline_clock\n"
                "#include_next <%s>\n"
                "#pragma pop_macro(\"steady_clock\")\n"
                "#endif\n",
                name, name);
    mz__cxx_source source = {name, mz_text_string(&text), text.length};
    bool good = write_source(&source, name, directory, error);
    mz_text_release(&text);
    return good;
}

bool mz__write_cxx_headers(const char *directory, mz_error *error)
{
    mz_text bits = {0};
    mz_text_add(&bits, "%s/bits", directory);
    mkdir(mz_text_string(&bits), 0700); /* there already, if this is the second time */
    bool good = write_file("prelude.h", directory, error) && write_stream_headers(directory, error) &&
                write_file("atomic_wait.h", mz_text_string(&bits), error) &&
                write_file("atomic_timed_wait.h", mz_text_string(&bits), error) &&
                write_file("shared_ptr_atomic.h", mz_text_string(&bits), error) &&
                write_source(find_source("mutex.h"), "mutex", directory, error) &&
                write_source(find_source("deadlines.h"), "mazurka_deadlines.h", directory, error) &&
                write_deadline_header("condition_variable", directory, error) &&
                write_deadline_header("shared_mutex", directory, error) &&
                write_deadline_header("bits/atomic_futex.h", directory, error);
    mz_text_release(&bits);
    return good;
}

static bool write_part(const char *file, const char *directory, mz_words *sources, mz_error *error)
{
    mz_text path = {0};
    mz_text_add(&path, "%s/%s", directory, file);
    mz_words_add(sources, mz_text_string(&path));
    mz_text_release(&path);
    return write_file(file, directory, error);
}

bool mz__write_cxx_parts(const char *const *inputs, size_t count, const char *directory, mz_words *sources,
                         mz_error *error)
{
    bool needed[PARTS] = {0}, good = true;
    find_needed(inputs, count, needed);
    for (size_t part = 0; good && part < PARTS; part++)
        if (needed[part])
            good = write_part(parts[part].file, directory, sources, error);
    return good;
}

bool mz__write_c_parts(const char *const *inputs, size_t count, const char *directory, mz_words *sources,
                       mz_error *error)
{
    enum { C_PARTS = sizeof c_parts / sizeof *c_parts };
    bool needed[C_PARTS] = {0}, good = true;
    for (size_t i = 0; i < count; i++) {
        mz_text text = {0};
        if (mz_file_read(inputs[i], MZ_FILE_ANY_SIZE, &text) && text.length > 0)
            for (size_t part = 0; part < C_PARTS; part++)
                needed[part] = needed[part] || mentions_c_part(&text, part);
        mz_text_release(&text);
    }
    for (size_t part = 0; good && part < C_PARTS; part++)
        if (needed[part])
            good = write_part(c_parts[part].file, directory, sources, error);
    return good;
}

bool mz__write_entry_part(const char *directory, mz_text *source, mz_error *error)
{
    mz_text_add(source, "%s/entry.c", directory);
    return write_file("entry.c", directory, error);
}

/* As it stands in the source: "std::basic_ostream<…>& std::endl<…>(…)". The C++ library is there, since its
 * compiler is. */
void mz__add_readable_name(const char *name, mz_text *out)
{
    void *library = strncmp(name, "_Z", 2) == 0 ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
    if (library)
        *(void **)&demangle = dlsym(library, "__cxa_demangle");
    int status = 0;
    char *readable = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    mz_text_add(out, "%s", readable ? readable : name);
    free(readable);
    if (library)
        dlclose(library);
}
