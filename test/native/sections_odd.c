// Critical sections that do something else than to look at data and to change some, beside others that have no order:
// verdicts are those of the published relation.
//
// A race that the order of sections hides in each of their orders, though the sections do not conflict.
// args: -DRACE
// expect: unsafe data-race *
// args: -DRACE --relation=published
// expect: unsafe data-race *
// Data of two mutexes.
// args: -DTWO
// expect: unsafe data-race *
// A section in a section, the other way round in another thread.
// args: -DNESTED
// expect: unsafe deadlock *
// Who tries sees that it is held.
// args: -DTRY
// expect: unsafe assertion *
// One waits for a condition with the mutex.
// args: -DCONDITION
// expect: safe
// args: -DLOST
// expect: unsafe deadlock *
// A thread ends, or locks again, while it holds the mutex.
// args: -DKEPT
// expect: unsafe deadlock * or lock *
// args: -DTWICE
// expect: unsafe lock *
// args: -DFOREIGN
// expect: unsafe lock *
// An assertion inside of a section, which depends on what another one has written.
// args: -DASSERT
// expect: unsafe assertion *
// What was read decides whether there is another section inside.
// args: -DDEPENDS
// expect: unsafe deadlock *
// Anti-dependency: reading before somebody writes is an order, too; no race.
// args: -DBEFORE
// expect: safe
// The mutex was locked before there were several threads, and is given up by a wait.
// args: -DEARLY
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y, z, a[3];
static atomic_int before;

#define LOCK(mutex)   pthread_mutex_lock(&mutex)
#define UNLOCK(mutex) pthread_mutex_unlock(&mutex)

static void own_section(int own)
{
    LOCK(m);
    a[own]++;
    UNLOCK(m);
}

static void *first(void *argument)
{
    own_section(0);
#if defined(RACE)
    x = 1;
    own_section(0);
#elif defined(TWO)
    LOCK(n);
    x = 1;
    UNLOCK(n);
#elif defined(NESTED)
    LOCK(m);
    LOCK(n);
    UNLOCK(n);
    UNLOCK(m);
#elif defined(TRY)
    int failed = pthread_mutex_trylock(&m);
    if (!failed)
        UNLOCK(m);
    assert(!failed);
#elif defined(CONDITION) || defined(LOST)
    LOCK(m);
#ifdef CONDITION
    while (!x)
#endif
        pthread_cond_wait(&c, &m);
    UNLOCK(m);
#elif defined(KEPT)
    LOCK(m);
#elif defined(TWICE)
    LOCK(m);
    LOCK(m);
#elif defined(FOREIGN)
    UNLOCK(m);
#elif defined(ASSERT)
    LOCK(m);
    x = 1;
    UNLOCK(m);
#elif defined(DEPENDS)
    LOCK(m);
    if (x) {
        LOCK(n);
        UNLOCK(n);
    }
    UNLOCK(m);
#elif defined(BEFORE)
    LOCK(m);
    if (!x)
        z = 1;
    UNLOCK(m);
#endif
    return argument;
}

static void *second(void *argument)
{
#ifdef EARLY
    before = 1;
    LOCK(m);
    assert(before == 1);
    x = 1;
    pthread_cond_signal(&c);
    UNLOCK(m);
#endif
    own_section(1);
#if defined(RACE) || defined(TWO)
    LOCK(m);
    x = 1;
    UNLOCK(m);
#elif defined(NESTED)
    LOCK(n);
    LOCK(m);
    UNLOCK(m);
    UNLOCK(n);
#elif defined(TRY)
    own_section(1);
#elif defined(CONDITION) || defined(LOST)
    LOCK(m);
    x = 1;
    pthread_cond_signal(&c);
    UNLOCK(m);
#elif defined(KEPT)
    own_section(1);
#elif defined(ASSERT)
    LOCK(m);
    assert(x == 0);
    UNLOCK(m);
#elif defined(DEPENDS)
    LOCK(m);
    x = 1;
    UNLOCK(m);
    LOCK(n);
    LOCK(m);
    UNLOCK(m);
    UNLOCK(n);
#elif defined(BEFORE)
    LOCK(m);
    x = 1;
    UNLOCK(m);
#endif
    return argument;
}

static void *third(void *argument)
{
    own_section(2);
#ifdef BEFORE
    LOCK(m);
    y = x;
    UNLOCK(m);
    if (y)
        z = 2;
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[3];
#ifdef EARLY
    LOCK(m);
#endif
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
#ifdef EARLY
    before++;
    while (!x)
        pthread_cond_wait(&c, &m);
    UNLOCK(m);
#endif
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
