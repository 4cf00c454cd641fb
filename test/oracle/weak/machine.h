/* The machine of a little program under weak memory: reads and writes go where they are told to. */
#ifndef TEST_ORACLE_WEAK_MACHINE_H
#define TEST_ORACLE_WEAK_MACHINE_H

#include "machine/machine.h"
#include "oracle/weak/program.h"

mz_machine *weak_machine_create(const weak_program *program);
/* The graph of what has happened: each thread's events with what they have read from, and the orders of
 * writes. Two executions have the same text iff they are the same graph. */
void weak_machine_graph(const mz_machine *machine, mz_text *out);

#endif
