/* What `mazurka check` is given: is it all compiled for checking, and what becomes of it. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"

static void refuse_foreign(const char *file, const char *member, mz_error *error)
{
    if (*member)
        mz_error_set(error, (mz_position){0}, "'%s' in '%s' was not compiled for checking", member, file);
    else
        mz_error_set(error, (mz_position){0}, "'%s' was not compiled for checking", file);
    mz_error_set_hint(error, "compile it with 'mazurka cc' instead of the compiler, for example make "
                             "CC=\"mazurka cc\"");
}

static bool is_called_object(const char *file)
{
    static const char *const endings[] = {".o", ".a", ".so", ".lo", ".obj"};
    for (size_t i = 0; i < MZ_LENGTH(endings); i++) {
        size_t length = strlen(file), end = strlen(endings[i]);
        if (length > end && strcmp(file + length - end, endings[i]) == 0)
            return true;
    }
    return false;
}

static void refuse_other(const char *file, off_t size, mz_error *error)
{
    if (!is_called_object(file)) {
        mz_error_set(error, (mz_position){0}, "'%s' is neither a source nor an object", file);
        mz_error_set_hint(error, "sources end in .c, .cc, .cpp, .cxx or .C, preprocessed ones in .i or .ii; "
                                 "objects and archives come from "
                                 "'mazurka cc'");
        return;
    }
    mz_error_set(error, (mz_position){0},
                 size == 0 ? "'%s' is empty" : "'%s' is damaged, or not for this machine", file);
    mz_error_set_hint(error, "make it again with 'mazurka cc'");
}

/* Everything that can be said before a compiler is started. */
static bool check_file(const char *file, bool alone, bool clients, bool *linked, mz_error *error)
{
    struct stat what;
    if (access(file, R_OK) != 0 || stat(file, &what) != 0) {
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read: %s", file, strerror(errno));
        return false;
    }
    if (S_ISDIR(what.st_mode)) {
        mz_error_set(error, (mz_position){0}, "'%s' is a directory", file);
        return false;
    }
    if (clients && mz_is_header(file))
        return true;
    if (mz_is_source(file))
        return mz__has_no_async_labels(file, error);
    bool foreign = false;
    mz_text member = {0};
    mz_object_kind kind = mz__object_kind(file, &member, &foreign);
    if (kind == MZ_OBJECT_OTHER) {
        refuse_other(file, what.st_size, error);
    } else if (foreign) {
        refuse_foreign(file, mz_text_string(&member), error);
    }
    *linked |= kind == MZ_OBJECT_PROGRAM && (alone || !mz__holds_objects(file));
    mz_text_release(&member);
    return !error->set;
}

/* A function that is called but defined nowhere, neither by the program nor by the library. */
static bool lacks_a_definition(const char *library)
{
    mz_text text = {0};
    bool lacks = false, has_main;
    size_t cursor = 0;
    if (mz_file_read(library, MZ_FILE_ANY_SIZE, &text))
        for (const char *name; !lacks && (name = mz__object_unknown(&text, &cursor, &has_main));)
            lacks = strncmp(name, "_Z", 2) != 0 && !dlsym(RTLD_DEFAULT, name);
    mz_text_release(&text);
    return lacks;
}

static bool mentions_inline(const char *const *words, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        mz_text text = {0};
        if (mz__is_source_word(words[i]) && !mz__is_cxx_source(words[i]) &&
            mz_file_read(words[i], MZ_FILE_ANY_SIZE, &text))
            found = strstr(mz_text_string(&text), "inline");
        mz_text_release(&text);
    }
    return found;
}

/* `inline int f(void) {…}` defines no function in today's C: its calls are to be inlined, which we prevent,
 * or to go to a definition elsewhere. If that is not there, the older meaning is what the program needs. Each
 * file then has a function of its own; they are the same. */
