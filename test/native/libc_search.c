// <search.h>: arrays, trees, the hash table and queues. A tree that two threads change is a race.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void arrays(void) {
  int numbers[4] = {3, 1, 2}, key = 1, missing = 9;
  size_t count = 3;
  assert(lfind(&key, numbers, &count, sizeof *numbers, compare) == &numbers[1]);
  assert(!lfind(&missing, numbers, &count, sizeof *numbers, compare) && count == 3);
  assert(lsearch(&missing, numbers, &count, sizeof *numbers, compare) == &numbers[3] && count == 4 && numbers[3] == 9);
  assert(lsearch(&key, numbers, &count, sizeof *numbers, compare) == &numbers[1] && count == 4);
}

static int seen[8], seen_count, released;
static void visit(const void *node, VISIT which, int level) {
  if (which == postorder || which == leaf)
    seen[seen_count++] = **(int *const *)node;
  assert(level >= 0 && level < 8);
}
static void add(const void *node, VISIT which, void *sum) {
  if (which == postorder || which == leaf)
    *(int *)sum += **(int *const *)node;
}
static void release(void *key) { released += *(int *)key; }

static void trees(void) {
  static int keys[] = {4, 2, 6, 1, 3, 5, 7};
  int other = 9, sum = 0;
  void *root = NULL;
  for (int i = 0; i < 7; i++)
    assert(**(int **)tsearch(&keys[i], &root, compare) == keys[i]);
  int two = 2;
  assert(*(int **)tsearch(&two, &root, compare) == &keys[1]); // the one that was there
  assert(*(int **)tfind(&two, &root, compare) == &keys[1] && !tfind(&other, &root, compare));
  seen_count = 0;
  twalk(root, visit);
  for (int i = 0; i < 7; i++)
    assert(seen[i] == i + 1);
  twalk_r(root, add, &sum);
  assert(seen_count == 7 && sum == 28);
  assert(!tdelete(&other, &root, compare) && tdelete(&keys[0], &root, compare) && tdelete(&two, &root, compare));
  seen_count = 0;
  twalk(root, visit);
  static const int left[] = {1, 3, 5, 6, 7};
  assert(seen_count == 5 && memcmp(seen, left, sizeof left) == 0);
  released = 0;
  tdestroy(root, release);
  assert(released == 22);
}

static void table(void) {
  assert(hcreate(10));
  ENTRY one = {"one", (void *)1}, changed = {"one", (void *)2}, two = {"two", NULL};
  assert(hsearch(one, ENTER)->data == (void *)1);
  assert(hsearch(changed, ENTER)->data == (void *)1); // what is there stays
  assert(hsearch(changed, FIND)->data == (void *)1);
  assert(!hsearch(two, FIND) && errno == ESRCH);
  hdestroy();
}

static void queues(void) {
  struct element {
    struct element *next, *before;
  } a, b, c;
  insque(&a, NULL);
  insque(&c, &a);
  insque(&b, &a);
  assert(a.next == &b && b.next == &c && !c.next && c.before == &b && b.before == &a && !a.before);
  remque(&b);
  assert(a.next == &c && c.before == &a);
}

static void *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[] = {1, 2};

static void *insert(void *key) {
#ifndef RACE
  pthread_mutex_lock(&lock);
#endif
  tsearch(key, &shared, compare);
#ifndef RACE
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[2];
  mz_choose(0, 1); // everything happens twice
  arrays();
  trees();
  table();
  queues();
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, insert, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(tfind(&numbers[0], &shared, compare) && tfind(&numbers[1], &shared, compare));
  return 0;
}
