/* `mazurka split` and `mazurka merge`: a search as files, each of which somebody can go on with anywhere. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/check.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "pool/checkpoint.h"
#include "pool/pool.h"

/* ---- splitting ------------------------------------------------------------------------------------------
 */

static void save_state(mz_checkpoint *c, const mz_pool_state *state, const char *path, mz_error *error)
{
    c->state.length = 0;
    mz_pool_state_write(state, &c->state);
    if (!mz_checkpoint_save(c, path))
        mz_error_set(error, (mz_position){.file = path}, "cannot be written");
}

/* The items that wait go to the tasks in turn, what is done into a file of its own. */
static void deal(mz_checkpoint *c, const char *directory, uint32_t tasks, mz_error *error)
{
    mz_arena names = {0};
    mz_pool_state all;
    mz_text path = {0};
    mz_byte_reader r = {.data = c->state.data, .length = c->state.length};
    if (!mz_pool_state_read(&r, &all, &names)) {
        mz_error_set(error, (mz_position){.file = c->path}, "what was saved cannot be read");
        return;
    }
    if (all.ledger.waiting.count < tasks)
        tasks = (uint32_t)all.ledger.waiting.count;
    for (uint32_t i = 0; i < tasks && !error->set; i++) {
        mz_pool_state task = {.epoch = all.epoch, .memory = all.memory};
        mz_ledger_deal(&all.ledger, i, tasks, &task.ledger);
        mz_text_clear(&path);
        mz_text_add(&path, "%s/%03u.mzc", directory, i);
        save_state(c, &task, mz_text_string(&path), error);
        mz_ledger_release(&task.ledger);
    }
    mz_ledger_forget_waiting(&all.ledger);
    mz_text_clear(&path);
    mz_text_add(&path, "%s/done.mzc", directory);
    if (!error->set)
        save_state(c, &all, mz_text_string(&path), error);
    if (!error->set)
        printf("%u tasks in %s: mazurka resume %s/000.mzc, …; then mazurka merge %s/*.mzc\n", tasks,
               directory, directory, directory);
    mz_text_release(&path);
    mz_pool_state_release(&all);
    mz_arena_release(&names);
}

typedef struct split_request {
    uint32_t tasks;
    const char *directory;
    mz_words check; /* what is to be split */
    bool help;
} split_request;

static void take_split_words(split_request *q, int argc, char **argv, mz_error *error)
{
    mz_words_add(&q->check, "check");
    for (int i = 1; i < argc; i++) {
        bool has_next = i + 1 < argc;
        if (strcmp(argv[i], "-n") == 0 && has_next)
            q->tasks = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-o") == 0 && has_next)
            q->directory = argv[++i];
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            q->help = true;
        else
            mz_words_add(&q->check, argv[i]);
    }
    if (q->help)
        return;
    if (q->tasks == 0 || q->tasks > 100000 || !q->directory) {
        mz_error_set(error, (mz_position){0}, "how many tasks, and where?");
        mz_error_set_hint(error, "mazurka split FILE -n 100 -o tasks/");
    } else if (mkdir(q->directory, 0777) != 0 && errno != EEXIST) {
        mz_error_set(error, (mz_position){.file = q->directory}, "cannot be made: %s", strerror(errno));
    }
}

/* The search is made until it can be dealt out. If it is over before, there is nothing to deal. */
static int split(split_request *q, mz_request *request, char **argv, mz_error *error)
{
    mz_text path = {0};
    mz_checkpoint saved = {0};
    mz_settings *s = &request->plan.check;
    mz_text_add(&path, "%s/whole.mzc", q->directory);
    for (size_t i = 1; i < q->check.count; i++)
        mz_words_add(&s->command, q->check.items[i]);
    s->tasks = q->tasks;
    s->jobs = 1;
    s->checkpoint = mz_text_string(&path);
    s->checkpoint_every = 0;
    int code = mz_check_and_print("split", request, argv, error);
    if (code == MZ_EXIT_INCOMPLETE && mz_checkpoint_read(&saved, mz_text_string(&path), error)) {
        deal(&saved, q->directory, q->tasks, error);
        code = MZ_EXIT_SAFE;
    }
    unlink(mz_text_string(&path));
    mz_checkpoint_release(&saved);
    mz_text_release(&path);
    return code;
}

