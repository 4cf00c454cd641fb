#ifndef TEST_ORACLE_SECTION_CLASSES_H
#define TEST_ORACLE_SECTION_CLASSES_H

#include "base/text.h"
#include "machine/execution.h"

/* Of lock-aware equivalence by its definition: each thread has the same events, those of locks included, and
 * conflicting accesses to what is no lock have the same order. (All writes of a location have one, and each
 * access comes after the last of them.) Of what is tried, not only waited for, the order counts. */
void section_classes_write(const mz_execution *execution, mz_text *out);

#endif
