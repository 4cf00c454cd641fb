/* Independent reads of independent writes: two threads see two stores in different orders. */
// orders: W W R R R R
// rc11: not sc(0, 1, 2, 3, 4, 5)
// tso: False
#define THREADS thread0, thread1, thread2, thread3
#include "litmus.h"

THREAD(0, store(&x, 1, order(0));)
THREAD(1, store(&y, 1, order(1));)
THREAD(2, r0 = load(&x, order(2)); r1 = load(&y, order(3));)
THREAD(3, r2 = load(&y, order(4)); r3 = load(&x, order(5));)
OUTCOME(4, r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0)
