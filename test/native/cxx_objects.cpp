// Objects on the heap, virtual functions, templates, static constructors and destructors, with pthreads. BUG: without
// the lock, through a virtual function.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DBUG
// expect: unsafe data-race 31
#include <assert.h>
#include <pthread.h>

struct Shape {
  virtual ~Shape() {}
  virtual int area() const = 0;
};

struct Square : Shape {
  int side;
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
};

template <class T> struct Sum {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  T total{};
  ~Sum() { assert(total == 13); } // runs at the end of main
  void add(const Shape &shape) {
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    T more = shape.area();
    total += more;
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
  }
};

static Sum<long> sum;

static void *worker(void *side) {
  Shape *s = new Square(*static_cast<int *>(side));
  sum.add(*s);
  delete s;
  return nullptr;
}

int main() {
  int *sides = new int[2]{2, 3};
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], nullptr, worker, &sides[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], nullptr);
  delete[] sides;
}
