/* From the settings to a compiled program, or to the report that there was no time for that. */
#include "base/memory.h"
#include "cmd/command.h"
#include "session/worker.h"
#include "session/result.h"
#include "session/wide.h"

bool mz_native_build(const mz_settings *s, mz_compiled *compiled, mz_error *error)
{
    char *include = mz_include_directory();
    mz_compile_options options = {.compiler = s->compiler,
                                  .flags = mz_words_list(&s->compile_flags),
                                  .flag_count = s->compile_flags.count,
                                  .link_flags = mz_words_list(&s->link_flags),
                                  .link_flag_count = s->link_flags.count,
                                  .include_directory = include,
                                  .allowed = mz_words_list(&s->allowed),
                                  .allowed_count = s->allowed.count,
                                  .run = s->run,
                                  .until = s->build_until};
    mz_words entries = {0};
    if (s->entries.count > 0) {
        mz_words_add(&entries, s->entry_setup ? s->entry_setup : "");
        mz_words_add(&entries, s->entry_finally ? s->entry_finally : "");
    }
    for (size_t i = 0; i < s->entries.count; i++)
        mz_words_add(&entries, s->entries.items[i]);
    options.entries = mz_words_list(&entries);
    options.entry_count = entries.count;
    bool built = mz_compile_program(&options, s->files, s->file_count, compiled, error);
    mz_words_release(&entries);
    mz_release(include);
    mz_wide_leaves(built ? compiled : NULL);
    return built;
}

/* The same for all algorithms: none of them has begun. */
int mz_report_late_build(const mz_settings *s, double seconds, mz_error *error)
{
    mz_report *reports = mz_allocate_zeroed(s->algorithm_count, sizeof *reports);
    size_t count_count;
    const mz_report_count *counts = mz_no_counts(&count_count);
    for (size_t a = 0; a < s->algorithm_count; a++)
        reports[a] = (mz_report){.version = MZ_VERSION,
                                 .program = s->files[0],
                                 .algorithm = s->algorithms[a]->name,
                                 .equivalence_word = "traces",
                                 .thread_word = "thread",
                                 .verdict = "incomplete",
                                 .reason = mz_text_string(&error->message),
                                 .seconds = seconds,
                                 .counts = counts,
                                 .count_count = count_count,
                                 .checks = s->search.checks & MZ_NATIVE_FAILURES};
    int code = mz_print_reports(s, reports, s->algorithm_count);
    mz_release(reports);
    mz_error_release(error);
    *error = (mz_error){0};
    return code;
}
