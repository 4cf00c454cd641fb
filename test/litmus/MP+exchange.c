/* A compare-exchange that fails is a load with the order of a failure. */
// orders: W R
// rc11: not (rel(0) and acq(1))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); store(&y, 1, order(0));)
THREAD(1, r0 = fail(&y, order(1)); r1 = load(&x, 0);)
OUTCOME(2, r0 == 1 && r1 == 0)
