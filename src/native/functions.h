/* The functions a program under test may call. Everything else is refused by name before anything runs:
 * a call that is not understood must not pass silently.
 *
 * MZ_MODELLED: ours answer instead. The program is linked with --wrap=NAME, so that its calls (and those of
 * the objects and archives linked with it) arrive at __wrap_NAME.
 *
 * MZ_HARMLESS: the C library's own. They neither block nor keep a state that could differ between two
 * executions, they write no memory of the program, and what they read they read at once. */
#ifndef MZ_NATIVE_FUNCTIONS_H
#define MZ_NATIVE_FUNCTIONS_H

#define MZ_MODELLED(X)                                                                                       \
    /* threads */                                                                                            \
    X(pthread_create)                                                                                        \
    X(pthread_join)                                                                                          \
    X(pthread_detach)                                                                                        \
    X(pthread_exit)                                                                                          \
    X(pthread_self)                                                                                          \
    X(pthread_equal)                                                                                         \
    X(pthread_once)                                                                                          \
    X(pthread_attr_init)                                                                                     \
    X(pthread_attr_destroy)                                                                                  \
    X(pthread_attr_setdetachstate)                                                                           \
    X(pthread_attr_setstacksize)                                                                             \
    X(pthread_attr_setscope)                                                                                 \
    X(pthread_attr_setschedpolicy)                                                                           \
    X(pthread_attr_setinheritsched)                                                                          \
    X(pthread_setconcurrency)                                                                                \
    X(pthread_setname_np)                                                                                    \
    X(sched_yield)                                                                                           \
    X(pthread_yield)                                                                                         \
    X(sleep)                                                                                                 \
    X(usleep)                                                                                                \
    X(nanosleep)                                                                                             \
    /* mutexes */                                                                                            \
    X(pthread_mutex_init)                                                                                    \
    X(pthread_mutex_destroy)                                                                                 \
    X(pthread_mutex_lock)                                                                                    \
    X(pthread_mutex_trylock)                                                                                 \
    X(pthread_mutex_unlock)                                                                                  \
    X(pthread_mutexattr_init)                                                                                \
    X(pthread_mutexattr_destroy)                                                                             \
    X(pthread_mutexattr_settype)                                                                             \
    X(pthread_mutexattr_gettype)                                                                             \
    X(pthread_mutexattr_setpshared)                                                                          \
    X(pthread_mutexattr_setprotocol)                                                                         \
    /* condition variables */                                                                                \
    X(pthread_cond_init)                                                                                     \
    X(pthread_cond_destroy)                                                                                  \
    X(pthread_cond_wait)                                                                                     \
    X(pthread_cond_signal)                                                                                   \
    X(pthread_cond_broadcast)                                                                                \
    X(pthread_condattr_init)                                                                                 \
    X(pthread_condattr_destroy)                                                                              \
    X(pthread_condattr_setclock)                                                                             \
    X(pthread_condattr_setpshared)                                                                           \
    /* barriers */                                                                                           \
    X(pthread_barrier_init)                                                                                  \
    X(pthread_barrier_destroy)                                                                               \
    X(pthread_barrier_wait)                                                                                  \
    /* semaphores */                                                                                         \
    X(sem_init)                                                                                              \
    X(sem_destroy)                                                                                           \
    X(sem_wait)                                                                                              \
    X(sem_trywait)                                                                                           \
    X(sem_post)                                                                                              \
    X(sem_getvalue)                                                                                          \
    /* read-write locks */                                                                                   \
    X(pthread_rwlock_init)                                                                                   \
    X(pthread_rwlock_destroy)                                                                                \
    X(pthread_rwlock_rdlock)                                                                                 \
    X(pthread_rwlock_tryrdlock)                                                                              \
    X(pthread_rwlock_wrlock)                                                                                 \
    X(pthread_rwlock_trywrlock)                                                                              \
    X(pthread_rwlock_unlock)                                                                                 \
    X(pthread_rwlockattr_init)                                                                               \
    X(pthread_rwlockattr_destroy)                                                                            \
    /* spin locks */                                                                                         \
    X(pthread_spin_init)                                                                                     \
    X(pthread_spin_destroy)                                                                                  \
    X(pthread_spin_lock)                                                                                     \
    X(pthread_spin_trylock)                                                                                  \
    X(pthread_spin_unlock)                                                                                   \
    /* memory */                                                                                             \
    X(malloc)                                                                                                \
    X(calloc)                                                                                                \
    X(realloc)                                                                                               \
    X(free)                                                                                                  \
    X(aligned_alloc)                                                                                         \
    X(posix_memalign)                                                                                        \
    X(strdup)                                                                                                \
    X(strndup)                                                                                               \
    X(memcpy)                                                                                                \
    X(memmove)                                                                                               \
    X(memset)                                                                                                \
    X(strcpy)                                                                                                \
    X(strncpy)                                                                                               \
    X(strcat)                                                                                                \
    X(strncat)                                                                                               \
    X(strlen)                                                                                                \
    X(strnlen)                                                                                               \
    X(strcmp)                                                                                                \
    X(strncmp)                                                                                               \
    X(strcasecmp)                                                                                            \
    X(strncasecmp)                                                                                           \
    X(strchr)                                                                                                \
    X(strrchr)                                                                                               \
    X(strstr)                                                                                                \
    X(strspn)                                                                                                \
    X(strcspn)                                                                                               \
    X(strpbrk)                                                                                               \
    X(memcmp)                                                                                                \
    X(memchr)                                                                                                \
    X(atoi)                                                                                                  \
    X(atol)                                                                                                  \
    X(atoll)                                                                                                 \
    X(atof)                                                                                                  \
    X(strtol)                                                                                                \
    X(strtoul)                                                                                               \
    X(strtoll)                                                                                               \
    X(strtoull)                                                                                              \
    /* the end */                                                                                            \
    X(exit)                                                                                                  \
    X(_exit)                                                                                                 \
    X(_Exit)                                                                                                 \
    X(quick_exit)                                                                                            \
    X(abort)                                                                                                 \
    X(atexit)                                                                                                \
    X(__assert_fail)                                                                                         \
    X(__assert)                                                                                              \
    X(__stack_chk_fail)                                                                                      \
    /* output: captured, shown only for the execution a person is shown */                                   \
    X(printf)                                                                                                \
    X(fprintf)                                                                                               \
    X(vprintf)                                                                                               \
    X(vfprintf)                                                                                              \
    X(puts)                                                                                                  \
    X(fputs)                                                                                                 \
    X(putchar)                                                                                               \
    X(putc)                                                                                                  \
    X(fputc)                                                                                                 \
    X(fwrite)                                                                                                \
    X(fflush)                                                                                                \
    X(perror)                                                                                                \
    X(sprintf)                                                                                               \
    X(snprintf)                                                                                              \
    X(vsnprintf)                                                                                             \
    X(setvbuf)                                                                                               \
    X(setbuf)                                                                                                \
    X(close)                                                                                                 \
    X(fclose)                                                                                                \
    X(__printf_chk)                                                                                          \
    X(__fprintf_chk)                                                                                         \
    X(__vprintf_chk)                                                                                         \
    X(__vfprintf_chk)                                                                                        \
    X(__sprintf_chk)                                                                                         \
    X(__snprintf_chk)                                                                                        \
    X(__memcpy_chk)                                                                                          \
    X(__memset_chk)                                                                                          \
    X(__memmove_chk)                                                                                         \
    X(__strcpy_chk)                                                                                          \
    /* time and randomness: a virtual clock, a fixed seed */                                                 \
    X(time)                                                                                                  \
    X(clock)                                                                                                 \
    X(clock_gettime)                                                                                         \
    X(gettimeofday)                                                                                          \
    X(rand)                                                                                                  \
    X(srand)                                                                                                 \
    X(random)                                                                                                \
    X(srandom)                                                                                               \
    X(rand_r)                                                                                                \
    /* thread-local variables */                                                                             \
    X(__tls_get_addr)

