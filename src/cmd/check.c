#include <stdio.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "cmd/command.h"
#include "session/models.h"
#include "session/worker.h"
#include "session/result.h"
#include "session/trace_file.h"

static int check_models(const mz_settings *s, mz_error *error)
{
    mz_model **models = mz_models_load(s, error);
    int code = MZ_EXIT_USAGE;
    if (!error->set) {
        mz_catch_interrupts(true);
        size_t count = s->file_count * s->algorithm_count, n = 0;
        mz_result *results = mz_allocate_zeroed(count, sizeof *results);
        mz_report *reports = mz_allocate_zeroed(count, sizeof *reports);
        mz_machine **machines = mz_allocate_zeroed(s->file_count, sizeof *machines);
        mz_trace_files traces = {0};
        for (size_t i = 0; i < s->file_count; i++) {
            fputs(mz_model_warnings(models[i]), stderr);
            machines[i] = mz_model_machine(models[i]);
            for (size_t a = 0; a < s->algorithm_count; a++, n++) {
                mz_result_run(&results[n], machines[i], s, s->files[i], s->algorithms[a]);
                if (a == 0)
                    mz_trace_write_all(&traces, s, s->files[i], NULL, &results[n].report);
                reports[n] = results[n].report;
            }
        }
        code = mz_print_reports(s, reports, n);
        for (size_t i = 0; i < n; i++)
            mz_result_release(&results[i]);
        mz_release(reports);
        mz_trace_files_release(&traces);
        for (size_t i = 0; i < s->file_count; i++)
            machines[i]->class->destroy(machines[i]);
        mz_release(machines);
        mz_release(results);
    }
    mz_models_release(s, models);
    return code;
}

int mz_command_check(int argc, char **argv)
{
    mz_settings s = {0};
    mz_error error = {0};
    mz_text text = {0};
    int code = MZ_EXIT_USAGE;
    mz_settings_parse(&s, MZ_TO_CHECK, argc, argv, &error);
    if (!error.set && s.help) {
        mz_settings_help(MZ_TO_CHECK, &text);
        fputs(mz_text_string(&text), stdout);
        code = MZ_EXIT_SAFE;
    } else if (!error.set) {
        if (s.native)
            mz_without_randomisation(argv - 1);
        code = s.native ? mz_check_native(&s, &error) : check_models(&s, &error);
    }
    if (error.set) {
        mz_print_error("check", &error);
        code = MZ_EXIT_USAGE;
    }
    mz_text_release(&text);
    mz_settings_release(&s);
    return code;
}
