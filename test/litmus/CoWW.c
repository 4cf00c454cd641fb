/* Coherence: stores of one thread keep their order. */
// orders: W W R
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); store(&x, 2, order(1));)
THREAD(1, r0 = load(&x, order(2));)
OUTCOME(2, x == 1)
