/* What executions cost, by the definitions: written down as they stand, and not as the algorithms have them.
 */
#include "oracle/reference.h"

uint32_t reference_preemptions(mz_threads ready, bool has_last, uint32_t last, uint32_t thread)
{
    return has_last && mz_threads_has(ready, last) && thread != last;
}

/* From the last thread on, one number after the other, and round: who is ready and passed over? */
uint32_t reference_delays(mz_threads ready, bool has_last, uint32_t last, uint32_t thread)
{
    uint32_t delays = 0;
    for (uint32_t t = has_last ? last : 0; t != thread; t = (t + 1) % MZ_MAX_THREADS)
        delays += mz_threads_has(ready, t);
    return delays;
}
