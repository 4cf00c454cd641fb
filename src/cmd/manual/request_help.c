/* What --help says of check, estimate, plan and run. */
#include <stdio.h>
#include <string.h>

#include "cmd/manual/examples.h"
#include "cmd/print.h"
#include "cmd/request/request.h"
#include "safe/plan/symbolic.h"
#include "safe/verify/first_trace_choice.h"

static const char check_usage[] =
    "usage: mazurka check [options] FILE.c … [-- arguments of the program]\n"
    "       mazurka check [options] FILE.dlang …\n"
    "       mazurka check [options] [TARGET …]\n\n"
    "Explores every interleaving that matters of a program in C or C++ with pthreads (sources, objects and\n"
    "archives made with 'mazurka cc'), or of each model in dlang (doc/dlang.md), and says whether it is "
    "safe,\n"
    "or shows how it fails.\n\noptions:\n";

static const char check_end[] =
    "\nexamples:\n"
    "  mazurka check @examples/bank.c\n"
    "  mazurka check @examples/bank.c -DFIXED -std=c11 -O2 -lm\n"
    "  mazurka check @examples/pool/pool.c @examples/pool/client.c --timeout=10s\n"
    "  mazurka check @bench/models/ring.dlang -DN=6 --json\n"
    "  mazurka check -a full,source @bench/models/last_zero.dlang -DN=4\n"
    "  mazurka check --check=deadlocks @bench/models/dining.dlang\n"
    "  mazurka check    (all targets of mazurka.toml, which mazurka init writes)\n\n"
    "exit codes: 0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete (a limit was\n"
    "reached), 4 internal error; with several checks the gravest: 1 before 3 before 0\n";

static const char fuzz_usage[] =
    "usage: mazurka fuzz [options] FILE.c … [-- arguments of the program]\n"
    "       mazurka fuzz [options] FILE.dlang …\n\n"
    "Runs a program, or each model, again and again, with schedules at random, and shows how it fails if it\n"
    "does. For what is too large for 'mazurka check': nothing is proved, and nothing is left out either.\n\n"
    "options:\n";

static const char fuzz_end[] =
    "\nexamples:\n"
    "  mazurka fuzz @examples/safe/server.c --timeout=5s\n"
    "  mazurka fuzz --strategy=pct --depth=4 --seed=7 @examples/safe/aba_stack.c\n\n"
    "exit codes: 1 a bug was found, 2 wrong usage or input, 3 none was found, 4 internal error\n";

static const char estimate_usage[] =
    "usage: mazurka estimate [options] FILE.c … [-- arguments of the program]\n"
    "       mazurka estimate [options] FILE.dlang …\n\n"
    "Says how many traces and executions 'mazurka check' would explore with each algorithm, and for how\n"
    "long. Small explorations are done to their end, and then the numbers are exact; others are sampled.\n\n"
    "options:\n";

static const char estimate_end[] = "\nexample:\n"
                                   "  mazurka estimate @bench/models/ring.dlang -DN=25\n\n"
                                   "exit codes: 0 done, 2 wrong usage or input, 4 internal error\n";

static const char plan_usage[] =
    "usage: mazurka plan [options] FILE.c … -o PLAN.mzs [-- arguments of the program]\n\n"
    "Verifies schedules of a program for a while and writes down which of them are safe: a plan, within "
    "which\n"
    "'mazurka run --plan=PLAN.mzs' keeps the program. The more is verified, the fewer constraints are left. "
    "Data\n"
    "races are no errors here: what races is kept in a verified order.\n\n"
    "options:\n";

static const char plan_end[] =
    "\nexample:\n"
    "  mazurka plan @examples/safe/bank.c -o bank.mzs --timeout=5s\n\n"
    "exit codes: 0 a plan was written, 1 every execution fails, 2 wrong usage or input, 3 no\n"
    "plan that could be enforced was found within the limits, 4 internal error\n";

static const char run_usage[] =
    "usage: mazurka run [options] FILE.c … [-- arguments of the program]\n"
    "       mazurka run --plan=FILE.mzs [options] PROGRAM [-- arguments]\n\n"
    "Runs a program (sources, or what 'mazurka cc' has linked) so that only verified schedules happen.\n"
    "It starts as soon as one complete execution is verified; verification goes on beside it and\n"
    "removes constraints while it runs. If a bug is found, what excludes it stays in force.\n\noptions:\n";

