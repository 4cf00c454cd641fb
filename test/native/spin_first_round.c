// The first round of a loop that waits changes something, which every further one finds changed: it counts. What is changed
// is the thread's own: no other thread touches it, so that no event tells of it.
// expect: unsafe assertion 100
// args: -DSTORE
// expect: unsafe assertion 100
// args: -DEXCHANGE
// expect: unsafe assertion 100
// args: -DFLAG
// expect: unsafe assertion 100
// args: -DHEAP
// expect: unsafe assertion 100
// args: -DSEMAPHORE
// expect: unsafe assertion 100
// args: -DERRNO
// expect: unsafe assertion 100
// args: -DCANCEL
// expect: unsafe assertion 100
// args: -DREAD
// expect: unsafe assertion 98
// args: -DROUNDING
// expect: unsafe assertion 98
// args: -DNOTHING
// expect: safe
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int a, c, own;
#if defined(STORE)
#define CHANGE()  atomic_store(&own, 1)
#define CHANGED() own
#elif defined(EXCHANGE)
#define CHANGE()  atomic_exchange(&own, 1)
#define CHANGED() own
#elif defined(FLAG)
static atomic_flag flag = ATOMIC_FLAG_INIT;
#define CHANGE()  atomic_flag_test_and_set(&flag)
#define CHANGED() atomic_flag_test_and_set(&flag)
#elif defined(HEAP)
#define PREPARE() atomic_int *block = calloc(1, sizeof *block)
#define CHANGE()  atomic_fetch_or(block, 1)
#define CHANGED() *block
#elif defined(SEMAPHORE)
static sem_t semaphore;
#define PREPARE() sem_init(&semaphore, 0, 1)
#define CHANGE()  sem_trywait(&semaphore)
#define CHANGED() (sem_trywait(&semaphore) != 0)
#elif defined(ERRNO)
#define PREPARE() errno = 0
#define CHANGE()  close(-1)
#define CHANGED() errno
#elif defined(CANCEL)
static int state;
#define CHANGE()  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL)
#define CHANGED() (pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state), state == PTHREAD_CANCEL_DISABLE)
#elif defined(READ)
#define BEFORE()  atomic_store(&own, atomic_load(&c))
#define CHANGE()  assert(own == 0)
#define CHANGED() 0
#elif defined(ROUNDING)
#define BEFORE()  if (atomic_load(&c)) fesetround(FE_UPWARD)
#define CHANGE()  assert(fegetround() == FE_TONEAREST)
#define CHANGED() 0
#elif defined(NOTHING)
#define CHANGE()  (void)0
#define CHANGED() own
#else
#define CHANGE()  atomic_fetch_or(&own, 1)
#define CHANGED() own
#endif
#ifndef PREPARE
#define PREPARE() (void)0
#endif
#ifndef BEFORE
#define BEFORE()  (void)0
#endif

static void *other(void *argument)
{
    a = 1;
    c = 1;
    a = 0;
    return argument;
}

int main(void)
{
    pthread_t t;
    PREPARE();
    pthread_create(&t, NULL, other, NULL);
    BEFORE();
    while (a == 1)
        CHANGE();
    pthread_join(t, NULL);
    assert(!CHANGED());
    return 0;
}
