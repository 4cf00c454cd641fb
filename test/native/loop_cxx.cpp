// The same in C++: a list of the library, whose blocks come and go, between an acceptor with a boundary and a worker that
// waits for more. BROKEN: the worker looks at the list without the lock.
// expect: safe
// args: -DBROKEN
// expect: unsafe data-race|memory *
#include <mazurka.h>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable ready;
static std::list<int> queue;
static bool stop;

static void work() {
  for (;;) {
    std::unique_lock<std::mutex> lock(guard);
    ready.wait(lock, [] { return stop || !queue.empty(); });
    if (queue.empty())
      return;
    queue.pop_front();
#ifdef BROKEN
    lock.unlock();
    if (!queue.empty() && stop)
      return;
#endif
  }
}

int main() {
  std::thread worker(work);
  for (;;) {
    mz_loop_boundary();
    int requests = mz_choose(0, 2);
    if (requests == 0)
      break;
    for (int i = 0; i < requests; i++) {
      std::unique_lock<std::mutex> lock(guard);
      queue.push_back(i);
      ready.notify_one();
    }
  }
  {
    std::unique_lock<std::mutex> lock(guard);
    stop = true;
    ready.notify_one();
  }
  worker.join();
}
