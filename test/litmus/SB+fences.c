/* Store buffering with fences: weaker ones are nothing to x86. */
// orders: F F
// rc11: not sc(0, 1)
// tso: not sc(0, 1)
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); fence(order(0)); r0 = load(&y, 0);)
THREAD(1, store(&y, 1, 0); fence(order(1)); r1 = load(&x, 0);)
OUTCOME(2, r0 == 0 && r1 == 0)
