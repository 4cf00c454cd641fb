// A buffer for one, filled and emptied by loops that poll in atomic sections, both waiting for the same
// location. A consumer that wants more than there is waits for ever.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 36
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define N 2
#ifdef BUG
#define WANTED (N + 1)
#else
#define WANTED N
#endif
int buffer[N], count, out;

static void *producer(void *a)
{
    for (int i = 0; i < N;) {
        __VERIFIER_atomic_begin();
        if (count < 1) {
            buffer[count++] = i;
            i++;
        }
        __VERIFIER_atomic_end();
    }
    return a;
}

static void *consumer(void *a)
{
    for (int i = 0; i < WANTED;) {
        __VERIFIER_atomic_begin();
        if (count > 0) {
            assert(buffer[--count] == i);
            i++;
            out++;
        }
        __VERIFIER_atomic_end();
    }
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(out == N);
}
