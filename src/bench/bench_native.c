/* Rows of tables whose benchmarks are C programs: compiled for the row, and explored in a worker process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/embedded.h"
#include "session/worker.h"

typedef struct job {
    mz_bench_row *row;
    const mz_algorithm *algorithm;
    const mz_settings *settings;
    const mz_compiled *compiled;
} job;

static void explore(const void *context, mz_shared *shared)
{
    const job *j = context;
    mz_machine *machine = mz_native_load(j->settings, j->compiled, shared);
    if (!machine)
        return;
    machine->by_observation = j->algorithm->equivalence == MZ_OBSERVATION;
    mz_native_record(machine, &shared->flight);
    mz_bench_row row = *j->row;
    bool again;
    do { /* until nothing new is learned about the program */
        mz_native_prepare(machine);
        again = mz_bench_explore(&row, j->algorithm, machine, &j->settings->search);
    } while (again);
    shared->result = mz_share_bytes(shared, &row, sizeof row);
}

/* The program as a file in a directory of its own; NULL and *error set if that is not possible. */
static char *write_program(const char *model, char *directory, mz_error *error)
{
    mz_text path = {0}, name = {0};
    mz_text_add(&name, "%s.c", model);
    const mz_embedded *program = mz_embedded_find(mz_text_string(&name));
    bool made = mkdtemp(directory);
    mz_text_add(&path, "%s/%s", directory, program->name);
    if (!made || !mz_file_write(mz_text_string(&path), program->text, program->length))
        mz_error_set(error, (mz_position){0}, "cannot write the program of the row to %s: %s", directory,
                     strerror(errno));
    mz_text_release(&name);
    char *result = error->set ? NULL : mz_copy_string(mz_text_string(&path));
    mz_text_release(&path);
    return result;
}

static void run_compiled(const job *j, mz_error *error)
{
    mz_text end = {0};
    bool was_stuck;
    mz_shared *shared =
        mz_run_worker(explore, j, j->settings->search.limits.seconds, &end, &was_stuck, error);
    j->row->status = MZ_BENCH_BROKEN;
    if (shared && shared->result)
        *j->row = *(const mz_bench_row *)shared->result;
    else if (was_stuck)
        j->row->status = MZ_BENCH_LIMIT;
    mz_text_release(&end);
}

void mz_bench_run_native(mz_bench_row *row, const mz_algorithm *algorithm, const mz_search_options *options,
                         mz_error *error)
{
    char directory[] = "/tmp/mazurka-bench-XXXXXX", definition[32];
    char *path = write_program(row->model, directory, error);
    mz_settings settings;
    mz_compiled compiled = {0};
    mz_settings_init(&settings);
    snprintf(definition, sizeof definition, "-DN=%u", row->parameter);
    if (path) {
        const char *files[] = {path};
        settings.files = files;
        settings.file_count = 1;
        settings.search = *options;
        mz_words_add(&settings.compile_flags, definition);
        mz_words_add(&settings.compile_flags, "-DPUBLISHED");
        if (mz_native_build(&settings, &compiled, error))
            run_compiled(&(job){row, algorithm, &settings, &compiled}, error);
        mz_compiled_release(&compiled);
        settings.files = NULL;
        settings.file_count = 0;
        unlink(path);
    }
    rmdir(directory);
    mz_settings_release(&settings);
    mz_release(path);
}
