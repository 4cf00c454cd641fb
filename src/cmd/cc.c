/* mazurka cc: a compiler wrapper. Compile steps (-c) make objects that `mazurka check` takes, link steps make
 * a program that it takes. Everything else (-E, -M, --version, …) is the compiler's own business. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "base/words.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "program/build/compile.h"
#include "safe/run/run.h"

typedef struct command_line {
    const char *compiler, *output, *dependency_file;
    mz_words flags; /* for compiling */
    mz_words words; /* for linking: files and options in their order */
    size_t source_count, file_count;
    bool compile_only, pass_through, dependencies, target_given;
    const char *plan;         /* a file: the linked program is to keep to it */
    const char *without_plan; /* what it does without one */
    mz_on_divergence on_divergence;
} command_line;

static const char help_text[] =
    "usage: mazurka cc [--cc=COMPILER] [options for running] compiler options and files …\n\n"
    "Compiles as gcc does (or COMPILER, or the one the variable MAZURKA_CC names), so that the result can "
    "be\n"
    "checked: objects (-c), archives of them, and linked programs can be given to 'mazurka check'. A linked\n"
    "program can also be run, a shared library (-shared) be linked with. mazurka-cc and mazurka-c++ (g++, "
    "or\n"
    "MAZURKA_CXX) are the same as programs of their own, for CMake and the like: doc/building.md.\n\n"
    "What a linked program does when it is started (doc/run.md):\n"
    "  --plan=FILE                          it keeps to this plan of 'mazurka plan', which it then holds\n"
    "  --on-divergence=stop|warn|serialise  when it leaves verified ground it ends, goes on without, or with "
    "one thread at a time\n"
    "  --without-plan=warn|free|refuse      without one it says so and runs (default), just runs, or ends\n\n"
    "examples:\n"
    "  make CC=\"mazurka cc\" && mazurka check ./program\n"
    "  mazurka cc -O2 -c queue.c && mazurka check test.c queue.o\n";

static bool is_one_of(const char *word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, ...)                                                                                 \
    is_one_of(word, (const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))

/* Options whose value is the next word. */
static bool takes_compile_value(const char *word)
{
    return IS_ONE_OF(word, "-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
                     "-iprefix", "-iwithprefix", "-isysroot", "-x", "-MT", "-MQ", "-Xpreprocessor", "-Xclang",
                     "-mllvm", "--param", "-target", "--sysroot", "-B", "-Xassembler", "-aux-info");
}

static bool takes_link_value(const char *word)
{
    return IS_ONE_OF(word, "-L", "-l", "-Xlinker", "-u", "-T", "-z", "-e", "-h");
}

static bool is_link_option(const char *word)
{
    return strncmp(word, "-l", 2) == 0 || strncmp(word, "-L", 2) == 0 || strncmp(word, "-Wl,", 4) == 0 ||
           strncmp(word, "-fuse-ld", 8) == 0 ||
           IS_ONE_OF(word, "-static", "-shared", "-pie", "-no-pie", "-rdynamic", "-s", "-nostdlib",
                     "-nodefaultlibs", "-nostartfiles", "-static-libgcc");
}

/* Nothing is compiled to code. */
static bool asks_for_something_else(const char *word)
{
    return IS_ONE_OF(word, "-E", "-S", "-M", "-MM", "--version", "-v", "-###", "-dumpversion", "-dumpmachine",
                     "-dumpspecs", "-V", "-qversion") ||
           strncmp(word, "-print-", 7) == 0 || strncmp(word, "--print-", 8) == 0;
}

static void take_option(command_line *c, const char *word)
{
    if (strcmp(word, "-c") == 0)
        c->compile_only = true;
    else if (asks_for_something_else(word))
        c->pass_through = true;
    else if (is_link_option(word))
        mz_words_add(&c->words, word);
    else
        mz_words_add(&c->flags, word);
    c->dependencies |= IS_ONE_OF(word, "-MD", "-MMD");
    c->target_given |= strncmp(word, "-MT", 3) == 0 || strncmp(word, "-MQ", 3) == 0;
    if (strncmp(word, "-m", 2) == 0 || strncmp(word, "--sysroot=", 10) == 0 || strcmp(word, "-pthread") == 0)
        mz_words_add(&c->words, word); /* -m64 and the like matter to both */
}

