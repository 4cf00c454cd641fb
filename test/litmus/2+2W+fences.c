/* Two stores each, with fences between them. */
// orders: F F
// rc11: not sc(0, 1)
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); fence(order(0)); store(&y, 2, 0);)
THREAD(1, store(&y, 1, 0); fence(order(1)); store(&x, 2, 0);)
OUTCOME(2, x == 1 && y == 1)
