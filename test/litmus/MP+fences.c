/* Message passing with fences. */
// orders: W F W R F R
// rc11: not ((rel(1) or rel(2)) and (acq(3) or acq(4)))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); fence(order(1)); store(&y, 1, order(2));)
THREAD(1, r0 = load(&y, order(3)); fence(order(4)); r1 = load(&x, order(5));)
OUTCOME(2, r0 == 1 && r1 == 0)
