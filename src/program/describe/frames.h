/* The frames of a program's threads (frames.c). */
#ifndef MZ_PROGRAM_DESCRIBE_FRAMES_H
#define MZ_PROGRAM_DESCRIBE_FRAMES_H

#include "program/symbols/symbols.h"
#include "program/world/world.h"

/* The innermost frame of the program: of the thread that runs, with its registers; of one that waits for its
 * turn. */
mz_frame mz__frame_of_caller(void);
mz_frame mz__frame_of(const mz__thread *thread);
/* One or the other, of a thread that is alive. */
bool mz__frame_of_thread(uint32_t thread, mz_frame *frame);

#endif
