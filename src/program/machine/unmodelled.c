/* Functions that the program calls past the checker, because the user has allowed it (--allow). Nothing of
 * what they do is seen or taken back: the verdict names them, and where they come from. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "program/machine/load.h"
#include "program/world/world.h"

static void end_copy(void)
{
    _exit(0);
}

/* A process that the program has forked runs on up to its next operation. It must not explore: the report is
 * shared memory, and ours. */
static void make_copy_end(void)
{
    static char stack[1 << 14];
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* if it hangs, not for longer than we are there */
    mz__scheduler_sp = mz__landing(stack + sizeof stack, end_copy);
}

static void add_library(const char *name, mz_text *out)
{
    Dl_info info;
    void *function = dlsym(mz__w.library, name);
    if (!function || !dladdr(function, &info) || !info.dli_fname)
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    mz_text_add(out, " (%s)", slash ? slash + 1 : info.dli_fname);
}

void mz__note_allowed(const char *names)
{
    mz_text *line = &mz__w.allowed_calls;
    for (; names && *names; names += strcspn(names, "\n") + 1) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(names, "\n"), names);
        mz_text_add(line, "%s%s",
                    line->length > 0 ? ", "
                                     : "what these functions do (--allow) is neither seen nor taken back: ",
                    name);
        add_library(name, line);
    }
    if (line->length > 0)
        pthread_atfork(NULL, NULL, make_copy_end);
}
