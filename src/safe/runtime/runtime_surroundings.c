/* Is the program where it was verified to be (wire/premise.h)? What files may be used for, what the standard
 * descriptors are, the working directory, limits, the time zone, the locale, signals. */
#include "safe/runtime/runtime_premises.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* "WHAT 'NAME'WHY when the plan was made" */
static void tell(const mz_premise *p, const char *what, const char *name, const char *why)
{
    mz__message message = mz__premise_begin_message();
    mz__add_text(&message, what);
    if (name)
        mz__premise_add_quoted(&message, name);
    mz__add_text(&message, why);
    mz__add_text(&message, " when the plan was made");
    mz__premise_end_message(&message, p->kind);
}

/* ---- files and descriptors --------------------------------------------------------------------------------
 */

/* What is not there can be written if it can be made. */
static bool can_be_made(const char *path)
{
    char folder[4096] = ".";
    const char *last = strrchr(path, '/');
    size_t length = last ? (size_t)(last - path) : 1;
    if (last && length < sizeof folder) {
        memcpy(folder, length ? path : "/", length ? length : 1);
        folder[length ? length : 1] = 0;
    }
    return access(folder, W_OK) == 0;
}

static void compare_permissions(const mz_premise *p)
{
    const char *path = mz__premise_name(p);
    unsigned asked = (unsigned)(p->size / MZ_NAME_ASKED), was = (unsigned)(p->size % MZ_NAME_ASKED), now = 0;
    struct stat what;
    bool exists = stat(path, &what) == 0;
    for (int mode = X_OK; exists && mode <= R_OK; mode *= 2)
        now |= access(path, mode) == 0 ? (unsigned)mode : 0;
    if (exists)
        now |= MZ_NAME_EXISTS | (S_ISDIR(what.st_mode) ? MZ_NAME_IS_FOLDER : 0);
    else if (!(asked & MZ_NAME_EXISTS) && can_be_made(path))
        now |= W_OK;
    unsigned different = (now ^ was) & asked;
    if (different & MZ_NAME_EXISTS)
        tell(p, "", path, exists ? " is there, and was not" : " is not there, and was");
    else if (different & MZ_NAME_IS_FOLDER)
        tell(p, "", path,
             was & MZ_NAME_IS_FOLDER ? " is no directory, and was" : " is a directory, and was none");
    else if (different & W_OK)
        tell(p, "", path,
             was & W_OK ? " may not be written, and might be" : " may be written, and might not be");
    else if (different & R_OK)
        tell(p, "", path, was & R_OK ? " may not be read, and might be" : " may be read, and might not be");
    else if (different)
        tell(p, "", path,
             was & X_OK ? " may not be executed, and might be" : " may be executed, and might not be");
}

static void add_octal(mz__message *message, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + number % 8);
    while ((number /= 8) > 0);
    mz__add_text(message, digits + at);
}

static void compare_mode(const mz_premise *p)
{
    struct stat what;
    uint64_t now = stat(mz__premise_name(p), &what) == 0 ? what.st_mode : 0;
    if (now == p->size)
        return;
    mz__message message = mz__premise_begin_message();
    mz__premise_add_quoted(&message, mz__premise_name(p));
    mz__add_text(&message, " has mode ");
    add_octal(&message, now);
    mz__add_text(&message, ", and the check says ");
    add_octal(&message, p->size);
    mz__premise_end_message(&message, p->kind);
}

/* The standard ones are there, and no other: what we have mapped is closed by now. */
static void compare_others(const mz_premise *p)
{
    enum { MOST = 1024 };
    for (int i = 0; i < MOST; i++) {
        bool is_open = fcntl(i, F_GETFD) >= 0;
        if (is_open == (i <= STDERR_FILENO))
            continue;
        mz__message message = mz__premise_begin_message();
        mz__add_text(&message, "descriptor ");
        mz__add_number(&message, (uint64_t)i);
        mz__add_text(&message, is_open ? " is open, and was not when the plan was made"
                                       : " is not open, and was when the plan was made");
        mz__premise_end_message(&message, p->kind);
        return;
    }
}

static void compare_descriptor(const mz_premise *p)
{
    struct stat what;
    const char *name = mz__premise_name(p);
    uint64_t type = fstat(name[0] - '0', &what) == 0 ? what.st_mode & S_IFMT : 0;
    if (type != p->size)
        tell(p, "descriptor ", name,
             p->size == S_IFREG ? " is no file, and was one"
                                : " is no pipe, which the check says that it was");
}

static void compare_terminal(const mz_premise *p)
{
    if (isatty(mz__premise_name(p)[0] - '0'))
        tell(p, "descriptor ", mz__premise_name(p), " is a terminal, and was none");
}

