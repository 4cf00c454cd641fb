/* Plans against all executions that they allow.
 *
 * A search with source sets makes a plan and shortens its prefix, beginning with its own first execution or
 * one that a rule of safe/verify/first_trace_rules.h and safe/plan/trace_order.h have chosen. For every
 * prefix that it hands out, all executions that keep the two rules of wire/plan_format.h are run (one of each
 * canonical prefix is enough: what is allowed next depends on what has happened, not on the order). None may
 * fail or get stuck, by itself or by the rules; each must be a trace that had been explored when the prefix
 * was handed out; none may do something else than the plan says at that count; and with the empty prefix
 * there must be as many as there are traces. Then the same for every valuation of the choices before the
 * first event by itself, and for all of them together (late_sets.h). */
#ifndef MZ_ORACLE_PLANS_H
#define MZ_ORACLE_PLANS_H

#include "base/text.h"
#include "machine/machine.h"
#include "oracle/late_sets.h"
#include "oracle/sets.h"
#include "oracle/strategies.h"

typedef struct plan_tally {
    uint64_t programs, valuations, chosen, prefixes, executions, without_plan, with_bug, all_verified,
        too_large;
    uint64_t overtaken; /* prefixes that something overtook */
    set_tally sets;     /* the constraint sets that are left of the shortest prefixes */
    strategy_tally strategies;
    late_tally late;
} plan_tally;

/* `traces`: how many there are, 0 if that is not known. Appends to *problem what is wrong. False: the machine
 * has learned something, and all is to be done again. */
bool plans_try(mz_machine *machine, uint32_t checks, uint64_t traces, plan_tally *tally, mz_text *problem);

#endif
