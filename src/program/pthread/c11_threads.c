/* <threads.h>: the same as pthreads under other names, in the same objects, with other results. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "program/pthread/endings.h"
#include "program/pthread/sync.h"
#include "program/pthread/timed.h"
#include "program/runtime/accesses.h"
#include "program/world/object_states.h"
#include "program/world/world.h"
#include "wire/c11.h"

_Static_assert(sizeof(mtx_t) >= sizeof(mz__mutex) && sizeof(cnd_t) == sizeof(pthread_cond_t) &&
                   sizeof(once_flag) == sizeof(int32_t) && sizeof(thrd_t) == sizeof(pthread_t) &&
                   sizeof(tss_t) == sizeof(pthread_key_t),
               "the objects are those of pthreads");

/* The hooks of the other files, which these ones are. */
int mz__hook___wrap_pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int mz__hook___wrap_pthread_join(pthread_t, void **);
int mz__hook___wrap_pthread_detach(pthread_t);
pthread_t mz__hook___wrap_pthread_self(void);
int mz__hook___wrap_pthread_mutex_init(mz__mutex *, const void *);
int mz__hook___wrap_pthread_mutex_destroy(mz__mutex *);
int mz__hook___wrap_pthread_mutex_lock(mz__mutex *);
int mz__hook___wrap_pthread_mutex_unlock(mz__mutex *);
int mz__hook___wrap_pthread_cond_init(mz__condition *, const void *);
int mz__hook___wrap_pthread_cond_destroy(mz__condition *);
int mz__hook___wrap_pthread_cond_wait(mz__condition *, mz__mutex *);
int mz__hook___wrap_pthread_cond_signal(mz__condition *);
int mz__hook___wrap_pthread_cond_broadcast(mz__condition *);
int mz__hook___wrap_pthread_once(int32_t *, void (*)(void));
int mz__hook___wrap_pthread_key_create(pthread_key_t *, void (*)(void *));
int mz__hook___wrap_pthread_key_delete(pthread_key_t);
int mz__hook___wrap_pthread_setspecific(pthread_key_t, const void *);
void *mz__hook___wrap_pthread_getspecific(pthread_key_t);

/* ---- threads ------------------------------------------------------------------------------------------ */

MZ__HOOK(int, __wrap_thrd_create, pthread_t *handle, void *(*start)(void *), void *argument)
{
    /* it returns an int: the lower half of what is kept as its result */
    return mz_c11_result(mz__hook___wrap_pthread_create(handle, NULL, start, argument));
}

MZ__HOOK(int, __wrap_thrd_join, pthread_t handle, int *result)
{
    int error = mz__hook___wrap_pthread_join(handle, NULL);
    if (error == 0 && result) {
        mz__plain_access((uintptr_t)result, sizeof *result, true);
        *result = (int)(intptr_t)mz__w.threads[handle - 1].cold.result;
    }
    return mz_c11_result(error);
}

MZ__HOOK(int, __wrap_thrd_detach, pthread_t handle)
{
    return mz_c11_result(mz__hook___wrap_pthread_detach(handle));
}

MZ__HOOK(void, __wrap_thrd_exit, int result)
{
    mz__exit_thread((void *)(intptr_t)result);
}

MZ__HOOK(pthread_t, __wrap_thrd_current, void)
{
    return mz__hook___wrap_pthread_self();
}

MZ__HOOK(int, __wrap_thrd_equal, pthread_t a, pthread_t b)
{
    return a == b;
}

MZ__WITHOUT_EFFECT(thrd_yield)

/* ---- mutexes and condition variables -------------------------------------------------------------------
 */

MZ__HOOK(int, __wrap_mtx_init, mz__mutex *mutex, int type)
{
    mz__hook___wrap_pthread_mutex_init(mutex, NULL);
    mutex->kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return thrd_success;
}

MZ__HOOK(void, __wrap_mtx_destroy, mz__mutex *mutex)
{
    mz__hook___wrap_pthread_mutex_destroy(mutex);
}

MZ__OPERATION(int, __wrap_mtx_lock, mz__mutex *mutex)
{
    return mz_c11_result(mz__hook___wrap_pthread_mutex_lock(mutex));
}

MZ__OPERATION(int, __wrap_mtx_trylock, mz__mutex *mutex)
{
    return mz_c11_result(mz__try_mutex(mutex, "mtx_trylock"));
}

MZ__OPERATION(int, __wrap_mtx_timedlock, mz__mutex *mutex, const struct timespec *deadline)
{
    return mz_c11_result(mz__lock_with_limit(mutex, deadline, "mtx_timedlock"));
}

MZ__OPERATION(int, __wrap_mtx_unlock, mz__mutex *mutex)
{
    return mz_c11_result(mz__hook___wrap_pthread_mutex_unlock(mutex));
}

MZ__HOOK(int, __wrap_cnd_init, mz__condition *condition)
{
    return mz_c11_result(mz__hook___wrap_pthread_cond_init(condition, NULL));
}

MZ__HOOK(void, __wrap_cnd_destroy, mz__condition *condition)
{
    mz__hook___wrap_pthread_cond_destroy(condition);
}

MZ__OPERATION(int, __wrap_cnd_wait, mz__condition *condition, mz__mutex *mutex)
{
    return mz_c11_result(mz__hook___wrap_pthread_cond_wait(condition, mutex));
}

MZ__OPERATION(int, __wrap_cnd_timedwait, mz__condition *condition, mz__mutex *mutex,
              const struct timespec *deadline)
{
    if (mz__time_is_up(deadline) == EINVAL)
        return thrd_error;
    return mz_c11_result(mz__let_pass(deadline, mz__wait_with_limit(condition, mutex, "cnd_timedwait")));
}

MZ__OPERATION(int, __wrap_cnd_signal, mz__condition *condition)
{
    return mz_c11_result(mz__hook___wrap_pthread_cond_signal(condition));
}

MZ__OPERATION(int, __wrap_cnd_broadcast, mz__condition *condition)
{
    return mz_c11_result(mz__hook___wrap_pthread_cond_broadcast(condition));
}

/* ---- once, thread-specific data ------------------------------------------------------------------------
 */

MZ__HOOK(void, __wrap_call_once, int32_t *control, void (*routine)(void))
{
    mz__hook___wrap_pthread_once(control, routine);
}

MZ__HOOK(int, __wrap_tss_create, pthread_key_t *result, void (*destructor)(void *))
{
    return mz_c11_result(mz__hook___wrap_pthread_key_create(result, destructor));
}

MZ__HOOK(void, __wrap_tss_delete, pthread_key_t key)
{
    mz__hook___wrap_pthread_key_delete(key);
}

MZ__HOOK(void *, __wrap_tss_get, pthread_key_t key)
{
    return mz__hook___wrap_pthread_getspecific(key);
}

MZ__HOOK(int, __wrap_tss_set, pthread_key_t key, void *value)
{
    return mz_c11_result(mz__hook___wrap_pthread_setspecific(key, value));
}
