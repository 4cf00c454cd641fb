/* What was learned about a program decides which of its operations are events. The search so far did not know
 * it, and begins again. */
#include "program/world/learning.h"
#include "base/memory.h"
#include "program/world/world.h"

void mz__forget_known_steps(void)
{
    if (mz__w.known_step_count > 0)
        memset(mz__w.known_steps, 0, mz__w.known_step_capacity * sizeof *mz__w.known_steps);
    mz__w.known_step_count = mz__w.premise_count = 0;
}

void mz__begin_again(void)
{
    if (mz__w.exploring)
        mz__w.base.begin_again = true;
}

void mz__learned(void)
{
    mz__begin_again();
    mz__forget_known_steps(); /* that rests on what nobody else touches */
}

void mz__was_deferred_wrongly(mz__thread *t)
{
    t->deferred = false;
    if (mz__w.eager_join_count < MZ__EAGER_JOINS)
        mz__w.eager_joins[mz__w.eager_join_count++] = t->deferred_at;
    mz__learned();
}

void mz__note_large_frame(uintptr_t size)
{
    if (size > mz__w.largest_frame && size < MZ__STACK_BYTES) {
        mz__w.largest_frame = size;
        mz__learned();
    }
}

void mz__watch_mutex(uint32_t cell)
{
    if (mz__w.state.thread_count <= 1 || mz__w.cells[cell].watched)
        return;
    mz__w.cells[cell].watched = true;
    mz__learned();
}

void mz__lock_may_have_failed(uintptr_t pc)
{
    const mz__thread *t = mz__w.current;
    if (!mz__w.in_operation || !t || t->pc != pc)
        return;
    mz_operation_kind kind = mz__w.executed->kind;
    if (kind == MZ_OP_LOCK || kind == MZ_OP_UNLOCK)
        mz__watch_mutex(mz__w.executed_into[0].location);
}

bool __tsan_shared_frames; /* some thread has touched the stack of another */

void mz__share_stack(uint32_t owner)
{
    mz__w.stack_is_shared[owner] = true;
    __tsan_shared_frames = true;
}

void mz__add_foreign_word(uint32_t owner, uintptr_t address)
{
    uint64_t **bits = &mz__w.foreign_words[owner];
    size_t word = (address - MZ__STACK_BASE(owner)) >> 3;
    if (!*bits)
        *bits = mz_allocate_zeroed(MZ__STACK_BYTES >> 9, sizeof **bits);
    (*bits)[word >> 6] |= UINT64_C(1) << (word & 63);
}
