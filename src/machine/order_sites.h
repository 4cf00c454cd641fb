/* The places of a program that name memory orders, and the orders in force there: for 'mazurka orders', in
 * memory that workers share. The orders are arguments of calls that the checker answers: others can be put in
 * their place without compiling the program again. */
#ifndef MZ_MACHINE_ORDER_SITES_H
#define MZ_MACHINE_ORDER_SITES_H

#include <stdint.h>

#include "machine/memory.h"

enum { MZ_MOST_ORDER_SITES = 512, MZ_MOST_ORDER_CALLS = 2048 };

typedef enum mz_site_kind {
    MZ_SITE_LOAD,
    MZ_SITE_STORE,
    MZ_SITE_UPDATE,
    MZ_SITE_EXCHANGE,
    MZ_SITE_FENCE
} mz_site_kind;

/* One operation of the source; the compiler may have made several calls of it. */
typedef struct mz_order_site {
    mz_site_kind kind;
    uint8_t written, written_failure; /* mz_order; the second one is of a compare-exchange that fails */
    uint8_t now, now_failure;         /* MZ_PLAIN: a fence that is left out */
    uint32_t line, column;
    char file[200];
} mz_order_site;

typedef struct mz_order_sites {
    uint32_t count, call_count;
    bool is_full; /* there were more */
    mz_order_site sites[MZ_MOST_ORDER_SITES];
    struct {
        uint64_t place; /* in the code of the program */
        uint32_t site;
    } calls[MZ_MOST_ORDER_CALLS];
} mz_order_sites;

#endif
