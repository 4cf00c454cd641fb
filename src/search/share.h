/* How much of a depth-first search is done, estimated while it runs. */
#ifndef MZ_SEARCH_SHARE_H
#define MZ_SEARCH_SHARE_H

#include <stdint.h>

struct mz_search;
struct mz_node;

enum { MZ_SHARE_RANKS = 16 };

/* What finished branches have taught: how large the (r+1)-th child of a node is, compared with the r-th. */
typedef struct mz_share {
    struct mz_share_rank {
        uint64_t before, after; /* executions */
    } ranks[MZ_SHARE_RANKS];
} mz_share;

/* A thread, by now done, has been explored from the node, with all that follows: so many executions, and it
 * was not the first. */
void mz_share_compare_branch(struct mz_search *search, const struct mz_node *node, uint64_t size);

/* Of the executions that there will be, the share there have been: 0 … 1; 0 also if that is not known. */
double mz_search_share_done(const struct mz_search *search);

#endif
