/* The program that is run: an ordinary executable with the runtime of safe execution
 * (safe/runtime/runtime*.c) in it, which holds in a section the shared object that is checked.
 *
 * Events have the same names in both (wire/plan_format.h), whatever the optimiser does to plain accesses, as
 * long as these are not counted. So a source that does no atomic operation is compiled as it would be without
 * us, and only its calls to pthreads and the like are caught (--wrap). That a race-free program behaves as if
 * its accesses happened in the order of its operations is what the language promises, for any optimisation.
 *
 * A source with atomic operations needs the compiler's calls for those, and only those: clang can be told;
 * from what gcc makes, the calls before plain accesses are taken out again. A call that is not there does not
 * harm: it would have changed nothing but registers that the compiler holds for lost. Where gcc can be told
 * that these are none (safe/runtime/linked/hooks.h), the code is as good as without the calls.
 *
 * Objects of `mazurka cc -c` are what is checked. That code can count everything, and is slower. What
 * `mazurka cc` makes of sources at once holds, in another section, the same program of that code: it is
 * started instead if races are to be kept in order. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile.h"
#include "program/build/compile_internal.h"
#include "program/build/embedded_files.h"
#include "wire/enforced.h"

#if defined __x86_64__
enum { MZ_KEEPS_REGISTERS = true }; /* linked/hooks.h */
#else
enum { MZ_KEEPS_REGISTERS = false };
#endif

/* ---- sources --------------------------------------------------------------------------------------------
 */

static bool mentions(const char *assembly, const char *name)
{
    mz_text text = {0};
    bool found = !mz_file_read(assembly, MZ_FILE_ANY_SIZE, &text) || strstr(mz_text_string(&text), name);
    mz_text_release(&text);
    return found;
}

/* Calls of libatomic, for sizes that no instruction has. */
static bool needs_library(const mz_words *assemblies)
{
    for (size_t i = 0; i < assemblies->count; i++)
        if (mentions(assemblies->items[i], "\t__atomic_"))
            return true;
    return false;
}

static const char *const atomics_flags[] = {"-fno-sanitize=all", "-fsanitize=thread", "-U__SANITIZE_THREAD__",
                                            "-D_GLIBCXX_TSAN=1"};
static const char *const gcc_atomics_flags[] = {"--param=tsan-instrument-func-entry-exit=0", "-Wno-tsan"};
static const char *const clang_atomics_flags[] = {"-mllvm",
                                                  "-tsan-instrument-memory-accesses=0",
                                                  "-mllvm",
                                                  "-tsan-instrument-func-entry-exit=0",
                                                  "-mllvm",
                                                  "-tsan-instrument-memintrinsics=0",
                                                  "-Wno-unused-command-line-argument"};

static void add_path(mz_words *words, const char *directory, const char *name)
{
    mz_text path = {0};
    mz_text_add(&path, "%s/%s", directory, name);
    mz_words_add(words, mz_text_string(&path));
    mz_text_release(&path);
}

/* A file that is part of the checker. */
static bool write_embedded(const char *directory, const mz__run_library *file, mz_error *error)
{
    mz_text path = {0};
    mz_text_add(&path, "%s/%s", directory, file->name);
    bool good = mz__write_file(mz_text_string(&path), file->text, file->length, error);
    mz_text_release(&path);
    return good;
}

static void add_plain_words(mz_words *words, const mz_compile_options *options, const char *source,
                            const char *output, bool atomics, const char *directory)
{
    bool cxx = mz__is_cxx_source(source);
    char *compiler = mz__driver(options, cxx);
    mz_words_add(words, compiler);
    mz_words_add(words, "-O2");
    mz_words_add_list(words, options->flags, options->flag_count);
    mz_words_add(words, "-fno-lto");
    mz_words_add(words, cxx ? "-fPIC" : "-fPIE"); /* C++: no copies of the library's variables */
    mz_words_add(words, "-DMAZURKA=1");
    if (atomics) {
        mz_words_add_list(words, atomics_flags, MZ_LENGTH(atomics_flags));
        if (mz__is_clang(compiler, directory)) {
            mz_words_add_list(words, clang_atomics_flags, MZ_LENGTH(clang_atomics_flags));
            mz__add_clang_features(words);
        } else {
            mz_words_add_list(words, gcc_atomics_flags, MZ_LENGTH(gcc_atomics_flags));
            mz_words_add(words, "-include");
            add_path(words, directory, mz__run_library_files[1].name);
        }
    }
    if (cxx)
        mz__add_cxx_headers(words, directory);
    if (options->include_directory) {
        mz_words_add(words, "-I");
        mz_words_add(words, options->include_directory);
    }
    mz_words_add(words, "-w"); /* what there is to warn of was said when it was compiled for checking */
    mz_words_add(words, "-S");
    mz_words_add(words, "-o");
    mz_words_add(words, output);
    mz__add_file(words, source);
    mz_release(compiler);
}

