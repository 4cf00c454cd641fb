/* Peers among the threads of a program (machine/symmetry.h): those that say mz_symmetric(). */
#ifndef MZ_PROGRAM_PTHREAD_PEERS_H
#define MZ_PROGRAM_PTHREAD_PEERS_H

#include "program/world/world.h"

/* The thread has come to an operation; if it is its first one, has it a peer that goes first? */
void mz__look_for_peer(mz__thread *thread);

/* Must it wait for its peer? */
static inline bool mz__waits_for_peer(const mz__thread *t)
{
    return MZ_UNLIKELY(t->events == 0) && t->cold.peer != 0 && mz__w.threads[t->cold.peer - 1].events == 0;
}

/* The thread is about to go on after it has joined others, or to end. */
void mz__look_at_joins(const mz__thread *thread);
/* Something asks which of the threads it is: gives up if it is one that has called itself symmetric. */
void mz__tells_apart(const mz__thread *thread, const char *verb);

#endif
