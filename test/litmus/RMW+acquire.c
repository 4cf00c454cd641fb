/* An update that releases publishes what its thread has done, too. */
// orders: U R
// rc11: not (rel(0) and acq(1))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); r0 = add(&y, 1, order(0));)
THREAD(1, r1 = load(&y, order(1)); r2 = load(&x, 0);)
OUTCOME(2, r1 == 1 && r2 == 0)
