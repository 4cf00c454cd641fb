/* Short executions first, in programs with threads that go on and on. */
#ifndef MZ_SESSION_STAGES_H
#define MZ_SESSION_STAGES_H

#include "algo/algorithm.h"
#include "session/result.h"
#include "session/settings/settings.h"

/* mz_native_prepare(), and: is this a program with threads so long, or with so many of them, that it should
 * be looked at in stages? The machine has no limit on the events of a thread afterwards. */
bool mz_prepare_and_look(mz_machine *machine, bool first, const volatile bool *too_many_threads);

/* Searches in which each thread is left after few events of its own; the time they take is little. true: the
 * result is a bug. Otherwise nothing follows, and the machine has to be prepared again. */
bool mz_search_in_stages(const mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                         double started, mz_result *result);

#endif
