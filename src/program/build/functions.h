/* The functions a program under test may call. Everything else is refused by name before anything runs:
 * a call that is not understood must not pass silently.
 *
 * MZ_MODELLED: ours answer instead. The program is linked with --wrap=NAME, so that its calls (and those of
 * the objects and archives linked with it) arrive at __wrap_NAME. What safe execution answers at run time
 * (wire/enforced.h) is among them.
 *
 * MZ_HARMLESS: the C library's own. They neither block nor keep a state that could differ between two
 * executions, they write no memory of the program, and what they read they read at once. */
#ifndef MZ_PROGRAM_BUILD_FUNCTIONS_H
#define MZ_PROGRAM_BUILD_FUNCTIONS_H

#include "program/build/functions_library.h"
#include "program/build/functions_system.h"
#include "wire/enforced.h"
#include "wire/foreign.h"

#define MZ_MODELLED(X) MZ_ENFORCED(X) MZ_MODELLED_THREADS(X) MZ_MODELLED_LIBRARY(X) MZ_MODELLED_SYSTEM(X)

/* Threads and their objects, as far as safe execution leaves them alone. */
#define MZ_MODELLED_THREADS(X)                                                                               \
    /* threads */                                                                                            \
    X(pthread_tryjoin_np)                                                                                    \
    X(pthread_timedjoin_np)                                                                                  \
    X(pthread_clockjoin_np)                                                                                  \
    X(pthread_detach)                                                                                        \
    X(pthread_testcancel)                                                                                    \
    X(pthread_setcancelstate)                                                                                \
    X(pthread_setcanceltype)                                                                                 \
    X(pthread_self)                                                                                          \
    X(pthread_equal)                                                                                         \
    X(pthread_attr_init)                                                                                     \
    X(pthread_attr_destroy)                                                                                  \
    X(pthread_attr_setdetachstate)                                                                           \
    X(pthread_attr_setstacksize)                                                                             \
    X(pthread_attr_setscope)                                                                                 \
    X(pthread_attr_setschedpolicy)                                                                           \
    X(pthread_attr_setinheritsched)                                                                          \
    X(pthread_attr_getdetachstate)                                                                           \
    X(pthread_attr_getstacksize)                                                                             \
    X(pthread_attr_setguardsize)                                                                             \
    X(pthread_attr_getguardsize)                                                                             \
    X(pthread_attr_getscope)                                                                                 \
    X(pthread_attr_getinheritsched)                                                                          \
    X(pthread_attr_getschedpolicy)                                                                           \
    X(pthread_attr_setschedparam)                                                                            \
    X(pthread_attr_getschedparam)                                                                            \
    X(pthread_attr_setaffinity_np)                                                                           \
    X(pthread_getconcurrency)                                                                                \
    X(pthread_setaffinity_np)                                                                                \
    X(pthread_getaffinity_np)                                                                                \
    X(pthread_setschedparam)                                                                                 \
    X(pthread_getschedparam)                                                                                 \
    X(pthread_setschedprio)                                                                                  \
    X(pthread_getname_np)                                                                                    \
    X(pthread_atfork)                                                                                        \
    X(pthread_key_create)                                                                                    \
    X(pthread_key_delete)                                                                                    \
    X(pthread_setspecific)                                                                                   \
    X(pthread_getspecific)                                                                                   \
    X(__sigsetjmp)                                                                                           \
    X(__pthread_register_cancel)                                                                             \
    X(__pthread_unregister_cancel)                                                                           \
    X(__pthread_unwind_next)                                                                                 \
    X(pthread_setconcurrency)                                                                                \
    X(pthread_setname_np)                                                                                    \
    X(pthread_yield)                                                                                         \
    /* mutexes */                                                                                            \
    X(pthread_mutex_consistent)                                                                              \
    X(pthread_mutex_consistent_np)                                                                           \
    X(pthread_mutexattr_init)                                                                                \
    X(pthread_mutexattr_destroy)                                                                             \
    X(pthread_mutexattr_settype)                                                                             \
    X(pthread_mutexattr_gettype)                                                                             \
    X(pthread_mutexattr_setpshared)                                                                          \
    X(pthread_mutexattr_setprotocol)                                                                         \
    X(pthread_mutexattr_getpshared)                                                                          \
    X(pthread_mutexattr_getprotocol)                                                                         \
    X(pthread_mutexattr_setrobust)                                                                           \
    X(pthread_mutexattr_getrobust)                                                                           \
    X(pthread_mutexattr_setrobust_np)                                                                        \
    X(pthread_mutexattr_getrobust_np)                                                                        \
    /* condition variables */                                                                                \
    X(pthread_condattr_init)                                                                                 \
    X(pthread_condattr_destroy)                                                                              \
    X(pthread_condattr_setclock)                                                                             \
    X(pthread_condattr_setpshared)                                                                           \
    X(pthread_condattr_getclock)                                                                             \
    X(pthread_condattr_getpshared)                                                                           \
    /* barriers */                                                                                           \
    X(pthread_barrierattr_init)                                                                              \
    X(pthread_barrierattr_destroy)                                                                           \
    X(pthread_barrierattr_setpshared)                                                                        \
    X(pthread_barrierattr_getpshared)                                                                        \
    /* semaphores */                                                                                         \
    X(sem_open)                                                                                              \
    X(sem_close)                                                                                             \
    X(sem_unlink)                                                                                            \
    /* read-write locks */                                                                                   \
    X(pthread_rwlockattr_init)                                                                               \
    X(pthread_rwlockattr_destroy)                                                                            \
    X(pthread_rwlockattr_setkind_np)                                                                         \
    X(pthread_rwlockattr_getkind_np)                                                                         \
    X(pthread_rwlockattr_setpshared)                                                                         \
    X(pthread_rwlockattr_getpshared)                                                                         \
    /* C11 threads */                                                                                        \
    X(thrd_detach)                                                                                           \
    X(thrd_current)                                                                                          \
    X(thrd_equal)                                                                                            \
    X(tss_create)                                                                                            \
    X(tss_delete)                                                                                            \
    X(tss_get)                                                                                               \
    X(tss_set)

#endif
