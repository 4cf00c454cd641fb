/* Which lines of the program have plain accesses that race. Where races are no errors these have names in
 * plans, and count; others need not (wire/site.h). */
#ifndef MZ_PROGRAM_WORLD_SITES_H
#define MZ_PROGRAM_WORLD_SITES_H

#include "program/world/world.h"

/* Of the call that returns to this place; false for one that is not listed. */
static inline bool mz__site_is(const uint64_t *sites, uintptr_t pc)
{
    uintptr_t at = pc - mz__w.memory.code;
    return sites && at < mz__w.memory.code_end - mz__w.memory.code && (sites[at >> 6] >> (at & 63) & 1);
}

/* Is a plain access after this call one that does not count? */
static inline bool mz__site_is_skipped(uintptr_t pc)
{
    return MZ_UNLIKELY(mz__w.counts_racing_lines) && mz__site_is(mz__w.listed_sites, pc) &&
           !mz__site_is(mz__w.racing_sites, pc);
}

/* The access is an event, unless there is no other thread yet. */
static inline void mz__note_racing_site(uintptr_t pc)
{
    uintptr_t at = pc - mz__w.memory.code;
    if (mz__w.state.thread_count <= 1)
        return;
    if (mz__site_is_skipped(pc))
        mz__w.met_unknown_line = true;
    else if (mz__site_is(mz__w.listed_sites, pc))
        mz__w.racing_sites[at >> 6] |= UINT64_C(1) << (at & 63);
}

#endif
