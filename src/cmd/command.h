/* The subcommands. Adding one = one file + one line in the list. */
#ifndef MZ_CMD_COMMAND_H
#define MZ_CMD_COMMAND_H

#include "report/verdict.h"

#define MZ_COMMANDS(X)                                                                                       \
    X(check, "explore every interleaving of a program")                                                      \
    X(init, "write a mazurka.toml, which says what is checked in a project")                                 \
    X(clients, "check a library with all small clients, which are generated")                                \
    X(fuzz, "sample the interleavings of a program that is too large to explore")                            \
    X(orders, "find the weakest memory orders with which a program is safe")                                 \
    X(estimate, "say how large the exploration of a program is, and what suits it")                          \
    X(resume, "go on with a search that was saved")                                                          \
    X(split, "write a search as tasks, for as many machines as there are")                                   \
    X(merge, "put tasks together again")                                                                     \
    X(replay, "run a counterexample again")                                                                  \
    X(report, "a page to look at, of a check or a counterexample")                                           \
    X(plan, "verify a program for a while and write down which schedules are safe")                          \
    X(show, "print or draw a plan")                                                                          \
    X(run, "run a program so that only verified schedules happen")                                           \
    X(attach, "show how a program that runs keeps to its plan")                                              \
    X(cc, "compile a program so that it can be checked: CC=\"mazurka cc\"")                                  \
    X(bench, "run a published table and print its numbers beside ours")                                      \
    X(algorithms, "list the exploration algorithms")

#define MZ_X(name, description) int mz_command_##name(int argc, char **argv);
MZ_COMMANDS(MZ_X)
#undef MZ_X

#endif
