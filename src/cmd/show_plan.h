/* Plans as text and pictures. */
#ifndef MZ_CMD_SHOW_PLAN_H
#define MZ_CMD_SHOW_PLAN_H

#include "enforce/plan.h"

/* A line per event, its thread's column, what it waits for. */
void mz_show_text(const mz_plan *plan, mz_text *out);
/* Events in columns per thread, gray for threads with an even number, and an edge per constraint. Without
 * `all`, only events with constraints. */
void mz_show_dot(const mz_plan *plan, bool all, mz_text *out);
void mz_show_svg(const mz_plan *plan, bool all, mz_text *out);

#endif