static const char run_end[] =
    "  and those of 'mazurka plan' for compiling and verifying (-D, -I, --cc, --cflags, --ldflags, --check, "
    "…)\n\n"
    "exit code: the program's (70 if it was stopped because it did what was not verified); without a\n"
    "verified execution as of 'mazurka check'\n";

/* Which algorithms it is for, behind what it does; and names where a row leaves room for them. */
void mz_request_option_help(const mz_option *option, mz_text *out)
{
    const char *help = option->help, *brace = strchr(help, '{');
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++) {
        const mz_algorithm *a = mz_algorithms[i];
        if (brace && brace[1] == 'p' ? a->makes_plans : mz_algorithm_takes(a, option))
            mz_text_add(&names, "%s%s", names.length ? ", " : "", a->name);
    }
    if (!brace && names.length > 0)
        mz_text_add(out, "%s (%s)", help, mz_text_string(&names));
    else if (brace)
        mz_text_add(out, "%.*s%s%s", (int)(brace - help), help,
                    brace[1] == 'p' ? mz_text_string(&names) : mz_default_algorithm->name,
                    strchr(brace, '}') + 1);
    else
        mz_text_add(out, "%s", help);
    mz_text_release(&names);
}

/* Of run, those that it has beside those of plan. */
static void add_options(uint32_t purpose, mz_text *out)
{
    mz_request request = {.purpose = purpose};
    mz_command_line line = {0};
    mz_request_offer(&request, &line);
    for (size_t i = 0; i < line.count; i++) {
        const mz_option *option = line.offers[i].option;
        mz_text help = {0};
        if (option->type == MZ_OPTION_GONE || (purpose == MZ_FOR_RUN && option->audience != MZ_FOR_RUN))
            continue;
        mz_request_option_help(option, &help);
        mz_option_help(option, mz_text_string(&help), out);
        mz_text_release(&help);
    }
    mz_options_release(&line);
}

static void add_kinds_of_errors(mz_text *out)
{
    mz_text_add(out, "\nkinds of errors for --check:\n");
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        mz_text_add(out, "  %-13s %s\n", mz_failure_check_name((mz_failure_kind)kind),
                    mz_failure_description((mz_failure_kind)kind));
}

static void add_refinements(mz_text *out)
{
    mz_text_add(out, "\nrefinements for --relation, all in force by default:\n");
    for (int i = 0; i < MZ_REFINEMENT_COUNT; i++)
        mz_text_add(out, "  %-13s %s\n", mz_refinement_name(i), mz_refinement_help(i));
}

static void add_kinds_of_premises(mz_text *out)
{
    mz_text_add(out, "\nkinds for --waive:\n");
    for (int kind = 0; kind < MZ_PREMISE_KIND_COUNT; kind++)
        mz_text_add(out, "  %-13s %s\n", mz_premise_name((mz_premise_kind)kind),
                    mz_premise_words((mz_premise_kind)kind));
}

void mz_request_help(uint32_t purpose)
{
    mz_text text = {0};
    mz_text_add(&text, "%s",
                purpose == MZ_FOR_CHECK      ? check_usage
                : purpose == MZ_FOR_FUZZ     ? fuzz_usage
                : purpose == MZ_FOR_ESTIMATE ? estimate_usage
                : purpose == MZ_FOR_PLAN     ? plan_usage
                                             : run_usage);
    add_options(purpose, &text);
    if (purpose != MZ_FOR_RUN)
        add_kinds_of_errors(&text);
    if (purpose == MZ_FOR_CHECK || purpose == MZ_FOR_ESTIMATE)
        add_refinements(&text);
    if (purpose == MZ_FOR_PLAN) {
        mz_first_trace_help(&text);
        add_kinds_of_premises(&text);
    }
    mz_add_with_examples(purpose == MZ_FOR_CHECK      ? check_end
                         : purpose == MZ_FOR_FUZZ     ? fuzz_end
                         : purpose == MZ_FOR_ESTIMATE ? estimate_end
                         : purpose == MZ_FOR_PLAN     ? plan_end
                                                      : run_end,
                         &text);
    mz_print_help(stdout, mz_text_string(&text));
    mz_text_release(&text);
}
