/* The functions that the runtime of safe execution answers (safe/runtime/runtime*.c): calls of the program to
 * NAME arrive at __wrap_NAME, by --wrap=NAME of the linker. Everything else is the C library's own. The
 * checker models all of them, too (program/build/functions.h). */
#ifndef MZ_WIRE_ENFORCED_H
#define MZ_WIRE_ENFORCED_H

#define MZ_ENFORCED(X)                                                                                       \
    X(pthread_create)                                                                                        \
    X(pthread_join)                                                                                          \
    X(pthread_exit)                                                                                          \
    X(pthread_cancel)                                                                                        \
    X(__atomic_load)                                                                                         \
    X(__atomic_store)                                                                                        \
    X(__atomic_exchange)                                                                                     \
    X(__atomic_compare_exchange)                                                                             \
    X(free)                                                                                                  \
    X(realloc)                                                                                               \
    X(reallocarray)                                                                                          \
    X(pthread_once)                                                                                          \
    X(sched_yield)                                                                                           \
    X(sleep)                                                                                                 \
    X(usleep)                                                                                                \
    X(nanosleep)                                                                                             \
    X(clock_nanosleep)                                                                                       \
    X(pthread_mutex_init)                                                                                    \
    X(pthread_mutex_destroy)                                                                                 \
    X(pthread_mutex_lock)                                                                                    \
    X(pthread_mutex_trylock)                                                                                 \
    X(pthread_mutex_unlock)                                                                                  \
    X(pthread_mutex_timedlock)                                                                               \
    X(pthread_mutex_clocklock)                                                                               \
    X(pthread_cond_init)                                                                                     \
    X(pthread_cond_destroy)                                                                                  \
    X(pthread_cond_wait)                                                                                     \
    X(pthread_cond_timedwait)                                                                                \
    X(pthread_cond_clockwait)                                                                                \
    X(pthread_cond_signal)                                                                                   \
    X(pthread_cond_broadcast)                                                                                \
    X(pthread_barrier_init)                                                                                  \
    X(pthread_barrier_destroy)                                                                               \
    X(pthread_barrier_wait)                                                                                  \
    X(sem_init)                                                                                              \
    X(sem_destroy)                                                                                           \
    X(sem_wait)                                                                                              \
    X(sem_trywait)                                                                                           \
    X(sem_timedwait)                                                                                         \
    X(sem_clockwait)                                                                                         \
    X(sem_post)                                                                                              \
    X(sem_getvalue)                                                                                          \
    X(pthread_rwlock_init)                                                                                   \
    X(pthread_rwlock_destroy)                                                                                \
    X(pthread_rwlock_rdlock)                                                                                 \
    X(pthread_rwlock_tryrdlock)                                                                              \
    X(pthread_rwlock_timedrdlock)                                                                            \
    X(pthread_rwlock_clockrdlock)                                                                            \
    X(pthread_rwlock_wrlock)                                                                                 \
    X(pthread_rwlock_trywrlock)                                                                              \
    X(pthread_rwlock_timedwrlock)                                                                            \
    X(pthread_rwlock_clockwrlock)                                                                            \
    X(pthread_rwlock_unlock)                                                                                 \
    X(pthread_spin_init)                                                                                     \
    X(pthread_spin_destroy)                                                                                  \
    X(pthread_spin_lock)                                                                                     \
    X(pthread_spin_trylock)                                                                                  \
    X(pthread_spin_unlock)                                                                                   \
    X(thrd_create)                                                                                           \
    X(thrd_join)                                                                                             \
    X(thrd_exit)                                                                                             \
    X(thrd_sleep)                                                                                            \
    X(thrd_yield)                                                                                            \
    X(mtx_init)                                                                                              \
    X(mtx_destroy)                                                                                           \
    X(mtx_lock)                                                                                              \
    X(mtx_trylock)                                                                                           \
    X(mtx_timedlock)                                                                                         \
    X(mtx_unlock)                                                                                            \
    X(cnd_init)                                                                                              \
    X(cnd_destroy)                                                                                           \
    X(cnd_wait)                                                                                              \
    X(cnd_timedwait)                                                                                         \
    X(cnd_signal)                                                                                            \
    X(cnd_broadcast)                                                                                         \
    X(call_once)

/* The same for C++: delete, by its mangled names, and atexit(), which program/cxx/linked/runtime.cpp answers.
 */
#define MZ_ENFORCED_CXX(X) X(atexit) MZ_CXX_DELETE(X)

#define MZ_CXX_DELETE(X)                                                                                     \
    X(_ZdlPv)                                                                                                \
    X(_ZdaPv)                                                                                                \
    X(_ZdlPvm)                                                                                               \
    X(_ZdaPvm)                                                                                               \
    X(_ZdlPvSt11align_val_t)                                                                                 \
    X(_ZdaPvSt11align_val_t)                                                                                 \
    X(_ZdlPvmSt11align_val_t)                                                                                \
    X(_ZdaPvmSt11align_val_t)                                                                                \
    X(_ZdlPvRKSt9nothrow_t)                                                                                  \
    X(_ZdaPvRKSt9nothrow_t)

#endif
