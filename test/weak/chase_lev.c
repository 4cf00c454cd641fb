/* The work-stealing deque of Chase and Lev, with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013). Of one task that
 * two threads want, one gets it; and who steals it sees what was put there. */
// expect: safe
// args: -DTAKE=acq_rel
// expect: unsafe assertion
// args: -DSTEAL=none
// expect: unsafe assertion
// args: -DPUSH=none
// expect: unsafe assertion|data-race
#include "weak.h"
#ifndef TAKE
#define TAKE seq
#endif
#ifndef STEAL
#define STEAL seq
#endif
#ifndef PUSH
#define PUSH rel
#endif
enum { SIZE = 4 };
static atomic_int top, bottom, tasks[SIZE];
static int taken, stolen, payload[4];
static void push(int task)
{
    int b = atomic_load_explicit(&bottom, rlx);
    atomic_load_explicit(&top, acq);
    atomic_store_explicit(&tasks[b % SIZE], task, rlx);
    FENCE(PUSH);
    atomic_store_explicit(&bottom, b + 1, rlx);
}
static int take(void)
{
    int b = atomic_load_explicit(&bottom, rlx) - 1, task = 0;
    atomic_store_explicit(&bottom, b, rlx);
    FENCE(TAKE);
    int t = atomic_load_explicit(&top, rlx);
    if (t <= b) {
        task = atomic_load_explicit(&tasks[b % SIZE], rlx);
        if (t < b)
            return task;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, seq, rlx))
            task = 0;
    }
    atomic_store_explicit(&bottom, b + 1, rlx);
    return task;
}
static int steal(void)
{
    int t = atomic_load_explicit(&top, acq);
    FENCE(STEAL);
    int b = atomic_load_explicit(&bottom, acq), task = 0;
    if (t < b) {
        task = atomic_load_explicit(&tasks[t % SIZE], rlx);
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, seq, rlx))
            task = 0;
    }
    return task;
}
static void *owner(void *u)
{
    payload[1] = payload[2] = 7;
    push(1);
    push(2);
    taken = take();
    taken += 4 * take();
    return u;
}
static void *thief(void *u)
{
    stolen = steal();
    if (stolen)
        assert(payload[stolen] == 7);
    stolen += 4 * steal();
    return u;
}
int main(void)
{
    run_two(owner, thief);
    int count[4] = {0};
    count[taken % 4]++, count[taken / 4]++, count[stolen % 4]++, count[stolen / 4]++;
    assert(count[1] == 1 && count[2] == 1);
}
