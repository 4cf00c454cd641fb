/* Critical sections of mutexes that are one event each (simple_sections.c). */
#ifndef MZ_PROGRAM_RUNTIME_SIMPLE_SECTIONS_H
#define MZ_PROGRAM_RUNTIME_SIMPLE_SECTIONS_H

#include "program/world/object_states.h"
#include "program/world/world.h"

/* A mutex whose sections are taken to be simple. */
static inline bool mz__has_simple_sections(uint32_t cell)
{
    return MZ_UNLIKELY(mz__w.cells[cell].simple) && (mz__w.base.relation & MZ_REFINES_LOCKS);
}
/* The running thread is about to lock a mutex whose sections are simple. When this returns true, its section
 * has begun; false: it is to be locked as any other. */
bool mz__begin_simple_section(mz__mutex *mutex, uint32_t cell);
/* The running thread is about to unlock it. */
void mz__end_simple_section(mz__mutex *mutex, uint32_t cell);
/* A plain access in it. */
void mz__simple_section_access(uintptr_t address, size_t size, uint32_t kind);
/* What the section that this thread is about to begin would touch is known, for the state as it is. */
void mz__try_simple_section(mz__thread *thread);
static inline const mz_access *mz__tried_accesses(const mz__thread *thread)
{
    return mz__w.tried + thread->tried;
}

/* The mutex has other sections than simple ones (section_notes.c). The search begins again. */
void mz__is_not_simple(uint32_t cell);
/* The running thread does something that a simple section does not do, whether it is in one or not. */
void mz__leave_simple_section(void) __attribute__((noreturn));
static inline void mz__not_in_simple_section(void)
{
    if (MZ_UNLIKELY(mz__w.current && mz__w.current->simple))
        mz__leave_simple_section();
}

/* Which mutexes have simple sections, some of which do not conflict, is seen in the first, exploratory runs
 * (section_notes.c). The running thread has locked, or is about to unlock, a mutex. */
void mz__note_locked(uint32_t cell);
void mz__note_unlocked(uint32_t cell);
/* The running thread accesses something, or performs an operation. */
void mz__note_section_access(uintptr_t address, bool writes);
void mz__note_section_operation(void);
void mz__begin_section_notes(void);
/* They are over. */
void mz__choose_simple_sections(void);

#endif