#define MZ_HARMLESS(X)                                                                                       \
    X(abs)                                                                                                   \
    X(labs)                                                                                                  \
    X(llabs)                                                                                                 \
    X(getenv)                                                                                                \
    X(__errno_location)                                                                                      \
    X(isalpha)                                                                                               \
    X(isdigit)                                                                                               \
    X(isalnum)                                                                                               \
    X(isspace)                                                                                               \
    X(isupper) X(islower) X(isprint) X(ispunct) X(isxdigit) X(toupper) X(tolower) X(__ctype_b_loc)           \
        X(__ctype_tolower_loc) X(__ctype_toupper_loc) X(sin) X(cos) X(tan) X(sqrt) X(pow) X(exp) X(log)      \
            X(log2) X(log10) X(floor) X(ceil) X(fabs) X(fmod) X(round) X(lround) X(fmin) X(fmax) X(sqrtf)    \
                X(floorf) X(ceilf) X(fabsf) X(getpid) X(getppid) X(sysconf) X(getpagesize) X(strerror)       \
                    X(ffs) X(__cxa_finalize) X(_ITM_deregisterTMCloneTable) X(_ITM_registerTMCloneTable)     \
                        X(__gmon_start__) X(stdout) X(stderr) X(stdin) X(environ) X(__environ)

#endif