/* A call of a hook that is not to be counted, or nothing. */
static const char *plain_hook(const char *line, const char *end)
{
    static const char *const calls[] = {"call\t", "callq\t", "jmp\t", "bl\t", "b\t"};
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    for (size_t i = 0; i < MZ_LENGTH(calls); i++) {
        size_t length = strlen(calls[i]);
        const char *name = line + length;
        if ((size_t)(end - line) > length && strncmp(line, calls[i], length) == 0 &&
            strncmp(name, "__tsan_", 7) == 0 && strncmp(name, "__tsan_atomic", 13) != 0)
            return line;
    }
    return NULL;
}

/* A stub of hooks.h, which is for this file only. */
static bool declares_stub(const char *line, const char *end)
{
    static const char *const words[] = {"\t.globl\t__tsan_", "\t.hidden\t__tsan_"};
    for (size_t i = 0; i < MZ_LENGTH(words); i++)
        if ((size_t)(end - line) > strlen(words[i]) && strncmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* The stubs are those of this file, and `drops`: hooks are not called. A jump to a hook was the end of the
 * function. */
static bool edit_hooks(const char *path, bool drops, mz_error *error)
{
    mz_text text = {0}, out = {0};
    bool good = mz_file_read(path, MZ_FILE_ANY_SIZE, &text);
    const char *at = mz_text_string(&text), *end = at + text.length;
    while (good && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop + 1 : end;
        const char *hook = drops ? plain_hook(at, stop) : NULL;
        if (!hook && !declares_stub(at, stop))
            mz_text_add_bytes(&out, at, (size_t)(stop - at));
        else if (hook && (*hook == 'j' || strncmp(hook, "b\t", 2) == 0))
            mz_text_add(&out, "\tret\n");
        at = stop;
    }
    if (!good)
        mz_error_set(error, (mz_position){0}, "the compiler's output '%s' cannot be read", path);
    else
        good = mz__write_file(path, mz_text_string(&out), out.length, error);
    mz_text_release(&text);
    mz_text_release(&out);
    return good;
}

/* Compile the sources again; *made: what is to be linked in their place. Behind those in `assemblies` are
 * parts of the C library: they stay as they are, since their operations have to be counted in both. */
static bool compile_plainly(const mz_compile_options *options, const char *const *words, size_t count,
                            const mz_words *assemblies, const char *directory, mz_words *made,
                            mz_error *error)
{
    mz_job *jobs = mz_allocate_zeroed(count, sizeof *jobs);
    bool *atomics = mz_allocate_zeroed(count, sizeof *atomics);
    size_t sources = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (!mz__is_source_word(words[i]))
            continue;
        mz_text path = {0};
        mz_text_add(&path, "%s/run%zu.s", directory, sources);
        atomics[sources] = mentions(assemblies->items[sources], "__tsan_atomic");
        jobs[sources].subject = words[i];
        add_plain_words(&jobs[sources].words, options, words[i], mz_text_string(&path), atomics[sources],
                        directory);
        mz_words_add(made, mz_text_string(&path));
        mz_text_release(&path);
        sources++;
    }
    bool good = write_embedded(directory, &mz__run_library_files[1], error) &&
                mz__run_jobs(jobs, sources, directory, &failed, error);
    if (!good && !error->set)
        mz_error_set(error, (mz_position){0}, "%s could not compile '%s' to be run",
                     jobs[failed].words.items[0], jobs[failed].subject);
    for (size_t i = 0; good && i < sources; i++)
        if (atomics[i])
            good = edit_hooks(made->items[i], true, error);
    for (size_t i = 0; i < sources; i++)
        mz_words_release(&jobs[i].words);
    mz_release(jobs);
    mz_release(atomics);
    return good;
}

/* ---- code that counts plain accesses --------------------------------------------------------------------
 */

/* The compiler's command for the check, and hooks that keep registers. */
static void add_counting_words(mz_words *words, const mz_compile_options *options, const char *source,
                               const char *output, const char *directory)
{
    static const char *const flags[] = {"-fipa-ra", "--param=tsan-instrument-func-entry-exit=0",
                                        "-DMZ_COUNTS_ACCESSES=1", "-w", "-include"};
    mz__add_compile_words(words, options, source, output, directory);
    mz_words_add_list(words, flags, MZ_LENGTH(flags));
    add_path(words, directory, mz__run_library_files[1].name);
}

/* As a function of the program that the checker answers is called in its code. */
static bool can_count(const char *checked, const char *made)
{
    return mz__have_same_sites(checked, made) && !mentions(checked, "__program_");
}

/* The sources again, with hooks that keep registers, if they have the same ones; *made: what is to be linked
 * instead of the assemblies. */
static bool compile_counting(const mz_compile_options *options, const char *const *words, size_t count,
                             const mz_words *assemblies, const char *directory, mz_words *made,
                             mz_error *error)
{
    size_t sources = 0;
    bool good = write_embedded(directory, &mz__run_library_files[1], error);
    for (size_t i = 0; good && i < count; i++) {
        if (!mz__is_source_word(words[i]))
            continue;
        mz_text path = {0}, messages = {0};
        mz_job job = {.subject = words[i]};
        const char *checked = assemblies->items[sources];
        char *compiler = mz__driver(options, mz__is_cxx_source(words[i]));
        mz_text_add(&path, "%s/counting%zu.s", directory, sources++);
        add_counting_words(&job.words, options, words[i], mz_text_string(&path), directory);
        bool use = MZ_KEEPS_REGISTERS && !mz__is_clang(compiler, directory) &&
                   mz__run_quietly(&job, directory, &messages) && can_count(checked, mz_text_string(&path));
        good = !use || (edit_hooks(mz_text_string(&path), false, error) &&
                        mz__list_sites(mz_text_string(&path), error));
        mz_words_add(made, use ? mz_text_string(&path) : checked);
        mz_release(compiler);
        mz_words_release(&job.words);
        mz_text_release(&messages);
        mz_text_release(&path);
    }
    for (; good && sources < assemblies->count; sources++)
        mz_words_add(made, assemblies->items[sources]);
    return good;
}

/* ---- linking --------------------------------------------------------------------------------------------
 */

static void add_quoted(mz_text *out, const char *path)
{
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            mz_text_add_bytes(out, "\\", 1);
        mz_text_add_bytes(out, path, 1);
    }
}

