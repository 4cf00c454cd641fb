/* Synchronisation objects. Their state lives where the program has put them, in the bytes of its
 * pthread_mutex_t, sem_t, …: so the static initialisers work, and the trail takes care of them. */
#ifndef MZ_PROGRAM_WORLD_OBJECT_STATES_H
#define MZ_PROGRAM_WORLD_OBJECT_STATES_H

#include <pthread.h>
#include <stddef.h>

#include "program/world/world.h"

/* What is known of an object. One that was initialised statically, or lies in memory that is zero, is none of
 * these, but 0. */
enum { MZ__READY = 0x79646165, MZ__DESTROYED = -1 };

/* Like glibc's in what the static initialisers set: all zero but the kind. */
typedef struct mz__mutex {
    int32_t state; /* MZ__READY … */
    uint32_t count;
    int32_t owner;                 /* thread + 1 */
    uint32_t robust;               /* MZ__NOT_ROBUST … */
    int32_t kind;                  /* PTHREAD_MUTEX_… */
    int32_t surplus;               /* how often it was unlocked while nobody held it */
    struct mz__mutex *next_robust; /* of those that its owner holds */
} mz__mutex;

static inline bool mz__is_free(const mz__mutex *mutex)
{
    return mutex->owner == 0;
}

/* A mutex whose owner may end without giving it back, and what has become of it. */
enum { MZ__NOT_ROBUST, MZ__CONSISTENT, MZ__OWNER_DIED, MZ__NOT_RECOVERABLE };

typedef struct mz__rwlock {
    int32_t state;   /* MZ__READY … */
    uint32_t writer; /* thread + 1 */
    uint32_t readers;
    uint32_t waiting; /* writers that others who want to read let pass */
    uint32_t unused[8];
    int32_t kind; /* PTHREAD_RWLOCK_PREFER_…_NP: where the C library's static initialisers have it */
} mz__rwlock;
_Static_assert(offsetof(mz__rwlock, kind) == offsetof(pthread_rwlock_t, __data.__flags) &&
                   sizeof(mz__rwlock) <= sizeof(pthread_rwlock_t),
               "");

/* The C library takes only this kind for one with which writers come first. */
static inline bool mz__prefers_writers(const mz__rwlock *lock)
{
    return lock->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}
static inline bool mz__is_readable(const mz__rwlock *lock)
{
    return lock->writer == 0 && (lock->waiting == 0 || !mz__prefers_writers(lock));
}
static inline bool mz__is_writable(const mz__rwlock *lock)
{
    return lock->writer == 0 && lock->readers == 0;
}

/* A condition variable. */
typedef struct mz__condition {
    uint64_t signals; /* so far */
    int32_t state;    /* MZ__READY … */
} mz__condition;

/* Nobody needed: it was not initialised, or destroyed. */
typedef struct mz__barrier {
    uint32_t needed, arrived;
    int32_t state; /* MZ__READY, or it was not initialised */
} mz__barrier;

#endif
