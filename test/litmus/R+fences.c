/* R with fences. */
// orders: F F
// rc11: not sc(0, 1)
// tso: not sc(1)
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); fence(order(0)); store(&y, 1, 0);)
THREAD(1, store(&y, 2, 0); fence(order(1)); r0 = load(&x, 0);)
OUTCOME(2, y == 2 && r0 == 0)
