/* Which flags make every access visible, found by reading the assembly of gcc 12 and clang 14.
 *
 * What is left out or hidden, and the answer:
 *  - clang drops the read hook of x++: -tsan-instrument-read-before-write=1.
 *  - gcc expands memset, memcpy, strcpy, … of small constant sizes without any hook (the expansion comes
 * after the sanitizer's pass), and memcmp, strcmp, … with a constant: -fno-builtin-NAME turns them into
 * calls, which are modelled. Struct copies and initialisations need nothing: gcc calls
 * __tsan_read_range/__tsan_write_range before them (the write's hook first: unhooked.c mends that),
 * clang calls memcpy and memset.
 *  - clang turns memcmp into bcmp, and strcpy and sprintf into stpcpy: switched off, to keep to few names.
 *  - Both leave out locals whose address does not escape, and constants. Right: no other thread sees them.
 *  - Both merge accesses as any optimiser may: `x = 1; x = 2;` is one write at -O1. With -O0 all are there.
 *  - What is left out nevertheless is found in the machine code (unhooked.c).
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
#include "program/build/compile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/build/compile_internal.h"
#include "program/build/functions.h"
#include "program/build/functions_cxx.h"

/* After the user's flags, so that these hold. */
static const char *const common_flags[] = {
    "-g", "-fPIC", "-fno-lto", "-fno-sanitize=all", "-fsanitize=thread", "-U__SANITIZE_THREAD__",
    "-DMAZURKA=1",
    /* libstdc++: shared_ptr does not read both of its counters at once, which no memory model knows */
    "-D_GLIBCXX_TSAN=1",
    /* attributes that keep functions from being instrumented */
    "-Dno_sanitize(what)=unused", "-D__no_sanitize__(what)=unused", "-Dno_sanitize_thread=unused",
    "-D__no_sanitize_thread__=unused", "-Ddisable_sanitizer_instrumentation=unused", "-fno-inline",
    /* the hook at a function's end is called from within it */
    "-fno-optimize-sibling-calls", "-fvisibility=default", "-ftls-model=global-dynamic",
    "-fno-stack-protector", "-fstack-clash-protection", /* no frame jumps over the hole */
#if defined __x86_64__
    "-masm=att", /* as it is read here */
#endif
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
    "-fno-builtin-memcmp",
    "-fno-builtin-bcmp",
    "-fno-builtin-memchr",
    "-fno-builtin-strlen",
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
    "-fno-builtin-strchr",
    "-fno-builtin-strrchr",
    "-fno-builtin-strstr",
    "-fno-builtin-strspn",
    "-fno-builtin-strcspn",
    "-fno-builtin-strpbrk",
    "-fno-ipa-icf",
    "-fno-ipa-ra",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-pure-const",
    "-fno-partial-inlining",
    "-fno-allocation-dce", /* the same for new and delete */
    "-fno-tree-dse",       /* what is written to a block before it is freed is written */
    "-fno-tree-dce",
    "--param=tsan-distinguish-volatile=1", /* hooks of their own, for --volatile */
    /* "atomic_thread_fence is not supported with -fsanitize=thread": by us it is */
    "-Wno-tsan",
#if defined __x86_64__
    "-mtls-dialect=gnu",
#elif defined __aarch64__
    "-mtls-dialect=trad", "-mno-outline-atomics",
    "-fno-section-anchors", /* or there could be no room behind variables: compile_variables.c */
#endif
};

/* __has_feature(thread_sanitizer) must be false, so that what is checked is what ships. The macro cannot
 * refer to its former self, but __has_extension knows the same names (in strict older C++ a few more). */
static const char *const clang_feature_flags[] = {
    "-Wno-builtin-macro-redefined", "-DMZ__SECOND(a,b,...)=b", "-DMZ__PROBE(...)=MZ__SECOND(__VA_ARGS__,0,0)",
    "-DMZ__IS_thread_sanitizer=~,1", "-D__has_feature(x)=(__has_extension(x)&&!MZ__PROBE(MZ__IS_##x))"};

