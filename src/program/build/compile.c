/* From sources, objects and archives to the shared object that is checked, and to the program that is run. */
#include "program/build/compile.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"

/* Another note, behind those about the text. */
static bool note_level(const char *assembly, const mz_compile_options *options, mz_error *error)
{
    const char *level = mz__optimisation(options);
    mz_text text = {0};
    if (!level)
        return true;
    mz_file_read(assembly, MZ_FILE_ANY_SIZE, &text);
    mz_text_add(&text, "\t.section %s,\"\",@progbits\n\t.ascii \"level\\t%s\\n\"\n", MZ_NOTE_SECTION, level);
    bool good = mz__write_file(assembly, mz_text_string(&text), text.length, error);
    mz_text_release(&text);
    return good;
}

static bool is_in(const char *directory, const char *file)
{
    return strncmp(file, directory, strlen(directory)) == 0;
}

/* All sources to assembly files named after their index. */
static bool compile_sources(const mz_compile_options *options, bool by_checker, const char *const *sources,
                            size_t count, const char *directory, mz_words *assemblies, mz_error *error)
{
    mz_job *jobs = mz_allocate_zeroed(count, sizeof *jobs);
    mz_text *messages = mz_allocate_zeroed(count, sizeof *messages);
    for (size_t i = 0; i < count; i++) {
        mz_text path = {0};
        jobs[i].messages = &messages[i];
        mz_text_add(&path, "%s/%zu.s", directory, assemblies->count);
        jobs[i].subject = sources[i];
        mz__add_compile_words(&jobs[i].words, options, sources[i], mz_text_string(&path), directory);
        mz_words_add(assemblies, mz_text_string(&path));
        mz_text_release(&path);
    }
    const char *const *made = (const char *const *)assemblies->items + (assemblies->count - count);
    size_t failed = 0;
    bool good =
        mz__write_cxx_headers(directory, error) && mz__run_jobs(jobs, count, directory, &failed, error);
    if (!good && count > 0)
        mz_error_set(error, (mz_position){0}, "%s could not compile '%s'", jobs[failed].words.items[0],
                     is_in(directory, sources[failed]) ? "--entry" : sources[failed]);
    for (size_t i = 0; good && !by_checker && i < count; i++)
        mz__declare_implicit(&jobs[i], mz_text_string(&messages[i]), made[i], directory);
    char *compiler = mz__driver(options, false);
    good = good && (count == 0 || mz__announce_accesses(compiler, made, count, directory, error));
    mz_release(compiler);
    for (size_t i = 0; good && i < count; i++)
        good = mz__prepare_assembly(made[i], by_checker, error) &&
               (by_checker || (note_level(made[i], options, error) && mz__list_sites(made[i], error)));
    for (size_t i = 0; i < count; i++) {
        mz_words_release(&jobs[i].words);
        mz_text_release(&messages[i]);
    }
    mz_release(messages);
    mz_release(jobs);
    return good;
}

/* Compile parts of a library, and keep them for the next program. */
static bool compile_parts(const mz_compile_options *options, const mz_words *sources, char *const *entries,
                          const char *directory, mz_words *inputs, mz_error *error)
{
    size_t first = inputs->count;
    bool good = compile_sources(options, true, (const char *const *)sources->items, sources->count, directory,
                                inputs, error);
    char *compiler = mz__driver(options, false);
    for (size_t i = 0; good && i < sources->count; i++)
        if (entries[i])
            mz__cache_store(compiler, inputs->items[first + i], entries[i], directory);
    mz_release(compiler);
    return good;
}

/* Where the part may be kept; NULL: nowhere. */
static char *cache_entry(const mz_compile_options *options, const char *source, const char *directory)
{
    mz_words command = {0};
    mz__add_compile_words(&command, options, source, directory, directory);
    char *entry = mz__cache_entry(&command, directory, source);
    mz_words_release(&command);
    return entry;
}

/* What else a program needs, as compiled before or now; its flags are ours alone. In the order of the sources
 * in any case: the program is the same whatever was there before. */