static void take_file(command_line *c, const char *word)
{
    mz_words_add(&c->words, word);
    c->pass_through |= strcmp(word, "-") == 0; /* standard input: configure scripts ask so */
    c->file_count++;
    c->source_count += mz_is_source(word);
}

/* What stands behind "--name=", or NULL. */
static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 ? word + length : NULL;
}

static bool is_ours(const char *word)
{
    return value_of(word, "--cc=") || value_of(word, "--plan=") || value_of(word, "--without-plan=") ||
           value_of(word, "--on-divergence=");
}

static void take_ours(command_line *c, const char *word, mz_error *error)
{
    const char *value;
    if ((value = value_of(word, "--cc=")))
        c->compiler = value;
    else if ((value = value_of(word, "--plan=")))
        c->plan = value;
    else if ((value = value_of(word, "--without-plan=")))
        c->without_plan = value;
    else if ((value = value_of(word, "--on-divergence=")))
        c->on_divergence =
            (mz_on_divergence)mz_parse_word("on-divergence", value, MZ_ON_DIVERGENCE_WORDS, error);
}

static void parse(command_line *c, int argc, char **argv, mz_error *error)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (is_ours(word)) {
            take_ours(c, word, error);
        } else if (strncmp(word, "-o", 2) == 0 && (word[2] || next)) {
            c->output = word[2] ? word + 2 : argv[++i];
        } else if (strncmp(word, "-MF", 3) == 0 && (word[3] || next)) {
            c->dependency_file = word[3] ? word + 3 : argv[++i];
        } else if (next && takes_compile_value(word)) {
            mz_words_add(&c->flags, word);
            mz_words_add(&c->flags, argv[++i]);
            c->target_given |= IS_ONE_OF(word, "-MT", "-MQ");
        } else if (next && takes_link_value(word)) {
            mz_words_add(&c->words, word);
            mz_words_add(&c->words, argv[++i]);
        } else if (word[0] == '-' && word[1]) {
            take_option(c, word);
        } else {
            take_file(c, word);
        }
    }
}

/* The compiler itself with all words but ours. */
static int pass_through(const command_line *c, int argc, char **argv)
{
    mz_words words = {0};
    mz_words_add(&words, c->compiler);
    for (int i = 1; i < argc; i++)
        if (!is_ours(argv[i]))
            mz_words_add(&words, argv[i]);
    execvp(c->compiler, words.items);
    fprintf(stderr, "mazurka cc: error: the compiler '%s' could not be started: %s\n", c->compiler,
            strerror(errno));
    mz_words_release(&words);
    return MZ_EXIT_USAGE;
}

/* The file's name with another ending; `folder`: with its folder. */
static char *with_ending(const char *file, const char *ending, bool folder)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    const char *start = folder ? file : base;
    mz_text name = {0};
    mz_text_add_bytes(&name, start, (size_t)((dot ? dot : base + strlen(base)) - start));
    mz_text_add(&name, "%s", ending);
    return name.bytes;
}

/* The compiler sees an assembly file in a temporary directory as its output: say which object is meant. */
static bool compile_one(const command_line *c, const mz_compile_options *options, const char *source,
                        mz_error *error)
{
    char *object = c->output ? mz_copy_string(c->output) : with_ending(source, ".o", false);
    char *dependencies =
        c->dependency_file ? mz_copy_string(c->dependency_file) : with_ending(object, ".d", true);
    mz_words flags = {0};
    for (size_t i = 0; i < options->flag_count; i++)
        mz_words_add(&flags, options->flags[i]);
    if (c->dependencies) {
        mz_words_add(&flags, "-MF");
        mz_words_add(&flags, dependencies);
        if (!c->target_given) {
            mz_words_add(&flags, "-MQ");
            mz_words_add(&flags, object);
        }
    }
    mz_compile_options with = *options;
    with.flags = mz_words_list(&flags);
    with.flag_count = flags.count;
    bool good = mz_compile_object(&with, source, object, error);
    mz_words_release(&flags);
    mz_release(object);
    mz_release(dependencies);
    return good;
}

