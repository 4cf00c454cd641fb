#ifndef TEST_ORACLE_SECTION_CLASSES_H
#define TEST_ORACLE_SECTION_CLASSES_H

#include "base/text.h"
#include "machine/execution.h"
#include "oracle/string_set.h"

/* Of lock-aware equivalence by its definition: each thread has the same events, those of locks included, and
 * conflicting accesses to what is no lock have the same order. (All writes of a location have one, and each
 * access comes after the last of them.) Of what is tried, not only waited for, the order counts. */
void section_classes_write(const mz_execution *execution, mz_text *out);

/* No class is missed: there are as many traces at least. (Where a thread has failed in the midst of a
 * section, it has not begun it, as far as others can tell: classes are of executions that come to their
 * ends.) */
void section_classes_compare(const mz_machine *machine, const string_set *traces, const string_set *errors,
                             mz_text *out);

#endif
