/* --progress: does every call complete, however the other threads are stopped? A report, no verdict. */
#ifndef MZ_SESSION_CLIENTS_PROGRESS_H
#define MZ_SESSION_CLIENTS_PROGRESS_H

#include "client/description.h"
#include "report/report.h"
#include "session/settings/settings.h"

/* Looks at these clients, until the time (of the monotonic clock; 0: any) is over. What was found out goes
 * into report->progress and its kin; the texts live as long as the process. Afterwards the machine is of no
 * more use for searches. */
void mz_clients_tell_progress(mz_machine *machine, const mz_settings *settings, const mz_client *clients,
                              size_t count, double deadline, mz_report *report);

#endif
