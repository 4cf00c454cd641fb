#define _GNU_SOURCE /* realpath */
#include "cmd/manual/examples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Relative to the directory of the executable: installed, built. */
static const char *const roots[] = {"../share/doc/mazurka", ".."};

static const char probe[] = "examples/bank.c";

/* NAME below the first root that has it; false: none has. */
static bool find(const char *name, char path[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
    bool found = false;
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && !found && i < sizeof roots / sizeof *roots; i++) {
        mz_text candidate = {0};
        mz_text_add(&candidate, "%s/%s/%s", self, roots[i], name);
        found = realpath(mz_text_string(&candidate), path) != NULL;
        mz_text_release(&candidate);
    }
    return found;
}

static void add_file(const char *name, mz_text *out)
{
    char path[PATH_MAX];
    bool elsewhere = access(name, R_OK) != 0 && find(name, path);
    mz_text_add(out, "%s", elsewhere ? path : name);
}

void mz_enter_examples(void)
{
    char path[PATH_MAX];
    if (!find(probe, path))
        return;
    path[strlen(path) - strlen(probe)] = '\0';
    if (chdir(path) != 0)
        return; /* the names are longer then, but right */
}

void mz_add_with_examples(const char *text, mz_text *out)
{
    for (const char *at; (at = strchr(text, '@')); text = at) {
        mz_text name = {0};
        mz_text_add_bytes(out, text, (size_t)(at - text));
        at++;
        size_t length = strcspn(at, " \n'\"");
        mz_text_add_bytes(&name, at, length);
        add_file(mz_text_string(&name), out);
        mz_text_release(&name);
        at += length;
    }
    mz_text_add(out, "%s", text);
}
