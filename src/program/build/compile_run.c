/* Running compilers, two at a time, and the temporary directory they work in. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"

extern char **environ;

bool mz__write_file(const char *path, const char *bytes, size_t length, mz_error *error)
{
    bool good = mz_file_write(path, bytes, length);
    if (!good)
        mz_error_set(error, (mz_position){0}, "'%s' could not be written: %s", path, strerror(errno));
    return good;
}

char *mz__make_directory(mz_error *error)
{
    const char *parent = getenv("TMPDIR");
    mz_text path = {0};
    mz_text_add(&path, "%s/mazurka-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(path.bytes)) {
        mz_error_set(error, (mz_position){0}, "no temporary directory '%s' could be made: %s",
                     mz_text_string(&path), strerror(errno));
        mz_error_set_hint(error, "the variable TMPDIR says where");
        mz_text_release(&path);
        return NULL;
    }
    return path.bytes;
}

void mz__remove_directory(const char *directory)
{
    DIR *open = opendir(directory);
    if (!open)
        return;
    struct dirent *entry;
    while ((entry = readdir(open)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlinkat(dirfd(open), entry->d_name, 0) != 0) {
            mz_text inner = {0};
            mz_text_add(&inner, "%s/%s", directory, entry->d_name);
            mz__remove_directory(mz_text_string(&inner));
            mz_text_release(&inner);
        }
    closedir(open);
    rmdir(directory);
}

static void message_path(const char *directory, size_t job, mz_text *path)
{
    mz_text_clear(path);
    mz_text_add(path, "%s/messages.%zu", directory, job);
}

/* The number of a process, or minus the reason why there is none. */
static pid_t start(const mz_job *job, const char *messages)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions))
        return -ENOMEM;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, messages, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    pid_t process = 0;
    mz__before_start(&attributes);
    int reason =
        posix_spawnp(&process, job->words.items[0], &actions, &attributes, job->words.items, environ);
    mz__after_start(reason ? 0 : process);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason ? -reason : process;
}

static void set_start_error(mz_error *error, const char *compiler, int reason)
{
    if (reason == ENOENT || reason == EACCES) {
        mz_error_set(error, (mz_position){0}, "the compiler '%s' was not found", compiler);
        mz_error_set_hint(error, "install it, or name another one with --cc=NAME");
    } else {
        mz_error_set(error, (mz_position){0}, "the compiler '%s' could not be started: %s", compiler,
                     strerror(reason));
    }
}

static void set_late_error(mz_error *error, const char *compiler)
{
    if (error->set)
        return;
    error->out_of_time = true;
    mz_error_set(error, (mz_position){0}, "the compiler '%s' took all of the time (--timeout)", compiler);
}

/* One more process, if there is time. */
static bool start_in_time(const mz_job *job, const char *messages, pid_t *process, mz_error *error)
{
    if (mz__is_too_late()) {
        set_late_error(error, job->words.items[0]);
        return false;
    }
    *process = start(job, messages);
    if (*process < 0)
        set_start_error(error, job->words.items[0], -*process);
    return *process > 0;
}

static void show_messages(const char *path, mz_text *copy)
{
    mz_text messages = {0};
    if (mz_file_read(path, MZ_FILE_ANY_SIZE, &messages) && messages.length > 0) {
        fwrite(messages.bytes, 1, messages.length, stderr);
        fflush(stderr);
        if (copy)
            mz_text_add_bytes(copy, messages.bytes, messages.length);
    }
    mz_text_release(&messages);
    unlink(path);
}

bool mz__run_jobs(mz_job *jobs, size_t count, const char *directory, size_t *failed, mz_error *error)
{
    pid_t *processes = mz_allocate_zeroed(count, sizeof *processes);
    mz_text path = {0};
    bool good = true;
    size_t started = 0;
    for (size_t done = 0; done < started || (good && done < count); done++) {
        /* Messages come in the order of the jobs, so the oldest is waited for. */
        for (; good && started < count && started < done + MZ_COMPILERS_AT_ONCE; started++) {
            message_path(directory, started, &path);
            if (!start_in_time(&jobs[started], mz_text_string(&path), &processes[started], error)) {
                good = false;
                *failed = started;
                break;
            }
        }
        if (done == started)
            break;
        bool late, succeeded = mz__wait_for(processes[done], &late);
        message_path(directory, done, &path);
        show_messages(mz_text_string(&path), jobs[done].messages);
        if (late && good)
            set_late_error(error, jobs[done].words.items[0]);
        if (!succeeded && good) {
            good = false;
            *failed = done;
        }
    }
    mz_text_release(&path);
    mz_release(processes);
    return good;
}

bool mz__run_quietly(const mz_job *job, const char *directory, mz_text *messages)
{
    mz_text path = {0};
    message_path(directory, 0, &path);
    pid_t process = mz__is_too_late() ? 0 : start(job, mz_text_string(&path));
    bool late;
    bool good = process > 0 && mz__wait_for(process, &late) &&
                mz_file_read(mz_text_string(&path), MZ_FILE_ANY_SIZE, messages);
    unlink(mz_text_string(&path));
    mz_text_release(&path);
    return good;
}

bool mz__run_one(mz_words *words, const char *directory, const char *what, mz_error *error)
{
    mz_job job = {.words = *words};
    size_t failed = 0;
    bool good = mz__run_jobs(&job, 1, directory, &failed, error);
    if (!good)
        mz_error_set(error, (mz_position){0}, "%s could not %s", words->items[0], what);
    return good;
}
