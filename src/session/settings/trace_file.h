/* Counterexample files: see wire/trace.h for the format. */
#ifndef MZ_SESSION_SETTINGS_TRACE_FILE_H
#define MZ_SESSION_SETTINGS_TRACE_FILE_H

#include "base/arena.h"
#include "report/report.h"
#include "session/settings/settings.h"

/* What else a native program needs to do the same again. */
typedef struct mz_trace_native {
    const char *threads, *shared; /* mz_native_thread_paths, mz_native_knowledge */
    const char *sources;          /* mz_native_sources; NULL: not known */
} mz_trace_native;

/* A file that was read. */
typedef struct mz_trace {
    mz_settings settings; /* as far as they matter */
    mz_text threads, shared;
    const char *directory; /* where the check ran; NULL: not known */
    mz_words sources;      /* "SHA256 FILE" */
    mz_problem problem;
    mz_arena strings; /* what settings and problem point to */
} mz_trace;

/* `native` is NULL for a model; `file` is the model's, or NULL for all files of the settings. */
void mz_trace_text(const mz_settings *settings, const char *file, const mz_trace_native *native,
                   const mz_report_error *error, mz_text *out);

/* False and *error set, with the position in the file, if it is not such a file. */
bool mz_trace_parse(mz_trace *trace, const char *name, const char *text, size_t length, mz_error *error);
/* To where its files are: here, or where the check ran. And those of the files that have changed since, as a
 * list. */
void mz_trace_enter(const mz_trace *trace);
void mz_trace_changed(const mz_trace *trace, mz_words *files);
bool mz_trace_load(mz_trace *trace, const char *path, mz_error *error);
void mz_trace_release(mz_trace *trace);

/* ---- of a check ------------------------------------------------------------------------------------------
 */

/* The files that one command has written, so that none is written twice. */
typedef struct mz_trace_files {
    mz_words written;
} mz_trace_files;

/* Writes one file per error and notes its name there; a warning if that fails. */
void mz_trace_write_all(mz_trace_files *files, const mz_settings *settings, const char *file,
                        const mz_trace_native *native, mz_report *report);
void mz_trace_files_release(mz_trace_files *files);

#endif
