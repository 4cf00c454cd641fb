/* Updates are atomic: no two of them read the same write. */
// orders: U U
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, r0 = add(&x, 1, order(0));)
THREAD(1, r1 = add(&x, 1, order(1));)
OUTCOME(2, r0 == r1 || x != 2)