static bool add_written_parts(const mz_compile_options *options, bool cxx, const mz_words *sources,
                              const char *directory, mz_words *assemblies, mz_error *error)
{
    /* Which language it is has to be said: to g++ and clang++ every source is C++. */
    const char *flags[] = {cxx ? "-std=gnu++20" : "-std=gnu17", cxx ? "-xc++" : "-xc", "-w"};
    mz_compile_options own = {.compiler = options->compiler, .flags = flags, .flag_count = MZ_LENGTH(flags)};
    mz_words missing = {0}, parts = {0};
    char **entries = mz_allocate_zeroed(sources->count + 1, sizeof *entries);  /* of all */
    char **unfilled = mz_allocate_zeroed(sources->count + 1, sizeof *entries); /* of those that are missing */
    bool *found = mz_allocate_zeroed(sources->count + 1, sizeof *found);
    for (size_t i = 0; i < sources->count; i++) {
        entries[i] = cache_entry(&own, sources->items[i], directory);
        found[i] = entries[i] && access(entries[i], R_OK) == 0;
        if (!found[i]) {
            unfilled[missing.count] = entries[i];
            mz_words_add(&missing, sources->items[i]);
        }
    }
    size_t first = assemblies->count, next = first;
    bool good = missing.count == 0 || compile_parts(&own, &missing, unfilled, directory, assemblies, error);
    for (size_t i = 0; good && i < sources->count; i++)
        mz_words_add(&parts, found[i] ? entries[i] : assemblies->items[next++]);
    mz_words_cut(assemblies, first);
    mz_words_add_list(assemblies, (const char *const *)parts.items, parts.count);
    for (size_t i = 0; i < sources->count; i++)
        mz_release(entries[i]);
    mz_release(entries);
    mz_release(unfilled);
    mz_release(found);
    mz_words_release(&missing);
    mz_words_release(&parts);
    return good;
}

static bool add_parts(const mz_compile_options *options, bool cxx, const mz_words *inputs,
                      const char *directory, mz_words *assemblies, mz_error *error)
{
    const char *const *files = (const char *const *)inputs->items;
    mz_words sources = {0};
    bool good =
        (cxx ? mz__write_cxx_parts : mz__write_c_parts)(files, inputs->count, directory, &sources, error) &&
        add_written_parts(options, cxx, &sources, directory, assemblies, error);
    mz_words_release(&sources);
    return good;
}

/* Compile what calls the functions that are to be checked without the program's main. */
static bool add_entry_part(const mz_compile_options *options, const char *directory, mz_words *assemblies,
                           mz_error *error)
{
    mz_compile_options own = {.compiler = options->compiler};
    mz_text source = {0};
    const char *path;
    bool good = mz__write_entry_part(directory, &source, error);
    path = mz_text_string(&source);
    good = good && compile_sources(&own, true, &path, 1, directory, assemblies, error);
    mz_text_release(&source);
    return good;
}

static bool names_shared(const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], "-shared") == 0)
            return true;
    return false;
}

/* A shared library holds what it is made of: compile_shared.c. */
static bool hold_objects(const mz_compile_options *options, const char *const *words, size_t count,
                         const mz_words *assemblies, bool cxx, const char *library, const char *directory,
                         mz_error *error)
{
    mz_words all = {0};
    char *compiler = mz__driver(options, cxx);
    for (size_t i = 0, next = 0; i < count; i++)
        mz_words_add(&all, mz__is_source_word(words[i]) ? assemblies->items[next++] : words[i]);
    mz_words_add_list(&all, options->link_flags, options->link_flag_count);
    bool good = mz__hold_objects(compiler, &all, library, directory, error);
    mz_words_release(&all);
    mz_release(compiler);
    return good;
}

