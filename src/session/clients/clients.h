/* Clients of a library, one after the other, with a program that is loaded once. */
#ifndef MZ_SESSION_CLIENTS_CLIENTS_H
#define MZ_SESSION_CLIENTS_CLIENTS_H

#include "client/words.h"
#include "session/clients/alone.h"
#include "session/clients/specification.h"
#include "session/program.h"

enum { MZ_CLIENT_ASSUMPTIONS = 4 };

typedef struct mz_client_plan {
    mz_description *description;
    mz_clients clients;
    size_t first;                    /* the first one that is to be checked */
    mz_specification *specification; /* NULL: the library itself is */
    /* While they are checked. */
    const mz_settings *settings;
    mz_machine *machine;
    bool is_set_up;   /* that was tried */
    mz_client client; /* at hand */
    mz_alone alone;
    mz_sequential sequential;
    mz_explaining explaining;
    mz_hash_set explained;
    const char *excused[MZ_MOST_OPERATIONS];
    bool optional[MZ_MOST_OPERATIONS];
    mz_judge judge;
    mz_text calls_json;
    mz_text picture; /* of the history that was found to be wrong last */
    mz_history wrong;
    bool in_any_order;                              /* as in mz_timing, of that one */
    const char *assumptions[MZ_CLIENT_ASSUMPTIONS]; /* at the end */
    size_t assumption_count;
} mz_client_plan;

/* Before the program is loaded: asks for the specification, if there is one, which so many processes are to
 * ask at the same time. False and *error set: it is none. */
bool mz_clients_specify(mz_client_plan *plan, const mz_settings *settings, uint32_t askers, mz_error *error);
/* Before the first one. */
void mz_clients_begin(mz_client_plan *plan, const mz_settings *settings, mz_machine *machine);
/* The machine is to run this client from now on. How its calls behave alone is found out first; if that is an
 * error, plan->client becomes the sequence that shows it. *error set: there is nothing to check. */
void mz_clients_take(mz_client_plan *plan, const mz_client *client, mz_error *error);
/* Only how its calls behave alone, into this tree. */
void mz_clients_learn(const mz_client_plan *plan, const mz_client *client, mz_sequential *sequential,
                      mz_error *error);
/* What a verdict about all of them rests on: plan->assumptions. `sequential`: what their calls do alone. */
void mz_clients_assume(mz_client_plan *plan, const mz_sequential *sequential);
#endif
