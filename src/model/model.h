/* dlang models: from a file to a machine. */
#ifndef MZ_MODEL_MODEL_H
#define MZ_MODEL_MODEL_H

#include "base/error.h"
#include "machine/machine.h"
#include "model/parser.h"

typedef struct mz_model mz_model;

/* NULL and *error set if the file cannot be read or is not a program. */
mz_model *mz_model_load(const char *path, mz_definition *definitions, size_t definition_count,
                        mz_error *error);
mz_model *mz_model_parse(const char *name, const char *source, size_t length, mz_definition *definitions,
                         size_t definition_count, mz_error *error);
void mz_model_destroy(mz_model *model);

/* The names of its parameters, separated by commas. */
void mz_model_parameters(const mz_model *model, mz_text *out);

/* Lines for a person to read before the check; "" if there are none. */
const char *mz_model_warnings(const mz_model *model);

/* A machine that runs the model, with store buffers for MZ_MEMORY_TSO; the model must outlive it. */
mz_machine *mz_model_machine(mz_model *model, mz_memory memory);
/* Processes and, for MZ_MEMORY_TSO, store buffers. */
uint32_t mz_model_threads(const mz_model *model, mz_memory memory);

#endif
