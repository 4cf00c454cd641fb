/* Two stores each: the first ones win. */
// orders: W W W W
// rc11: not sc(0, 1, 2, 3)
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 1, order(0)); store(&y, 2, order(1));)
THREAD(1, store(&y, 1, order(2)); store(&x, 2, order(3));)
OUTCOME(2, x == 1 && y == 1)
