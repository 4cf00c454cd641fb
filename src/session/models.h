/* The models that a command line names. */
#ifndef MZ_SESSION_MODELS_H
#define MZ_SESSION_MODELS_H

#include "model/model.h"
#include "session/settings/settings.h"

/* All of them, before any long work; *error set if one is wrong, or a definition (-D) is for none of them. To
 * be released in either case. */
mz_model **mz_models_load(const mz_settings *settings, mz_error *error);
void mz_models_release(mz_model **models, size_t count);

#endif
