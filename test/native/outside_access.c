// What a thread does outside happens while others go through any number of iterations: it touches nothing there that others
// may touch, also where they do so much later only (LATER). Nor does it do an operation there, hold a lock, or go outside
// twice; and who has not gone does not come back. Its own stack and its own blocks it may use (OWN).
// args: -DREADS
// expect: unsafe lock *
// args: -DREADS --races=ignore
// expect: unsafe lock *
// args: -DLATER
// expect: unsafe lock *
// args: -DSTACK
// expect: unsafe lock *
// args: -DOPERATES
// expect: unsafe lock *
// args: -DHOLDS
// expect: unsafe lock *
// args: -DTWICE
// expect: unsafe lock *
// args: -DNEVER
// expect: unsafe lock *
// args: -DOWN
// expect: safe
// expect: safe
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, rounds;
static int *of_main = &shared;

static void *other(void *arg) {
  for (;;) {
    mz_loop_boundary();
    pthread_mutex_lock(&lock);
    if (rounds < 2)
      rounds++;
    else
      *of_main = !*of_main;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  int local = 0;
  char *block = calloc(2, 8);
#ifdef STACK
  of_main = &local;
#endif
  pthread_create(&t, NULL, other, NULL);
  for (int first = 1;; first = 0) {
#ifdef HOLDS
    pthread_mutex_lock(&lock);
#endif
#ifndef NEVER
    mz_outside_begin();
#endif
#ifdef TWICE
    mz_outside_begin();
#endif
#ifdef READS
    local = rounds < 0;
#endif
#ifdef LATER
    if (first)
      local = shared;
#endif
#ifdef STACK
    if (first)
      local = 1;
#endif
#ifdef OWN
    memset(block, first, 8);
#endif
#ifdef OPERATES
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
    mz_outside_end();
#ifdef HOLDS
    pthread_mutex_unlock(&lock);
#endif
    mz_assert(local < 2 && block[0] < 2);
  }
}
