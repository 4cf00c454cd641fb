#include "program/describe/frames.h"

#include <string.h>

mz_frame mz__frame_of_caller(void)
{
    mz_frame frame = {
        .pc = mz__caller.pc, .sp = mz__caller.sp, .fp = mz__caller.preserved[MZ__FRAME_POINTER]};
    _Static_assert(sizeof frame.preserved == sizeof mz__caller.preserved, "the same registers");
    memcpy(frame.preserved, mz__caller.preserved, sizeof frame.preserved);
    frame.preserved_known = (1u << MZ_PRESERVED) - 1;
    return frame;
}

mz_frame mz__frame_of(const mz__thread *t)
{
    return (mz_frame){.pc = t->pc, .sp = t->entry_sp, .fp = t->frame_pointer};
}

bool mz__frame_of_thread(uint32_t thread, mz_frame *frame)
{
    const mz__thread *t = &mz__w.threads[thread];
    bool runs = t == mz__w.current ||
                (t->pc == mz__caller.pc && t->entry_sp == mz__caller.sp); /* it ran last, up to there */
    if (t->life != MZ__ALIVE || (!runs && !t->pc))
        return false;
    *frame = runs ? mz__frame_of_caller() : mz__frame_of(t);
    return true;
}
