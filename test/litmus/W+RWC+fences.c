/* Read-to-write causality behind message passing. */
// orders: W R F F
// rc11: not (rel(0) and sc(2, 3))
// tso: not sc(3)
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, 0); store(&y, 1, order(0));)
THREAD(1, r0 = load(&y, order(1)); fence(order(2)); r1 = load(&z, 0);)
THREAD(2, store(&z, 1, 0); fence(order(3)); r2 = load(&x, 0);)
OUTCOME(3, r0 == 1 && r1 == 0 && r2 == 0)