static void add_file_as_section(mz_text *out, const char *section, const char *file)
{
    if (!file)
        return;
    mz_text_add(out, "\t.section %s,\"\",@progbits\n\t.incbin \"", section);
    add_quoted(out, file);
    mz_text_add(out, "\"\n");
}

/* What is the program's own is not caught, and that is then also what the runtime calls by that name, for
 * example to free what malloc() gave it. */
static void add_own_functions(mz_text *out, const mz_words *own)
{
#if defined __x86_64__
    static const char code[] = "jmp\t%s@PLT";
#else
    static const char code[] = "b\t%s";
#endif
    mz_text_add(out, "\t.text\n");
    for (size_t i = 0; i < own->count; i++) {
        mz_text_add(out, "\t.weak __real_%s\n__real_%s:\n\t", own->items[i], own->items[i]);
        mz_text_add(out, code, own->items[i]);
        mz_text_add(out, "\n");
    }
}

/* What the program holds beside its code: the linker's command assembles it. Files that are NULL it does not
 * hold. */
static bool write_contents(const char *directory, const char *library, const char *counting, bool plain,
                           mz_without_plan without_plan, const mz_words *own, mz_error *error)
{
    mz_text text = {0}, path = {0};
    add_own_functions(&text, own);
    add_file_as_section(&text, MZ_CHECKED_SECTION, library);
    add_file_as_section(&text, MZ_COUNTING_SECTION, counting);
    mz_text_add(&text,
                "\t.section " MZ_RUN_SECTION ",\"\",@progbits\n\t.ascii \"%s\\n\"\n"
                "\t.section .rodata\n\t.globl " MZ_WITHOUT_PLAN_SYMBOL "\n" MZ_WITHOUT_PLAN_SYMBOL
                ":\n\t.byte %d\n"
                "\t.section .note.GNU-stack,\"\",@progbits\n",
                plain ? "operations" : "accesses", without_plan);
    mz_text_add(&path, "%s/contents.s", directory);
    bool good = mz__write_file(mz_text_string(&path), mz_text_string(&text), text.length, error);
    mz_text_release(&path);
    mz_text_release(&text);
    return good && write_embedded(directory, &mz__run_library_files[0], error);
}

