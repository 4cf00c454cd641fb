/* Coherence: what was seen once is not unseen. */
// orders: W R R
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0));)
THREAD(1, r0 = load(&x, order(1)); r1 = load(&x, order(2));)
OUTCOME(2, r0 == 1 && r1 == 0)
