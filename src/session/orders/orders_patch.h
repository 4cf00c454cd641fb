/* The orders that were found, as a change of the sources (orders_patch.c). */
#ifndef MZ_SESSION_ORDERS_PATCH_H
#define MZ_SESSION_ORDERS_PATCH_H

#include "session/orders/orders.h"

/* A patch without context lines; what cannot be written so is told in *left, one line for each. */
void mz_orders_patch(const mz_orders *orders, mz_text *out, mz_text *left);

#endif
