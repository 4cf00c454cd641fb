// Every call that POSIX says shall be a cancellation point is one: the thread may end there, with its mutex.
// args: -DPOINT=0
// expect: unsafe deadlock *
// args: -DPOINT=1
// expect: unsafe deadlock *
// args: -DPOINT=2
// expect: unsafe deadlock *
// args: -DPOINT=3
// expect: unsafe deadlock *
// args: -DPOINT=4
// expect: unsafe deadlock *
// args: -DPOINT=5
// expect: unsafe deadlock *
// args: -DPOINT=6
// expect: unsafe deadlock *
// args: -DPOINT=7
// expect: unsafe deadlock *
// args: -DPOINT=8
// expect: unsafe deadlock *
// args: -DPOINT=9
// expect: unsafe deadlock *
// args: -DPOINT=10
// expect: unsafe deadlock *
// args: -DPOINT=11
// expect: unsafe deadlock *
// args: -DPOINT=12
// expect: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static char buffer[8];

static void point(void) {
  struct timespec moment = {0, 1};
  switch (POINT) {
  case 0: pthread_testcancel(); break;
  case 1: read(0, buffer, 1); break;
  case 2: write(1, buffer, 1); break;
  case 3: pread(0, buffer, 1, 0); break;
  case 4: open("/dev/null", O_RDONLY); break;
  case 5: close(77); break;
  case 6: sleep(1); break;
  case 7: usleep(1); break;
  case 8: nanosleep(&moment, NULL); break;
  case 9: clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL); break;
  case 10: sem_wait(&semaphore); break;
  case 11: thrd_sleep(&moment, NULL); break;
  case 12: lseek(0, 0, SEEK_SET); break;
  }
}

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  point();
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&semaphore, 0, 1);
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
}
