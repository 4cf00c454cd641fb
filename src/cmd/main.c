#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/check.h"
#include "cmd/command.h"
#include "cmd/manual/examples.h"
#include "cmd/print.h"
#include "program/build/compile.h"
#include "session/process/wide.h"
#include "session/ranks/launch.h"

static void print_help(FILE *out)
{
    mz_text text = {0};
    mz_text_add(&text, "Mazurka checks every meaningful interleaving of a concurrent program.\n\n"
                       "usage: mazurka COMMAND [options] …\n\n");
    for (int i = 0; i < MZ_COMMAND_COUNT; i++)
        mz_text_add(&text, "  %-12s %s\n", mz_commands[i].name, mz_commands[i].description);
    mz_add_with_examples(
        "\n  mazurka COMMAND --help says more; mazurka --version\n\n"
        "examples:\n"
        "  mazurka check @examples/bank.c  # a bug and how it happens\n"
        "  mazurka check @bench/models/ring.dlang -DN=6  # a model with a parameter\n"
        "  mazurka init && mazurka check  # the programs of this directory\n\n"
        "exit codes: 0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete, 4 internal error\n",
        &text);
    mz_print_help(out, mz_text_string(&text));
    mz_text_release(&text);
}

static int unknown_command(const char *word)
{
    const char *names[MZ_COMMAND_COUNT];
    for (int i = 0; i < MZ_COMMAND_COUNT; i++)
        names[i] = mz_commands[i].name;
    const char *closest = mz_closest_name(word, names, MZ_COMMAND_COUNT);
    fprintf(stderr, "mazurka: error: unknown command '%s'\n", word);
    if (closest)
        fprintf(stderr, "  hint: did you mean 'mazurka %s'?\n", closest);
    else
        fprintf(stderr, "  hint: mazurka --help lists the commands; to check a %s: mazurka check %s\n",
                mz_is_source(word) ? "program" : "model", word);
    return MZ_EXIT_USAGE;
}

/* mazurka help check: as mazurka check --help. */
int mz_command_help(int argc, char **argv)
{
    static const char man[] = "--man", completion[] = "--completion=";
    const char *word = argv[1], *name = word;
    const mz_command *command = NULL;
    mz_text text = {0};
    if (strncmp(word, man, strlen(man)) == 0)
        name = word[strlen(man)] == '=' ? word + strlen(man) + 1 : NULL;
    for (int i = 0; name && i < MZ_COMMAND_COUNT; i++)
        if (strcmp(name, mz_commands[i].name) == 0)
            command = &mz_commands[i];
    if (strncmp(word, completion, strlen(completion)) == 0) {
        mz_add_completion(word + strlen(completion), &text);
    } else if (name && !command) {
        return unknown_command(name);
    } else if (name == word) {
        char help[] = "--help";
        char *arguments[] = {argv[0], help, NULL};
        arguments[0] = argv[1];
        return command->run(2, arguments);
    } else {
        mz_add_man_page(command, &text);
    }
    (void)argc;
    fputs(mz_text_string(&text), stdout);
    int code = text.length > 0 ? MZ_EXIT_SAFE : MZ_EXIT_USAGE;
    mz_text_release(&text);
    return code;
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
    if (strcmp(word, "help") == 0)
        return mz_command_help(argc - 1, argv + 1);
    for (int i = 0; i < MZ_COMMAND_COUNT; i++)
        if (strcmp(word, mz_commands[i].name) == 0)
            return mz_commands[i].run(argc - 1, argv + 1);
    return unknown_command(word);
}
