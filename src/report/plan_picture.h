/* Plans as text and pictures. */
#ifndef MZ_REPORT_PLAN_PICTURE_H
#define MZ_REPORT_PLAN_PICTURE_H

#include "safe/plan/symbolic.h"

/* A line per event, its thread's column, what it waits for. With inputs that are read on the way: what comes
 * before that, and then what follows, for each way in which they decide. (plan_text.c) */
void mz_show_text(const mz_symbolic_plan *symbolic, mz_text *out);
/* Events in columns per thread, gray for threads with an even number, and an edge per constraint. Without
 * `all`, only events with constraints; and those that wait for all of the prefix, with dashed edges. With
 * inputs: a picture for each plan, and at each edge when it applies; as a graph, what comes before anything
 * is decided is drawn once. */
void mz_show_dot(const mz_symbolic_plan *symbolic, bool all, mz_text *out);
void mz_show_svg(const mz_symbolic_plan *symbolic, bool all, mz_text *out);

#endif
