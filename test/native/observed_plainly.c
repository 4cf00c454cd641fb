// Which of two atomic stores was the last is seen by a plain read, too, where the program orders it after both: by main
// after its joins; of what sections have written (SECTION); by memcmp (BYTES); as the status of the program (STATUS); as part
// of a struct that is copied (COPY); under a mutex by a third thread, which knows that both have been there (MUTEX); of a
// variable on the stack of main (STACK), and of a block (BLOCK); after a plain write (OVER) there is nothing to see.
// expect: unsafe assertion 71
// args: -DSECTION
// expect: unsafe assertion 71
// args: -DBYTES
// expect: unsafe assertion 71
// args: -DSTATUS --check=default,exits
// expect: unsafe exit *
// args: -DCOPY
// expect: unsafe assertion 71
// args: -DMUTEX
// expect: unsafe assertion 71
// args: -DSTACK
// expect: unsafe assertion 71
// args: -DBLOCK
// expect: unsafe assertion 71
// args: -DOVER
// expect: safe full=yes
// args: --plain-accesses=unchecked
// expect: unsafe assertion 71
// args: --check=assertions
// expect: unsafe assertion 71
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static struct pair {
    int other, last;
} pair, *at = &pair;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stored;

static void *store(void *value)
{
    int v = (int)(size_t)value;
#ifdef SECTION
    __VERIFIER_atomic_begin();
    at->last = v;
    __VERIFIER_atomic_end();
#else
    __atomic_store_n(&at->last, v, __ATOMIC_SEQ_CST);
#endif
    pthread_mutex_lock(&m);
    stored++;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void look(void)
{
#ifdef BYTES
    const int two = 2;
    int last = memcmp(&at->last, &two, sizeof two) == 0 ? 2 : 1;
#elif defined COPY
    struct pair copy = *at;
    int last = copy.last;
#else
    int last = at->last;
#endif
#ifdef OVER
    at->last = 2;
    last = at->last;
#endif
    assert(last == 2);
}

static void *look_in_between(void *a)
{
    pthread_mutex_lock(&m);
    if (stored == 2)
        look();
    pthread_mutex_unlock(&m);
    return a;
}

int main(void)
{
    struct pair mine = {0, 0};
    pthread_t t[3];
#ifdef STACK
    at = &mine;
#elif defined BLOCK
    at = calloc(1, sizeof *at);
#endif
    pthread_create(&t[0], 0, store, (void *)1);
    pthread_create(&t[1], 0, store, (void *)2);
#ifdef MUTEX
    pthread_create(&t[2], 0, look_in_between, 0);
    pthread_join(t[2], 0);
#endif
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
#ifdef STATUS
    return at->last - 2;
#elif !defined MUTEX
    look();
#endif
    (void)mine, (void)t, (void)look_in_between;
    return 0;
}
