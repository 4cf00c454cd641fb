// A lock-free stack with a counter against reuse, and a ticket lock, in the manner of libraries that write every access to what
// is shared in assembly: loads, stores, fences, compare-exchange of one and of two words, fetch-and-add. WEAK: the stack takes
// its top without looking at the counter of changes, and one element is taken twice.
// expect: safe
// args: -DTICKETS
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DTICKETS --cc=clang
// expect: safe
// args: -DWEAK
// expect: unsafe assertion 99
// args: -DTICKETS -DWEAK
// expect: unsafe data-race|assertion *
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define LOAD(name, type, word, reg)                                                    \
  static inline type load_##name(type *from) {                                   \
    type value;                                                                        \
    __asm__ __volatile__("mov" word " %1, %0" : "=" reg(value) : "m"(*from) : "memory"); \
    return value;                                                                      \
  }                                                                                    \
  static inline void store_##name(type *to, type value) {                              \
    __asm__ __volatile__("mov" word " %1, %0" : "=m"(*to) : reg "i"(value) : "memory"); \
  }
LOAD(pointer, void *, "q", "r")
LOAD(word, unsigned long, "q", "r")
LOAD(int, unsigned, "l", "r")

static inline void barrier(void) { __asm__ __volatile__("" ::: "memory"); }
static inline void fence(void) { __asm__ __volatile__("mfence" ::: "memory"); }
static inline void stall(void) { __asm__ __volatile__("pause" ::: "memory"); }

static inline unsigned fetch_add(unsigned *p, unsigned d) {
  __asm__ __volatile__("lock xaddl %1, %0" : "+m"(*p), "+q"(d) : : "memory", "cc");
  return d;
}

struct entry {
  struct entry *next;
};
struct stack {
  struct entry *head;
  unsigned long generation;
} __attribute__((aligned(16)));

/* Both words at once; what is there comes back in *seen. */
static inline bool exchange_both(struct stack *s, struct stack *seen, struct stack with) {
  bool done;
  __asm__ __volatile__("lock cmpxchg16b %0; setz %1"
                       : "+m"(*s), "=q"(done), "+a"(seen->head), "+d"(seen->generation)
                       : "b"(with.head), "c"(with.generation)
                       : "memory", "cc");
  return done;
}

static inline bool exchange_head(struct stack *s, struct entry *seen, struct entry *with) {
  bool done;
  __asm__ __volatile__("lock cmpxchgq %3, %0; setz %1" : "+m"(s->head), "=q"(done), "+a"(seen) : "q"(with) : "memory", "cc");
  return done;
}

static struct stack stack;
static struct entry entries[2];
static int owners[2];

static void push(struct entry *e) {
  struct stack seen;
  seen.head = load_pointer((void **)&stack.head);
  seen.generation = load_word(&stack.generation);
  do
    store_pointer((void **)&e->next, seen.head);
  while (!exchange_both(&stack, &seen, (struct stack){e, seen.generation + 1}));
}

static struct entry *pop(void) {
  struct stack seen;
  seen.generation = load_word(&stack.generation);
  seen.head = load_pointer((void **)&stack.head);
  while (seen.head) {
    struct entry *next = load_pointer((void **)&seen.head->next);
#ifdef WEAK
    if (exchange_head(&stack, seen.head, next))
      return seen.head;
    seen.head = load_pointer((void **)&stack.head);
#else
    if (exchange_both(&stack, &seen, (struct stack){next, seen.generation + 1}))
      return seen.head;
#endif
  }
  return NULL;
}

static void take(struct entry *e) {
  if (e)
    assert(fetch_add((unsigned *)&owners[e - entries], 1) == 0);
}

static void give(struct entry *e) {
  fetch_add((unsigned *)&owners[e - entries], -1U);
  push(e);
}

static unsigned next_ticket, now_serving;
static int plain;

static void lock(void) {
  unsigned mine = fetch_add(&next_ticket, 1);
#ifndef WEAK
  while (load_int(&now_serving) != mine)
    stall();
#endif
  (void)mine;
  fence();
}

static void unlock(void) {
  barrier();
  store_int(&now_serving, load_int(&now_serving) + 1);
}

static void *work(void *a) {
#ifdef TICKETS
  lock();
  plain++;
  unlock();
#else
  struct entry *first = pop(), *second;
  take(first);
  second = pop();
  take(second);
  if (first)
    give(first);
#endif
  return a;
}

int main(void) {
  pthread_t t;
#ifndef TICKETS
  push(&entries[0]);
  push(&entries[1]);
#endif
  pthread_create(&t, 0, work, 0);
#ifdef TICKETS
  work(NULL);
#else
  take(pop());
  take(pop());
#endif
  pthread_join(t, 0);
#ifdef TICKETS
  assert(plain == 2);
#endif
  return 0;
}
