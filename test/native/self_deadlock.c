// A normal mutex locked twice by its holder, while there is no other thread at all.
// expect: unsafe lock 16
// args: -DRECURSIVE
// expect: safe traces=1
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef RECURSIVE
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_mutex_init(&lock, &attributes);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
}
