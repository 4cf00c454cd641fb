/* --spec: another program that says what calls return one after the other. It is built and run in a process
 * of its own, since a process can hold one program only. */
#ifndef MZ_SESSION_CLIENTS_SPECIFICATION_H
#define MZ_SESSION_CLIENTS_SPECIFICATION_H

#include "client/sequential.h"
#include "session/settings/settings.h"

typedef struct mz_specification mz_specification;

/* To be called before this process loads a program. So many processes are to ask it at the same time, each a
 * copy of its own. NULL and *error set if it cannot be built; what the compiler says has been printed. */
mz_specification *mz_specification_begin(const mz_settings *settings, uint32_t askers, mz_error *error);
/* From now on this process is that one of the askers, from 0; at first it is 0. */
void mz_specification_ask_as(mz_specification *specification, uint32_t asker);
void mz_specification_end(mz_specification *specification);
/* The context is the specification. */
mz_run_alone mz_specification_ask;

#endif
