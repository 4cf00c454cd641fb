/* The memory orders of C, as compilers pass them to hooks. */
#ifndef MZ_PROGRAM_RUNTIME_ORDERS_H
#define MZ_PROGRAM_RUNTIME_ORDERS_H

#include "machine/memory.h"
#include "machine/order_sites.h"

enum { MZ__RELAXED, MZ__CONSUME, MZ__ACQUIRE, MZ__RELEASE, MZ__ACQ_REL, MZ__SEQ_CST };

static inline mz_order mz__order_of(int order)
{
    return order == MZ__RELAXED ? MZ_RELAXED : order == MZ__CONSUME ? MZ_ACQUIRE : (mz_order)order;
}

/* The orders of the call at hand, as 'mazurka orders' has them (machine/order_sites.h); `failure` may be
 * NULL. */
void mz__replace_orders(mz_site_kind kind, int *order, int *failure);
/* The program asks for less than seq_cst. */
void mz__asks_for_less(void);
/* It does something that the search over graphs has no events for. */
void mz__goes_beyond_weak(const char *what);

#endif
