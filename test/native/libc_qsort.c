// The library calls the program back. What a comparison looks at is looked at by the thread that sorts; and a
// comparison may be interrupted by others: here it takes a mutex, which main takes as well.
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
// args: -DWRONG
// expect: unsafe assertion 43
// args: --cc=clang
// expect: safe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { COUNT = 4 };
typedef struct item {
  short key;
  char name[5];
} item;

static item items[COUNT] = {{3, "c"}, {1, "a"}, {3, "b"}, {2, "d"}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int comparisons;

static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  comparisons++;
  pthread_mutex_unlock(&lock);
  return ((const item *)a)->key - ((const item *)b)->key;
}

static int descending(const void *a, const void *b, void *sign) { return *(int *)sign * compare(a, b); }

static void *sorter(void *arg) {
  int sign = -1;
  item key = {2, ""};
  qsort(items, COUNT, sizeof *items, compare);
  for (int i = 1; i < COUNT; i++)
    assert(items[i - 1].key <= items[i].key);
  item *found = bsearch(&key, items, COUNT, sizeof *items, compare);
  assert(found && found->name[0] == 'd');
#ifdef WRONG
  assert(comparisons < 5);
#endif
  qsort_r(items, COUNT, sizeof *items, descending, &sign);
  assert(items[0].key == 3 && items[3].key == 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sorter, NULL);
  pthread_mutex_lock(&lock);
  comparisons += 0;
  pthread_mutex_unlock(&lock);
#ifdef RACE
  items[2].key++;
#endif
  pthread_join(t, NULL);
  assert(comparisons > 0);
}
