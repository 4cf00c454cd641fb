/* Errors that nobody has asked for (--check). A thread that fails stops for good, asked or not: what it would
 * have done is not explored then, so whatever is found out is not about every execution. An end of the
 * program that C defines is none of these; neither are deadlocks, after which nothing would have come. */
#ifndef MZ_SEARCH_UNASKED_H
#define MZ_SEARCH_UNASKED_H

#include "machine/failure.h"

enum { MZ_MOST_UNASKED = 8 }; /* that are told apart */

typedef struct mz_unasked {
    mz_failure failures[MZ_MOST_UNASKED]; /* different ones */
    size_t count;
    bool more;
} mz_unasked;

struct mz_search;

/* A thread has failed like this in the current execution, and it does not count as an error. */
void mz_unasked_note(struct mz_search *search, const mz_failure *failure);
/* After the algorithm has run: the verdict is incomplete if there were any. */
void mz_unasked_close(struct mz_search *search);
void mz_unasked_release(mz_unasked *unasked);

#endif
