#include "cmd/check.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/request/request.h"

int mz_command_fuzz(int argc, char **argv)
{
    mz_request request;
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    mz_request_parse(&request, MZ_FOR_FUZZ, argc, argv, &error);
    if (!error.set && request.help)
        mz_request_help(MZ_FOR_FUZZ);
    else if (!error.set)
        code = mz_check_and_print("fuzz", &request, argv - 1, &error);
    if (mz_print_error("fuzz", &error))
        code = MZ_EXIT_USAGE;
    mz_request_release(&request);
    return code;
}
