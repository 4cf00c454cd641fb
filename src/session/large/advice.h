/* What to try next with a program that is too large: which bound is likely to be finished in the time that
 * the user is ready to wait, and how fast sampling is. All of it is measured on the program itself. */
#ifndef MZ_SESSION_LARGE_ADVICE_H
#define MZ_SESSION_LARGE_ADVICE_H

#include "base/arena.h"
#include "report/report.h"
#include "session/settings/settings.h"

/* A search of the same program with another algorithm, for a while: its report, which lives on; NULL if there
 * is none. */
typedef const mz_report *mz_probe(void *context, const mz_settings *settings, const mz_algorithm *algorithm);

/* Is there something to find out? The search of `report` was stopped by a limit, after a while, and could
 * have been exhaustive. */
bool mz_is_too_large(const mz_report *report, const mz_settings *settings, const mz_algorithm *algorithm);

/* Tries bounds for a small part of the time that was spent, and adds lines to the report. If one of these
 * searches finds an error, that is better than advice: its report, otherwise NULL. The lines are in
 * the arena. */
const mz_report *mz_advise(mz_report *report, const mz_settings *settings, mz_probe *probe, void *context,
                           mz_arena *arena);

/* Another limit than that of time has ended the search: the command with a larger one, unless there is other
 * advice. */
void mz_advise_limit(mz_report *report, const mz_settings *settings, mz_arena *arena);

#endif
