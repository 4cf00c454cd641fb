// Sums commute if nobody looks at their results: 4 additions are 4! = 24 orders, and one with classes. With a load
// beside them it reads the sum of any of 16 subsets.
// expect: safe traces=24 refined=1
// args: -DLOAD
// expect: safe traces=120 refined=16
// args: -DUSED
// expect: safe traces=24
// args: -DMIXED
// expect: safe traces=24 refined=8
// args: -DN=8
// expect: safe traces=1 observations=40320
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int sum;
static int last;

static void *add(void *number)
{
#ifdef USED
    int before = atomic_fetch_add(&sum, 1);
    (void)number;
    return before == N - 1 ? &last : 0;
#elif defined MIXED /* the last one is another kind of update: any of the 8 subsets of the others comes before it */
    if (*(int *)number == N - 1)
        atomic_fetch_xor(&sum, 8);
    else
        atomic_fetch_add(&sum, 1);
    return 0;
#else
    (void)number;
    atomic_fetch_add(&sum, 1);
    return 0;
#endif
}

#ifdef LOAD
static void *look(void *unused)
{
    last = atomic_load(&sum);
    return unused;
}
#endif

int main(void)
{
    pthread_t threads[N + 1];
    int numbers[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, add, &numbers[i]);
    }
#ifdef LOAD
    pthread_create(&threads[N], 0, look, 0);
    pthread_join(threads[N], 0);
#endif
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(last <= N);
}
