/* For the small programs of 'mazurka bench irs': start threads, wait for them, and say on standard output how
 * many nanoseconds that took. */
#ifndef BENCH_IRS_THREADS_H
#define BENCH_IRS_THREADS_H

#include <pthread.h>
#include <stdio.h>
#include <time.h>

typedef void *(*thread_function)(void *);

static inline int run_threads(int count, const thread_function *functions)
{
    pthread_t threads[count];
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, functions[i], (void *)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}

#endif
