/* How the system is come to: standard input, which is read as a whole (of a pipe, a copy is kept:
 * libc_store.c says why), and paths from its root. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/describe/failures.h"
#include "program/libc/libc_files.h"
#include "program/program.h"
#include "program/world/world.h"

int mz_native_input = -1;

/* The rest of it goes to the end of the copy, which is a file. */
static int copy_pipe(void)
{
    enum { AT_ONCE = 1 << 16, MOST_MIB = 256 };
    static char buffer[AT_ONCE];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || lseek(mz_native_input, 0, SEEK_END) < 0 ||
            write(mz_native_input, buffer, (size_t)got) != got)
            return mz_native_input;
        total += (size_t)got;
        if (total > (size_t)MOST_MIB << 20)
            mz__give_up(mz__caller.pc, "standard input is longer than %d MiB", MOST_MIB);
    }
}

int mz__standard_input_file(void)
{
    struct stat what;
    mz__w.input_is_terminal = isatty(STDIN_FILENO);
    bool is_pipe = fstat(STDIN_FILENO, &what) == 0 && (S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode));
    return is_pipe && mz_native_input >= 0 ? copy_pipe() : STDIN_FILENO;
}

void mz__path_from_root(const char *path, char *to, size_t room)
{
    static char here[4096];
    if (!here[0] && !getcwd(here, sizeof here))
        strcpy(here, "/");
    char whole[8192];
    snprintf(whole, sizeof whole, "%s/%s", *path == '/' ? "" : here, path);
    size_t length = 0;
    for (const char *at = whole; *at;) {
        at += strspn(at, "/");
        size_t part = strcspn(at, "/");
        if (part == 2 && strncmp(at, "..", 2) == 0)
            while (length > 0 && to[--length] != '/')
                ;
        else if (part > 0 && !(part == 1 && *at == '.') && length + part + 2 < room)
            length += (size_t)snprintf(to + length, room - length, "/%.*s", (int)part, at);
        at += part;
    }
    snprintf(to + length, room - length, "%s", length ? "" : "/");
}
