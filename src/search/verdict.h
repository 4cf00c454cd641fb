/* What a search has come to. */
#ifndef MZ_SEARCH_VERDICT_H
#define MZ_SEARCH_VERDICT_H

/* A verdict that nobody has set is no "safe". */
typedef enum mz_verdict { MZ_INTERNAL_ERROR, MZ_SAFE, MZ_UNSAFE, MZ_INCOMPLETE } mz_verdict;

#endif
