#include "search/sleep.h"

mz_threads mz_still_asleep(mz_machine *machine, mz_threads threads, const mz_operation *executed)
{
    if (machine->class->independent)
        return machine->class->independent(machine, threads, executed);
    mz_threads stay = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, threads)
    {
        mz_operation pending;
        machine->class->pending(machine, t, &pending);
        if (!mz_operations_conflict(&pending, executed))
            stay |= mz_threads_of(t);
    }
    return stay;
}

mz_threads mz_sleep_after(mz_search *s, mz_node *node, uint32_t thread, const mz_operation *executed)
{
    mz_threads asleep = (node->sleep | node->done) & ~mz_threads_of(thread);
    if (!mz_threads_any(asleep))
        return MZ_NO_THREADS; /* most often, while a search goes down */
    for (mz_threads rest = asleep; mz_threads_any(rest);
         rest = mz_threads_rest(rest)) /* few: faster than counting bits in a portable way */
        s->execution->dependency_checks++;
    mz_machine *machine = s->machine;
    return machine->class->independent ? machine->class->independent(machine, asleep, executed)
                                       : mz_still_asleep(machine, asleep, executed);
}
