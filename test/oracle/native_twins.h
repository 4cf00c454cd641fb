/* Twin programs: does the C program have the traces that it has by definition? */
#ifndef TEST_ORACLE_NATIVE_TWINS_H
#define TEST_ORACLE_NATIVE_TWINS_H

#include "machine/machine.h"
#include "oracle/native_jobs.h"

/* Every algorithm, with all refinements, with some, with none. False if the programs are too large. */
bool twins_compare(const task *the, mz_machine *machine, mz_text *out);

#endif
