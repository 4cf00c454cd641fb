#include "session/saving.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/process/channels.h"
#include "session/ranks/job.h"

static void add_command(const mz_settings *s, mz_checkpoint *c)
{
    char directory[4096];
    mz_text_add(&c->subcommand, "%s", s->clients ? "clients" : "check");
    for (size_t i = 0; i < s->command.count; i++)
        mz_words_add(&c->command, s->command.items[i]);
    mz_text_add(&c->directory, "%s", getcwd(directory, sizeof directory) ? directory : ".");
}

/* "models/" before "models/ring.dlang", if something can be written there. */
static void add_place_beside(const char *program, mz_text *out)
{
    const char *slash = strrchr(program, '/');
    if (!slash)
        return;
    mz_text_add_bytes(out, program, (size_t)(slash - program) + 1);
    if (access(mz_text_string(out), W_OK) != 0)
        mz_text_clear(out);
}

static char *path_for(const mz_saving *v)
{
    mz_text name = {0};
    if (v->settings->checkpoint) {
        mz_text_add(&name, "%s", v->settings->checkpoint);
    } else {
        add_place_beside(v->settings->files[0], &name);
        mz_checkpoint_name(v->settings->files[0], &name);
    }
    char *path = mz_copy_string(mz_text_string(&name));
    mz_text_release(&name);
    return path;
}

/* Somebody has asked for a file, or has ended the search by hand. */
static bool is_wanted(const mz_saving *v)
{
    return v->settings->checkpoint || mz_interrupted;
}

static void fill(const mz_saving *v, const mz_bytes *state, mz_checkpoint *c)
{
    add_command(v->settings, c);
    mz_text_add(&c->version, "%s", MZ_VERSION);
    mz_text_add(&c->program, "%s", v->program);
    mz_text_add(&c->compiler, "%s", v->compiler);
    mz_text_add(&c->algorithm, "%s", v->algorithm->name);
    if (v->machine) {
        mz_native_thread_paths(v->machine, &c->threads);
        mz_native_knowledge(v->machine, &c->places);
        mz_native_lessons(v->machine, &c->lessons);
    }
    mz_bytes_copy(&c->state, state);
}

static void write_job(void *context, const mz_bytes *state, mz_bytes *out)
{
    const mz_saving *v = context;
    mz_checkpoint c = {0};
    fill(v, state, &c);
    mz_rank_job_write(v->settings, &c, v->compiled, v->settings->files[0], out);
    mz_checkpoint_release(&c);
}

void mz_saving_save(mz_saving *v, const mz_bytes *state)
{
    mz_checkpoint c = {0};
    if (!is_wanted(v) || !v->program)
        return;
    fill(v, state, &c);
    char *path = path_for(v);
    mz_release(v->path);
    v->path = mz_checkpoint_save(&c, path) ? path : NULL;
    if (!v->path)
        mz_release(path);
    mz_checkpoint_release(&c);
}

static void save(void *context, const mz_bytes *state, bool is_over)
{
    (void)is_over;
    mz_saving_save(context, state);
}

/* What is searched is what the command says, not something that a session has thought of (a part of it, or
 * other numbers), and there is nothing to it that a job does not tell. */
static bool is_for_ranks(const mz_saving *v, const mz_settings *s)
{
    return s == v->settings && v->program && !s->clients && !s->orders && (s->native || s->file_count == 1);
}

void mz_saving_begin(mz_saving *v, const mz_settings *given, const mz_algorithm *algorithm,
                     mz_pool_options *options)
{
    const mz_settings *s = v->settings;
    v->algorithm = algorithm;
    options->home = s->home;
    if (s->home)
        options->split_every = s->home->split_every;
    options->save_context = v;
    if (is_for_ranks(v, given)) {
        options->rank_count = (uint32_t)mz_ranks(&options->ranks);
        options->write_job = write_job;
        options->ranks_first = getenv("MAZURKA_TEST_RANKS");
    }
    bool one = s->algorithm_count == 1 && (s->native || s->file_count == 1) && algorithm == s->algorithms[0];
    if (!one || !v->program || s->clients) /* clients are saved as a whole */
        return;
    options->save = s->home ? NULL : save;
    options->save_every = s->checkpoint ? s->checkpoint_every : 0;
    options->saved = s->resumed ? &s->resumed->state : NULL;
    options->stop_with_items = s->tasks;
}
