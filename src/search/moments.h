/* What a reader of a counterexample has to see although it is no step (witness.h). */
#ifndef MZ_SEARCH_MOMENTS_H
#define MZ_SEARCH_MOMENTS_H

#include "search/witness.h"

/* Forget those of another try. */
void mz__moments_begin(mz_problem *problem, mz_machine *machine);
/* After so many steps: what the machine remarks about the last one. */
void mz__moments_note(mz_problem *problem, mz_machine *machine, size_t after);
/* What the threads are called; and, if it has failed as expected, what fails, or who waits for ever. */
void mz__moments_end(mz_problem *problem, mz_machine *machine, bool fails);
void mz__moments_release(mz_problem *problem);

#endif
