// Main waits for a flag that is not atomic, before anybody else has touched it. It would go round for ever in what is local work:
// what it looks at becomes an event, so that the others get their turn. On main's stack (LOCAL) it is looked at after a third of
// --patience. Without anybody who sets the flag (NEVER) it is a livelock.
// expect: unsafe data-race 24|34
// args: --races=ignore
// expect: safe
// args: -DNEVER
// expect: unsafe livelock *
// args: -DLOCAL --patience=0.3s
// expect: unsafe data-race 24|34
// args: -DLOCAL --races=ignore --patience=0.3s
// expect: safe
#include <pthread.h>

struct state {
  volatile int ready;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *arg) {
  pthread_mutex_lock(&m);
#ifndef NEVER
  ((struct state *)arg)->ready = 1;
#endif
  pthread_mutex_unlock(&m);
  return NULL;
}

static struct state global;

static void await(const struct state *state, int rounds) {
  for (int i = 0; i < rounds; i++)
    while (!state->ready) {
    }
}

int main(void) {
  pthread_t t[2];
#ifdef LOCAL
  struct state local = {0};
  struct state *state = &local;
#else
  struct state *state = &global;
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, sender, state);
  await(state, 2);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
