#include <string.h>

#include "algo/algorithm.h"

const mz_algorithm *const mz_algorithms[] = {
#define MZ_X(name) &name,
    MZ_ALGORITHMS(MZ_X)
#undef MZ_X
};

const size_t mz_algorithm_count = sizeof mz_algorithms / sizeof *mz_algorithms;

const mz_algorithm *mz_find_algorithm(const char *name)
{
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (strcmp(mz_algorithms[i]->name, name) == 0)
            return mz_algorithms[i];
    return NULL;
}