static bool link_words(const mz_compile_options *options, const char *const *words, size_t count,
                       const char *directory, const char *library, const char *program, bool *runnable,
                       mz_error *error)
{
    const char **sources = mz_allocate_zeroed(count, sizeof *sources);
    size_t source_count = 0, next = 0;
    bool cxx = false;
    *runnable = false;
    for (size_t i = 0; i < count; i++)
        if (mz__is_source_word(words[i])) {
            sources[source_count++] = words[i];
            cxx |= mz__is_cxx_source(words[i]);
        }
    mz_words assemblies = {0}, inputs = {0}, command = {0}, own = {0};
    bool good = compile_sources(options, false, sources, source_count, directory, &assemblies, error);
    size_t own_count = assemblies.count;
    if (good) {
        mz_words_add_list(&inputs, (const char *const *)assemblies.items, own_count);
        for (size_t i = 0; i < count; i++)
            if (*words[i] != '-' && !mz__is_source_word(words[i]))
                mz_words_add(&inputs, words[i]);
        cxx |= mz__mentions_cxx((const char *const *)inputs.items, inputs.count);
        good = add_parts(options, false, &inputs, directory, &assemblies, error) &&
               (!cxx || add_parts(options, true, &inputs, directory, &assemblies, error));
        if (good && options->entry_count > 0)
            good = add_entry_part(options, directory, &assemblies, error);
    }
    *runnable = good && program && !names_shared(words, count) && options->entry_count == 0;
    if (good) {
        char *compiler = mz__driver(options, cxx);
        mz_words_add(&command, compiler);
        mz_release(compiler);
        mz__add_colour(&command);
        mz_words_add(&command, "-shared");
        mz_words_add(&command, "-o");
        mz_words_add(&command, library);
        /* Nothing in the program itself asks for these members of an archive. */
        mz_words_add(&command, options->entry_count > 0 ? "-Wl,--whole-archive" : "-Wl,--undefined=main");
        for (size_t i = 0; i < count;
             i++) /* the assembler is part of this command: one process less to start */
            if (mz__is_source_word(words[i]))
                mz_words_add(&command, assemblies.items[next++]);
            else if (!mz__is_unwanted_link_flag(words[i]))
                mz_words_add(&command, words[i]);
        if (options->entry_count > 0)
            mz_words_add(&command, "-Wl,--no-whole-archive");
        for (size_t i = 0; i < options->link_flag_count; i++)
            if (!mz__is_unwanted_link_flag(options->link_flags[i]))
                mz_words_add(&command, options->link_flags[i]);
        for (size_t i = own_count; i < assemblies.count; i++) /* last, as a library: what is there wins */
            mz_words_add(&command, assemblies.items[i]);
        if (cxx) /* arithmetic of the compiler's; for C++ it would be left to a shared library, unchecked */
            mz_words_add(&command, "-lgcc");
        good = mz__link_own(&command, words, count, directory, library, &own, error) &&
               mz__defer_constructors(library, error);
    }
    if (good && names_shared(words, count))
        good = hold_objects(options, words, count, &assemblies, cxx, library, directory, error);
    if (good && *runnable)
        good = mz__link_program(options, words, count, &assemblies, &own, cxx, directory, library, program,
                                error);
    mz_words_release(&own);
    mz_words_release(&assemblies);
    mz_words_release(&inputs);
    mz_words_release(&command);
    mz_release(sources);
    return good;
}

bool mz__link_in(const mz_compile_options *options, const char *const *words, size_t count,
                 const char *directory, const char *library, const char *program, bool *runnable,
                 mz_error *error)
{
    mz_words all = {0}, flags = {0}, compile_flags = {0};
    mz_words_add_list(&all, words, count);
    mz_words_add_list(&flags, options->link_flags, options->link_flag_count);
    mz_words_add_list(&compile_flags, options->flags, options->flag_count);
    mz_compile_options own = *options;
    bool good = mz__replace_shared(&all, &flags, directory, error) &&
                mz__add_calls(options, &all, &compile_flags, directory, error);
    own.link_flags = (const char **)(void *)flags.items;
    own.link_flag_count = flags.count;
    bool calls = false;
    for (size_t i = 0; i < all.count; i++)
        calls = calls || (mz__is_source_word(all.items[i]) && is_in(directory, all.items[i]));
    own.flags = (const char **)(void *)compile_flags.items;
    own.flag_count = compile_flags.count;
    *runnable = false;
    good = good && link_words(&own, (const char *const *)all.items, all.count, directory, library, program,
                              runnable, error);
    if (!good && options->operation_count > 0 && !error->out_of_time) {
        mz_error_release(error);
        mz_error_set(error, (mz_position){0}, "the operations could not be compiled");
        mz_error_set_hint(error,
                          "--op, --setup and --finally are C that follows the source which defines them "
                          "(of objects: -include HEADER.h declares them)");
    } else if (!good && calls)
        mz_error_set_hint(error, "calls are C that follows a source (of objects: -include HEADER.h declares "
                                 "them); --entry-setup='q = make()' names what it returns");
    mz_words_release(&all);
    mz_words_release(&flags);
    mz_words_release(&compile_flags);
    return good;
}

