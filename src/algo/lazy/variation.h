/* The variations of an execution u = u1·u2: all ways to order the dependent events of u2 otherwise, as a
 * trace constraint system. Its variables are the events of u2 and the operations that still wait at its end.
 *
 * An event of a variation is *changed* if it reads from another event than in u, and *certain* if no changed
 * event comes before it: it is possible in the variation, and, unless it is changed itself, does what it does
 * in u. (A write to memory that is gone fails: whoever writes reads whether it is, from the one that frees
 * it.) The *roots* are those that are both: the first events at which the execution of the variation may turn
 * out other than planned. */
#ifndef MZ_ALGO_LAZY_VARIATION_H
#define MZ_ALGO_LAZY_VARIATION_H

#include "algo/lazy/smt.h"
#include "algo/sections/constraints.h"
#include "search/search.h"

/* What a variable may touch where it is certain: all, if it chooses its locations by what it reads; its
 * location for writing, too, if it decides by it whether it writes. Otherwise what it touches in u. */
typedef enum mz_reach { MZ_AS_IN_REFERENCE, MZ_MAY_WRITE, MZ_ANYTHING } mz_reach;

/* What was done by an event of u2, or would be done by an operation that waits. */
typedef struct mz_event_variable {
    uint32_t thread, index; /* the thread's index-th event, from 1 */
    mz_operation_kind kind;
    bool waits; /* it had not happened at the end of u */
    bool dynamic, conditional;
    mz_reach reach;
    uint32_t first_access, access_count;
    uint32_t first_choice, choice_count;
    uint32_t first_cause, cause_count;
} mz_event_variable;

/* A variable reads a location that others write; or writes one that others free. */
typedef struct mz_reading {
    uint32_t variable;
    uint32_t writer; /* the last one before it in u; MZ_NONE if that is not in u2 */
    uint32_t first_candidate, candidate_count;
} mz_reading;

typedef struct mz_variations {
    mz_constraints system; /* its events are the variables */
    mz_event_variable *variables;
    size_t variable_capacity;
    uint32_t event_count; /* the variables but for those that wait; they come first */
    mz_access *accesses;
    mz_choice *choices;
    mz_cause *causes;
    size_t access_count, access_capacity, choice_count, choice_capacity, cause_count, cause_capacity;
    mz_reading *readings;
    uint32_t *candidates; /* variables that write what is read */
    size_t reading_count, reading_capacity, candidate_count, candidate_capacity;
    /* Rows of bits, of the current variation. */
    uint64_t *changed, *uncertain;
    uint32_t *word; /* scratch */
    size_t changed_capacity, uncertain_capacity, word_capacity;
} mz_variations;

/* Of the search's execution, at the end of which the machine is: `order` are the positions of all its events
 * in an equivalent order, the first `prefix` of which are u1. */
void mz_variations_take(mz_variations *variations, mz_search *search, const uint32_t *order, size_t prefix);
/* The next one; the first is u itself. False if there is none left. */
bool mz_variations_next(mz_variations *variations);
/* A solution: an order of the variables in which those that are certain come first. By linear extension, or
 * by the SMT solver if there is one. */
void mz_variations_solve(mz_variations *variations, mz_smt *smt, uint32_t *order);
void mz_variations_release(mz_variations *variations);

static inline bool mz_is_certain(const mz_variations *v, uint32_t variable)
{
    return !mz_bit_of(v->uncertain, variable);
}

static inline bool mz_is_root(const mz_variations *v, uint32_t variable)
{
    return mz_bit_of(v->changed, variable) && mz_is_certain(v, variable);
}

/* May the variable, where it is certain, depend on an operation with these accesses? */
bool mz_may_conflict(const mz_variations *variations, const mz_event_variable *variable,
                     const mz_access *accesses, uint32_t count);

/* Does the operation do what is planned for the variable? */
bool mz_is_as_planned(const mz_variations *variations, uint32_t variable, const mz_operation *operation);
/* Has the event at this position done it? */
bool mz_is_done_as_planned(const mz_variations *variations, uint32_t variable, const mz_execution *execution,
                           uint32_t position);

#endif
