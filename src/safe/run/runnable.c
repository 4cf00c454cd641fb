/* A program that is run, in the form that its plan needs. */
#include "safe/run/run.h"
#include "session/program.h"

bool mz_runnable_build(mz_runnable *code, const mz_settings *settings, mz_error *error)
{
    *code = (mz_runnable){0};
    if (mz_native_build(settings, &code->compiled, error) && !code->compiled.program)
        mz_error_set(error, (mz_position){.file = settings->files[0]},
                     "it cannot be run, only checked: it is a shared object");
    if (!error->set)
        code->symbols = mz_run_symbols_read(code->compiled.program, error);
    code->path = code->compiled.program;
    return !error->set;
}

static void refuse_accesses(const mz_settings *settings, mz_error *error)
{
    mz_error_set(error, (mz_position){.file = settings->files[0]},
                 "accesses that race have to be kept in order, which this program does not count");
    mz_error_set_hint(error, "name the sources, or link the program from objects of 'mazurka cc -c'");
}

bool mz_runnable_count_accesses(mz_runnable *code, const mz_settings *settings, mz_error *error)
{
    mz_settings counting = *settings;
    counting.run = MZ_RUN_ACCESSES;
    if (code->compiled.counts_accesses || code->path != code->compiled.program)
        return true;
    const char *program = code->compiled.counting;
    if (!code->compiled.is_linked && mz_native_build(&counting, &code->counting, error))
        program = code->counting.program;
    if (program) {
        mz_run_symbols_release(code->symbols);
        code->symbols = mz_run_symbols_read(program, error);
        code->path = program;
    } else if (!error->set) {
        refuse_accesses(settings, error);
    }
    return !error->set;
}

void mz_runnable_release(mz_runnable *code)
{
    if (code->symbols)
        mz_run_symbols_release(code->symbols);
    mz_compiled_release(&code->counting);
    mz_compiled_release(&code->compiled);
}
