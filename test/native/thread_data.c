// A key has one value per thread; when a thread ends, its destructor gets the value, and the others' are left alone. A destructor
// that sets the value again is called again, four times at most. BUG: the thread frees its value itself.
// expect: safe traces=2 refined=1
// args: --cc=clang
// expect: safe traces=2 refined=1
// args: -DBUG
// expect: unsafe memory 19
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key, again;
static atomic_int destroyed;
static int rounds[2];

static void destroy(void *value) {
  destroyed++;
  free(value);
}

static void *worker(void *arg) {
  int *mine = malloc(sizeof *mine);
  *mine = arg != NULL;
  pthread_setspecific(key, mine);
#ifdef BUG
  free(mine); // and again by its destructor
#endif
  assert(pthread_getspecific(key) == mine);
  pthread_setspecific(again, &rounds[arg != NULL]);
  return NULL;
}

static void once_more(void *value) {
  ++*(int *)value;
  pthread_setspecific(again, value);
}

int main(void) {
  pthread_t t[2];
  pthread_key_create(&key, destroy);
  pthread_key_create(&again, once_more);
  assert(key != again && pthread_getspecific(key) == NULL);
  pthread_setspecific(key, &key); // not destroyed: the program ends before its main thread does
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, i ? &key : NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(destroyed == 2 && rounds[0] == 4 && rounds[1] == 4);
  assert(pthread_getspecific(key) == &key);
  assert(pthread_key_delete(key) == 0);
  assert(pthread_setspecific(4711, NULL) != 0);
}
