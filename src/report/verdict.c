#include "report/verdict.h"

/* Word, exit code, how grave it is. */
static const struct {
    const char *word;
    int exit_code, gravity;
} verdicts[] = {
    [MZ_SAFE] = {"safe", MZ_EXIT_SAFE, 0},
    [MZ_UNSAFE] = {"unsafe", MZ_EXIT_BUG, 2},
    [MZ_INCOMPLETE] = {"incomplete", MZ_EXIT_INCOMPLETE, 1},
    [MZ_INTERNAL_ERROR] = {"internal-error", MZ_EXIT_INTERNAL, 3},
};

const char *mz_verdict_word(mz_verdict verdict)
{
    return verdicts[verdict].word;
}

int mz_verdict_exit_code(mz_verdict verdict)
{
    return verdicts[verdict].exit_code;
}

mz_verdict mz_verdict_gravest(mz_verdict a, mz_verdict b)
{
    return verdicts[a].gravity >= verdicts[b].gravity ? a : b;
}
