/* A real program for a session: built here, loaded in a worker. */
#ifndef MZ_SESSION_PROGRAM_H
#define MZ_SESSION_PROGRAM_H

#include "session/process/supervisor.h"
#include "session/settings/settings.h"

/* To be released with mz_compiled_release. */
bool mz_native_build(const mz_settings *settings, mz_compiled *compiled, mz_error *error);

/* In a worker; NULL and the message set if it cannot be loaded. */
mz_machine *mz_native_load(const mz_settings *settings, const mz_compiled *compiled, mz_shared *shared);
/* What a counterexample file has to say about the program. */
void mz_share_ground(const mz_machine *machine, mz_shared *shared);
/* Of which files the program was compiled. */
void mz_share_sources(const mz_machine *machine, mz_shared *shared);

#endif
