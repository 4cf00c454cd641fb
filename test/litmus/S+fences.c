/* S with fences. */
// orders: F W R F
// rc11: not ((rel(0) or rel(1)) and (acq(2) or acq(3)))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 2, 0); fence(order(0)); store(&y, 1, order(1));)
THREAD(1, r0 = load(&y, order(2)); fence(order(3)); store(&x, 1, 0);)
OUTCOME(2, r0 == 1 && x == 2)
