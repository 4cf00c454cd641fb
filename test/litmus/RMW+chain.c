/* Updates of other threads continue a release sequence. */
// orders: W U R
// rc11: not (rel(0) and acq(2))
// tso: False
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, 0); store(&y, 1, order(0));)
THREAD(1, r0 = add(&y, 1, order(1));)
THREAD(2, r1 = load(&y, order(2)); r2 = load(&x, 0);)
OUTCOME(3, r0 == 1 && r1 == 2 && r2 == 0)
