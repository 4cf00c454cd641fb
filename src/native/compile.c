/* Which flags make every access visible, found by reading the assembly of gcc 12 and clang 14.
 *
 * What is left out or hidden, and the answer:
 *  - clang drops the read hook of x++: -tsan-instrument-read-before-write=1.
 *  - gcc expands memset, memcpy, strcpy, … of small constant sizes without any hook (the expansion comes
 * after the sanitizer's pass): -fno-builtin-NAME for those that write memory turns them into calls, which are
 *    modelled. Struct copies and initialisations need nothing: gcc calls __tsan_read_range/__tsan_write_range
 *    before them (the write's hook first), clang calls memcpy and memset.
 *  - clang turns memcmp into bcmp, and strcpy and sprintf into stpcpy: switched off, to keep to few names.
 *  - Both leave out locals whose address does not escape, and constants. Right: no other thread sees them.
 *  - Both merge accesses as any optimiser may: `x = 1; x = 2;` is one write at -O1. With -O0 all are there.
 *  - Not visible, with no remedy: a struct passed by value straight from shared memory (f(global); both
 *    compilers), a call's struct result stored straight into shared memory (global = f(); gcc only), explicit
 *    __builtin_memcpy of 9 to about 64 bytes (gcc only).
 *
 * Functions are not inlined: a replaced function or one called __VERIFIER_atomic_… must remain a function
 * with calls and with entry and exit hooks. Both compilers give these hooks to every function that has an
 * access or a call; a function without hooks has neither, so that it makes no difference whether it is
 * atomic. For the same reason gcc's passes that merge, clone or look into functions are off, and for clang
 * global functions count as replaceable. (gcc's -fipa-ra would let a caller rely on registers that the
 * renamed function does not touch, but ours does.)
 *
 * Thread-local variables: the general dynamic model calls __tls_get_addr, and the linker's --wrap catches
 * that call as any other (GNU ld and lld, both compilers); being a shared object, nothing is relaxed. */
#include "native/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "native/compile_internal.h"
#include "native/functions.h"
#include "native/functions_cxx.h"

/* After the user's flags, so that these hold. */
static const char *const common_flags[] = {
    "-g", "-fPIC", "-fno-lto", "-fno-sanitize=all", "-fsanitize=thread", "-U__SANITIZE_THREAD__",
    "-DMAZURKA=1",
    /* attributes that keep functions from being instrumented */
    "-Dno_sanitize(what)=unused", "-D__no_sanitize__(what)=unused", "-Dno_sanitize_thread=unused",
    "-D__no_sanitize_thread__=unused", "-Ddisable_sanitizer_instrumentation=unused", "-fno-inline",
    /* the hook at a function's end is called from within it */
    "-fno-optimize-sibling-calls", "-fvisibility=default", "-ftls-model=global-dynamic",
    "-fno-stack-protector", "-fstack-clash-protection", /* no frame jumps over the hole */
    "-U_FORTIFY_SOURCE",
    /* what allocates and frees is no pair to be left out, with all that is done to the block in between */
    "-fno-builtin-malloc", "-fno-builtin-calloc", "-fno-builtin-realloc", "-fno-builtin-free",
    "-fno-builtin-aligned_alloc", "-fno-builtin-memalign", "-fno-builtin-posix_memalign",
    "-fno-builtin-strdup", "-fno-builtin-strndup"};

static const char *const gcc_flags[] = {
    "-fno-builtin-memset",
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-mempcpy",
    "-fno-builtin-bzero",
    "-fno-builtin-bcopy",
    "-fno-builtin-strcpy",
    "-fno-builtin-strncpy",
    "-fno-builtin-stpcpy",
    "-fno-builtin-strcat",
    "-fno-builtin-strncat",
    "-fno-builtin-sprintf",
    "-fno-builtin-snprintf",
    "-fno-ipa-icf",
    "-fno-ipa-ra",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-pure-const",
    "-fno-partial-inlining",
    "-fno-allocation-dce", /* the same for new and delete */
    "-fno-tree-dse",       /* what is written to a block before it is freed is written */
    "-fno-tree-dce",
    /* "atomic_thread_fence is not supported with -fsanitize=thread": by us it is */
    "-Wno-tsan",
#if defined __x86_64__
    "-mtls-dialect=gnu",
#elif defined __aarch64__
    "-mtls-dialect=trad",
#endif
};

