/* One thread at a time (runtime_serial.c). Nothing happens before the program has left verified ground, nor
 * if the plan does not ask for this then. */
#ifndef MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_SERIAL_H
#define MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_SERIAL_H

#include "safe/runtime/follow/runtime.h"

extern bool mz__may_serialise;
extern _Atomic bool mz__serial; /* it has begun */

static inline bool mz__is_serial(void)
{
    return __builtin_expect(atomic_load_explicit(&mz__serial, memory_order_relaxed), 0);
}

/* At the start: it may come to that. Every thread is to be known then. */
void mz__prepare_serial(void);
/* The calling thread begins. (Its end is noticed.) */
void mz__enlist(void);
/* From now on one thread runs at a time, first the calling one. */
void mz__begin_serial(void);
/* The calling thread is to have its turn: waits for it. */
void mz__take_turn(void);
/* It has changed something. */
void mz__use_turn(void);
/* It is about to wait for something else, or ends. */
void mz__leave_turn(void);
/* It has set when it comes here again: if it was too late, that is now. */
void mz__mind_serial(void);

/* Around what may wait, if the thread has its turn. */
#define MZ__LETTING_OTHERS(call)                                                                             \
    do {                                                                                                     \
        bool mz__lets = mz__is_serial();                                                                     \
        if (mz__lets)                                                                                        \
            mz__leave_turn();                                                                                \
        call;                                                                                                \
        if (mz__lets)                                                                                        \
            mz__take_turn();                                                                                 \
    } while (0)

#endif
