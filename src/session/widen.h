/* Nondeterministic numbers from a wider range than the usual one. */
#ifndef MZ_SESSION_WIDEN_H
#define MZ_SESSION_WIDEN_H

#include "algo/algorithm.h"
#include "machine/machine.h"
#include "session/result.h"
#include "session/settings/settings.h"

/* Assumptions have pruned every execution. If the numbers come from a range that nobody has chosen: is there
 * a wider one with which some execution is not pruned? Then the settings have it from now on. *tried: the
 * widest one that was not enough, in words; to be appended to the text. */
bool mz_widen_nondet(mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                     double started, mz_text *tried);

/* A search has found no error with numbers of a range that nobody has chosen. Is there one with numbers that
 * lie beside a number of the program's own? Then *result is that search, and the settings have its range. */
bool mz_search_compared(mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                        double started, mz_result *result);

#endif
