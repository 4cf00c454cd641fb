#include "base/interrupt.h"

#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

volatile sig_atomic_t mz_interrupted = 0;

volatile sig_atomic_t mz_out_of_processor_time = 0;

static bool insistence_ends; /* a second signal ends the process at once */

/* `timeout` and process groups deliver one interrupt twice within a moment: only one that comes later is
 * meant as impatience. */
static void on_interrupt(int signal_number)
{
    static struct timespec first;
    struct timespec now;
    if (signal_number == SIGXCPU) { /* comes every second */
        mz_out_of_processor_time = mz_interrupted = 1;
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!mz_interrupted) {
        first = now;
        mz_interrupted = 1;
    } else if (insistence_ends && now.tv_sec - first.tv_sec > 1) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

void mz_catch_interrupts(bool once)
{
    insistence_ends = once;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGXCPU, &action, NULL);
}

/* A hard limit kills without a word: it is to be heard of a second before. */
void mz_hear_of_processor_time(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY || limit.rlim_max < 2 ||
        limit.rlim_cur < limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max - 1;
    setrlimit(RLIMIT_CPU, &limit);
}

bool mz_is_processor_time_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

int mz_ending_signal(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t pending;
    sigpending(&pending); /* those that are caught by a descriptor */
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&pending, ending[i]))
            return ending[i];
    return mz_interrupted ? SIGINT : 0;
}
