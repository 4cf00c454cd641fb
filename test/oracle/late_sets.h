/* Constraint sets of programs with inputs, against all runs that they allow.
 *
 * An input that a thread reads before its first operation is known from the beginning to the search, but not
 * to the program that runs: others may be at work by then. So the plans of all valuations (sets where there
 * are some, prefixes otherwise) are combined to a symbolic plan with guards, and all runs are followed that
 * keep the rules of wire/symbolic_format.h, where each input becomes known at any time: before the first
 * event, or after any other. (It may even be later than when its thread goes on: the argument that these
 * rules are right does not ask who reads it when.) What happens to be published before there is a decision is
 * not seen by a set. None of these runs may fail or get stuck. */
#ifndef MZ_ORACLE_LATE_SETS_H
#define MZ_ORACLE_LATE_SETS_H

#include "base/text.h"
#include "machine/choices.h"
#include "machine/machine.h"
#include "safe/plan/small_set.h"

typedef struct late_tally {
    uint64_t programs, plans, sets, guards, steps, too_large;
    uint64_t stopped; /* in so many of them some thread came to a stop */
} late_tally;

typedef struct late_sets late_sets;

/* Of a choice before the first event that has none. */
const char *late_input_name(size_t number);

late_sets *late_sets_create(mz_machine *machine);
/* The next valuation of the choices before the first event, and its plan; the set is empty if there is none.
 * plan == NULL: it has no plan, and the program is not tried. */
void late_sets_add(late_sets *all, const mz_choices *valuation, const mz_plan *plan, const mz_edges *set);
/* Appends to *problem what is wrong. False: the machine has learned something. */
bool late_sets_try(late_sets *all, late_tally *tally, mz_text *problem);
void late_sets_destroy(late_sets *all);

void late_print(const late_tally *tally);

#endif
