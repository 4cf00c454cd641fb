// A semaphore that has its highest value is not posted, and none begins above it.
// expect: safe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
int main(void)
{
    sem_t s;
    int value;
    assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    assert(sem_getvalue(&s, &value) == 0 && value == SEM_VALUE_MAX);
    assert(sem_wait(&s) == 0 && sem_post(&s) == 0);
    assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    return 0;
}
