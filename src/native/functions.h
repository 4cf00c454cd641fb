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
    X(pthread_cancel)                                                                                        \
    X(pthread_testcancel)                                                                                    \
    X(pthread_setcancelstate)                                                                                \
    X(pthread_setcanceltype)                                                                                 \
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
    X(sched_yield)                                                                                           \
    X(pthread_yield)                                                                                         \
    X(sleep)                                                                                                 \
    X(usleep)                                                                                                \
    X(nanosleep)                                                                                             \
    X(clock_nanosleep)                                                                                       \
    /* mutexes */                                                                                            \
    X(pthread_mutex_init)                                                                                    \
    X(pthread_mutex_destroy)                                                                                 \
    X(pthread_mutex_lock)                                                                                    \
    X(pthread_mutex_trylock)                                                                                 \
    X(pthread_mutex_unlock)                                                                                  \
    X(pthread_mutex_timedlock)                                                                               \
    X(pthread_mutex_clocklock)                                                                               \
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
    X(pthread_cond_init)                                                                                     \
    X(pthread_cond_destroy)                                                                                  \
    X(pthread_cond_wait)                                                                                     \
    X(pthread_cond_timedwait)                                                                                \
    X(pthread_cond_clockwait)                                                                                \
    X(pthread_cond_signal)                                                                                   \
    X(pthread_cond_broadcast)                                                                                \
    X(pthread_condattr_init)                                                                                 \
    X(pthread_condattr_destroy)                                                                              \
    X(pthread_condattr_setclock)                                                                             \
    X(pthread_condattr_setpshared)                                                                           \
    X(pthread_condattr_getclock)                                                                             \
    X(pthread_condattr_getpshared)                                                                           \
    /* barriers */                                                                                           \
    X(pthread_barrier_init)                                                                                  \
    X(pthread_barrier_destroy)                                                                               \
    X(pthread_barrier_wait)                                                                                  \
    X(pthread_barrierattr_init)                                                                              \
    X(pthread_barrierattr_destroy)                                                                           \
    X(pthread_barrierattr_setpshared)                                                                        \
    X(pthread_barrierattr_getpshared)                                                                        \
    /* semaphores */                                                                                         \
    X(sem_init)                                                                                              \
    X(sem_destroy)                                                                                           \
    X(sem_wait)                                                                                              \
    X(sem_trywait)                                                                                           \
    X(sem_timedwait)                                                                                         \
    X(sem_clockwait)                                                                                         \
    X(sem_post)                                                                                              \
    X(sem_getvalue)                                                                                          \
    /* read-write locks */                                                                                   \
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
    X(pthread_rwlockattr_init)                                                                               \
    X(pthread_rwlockattr_destroy)                                                                            \
    X(pthread_rwlockattr_setkind_np)                                                                         \
    X(pthread_rwlockattr_getkind_np)                                                                         \
    X(pthread_rwlockattr_setpshared)                                                                         \
    X(pthread_rwlockattr_getpshared)                                                                         \
    /* spin locks */                                                                                         \
    X(pthread_spin_init)                                                                                     \
    X(pthread_spin_destroy)                                                                                  \
    X(pthread_spin_lock)                                                                                     \
    X(pthread_spin_trylock)                                                                                  \
    X(pthread_spin_unlock)                                                                                   \
    /* C11 threads */                                                                                        \
    X(thrd_create)                                                                                           \
    X(thrd_join)                                                                                             \
    X(thrd_detach)                                                                                           \
    X(thrd_exit)                                                                                             \
    X(thrd_sleep)                                                                                            \
    X(thrd_yield)                                                                                            \
    X(thrd_current)                                                                                          \
    X(thrd_equal)                                                                                            \
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
    X(call_once)                                                                                             \
    X(tss_create)                                                                                            \
    X(tss_delete)                                                                                            \
    X(tss_get)                                                                                               \
    X(tss_set)                                                                                               \
    /* memory */                                                                                             \
    X(malloc)                                                                                                \
    X(calloc)                                                                                                \
    X(realloc)                                                                                               \
    X(free)                                                                                                  \
    X(aligned_alloc)                                                                                         \
    X(posix_memalign)                                                                                        \
    X(memalign)                                                                                              \
    X(valloc)                                                                                                \
    X(reallocarray)                                                                                          \
    X(malloc_usable_size)                                                                                    \
    X(strdup)                                                                                                \
    X(strndup)                                                                                               \
    X(memcpy)                                                                                                \
    X(memmove)                                                                                               \
    X(memset)                                                                                                \
    X(mempcpy)                                                                                               \
    X(memccpy)                                                                                               \
    X(memrchr)                                                                                               \
    X(memmem)                                                                                                \
    X(bcopy)                                                                                                 \
    X(bzero)                                                                                                 \
    X(bcmp)                                                                                                  \
    X(explicit_bzero)                                                                                        \
    X(strcpy)                                                                                                \
    X(strncpy)                                                                                               \
    X(strcat)                                                                                                \
    X(strncat)                                                                                               \
    X(stpcpy)                                                                                                \
    X(stpncpy)                                                                                               \
    X(strlen)                                                                                                \
    X(strnlen)                                                                                               \
    X(strcmp)                                                                                                \
    X(strncmp)                                                                                               \
    X(strcasecmp)                                                                                            \
    X(strncasecmp)                                                                                           \
    X(strcoll)                                                                                               \
    X(strchr)                                                                                                \
    X(strrchr)                                                                                               \
    X(strstr)                                                                                                \
    X(strspn)                                                                                                \
    X(strcspn)                                                                                               \
    X(strpbrk)                                                                                               \
    X(index)                                                                                                 \
    X(rindex)                                                                                                \
    X(strchrnul)                                                                                             \
    X(strcasestr)                                                                                            \
    X(strtok)                                                                                                \
    X(strtok_r)                                                                                              \
    X(__strtok_r)                                                                                            \
    X(strsep)                                                                                                \
    X(strerror_r)                                                                                            \
    X(__xpg_strerror_r)                                                                                      \
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
    X(strtoimax)                                                                                             \
    X(strtoumax)                                                                                             \
    X(strtod)                                                                                                \
    X(strtof)                                                                                                \
    X(__isoc23_strtol)                                                                                       \
    X(__isoc23_strtoul)                                                                                      \
    X(__isoc23_strtoll)                                                                                      \
    X(__isoc23_strtoull)                                                                                     \
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
    X(vsprintf)                                                                                              \
    X(asprintf)                                                                                              \
    X(vasprintf)                                                                                             \
    X(dprintf)                                                                                               \
    X(write)                                                                                                 \
    X(setlinebuf)                                                                                            \
    X(isatty)                                                                                                \
    X(setvbuf)                                                                                               \
    X(setbuf)                                                                                                \
    X(close)                                                                                                 \
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
    X(__strncpy_chk)                                                                                         \
    X(__strcat_chk)                                                                                          \
    X(__strncat_chk)                                                                                         \
    X(__vsprintf_chk)                                                                                        \
    X(__vsnprintf_chk)                                                                                       \
    X(__asprintf_chk)                                                                                        \
    X(__vasprintf_chk)                                                                                       \
    /* files: read only */                                                                                   \
    X(fopen)                                                                                                 \
    X(fopen64)                                                                                               \
    X(fclose)                                                                                                \
    X(fileno)                                                                                                \
    X(fgetc)                                                                                                 \
    X(getc)                                                                                                  \
    X(getchar)                                                                                               \
    X(ungetc)                                                                                                \
    X(fgets)                                                                                                 \
    X(fread)                                                                                                 \
    X(getline)                                                                                               \
    X(getdelim)                                                                                              \
    X(__getdelim)                                                                                            \
    X(feof)                                                                                                  \
    X(ferror)                                                                                                \
    X(clearerr)                                                                                              \
    X(ftell)                                                                                                 \
    X(fseek)                                                                                                 \
    X(rewind)                                                                                                \
    X(sscanf)                                                                                                \
    X(vsscanf)                                                                                               \
    X(fscanf)                                                                                                \
    X(scanf)                                                                                                 \
    X(__isoc99_sscanf)                                                                                       \
    X(__isoc99_vsscanf)                                                                                      \
    X(__isoc99_fscanf)                                                                                       \
    X(__isoc99_scanf)                                                                                        \
    X(__isoc23_sscanf)                                                                                       \
    X(__isoc23_vsscanf)                                                                                      \
    X(__isoc23_fscanf)                                                                                       \
    X(__isoc23_scanf)                                                                                        \
    /* callbacks */                                                                                          \
    X(qsort)                                                                                                 \
    X(qsort_r)                                                                                               \
    X(bsearch)                                                                                               \
    /* jumps */                                                                                              \
    X(setjmp)                                                                                                \
    X(_setjmp)                                                                                               \
    X(sigsetjmp)                                                                                             \
    X(longjmp)                                                                                               \
    X(_longjmp)                                                                                              \
    X(siglongjmp)                                                                                            \
    X(__longjmp_chk)                                                                                         \
    /* surroundings: the same everywhere */                                                                  \
    X(getpid)                                                                                                \
    X(getppid)                                                                                               \
    X(gettid)                                                                                                \
    X(get_nprocs)                                                                                            \
    X(get_nprocs_conf)                                                                                       \
    X(sysconf)                                                                                               \
    X(gethostname)                                                                                           \
    /* time and randomness: a virtual clock, a fixed seed */                                                 \
    X(time)                                                                                                  \
    X(clock)                                                                                                 \
    X(clock_gettime)                                                                                         \
    X(gettimeofday)                                                                                          \
    X(clock_getres)                                                                                          \
    X(timespec_get)                                                                                          \
    X(gmtime)                                                                                                \
    X(gmtime_r)                                                                                              \
    X(localtime)                                                                                             \
    X(localtime_r)                                                                                           \
    X(mktime)                                                                                                \
    X(strftime)                                                                                              \
    X(ctime)                                                                                                 \
    X(rand)                                                                                                  \
    X(srand)                                                                                                 \
    X(random)                                                                                                \
    X(srandom)                                                                                               \
    X(rand_r)                                                                                                \
    X(getrandom)                                                                                             \
    X(srand48)                                                                                               \
    X(drand48)                                                                                               \
    X(erand48)                                                                                               \
    X(lrand48)                                                                                               \
    X(nrand48)                                                                                               \
    X(mrand48)                                                                                               \
    X(jrand48)                                                                                               \
    X(__atomic_feraiseexcept)                                                                                \
    X(__atomic_load) X(__atomic_store) X(__atomic_exchange)                                                  \
        X(__atomic_compare_exchange) /* thread-local variables */                                            \
        X(__tls_get_addr)

