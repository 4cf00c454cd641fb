// No thread but main: locks, atomics and memory are no events, and all of it is one trace.
// expect: safe traces=1 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  char *text = malloc(16);
  strcpy(text, "mazurka");
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
  }
  assert(x == 1000 && strlen(text) == 7);
  free(text);
}
