#ifndef MZ_PROGRAM_RUNTIME_LOAD_H
#define MZ_PROGRAM_RUNTIME_LOAD_H

#include "base/error.h"
#include "program/runtime/program.h"
#include "program/runtime/world.h"

/* Load the program into this process and get ready to run it. */
bool mz__load(const mz_native_options *options, mz_error *error);

/* The program calls these functions of its libraries past the checker: a name per line (unseen.c). */
void mz__note_unseen(const char *names);

#endif
