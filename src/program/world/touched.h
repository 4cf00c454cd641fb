/* What has been changed since the reset, as the trail tells (touched.c). */
#ifndef MZ_PROGRAM_WORLD_TOUCHED_H
#define MZ_PROGRAM_WORLD_TOUCHED_H

#include "program/world/trail.h"

/* So many bytes were changed; before that they were these, NULL: zero. They are told the latest first. */
typedef void mz__tell_touched(void *context, uintptr_t home, size_t size, const char *before);

/* What was changed since the trail was this long, but for the records and stacks of threads that go on. */
void mz__each_touched(size_t from, mz__tell_touched *tell, void *context);

#endif
