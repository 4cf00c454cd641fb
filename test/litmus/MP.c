/* Message passing: the flag is seen, and not what was stored before it. */
// orders: W W R R
// rc11: not (rel(1) and acq(2))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); store(&y, 1, order(1));)
THREAD(1, r0 = load(&y, order(2)); r1 = load(&x, order(3));)
OUTCOME(2, r0 == 1 && r1 == 0)