#define MZ_HARMLESS(X)                                                                                               \
    X(abs)                                                                                                           \
    X(labs)                                                                                                          \
    X(llabs)                                                                                                         \
    X(getenv)                                                                                                        \
    X(__errno_location)                                                                                              \
    X(isalpha)                                                                                                       \
    X(isdigit)                                                                                                       \
    X(isalnum)                                                                                                       \
    X(isspace)                                                                                                       \
    X(isupper)                                                                                                       \
    X(islower)                                                                                                       \
    X(isprint)                                                                                                       \
    X(ispunct)                                                                                                       \
    X(isxdigit)                                                                                                      \
    X(toupper)                                                                                                       \
    X(tolower)                                                                                                       \
    X(__ctype_b_loc) X(__ctype_tolower_loc) X(__ctype_toupper_loc) X(sin) X(cos) X(tan) X(sqrt) X(pow) X(            \
        exp) X(log) X(log2) X(log10) X(floor) X(ceil) X(fabs) X(fmod) X(round) X(lround) X(fmin) X(fmax)             \
        X(sqrtf) X(floorf) X(ceilf) X(fabsf) X(sinf) X(sinl) X(cosf) X(cosl) X(tanf) X(tanl) X(asin) X(              \
            asinf) X(asinl) X(acos) X(acosf) X(acosl) X(atan) X(atanf) X(atanl) X(sinh) X(sinhf) X(sinhl)            \
            X(cosh) X(coshf) X(coshl) X(tanh) X(tanhf) X(tanhl) X(asinh) X(asinhf) X(asinhl) X(                      \
                acosh) X(acoshf) X(acoshl) X(atanh) X(atanhf) X(atanhl) X(sqrtl) X(cbrt) X(cbrtf)                    \
                X(cbrtl) X(expf) X(expl) X(exp2) X(exp2f) X(exp2l) X(expm1) X(expm1f) X(                             \
                    expm1l) X(logf) X(logl) X(log2f) X(log2l) X(log10f) X(log10l)                                    \
                    X(log1p) X(log1pf) X(log1pl) X(logb) X(logbf) X(logbl) X(floorl) X(ceill) X(                     \
                        trunc) X(truncf) X(truncl) X(roundf) X(roundl) X(rint) X(rintf) X(rintl)                     \
                        X(nearbyint) X(nearbyintf) X(nearbyintl) X(fabsl) X(erf) X(erff) X(erfl) X(erfc) X(          \
                            erfcf) X(erfcl) X(tgamma)                                                                \
                            X(tgammaf) X(tgammal) X(atan2) X(atan2f) X(atan2l) X(powf) X(powl) X(                    \
                                fmodf) X(fmodl) X(hypot) X(hypotf) X(hypotl) X(fminf) X(fminl)                       \
                                X(fmaxf) X(fmaxl) X(fdim) X(                                                         \
                                    fdimf) X(fdiml) X(remainder) X(remainderf) X(remainderl) X(copysign)             \
                                    X(copysignf) X(copysignl) X(nextafter) X(nextafterf) X(nextafterl) X(            \
                                        ldexp) X(ldexpf) X(ldexpl) X(scalbn) X(scalbnf) X(scalbnl)                   \
                                        X(fma) X(fmaf) X(fmal) X(lroundf) X(lroundl) X(                              \
                                            llround) X(llroundf) X(llroundl)                                         \
                                            X(lrint) X(lrintf) X(lrintl) X(llrint) X(llrintf) X(llrintl) X(          \
                                                ilogb) X(ilogbf) X(ilogbl)                                           \
                                                X(scalbln) X(scalblnf) X(scalblnl) X(iscntrl) X(isgraph) X(          \
                                                    isblank) X(isascii) X(toascii) X(ffsl) X(ffsll)                  \
                                                    X(wcscmp) X(iswalpha) X(iswdigit) X(iswspace) X(iswupper) X(     \
                                                        iswlower) X(iswalnum)                                        \
                                                        X(                                                           \
                                                            iswpunct) X(iswprint)                                    \
                                                            X(                                                       \
                                                                towupper) X(towlower)                                \
                                                                X(wctob) X(btowc) X(__isnan) X(                      \
                                                                    __isinf) X(__finite) X(__fpclassify)             \
                                                                    X(__signbit) X(__isnanf) X(__isinff) X(          \
                                                                        __finitef) X(__fpclassifyf) X(__signbitf)    \
                                                                        X(__ctype_get_mb_cur_max) X(                 \
                                                                            htonl) X(htons) X(ntohl) X(ntohs)        \
                                                                            X(getpagesize) X(strerror) X(            \
                                                                                ffs) X(div) X(ldiv) X(lldiv)         \
                                                                                X(imaxabs) X(difftime) X(            \
                                                                                    secure_getenv) X(strsignal)      \
                                                                                    X(__cxa_finalize) X(             \
                                                                                        _ITM_deregisterTMCloneTable) \
                                                                                        X(_ITM_registerTMCloneTable) \
                                                                                            X(__gmon_start__) X(     \
                                                                                                stdout) X(stderr)    \
                                                                                                X(stdin) X(          \
                                                                                                    environ)         \
                                                                                                    X(__environ)

#endif
