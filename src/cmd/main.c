#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/check.h"
#include "cmd/command.h"
#include "program/build/compile.h"
#include "session/ranks/launch.h"
#include "session/wide.h"

static const struct {
    const char *name, *description;
    int (*run)(int argc, char **argv);
} commands[] = {
#define MZ_X(name, description) {#name, description, mz_command_##name},
    MZ_COMMANDS(MZ_X)
#undef MZ_X
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fprintf(out, "Mazurka checks every meaningful interleaving of a concurrent program.\n\n"
                 "usage: mazurka COMMAND [options] …\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].description);
    fprintf(
        out,
        "\n  mazurka COMMAND --help says more; mazurka --version\n\n"
        "examples:\n"
        "  mazurka check bench/models/bank.dlang          a bug and how it happens\n"
        "  mazurka check bench/models/ring.dlang -DN=12   a model with a parameter\n"
        "  mazurka check -a full,source model.dlang       two algorithms, one table\n\n"
        "exit codes: 0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete, 4 internal error\n");
}

static int unknown_command(const char *word)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *closest = mz_closest_name(word, names, COMMANDS);
    fprintf(stderr, "mazurka: error: unknown command '%s'\n", word);
    if (closest)
        fprintf(stderr, "  hint: did you mean 'mazurka %s'?\n", closest);
    else
        fprintf(stderr, "  hint: mazurka --help lists the commands; to check a %s: mazurka check %s\n",
                mz_is_source(word) ? "program" : "model", word);
    return MZ_EXIT_USAGE;
}

/* Some build systems want a compiler to be one program, not two words: mazurka-cc, mazurka-c++. */
static bool is_called(const char *program, const char *name)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash ? slash + 1 : program, name) == 0;
}

int main(int argc, char **argv)
{
    mz_wide_arguments(argv);
    mz_ranks_begin(argc, argv, mz_explore_for_rank);
    if (argc > 0 && (is_called(argv[0], "mazurka-cc") || is_called(argv[0], "mazurka-c++")))
        return mz_command_cc(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return MZ_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0) {
        printf("mazurka %s\n", MZ_VERSION);
        return MZ_EXIT_SAFE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (strcmp(word, "help") == 0 && argc == 2)) {
        print_help(stdout);
        return MZ_EXIT_SAFE;
    }
    if (strcmp(word, "help") == 0) { /* mazurka help check */
        char help[] = "--help";
        char *arguments[] = {argv[2], help, NULL};
        for (int i = 0; i < COMMANDS; i++)
            if (strcmp(argv[2], commands[i].name) == 0)
                return commands[i].run(2, arguments);
        return unknown_command(argv[2]);
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return unknown_command(word);
}
