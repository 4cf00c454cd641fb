/* Synchronisation objects. Their state lives where the program has put them, in the bytes of its
 * pthread_mutex_t, sem_t, …: so the static initialisers work, and the trail takes care of them. */
#ifndef MZ_PROGRAM_PTHREAD_SYNC_H
#define MZ_PROGRAM_PTHREAD_SYNC_H

#include <pthread.h>
#include <stddef.h>

#include "program/runtime/schedule.h"

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
    uint64_t reading; /* which threads */
    uint32_t again;   /* some thread reads more than once: then they cannot be told apart */
    uint32_t waiting; /* writers that others who want to read let pass */
    uint32_t unused[4];
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

/* There is room for 64 of them, each of which may stand for several. */
static inline uint64_t mz__reading(uint32_t thread)
{
    return UINT64_C(1) << (thread & 63);
}
static inline bool mz__is_reading(const mz__rwlock *lock, uint32_t thread)
{
    return lock->reading & mz__reading(thread);
}

/* … a condition variable. */
typedef struct mz__condition {
    uint64_t signals; /* so far */
    int32_t state;    /* MZ__READY … */
} mz__condition;

/* Nobody needed: it was not initialised, or destroyed. */
typedef struct mz__barrier {
    uint32_t needed, arrived;
    int32_t state; /* MZ__READY, or it was not initialised */
} mz__barrier;

/* Has a signal come that the thread waits for? (signals.c) */
bool mz__signal_is_there(const mz__thread *thread);

/* Could the operation happen now? */
bool mz__guard_holds(const mz__pending *pending, const mz__thread *thread);

/* MZ__EQUAL: the data have the value with which they are compared. (A call of memcmp would take longer.) */
static inline bool mz__is_as_expected(const mz__pending *p)
{
    const void *data = (const void *)p->address;
    return p->size == 4   ? *(const uint32_t *)data == (uint32_t)p->expected[0]
           : p->size == 8 ? *(const uint64_t *)data == p->expected[0]
                          : memcmp(data, p->expected, p->size) == 0;
}

/* Would it write? */
bool mz__condition_holds(const mz__pending *pending, const mz__thread *thread);

/* The thread + 1 that holds the lock for which it waits; 0: it waits for something else, or for readers. */
uint32_t mz__holder_of(const mz__pending *pending);
/* It waits for a lock whose holder has ended, or waits for a lock, and so on in a circle. */
bool mz__will_never_go_on(const mz__thread *thread);
/* "…, held by thread 1" */
void mz__describe_holder(const mz__pending *pending, uint32_t thread, mz_text *out);

/* ---- the locks that threads hold (held.c) --------------------------------------------------------------
 */

/* The running thread has taken a lock. `waited`: by an operation that waits until the lock is free. */
void mz__now_holds(const void *object, bool shared, bool waited);
/* … and given it back. */
void mz__no_longer_holds(const void *object);
/* Where a thread has taken a lock that it holds; 0 if it does not. */
uintptr_t mz__held_since(const mz__thread *thread, const void *object);
/* " (locked at queue.c:12)" */
void mz__add_held_since(const mz__thread *thread, const void *object, mz_text *out);
/* ", holding queue.lock (locked at queue.c:12)": at a time that an index of the thread's log tells. */
void mz__add_holding(const mz__thread *thread, uint32_t link, mz_text *out);
/* The running thread ends: with what it holds nobody can do anything any more. */
void mz__warn_of_kept_locks(void);
/* It takes a lock, for which it has waited while it held those from `link` on (lock_order.c). */
void mz__note_lock_order(uint32_t link, const void *object, bool shared);
/* Names by which a place in the code can be meant: its function and its file, with and without directories.
 */
enum { MZ__NAMES_OF_PLACE = 3 };
size_t mz__names_of_place(uintptr_t pc, const char **names);
/* All cycles in these orders, as warnings. */
void mz__warn_of_lock_orders(void);

/* ---- for the hooks
 * ------------------------------------------------------------------------------------------ */