/* __has_feature(thread_sanitizer) must be false, so that what is checked is what ships. The macro cannot
 * refer to its former self, but __has_extension knows the same names (in strict older C++ a few more).
 * Version 4 of the debug information, because clang's assembler does not understand clang's version 5 for
 * files called ./x.c. */
static const char *const clang_flags[] = {"-gdwarf-4",
                                          "-mllvm",
                                          "-tsan-instrument-read-before-write=1",
                                          "-fsemantic-interposition",
                                          "-fno-builtin", /* new and delete, too */
                                          "-Wno-builtin-macro-redefined",
                                          "-Wno-unused-command-line-argument",
                                          "-DMZ__SECOND(a,b,...)=b",
                                          "-DMZ__PROBE(...)=MZ__SECOND(__VA_ARGS__,0,0)",
                                          "-DMZ__IS_thread_sanitizer=~,1",
                                          "-D__has_feature(x)=(__has_extension(x)&&!MZ__PROBE(MZ__IS_##x))"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *extension(const char *path)
{
    const char *dot = strrchr(base_name(path), '.');
    return dot ? dot : "";
}

bool mz__is_cxx_source(const char *file)
{
    static const char *const endings[] = {".cc", ".cpp", ".cxx", ".C", ".c++", ".ii"};
    for (size_t i = 0; i < LENGTH(endings); i++)
        if (strcmp(extension(file), endings[i]) == 0)
            return true;
    return false;
}

bool mz_is_source(const char *file)
{
    return strcmp(extension(file), ".c") == 0 || strcmp(extension(file), ".i") == 0 ||
           mz__is_cxx_source(file);
}

/* gcc → g++, clang → clang++, cc → c++; versions (gcc-12) and folders stay. */
char *mz__driver(const mz_compile_options *options, bool cxx)
{
    static const char *const pairs[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *compiler = options->compiler ? options->compiler : "gcc";
    const char *base = base_name(compiler);
    if (!cxx || strstr(base, "++"))
        return mz_copy_string(compiler);
    for (size_t i = 0; i < LENGTH(pairs); i++) {
        const char *found = strstr(base, pairs[i][0]);
        if (!found)
            continue;
        mz_text name = {0};
        mz_text_add_bytes(&name, compiler, (size_t)(found - compiler));
        mz_text_add(&name, "%s%s", pairs[i][1], found + strlen(pairs[i][0]));
        return name.bytes;
    }
    return mz_copy_string(compiler);
}

/* A compiler whose name does not tell is asked. */
bool mz__is_clang(const char *compiler, const char *directory)
{
    const char *base = base_name(compiler);
    if (strstr(base, "clang"))
        return true;
    if (strstr(base, "gcc") || strstr(base, "g++"))
        return false;
    mz_job job = {.subject = compiler};
    mz__words_add(&job.words, compiler);
    mz__words_add(&job.words, "--version");
    mz_text version = {0};
    bool clang = mz__run_quietly(&job, directory, &version) && strstr(mz_text_string(&version), "clang");
    mz__words_release(&job.words);
    mz_text_release(&version);
    return clang;
}

/* A file whose name begins with - or @ is no option. */
void mz__add_file(mz_words *words, const char *file)
{
    mz_text name = {0};
    mz_text_add(&name, "%s%s", *file == '-' || *file == '@' ? "./" : "", file);
    mz__words_add(words, mz_text_string(&name));
    mz_text_release(&name);
}

/* The messages take a detour through a file; on a terminal they keep their colours. */
void mz__add_colour(mz_words *words)
{
    const char *terminal = getenv("TERM");
    if (isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !getenv("NO_COLOR"))
        mz__words_add(words, "-fdiagnostics-color=always");
}

static void add_compile_words(mz_words *words, const mz_compile_options *options, const char *source,
                              const char *assembly, const char *directory)
{
    char *compiler = mz__driver(options, mz__is_cxx_source(source));
    mz__words_add(words, compiler);
    mz__add_colour(words);
    mz__words_add(words, "-O1");
    mz__words_add_list(words, options->flags, options->flag_count);
    mz__words_add_list(words, common_flags, LENGTH(common_flags));
    if (mz__is_clang(compiler, directory))
        mz__words_add_list(words, clang_flags, LENGTH(clang_flags));
    else
        mz__words_add_list(words, gcc_flags, LENGTH(gcc_flags));
    if (mz__is_cxx_source(source)) {
        mz_text prelude = {0};
        mz_text_add(&prelude, "%s/prelude.h", directory);
        mz__words_add(words, "-include");
        mz__words_add(words, mz_text_string(&prelude));
        mz__words_add(words, "-I"); /* bits/atomic_wait.h */
        mz__words_add(words, directory);
        mz_text_release(&prelude);
    }
    if (options->include_directory) {
        mz__words_add(words, "-I");
        mz__words_add(words, options->include_directory);
    }
    mz__words_add(words, "-S");
    mz__words_add(words, "-o");
    mz__words_add(words, assembly);
    mz__add_file(words, source);
    mz_release(compiler);
}

/* All sources to assembly files named after their index. */
static bool compile_sources(const mz_compile_options *options, bool by_checker, const char *const *sources,
                            size_t count, const char *directory, mz_words *assemblies, mz_error *error)
{
    mz_job *jobs = mz_allocate_zeroed(count, sizeof *jobs);
    for (size_t i = 0; i < count; i++) {
        mz_text path = {0};
        mz_text_add(&path, "%s/%zu.s", directory, assemblies->count);
        jobs[i].subject = sources[i];
        add_compile_words(&jobs[i].words, options, sources[i], mz_text_string(&path), directory);
        mz__words_add(assemblies, mz_text_string(&path));
        mz_text_release(&path);
    }
    const char *const *made = (const char *const *)assemblies->items + (assemblies->count - count);
    size_t failed = 0;
    bool good =
        mz__write_cxx_headers(directory, error) && mz__run_jobs(jobs, count, directory, &failed, error);
    if (!good && count > 0)
        mz_error_set(error, (mz_position){0}, "%s could not compile '%s'", jobs[failed].words.items[0],
                     sources[failed]);
    for (size_t i = 0; good && i < count; i++)
        good = mz__prepare_assembly(made[i], by_checker, error);
    for (size_t i = 0; i < count; i++)
        mz__words_release(&jobs[i].words);
    mz_release(jobs);
    return good;
}

bool mz__run_one(mz_words *words, const char *directory, const char *what, mz_error *error)
{
    mz_job job = {.words = *words};
    size_t failed = 0;
    bool good = mz__run_jobs(&job, 1, directory, &failed, error);
    if (!good)
        mz_error_set(error, (mz_position){0}, "%s could not %s", words->items[0], what);
    return good;
}

static void add_link_flags(mz_words *words)
{
    static const char *const flags[] = {
#define MZ_X(name) "-Wl,--wrap=" #name,
        MZ_MODELLED(MZ_X) MZ_CXX_MODELLED(MZ_X)
#undef MZ_X
            "-Wl,-z,now",
        "-Wl,-z,undefs",
        "-Wl,-Bsymbolic",
    };
    mz__words_add_list(words, flags, LENGTH(flags));
}

/* What a Makefile may give for an ordinary executable, and what would spoil a shared object. */
bool mz__is_unwanted_link_flag(const char *word)
{
    static const char *const unwanted[] = {"-static", "-static-pie", "-pie",     "-no-pie",
                                           "-s",      "-flto",       "-rdynamic"};
    for (size_t i = 0; i < LENGTH(unwanted); i++)
        if (strcmp(word, unwanted[i]) == 0)
            return true;
    return strncmp(word, "-fsanitize", 10) == 0 || strncmp(word, "-flto=", 6) == 0;
}

bool mz__is_source_word(const char *word)
{
    return *word != '-' && mz_is_source(word);
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

/* What else a program needs, as compiled before or now; its flags are ours alone. */
static bool add_written_parts(const mz_compile_options *options, const char *standard,
                              const mz_words *sources, const char *directory, mz_words *assemblies,
                              mz_error *error)
{
    const char *flags[] = {standard, "-w"};
    mz_compile_options own = {.compiler = options->compiler, .flags = flags, .flag_count = LENGTH(flags)};
    mz_words missing = {0}, found = {0};
    bool good = true;
    char **entries = mz_allocate_zeroed(sources->count + 1, sizeof *entries);
    for (size_t i = 0; i < sources->count; i++) {
        mz_words command = {0};
        add_compile_words(&command, &own, sources->items[i], directory, directory);
        char *entry = mz__cache_entry(&command, directory, sources->items[i]);
        mz__words_release(&command);
        if (entry && access(entry, R_OK) == 0) {
            mz__words_add(&found, entry);
            mz_release(entry);
        } else {
            entries[missing.count] = entry;
            mz__words_add(&missing, sources->items[i]);
        }
    }
    if (missing.count > 0)
        good = compile_parts(&own, &missing, entries, directory, assemblies, error);
    mz__words_add_list(assemblies, (const char *const *)found.items, found.count);
    for (size_t i = 0; i < missing.count; i++)
        mz_release(entries[i]);
    mz_release(entries);
    mz__words_release(&missing);
    mz__words_release(&found);
    return good;
}

static bool add_parts(const mz_compile_options *options, bool cxx, const mz_words *inputs,
                      const char *directory, mz_words *assemblies, mz_error *error)
{
    const char *const *files = (const char *const *)inputs->items;
    mz_words sources = {0};
    bool good =
        (cxx ? mz__write_cxx_parts : mz__write_c_parts)(files, inputs->count, directory, &sources, error) &&
        add_written_parts(options, cxx ? "-std=gnu++20" : "-std=gnu17", &sources, directory, assemblies,
                          error);
    mz__words_release(&sources);
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

/* The shared object that is checked, and, unless that is NULL, the program that is run, which holds it. Of
 * what cannot be run (C++; a library) there is the shared object alone: *runnable. */
static bool link_in(const mz_compile_options *options, const char *const *words, size_t count,
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
    mz_words assemblies = {0}, inputs = {0}, command = {0};
    bool good = compile_sources(options, false, sources, source_count, directory, &assemblies, error);
    size_t own_count = assemblies.count;
    if (good) {
        mz__words_add_list(&inputs, (const char *const *)assemblies.items, own_count);
        for (size_t i = 0; i < count; i++)
            if (*words[i] != '-' && !mz__is_source_word(words[i]))
                mz__words_add(&inputs, words[i]);
        cxx |= mz__mentions_cxx((const char *const *)inputs.items, inputs.count);
        good = add_parts(options, false, &inputs, directory, &assemblies, error) &&
               (!cxx || add_parts(options, true, &inputs, directory, &assemblies, error));
        if (good && options->entry_count > 0)
            good = add_entry_part(options, directory, &assemblies, error);
    }
    *runnable = good && program && !names_shared(words, count) && !cxx && options->entry_count == 0;
    if (good) {
        char *compiler = mz__driver(options, cxx);
        mz__words_add(&command, compiler);
        mz_release(compiler);
        mz__add_colour(&command);
        mz__words_add(&command, "-shared");
        mz__words_add(&command, "-o");
        mz__words_add(&command, library);
        if (options->entry_count > 0) /* nothing in the program itself asks for the members of an archive */
            mz__words_add(&command, "-Wl,--whole-archive");
        for (size_t i = 0; i < count;
             i++) /* the assembler is part of this command: one process less to start */
            if (mz__is_source_word(words[i]))
                mz__words_add(&command, assemblies.items[next++]);
            else if (!mz__is_unwanted_link_flag(words[i]))
                mz__words_add(&command, words[i]);
        if (options->entry_count > 0)
            mz__words_add(&command, "-Wl,--no-whole-archive");
        for (size_t i = own_count; i < assemblies.count; i++)
            mz__words_add(&command, assemblies.items[i]);
        for (size_t i = 0; i < options->link_flag_count; i++)
            if (!mz__is_unwanted_link_flag(options->link_flags[i]))
                mz__words_add(&command, options->link_flags[i]);
        add_link_flags(&command); /* last: a Makefile's -Wl,-z,defs must not win */
        good = mz__run_one(&command, directory, "link the program", error) &&
               mz__defer_constructors(library, error);
    }
    if (good && *runnable)
        good = mz__link_program(options, words, count, &assemblies, directory, library, program, error);
    mz__words_release(&assemblies);
    mz__words_release(&inputs);
    mz__words_release(&command);
    mz_release(sources);
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
    bool good = mz__read_file(from, &contents) &&
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
    bool good = link_in(options, words, count, directory, mz_text_string(&library), output, &runnable, error);
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
        mz__words_add(&command, compiler);
        mz_release(compiler);
        mz__words_add(&command, "-c");
        mz__words_add(&command, "-o");
        mz__words_add(&command, object);
        mz__words_add(&command, assembly.items[0]);
        good = mz__run_one(&command, directory, "assemble the compiled program", error);
    }
    mz__words_release(&assembly);
    mz__words_release(&command);
    mz__remove_directory(directory);
    mz_release(directory);
    return good;
}

static void refuse_foreign(const char *file, const char *member, mz_error *error)
{
    if (*member)
        mz_error_set(error, (mz_position){0}, "'%s' in '%s' was not compiled for checking", member, file);
    else
        mz_error_set(error, (mz_position){0}, "'%s' was not compiled for checking", file);
    mz_error_set_hint(error, "compile it with 'mazurka cc' instead of the compiler, for example make "
                             "CC=\"mazurka cc\"");
}

/* Everything that can be said before a compiler is started. */
static bool check_file(const char *file, bool *linked, mz_error *error)
{
    if (access(file, R_OK) != 0) {
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read: %s", file, strerror(errno));
        return false;
    }
    if (mz_is_source(file))
        return true;
    bool foreign = false;
    mz_text member = {0};
    mz_object_kind kind = mz__object_kind(file, &member, &foreign);
    if (kind == MZ_OBJECT_OTHER) {
        mz_error_set(error, (mz_position){0}, "'%s' is neither a source nor an object", file);
        mz_error_set_hint(error, "sources end in .c, .cc, .cpp, .cxx or .C, preprocessed ones in .i or .ii; "
                                 "objects and archives come from "
                                 "'mazurka cc'");
    } else if (foreign) {
        refuse_foreign(file, mz_text_string(&member), error);
    }
    *linked |= kind == MZ_OBJECT_PROGRAM;
    mz_text_release(&member);
    return !error->set;
}

/* A function that is called but defined nowhere, neither by the program nor by the library. */
static bool lacks_a_definition(const char *library)
{
    mz_text text = {0};
    bool lacks = false, has_main;
    size_t cursor = 0;
    if (mz__read_file(library, &text))
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
        if (mz__is_source_word(words[i]) && !mz__is_cxx_source(words[i]) && mz__read_file(words[i], &text))
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
    mz__words_add_list(&all, options->flags, options->flag_count);
    mz__words_add_list(&all, flags, LENGTH(flags));
    mz__words_add_list(&link, options->link_flags, options->link_flag_count);
    mz__words_add(&link, link_flag);
    mz_compile_options own = *options;
    own.flags = (const char **)(void *)all.items;
    own.flag_count = all.count;
    own.link_flags = (const char **)(void *)link.items;
    own.link_flag_count = link.count;
    bool good = link_in(&own, (const char *const *)words->items, words->count, out->directory, out->library,
                        out->program, runnable, error);
    mz__words_release(&all);
    mz__words_release(&link);
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
    bool good = link_in(options, (const char *const *)words.items, words.count, out->directory, out->library,
                        out->program, &runnable, error);
    if (good && mentions_inline((const char *const *)words.items, words.count) &&
        lacks_a_definition(out->library))
        good = link_with_old_inlines(options, &words, out, &runnable, error);
    if (!runnable) {
        mz_release(out->program);
        out->program = NULL;
    }
    out->counts_accesses = options->run == MZ_RUN_ACCESSES;
    mz__words_release(&words);
    return good;
}

bool mz_compile_program(const mz_compile_options *options, const char *const *files, size_t count,
                        mz_compiled *out, mz_error *error)
{
    *out = (mz_compiled){0};
    bool linked = false;
    for (size_t i = 0; i < count; i++)
        if (!check_file(files[i], &linked, error))
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

void mz_compiled_release(mz_compiled *compiled)
{
    if (compiled->directory)
        mz__remove_directory(compiled->directory);
    mz_release(compiled->directory);
    mz_release(compiled->library);
    mz_release(compiled->program);
    mz_release(compiled->warnings);
    mz_release(compiled->compiler_version);
    mz_release(compiled->allowed);
    mz_release(compiled->notes);
    for (size_t i = 0; i < compiled->entry_count; i++)
        mz_release(compiled->entries[i]);
    mz_release(compiled->entries);
    *compiled = (mz_compiled){0};
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
                mz__words_add(&list, mz_text_string(&word));
            mz_text_clear(&word);
            inside = false;
        } else {
            mz_text_add_bytes(&word, text, 1);
            inside = true;
        }
    }
    if (inside && !quote)
        mz__words_add(&list, mz_text_string(&word));
    mz_text_release(&word);
    if (quote)
        mz__words_release(&list);
    *words = list.items;
    *count = list.count;
    return !quote;
}
