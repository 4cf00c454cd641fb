/* All clients of a plan, in batches, by several processes. Which batch is explored when, and by how many, is
 * a matter of time; what is told is not: of clients that fail, the first one in the order of the list, and
 * counts of those before it and of itself. */
#ifndef MZ_SESSION_CLIENTS_CREW_H
#define MZ_SESSION_CLIENTS_CREW_H

#include "session/clients/batch.h"
#include "session/clients/saved.h"
#include "session/saving.h"

/* Leaves a report in the memory of the host: then true. False if the host's result is to be told, or if it
 * has refused. */
bool mz_crew_check(mz_client_host *host, mz_saving *saving);

#endif
