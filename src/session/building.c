/* From the settings to a compiled program. */
#include "base/memory.h"
#include "session/process/wide.h"
#include "session/program.h"

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
                                  .coverage = s->coverage,
                                  .run = s->run,
                                  .until = s->build_until};
    mz_words entries = {0};
    if (s->entries.count > 0 || s->operations.count > 0) {
        const char *setup = s->operations.count > 0 ? ";" : "";
        mz_words_add(&entries, s->entry_setup ? s->entry_setup : setup);
        mz_words_add(&entries, s->entry_finally ? s->entry_finally : "");
    }
    for (size_t i = 0; i < s->entries.count; i++)
        mz_words_add(&entries, s->entries.items[i]);
    for (uint32_t i = 0; s->operations.count > 0 && i < s->client_threads; i++)
        mz_words_add(&entries, "thread of clients");
    options.operations = mz_words_list(&s->operations);
    options.operation_count = s->operations.count;
    options.entries = mz_words_list(&entries);
    options.entry_count = entries.count;
    bool built = mz_compile_program(&options, s->files, s->file_count, compiled, error);
    mz_words_release(&entries);
    mz_release(include);
    mz_wide_leaves(built ? compiled : NULL);
    return built;
}
