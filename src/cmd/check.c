#include "session/check.h"

#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/request.h"
#include "session/supervisor.h"

int mz_command_check(int argc, char **argv)
{
    mz_request request;
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    mz_request_parse(&request, MZ_FOR_CHECK, argc, argv, &error);
    if (!error.set && request.help) {
        mz_request_help(MZ_FOR_CHECK);
    } else if (!error.set) {
        mz_check check;
        if (request.plan.check.native)
            mz_without_randomisation(argv - 1);
        mz_check_run(&check, &request.plan.check, &error);
        if (!error.set)
            code = mz_print_check("check", &check, request.format);
        mz_check_release(&check);
    }
    if (mz_print_error("check", &error))
        code = MZ_EXIT_USAGE;
    mz_request_release(&request);
    return code;
}
