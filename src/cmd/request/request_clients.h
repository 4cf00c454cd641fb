/* What `mazurka clients` is asked for in addition to what check is. */
#ifndef MZ_CMD_REQUEST_REQUEST_CLIENTS_H
#define MZ_CMD_REQUEST_REQUEST_CLIENTS_H

#include "base/options.h"
#include "client/description.h"

typedef struct mz_client_request {
    mz_description description;
    const char *setup, *finally, *output, *criterion, *header, *specification;
    mz_text setups, finals; /* of a file */
    mz_words relaxed, blocking;
    uint64_t first, most_calls, out_of_order;
    const char *lcov;
    bool list, coverage, progress;
} mz_client_request;

/* `// mazurka: op: push(q, {1,2})` in a source: a line of a description. */
void mz_request_read_annotations(mz_client_request *request, const char *file, mz_error *error);
void mz_request_offer_clients(mz_client_request *request, mz_command_line *line);

#endif
