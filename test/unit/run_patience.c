/* How long a trial run may take: on a machine that others use, its time is what it has of it. */
#define _GNU_SOURCE /* CPU_SET */

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "safe/run/run_patience.h"
#include "search/limits.h"

enum { OTHERS = 5 };

static void compute_for(double seconds)
{
    struct timespec now = {0};
    while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < seconds)
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
}

/* All on one processor; seconds of its time, or (0) asleep. */
static pid_t start(double seconds)
{
    pid_t child = fork();
    if (child == 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        sched_getaffinity(0, sizeof one, &one);
        size_t first = 0;
        while (!CPU_ISSET(first, &one))
            first++;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        sched_setaffinity(0, sizeof one, &one);
        compute_for(seconds);
        if (seconds <= 0)
            sleep(60);
        _exit(0);
    }
    return child;
}

static void stop(pid_t process)
{
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

static void what_others_take_does_not_count(void **state)
{
    pid_t others[OTHERS];
    double begun = mz_seconds_now();
    (void)state;
    for (int i = 0; i < OTHERS; i++)
        others[i] = start(100);
    pid_t process = start(0.4);
    assert_true(mz_run_ends_within(process, 1));
    assert_true(mz_seconds_now() - begun > 1); /* or nothing is shown here */
    stop(process);
    for (int i = 0; i < OTHERS; i++)
        stop(others[i]);
}

static void what_it_computes_counts(void **state)
{
    pid_t process = start(100);
    (void)state;
    assert_false(mz_run_ends_within(process, 0.3));
    stop(process);
}

static void what_it_sleeps_counts(void **state)
{
    pid_t process = start(0);
    double begun = mz_seconds_now();
    (void)state;
    assert_false(mz_run_ends_within(process, 0.3));
    assert_true(mz_seconds_now() - begun < 3);
    stop(process);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_take_does_not_count),
        cmocka_unit_test(what_it_computes_counts),
        cmocka_unit_test(what_it_sleeps_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
