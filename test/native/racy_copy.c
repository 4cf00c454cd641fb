// A struct of several words is copied while another thread writes it. One call of the compiler stands for several
// accesses then: coming to the second at the same place, in the same state, is no loop that waits for a change.
// args: --check=assertions,deadlocks,livelocks
// expect: safe
// args: --check=assertions,deadlocks,livelocks -DWHOLE
// expect: unsafe assertion 33
#include <assert.h>
#include <pthread.h>

struct three {
  long a, b, c;
};

static struct three source, copy;

static void *write_it(void *arg) {
  source.a = source.b = source.c = 1;
  return arg;
}

static void *copy_it(void *arg) {
  copy = source;
  return arg;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, NULL, write_it, NULL);
  pthread_create(&reader, NULL, copy_it, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
#ifdef WHOLE
  assert(copy.a == copy.c);
#else
  assert(copy.a == 0 || copy.a == 1);
#endif
  return 0;
}
