/* Nondeterministic numbers beside those that the program compares with. */
#ifndef MZ_SESSION_COMPARED_H
#define MZ_SESSION_COMPARED_H

#include "algo/algorithm.h"
#include "machine/machine.h"
#include "session/result.h"
#include "session/settings.h"

/* A search has found no error with numbers of a range that nobody has chosen. Is there one with numbers that
 * lie beside a number of the program's own? Then *result is that search, and the settings have its range. */
bool mz_search_compared(mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                        double started, mz_result *result);

#endif
