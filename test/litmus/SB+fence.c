/* Store buffering: a fence on one side, orders on the other. Fences order with seq_cst accesses, too. */
// orders: F W R
// rc11: not sc(0, 1, 2)
// tso: not sc(0, 1, 2)
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, 0); fence(order(0)); r0 = load(&y, 0);)
THREAD(1, store(&y, 1, order(1)); r1 = load(&x, order(2));)
OUTCOME(2, r0 == 0 && r1 == 0)
