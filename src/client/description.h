/* What clients are made of: the operations of a library, with values for their parameters, and how many
 * threads make how many calls. All clients of these, each once up to renaming, the smallest first. */
#ifndef MZ_CLIENT_DESCRIPTION_H
#define MZ_CLIENT_DESCRIPTION_H

#include "base/error.h"
#include "base/words.h"
#include "machine/history.h"

enum { MZ_CLIENT_PARAMETERS = 4, MZ_MOST_OPERATIONS = 120 };

/* `push(q, {1,2})` is two operations, push(q, 1) and push(q, 2). The values of {1,2} may be exchanged for
 * each other, in all operations that have the same set: they are names. Those of {1|2} may not. */
typedef struct mz_client_operation {
    uint32_t given; /* by which text */
    uint32_t parameters;
    uint32_t sets[MZ_CLIENT_PARAMETERS], values[MZ_CLIENT_PARAMETERS]; /* UINT32_MAX: no such set */
} mz_client_operation;

typedef struct mz_client_set {
    char *text; /* "1,2" */
    uint32_t size;
} mz_client_set;

typedef struct mz_description {
    mz_words given; /* as they were written */
    mz_words texts; /* [operation]: C */
    mz_client_operation operations[MZ_MOST_OPERATIONS];
    uint32_t count;
    mz_client_set sets[MZ_CLIENT_PARAMETERS * 8];
    uint32_t set_count;
    uint32_t least_threads, most_threads, least_length, most_length;
    uint32_t most_calls; /* of a client, in all; 0: no limit */
} mz_description;

/* One --op. */
void mz_description_add(mz_description *description, const char *text, mz_error *error);
void mz_description_release(mz_description *description);

typedef struct mz_clients {
    mz_client *list;
    size_t count, capacity;
} mz_clients;

/* All of them; *error set if they are too many. */
void mz_clients_enumerate(const mz_description *description, mz_clients *out, mz_error *error);
void mz_clients_release(mz_clients *clients);

uint32_t mz_client_calls(const mz_client *client);
/* "0,2/1": what each thread calls. "": no client. Back: false if it is none. */
void mz_client_word(const mz_client *client, mz_text *out);
bool mz_client_of_word(const char *word, mz_client *client);

#endif
