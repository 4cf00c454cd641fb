/* Coherence: nobody reads a store of his own future. */
// orders: R W R
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, r0 = load(&x, order(0)); store(&x, 1, order(1));)
THREAD(1, r1 = load(&x, order(2));)
OUTCOME(2, r0 == 1)
