/* A store that comes before the flag, and one behind who has seen the flag. */
// orders: W W R W
// rc11: not (rel(1) and acq(2))
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, store(&x, 2, order(0)); store(&y, 1, order(1));)
THREAD(1, r0 = load(&y, order(2)); store(&x, 1, order(3));)
OUTCOME(2, r0 == 1 && x == 2)
