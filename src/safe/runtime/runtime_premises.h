/* What the two files that compare premises have in common (runtime_premises.c, runtime_surroundings.c). */
#ifndef MZ_SAFE_RUNTIME_RUNTIME_PREMISES_H
#define MZ_SAFE_RUNTIME_RUNTIME_PREMISES_H

#include "safe/runtime/follow/runtime_plan.h"

const char *mz__premise_name(const mz_premise *p);

/* "mazurka: the plan does not hold here: ", and how to waive that. */
mz__message mz__premise_begin_message(void);
void mz__premise_end_message(mz__message *message, uint32_t kind);
void mz__premise_add_quoted(mz__message *message, const char *text);
/* "there are 4 processors, and were 2 when the plan was made" */
void mz__premise_tell_number(const mz_premise *p, const char *before, uint64_t number, const char *after,
                             const char *between);

/* Those that are no contents, numbers of the process, or arguments. */
void mz__compare_surroundings(const mz_premise *p, char **environment);

#endif
