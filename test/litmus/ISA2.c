/* A message that is passed on by a third thread. */
// orders: W R W R
// rc11: not (rel(0) and acq(1) and rel(2) and acq(3))
// tso: False
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, 0); store(&y, 1, order(0));)
THREAD(1, r0 = load(&y, order(1)); store(&z, 1, order(2));)
THREAD(2, r1 = load(&z, order(3)); r2 = load(&x, 0);)
OUTCOME(3, r0 == 1 && r1 == 1 && r2 == 0)
