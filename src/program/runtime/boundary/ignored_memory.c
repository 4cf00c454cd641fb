/* mz_boundary_ignore(): memory that is left out of states at loop boundaries (loop_boundary.c). */
#include <stdlib.h>

#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/order/memory_errors.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/world/progress.h"
#include "program/world/world.h"

static bool is_ignored(uintptr_t begin, uintptr_t end)
{
    for (uint32_t i = 0; i < mz__w.ignored_count.now; i++)
        if (mz__w.ignored[i].begin <= begin && end <= mz__w.ignored[i].end)
            return true;
    return false;
}

/* For the verdict: all that any execution has left out. */
static void remember(uintptr_t begin, uintptr_t end)
{
    uint32_t i = 0;
    while (i < mz__w.ignored_count.ever && mz__w.ever_ignored[i].begin != begin)
        i++;
    if (i == mz__w.ignored_count.ever && i < MZ__MOST_IGNORED)
        mz__w.ever_ignored[mz__w.ignored_count.ever++] = (struct mz__ignored){begin, end};
}

void mz__describe_ignored(mz_text *out)
{
    for (uint32_t i = 0; i < mz__w.ignored_count.ever; i++) {
        mz_value_type kind;
        mz_text_add(out, i > 0 ? ", " : "");
        mz__name_data(mz__w.ever_ignored[i].begin, mz__w.ever_ignored[i].end - mz__w.ever_ignored[i].begin,
                      out, &kind);
    }
}

MZ__HOOK(void, mz_boundary_ignore, const void *memory, size_t size)
{
    uintptr_t begin = (uintptr_t)memory, end = begin + size;
    mz__check_memory(memory, size, false, mz__caller.pc);
    if (size == 0 || is_ignored(begin, end))
        return;
    if (mz__w.ignored_count.now == MZ__MOST_IGNORED)
        mz__give_up(mz__caller.pc, "mz_boundary_ignore() is called for more than %d pieces of memory",
                    MZ__MOST_IGNORED);
    mz__made_progress();
    MZ__SAVE(mz__w.ignored[mz__w.ignored_count.now]);
    MZ__SAVE(mz__w.ignored_count.now);
    mz__w.ignored[mz__w.ignored_count.now++] = (struct mz__ignored){begin, end};
    remember(begin, end);
}
