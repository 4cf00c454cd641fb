// Independent reads of independent writes: two readers do not disagree about the order of two writes. 2^4 orientations
// of the four conflicts, one is cyclic: 15 traces.
// expect: safe traces=15 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r[4];

static void *write_x(void *arg) {
  x = 1;
  return arg;
}

static void *write_y(void *arg) {
  y = 1;
  return arg;
}

static void *read_xy(void *arg) {
  r[0] = x;
  r[1] = y;
  return arg;
}

static void *read_yx(void *arg) {
  r[2] = y;
  r[3] = x;
  return arg;
}

int main(void) {
  pthread_t t[4];
  void *(*work[4])(void *) = {write_x, write_y, read_xy, read_yx};
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, work[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  assert(!(r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0));
}
