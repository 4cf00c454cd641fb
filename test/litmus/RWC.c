/* Read-to-write causality. */
// orders: W R R W R
// rc11: not (sc(0, 1, 2, 3, 4))
// tso: not (sc(3, 4))
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, order(0));)
THREAD(1, r0 = load(&x, order(1)); r1 = load(&y, order(2));)
THREAD(2, store(&y, 1, order(3)); r2 = load(&x, order(4));)
OUTCOME(3, r0 == 1 && r1 == 0 && r2 == 0)
