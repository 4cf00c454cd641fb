#include "explore/sleep.h"

mz_threads mz_sleep_after(mz_search *s, mz_node *node, uint32_t thread, const mz_operation *executed)
{
    mz_threads stay = 0;
    MZ_FOR_EACH_THREAD(t, (node->sleep | node->done) & ~mz_threads_of(thread))
    {
        mz_operation pending;
        s->machine->class->pending(s->machine, t, &pending);
        s->execution->dependency_checks++;
        if (!mz_operations_conflict(&pending, executed))
            stay |= mz_threads_of(t);
    }
    return stay;
}