static mode_t mask(void)
{
    mode_t now = umask(0);
    umask(now);
    return now;
}

static bool copy_program(const char *from, const char *to, mz_error *error)
{
    mz_text contents = {0};
    bool good = mz_file_read(from, MZ_FILE_ANY_SIZE, &contents) &&
                mz__write_file(to, mz_text_string(&contents), contents.length, error) &&
                chmod(to, 0777 & ~mask()) == 0;
    mz_text_release(&contents);
    return good;
}

bool mz_compile_and_link(const mz_compile_options *options, const char *const *words, size_t count,
                         const char *output, mz_error *error)
{
    char *directory = mz__make_directory(error);
    if (!directory)
        return false;
    mz_text library = {0};
    mz_text_add(&library, "%s/program.so", directory);
    bool runnable;
    bool good =
        mz__link_in(options, words, count, directory, mz_text_string(&library), output, &runnable, error);
    if (good && !runnable)
        good = copy_program(mz_text_string(&library), output, error);
    mz_text_release(&library);
    mz__remove_directory(directory);
    mz_release(directory);
    return good;
}

bool mz_compile_object(const mz_compile_options *options, const char *source, const char *object,
                       mz_error *error)
{
    char *directory = mz__make_directory(error);
    if (!directory)
        return false;
    mz_words assembly = {0}, command = {0};
    bool good = compile_sources(options, false, &source, 1, directory, &assembly, error);
    if (good) {
        char *compiler = mz__driver(options, mz__is_cxx_source(source));
        mz_words_add(&command, compiler);
        mz_release(compiler);
        mz_words_add(&command, "-c");
        mz_words_add(&command, "-o");
        mz_words_add(&command, object);
        mz_words_add(&command, assembly.items[0]);
        good = mz__run_one(&command, directory, "assemble the compiled program", error);
    }
    mz_words_release(&assembly);
    mz_words_release(&command);
    mz__remove_directory(directory);
    mz_release(directory);
    return good;
}

char *mz_include_directory(void)
{
    char executable[4096];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length <= 0)
        return NULL;
    executable[length] = 0;
    char *slash = strrchr(executable, '/');
    mz_text path = {0};
    mz_text_add(&path, "%.*s/../include", (int)(slash - executable), executable);
    mz_text header = {0};
    mz_text_add(&header, "%s/mazurka.h", mz_text_string(&path));
    bool there = access(mz_text_string(&header), R_OK) == 0;
    mz_text_release(&header);
    if (!there)
        mz_text_release(&path);
    return there ? path.bytes : NULL;
}

bool mz_split_words(const char *text, char ***words, size_t *count)
{
    mz_words list = {0};
    mz_text word = {0};
    char quote = 0;
    bool inside = false;
    for (; *text; text++) {
        if (quote ? *text == quote : (*text == '\'' || *text == '"')) {
            quote = quote ? 0 : *text;
            inside = true;
        } else if (*text == '\\' && text[1] && quote != '\'') {
            mz_text_add_bytes(&word, ++text, 1);
            inside = true;
        } else if (!quote && strchr(" \t\n", *text)) {
            if (inside)
                mz_words_add(&list, mz_text_string(&word));
            mz_text_clear(&word);
            inside = false;
        } else {
            mz_text_add_bytes(&word, text, 1);
            inside = true;
        }
    }
    if (inside && !quote)
        mz_words_add(&list, mz_text_string(&word));
    mz_text_release(&word);
    if (quote)
        mz_words_release(&list);
    *words = list.items;
    *count = list.count;
    return !quote;
}
