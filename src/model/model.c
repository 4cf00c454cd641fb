#include "model/model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/vm.h"

enum { MAX_FILE_BYTES = 16 << 20 };

struct mz_model {
    mz_program *program;
    mz_code *code;
};

/* NULL and *error set if it cannot be read. */
static char *read_file(const char *path, size_t *length, mz_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        mz_error_set(error, (mz_position){.file = path}, "cannot open: %s", strerror(errno));
        return NULL;
    }
    char *bytes = NULL;
    size_t capacity = 0, got;
    *length = 0;
    do {
        bytes = mz_grow(bytes, &capacity, *length + 65536, 1);
        got = fread(bytes + *length, 1, 65536, file);
        *length += got;
    } while (got > 0 && *length <= MAX_FILE_BYTES);
    if (ferror(file))
        mz_error_set(error, (mz_position){.file = path}, "cannot read: %s", strerror(errno));
    else if (*length > MAX_FILE_BYTES)
        mz_error_set(error, (mz_position){.file = path}, "larger than %d MiB: not a model",
                     MAX_FILE_BYTES >> 20);
    fclose(file);
    if (error->set) {
        mz_release(bytes);
        return NULL;
    }
    return bytes;
}

mz_model *mz_model_parse(const char *name, const char *source, size_t length, mz_definition *definitions,
                         size_t definition_count, mz_error *error)
{
    mz_program *program = mz_parse(name, source, length, definitions, definition_count, error);
    if (!program)
        return NULL;
    mz_model *model = mz_allocate_zeroed(1, sizeof *model);
    model->program = program;
    model->code = mz_compile(program);
    return model;
}

mz_model *mz_model_load(const char *path, mz_definition *definitions, size_t definition_count,
                        mz_error *error)
{
    size_t length;
    char *source = read_file(path, &length, error);
    if (!source)
        return NULL;
    mz_model *model = mz_model_parse(path, source, length, definitions, definition_count, error);
    mz_release(source);
    return model;
}

void mz_model_destroy(mz_model *model)
{
    if (!model)
        return;
    mz_code_destroy(model->code);
    mz_program_destroy(model->program);
    mz_release(model);
}

void mz_model_parameters(const mz_model *model, mz_text *out)
{
    for (size_t i = 0; i < model->program->parameter_count; i++)
        mz_text_add(out, "%s%s", i ? ", " : "", model->program->parameters[i].name);
}

const char *mz_model_warnings(const mz_model *model)
{
    return mz_text_string(&model->program->warnings);
}

mz_machine *mz_model_machine(const mz_model *model)
{
    return mz_vm_create(model->program, model->code);
}
