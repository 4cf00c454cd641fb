#include <stdio.h>

#include "algo/algorithm.h"
#include "cmd/command.h"

int mz_command_algorithms(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        printf("usage: mazurka algorithms\n\nLists the exploration algorithms that check -a knows.\n");
        return MZ_EXIT_SAFE;
    }
    for (size_t i = 0; i < mz_algorithm_count; i++)
        printf("%-12s %s\n", mz_algorithms[i]->name, mz_algorithms[i]->description);
    return MZ_EXIT_SAFE;
}
