/* Coherence: a load does not read from a store behind it. */
// orders: R W
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, r0 = load(&x, order(0)); store(&x, 1, order(1));)
THREAD(1, r1 = load(&x, 0);)
OUTCOME(2, r0 == 1)
