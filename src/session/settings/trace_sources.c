/* Counterexample files: what the program was made of, and where. */
#include "session/settings/trace_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"

void mz_trace_enter(const mz_trace *trace)
{
    const char *first = trace->settings.files[0];
    char there[PATH_MAX];
    if (!trace->directory || first[0] == '/' || access(first, R_OK) == 0)
        return;
    int length = snprintf(there, sizeof there, "%s/%s", trace->directory, first);
    if (length > 0 && (size_t)length < sizeof there && access(there, R_OK) == 0 &&
        chdir(trace->directory) == 0)
        fprintf(stderr, "note: in %s, where the check ran\n", trace->directory);
}

void mz_trace_changed(const mz_trace *trace, mz_words *files)
{
    for (size_t i = 0; i < trace->sources.count; i++) {
        const char *then = trace->sources.items[i], *file = then + MZ_SHA256_DIGITS + 1;
        char now[MZ_SHA256_DIGITS + 1];
        mz_text bytes = {0};
        bool read = mz_file_read(file, MZ_FILE_ANY_SIZE - 1, &bytes);
        mz_sha256(mz_text_string(&bytes), bytes.length, now);
        if (read && strncmp(then, now, MZ_SHA256_DIGITS) != 0)
            mz_words_add(files, file);
        mz_text_release(&bytes);
    }
}
