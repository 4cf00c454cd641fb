#include "base/interrupt.h"

#include <time.h>

volatile sig_atomic_t mz_interrupted = 0;

static bool insistence_ends; /* a second signal ends the process at once */

/* `timeout` and process groups deliver one interrupt twice within a moment: only one that comes later is
 * meant as impatience. */
static void on_interrupt(int signal_number)
{
    static struct timespec first;
    struct timespec now;
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
}
