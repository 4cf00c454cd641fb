#define _GNU_SOURCE
#include "session/ranks/agent.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool/channel.h"

typedef struct agent {
    int up;   /* to the coordinator */
    int down; /* to the process of the job; -1: there is none */
    pid_t process;
    mz_rank_explore *explore;
    mz_rank_job job;
    uint64_t number; /* of the job */
    mz_worker_line *line;
    mz_shared *shared;
    mz_bytes bytes;
    bool is_busy; /* it has an item */
    double next_progress;
    uint64_t pulse;
    double last_sign;
} agent;

static void say(const agent *a, mz_message_kind kind, const mz_bytes *bytes)
{
    if (!mz_channel_send(a->up, kind, bytes))
        _exit(0);
}

/* ---- the process of a job -------------------------------------------------------------------------------
 */

typedef struct begun_job {
    const agent *agent;
    int channel;
} begun_job;

static void work(const void *context, mz_shared *shared)
{
    const begun_job *b = context;
    mz_pool_home home = {
        .channel = b->channel, .line = b->agent->line, .split_every = b->agent->job.split_every};
    close(b->agent->up);
    close(b->agent->down);
    b->agent->explore(&b->agent->job, &home, shared);
}

static void end_job(agent *a)
{
    if (a->down < 0)
        return;
    kill(a->process, SIGKILL);
    waitpid(a->process, NULL, 0);
    close(a->down);
    mz_shared_release(a->shared);
    a->down = -1;
    a->is_busy = false;
}

static void begin_job(agent *a)
{
    mz_byte_reader r = {.data = a->bytes.data, .length = a->bytes.length};
    mz_error error = {0};
    int ends[2];
    end_job(a);
    mz_rank_job_release(&a->job);
    a->number = mz_read_number(&r);
    if (!mz_rank_job_read(&r, &a->job) || a->job.is_wide != (MZ_MAX_THREADS == MZ_WIDE_THREADS) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    *a->line = (mz_worker_line){0};
    a->pulse = 0;
    a->last_sign = 0;
    a->down = ends[0];
    a->shared = mz_start_worker(work, &(begun_job){a, ends[1]}, 0, &a->process, &error);
    close(ends[1]);
    if (!a->shared || a->process < 0) {
        close(ends[0]);
        a->down = -1;
    }
    mz_error_release(&error);
}

/* ---- messages -------------------------------------------------------------------------------------------
 */

static void hear_coordinator(agent *a)
{
    mz_message_kind kind;
    if (!mz_channel_receive(a->up, &kind, &a->bytes)) {
        end_job(a);
        _exit(0);
    }
    if (kind == MZ_MESSAGE_JOB) {
        begin_job(a);
    } else if (kind == MZ_MESSAGE_STOP) {
        a->line->stop = 1;
    } else if (kind == MZ_MESSAGE_ITEM) {
        a->line->stop = 0;
        a->line->traces = a->line->events = 0;
        a->is_busy = true;
        if (a->down < 0 || !mz_channel_send(a->down, kind, &a->bytes))
            say(a, MZ_MESSAGE_AT_HOME, &(mz_bytes){0});
    }
}

/* Whatever has ended the process will end the one that explores the item at home. */
static void hear_process(agent *a)
{
    mz_message_kind kind;
    mz_bytes number = {0};
    if (!mz_channel_receive(a->down, &kind, &a->bytes)) {
        end_job(a);
        say(a, MZ_MESSAGE_AT_HOME, &number);
        return;
    }
    if (kind == MZ_MESSAGE_READY)
        mz_bytes_add_number(&number, a->number);
    if (kind == MZ_MESSAGE_HARVEST)
        a->is_busy = false;
    say(a, kind, kind == MZ_MESSAGE_READY ? &number : &a->bytes);
    mz_bytes_release(&number);
}

static void look_around(agent *a)
{
    mz_bytes bytes = {0};
    double now = mz_seconds_now();
    if (a->down < 0 || !a->is_busy || now < a->next_progress)
        return;
    a->next_progress = now + 0.25;
    mz_bytes_add_number(&bytes, a->line->traces);
    mz_bytes_add_number(&bytes, a->line->events);
    say(a, MZ_MESSAGE_PROGRESS, &bytes);
    mz_bytes_release(&bytes);
    if (a->job.is_native && mz_is_without_life(a->process, a->shared->flight.pulse, &a->pulse, &a->last_sign))
        kill(a->process, SIGKILL);
}

_Noreturn void mz_agent_serve(int channel, mz_rank_explore *explore)
{
    agent a = {.up = channel, .down = -1, .explore = explore};
    a.line = mmap(NULL, sizeof *a.line, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (a.line == MAP_FAILED)
        _exit(1);
    for (;;) {
        struct pollfd looks[] = {{.fd = a.up, .events = POLLIN}, {.fd = a.down, .events = POLLIN}};
        if (poll(looks, 2, 200) > 0) {
            if (looks[1].revents)
                hear_process(&a);
            if (looks[0].revents)
                hear_coordinator(&a);
        }
        look_around(&a);
    }
}
