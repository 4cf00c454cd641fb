/* What a search visits, for comparison: one algorithm on a real program, with all that it finds. */
#ifndef TEST_ORACLE_NATIVE_VISITS_H
#define TEST_ORACLE_NATIVE_VISITS_H

#include "algo/algorithm.h"
#include "oracle/string_set.h"
#include "search/search.h"

enum { LEVELS = 3, MOST_LOCATIONS = 4096 };

typedef struct visits {
    string_set traces, errors, observations;
    uint64_t repeated, observed_again, blocked;
    /* Of `full`: the traces of the executions with at most so many preemptions, and delays. */
    string_set levels[LEVELS], delayed[LEVELS];
    bool finished;
    const char *reason;
    bool of_observations; /* for algorithms that explore those: what main does when it is alone are events */
    bool *ordered;        /* [location] for observations: some operation waits for it */
    string_set *finals;   /* what all locations hold where executions end; NULL: not asked */
    string_set *classes;  /* of lock-aware equivalence, by definition; NULL: not asked */
    bool is_finer;        /* traces had to be explored instead of observations */
    mz_text *order;       /* what is wrong with the order that is relied upon; NULL: not asked */
} visits;

/* What to look at in each execution: all of it; the first time round, what is waited for. */
void visits_observe(void *visits, mz_search *search, mz_leaf leaf);
void visits_look_for_waiting(void *visits, mz_search *search, mz_leaf leaf);
/* Runs until the machine has learned nothing new. False if it has: what was compared with is out of date. */
bool visits_explore(mz_machine *machine, const mz_algorithm *algorithm, mz_search_options options,
                    void (*look)(void *, mz_search *, mz_leaf), visits *visits);
/* Empty, to be used once more. */
void visits_clear(visits *visits);
/* Those that are not in the other set; the first one is told if there is a label. */
size_t visits_missing(const string_set *from, const string_set *in, const char *label, mz_text *out);
/* Is there a data race that is an error, told as such or as an access to what is gone by then? Then not
 * everything is explored any more. */
bool visits_have_race(const string_set *errors);
/* `once`: and no trace twice. */
void visits_compare(const mz_algorithm *algorithm, const visits *reference, const visits *v, bool once,
                    mz_text *out);

/* The same errors? */
void visits_compare_errors(const char *name, bool observations, const visits *reference, const visits *v,
                           mz_text *out);
/* Errors only, and no trace that does not exist. */
void visits_compare_ends(const mz_algorithm *algorithm, const visits *reference, const visits *v,
                         mz_text *out);

#endif