static bool link_with_old_inlines(const mz_compile_options *options, const mz_words *words,
                                  const mz_compiled *out, bool *runnable, mz_error *error)
{
    static const char *const flags[] = {"-fgnu89-inline", "-w"};
    static const char *const link_flag = "-Wl,--allow-multiple-definition";
    mz_words all = {0}, link = {0};
    mz_words_add_list(&all, options->flags, options->flag_count);
    mz_words_add_list(&all, flags, MZ_LENGTH(flags));
    mz_words_add_list(&link, options->link_flags, options->link_flag_count);
    mz_words_add(&link, link_flag);
    mz_compile_options own = *options;
    own.flags = (const char **)(void *)all.items;
    own.flag_count = all.count;
    own.link_flags = (const char **)(void *)link.items;
    own.link_flag_count = link.count;
    bool good = mz__link_in(&own, (const char *const *)words->items, words->count, out->directory,
                            out->library, out->program, runnable, error);
    mz_words_release(&all);
    mz_words_release(&link);
    return good;
}

static bool build(const mz_compile_options *options, const char *const *files, size_t count, mz_compiled *out,
                  mz_error *error)
{
    out->directory = mz__make_directory(error);
    if (!out->directory)
        return false;
    mz_text library = {0};
    mz_text_add(&library, "%s/program.so", out->directory);
    out->library = library.bytes;
    if (options->run != MZ_RUN_NOT) {
        mz_text program = {0};
        mz_text_add(&program, "%s/program", out->directory);
        out->program = program.bytes;
    }
    mz_words words = {0};
    for (size_t i = 0; i < count; i++)
        mz__add_file(&words, files[i]);
    bool runnable;
    bool good = mz__link_in(options, (const char *const *)words.items, words.count, out->directory,
                            out->library, out->program, &runnable, error);
    if (good && mentions_inline((const char *const *)words.items, words.count) &&
        lacks_a_definition(out->library))
        good = link_with_old_inlines(options, &words, out, &runnable, error);
    if (!runnable) {
        mz_release(out->program);
        out->program = NULL;
    }
    out->counts_accesses = options->run == MZ_RUN_ACCESSES;
    mz_words_release(&words);
    return good;
}

static bool use_or_build(const mz_compile_options *options, const char *const *files, size_t count,
                         mz_compiled *out, mz_error *error)
{
    bool linked = false;
    for (size_t i = 0; i < count; i++)
        if (!check_file(files[i], count == 1 && options->entry_count == 0, options->operation_count > 0,
                        &linked, error))
            return false;
    if (linked && options->entry_count > 0) {
        mz_error_set(error, (mz_position){0}, "option --entry is for sources, objects and archives");
        mz_error_set_hint(error, "what is linked already has its main; give what it was linked from");
        return false;
    }
    if (linked && count == 1) {
        if (!mz__use_linked(files[0], out, error))
            return false;
    } else if (!build(options, files, count, out, error)) {
        return false;
    }
    return mz__read_result(options, out, error);
}

bool mz_compile_program(const mz_compile_options *options, const char *const *files, size_t count,
                        mz_compiled *out, mz_error *error)
{
    *out = (mz_compiled){0};
    mz__compile_until(options->until);
    bool good = use_or_build(options, files, count, out, error);
    mz__compile_until(0);
    return good;
}

void mz_compiled_release(mz_compiled *compiled)
{
    if (compiled->directory)
        mz__remove_directory(compiled->directory);
    mz_release(compiled->directory);
    mz_release(compiled->library);
    mz_release(compiled->program);
    mz_release(compiled->counting);
    mz_release(compiled->warnings);
    mz_release(compiled->compiler_version);
    mz_release(compiled->optimised);
    mz_release(compiled->allowed);
    mz_release(compiled->notes);
    for (size_t i = 0; i < compiled->entry_count; i++)
        mz_release(compiled->entries[i]);
    mz_release(compiled->entries);
    mz_release(compiled->entries_with_null);
    *compiled = (mz_compiled){0};
}
