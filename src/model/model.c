#include "model/model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "model/vm.h"

enum { MOST_BYTES = 16 << 20 };

struct mz_model {
    mz_program *program;
    mz_code *code, *buffered; /* NULL: nobody has asked for it */
};

mz_model *mz_model_parse(const char *name, const char *source, size_t length, mz_definition *definitions,
                         size_t definition_count, mz_error *error)
{
    mz_program *program = mz_parse(name, source, length, definitions, definition_count, error);
    if (!program)
        return NULL;
    mz_model *model = mz_allocate_zeroed(1, sizeof *model);
    model->program = program;
    model->code = mz_compile(program, false);
    return model;
}

mz_model *mz_model_load(const char *path, mz_definition *definitions, size_t definition_count,
                        mz_error *error)
{
    mz_text source = {0};
    mz_model *model = NULL;
    if (mz_file_read_text(path, MOST_BYTES, "a model", &source, error))
        model = mz_model_parse(path, mz_text_string(&source), source.length, definitions, definition_count,
                               error);
    mz_text_release(&source);
    return model;
}

void mz_model_destroy(mz_model *model)
{
    if (!model)
        return;
    mz_code_destroy(model->code);
    mz_code_destroy(model->buffered);
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

uint32_t mz_model_threads(const mz_model *model, mz_memory memory)
{
    return model->program->process_count * (memory == MZ_MEMORY_TSO ? 2 : 1);
}

mz_machine *mz_model_machine(mz_model *model, mz_memory memory)
{
    if (memory != MZ_MEMORY_TSO)
        return mz_vm_create(model->program, model->code);
    if (!model->buffered)
        model->buffered = mz_compile(model->program, true);
    return mz_vm_create(model->program, model->buffered);
}
