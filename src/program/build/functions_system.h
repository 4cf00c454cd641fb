/* The lists of functions.h, as far as they are about the system: files, signals, waiting. */
#ifndef MZ_PROGRAM_BUILD_FUNCTIONS_SYSTEM_H
#define MZ_PROGRAM_BUILD_FUNCTIONS_SYSTEM_H

#define MZ_MODELLED_SYSTEM(X)                                                                                \
    /* surroundings, waiting, rounding, randomness: libc_system.c */                                         \
    X(mmap)                                                                                                  \
    X(mmap64)                                                                                                \
    X(munmap)                                                                                                \
    X(madvise)                                                                                               \
    X(uname)                                                                                                 \
    X(poll)                                                                                                  \
    X(select)                                                                                                \
    X(pselect)                                                                                               \
    X(fesetround)                                                                                            \
    X(getentropy)                                                                                            \
    X(arc4random)                                                                                            \
    X(arc4random_buf)                                                                                        \
    X(arc4random_uniform)                                                                                    \
    /* files: libc_store.c, libc_descriptors.c */                                                            \
    X(stat)                                                                                                  \
    X(stat64)                                                                                                \
    X(lstat)                                                                                                 \
    X(lstat64)                                                                                               \
    X(access)                                                                                                \
    X(getcwd)                                                                                                \
    X(unlink)                                                                                                \
    X(rmdir)                                                                                                 \
    X(remove)                                                                                                \
    X(mkdir)                                                                                                 \
    X(rename)                                                                                                \
    X(pwrite)                                                                                                \
    X(pwrite64)                                                                                              \
    X(ftruncate)                                                                                             \
    X(ftruncate64)                                                                                           \
    X(fsync)                                                                                                 \
    X(fdatasync)                                                                                             \
    X(creat)                                                                                                 \
    X(mkstemp)                                                                                               \
    X(tmpfile)                                                                                               \
    /* signals */                                                                                            \
    X(sigemptyset)                                                                                           \
    X(sigfillset)                                                                                            \
    X(sigaddset)                                                                                             \
    X(sigdelset)                                                                                             \
    X(sigismember)                                                                                           \
    X(sigaction)                                                                                             \
    X(signal)                                                                                                \
    X(pthread_sigmask)                                                                                       \
    X(sigprocmask)                                                                                           \
    X(sigpending)                                                                                            \
    X(pthread_kill)                                                                                          \
    X(raise)                                                                                                 \
    X(kill)                                                                                                  \
    X(sigwait)                                                                                               \
    X(sigwaitinfo)                                                                                           \
    X(sigtimedwait)                                                                                          \
    X(sigsuspend)                                                                                            \
    X(pause)                                                                                                 \
    X(alarm)

#endif
