// pthread_exit destroys the local objects on its way out, which is not modelled: said, not passed over.
// expect: incomplete pthread_exit in a C++ program
#include <mutex>
#include <pthread.h>

static std::mutex mutex;

static void *leave(void *) {
  std::lock_guard<std::mutex> guard(mutex);
  pthread_exit(nullptr);
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, leave, nullptr);
  pthread_join(thread, nullptr);
  std::lock_guard<std::mutex> guard(mutex);
}
