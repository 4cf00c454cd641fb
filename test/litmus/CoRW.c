/* Coherence: what a thread has read does not overwrite its later store. */
// orders: R W W
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, r0 = load(&x, order(0)); store(&x, 1, order(1));)
THREAD(1, store(&x, 2, order(2));)
OUTCOME(2, r0 == 2 && x == 2)
