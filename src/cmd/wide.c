/* A program with more threads than sets have room for is checked by mazurka-wide, which is the same but for
 * its sets: it is started in our place, with our arguments, as soon as such a program has shown itself.
 * Nothing has been printed by then, and what was found out is found out again. */
#include "cmd/wide.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "core/threads.h"

static char **arguments;
static mz_compiled *left_behind;

void mz_wide_arguments(char **argv)
{
    arguments = argv;
}

void mz_wide_leaves(mz_compiled *compiled)
{
    left_behind = compiled;
}

/* Beside us, or where it is installed. */
static bool find(const char *where, mz_text *path)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    mz_text_clear(path);
    mz_text_add(path, "%.*s/%s", slash ? (int)(slash - self) : 0, self, where);
    return access(mz_text_string(path), X_OK) == 0;
}

void mz_go_wide(void)
{
    mz_text path = {0};
    if (MZ_MAX_THREADS == MZ_WIDE_THREADS || !arguments)
        return;
    if (find("mazurka-wide", &path) || find("../libexec/mazurka/mazurka-wide", &path)) {
        if (left_behind)
            mz_compiled_release(left_behind);
        execv(mz_text_string(&path), arguments);
    }
    mz_text_release(&path);
}
