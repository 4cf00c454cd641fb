#include "session/estimate.h"

#include "base/interrupt.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/request.h"
#include "search/limits.h"
#include "session/process/supervisor.h"

static int print(const mz_size_reports *sizes, bool json)
{
    mz_text text = {0}, programs = {0};
    for (size_t i = 0; i < sizes->count; i++)
        mz_size_text(&sizes->reports[i], &text);
    if (json)
        mz_sizes_json(sizes->reports, sizes->count, &programs);
    return mz_print("estimate", &text, json ? &programs : NULL, MZ_EXIT_SAFE);
}

int mz_command_estimate(int argc, char **argv)
{
    mz_request request;
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    double started = mz_seconds_now();
    mz_request_parse(&request, MZ_FOR_ESTIMATE, argc, argv, &error);
    if (!error.set && request.help) {
        mz_request_help(MZ_FOR_ESTIMATE);
    } else if (!error.set) {
        mz_size_reports sizes;
        if (request.plan.check.native)
            mz_without_randomisation(argv - 1);
        mz_catch_interrupts(true);
        mz_estimate_run(&sizes, &request.plan.check, started, &error);
        if (!error.set)
            code = print(&sizes, request.json);
        mz_estimate_release(&sizes);
    }
    if (mz_print_error("estimate", &error))
        code = MZ_EXIT_USAGE;
    mz_request_release(&request);
    return code;
}
