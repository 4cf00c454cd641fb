// Michael and Scott's queue: rounds of its loops that come to nothing are not made. Without these there are 16 ways to put one in and
// take one out with two threads, of 156.
// expect: safe traces=16
// args: --relation=-rounds
// expect: safe traces=156
#include "../../bench/c/msqueue.c"
