/* Write-to-read causality with fences. */
// orders: F F
// rc11: not (rel(0) and acq(1))
// tso: False
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, 0);)
THREAD(1, r0 = load(&x, 0); fence(order(0)); store(&y, 1, 0);)
THREAD(2, r1 = load(&y, 0); fence(order(1)); r2 = load(&x, 0);)
OUTCOME(3, r0 == 1 && r1 == 1 && r2 == 0)
