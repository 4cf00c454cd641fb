/* A program under test may do anything to the process it runs in. So the work is done in a worker, and the
 * supervisor takes what it leaves: results in shared memory, at the same address in both, or, if the worker
 * is gone without any, what is known about how it went. */
#define _GNU_SOURCE /* memfd_create */
#include "session/process/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/processors.h"
#include "search/limits.h"
#include "session/process/wide.h"

/* Processor time of a process, in seconds; 0 if it is not known. */
static double processor_time(pid_t process)
{
    char path[64];
    unsigned long ticks[2] = {0, 0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &ticks[0],
               &ticks[1]) != 2)
        ticks[0] = ticks[1] = 0;
    fclose(file);
    return (double)(ticks[0] + ticks[1]) / (double)sysconf(_SC_CLK_TCK);
}

/* Seconds of processor time without a sign of life: stuck where the worker cannot help itself. And how long
 * it may take to end after its time was over. */
enum { STUCK_AFTER = 30 };

static double grace(double limit)
{
    double load = 0, seconds = limit > 0 && limit < 40 ? 1 + limit / 10 : 5;
    bool is_slow = getloadavg(&load, 1) == 1 && load > mz_processors();
    return is_slow ? 2 * seconds : seconds; /* it has half of a processor at most */
}

bool mz_is_without_life(pid_t process, uint64_t pulse, uint64_t *last_pulse, double *last_sign)
{
    double now = processor_time(process);
    if (pulse != *last_pulse) {
        *last_pulse = pulse;
        *last_sign = now;
    }
    return now - *last_sign > STUCK_AFTER;
}

/* Wait for the end of the worker; end it if it is stuck. */
static int wait_for(pid_t worker, const mz_shared *shared, bool *was_stuck, bool *was_late)
{
    int status = 0;
    uint64_t pulse = 0;
    double last_sign = 0, started = mz_seconds_now(), told_at = 0;
    int handle = (int)syscall(SYS_pidfd_open, worker, 0);
    for (;;) {
        struct pollfd look = {.fd = handle, .events = POLLIN};
        if (handle >= 0)
            poll(&look, 1, 200);
        if (mz_interrupted && told_at == 0) {
            kill(worker, SIGTERM);
            told_at = mz_seconds_now();
        }
        pid_t ended = waitpid(worker, &status, handle >= 0 ? WNOHANG : 0);
        if (ended == worker || (ended < 0 && errno != EINTR))
            break;
        double clock = mz_seconds_now();
        bool late = (shared->limit > 0 && clock - started > shared->limit + grace(shared->limit)) ||
                    (told_at > 0 && clock - told_at > grace(0));
        if (late && !*was_stuck) {
            *was_stuck = *was_late = true;
            kill(worker, SIGKILL);
        }
        if (mz_is_without_life(worker, shared->flight.pulse, &pulse, &last_sign) && !*was_stuck) {
            *was_stuck = true;
            kill(worker, SIGKILL);
        }
    }
    if (handle >= 0)
        close(handle);
    return status;
}

static void describe_end(int status, bool was_stuck, bool was_late, mz_text *out)
{
    static const char where[] = "the program runs or waits in code that is not checked, such as a library";
    if (was_stuck && was_late)
        mz_text_add(out,
                    "the time limit was reached (--timeout), and the search did not end: the machine is too "
                    "busy, or %s",
                    where);
    else if (was_stuck)
        mz_text_add(out, "%s", where);
    else if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU) &&
             mz_is_processor_time_limited())
        mz_text_add(out, "the process of the program was killed: was the limit of processor time reached? "
                         "(ulimit -t)");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        mz_text_add(out, "the process of the program was killed: did it run out of memory? (--max-memory)");
    else if (WIFSIGNALED(status))
        mz_text_add(out, "the process of the program was ended by signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else
        mz_text_add(out, "the program has ended its process with status %d, past exit()",
                    WEXITSTATUS(status));
}

/* Of a build that counts what is executed (tools/profile). */
extern void __gcov_dump(void) __attribute__((weak));

mz_shared *mz_start_worker(mz_work *work, const void *context, double limit, pid_t *worker, mz_error *error)
{
    mz_shared *shared = mmap(NULL, MZ_SHARED_BYTES, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED) {
        mz_error_set(error, (mz_position){0}, "cannot reserve address space: %s", strerror(errno));
        return NULL;
    }
    shared->limit = limit;
    if (mz_native_input < 0) /* one for all workers */
        mz_native_input = memfd_create("standard input", MFD_CLOEXEC);
    fflush(stdout);
    fflush(stderr);
    pid_t supervisor = getpid();
    bool followed = getenv(MZ_DEBUG_VARIABLE); /* by a debugger, which would lose sight of another process */
    *worker = followed ? 0 : fork();
    if (*worker == 0) {
        if (!followed)
            prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!followed && getppid() != supervisor)
            _exit(MZ_EXIT_INTERNAL);
        mz_catch_interrupts(false);
        mz_hear_of_processor_time();
        work(context, shared);
        if (__gcov_dump)
            __gcov_dump(); /* _exit() does not */
        _exit(0);
    }
    return shared;
}

void mz_finish_worker(mz_shared *shared, pid_t worker, mz_ending *ending, mz_error *error)
{
    *ending = (mz_ending){0};
    bool was_late = false;
    int status = worker > 0 ? wait_for(worker, shared, &ending->was_ended, &was_late) : 0;
    ending->was_ended |= shared->was_stuck;
    if (!shared->finished && !shared->message[0])
        describe_end(status, ending->was_ended, was_late, &ending->words);
    ending->was_ended |= WIFSIGNALED(status) && mz_comes_from_outside(WTERMSIG(status));
    if (shared->message[0])
        mz_error_set(error, (mz_position){0}, "%s", shared->message);
}

static bool found_bug(const mz_shared *shared)
{
    return shared->finished && shared->report.verdict == MZ_UNSAFE;
}

mz_shared *mz_run_worker(mz_work *work, const void *context, double limit, mz_ending *ending, mz_error *error)
{
    pid_t worker;
    mz_shared *shared = mz_start_worker(work, context, limit, &worker, error);
    *ending = (mz_ending){0};
    if (shared)
        mz_finish_worker(shared, worker, ending, error);
    if (shared && shared->flight.too_many_threads && !found_bug(shared))
        mz_go_wide();
    return shared;
}

void mz_shared_release(mz_shared *shared)
{
    if (shared)
        munmap(shared, MZ_SHARED_BYTES);
}

void mz_without_randomisation(char **argv)
{
    int now = personality(0xffffffff);
    if (now == -1 || (now & ADDR_NO_RANDOMIZE) || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1)
        return;
    if ((personality(0xffffffff) & ADDR_NO_RANDOMIZE))
        execv("/proc/self/exe", argv);
}
