/* What the unit tests share: cmocka, random numbers, child processes. */
#ifndef TEST_UNIT_SUPPORT_H
#define TEST_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* The same numbers on every machine, so that a failing seed fails everywhere. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mz_mix64(*state) % bound);
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text ? text : "nothing");
}

static inline void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in '%s'", part, text);
}

/* What may crash, hang or leak runs in a process of its own. Returns its exit code, or minus the signal that
 * ended it (SIGXCPU when its CPU time is up, SIGALRM if it waits for ever). The child must not return into
 * cmocka: no assertions in `work`. */
static inline int run_in_child(int (*work)(void *), void *context, unsigned seconds)
{
    fflush(NULL); /* or the child would write what is buffered a second time */
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit;
        getrlimit(RLIMIT_CPU, &limit);
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
        alarm(60 * seconds);
        _exit(work(context));
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#endif
