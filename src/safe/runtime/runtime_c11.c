/* <threads.h>: the same as pthreads under other names, in the same objects, with other results. */
#include <threads.h>

#include "safe/runtime/runtime_sync.h"
#include "wire/c11.h"

_Static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t) &&
                   sizeof(once_flag) == sizeof(pthread_once_t) && sizeof(thrd_t) == sizeof(pthread_t),
               "the objects are those of pthreads");

int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_join(pthread_t, void **);
__attribute__((noreturn)) void __wrap_pthread_exit(void *);
int __wrap_pthread_once(pthread_once_t *, void (*)(void));
int __wrap_nanosleep(const struct timespec *, struct timespec *);
int __wrap_sched_yield(void);
int __wrap_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *);
int __wrap_pthread_mutex_lock(pthread_mutex_t *);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *);
int __wrap_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __wrap_pthread_cond_destroy(pthread_cond_t *);
int __wrap_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __wrap_pthread_cond_signal(pthread_cond_t *);
int __wrap_pthread_cond_broadcast(pthread_cond_t *);

#define DEFINE_C11(T, name, ...)                                                                             \
    T __wrap_##name(__VA_ARGS__);                                                                            \
    T __wrap_##name(__VA_ARGS__)

DEFINE_C11(int, thrd_create, thrd_t *handle, thrd_start_t start, void *argument)
{
    /* it returns an int: the lower half of what is kept as its result */
    return mz_c11_result(
        __wrap_pthread_create((pthread_t *)handle, NULL, (void *(*)(void *))(void *)start, argument));
}

DEFINE_C11(int, thrd_join, thrd_t handle, int *result)
{
    void *whole = NULL;
    int error = __wrap_pthread_join((pthread_t)handle, &whole);
    if (error == 0 && result)
        *result = (int)(intptr_t)whole;
    return mz_c11_result(error);
}

__attribute__((noreturn)) DEFINE_C11(void, thrd_exit, int result)
{
    __wrap_pthread_exit((void *)(intptr_t)result);
}

DEFINE_C11(int, thrd_sleep, const struct timespec *time, struct timespec *remaining)
{
    return __wrap_nanosleep(time, remaining);
}

DEFINE_C11(void, thrd_yield, void)
{
    __wrap_sched_yield();
}

DEFINE_C11(int, mtx_init, mtx_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes,
                              type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    int error = __wrap_pthread_mutex_init((pthread_mutex_t *)mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return mz_c11_result(error);
}

DEFINE_C11(void, mtx_destroy, mtx_t *mutex)
{
    __wrap_pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

DEFINE_C11(int, mtx_lock, mtx_t *mutex)
{
    return mz_c11_result(__wrap_pthread_mutex_lock((pthread_mutex_t *)mutex));
}

DEFINE_C11(int, mtx_trylock, mtx_t *mutex)
{
    return mz_c11_result(__wrap_pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

DEFINE_C11(int, mtx_timedlock, mtx_t *mutex, const struct timespec *deadline)
{
    return mz_c11_result(__wrap_pthread_mutex_timedlock((pthread_mutex_t *)mutex, deadline));
}

DEFINE_C11(int, mtx_unlock, mtx_t *mutex)
{
    return mz_c11_result(__wrap_pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

DEFINE_C11(int, cnd_init, cnd_t *condition)
{
    return mz_c11_result(__wrap_pthread_cond_init((pthread_cond_t *)condition, NULL));
}

DEFINE_C11(void, cnd_destroy, cnd_t *condition)
{
    __wrap_pthread_cond_destroy((pthread_cond_t *)condition);
}

DEFINE_C11(int, cnd_wait, cnd_t *condition, mtx_t *mutex)
{
    return mz_c11_result(__wrap_pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

DEFINE_C11(int, cnd_timedwait, cnd_t *condition, mtx_t *mutex, const struct timespec *deadline)
{
    return mz_c11_result(
        mz__wait_until((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, CLOCK_REALTIME, deadline));
}

DEFINE_C11(int, cnd_signal, cnd_t *condition)
{
    return mz_c11_result(__wrap_pthread_cond_signal((pthread_cond_t *)condition));
}

DEFINE_C11(int, cnd_broadcast, cnd_t *condition)
{
    return mz_c11_result(__wrap_pthread_cond_broadcast((pthread_cond_t *)condition));
}

DEFINE_C11(void, call_once, once_flag *control, void (*routine)(void))
{
    __wrap_pthread_once((pthread_once_t *)control, routine);
}
