/* Shared by the files of this folder. */
#ifndef MZ_SESSION_STORY_INTERNAL_H
#define MZ_SESSION_STORY_INTERNAL_H

#include "base/bytes.h"
#include "search/items/schedule.h"
#include "search/witness/witness.h"

typedef void mz__story_work(mz_problem *problem, mz_machine *machine, mz_bytes *out);

/* Work in a process apart; what it has written is in *out. False if it did not come to its end in time. */
bool mz__apart(mz__story_work *work, mz_problem *problem, mz_machine *machine, double seconds, mz_bytes *out);

/* Writes the schedule of an execution that fails alike with fewer context switches, or as many and fewer
 * steps; nothing if none was found. */
mz__story_work mz__find_neighbour;
/* Writes a decision: mz__read_decision(). */
mz__story_work mz__find_decision;

/* Under weak memory: is all that is read what was written last? */
bool mz__is_interleaving(const mz_problem *problem);
/* The steps of the counterexample. */
void mz__schedule_of(const mz_problem *problem, mz_schedule *schedule);

#endif