/* The object's location; reports and does not return if there is no memory. Variables of the program stay
 * where they are, and are nobody's own: of them it is asked once. */
uint32_t mz__find_object_cell(const void *object, size_t size);
static inline uint32_t mz__object_cell(const void *object, size_t size)
{
    uint32_t cell = mz__known_cell((uintptr_t)object, MZ__OBJECT_SIZE);
    bool is_there = cell != MZ__NO_CELL && mz__w.cells[cell].there >= size;
    return is_there ? cell : mz__find_object_cell(object, size);
}
#define MZ__OBJECT(pointer) mz__object_cell(pointer, sizeof *(pointer))
/* An operation on one object as the next one of a thread: of that one, or of the running one. */
static inline mz__pending *mz__plan_on_object(mz__thread *thread, mz_operation_kind kind, mz__guard guard,
                                              const void *object, uint32_t cell, const char *verb)
{
    mz__pending *p = mz__plan(thread, kind, verb);
    p->guard = guard;
    p->address = (uintptr_t)object;
    p->access_count = p->own_count = 1;
    p->accesses[0] = (mz_access){cell, MZ_READ | MZ_WRITE};
    return p;
}
static inline mz__pending *mz__on_object(mz_operation_kind kind, mz__guard guard, const void *object,
                                         uint32_t cell, const char *verb)
{
    return mz__plan_on_object(mz__w.current, kind, guard, object, cell, verb);
}
/* The object with this state is used: was it initialised, and not destroyed since? Variables are zero if
 * nobody has done anything to them, as after static initialisation; of other memory more is asked. */
void mz__look_at_object(const int32_t *state, const char *what);
static inline void mz__check_object(const int32_t *state, const char *what)
{
    bool variable = (uintptr_t)state - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image;
    if (MZ_SELDOM(*state != MZ__READY && (*state != 0 || !variable)))
        mz__look_at_object(state, what);
}
/* The same before an operation that is only about to happen: it is asked then whether it was destroyed. */
static inline void mz__check_made(const int32_t *state, const char *what)
{
    if (*state != MZ__DESTROYED)
        mz__check_object(state, what);
}
/* The same when it is destroyed. Who has not asked about that goes on: to the C library it is nothing. */
void mz__check_end(const int32_t *state, const char *what);
/* Of a semaphore that stands behind its value. */
static inline int32_t *mz__semaphore_state(uint32_t *semaphore)
{
    return (int32_t *)(void *)(semaphore + 1);
}
/* Initialising and destroying an object is an operation on it, too. */
void mz__begin_change(const void *object, size_t size, const char *verb);
/* The calling thread changes an object of the program. */
void mz__change_object(void *object, size_t size);
void mz__watch_mutex(uint32_t cell);
/* 0, or EBUSY (and the same that taking it would give). */
int mz__try_mutex(mz__mutex *mutex, const char *verb);
bool mz__try_semaphore(uint32_t *semaphore, const char *verb);
/* Taken or not. */
bool mz__try_rwlock(mz__rwlock *lock, bool writes, const char *verb);
/* The same for a writer that may wait for a while. */
bool mz__write_with_limit(mz__rwlock *lock, const char *verb);
/* The threads that wait for it to be signalled or completed. */
uint32_t mz__waiting_for(uintptr_t object, uint32_t *who);

/* The operation happens when this returns. Using an object is an access to it like an atomic one: freeing it
 * at the same time is a race. */
static inline __attribute__((always_inline)) void mz__begin_uncounted(mz__pending *p, bool reads)
{
    mz__announce(p, reads);
    mz__operation_access(mz__w.current->pending.address, 1, true);
}

static inline __attribute__((always_inline)) void mz__begin_operation(mz__pending *p, bool reads)
{
    mz__count(mz__w.current);
    mz__begin_uncounted(p, reads);
}

/* How the running thread is entered as the holder of an object. */
static inline int32_t mz__holder(void)
{
    return (int32_t)mz__me() + 1;
}

#endif
