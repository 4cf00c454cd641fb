/* Options of the command line that not every algorithm takes. An algorithm that has one of its own defines
 * it in its file; those that several take are here. The target is an mz_search_options. */
#ifndef MZ_ALGO_OPTIONS_H
#define MZ_ALGO_OPTIONS_H

#include "base/options.h"

/* For whom an option is: what is to be done, to what, and with which algorithms. */
enum {
    MZ_FOR_CHECK = 1,
    MZ_FOR_ESTIMATE = 2,
    MZ_FOR_PLAN = 4,
    MZ_FOR_RUN = 8,
    /* To what it applies. */
    MZ_NOT_FOR_MODELS = 16,
    /* With which algorithms it goes: every algorithm that is named has to take it, because it changes what a
     * verdict says. (Otherwise one has to.) */
    MZ_FOR_EVERY_ALGORITHM = 32,
    MZ_FOR_FUZZ = 64,
};

extern const mz_option mz_option_stateful, mz_option_depth;

#endif
