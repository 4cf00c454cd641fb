// One writer and 14 readers, each of which comes before or after it: 2^14 = 16,384 traces. Every reader notes in a cell of
// its own what it saw, so that every trace has another note; exactly one note, 10100101101001, is wrong.
// expect: unsafe assertion 35
// args: --all-errors
// expect: unsafe assertion 35 traces=16384 found=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define READERS 14
static atomic_int x;
static int note[READERS];

static void *writer(void *arg) {
  x = 1;
  return arg;
}

static void *reader(void *arg) {
  note[(long)arg] = x;
  return NULL;
}

int main(void) {
  pthread_t w, r[READERS];
  pthread_create(&w, NULL, writer, NULL);
  for (long i = 0; i < READERS; i++)
    pthread_create(&r[i], NULL, reader, (void *)i);
  pthread_join(w, NULL);
  int all = 0;
  for (int i = 0; i < READERS; i++) {
    pthread_join(r[i], NULL);
    all = 2 * all + note[i];
  }
  assert(all != 0x2969);
}
