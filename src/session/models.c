#include "session/models.h"

#include "base/memory.h"
#include "session/process/wide.h"

/* A definition that no model has a parameter for is a typing mistake. */
static void check_definitions(const mz_settings *s, mz_model *const *models, mz_error *error)
{
    for (size_t i = 0; i < s->definition_count && !error->set; i++) {
        if (s->definitions[i].used)
            continue;
        const char *name = s->definitions[i].name;
        mz_error_set(error, (mz_position){.file = s->files[0]}, "option -D%s: there is no parameter '%s'",
                     name, name);
        mz_text names = {0};
        mz_model_parameters(models[0], &names);
        if (names.length > 0)
            mz_error_set_hint(error, "its parameters are: %s", mz_text_string(&names));
        else
            mz_error_set_hint(error, "it has none; one is declared before the header: param %s = 3", name);
        mz_text_release(&names);
    }
}

mz_model **mz_models_load(const mz_settings *s, mz_error *error)
{
    mz_model **models = mz_allocate_zeroed(s->file_count, sizeof *models);
    for (size_t i = 0; i < s->file_count && !error->set; i++)
        models[i] = mz_model_load(s->files[i], s->definitions, s->definition_count, error);
    for (size_t i = 0; i < s->file_count && !error->set; i++)
        if (mz_model_threads(models[i], s->search.memory) > MZ_MAX_THREADS) {
            mz_error_set(error, (mz_position){.file = s->files[i]},
                         "more than %d processes: under TSO each has a store buffer", MZ_MAX_THREADS / 2);
            error->too_many_threads = true;
        }
    if (error->too_many_threads)
        mz_go_wide();
    if (!error->set)
        check_definitions(s, models, error);
    return models;
}

void mz_models_release(mz_model **models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mz_model_destroy(models[i]);
    mz_release(models);
}
