/* What of a library its clients have exercised, for people, for other programs, and for lcov. */
#ifndef MZ_SESSION_CLIENTS_COVERAGE_H
#define MZ_SESSION_CLIENTS_COVERAGE_H

#include "base/words.h"
#include "report/report.h"

struct mz_machine;

/* Fills report->coverage and its kin; the texts live as long as the process. */
void mz_clients_tell_coverage(mz_machine *machine, const mz_words *operations, mz_report *report);

#endif
