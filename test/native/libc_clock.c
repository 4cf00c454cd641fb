// A clock does not run backwards, not even from one thread to the next; sleeping takes the time that it takes; and
// nothing about this depends on the machine.
// expect: safe
// args: -DWRONG
// expect: unsafe assertion 49
// args: --cc=clang
// expect: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic long long stamp;
static atomic_int order;

static long long now(void) {
  struct timespec t;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *worker(void *arg) {
  if (arg)
    sleep(5);
  long long before = atomic_load(&stamp), here = now();
  assert(here > before);
  atomic_store(&stamp, here);
  atomic_fetch_add(&order, 1);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  time_t start = time(NULL);
  long long began = now();
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(time(NULL) - start >= 5 && now() > atomic_load(&stamp));
  struct timespec pause = {1, 500000000}, late = {time(NULL) + 60, 0}, bad = {0, 1000000000};
  assert(nanosleep(&pause, NULL) == 0 && nanosleep(&bad, NULL) == -1 && errno == EINVAL);
  usleep(1000);
#ifdef WRONG
  assert(now() - began < 6500000000LL);
#endif
  assert(now() - began >= 6500000000LL);
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &late, NULL) == 0 && time(NULL) >= late.tv_sec);
  struct timeval day;
  struct tm calendar;
  assert(gettimeofday(&day, NULL) == 0 && gmtime_r(&day.tv_sec, &calendar) && calendar.tm_year == 101);
  assert(mktime(&calendar) == day.tv_sec && clock() >= 60 * CLOCKS_PER_SEC);
  char text[32];
  assert(strftime(text, sizeof text, "%Y-%m-%d", &calendar) == 10 && text[0] == '2');
}
