/* The last store of y is that of the thread which does not see x. */
// orders: W W W R
// rc11: not sc(0, 1, 2, 3)
// tso: not sc(2, 3)
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); store(&y, 1, order(1));)
THREAD(1, store(&y, 2, order(2)); r0 = load(&x, order(3));)
OUTCOME(2, y == 2 && r0 == 0)
