/* Waiting for what never comes: who waits in a loop under weak memory waits for ever, or the flag comes late, and all is well. */
// expect: safe
// args: -DNOBODY
// expect: unsafe livelock
// args: -DNOBODY -DORDER=rlx
// expect: unsafe livelock
// args: -DTRIES=2 -DNOBODY
// expect: unsafe livelock
// args: -DTRIES=2
// expect: safe
// args: -DEACH_OTHER
// expect: unsafe livelock
// args: -DTAKE
// expect: safe
// args: -DTAKE -DNOBODY --memory=rc11
// expect: unsafe livelock
// args: -DTIMED
// expect: safe
// args: -DTIMED -DNOBODY
// expect: unsafe livelock
// args: -DTIMED -DNOBODY -DSIGNALS
// expect: unsafe livelock
// args: -DTIMED -DNOBODY -DSIGNALS -DTWO
// expect: unsafe livelock
#include "weak.h"
#include <time.h>
#ifndef ORDER
#define ORDER acq
#endif
#ifndef TRIES
#define TRIES 0
#endif
static atomic_int flag, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void await(void)
{
    for (int i = 0; i < TRIES; i++)
        if (atomic_load_explicit(&flag, ORDER))
            return;
#ifdef TAKE
    int one = 1;
    while (!atomic_compare_exchange_weak_explicit(&flag, &one, 2, ORDER, rlx))
        one = 1;
#else
    while (!atomic_load_explicit(&flag, ORDER))
        ;
#endif
}

static void await_signal(void)
{
    pthread_mutex_lock(&m);
    while (!ready) {
        struct timespec soon = {.tv_sec = 1};
        pthread_cond_timedwait(&changed, &m, &soon);
    }
    pthread_mutex_unlock(&m);
}

static void *sets(void *u)
{
#if defined EACH_OTHER
    while (!atomic_load_explicit(&other, ORDER))
        ;
#elif defined TIMED
    atomic_store_explicit(&other, 1, rlx);
    pthread_mutex_lock(&m);
#ifndef NOBODY
    ready = 1;
#endif
#if !defined NOBODY || defined SIGNALS
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&m);
#ifdef TWO
    await_signal();
#endif
#endif
#if !defined NOBODY && !defined TIMED
    atomic_store_explicit(&flag, 1, rel);
#endif
    return u;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, sets, 0);
    atomic_load_explicit(&other, rlx);
#ifdef TIMED
    await_signal();
#else
    await();
    atomic_store_explicit(&other, 1, rel);
#endif
    pthread_join(thread, 0);
}
