/* The program under a plan: a process of its own, which keeps its output, its exit code and its signals. */
#define _GNU_SOURCE /* execveat */
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
#include "wire/deployment.h"
#include "wire/world.h"

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

/* It survives the start of the program. */
static void pass_descriptor(int descriptor)
{
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFD, 0);
}

static void set_or_unset(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

/* Also of no plan: what the program does by itself is then not asked for. */
static void name_plan(const mz_run_program *p)
{
    mz_text value = {0};
    pass_descriptor(p->plan);
    mz_text_add(&value, MZ_PLAN_DESCRIPTOR_PREFIX "%d:%s", p->plan, p->plan_name ? p->plan_name : "");
    setenv(MZ_PLAN_ENVIRONMENT, mz_text_string(&value), 1);
    mz_text_release(&value);
}

static void name_recording(int descriptor)
{
    char number[16];
    pass_descriptor(descriptor);
    snprintf(number, sizeof number, "%d", descriptor);
    if (descriptor >= 0)
        setenv(MZ_RECORD_ENVIRONMENT, number, 1);
    else
        unsetenv(MZ_RECORD_ENVIRONMENT);
}

static void name_world(int descriptor)
{
    char number[16];
    pass_descriptor(descriptor);
    snprintf(number, sizeof number, "%d", descriptor);
    set_or_unset(MZ_WORLD_ENVIRONMENT, descriptor >= 0 ? number : NULL);
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

/* What is blocked and caught here is not so there. */
static void give_signals_back(void)
{
    sigset_t set;
    fill_set(&set);
    for (int i = 0; i < PASSED_ON; i++)
        signal(passed_on[i], SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Everything as if it had been started by itself. */
static void prepare_process(const mz_run_program *p)
{
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
    name_plan(p);
    name_recording(p->record);
    name_world(p->world);
    set_or_unset(MZ_JITTER_ENVIRONMENT, p->jitter);
    set_or_unset(MZ_INPUTS_ENVIRONMENT, p->inputs);
    for (size_t i = 0; p->given && i < p->given->count; i++)
        putenv(p->given->items[i]);
}

/* To be released. */
static char **words_of(const mz_run_program *p)
{
    char **words = mz_allocate_zeroed(p->arguments->count + 2, sizeof *words);
    words[0] = (char *)(uintptr_t)p->name;
    for (size_t i = 0; i < p->arguments->count; i++)
        words[i + 1] = p->arguments->items[i];
    return words;
}

static void become_program(const mz_run_program *p, char **words)
{
    give_signals_back();
    prepare_process(p);
    execv(p->path, words);
    fprintf(stderr, "mazurka run: error: '%s' could not be started: %s\n", p->path, strerror(errno));
    _exit(127);
}

pid_t mz_run_start(const mz_run_program *p, mz_error *error)
{
    char **words = words_of(p);
    fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        become_program(p, words);
    if (process < 0)
        mz_error_set(error, (mz_position){0}, "no process could be made: %s", strerror(errno));
    mz_release(words);
    return process < 0 ? 0 : process;
}

int mz_run_open(const mz_run_program *p, mz_error *error)
{
    int file = open(p->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        mz_error_set(error, (mz_position){.file = p->path}, "it cannot be read: %s", strerror(errno));
    return file;
}

void mz_run_become(const mz_run_program *p, int file, mz_error *error)
{
    char **words = words_of(p);
    prepare_process(p);
    fflush(NULL);
    execveat(file, "", words, environ, AT_EMPTY_PATH);
    mz_error_set(error, (mz_position){0}, "the program could not be started: %s", strerror(errno));
    mz_release(words);
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
