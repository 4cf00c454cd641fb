/* A job in a process of its own: what it says comes back through a pipe, and its end is told. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/native_jobs.h"

/* Of CPU time, so that a busy machine compares no less; one that waits for ever is wrong. */
static void limit_time(void)
{
    enum { CPU_SECONDS = 60, HANG = 1800 };
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = CPU_SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
    alarm(HANG);
}

int run_apart(int (*work)(const task *the, mz_text *out), const task *the, mz_text *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return DISAGREE;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        limit_time();
        int result = work(the, out);
        const char *text = mz_text_string(out);
        size_t length = strlen(text) < 60000 ? strlen(text) : 60000;
        if (write(ends[1], text, length) < 0)
            _exit(9);
        _exit(result);
    }
    close(ends[1]);
    char buffer[4096];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
        mz_text_add_bytes(out, buffer, (size_t)got);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    mz_text_add(out, " ended by signal %d\n", WTERMSIG(status));
    return WTERMSIG(status) == SIGXCPU ? TOO_LARGE : DISAGREE;
}
