/* Atomic sections (atomic_sections.c; section_contents.c: what happens inside of them). */
#ifndef MZ_PROGRAM_RUNTIME_SECTIONS_H
#define MZ_PROGRAM_RUNTIME_SECTIONS_H

#include "program/world/world.h"

void mz__section_begin(void);
void mz__section_end(void);
extern const char mz__std_lock[]; /* what it is called as a pending operation */
void mz__lock_together_begin(void);
void mz__lock_together_end(void);
void mz__begin_section(void);
/* In a section: what is accessed becomes part of its footprint. */
void mz__section_access(uintptr_t address, size_t size, uint32_t kind);
void mz__section_operation(const mz__pending *pending);
/* An assumption in the section does not hold now. */
void mz__section_blocks(void) __attribute__((noreturn));
bool mz__section_is_possible(mz__thread *thread);
static inline bool mz__awaits_section(const mz__thread *thread)
{
    return thread->pending.guard == MZ__SECTION || thread->pending.guard == MZ__SECTION_CHANGED;
}
/* The running thread is in a section that is an event, not in one that began where nobody could notice. */
bool mz__in_section_event(void);
/* The running thread makes a choice in such a section: it was drawn before. */
int64_t mz__section_choose(int64_t low, int64_t high);
bool mz__section_has_chosen(void);
/* Sections that begin at this place take one more choice than is known. */
void mz__know_draw(uintptr_t place, int64_t low, int64_t high);
void mz__section_footprint_begin(const mz__thread *thread);
const mz_access *mz__section_footprint(bool without_writes, uint32_t *count);

#endif
