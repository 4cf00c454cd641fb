// Bytes and the word that they make up: the bytes do not conflict with each other, but both do with the word: each comes before
// or after its load, 2 * 2 traces.
// expect: safe traces=4 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  atomic_uint word;
  atomic_uchar byte[4];
} u;

static void *writes(void *arg) {
  u.byte[(long)arg] = 1;
  return NULL;
}

static void *reads(void *arg) {
  unsigned w = u.word;
  assert((w & 0xfefefefe) == 0);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, writes, (void *)i);
  pthread_create(&t[2], NULL, reads, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
