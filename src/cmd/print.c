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

int mz_print_check(const char *command, const mz_check *check, mz_format *format)
{
    mz_style style = mz_style_of(format);
    mz_text text = {0}, programs = {0};
    mz_verdict gravest = MZ_SAFE;
    for (size_t i = 0; i < check->count; i++) {
        mz_text_add(&text, "%s", i ? "\n" : "");
        mz_report_text(&check->reports[i], style, &text);
        gravest = mz_verdict_gravest(gravest, mz_report_verdict(&check->reports[i]));
    }
    if (check->count > 1) {
        mz_text_add(&text, "\n");
        mz_report_comparison(check->reports, check->count, style, &text);
    }
    if (format)
        format(check->reports, check->count, &programs);
    return mz_print(command, &text, format ? &programs : NULL, mz_verdict_exit_code(gravest));
}
