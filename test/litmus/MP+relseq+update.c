/* An update of the same thread continues a release sequence. */
// orders: W U R
// rc11: not ((rel(0) or rel(1)) and acq(2))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); store(&y, 1, order(0)); add(&y, 1, order(1));)
THREAD(1, r0 = load(&y, order(2)); r1 = load(&x, 0);)
OUTCOME(2, r0 == 2 && r1 == 0)
