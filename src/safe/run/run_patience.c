#define _GNU_SOURCE /* SYS_pidfd_open */

#include "safe/run/run_patience.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "search/limits.h"

/* The kernel counts for each thread how long it was ready to run, but had no processor. 0: it does not say.
 */
static double denied_to_thread(pid_t process, const char *thread)
{
    char path[96];
    unsigned long long ran = 0, waited = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)process, thread);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    bool read = fscanf(file, "%llu %llu", &ran, &waited) == 2;
    fclose(file);
    return read ? (double)waited / 1e9 : 0;
}

static double denied(pid_t process)
{
    char path[64];
    double all = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (!threads)
        return 0;
    for (const struct dirent *one; (one = readdir(threads));)
        if (one->d_name[0] != '.')
            all += denied_to_thread(process, one->d_name);
    closedir(threads);
    return all;
}

static double used(pid_t process)
{
    clockid_t clock;
    struct timespec time = {0};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

typedef struct reading {
    double now, used, denied;
} reading;

static reading read_clocks(pid_t process)
{
    return (reading){mz_seconds_now(), used(process), denied(process)};
}

/* All of the time but that in which threads waited for a processor; but what they computed in any case.
 * (Several may wait at once, or wait for one that runs.) Threads that have ended take their counts with them.
 */
static double own_time(const reading *before, const reading *after)
{
    double passed = after->now - before->now, waited = after->denied - before->denied;
    double own = passed - (waited > 0 ? waited : 0), computed = after->used - before->used;
    own = own > computed ? own : computed;
    return own < 0 ? 0 : own < passed ? own : passed;
}

bool mz_run_ends_within(pid_t process, double seconds)
{
    enum { SLICE = 100, MOST_TIMES = 10 };                 /* milliseconds */
    int handle = (int)syscall(SYS_pidfd_open, process, 0); /* readable when it has ended */
    struct pollfd look = {.fd = handle, .events = POLLIN};
    reading last = read_clocks(process);
    double own = 0, begun = last.now;
    bool in_time = true;
    while (in_time && handle >= 0 && poll(&look, 1, SLICE) <= 0) {
        reading now = read_clocks(process);
        own += own_time(&last, &now);
        last = now;
        in_time = own < seconds && now.now - begun < seconds * MOST_TIMES;
    }
    if (handle >= 0)
        close(handle);
    return in_time;
}
