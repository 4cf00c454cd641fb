/* Work that must leave no traces in this process is done by a child of it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/story/story_internal.h"

static void write_all(int to, const mz_bytes *bytes)
{
    for (size_t at = 0; at < bytes->length;) {
        ssize_t done = write(to, bytes->data + at, bytes->length - at);
        if (done < 0 && errno != EINTR)
            return;
        at += done > 0 ? (size_t)done : 0;
    }
}

/* True if everything has come. */
static bool read_all(int from, double deadline, mz_bytes *out)
{
    for (;;) {
        struct pollfd look = {.fd = from, .events = POLLIN};
        char buffer[4096];
        double left = deadline - mz_seconds_now();
        if (left <= 0 || (poll(&look, 1, (int)(left * 1000) + 1) <= 0 && errno != EINTR))
            return false;
        if (!(look.revents & (POLLIN | POLLHUP)))
            continue;
        ssize_t got = read(from, buffer, sizeof buffer);
        if (got == 0)
            return true;
        if (got > 0)
            mz_bytes_add(out, buffer, (size_t)got);
        else if (errno != EINTR)
            return false;
    }
}

bool mz__apart(mz__story_work *work, mz_problem *problem, mz_machine *machine, double seconds, mz_bytes *out)
{
    int ends[2];
    if (seconds <= 0 || pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        mz_bytes found = {0};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        work(problem, machine, &found);
        mz_bytes_seal(&found, 0); /* cut short, it is nothing */
        write_all(ends[1], &found);
        _exit(0);
    }
    close(ends[1]);
    bool complete = child > 0 && read_all(ends[0], mz_seconds_now() + seconds, out);
    close(ends[0]);
    if (child > 0) {
        if (!complete)
            kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    enum { SEAL = 8 };
    if (!complete || out->length < SEAL)
        return false;
    mz_byte_reader reader = {.data = out->data, .length = out->length, .at = out->length - SEAL};
    mz_read_seal(&reader, 0);
    out->length -= SEAL;
    return !reader.failed;
}
