/* Synchronisation objects. Their state lives where the program has put them, in the bytes of its
 * pthread_mutex_t, sem_t, …: so the static initialisers work, and the trail takes care of them. */
#ifndef MZ_NATIVE_SYNC_H
#define MZ_NATIVE_SYNC_H

#include "native/world.h"

/* Like glibc's in what the static initialisers set: all zero but the kind. */
typedef struct mz__mutex {
    int32_t destroyed;
    uint32_t count;
    int32_t owner; /* thread + 1 */
    uint32_t unused;
    int32_t kind; /* PTHREAD_MUTEX_… */
} mz__mutex;

typedef struct mz__rwlock {
    uint32_t writer; /* thread + 1 */
    uint32_t readers;
    uint64_t reading; /* which threads */
    uint32_t again;   /* some thread reads more than once: then they cannot be told apart */
} mz__rwlock;

typedef struct mz__barrier {
    uint32_t needed, arrived;
} mz__barrier;

/* Could the operation happen now? */
bool mz__guard_holds(const mz__pending *pending, const mz__thread *thread);

/* Would it write? */
bool mz__condition_holds(const mz__pending *pending, const mz__thread *thread);

/* "…, held by thread 1" */
void mz__describe_holder(const mz__pending *pending, uint32_t thread, mz_text *out);

#endif
