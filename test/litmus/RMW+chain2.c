/* Two updates of other threads continue a release sequence. */
// orders: W U U R
// rc11: not (rel(0) and acq(3))
// tso: False
#define THREADS thread0, thread1, thread2, thread3
#include "litmus.h"

THREAD(0, store(&x, 1, 0); store(&y, 1, order(0));)
THREAD(1, r0 = add(&y, 1, order(1));)
THREAD(2, r1 = add(&y, 2, order(2));)
THREAD(3, r2 = load(&y, order(3)); r3 = load(&x, 0);)
OUTCOME(4, r0 == 1 && r1 == 2 && r2 == 4 && r3 == 0)