/* The installed library of C++ keeps to its own functions: what it does is not counted. */
static bool write_hidden_names(const char *directory, mz_error *error)
{
    static const char script[] =
        "{ local: __cxa_*; __once_proxy; __libc_single_threaded; _ZSt*; _ZNSt*; _ZNKSt*; };\n";
    mz_text path = {0};
    mz_text_add(&path, "%s/hidden", directory);
    bool good = mz__write_file(mz_text_string(&path), script, sizeof script - 1, error);
    mz_text_release(&path);
    return good;
}

static void add_cxx_link_flags(mz_words *command, const char *directory)
{
    static const char *const flags[] = {
#define MZ_X(name) "-Wl,--wrap=" #name,
        MZ_ENFORCED_CXX(MZ_X)
#undef MZ_X
    };
    mz_text script = {0};
    mz_text_add(&script, "-Wl,--version-script=%s/hidden", directory);
    mz_words_add_list(command, flags, MZ_LENGTH(flags));
    mz_words_add(command, mz_text_string(&script));
    mz_text_release(&script);
}

/* The archive's parts are asked for by name: a program may call nothing of them, and weak references, as to
 * pthread_create, fetch nothing. */
static void add_link_flags(mz_words *command, const mz_words *own)
{
    static const char *const names[] = {
#define MZ_X(name) #name,
        MZ_ENFORCED(MZ_X)
#undef MZ_X
    };
    static const char *const flags[] = {"-Wl,-u,mz__find_plan", "-Wl,-u,__wrap_pthread_create",
                                        "-Wl,-u,__wrap_pthread_mutex_lock", "-Wl,-u,__wrap_sem_wait"};
    for (size_t i = 0; i < MZ_LENGTH(names); i++)
        if (!mz_words_have(own, names[i]))
            mz__add_option(command, "-Wl,--wrap=", names[i]);
    mz_words_add_list(command, flags, MZ_LENGTH(flags));
}

static bool link_words(const mz_compile_options *options, const char *const *words, size_t count,
                       const mz_words *code, const mz_words *own, bool cxx, const char *directory,
                       const char *program, mz_error *error)
{
    mz_words command = {0};
    char *compiler = mz__driver(options, cxx);
    size_t next = 0;
    mz_words_add(&command, compiler);
    mz__add_colour(&command);
    mz_words_add(&command, "-pie");
    mz_words_add(&command, "-pthread");
    mz_words_add(&command, "-o");
    mz_words_add(&command, program);
    for (size_t i = 0; i < count; i++)
        if (mz__is_source_word(words[i]))
            mz_words_add(&command, code->items[next++]);
        else if (!mz__is_unwanted_link_flag(words[i]))
            mz_words_add(&command, words[i]);
    for (size_t i = 0; i < options->link_flag_count; i++)
        if (!mz__is_unwanted_link_flag(options->link_flags[i]))
            mz_words_add(&command, options->link_flags[i]);
    for (; next < code->count; next++)
        mz_words_add(&command, code->items[next]);
    add_path(&command, directory, "contents.s");
    add_link_flags(&command, own);
    if (cxx)
        add_cxx_link_flags(&command, directory);
    add_path(&command, directory, "libmazurka_run.a");
    if (needs_library(code))
        mz_words_add(&command, "-latomic");
    bool good = mz__run_one(&command, directory, "link the program", error);
    mz_words_release(&command);
    mz_release(compiler);
    return good;
}

static bool has_sources(const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mz__is_source_word(words[i]))
            return true;
    return false;
}

/* Atomic operations in its own assembly are counted by what was put there for the check. */
static bool counts_assembly(const mz_words *assemblies)
{
    for (size_t i = 0; i < assemblies->count; i++)
        if (mentions(assemblies->items[i], "__tsan_written"))
            return true;
    return false;
}

