/* What is saved of a run of clients (--checkpoint): which batches are done, and what came of them. A client
 * that is under way is begun again. */
#ifndef MZ_SESSION_CLIENTS_SAVED_H
#define MZ_SESSION_CLIENTS_SAVED_H

#include "session/clients/batch.h"

void mz_batches_write(const mz_batch *batches, size_t count, const mz_client_host *host, mz_bytes *out);
/* False and *error set if it was not saved of these clients. */
bool mz_batches_read(mz_batch *batches, size_t count, mz_client_host *host, const mz_bytes *saved,
                     const char *path, mz_error *error);

#endif
