/* Write-to-read causality: the third thread sees what came of the first one's store, and not the store. */
// orders: W R W R
// rc11: not (rel(2) and acq(3))
// tso: False
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, order(0));)
THREAD(1, r0 = load(&x, order(1)); store(&y, 1, order(2));)
THREAD(2, r1 = load(&y, order(3)); r2 = load(&x, 0);)
OUTCOME(3, r0 == 1 && r1 == 1 && r2 == 0)
