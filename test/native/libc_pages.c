// Pages of the program's own. LATE: used after they are given back. RACE: two threads use one. FILE: what cannot be followed.
// expect: safe
// args: -DLATE
// expect: unsafe memory *
// args: -DRACE
// expect: unsafe data-race *
// args: -DFIXED
// expect: incomplete fixed place
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

static int *page;

static void *worker(void *arg) {
  page[1] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
#ifdef FIXED
  page = mmap((void *)0x10000000, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
#else
  page = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
  assert(page != MAP_FAILED && (uintptr_t)page % 4096 == 0 && page[0] == 0 && page[2047] == 0);
  page[2047] = 7;
  pthread_create(&t, NULL, worker, NULL);
#ifdef RACE
  page[1] = 2;
#else
  page[0] = 2;
#endif
  pthread_join(t, NULL);
  assert(page[1] == 1 && munmap(page, 5000) == 0);
#ifdef LATE
  page[0] = 3;
#endif
}
