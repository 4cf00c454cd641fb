/* `mazurka plan`: verifies for a while and writes down what is safe so far. */
#include <stdio.h>

#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/request.h"
#include "safe/run/make_plan.h"
#include "session/process/supervisor.h"

typedef struct printer {
    const mz_request *request;
    mz_error *error;
    int code;
} printer;

static int exit_code(const mz_plan_outcome *o)
{
    return o->has_plan ? MZ_EXIT_SAFE : mz_plan_every_execution_fails(o) ? MZ_EXIT_BUG : MZ_EXIT_INCOMPLETE;
}

static void save_and_print(void *context, mz_plan_outcome *o)
{
    printer *p = context;
    mz_text text = {0}, json = {0};
    o->file = p->request->run.output;
    if (o->has_plan && !mz_symbolic_save(&o->plan, o->file, p->error))
        return;
    mz_plan_text(o, &text);
    if (p->request->json)
        mz_plan_json(o, &json);
    p->code = mz_print("plan", &text, p->request->json ? &json : NULL, exit_code(o));
}

int mz_command_plan(int argc, char **argv)
{
    mz_request request;
    mz_error error = {0};
    printer p = {.request = &request, .error = &error, .code = MZ_EXIT_SAFE};
    mz_request_parse(&request, MZ_FOR_PLAN, argc, argv, &error);
    if (!error.set && request.help) {
        mz_request_help(MZ_FOR_PLAN);
    } else if (!error.set && !request.run.output) {
        mz_error_set(&error, (mz_position){0}, "where is the plan to be written? -o PLAN.mzs");
    } else if (!error.set) {
        mz_without_randomisation(argv - 1);
        mz_make_plan(&request.plan, save_and_print, &p, &error);
    }
    if (mz_print_error("plan", &error))
        p.code = MZ_EXIT_USAGE;
    mz_request_release(&request);
    return p.code;
}
