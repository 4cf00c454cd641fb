// A deadline that is meant never to come may come all the same, as far as the checker goes. Then it is that late, or as late as
// clocks go, and from there time does not run backwards. (FAR: other times that are far, of which clocks can tell the first.)
// expect: safe traces=1
// args: -DFAR=4294967295
// expect: safe traces=1
// args: -DFAR=22446744074
// expect: safe traces=1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#ifndef FAR
#define FAR LONG_MAX
#endif

static const struct timespec never = {.tv_sec = FAR};

static void is_late(struct timespec *last) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec >= FAR || now.tv_sec >= 9000000000);
  assert(now.tv_sec > last->tv_sec || (now.tv_sec == last->tv_sec && now.tv_nsec >= last->tv_nsec));
  *last = now;
}

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  sem_t semaphore;
  struct timespec last = {0, 0};
  sem_init(&semaphore, 0, 0);
  assert(sem_timedwait(&semaphore, &never) == -1 && errno == ETIMEDOUT);
  is_late(&last);
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_timedwait(&changed, &mutex, &never) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  is_late(&last);
  nanosleep(&never, NULL);
  is_late(&last);
  is_late(&last);
}
