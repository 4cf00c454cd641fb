// Vyukov's bounded queue for many producers and consumers: each cell has a sequence number. Two producers, one consumer that
// tries twice. BUG: the cell's number is published before its value.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 29|50
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
struct cell {
  atomic_uint sequence;
  int value;
};
static struct cell cells[SIZE];
static atomic_uint head, tail;
static int got[3];

static int put(int value) {
  unsigned pos = tail;
  for (;;) {
    struct cell *c = &cells[pos % SIZE];
    int d = (int)(c->sequence - pos);
    if (d == 0) {
      if (!atomic_compare_exchange_strong(&tail, &pos, pos + 1))
        continue;
#ifdef BUG
      c->sequence = pos + 1;
      c->value = value;
#else
      c->value = value;
      c->sequence = pos + 1;
#endif
      return 1;
    }
    if (d < 0)
      return 0;
    pos = tail;
  }
}

static int get(void) {
  unsigned pos = head;
  for (;;) {
    struct cell *c = &cells[pos % SIZE];
    int d = (int)(c->sequence - (pos + 1));
    if (d == 0) {
      if (!atomic_compare_exchange_strong(&head, &pos, pos + 1))
        continue;
      int value = c->value;
      c->sequence = pos + SIZE;
      return value;
    }
    if (d < 0)
      return 0;
    pos = head;
  }
}

static void *producer(void *arg) {
  int done = put((int)(long)arg);
  assert(done);
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++)
    got[get()]++;
  return NULL;
}

int main(void) {
  pthread_t p[2], c;
  for (unsigned i = 0; i < SIZE; i++)
    cells[i].sequence = i;
  for (long i = 0; i < 2; i++)
    pthread_create(&p[i], NULL, producer, (void *)(i + 1));
  pthread_create(&c, NULL, consumer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(p[i], NULL);
  pthread_join(c, NULL);
  assert(got[1] <= 1 && got[2] <= 1 && got[0] + got[1] + got[2] == 2);
}