int mz_command_split(int argc, char **argv)
{
    split_request q = {0};
    mz_request request;
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    take_split_words(&q, argc, argv, &error);
    if (q.help) {
        mz_print_help(
            stdout,
            "usage: mazurka split FILE… -n N -o DIRECTORY [options of mazurka check]\n\n"
            "Searches until what is left can be dealt out, and writes N tasks into the directory. Each is a\n"
            "checkpoint: mazurka resume DIRECTORY/007.mzc, on whatever machine has the program. When all "
            "are\n"
            "done: mazurka merge DIRECTORY/*.mzc");
    } else if (!error.set) {
        mz_request_parse(&request, MZ_FOR_CHECK, (int)q.check.count, q.check.items, &error);
        if (!error.set)
            code = split(&q, &request, argv - 1, &error);
        mz_request_release(&request);
    }
    if (mz_print_error("split", &error))
        code = MZ_EXIT_USAGE;
    mz_words_release(&q.check);
    return code;
}

/* ---- merging --------------------------------------------------------------------------------------------
 */

typedef struct merge_request {
    mz_words files;
    const char *output;
    bool help;
} merge_request;

static bool is_of_same_search(const mz_checkpoint *a, const mz_checkpoint *b)
{
    bool same = a->command.count == b->command.count &&
                strcmp(mz_text_string(&a->program), mz_text_string(&b->program)) == 0 &&
                strcmp(mz_text_string(&a->compiler), mz_text_string(&b->compiler)) == 0;
    for (size_t i = 0; same && i < a->command.count; i++)
        same = strcmp(a->command.items[i], b->command.items[i]) == 0;
    return same;
}

static void merge_file(mz_checkpoint *all, mz_pool_state *state, const char *file, bool is_first,
                       mz_arena *names, mz_error *error)
{
    mz_checkpoint c;
    mz_pool_state part = {0};
    if (!mz_checkpoint_read(&c, file, error))
        return;
    mz_byte_reader r = {.data = c.state.data, .length = c.state.length};
    if (strcmp(mz_text_string(&c.subcommand), "check") != 0) {
        mz_error_set(error, (mz_position){.file = file}, "clients are not dealt out to tasks");
        mz_error_set_hint(error, "mazurka resume %s goes on with them, by all processors", file);
    } else if (!mz_pool_state_read(&r, &part, names)) {
        mz_error_set(error, (mz_position){.file = file}, "what was saved cannot be read");
    } else if (is_first) {
        *all = c;
        *state = part;
        return;
    } else if (!is_of_same_search(all, &c) || part.epoch != state->epoch) {
        mz_error_set(error, (mz_position){.file = file}, "this is a part of another search than %s",
                     all->path);
    } else {
        state->ledger.is_task &= part.ledger.is_task;
        if (!part.ledger.is_task)
            state->ledger.next_scouting = part.ledger.next_scouting;
        mz_ledger_merge(&state->ledger, &part.ledger);
        if (part.testimony.length > state->testimony.length)
            mz_bytes_copy(&state->testimony, &part.testimony);
    }
    mz_pool_state_release(&part);
    mz_checkpoint_release(&c);
}

static int merge(const merge_request *q, mz_error *error)
{
    mz_checkpoint all = {0};
    mz_pool_state state = {0};
    mz_arena names = {0};
    for (size_t i = 0; i < q->files.count && !error->set; i++)
        merge_file(&all, &state, q->files.items[i], i == 0, &names, error);
    if (!error->set && state.ledger.is_task) {
        mz_error_set(error, (mz_position){.file = q->files.items[0]},
                     "what was done before the tasks is not among these");
        mz_error_set_hint(error, "done.mzc, in the directory of the tasks, is to be merged, too");
    }
    if (!error->set) {
        save_state(&all, &state, q->output, error);
        printf("%zu files in %s; %zu item%s wait: mazurka resume %s\n", q->files.count, q->output,
               state.ledger.waiting.count, state.ledger.waiting.count == 1 ? "" : "s", q->output);
    }
    mz_pool_state_release(&state);
    mz_checkpoint_release(&all);
    mz_arena_release(&names);
    return MZ_EXIT_SAFE;
}

int mz_command_merge(int argc, char **argv)
{
    merge_request q = {.output = "merged.mzc"};
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            q.output = argv[++i];
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            q.help = true;
        else if (argv[i][0] == '-')
            mz_error_set(&error, (mz_position){0}, "unknown option '%s'", argv[i]);
        else
            mz_words_add(&q.files, argv[i]);
    }
    if (q.help) {
        mz_print_help(
            stdout,
            "usage: mazurka merge FILE… [-o FILE]\n\n"
            "Puts the tasks of mazurka split together, into one checkpoint (default: merged.mzc). What they "
            "have\n"
            "found is told by mazurka resume, which also goes on if something is left.");
    } else if (!error.set && q.files.count == 0) {
        mz_error_set(&error, (mz_position){0}, "nothing to merge: name the files of mazurka split");
    } else if (!error.set) {
        code = merge(&q, &error);
    }
    if (mz_print_error("merge", &error))
        code = MZ_EXIT_USAGE;
    mz_words_release(&q.files);
    return code;
}
