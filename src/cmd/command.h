/* The subcommands. Adding one = one file + one line in the list. Help, man pages and completion come from
 * here and from the rows of their options. */
#ifndef MZ_CMD_COMMAND_H
#define MZ_CMD_COMMAND_H

#include "base/options.h"
#include "report/verdict.h"

/* Name, what it does, and the files that it is about: how their names end; "-": none; "": any. */
#define MZ_COMMANDS(X)                                                                                       \
    X(check, "explore every interleaving of a program", "c i ii cc cpp cxx C o a so dlang d")                \
    X(init, "write a mazurka.toml, which says what is checked in a project", "-")                            \
    X(clients, "check a library with all small clients, which are generated", "c cc cpp cxx o a")            \
    X(fuzz, "sample the interleavings of a program that is too large to explore",                            \
      "c i ii cc cpp cxx C o a so dlang d")                                                                  \
    X(orders, "find the weakest memory orders with which a program is safe", "c cc cpp cxx")                 \
    X(estimate, "say how large the exploration of a program is, and what suits it",                          \
      "c i ii cc cpp cxx C o a so dlang d")                                                                  \
    X(resume, "go on with a search that was saved", "mzc")                                                   \
    X(split, "write a search as tasks, for as many machines as there are", "c cc cpp cxx o a dlang d")       \
    X(merge, "put tasks together again", "mzc")                                                              \
    X(replay, "run a counterexample again", "mzt")                                                           \
    X(report, "a page to look at, of a check or a counterexample", "mzt c cc cpp cxx o a dlang d")           \
    X(plan, "verify a program for a while and write down which schedules are safe", "c cc cpp cxx o a")      \
    X(show, "print or draw a plan", "mzs")                                                                   \
    X(run, "run a program so that only verified schedules happen", "")                                       \
    X(attach, "show how a program that runs keeps to its plan", "-")                                         \
    X(cc, "compile a program so that it can be checked: CC=\"mazurka cc\"", "")                              \
    X(bench, "run a published table and print its numbers beside ours", "-")                                 \
    X(algorithms, "list the exploration algorithms", "-")

/* Runs it; offers its options, which set what is in the target (NULL: they are only to be told). */
#define MZ_X(name, description, files)                                                                       \
    int mz_command_##name(int argc, char **argv);                                                            \
    void mz_offer_##name(mz_command_line *line, void *target);
MZ_COMMANDS(MZ_X)
#undef MZ_X

typedef struct mz_command {
    const char *name, *description, *files;
    int (*run)(int argc, char **argv);
    void (*offer)(mz_command_line *line, void *target);
} mz_command;

enum {
#define MZ_X(name, description, files) MZ__COMMAND_##name,
    MZ_COMMANDS(MZ_X)
#undef MZ_X
        MZ_COMMAND_COUNT
};
extern const mz_command mz_commands[MZ_COMMAND_COUNT];

/* `mazurka help …`, which makes man pages (--man, --man=COMMAND) and completions
 * (--completion=bash|zsh|fish). */
int mz_command_help(int argc, char **argv);
void mz_add_man_page(const mz_command *command, mz_text *out); /* NULL: of all together */
void mz_add_completion(const char *shell, mz_text *out);

#endif