bool mz__link_program(const mz_compile_options *options, const char *const *words, size_t count,
                      const mz_words *assemblies, const mz_words *own, bool cxx, const char *directory,
                      const char *library, const char *program, mz_error *error)
{
    bool plain = options->run != MZ_RUN_ACCESSES && has_sources(words, count) && !counts_assembly(assemblies);
    bool counts = !plain || options->run == MZ_RUN_NOT;
    mz_words made = {0}, kept = {0};
    mz_text counting = {0};
    bool good = (!cxx || write_hidden_names(directory, error)) &&
                (!plain || compile_plainly(options, words, count, assemblies, directory, &made, error)) &&
                (!counts || compile_counting(options, words, count, assemblies, directory, &kept, error));
    for (size_t i = made.count; plain && i < assemblies->count; i++)
        mz_words_add(&made, assemblies->items[i]);
    if (good && plain && options->run == MZ_RUN_NOT) {
        mz_text_add(&counting, "%s/counting", directory);
        good = write_contents(directory, NULL, NULL, false, options->without_plan, own, error) &&
               link_words(options, words, count, &kept, own, cxx, directory, counting.bytes, error);
    }
    good = good &&
           write_contents(directory, library, counting.bytes, plain, options->without_plan, own, error) &&
           link_words(options, words, count, plain ? &made : &kept, own, cxx, directory, program, error);
    mz_words_release(&made);
    mz_words_release(&kept);
    mz_text_release(&counting);
    return good;
}

bool mz_compile_alone(const mz_compile_options *options, const char *source, const char *output,
                      mz_error *error)
{
    char *directory = mz__make_directory(error);
    if (!directory)
        return false;
    mz_words command = {0};
    char *compiler = mz__driver(options, false);
    mz_words_add(&command, compiler);
    mz_words_add_list(&command, options->flags, options->flag_count);
    mz_words_add(&command, "-pthread");
    mz_words_add(&command, "-o");
    mz_words_add(&command, output);
    mz__add_file(&command, source);
    bool good = mz__run_one(&command, directory, "compile the program", error);
    mz_words_release(&command);
    mz_release(compiler);
    mz__remove_directory(directory);
    mz_release(directory);
    return good;
}

bool mz_compiled_add_section(const char *program, const char *name, const mz_text *contents, mz_error *error)
{
    char *directory = mz__make_directory(error);
    if (!directory)
        return false;
    mz_text file = {0}, option = {0};
    mz_words command = {0};
    mz_text_add(&file, "%s/section", directory);
    mz_text_add(&option, "%s=%s", name, mz_text_string(&file));
    mz_words_add(&command, "objcopy");
    mz_words_add(&command, "--add-section");
    mz_words_add(&command, mz_text_string(&option));
    mz__add_file(&command, program);
    bool good = mz__write_file(mz_text_string(&file), contents->bytes, contents->length, error) &&
                mz__run_one(&command, directory, "add the plan to the program", error);
    mz_words_release(&command);
    mz_text_release(&file);
    mz_text_release(&option);
    mz__remove_directory(directory);
    mz_release(directory);
    return good;
}

/* ---- linked before --------------------------------------------------------------------------------------
 */

/* Into a file of the directory; NULL and *error set if it cannot be written. */
static char *write_section(const char *directory, const char *name, const mz_text *contents, mz_error *error)
{
    mz_text path = {0};
    mz_text_add(&path, "%s/%s", directory, name);
    if (mz__write_file(path.bytes, mz_text_string(contents), contents->length, error))
        return path.bytes;
    mz_text_release(&path);
    return NULL;
}

bool mz__use_linked(const char *file, mz_compiled *out, mz_error *error)
{
    mz_text whole = {0}, library = {0}, code = {0}, counting = {0};
    bool good = mz_file_read(file, MZ_FILE_ANY_SIZE, &whole);
    if (!good || !mz__object_section(&whole, MZ_CHECKED_SECTION, &library)) {
        out->library = mz_copy_string(file);
    } else {
        out->program = mz_copy_string(file);
        out->is_linked = true;
        mz__object_section(&whole, MZ_RUN_SECTION, &code);
        out->counts_accesses = strcmp(mz_text_string(&code), "accesses\n") == 0;
        out->directory = mz__make_directory(error);
        good = out->directory &&
               (out->library = write_section(out->directory, "program.so", &library, error)) != NULL;
        if (good && mz__object_section(&whole, MZ_COUNTING_SECTION, &counting)) {
            out->counting = write_section(out->directory, "counting", &counting, error);
            good = out->counting && chmod(out->counting, S_IRWXU) == 0;
        }
    }
    mz_text_release(&whole);
    mz_text_release(&library);
    mz_text_release(&code);
    mz_text_release(&counting);
    return good || !error->set;
}
