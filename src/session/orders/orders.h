/* Which memory orders a program needs: the weakest that are safe, or, if it is not, the fewest that have to
 * be stronger. */
#ifndef MZ_SESSION_ORDERS_ORDERS_H
#define MZ_SESSION_ORDERS_ORDERS_H

#include "machine/order_sites.h"
#include "session/settings/settings.h"

/* Of one site: what fails if its order is the next weaker one. */
typedef struct mz_order_reason {
    uint8_t weaker; /* mz_order; MZ_PLAIN: none, for a fence */
    char why[240];  /* "": it cannot be weaker */
} mz_order_reason;

typedef struct mz_orders {
    mz_order_sites *sites;
    mz_order_reason reasons[MZ_MOST_ORDER_SITES];
    mz_verdict written; /* of the program as it is */
    char failure[240];  /* how that fails, or why it is not known */
    bool is_found;      /* the orders in force are safe, and what was asked for */
    uint32_t checks;    /* how many searches were made */
} mz_orders;

void mz_orders_find(mz_orders *orders, const mz_settings *settings, mz_error *error);
void mz_orders_release(mz_orders *orders);
/* Is the operation's order at least this one? */
bool mz_order_is_stronger(mz_site_kind kind, mz_order order, mz_order than);

#endif
