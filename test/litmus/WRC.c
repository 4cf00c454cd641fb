/* Write-to-read causality. */
// orders: W R W R R
// rc11: not (rel(2) and acq(3))
// tso: False
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, order(0));)
THREAD(1, r0 = load(&x, order(1)); store(&y, 1, order(2));)
THREAD(2, r1 = load(&y, order(3)); r2 = load(&x, order(4));)
OUTCOME(3, r0 == 1 && r1 == 1 && r2 == 0)
