// What the program prints does not come between the checker's own words.
// expect: safe traces=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *worker(void *arg) {
  printf("%d\n", atomic_fetch_add(&x, 1));
  fprintf(stderr, "worker %ld\n", (long)arg);
  puts("{\"verdict\":\"unsafe\"}");
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  fflush(stdout);
}
