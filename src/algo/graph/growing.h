/* A graph that grows by one operation after the other, whoever says who is next: an execution, drawn at
 * random, of a program with weak memory. */
#ifndef MZ_ALGO_GRAPH_GROWING_H
#define MZ_ALGO_GRAPH_GROWING_H

#include "base/hash.h"
#include "search/search.h"

typedef struct mz__growing mz__growing;

/* Less than `below`, which is not 0. */
typedef uint64_t mz__draw_number(void *context, uint64_t below);

mz__growing *mz__growing_create(mz_search *search);
void mz__growing_release(mz__growing *growing);
/* Nothing has been done yet. */
void mz__growing_begin(mz__growing *growing);
/* The thread is next: where it reads from, or where it writes in mo, is drawn among all that the memory model
 * allows, and prescribed. False if that cannot be said: the search stops. */
bool mz__growing_add(mz__growing *growing, uint32_t thread, mz__draw_number *draw, void *context);
/* Has the last step been the end of a round of a loop that waits, and can others go on? Then it is as if it
 * had not been made; the machine is to go back by it. */
bool mz__growing_take_back(mz__growing *growing, const mz_status *status);
/* Without those that would wait in vain, if there are others. */
mz_threads mz__growing_worth(mz__growing *growing, mz_threads ready);
/* Of the graph and what the program chose, whatever the order of the steps was. */
mz_hash mz__growing_identity(const mz__growing *growing);

#endif
