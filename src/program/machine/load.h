#ifndef MZ_PROGRAM_MACHINE_LOAD_H
#define MZ_PROGRAM_MACHINE_LOAD_H

#include "base/error.h"
#include "program/program.h"
#include "program/world/world.h"

/* Load the program into this process and get ready to run it. */
bool mz__load(const mz_native_options *options, mz_error *error);

/* The calls of hooks that it lists (sites.c). */
void mz__find_sites(void);

/* The program calls these functions of its libraries past the checker: a name per line (unmodelled.c). */
void mz__note_allowed(const char *names);

#endif
