#include <stdio.h>
#include <string.h>

#include "algo/algorithm.h"
#include "cmd/command.h"

int mz_command_algorithms(int argc, char **argv)
{
    if (argc > 1) {
        bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
        if (!help)
            fprintf(stderr, "mazurka algorithms: error: unexpected '%s'\n", argv[1]);
        fprintf(help ? stdout : stderr,
                "usage: mazurka algorithms\n\nLists the exploration algorithms that check -a knows.\n");
        return help ? MZ_EXIT_SAFE : MZ_EXIT_USAGE;
    }
    for (size_t i = 0; i < mz_algorithm_count; i++)
        printf("%-12s %s\n", mz_algorithms[i]->name, mz_algorithms[i]->description);
    return MZ_EXIT_SAFE;
}
