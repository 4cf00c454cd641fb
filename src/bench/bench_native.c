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
#include "session/learn.h"
#include "session/program.h"

typedef struct job {
    mz_bench_row *row;
    const mz_algorithm *algorithm;
    const mz_settings *settings;
    const mz_compiled *compiled;
} job;

typedef struct exploration {
    const job *job;
    mz_machine *machine;
    mz_bench_row row;
} exploration;

static bool explore(void *context)
{
    exploration *e = context;
    return mz_bench_explore(&e->row, e->job->algorithm, e->machine, &e->job->settings->search);
}

static void work(const void *context, mz_shared *shared)
{
    exploration e = {.job = context};
    e.machine = mz_native_load(e.job->settings, e.job->compiled, shared);
    if (!e.machine)
        return;
    mz_algorithm_prepare(e.job->algorithm, e.machine, MZ_RELATION_PUBLISHED, MZ_MEMORY_SC);
    mz_native_record(e.machine, &shared->flight);
    e.row = *e.job->row;
    mz_learn(e.machine, mz_native_prepare, false, explore, &e);
    shared->result = mz_share_bytes(shared, &e.row, sizeof e.row);
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
    mz_ending ending;
    mz_shared *shared = mz_run_worker(work, j, j->settings->search.limits.seconds, &ending, error);
    j->row->status = MZ_BENCH_BROKEN;
    if (shared && shared->result)
        *j->row = *(const mz_bench_row *)shared->result;
    else if (ending.was_ended)
        j->row->status = MZ_BENCH_LIMIT;
    mz_text_release(&ending.words);
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
