/* What the world answers a program that is checked, from a file: lines of wire/world.h behind a first line
 * 'mazurka-environment 1'; '#' begins a comment. Or a recording (mazurka run --record): its lines 'world …'.
 */
#ifndef MZ_SESSION_SETTINGS_ENVIRONMENT_H
#define MZ_SESSION_SETTINGS_ENVIRONMENT_H

#include "base/error.h"
#include "base/words.h"

/* Adds them, each once; false and *error set if the file is none. */
bool mz_environment_read(mz_words *world, const char *file, mz_error *error);

#endif
