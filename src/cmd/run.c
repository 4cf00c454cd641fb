/* `mazurka run`: safe execution. */
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/request.h"
#include "session/process/supervisor.h"

int mz_command_run(int argc, char **argv)
{
    mz_request q;
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    mz_request_parse(&q, MZ_FOR_RUN, argc, argv, &error);
    if (!error.set && q.help) {
        mz_request_help(MZ_FOR_RUN);
    } else if (!error.set) {
        if (!q.run.plan)
            mz_without_randomisation(argv - 1);
        code = mz_run_program_under_plan(&q.run, &q.plan, &error);
    }
    if (mz_print_error("run", &error))
        code = MZ_EXIT_USAGE;
    mz_request_release(&q);
    return code;
}