static bool compile_all(const command_line *c, const mz_compile_options *options, mz_error *error)
{
    for (size_t i = 0; i < c->words.count; i++)
        if (c->words.items[i][0] != '-' && mz_is_source(c->words.items[i]) &&
            !compile_one(c, options, c->words.items[i], error))
            return false;
    return true;
}

static void print_error(const mz_error *error)
{
    mz_text text = {0};
    mz_error_print(error, &text);
    fprintf(stderr, "mazurka cc: %s", mz_text_string(&text));
    mz_text_release(&text);
}

/* Everything in one program, which runs as was asked for. */
static bool link_all(const command_line *c, mz_compile_options *options, mz_error *error)
{
    static const mz_without_plan meanings[] = {MZ_WITHOUT_PLAN_WARN, MZ_WITHOUT_PLAN_FREE,
                                               MZ_WITHOUT_PLAN_REFUSE};
    const char *output = c->output ? c->output : "a.out";
    mz_symbolic_plan plan = {0};
    int word =
        c->without_plan ? mz_parse_word("without-plan", c->without_plan, "warn|free|refuse", error) : 0;
    if (error->set)
        return false;
    options->without_plan = c->plan ? MZ_WITHOUT_PLAN_NEVER : meanings[word];
    if (c->plan && mz_symbolic_load(&plan, c->plan, error) && plan.plans[0].counts_accesses)
        options->run = MZ_RUN_ACCESSES;
    bool good =
        !error->set && mz_compile_and_link(options, mz_words_list(&c->words), c->words.count, output, error);
    if (good && c->plan) {
        mz_run_embed(output, &plan, c->plan, c->on_divergence, error);
        if (error->set)
            unlink(output);
    }
    if (c->plan)
        mz_symbolic_release(&plan);
    return good && !error->set;
}

int mz_command_cc(int argc, char **argv)
{
    if (argc < 2 || (argc == 2 && strcmp(argv[1], "--help") == 0)) {
        mz_print_help(argc < 2 ? stderr : stdout, help_text);
        return argc < 2 ? MZ_EXIT_USAGE : MZ_EXIT_SAFE;
    }
    const char *name = strrchr(argv[0], '-');
    bool cxx = name && strcmp(name, "-c++") == 0; /* it is called mazurka-c++ */
    command_line c = {.compiler = getenv(cxx ? "MAZURKA_CXX" : "MAZURKA_CC")};
    mz_error error = {0};
    parse(&c, argc, argv, &error);
    if (!c.compiler || !*c.compiler)
        c.compiler = cxx ? "g++" : "gcc";
    int code = MZ_EXIT_SAFE;
    if (!error.set && c.plan && c.without_plan) {
        mz_error_set(&error, (mz_position){0}, "option --plan does not go together with --without-plan");
        mz_error_set_hint(&error,
                          "a program that holds a plan never runs without it, unless MAZURKA_PLAN=none");
    }
    if (!error.set && c.plan && c.compile_only)
        mz_error_set(&error, (mz_position){0},
                     "option --plan is for linking: with -c there is no program yet");
    /* -c of something that is no source by its name (x.s, -x c): the compiler's own object, not checkable */
    if (error.set) {
        print_error(&error);
        code = MZ_EXIT_USAGE;
    } else if (c.pass_through || c.file_count == 0 || (c.compile_only && c.source_count < c.file_count)) {
        code = pass_through(&c, argc, argv);
    } else {
        char *include = mz_include_directory();
        mz_compile_options options = {.compiler = c.compiler,
                                      .flags = mz_words_list(&c.flags),
                                      .flag_count = c.flags.count,
                                      .include_directory = include};
        if (!(c.compile_only ? compile_all(&c, &options, &error) : link_all(&c, &options, &error))) {
            print_error(&error);
            code = MZ_EXIT_USAGE;
        }
        mz_release(include);
    }
    mz_error_release(&error);
    mz_words_release(&c.flags);
    mz_words_release(&c.words);
    return code;
}
