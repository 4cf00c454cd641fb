#include "cmd/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool mz_print_error(const char *command, mz_error *error)
{
    mz_text text = {0};
    if (!error->set)
        return false;
    mz_error_print(error, &text);
    if (!error->position.file)
        fprintf(stderr, "mazurka %s: ", command);
    fputs(mz_text_string(&text), stderr);
    mz_text_release(&text);
    mz_error_release(error);
    return true;
}

mz_style mz_style_of(bool for_programs)
{
    return (mz_style){.colour = isatty(for_programs ? STDERR_FILENO : STDOUT_FILENO) && !getenv("NO_COLOR")};
}

int mz_print(const char *command, mz_text *people, mz_text *programs, int code)
{
    fputs(mz_text_string(people), programs ? stderr : stdout);
    if (programs)
        fputs(mz_text_string(programs), stdout);
    mz_text_release(people);
    if (programs)
        mz_text_release(programs);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "mazurka %s: error: the result could not be written to standard output\n", command);
    return MZ_EXIT_INTERNAL;
}
