#include "algo/options.h"

#include "search/search.h"

const mz_option mz_option_stateful = {
    .name = "stateful",
    .help = "prune states that were visited before",
    .audience = MZ_FOR_CHECK | MZ_FOR_EVERY_ALGORITHM,
    .type = MZ_OPTION_SWITCH,
    .at = offsetof(mz_search_options, stateful),
    .excludes = "sleep",
    .hint = "what sleeps would have to be part of a state; -a dpor --stateful",
};

const mz_option mz_option_depth = {
    .name = "depth",
    .argument = "N",
    .help = "follow each execution for N events only",
    .audience = MZ_FOR_CHECK | MZ_FOR_EVERY_ALGORITHM,
    .type = MZ_OPTION_COUNT,
    .at = offsetof(mz_search_options, depth),
};
