/* The program under a plan: a process of its own, which keeps its output, its exit code and its signals. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "safe/run/run.h"
#include "wire/plan_format.h"

/* Those that are meant for the program if they come to us. */
static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static void fill_set(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(set, passed_on[i]);
}

int mz_run_catch_signals(mz_error *error)
{
    sigset_t set;
    fill_set(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor < 0)
        mz_error_set(error, (mz_position){0}, "signals cannot be received: %s", strerror(errno));
    return descriptor;
}

static void set_descriptor(const char *variable, int descriptor)
{
    char number[16];
    snprintf(number, sizeof number, "%d", descriptor);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, 0); /* it survives the start of the program */
        setenv(variable, number, 1);
    } else {
        unsetenv(variable);
    }
}

/* Input from a file can be read again and again, from any other place only once: that is not for us. */
static void open_apart(void)
{
    struct stat status;
    bool is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC),
        input = is_file ? open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC) : nothing;
    dup2(input, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
}

/* In the new process: everything as if it had been started by itself. */
static void become_program(const mz_run_program *p, char **words)
{
    sigset_t set;
    fill_set(&set);
    for (int i = 0; i < PASSED_ON; i++)
        signal(passed_on[i], SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    personality(PER_LINUX); /* with address randomisation */
    if (p->silent) {
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nothing, STDOUT_FILENO);
    }
    if (p->apart)
        open_apart();
    if (p->output >= 0)
        dup2(p->output, STDOUT_FILENO);
    if (p->messages >= 0)
        dup2(p->messages, STDERR_FILENO);
    set_descriptor(MZ_PLAN_ENVIRONMENT, p->plan);
    set_descriptor(MZ_RECORD_ENVIRONMENT, p->record);
    if (p->jitter)
        setenv(MZ_JITTER_ENVIRONMENT, p->jitter, 1);
    else
        unsetenv(MZ_JITTER_ENVIRONMENT);
    if (p->inputs)
        setenv(MZ_INPUTS_ENVIRONMENT, p->inputs, 1);
    else
        unsetenv(MZ_INPUTS_ENVIRONMENT);
    for (size_t i = 0; p->given && i < p->given->count; i++)
        putenv(p->given->items[i]);
    execv(p->path, words);
    fprintf(stderr, "mazurka run: error: '%s' could not be started: %s\n", p->path, strerror(errno));
    _exit(127);
}

pid_t mz_run_start(const mz_run_program *p, mz_error *error)
{
    char **words = mz_allocate_zeroed(p->arguments->count + 2, sizeof *words);
    words[0] = (char *)(uintptr_t)p->name;
    for (size_t i = 0; i < p->arguments->count; i++)
        words[i + 1] = p->arguments->items[i];
    fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        become_program(p, words);
    if (process < 0)
        mz_error_set(error, (mz_position){0}, "no process could be made: %s", strerror(errno));
    mz_release(words);
    return process < 0 ? 0 : process;
}

/* What comes from a terminal goes to the whole group: the program has got it, too. */
bool mz_run_has_ended(int signals, pid_t process, bool *passed, int *status)
{
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        *passed = true;
        if (info.ssi_code != SI_KERNEL)
            kill(process, (int)info.ssi_signo);
    }
    return waitpid(process, status, WNOHANG) == process;
}

int mz_run_end_like(int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); /* the program's is the one of interest */
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 128 + number;
}
