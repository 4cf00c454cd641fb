// Who waits looks at what he waits for: a plain write to that races with it, also if he can go on only before the write, and
// where nothing else comes of it. Where races are not asked for, the other order is tried.
// expect: unsafe data-race *
// args: --check=assertions
// expect: unsafe assertion 108
// args: --races=ignore
// expect: unsafe assertion 108
// args: -DCAS
// expect: unsafe data-race *
// args: -DCAS --check=assertions
// expect: unsafe assertion 108
// args: -DTWO
// expect: unsafe data-race *
// args: -DSECTION
// expect: unsafe data-race *
// args: -DSECTION --check=assertions
// expect: unsafe assertion 108
// args: -DLOCKS
// expect: unsafe data-race *
// args: -DLOCKS --check=assertions
// expect: unsafe assertion 108
// args: -DSEMAPHORE
// expect: unsafe data-race *
// args: -DSEMAPHORE --check=assertions
// expect: unsafe assertion 108
// args: -DMUTEX
// expect: unsafe data-race *
// args: -DMUTEX --check=assertions
// expect: unsafe assertion 108
// args: -DIN_VAIN
// expect: unsafe data-race *
// args: -DIN_VAIN --check=data-races
// expect: unsafe data-race *
// args: -DIN_VAIN --all-errors --main-exit=join
// expect: unsafe data-race * livelock *
// args: -DORDERED
// expect: safe
// args: -DORDERED_SECTION
// expect: safe
// args: -DPOLLED
// expect: safe
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

extern void __VERIFIER_assume(int);
static int x, y, flag;
static sem_t semaphore;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held;
#define LOAD(v)     __atomic_load_n(&v, __ATOMIC_SEQ_CST)
#define STORE(v, k) __atomic_store_n(&v, k, __ATOMIC_SEQ_CST)
#define PREPARE()   (void)0
#define WRITE()     x = 1

#if defined(CAS)
#define WAIT() for (int e = 0; !__atomic_compare_exchange_n(&x, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);) e = 0
#elif defined(TWO)
#define WAIT() while (LOAD(y) == 0 && LOAD(x) == 1)
#elif defined(SECTION)
static void __VERIFIER_atomic_pass(void)
{
    __VERIFIER_assume(x != 1);
}
#define WAIT() __VERIFIER_atomic_pass()
#elif defined(LOCKS) /* main holds it */
#undef PREPARE
#define PREPARE() pthread_mutex_lock(&m)
#define WAIT()    (mz_atomic_begin(), x == 1 ? pthread_mutex_lock(&m) : 0, mz_atomic_end())
#elif defined(SEMAPHORE)
#undef PREPARE
#undef WRITE
#define PREPARE() sem_init(&semaphore, 0, 1)
#define WRITE()   memset(&semaphore, 0, sizeof semaphore)
#define WAIT()    sem_wait(&semaphore)
#elif defined(MUTEX)
#undef PREPARE
#undef WRITE
#define PREPARE() pthread_mutex_lock(&held)
#define WRITE()   memcpy(&m, &held, sizeof m)
#define WAIT()    pthread_mutex_lock(&m)
#elif defined(IN_VAIN)
#undef WRITE
#define WRITE() x = 0
#define WAIT()  while (LOAD(x) == 0)
#elif defined(ORDERED)
#undef WRITE
#define WRITE() (x = 1, STORE(flag, 1))
#define WAIT()  do ; while (LOAD(flag) == 0); while (LOAD(x) == 0)
#elif defined(ORDERED_SECTION) /* what it has acquired counts */
#undef WRITE
#define WRITE() (x = 1, mz_atomic_begin(), flag = 1, mz_atomic_end())
#define WAIT()  (mz_atomic_begin(), __VERIFIER_assume(flag && (x != 1 || y == 1)), mz_atomic_end())
#define LATER() (mz_atomic_begin(), y = 1, mz_atomic_end())
#elif defined(POLLED) /* under a mutex */
#undef WRITE
#define WRITE() (pthread_mutex_lock(&m), x = 1, pthread_mutex_unlock(&m))
#define WAIT()  for (int seen = 0; !seen;) { pthread_mutex_lock(&m); seen = x; pthread_mutex_unlock(&m); }
#else
#define WAIT() while (LOAD(x) == 1)
#endif

static void *waits(void *argument)
{
    WAIT();
#if !defined(IN_VAIN) && !defined(ORDERED) && !defined(ORDERED_SECTION) && !defined(POLLED)
    assert(0);
#endif
    return argument;
}

static void *writes(void *argument)
{
    WRITE();
    return argument;
}

int main(void)
{
    pthread_t t, u;
    PREPARE();
    pthread_create(&t, NULL, writes, NULL);
    pthread_create(&u, NULL, waits, NULL);
    pthread_join(t, NULL);
#ifdef LATER
    LATER();
#endif
    return 0;
}
