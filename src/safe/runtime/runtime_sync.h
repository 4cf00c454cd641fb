/* Synchronisation objects under a plan: what their files share. */
#ifndef MZ_SAFE_RUNTIME_RUNTIME_SYNC_H
#define MZ_SAFE_RUNTIME_RUNTIME_SYNC_H

#include <pthread.h>
#include <semaphore.h>

#include "safe/runtime/follow/runtime.h"
#include "safe/runtime/follow/runtime_serial.h"

/* The program's calls to `name` come to __wrap_name; __real_name is the C library's. */
#define DEFINE(T, name, ...)                                                                                 \
    T __real_##name(__VA_ARGS__);                                                                            \
    T __wrap_##name(__VA_ARGS__);                                                                            \
    T __wrap_##name(__VA_ARGS__)

/* PTHREAD_MUTEX_…: glibc has flags above. */
static inline int mz__mutex_kind(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & 3;
}

int __real_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __real_sem_trywait(sem_t *semaphore);
int __real_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int __real_pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int __real_pthread_spin_trylock(pthread_spinlock_t *lock);

/* Taking something, which may have to wait for it: while threads have turns, first without waiting, and only
 * if that `fails`, at the price of the turn. */
#define MZ__TAKING(result, try, fails, call)                                                                 \
    do {                                                                                                     \
        if (!mz__is_serial())                                                                                \
            result = call;                                                                                   \
        else if (result = try, fails)                                                                        \
            MZ__LETTING_OTHERS(result = call);                                                               \
    } while (0)

/* It has tried to take something. */
static inline void mz__end_tried(mz__enforcement mode, int result)
{
    if (result == 0)
        mz__end(mode);
    else
        mz__end_as_read(mode);
}

/* What a wait returns that timed out when it was verified. Not before its time: the program may look at the
 * clock. */
int mz__wait_timed_out(clockid_t clock, const struct timespec *deadline);
bool mz__is_time(const struct timespec *time);
int mz__wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                   const struct timespec *deadline);

#endif
