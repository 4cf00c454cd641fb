/* Thread-local variables; what a program can ask about its surroundings; and the variables that the C library
 * keeps for the program. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <sys/resource.h>
#include <unistd.h>

#include "program/libc/libc.h"
#include "program/memory/heap.h"
#include "program/pthread/peers.h"
#include "program/runtime/for_the_program.h"
#include "program/world/noted_premises.h"
#include "program/world/world.h"

static void note_readable(const void *begin, const void *end)
{
    mz__memory *m = &mz__w.memory;
    if (m->library_count == sizeof m->libraries / sizeof *m->libraries)
        return;
    m->libraries[m->library_count].begin = (uintptr_t)begin;
    m->libraries[m->library_count++].end = (uintptr_t)end;
}

/* It lies where the process began, all strings together: the program may look at it. */
static void note_environment(void)
{
    char **last = environ;
    while (*last)
        last++;
    mz__w.memory.environment = mz__w.memory.library_count;
    note_readable(environ, last + 1);
    if (last > environ)
        note_readable(environ[0], last[-1] + strlen(last[-1]) + 1);
}

/* isalpha() and its kin are macros that look up a table. Where it is stands in a variable of the thread, and
 * all fibers run in one. */
static void note_character_tables(void)
{
    note_readable(__ctype_b_loc(), __ctype_b_loc() + 1);
    note_readable(__ctype_tolower_loc(), __ctype_tolower_loc() + 1);
    note_readable(__ctype_toupper_loc(), __ctype_toupper_loc() + 1);
}

void mz__libc_create(void)
{
    mz__libc = mz__heap_allocate(sizeof *mz__libc, 16, 0);
    mz__w.libc_variables = (uintptr_t)mz__libc;
    mz__random_create();
    note_environment();
    note_character_tables();
}

typedef struct tls_index {
    unsigned long module, offset;
} tls_index;

MZ__HOOK(void *, __wrap___tls_get_addr, const tls_index *index)
{
    return (char *)mz__tls_block(mz__w.current ? mz__me() : 0) + index->offset;
}

/* ---- the surroundings: the same wherever the program is checked ------------------------------------------
 */

MZ__HOOK(pid_t, __wrap_getpid, void)
{
    mz__ask(MZ_PREMISE_PROCESS);
    return MZ__PROCESS;
}

MZ__HOOK(pid_t, __wrap_getppid, void)
{
    mz__ask(MZ_PREMISE_PROCESS);
    return 1;
}

MZ__HOOK(pid_t, __wrap_gettid, void)
{
    mz__tells_apart(mz__w.current, "gettid");
    mz__ask(MZ_PREMISE_PROCESS);
    return MZ__PROCESS + (pid_t)mz__me();
}

/* The user and the group: nobody in particular. */
#define NUMBERED(name)                                                                                       \
    MZ__HOOK(unsigned, __wrap_##name, void)                                                                  \
    {                                                                                                        \
        mz__ask(MZ_PREMISE_USER);                                                                            \
        return MZ__PROCESS;                                                                                  \
    }

NUMBERED(getuid)
NUMBERED(geteuid)
NUMBERED(getgid)
NUMBERED(getegid)

/* There is the "C" locale, and the one that the surroundings ask for is that, too. */
MZ__HOOK(char *, __wrap_setlocale, int category, const char *name)
{
    if (name)
        mz__string_length(name);
    if (name && !*name)
        mz__ask_about(MZ_PREMISE_LOCALE, "-", 0);
    bool known = !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
    if (!known)
        mz__ask_about(MZ_PREMISE_LOCALE, name, 0);
    return known ? setlocale(category, NULL) : NULL;
}

/* What a program has used of the machine is not counted. */
MZ__HOOK(int, __wrap_getrusage, int who, struct rusage *usage)
{
    static const struct rusage nothing;
    (void)who;
    mz__ask(MZ_PREMISE_CLOCK);
    mz__write_memory(usage, &nothing, sizeof nothing);
    return 0;
}

MZ__HOOK(int, __wrap_get_nprocs, void)
{
    mz__ask(MZ_PREMISE_PROCESSORS);
    return MZ__PROCESSORS;
}

MZ__HOOK(int, __wrap_get_nprocs_conf, void)
{
    mz__ask(MZ_PREMISE_PROCESSORS);
    return MZ__PROCESSORS;
}

/* The system's own answer, which may be another one elsewhere. */
static void ask_limit(int name)
{
    char words[32];
    snprintf(words, sizeof words, "sysconf %d", name);
    mz__ask_about(MZ_PREMISE_SYSTEM, words, (uint64_t)sysconf(name));
}

MZ__HOOK(long, __wrap_sysconf, int name)
{
    bool asks = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
    if (asks)
        mz__ask(MZ_PREMISE_PROCESSORS);
    else
        ask_limit(name);
    return asks ? MZ__PROCESSORS : sysconf(name);
}

MZ__HOOK(int, __wrap_gethostname, char *name, size_t room)
{
    static const char host[] = MZ__HOST;
    mz__ask(MZ_PREMISE_HOST);
    mz__write_memory(name, host, sizeof host < room ? sizeof host : room);
    return 0;
}

MZ__HOOK(int, __wrap_sched_getcpu, void)
{
    mz__ask(MZ_PREMISE_PLACEMENT);
    return 0;
}
