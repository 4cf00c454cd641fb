/* What calls do one after the other: by running them. */
#ifndef MZ_SESSION_CLIENTS_ALONE_H
#define MZ_SESSION_CLIENTS_ALONE_H

#include "client/sequential.h"
#include "session/settings/settings.h"

typedef struct mz_alone {
    const mz_settings *settings;
    mz_machine *machine;
    bool may_spin[MZ_MOST_OPERATIONS];
    mz_client client; /* what was run last; if that has failed, the simplest client that does so */
} mz_alone;

void mz_alone_begin(mz_alone *alone, const mz_settings *settings, mz_machine *machine);
/* The context is what was begun. */
mz_run_alone mz_run_word;
/* Are results compared at all? */
bool mz_is_judged(const mz_settings *settings);
/* Does the operation call this function? */
bool mz_operation_calls(const char *operation, const char *function, size_t length);

#endif
