/* Happens-before of the program, and accesses that nothing orders (happens_before.c, race_reports.c). */
#ifndef MZ_PROGRAM_ORDER_HAPPENS_BEFORE_H
#define MZ_PROGRAM_ORDER_HAPPENS_BEFORE_H

#include "program/world/world.h"

/* The running thread is about to fail because of this byte, which is not there any more. Others may have done
 * that to it in an order that nothing forces: without their steps it does not fail. If nobody wants to know
 * that, but about races, it fails because of that one. */
void mz__blame_others(uintptr_t address, bool writes, uintptr_t pc);
/* Are these bytes touched by others at the same time, as far as the program's own order goes? */
void mz__access(uintptr_t address, size_t size, bool writes, bool atomic, uintptr_t pc);
/* The same for a plain access of the program to bytes of one word, which has this shadow. */
void mz__plain_word_access(mz__shadow *shadow, uintptr_t address, size_t size, bool writes);
/* The same for an atomic access. Most often its word has seen no others, so that there is nothing to do:
 * tells whether that is so. */
bool mz__atomic_access(uintptr_t address, size_t size, bool writes);
/* The same for the operation that the running thread performs. */
void mz__unsettled_access(uintptr_t address, size_t size, bool writes);
static inline void mz__operation_access(uintptr_t address, size_t size, bool writes)
{
    const mz__pending *p = &mz__w.current->pending;
    if (p->own_count != 1 || !mz__w.cells[p->accesses[0].location].settled)
        mz__unsettled_access(address, size, writes);
}

/* What the running thread does to a word now, and another one has done before: nothing orders the two. */
typedef struct mz__race {
    uintptr_t word, pc;
    uint8_t bytes, how, how_before; /* MZ__ENTRY_… */
    uint32_t other, epoch_before, place_before, held_before;
} mz__race;
void mz__found_race(const mz__race *race);
/* An execution begins. */
void mz__begin_watch(void);
/* The running thread does this, and looks for the earlier access of a race. */
void mz__watch_access(uintptr_t word, uint8_t bytes, uint8_t how, uint32_t place);
void mz__acquire_clock(uint32_t cell);
static inline void mz__acquire(uint32_t cell)
{
    if (!mz__w.ignores_order)
        mz__acquire_clock(cell);
}
void mz__release_clock(uint32_t cell, bool joins);
static inline void mz__release(uint32_t cell, bool joins)
{
    if (!mz__w.ignores_order)
        mz__release_clock(cell, joins);
}
/* By a simple section: at an access to the cell, and at its end with all of them. */
void mz__acquire_guarded(uint32_t cell, bool writes);
void mz__release_guarded(const mz_access *accesses, size_t count);
void mz__acquire_relaxed(uint32_t cell);
void mz__release_relaxed(uint32_t cell, bool joins);
/* A plain write that is an event. */
void mz__overwrite_plainly(uint32_t cell);
void mz__fence(bool acquires, bool releases);
/* Under weak memory: the running thread reads from, or makes, a write that publishes this. */
void mz__acquire_published(const mz__clock *published, bool acquires);
void mz__publish_write(mz__clock *published, bool releases, const mz__clock *continues);
void mz__order_threads(uint32_t from, uint32_t to);
void mz__acquire_thread(uint32_t other);
/* Is the access before this place one to something volatile? (volatile_calls.c) */
bool mz__is_volatile(uintptr_t pc);

#endif
