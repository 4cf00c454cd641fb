/* Load buffering: each thread reads what the other one writes afterwards. RC11 forbids it: po and rf make a cycle. */
// orders: R W R W
// rc11: False
// tso: False
#define THREADS thread0, thread1
#include "litmus.h"

THREAD(0, r0 = load(&x, order(0)); store(&y, 1, order(1));)
THREAD(1, r1 = load(&y, order(2)); store(&x, 1, order(3));)
OUTCOME(2, r0 == 1 && r1 == 1)
