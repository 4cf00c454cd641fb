/* A referee for the order that race detection trusts (src/program/order/happens_before.c). */
#ifndef TEST_ORACLE_ORDER_H
#define TEST_ORACLE_ORDER_H

#include "search/search.h"

/* At the end of an execution of a real program: in every state on the way, all that the program's own order
 * puts before what a thread does next must come before that in every equivalent execution, because of program
 * order, causes and conflicts. `ordered`: executions that observe the same are equivalent, and at these
 * locations the order of the accesses belongs to that; NULL: those with the same conflicts in the same order.
 * What is not so is told. */
void order_check(mz_search *search, const bool *ordered, mz_text *out);

#endif
