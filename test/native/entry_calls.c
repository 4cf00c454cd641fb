// Threads written as calls, over what the setup returned: by a name that it gives to it, or by the one that the others use.
// Static functions can be called, too, and several statements.
// args: --entry=push(s,1),push(s,2) --entry-setup=s=make(4) --entry-finally=expect(s,2)
// expect: safe traces=2
// args: --entry=push(s,1),push(s,2) --entry-setup=make(4) --entry-finally=expect(s,2)
// expect: safe traces=2
// args: --entry=push(made,1),push(made,2) --entry-setup=make_four --entry-finally=expect(made,2)
// expect: safe traces=2
// args: --entry=push(s,1),push(s,2) --entry-setup=s=make(1) --entry-finally=expect(s,2)
// expect: unsafe assertion 52
// args: --entry=push(s,1),{int/**/v=pop(s);expect_one_of(v,-1,1);} --entry-setup=s=make(4)
// expect: safe traces=2
// args: --entry=push(&common,VALUE),push(&common,2) --entry-finally=expect(&common,2)
// expect: safe traces=2
// args: --entry=push_unlocked(&common,VALUE),push(&common,2)
// expect: unsafe data-race *
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define VALUE 7

struct stack {
  pthread_mutex_t mutex;
  int depth, size, values[8];
};

static struct stack common = {PTHREAD_MUTEX_INITIALIZER, 0, 4, {0}};

struct stack *make(int size) {
  common.size = size;
  return &common;
}

struct stack *make_four(void) {
  return make(4);
}

static void push_unlocked(struct stack *s, int value) {
  if (s->depth < s->size)
    s->values[s->depth++] = value;
}

int push(struct stack *s, int value) {
  pthread_mutex_lock(&s->mutex);
  push_unlocked(s, value);
  pthread_mutex_unlock(&s->mutex);
  return 0;
}

static void expect(struct stack *s, int depth) {
  assert(s->depth == depth);
}

static void expect_one_of(int value, int one, int other) {
  assert(value == one || value == other);
}

int pop(struct stack *s) {
  pthread_mutex_lock(&s->mutex);
  int value = s->depth ? s->values[--s->depth] : -1;
  pthread_mutex_unlock(&s->mutex);
  return value;
}
