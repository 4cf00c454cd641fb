// A semaphore is freed while another thread posts it.
// expect: unsafe data-race|memory *
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct o {
  sem_t s;
};
static void *t(void *a) {
  struct o *p = a;
  sem_post(&p->s);
  sem_post(&p->s);
  return 0;
}
int main() {
  pthread_t h;
  struct o *p = malloc(sizeof *p);
  sem_init(&p->s, 0, 0);
  pthread_create(&h, 0, t, p);
  sem_wait(&p->s);
  free(p);
  pthread_join(h, 0);
}
