#define _GNU_SOURCE /* setenv */
#include "session/ranks/launch.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "mpi/relay.h"
#include "report/verdict.h"
#include "session/process/channels.h"
#include "session/process/supervisor.h"

/* Of the variables that Open MPI sets, or another MPI. */
static long number_of(const char *open_mpi, const char *others)
{
    const char *text = getenv(open_mpi) ? getenv(open_mpi) : getenv(others);
    return text ? strtol(text, NULL, 10) : -1;
}

/* It lies beside this program, or where it is installed. */
static mz_mpi_relay *load_relay(mz_text *why)
{
    static const char *const places[] = {"", "../libexec/mazurka/"};
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        mz_text path = {0};
        mz_text_add(&path, "%.*s%s%s", (int)(slash - self + 1), self, places[i], MZ_MPI_LIBRARY);
        bool is_there = access(mz_text_string(&path), R_OK) == 0;
        void *library = is_there ? dlopen(mz_text_string(&path), RTLD_NOW | RTLD_GLOBAL) : NULL;
        mz_text_release(&path);
        if (library)
            return (mz_mpi_relay *)(uintptr_t)dlsym(library, MZ_MPI_RELAY);
        if (is_there)
            mz_text_add(why, "%s", dlerror());
    }
    return NULL;
}

/* One of the ranks says it. */
static _Noreturn void refuse(long rank, const char *message, const char *hint)
{
    if (rank <= 0)
        fprintf(stderr, "mazurka: error: %s\n  hint: %s\n", message, hint);
    exit(rank <= 0 ? MZ_EXIT_USAGE : 0);
}

static mz_mpi_relay *relay_for(int argc, char **argv, long rank)
{
    mz_text why = {0};
    bool is_search = argc > 1 && (strcmp(argv[1], "check") == 0 || strcmp(argv[1], "resume") == 0);
    if (!is_search)
        refuse(rank, "mpirun has started several processes, and this command is for one",
               "mazurka check and mazurka resume search on many machines");
    mz_mpi_relay *relay = load_relay(&why);
    if (relay)
        return relay;
    if (why.length > 0)
        refuse(rank, "the part of Mazurka that knows MPI cannot be loaded", mz_text_string(&why));
    refuse(rank, "this Mazurka was built without MPI, and mpirun has started several processes",
           "build it again with Open MPI (Debian: libopenmpi-dev), or deal the search out as files: "
           "mazurka split");
}

static int exit_code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : MZ_EXIT_INTERNAL;
}

void mz_ranks_begin(int argc, char **argv, mz_rank_explore *explore)
{
    if (mz_ranks_take_over())
        return;
    long size = number_of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"),
         rank = number_of("OMPI_COMM_WORLD_RANK", "PMI_RANK");
    if (size < 2)
        return;
    mz_mpi_relay *relay = relay_for(argc, argv, rank);
    mz_without_randomisation(argv); /* this process is to stay the one that mpirun knows */
    size_t count = rank == 0 ? (size_t)size - 1 : 1;
    int *ours = mz_allocate(count * sizeof *ours);
    for (size_t i = 0; i < count; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
            refuse(0, "there can be no more sockets", "ulimit -n");
        ours[i] = ends[0];
        mz_ranks_add(ends[1]);
    }
    const int *theirs;
    mz_ranks(&theirs);
    /* Before MPI has begun: there is nothing of it in the child. */
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        refuse(0, "there can be no more processes", "ulimit -u");
    for (size_t i = 0; i < count; i++)
        close(child == 0 ? ours[i] : theirs[i]);
    if (child > 0)
        exit(exit_code_of(relay(ours, (int)count, child)));
    mz_release(ours);
    prctl(PR_SET_PDEATHSIG, rank == 0 ? SIGTERM : SIGKILL);
    if (getppid() != parent)
        _exit(MZ_EXIT_INTERNAL);
    if (rank > 0)
        mz_agent_serve(theirs[0], explore);
}
