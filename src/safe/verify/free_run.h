/* What a program did when nothing kept it, as a candidate for the first trace. */
#ifndef MZ_SAFE_VERIFY_FREE_RUN_H
#define MZ_SAFE_VERIFY_FREE_RUN_H

#include "machine/machine.h"
#include "safe/verify/first_trace_rules.h"
#include "wire/record.h"

/* The operations in the order in which they happened, with the machine's numbers for threads; those of
 * threads that it does not know are left out. To be released. */
void mz_free_run_order(const mz_record_header *record, const mz_machine *machine, mz_seen_order *order);

#endif
