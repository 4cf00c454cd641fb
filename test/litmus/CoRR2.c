/* Coherence: two threads see the stores of one location in one order. */
// orders: W W R R R R
// rc11: False
// tso: False
#define THREADS thread0, thread1, thread2, thread3
#include "litmus.h"

THREAD(0, store(&x, 1, order(0));)
THREAD(1, store(&x, 2, order(1));)
THREAD(2, r0 = load(&x, order(2)); r1 = load(&x, order(3));)
THREAD(3, r2 = load(&x, order(4)); r3 = load(&x, order(5));)
OUTCOME(4, r0 == 1 && r1 == 2 && r2 == 2 && r3 == 1)
