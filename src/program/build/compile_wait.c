/* Waiting for compilers, for as long as there is time.
 *
 * A compiler is often a script, or a driver, that waits for others: where there is a limit, each is started
 * in a process group of its own, and all of that is ended when the time is over. A terminal's signals do not
 * reach such a group, so they are passed on. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program/build/compile_internal.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static double until; /* 0: there is any time */
static volatile pid_t running[MZ_COMPILERS_AT_ONCE];
static struct sigaction before[MZ_LENGTH(passed_on)];
static sigset_t mask_before;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- signals --------------------------------------------------------------------------------------------
 */

static void pass_on(int number)
{
    for (size_t i = 0; i < MZ_COMPILERS_AT_ONCE; i++)
        if (running[i] > 0)
            kill(-running[i], number);
    signal(number, SIG_DFL);
    raise(number);
}

/* Who ignores a signal, or has other plans for it, goes on doing so. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = pass_on};
    for (size_t i = 0; i < MZ_LENGTH(passed_on); i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler == SIG_DFL)
            sigaction(passed_on[i], &action, NULL);
    }
}

static void release_signals(void)
{
    for (size_t i = 0; i < MZ_LENGTH(passed_on); i++)
        sigaction(passed_on[i], &before[i], NULL);
}

void mz__compile_until(double time)
{
    if (until > 0)
        release_signals();
    until = time;
    if (until > 0)
        catch_signals();
}

/* ---- a compiler -----------------------------------------------------------------------------------------
 */

void mz__before_start(posix_spawnattr_t *attributes)
{
    if (until == 0)
        return;
    sigset_t mask;
    sigemptyset(&mask);
    for (size_t i = 0; i < MZ_LENGTH(passed_on); i++)
        sigaddset(&mask, passed_on[i]);
    sigprocmask(SIG_BLOCK, &mask, &mask_before); /* until it is known which group there is */
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &mask_before);
}

static void replace(pid_t old, pid_t new)
{
    for (size_t i = 0; i < MZ_COMPILERS_AT_ONCE; i++)
        if (running[i] == old) {
            running[i] = new;
            return;
        }
}

void mz__after_start(pid_t process)
{
    if (until == 0)
        return;
    if (process > 0)
        replace(0, process);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* It is still there afterwards, and so is the number of its group. */
static bool has_ended(pid_t process)
{
    siginfo_t end = {0};
    return waitid(P_PID, (id_t)process, &end, WEXITED | WNOHANG | WNOWAIT) == 0 ? end.si_pid == process
                                                                                : errno != EINTR;
}

static bool ends_before(pid_t process, double time)
{
    enum { MOST = 1000, WITHOUT_HANDLE = 10 }; /* milliseconds */
    struct pollfd look = {.fd = (int)syscall(SYS_pidfd_open, process, 0), .events = POLLIN};
    bool ended;
    double left;
    while (!(ended = has_ended(process)) && (left = time - now()) > 0)
        poll(&look, 1, look.fd < 0 ? WITHOUT_HANDLE : left < 1 ? (int)(left * MOST) + 1 : MOST);
    if (look.fd >= 0)
        close(look.fd);
    return ended;
}

/* Compilers remove their temporary files if they are asked to end. */
static void end_group(pid_t group)
{
    kill(-group, SIGTERM);
    ends_before(group, now() + 0.2);
    kill(-group, SIGKILL);
}

bool mz__wait_for(pid_t process, bool *late)
{
    int status = 0;
    *late = until > 0 && !ends_before(process, until);
    if (*late)
        end_group(process);
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    replace(process, 0);
    return !*late && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool mz__is_too_late(void)
{
    return until > 0 && now() >= until;
}
