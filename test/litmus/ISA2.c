/* Message passing over two threads. */
// orders: W W R W R R
// rc11: not (rel(1) and acq(2) and rel(3) and acq(4))
// tso: False
#define THREADS thread0, thread1, thread2
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); store(&y, 1, order(1));)
THREAD(1, r0 = load(&y, order(2)); store(&z, 1, order(3));)
THREAD(2, r1 = load(&z, order(4)); r2 = load(&x, order(5));)
OUTCOME(3, r0 == 1 && r1 == 1 && r2 == 0)
