// A function within a function that uses its variables, as the start of threads: gcc writes code for it on the stack.
// compilers: clang has no such functions
// expect: safe traces=2
#include <assert.h>
#include <pthread.h>

int main(void) {
  int count = 0;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  void *adds(void *arg) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
  }
  pthread_t first, second;
  pthread_create(&first, NULL, adds, NULL);
  pthread_create(&second, NULL, adds, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(count == 2);
}
