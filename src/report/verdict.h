/* Verdicts, for people, programs and shells. */
#ifndef MZ_REPORT_VERDICT_H
#define MZ_REPORT_VERDICT_H

#include "search/verdict.h"

/* Exit codes, the same for every subcommand. */
enum {
    MZ_EXIT_SAFE = 0,
    MZ_EXIT_BUG = 1,
    MZ_EXIT_USAGE = 2,
    MZ_EXIT_INCOMPLETE = 3,
    MZ_EXIT_INTERNAL = 4,
};

/* "safe", "unsafe", "incomplete", "internal-error" */
const char *mz_verdict_word(mz_verdict verdict);
int mz_verdict_exit_code(mz_verdict verdict);
/* Of two, the one that a command with several results ends with: an internal error, a bug, then what was not
 * finished. */
mz_verdict mz_verdict_gravest(mz_verdict a, mz_verdict b);

#endif
