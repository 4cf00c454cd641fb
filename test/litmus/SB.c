/* Store buffering: both threads read what was there before the other's store. */
// orders: W R W R
// rc11: not sc(0, 1, 2, 3)
// tso: not sc(0, 1, 2, 3)
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); r0 = load(&y, order(1));)
THREAD(1, store(&y, 1, order(2)); r1 = load(&x, order(3));)
OUTCOME(2, r0 == 0 && r1 == 0)
