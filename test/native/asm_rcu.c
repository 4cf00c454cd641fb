// Readers that announce themselves and a writer that waits for them before it frees, as libraries for user space do it on x86:
// exchange, fences on the stack, loads and stores in assembly. EARLY: the writer does not wait.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DEARLY
// expect: unsafe data-race|memory *
// args: -DEARLY --cc=clang
// expect: unsafe data-race|memory *
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) unsigned long exchange(unsigned long *p, unsigned long value) {
  __asm__ __volatile__("xchgq %0, %1" : "=r"(value), "+m"(*p) : "0"(value) : "memory");
  return value;
}
static inline unsigned long load(unsigned long *p) {
  unsigned long value;
  __asm__ __volatile__("movq %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}
static inline void store(unsigned long *p, unsigned long value) {
  __asm__ __volatile__("movq %1, %0" : "=m"(*p) : "r"(value) : "memory");
}
static inline void fence(void) { __asm__ __volatile__("lock; addl $0, -4(%%rsp)" ::: "cc", "memory"); }
static inline void relax(void) { __asm__ __volatile__("rep; nop" ::: "memory"); }
static inline void add_one(unsigned long *p) { __asm__ __volatile__("lock; incq %0" : "=m"(*p) : "m"(*p) : "cc", "memory"); }

struct node {
  int value;
};
static unsigned long current, inside, replaced;

static void read_lock(void) {
  store(&inside, 1);
  fence();
}
static void read_unlock(void) {
  fence();
  store(&inside, 0);
}
static void synchronize(void) {
  fence();
#ifndef EARLY
  while (load(&inside))
    relax();
#endif
  fence();
}

static void *reader(void *a) {
  read_lock();
  struct node *n = (struct node *)load(&current);
  assert(n->value == 1 || n->value == 2);
  read_unlock();
  return a;
}

int main(void) {
  pthread_t t;
  struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  first->value = 1;
  second->value = 2;
  store(&current, (unsigned long)first);
  pthread_create(&t, 0, reader, 0);
  struct node *old = (struct node *)exchange(&current, (unsigned long)second);
  add_one(&replaced);
  synchronize();
  free(old);
  pthread_join(t, 0);
  assert(load(&replaced) == 1);
  free(second);
  return 0;
}
