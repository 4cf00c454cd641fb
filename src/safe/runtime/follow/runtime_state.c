/* What all parts of the runtime look at: the calling thread, all threads, the plan; and the environment. */
#include "safe/runtime/follow/runtime_plan.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local mz__self_record mz__self __attribute__((tls_model("initial-exec"))) = {
    .next = MZ__NEVER, .number = MZ__UNKNOWN, .most = MZ__NEVER};
mz__participant mz__participants[MZ_PLAN_MOST_THREADS];
const mz_symbolic_image *mz__symbolic;
bool mz__iterates;
bool mz__counts_accesses, mz__needs_fences;

uint32_t mz__thread_id(void)
{
    if (mz__self.thread_id == 0)
        mz__self.thread_id = (uint32_t)syscall(SYS_gettid);
    return mz__self.thread_id;
}

/* ---- the environment that the program was started with ----------------------------------------------------
 *
 * getenv() and unsetenv() may be the program's own, or those that are compiled into it
 * (program/libc/linked/): they would count, and know of no variable before their constructors have run. */

static char **surroundings;

void mz__note_environment(char **environment)
{
    surroundings = environment;
}

static char **find_variable(const char *name)
{
    size_t length = strlen(name);
    char **at = surroundings;
    while (at && *at && (strncmp(*at, name, length) != 0 || (*at)[length] != '='))
        at++;
    return at && *at ? at : NULL;
}

const char *mz__variable(const char *name)
{
    char **found = find_variable(name);
    return found ? *found + strlen(name) + 1 : NULL;
}

void mz__forget_variable(const char *name)
{
    for (char **at; (at = find_variable(name));)
        for (; *at; at++)
            at[0] = at[1];
}
