/* A program with more threads than sets have room for is checked by mazurka-wide, which is the same but for
 * its sets: it is started in our place, with our arguments, as soon as such a program has shown itself.
 * Nothing has been printed by then (of a project: what was, is not printed again), and what was found out is
 * found out again. Only the time goes on: when it all began is handed over in a variable, which nobody else
 * is to see. */
#define _GNU_SOURCE /* setenv */
#include "session/process/wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/threads.h"
#include "search/limits.h"
#include "session/process/channels.h"

static char **arguments;
static mz_compiled *left_behind;
static double begun; /* 0: nobody has asked */
static size_t told, told_before;

static const char begun_name[] = "MAZURKA_WIDE_BEGUN", told_name[] = "MAZURKA_WIDE_TOLD";

static double handed_over(void)
{
    const char *text = getenv(begun_name);
    return text ? strtod(text, NULL) : 0;
}

void mz_wide_arguments(char **argv)
{
    arguments = argv;
    if (MZ_MAX_THREADS < MZ_WIDE_THREADS)
        return;
    const char *number = getenv(told_name);
    begun = handed_over();
    told_before = number ? strtoul(number, NULL, 10) : 0;
    unsetenv(begun_name);
    unsetenv(told_name);
}

void mz_wide_begin_again(void)
{
    begun = 0;
}

void mz_wide_has_told(size_t checks)
{
    told = checks;
}

size_t mz_wide_told_before(void)
{
    return told_before;
}

void mz_wide_leaves(mz_compiled *compiled)
{
    left_behind = compiled;
}

double mz_wide_begun(void)
{
    double now = mz_seconds_now();
    if (!(begun > 0 && begun <= now))
        begun = now;
    return begun;
}

static void hand_over(void)
{
    char text[64];
    snprintf(text, sizeof text, "%.6f", begun);
    setenv(begun_name, text, true);
    snprintf(text, sizeof text, "%zu", told);
    setenv(told_name, text, true);
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
        hand_over();
        mz_ranks_hand_over();
        execv(mz_text_string(&path), arguments);
    }
    mz_text_release(&path);
}