/* Version 4 of the debug information, because clang's assembler does not understand clang's version 5 for
 * files called ./x.c. */
static const char *const clang_flags[] = {
    "-gdwarf-4", "-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm", "-tsan-distinguish-volatile=1",
    "-fsemantic-interposition",
    /* whatever the program's own flags say */
    "-fsanitize-thread-memory-access", "-fno-sanitize-ignorelist", "-fno-builtin", /* new and delete, too */
#if defined __aarch64__
    "-mno-outline-atomics", /* they ask what the processor can do */
#endif
    "-Wno-unused-command-line-argument"};

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
    for (size_t i = 0; i < MZ_LENGTH(endings); i++)
        if (strcmp(extension(file), endings[i]) == 0)
            return true;
    return false;
}

bool mz_is_source(const char *file)
{
    return strcmp(extension(file), ".c") == 0 || strcmp(extension(file), ".i") == 0 ||
           mz__is_cxx_source(file);
}

bool mz_is_header(const char *file)
{
    static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".h++"};
    for (size_t i = 0; i < MZ_LENGTH(endings); i++)
        if (strcmp(extension(file), endings[i]) == 0)
            return true;
    return false;
}

/* gcc → g++, clang → clang++, cc → c++; versions (gcc-12) and folders stay. */
char *mz__driver(const mz_compile_options *options, bool cxx)
{
    static const char *const pairs[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *compiler = options->compiler ? options->compiler : "gcc";
    const char *base = base_name(compiler);
    if (!cxx || strstr(base, "++"))
        return mz_copy_string(compiler);
    for (size_t i = 0; i < MZ_LENGTH(pairs); i++) {
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
    mz_words_add(&job.words, compiler);
    mz_words_add(&job.words, "--version");
    mz_text version = {0};
    bool clang = mz__run_quietly(&job, directory, &version) && strstr(mz_text_string(&version), "clang");
    mz_words_release(&job.words);
    mz_text_release(&version);
    return clang;
}

/* A file whose name begins with - or @ is no option. */
void mz__add_file(mz_words *words, const char *file)
{
    mz_text name = {0};
    mz_text_add(&name, "%s%s", *file == '-' || *file == '@' ? "./" : "", file);
    mz_words_add(words, mz_text_string(&name));
    mz_text_release(&name);
}

/* The messages take a detour through a file; on a terminal they keep their colours. */
void mz__add_colour(mz_words *words)
{
    const char *terminal = getenv("TERM");
    if (isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !getenv("NO_COLOR"))
        mz_words_add(words, "-fdiagnostics-color=always");
}

void mz__add_option(mz_words *words, const char *option, const char *value)
{
    mz_text text = {0};
    mz_text_add(&text, "%s%s", option, value);
    mz_words_add(words, mz_text_string(&text));
    mz_text_release(&text);
}

void mz__add_clang_features(mz_words *words)
{
    mz_words_add_list(words, clang_feature_flags, MZ_LENGTH(clang_feature_flags));
}

void mz__add_cxx_headers(mz_words *words, const char *directory)
{
    mz_text prelude = {0};
    mz_text_add(&prelude, "%s/prelude.h", directory);
    mz_words_add(words, "-include");
    mz_words_add(words, mz_text_string(&prelude));
    mz_words_add(words, "-I"); /* bits/atomic_wait.h */
    mz_words_add(words, directory);
    mz_text_release(&prelude);
}

/* Every access of the source is to be one of the program: none merged with another, moved, or dropped because
 * nobody uses its value. Two threads may race for it, and where races are no errors each is an event. gcc
 * keeps local variables in registers all the same, so that loops which wait are recognised
 * (program/loops/spin.c). Whoever asks for a level of optimisation has the program checked that it makes. */
static const char *const faithful_gcc_flags[] = {
    "-Og",
    "-fno-tree-dce",
    "-fno-dce",
    "-fno-tree-dse",
    "-fno-dse",
    "-fno-tree-fre",
    "-fno-tree-dominator-opts",
    "-fno-tree-forwprop",
    "-fno-tree-loop-im",
    "-fno-tree-sink",
    "-fno-tree-phiprop",
    "-fno-ipa-pure-const",
    "-fno-tree-builtin-call-dce",
};

static bool asks_for_optimisation(const mz_compile_options *options)
{
    for (size_t i = 0; i < options->flag_count; i++)
        if (strncmp(options->flags[i], "-O", 2) == 0)
            return true;
    return false;
}

static void add_optimisation(mz_words *words, const mz_compile_options *options, bool clang)
{
    if (asks_for_optimisation(options))
        return;
    if (clang)
        mz_words_add(words, "-O0");
    else
        mz_words_add_list(words, faithful_gcc_flags, MZ_LENGTH(faithful_gcc_flags));
}

const char *mz__optimisation(const mz_compile_options *options)
{
    const char *level = "-O0";
    for (size_t i = 0; i < options->flag_count; i++)
        if (strncmp(options->flags[i], "-O", 2) == 0)
            level = options->flags[i];
    return strcmp(level, "-O0") == 0 ? NULL : level;
}

void mz__add_compile_words(mz_words *words, const mz_compile_options *options, const char *source,
                           const char *assembly, const char *directory)
{
    char *compiler = mz__driver(options, mz__is_cxx_source(source));
    mz_words_add(words, compiler);
    mz__add_colour(words);
    add_optimisation(words, options, mz__is_clang(compiler, directory));
    mz_words_add_list(words, options->flags, options->flag_count);
    mz_words_add_list(words, common_flags, MZ_LENGTH(common_flags));
    mz__add_label_macros(words, source);
    if (mz__is_clang(compiler, directory)) {
        mz_words_add_list(words, clang_flags, MZ_LENGTH(clang_flags));
        mz__add_clang_features(words);
    } else {
        mz_words_add_list(words, gcc_flags, MZ_LENGTH(gcc_flags));
    }
    if (mz__is_cxx_source(source))
        mz__add_cxx_headers(words, directory);
    if (options->include_directory) {
        mz_words_add(words, "-I");
        mz_words_add(words, options->include_directory);
    }
    mz_words_add(words, "-S");
    mz_words_add(words, "-o");
    mz_words_add(words, assembly);
    mz__add_file(words, source);
    mz_release(compiler);
}

void mz__add_link_flags(mz_words *words, const mz_words *own)
{
    static const char *const names[] = {
#define MZ_X(name) #name,
        MZ_MODELLED(MZ_X) MZ_CXX_MODELLED(MZ_X)
#undef MZ_X
    };
    static const char *const flags[] = {"-Wl,-z,now", "-Wl,-z,undefs", "-Wl,-z,noexecstack",
                                        "-Wl,-Bsymbolic"};
    for (size_t i = 0; i < MZ_LENGTH(names); i++)
        if (!mz_words_have(own, names[i]))
            mz__add_option(words, "-Wl,--wrap=", names[i]);
    mz_words_add_list(words, flags, MZ_LENGTH(flags));
}

/* What a Makefile may give for an ordinary executable, and what would spoil a shared object. */
bool mz__is_unwanted_link_flag(const char *word)
{
    static const char *const unwanted[] = {"-static", "-static-pie", "-pie",     "-no-pie",
                                           "-s",      "-flto",       "-rdynamic"};
    for (size_t i = 0; i < MZ_LENGTH(unwanted); i++)
        if (strcmp(word, unwanted[i]) == 0)
            return true;
    return strncmp(word, "-fsanitize", 10) == 0 || strncmp(word, "-flto=", 6) == 0;
}

bool mz__is_source_word(const char *word)
{
    return *word != '-' && mz_is_source(word);
}
