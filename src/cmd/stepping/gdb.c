/* gdb runs the replay itself, which tells it before each step where the threads are (session/replay.h,
 * gdb.py). */
#include "cmd/stepping/gdb.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "report/assets.h"
#include "report/verdict.h"
#include "session/process/supervisor.h"

static bool write_script(char *path, mz_error *error)
{
    const char *text = mz_asset_text("gdb.py");
    int file = mkstemps(path, (int)strlen(".py"));
    bool written = file >= 0 && close(file) == 0 && mz_file_write(path, text, strlen(text));
    if (!written)
        mz_error_set(error, (mz_position){0}, "%s cannot be written: %s", path, strerror(errno));
    return written;
}

static void become_gdb(char *script, const char *file, const char *step)
{
    char self[PATH_MAX] = {0};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        _exit(MZ_EXIT_INTERNAL);
    setenv(MZ_DEBUG_VARIABLE, "1", 1);
    if (step)
        setenv(MZ_DEBUG_VARIABLE "_STEP", step, 1);
    execlp("gdb", "gdb", "-q", "-nx", "-x", script, "--args", self, "replay", file, (char *)NULL);
    _exit(MZ_EXIT_USAGE);
}

int mz_gdb_run(const char *file, const char *step, mz_error *error)
{
    char script[] = "/tmp/mazurka-gdb-XXXXXX.py";
    int status = 0;
#if !defined(__x86_64__)
    mz_error_set(error, (mz_position){0}, "option --gdb is for x86-64 only");
    return MZ_EXIT_USAGE;
#endif
    if (system("gdb --version > /dev/null 2>&1") != 0) {
        mz_error_set(error, (mz_position){0}, "option --gdb: gdb does not start");
        mz_error_set_hint(error, "apt-get install gdb; or look at the steps with --step");
        return MZ_EXIT_USAGE;
    }
    if (!write_script(script, error))
        return MZ_EXIT_USAGE;
    pid_t child = fork();
    if (child == 0)
        become_gdb(script, file, step);
    if (child > 0)
        waitpid(child, &status, 0);
    unlink(script);
    return WIFEXITED(status) ? WEXITSTATUS(status) : MZ_EXIT_INTERNAL;
}