static void compare_directory(const mz_premise *p)
{
    char here[4096];
    const char *now = getcwd(here, sizeof here) ? here : "/";
    size_t size = strlen(now);
    if (size != p->size || mz_premise_hash(MZ_PREMISE_BASE, now, size) != p->hash)
        tell(p, "the working directory is ", now, ", and was another one");
}

/* ---- the rest ---------------------------------------------------------------------------------------------
 */

/* Greenwich's, in winter and in summer. */
static void compare_zone(const mz_premise *p)
{
    static const time_t times[] = {1767225600, 1782864000};
    for (int i = 0; i < 3; i++) {
        time_t at = i < 2 ? times[i] : time(NULL);
        struct tm local;
        if (localtime_r(&at, &local) && local.tm_gmtoff == 0)
            continue;
        tell(p, "the time zone is not that of Greenwich, which the check says that it was", NULL, "");
        return;
    }
}

static const char *variable(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (char **at = environment; *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return "";
}

static bool is_plain(const char *locale)
{
    return !*locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
}

/* LC_ALL decides; else each LC_… its own part, and LANG what is left. */
static void compare_locale(const mz_premise *p, char **environment)
{
    const char *name = mz__premise_name(p), *all = variable(environment, "LC_ALL");
    if (strcmp(name, "-") != 0) {
        locale_t found = newlocale(LC_ALL_MASK, name, (locale_t)0);
        if (found)
            tell(p, "there is a locale ", name, ", and was none");
        return;
    }
    bool plain = is_plain(*all ? all : variable(environment, "LANG"));
    for (char **at = environment; *at && !*all; at++)
        if (strncmp(*at, "LC_", 3) == 0 && strchr(*at, '='))
            plain = plain && is_plain(strchr(*at, '=') + 1);
    if (!plain)
        tell(p, "the environment asks for another locale than \"C\", which the check says that it was", NULL,
             "");
}

static uint64_t usual(bool stack)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (stack ? pthread_attr_getstacksize : pthread_attr_getguardsize)(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

static uint64_t limit_called(const char *name)
{
    if (strncmp(name, "sysconf ", 8) == 0)
        return (uint64_t)sysconf(atoi(name + 8));
    if (strcmp(name, "stack") == 0 || strcmp(name, "guard") == 0)
        return usual(name[0] == 's');
    return strcmp(name, "scheduling") == 0 ? (uint64_t)sched_getscheduler(0) : 0;
}

static void compare_limit(const mz_premise *p)
{
    uint64_t now = limit_called(mz__premise_name(p));
    if (now == p->size)
        return;
    mz__message message = mz__premise_begin_message();
    mz__add_text(&message, "the system's ");
    mz__premise_add_quoted(&message, mz__premise_name(p));
    mz__add_text(&message, " is ");
    mz__add_number(&message, now);
    mz__add_text(&message, ", and was ");
    mz__add_number(&message, p->size);
    mz__add_text(&message, " when the plan was made");
    mz__premise_end_message(&message, p->kind);
}

static void compare_signals(const mz_premise *p)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    for (int i = 1; i < NSIG; i++) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        bool ignored = sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
        if (!ignored && sigismember(&blocked, i) != 1)
            continue;
        mz__message message = mz__premise_begin_message();
        mz__add_text(&message, "signal ");
        mz__add_number(&message, (uint64_t)i);
        mz__add_text(&message, ignored ? " is ignored" : " is blocked");
        mz__add_text(&message, ", and was not when the plan was made");
        mz__premise_end_message(&message, p->kind);
        return;
    }
}

static void compare_semaphore(const mz_premise *p)
{
    sem_t *found = sem_open(mz__premise_name(p), 0);
    if (found == SEM_FAILED && errno == ENOENT)
        return;
    if (found != SEM_FAILED)
        sem_close(found);
    tell(p, "there is a semaphore ", mz__premise_name(p), ", and was none");
}

void mz__compare_surroundings(const mz_premise *p, char **environment)
{
    static void (*const compare[MZ_PREMISE_KIND_COUNT])(const mz_premise *) = {
        [MZ_PREMISE_PERMISSIONS] = compare_permissions,
        [MZ_PREMISE_MODES] = compare_mode,
        [MZ_PREMISE_DIRECTORY] = compare_directory,
        [MZ_PREMISE_TERMINAL] = compare_terminal,
        [MZ_PREMISE_ZONE] = compare_zone,
        [MZ_PREMISE_SYSTEM] = compare_limit,
        [MZ_PREMISE_SIGNALS] = compare_signals,
        [MZ_PREMISE_SEMAPHORE] = compare_semaphore,
    };
    if (p->kind == MZ_PREMISE_LOCALE)
        compare_locale(p, environment);
    else if (p->kind == MZ_PREMISE_DESCRIPTORS)
        (strcmp(mz__premise_name(p), "others") == 0 ? compare_others : compare_descriptor)(p);
    else if (compare[p->kind])
        compare[p->kind](p);
}
