// A lock-free hash set with open addressing: a cell is claimed with compare-and-swap. Both insert 5, one of them 8, too.
// BUG: a cell is looked at first and written afterwards.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 50|54
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 3
static atomic_int table[SIZE], added;

static void insert(int key) {
  for (int i = key % SIZE;; i = (i + 1) % SIZE) {
#ifdef BUG
    int there = table[i];
    if (there == 0) {
      table[i] = key;
#else
    int there = 0;
    if (atomic_compare_exchange_strong(&table[i], &there, key)) {
#endif
      atomic_fetch_add(&added, 1);
      return;
    }
    if (there == key)
      return;
  }
}

static void *one(void *arg) {
  (void)arg;
  insert(5);
  return NULL;
}

static void *two(void *arg) {
  (void)arg;
  insert(8);
  insert(5);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(added == 2);
  int fives = 0, eights = 0;
  for (int i = 0; i < SIZE; i++)
    fives += table[i] == 5, eights += table[i] == 8;
  assert(fives == 1 && eights == 1);
}
