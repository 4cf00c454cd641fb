/* What all synchronisation objects have in common: when an operation on one may happen, and how it is
 * announced. */

#include <string.h>

#include "program/describe/failures.h"
#include "program/memory/heap.h"
#include "program/order/special_words.h"
#include "program/order/writes.h"
#include "program/runtime/accesses.h"
#include "program/runtime/objects.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/progress.h"
#include "program/world/world.h"

uint32_t mz__find_object_cell(const void *object, size_t size)
{
    uint32_t cell;
    mz__check_operand((uintptr_t)object, size, true);
    for (size_t part = 0; part < size; part += sizeof(uint64_t))
        mz__is_own_only((uintptr_t)object + part);
    mz__cells_of((uintptr_t)object, MZ__OBJECT_SIZE, true, &cell);
    bool variable = (uintptr_t)object - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image;
    if (variable && mz__w.cells[cell].object && mz__w.cells[cell].there < size)
        mz__w.cells[cell].there = (uint8_t)size;
    return cell;
}

/* ---- never initialised -----------------------------------------------------------------------------------
 *
 * Memory that nobody has written is zero here, as that of static objects is: an object there looks as if it
 * had been initialised. Outside of the checker anything may be there. So the first time such an object is
 * used, in a block that malloc() has made, its word is remembered, and from then on it is known of each
 * execution whether it was written. A stack holds what nobody can take for an object where its thread has not
 * been yet (mz__create_thread()); what earlier functions have left there is not looked at. */

/* Blocks that are older than main hold what is ours, or what constructors have made. */
static bool was_given(uintptr_t word)
{
    mz__block block;
    return word < MZ__ARENA + mz__w.initial_heap || !mz__heap_find(word, &block) || block.zeroed;
}

static bool is_never_set(uintptr_t word)
{
    const mz__shadow *shadow = mz__shadow_of(word);
    if (word - MZ__ARENA >= MZ__HEAPS || (shadow->more & MZ__WORD_IS_SET))
        return false;
    if (mz__w.base.has_boundaries || mz__w.reuses > 0) /* whoever has written there meant another block */
        return false;
    if (shadow->more & MZ__WORD_IS_OBJECT)
        return !was_given(word);
    if (was_given(word))
        mz__object_is_set(word);
    else
        mz__remember_word(word, MZ__WORD_IS_OBJECT);
    return false;
}

void mz__look_at_object(const int32_t *state, const char *what)
{
    if (*state == MZ__DESTROYED)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a %s is used after it was destroyed", what);
    if (*state != 0 || is_never_set((uintptr_t)state & ~(uintptr_t)7))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a %s is used that was never initialised", what);
}

void mz__check_end(const int32_t *state, const char *what)
{
    if (*state == MZ__DESTROYED && mz__w.report_misuse)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a %s is destroyed that was destroyed before", what);
    mz__check_made(state, what);
}

/* Initialising and destroying an object is an operation on it, too. */
void mz__begin_change(const void *object, size_t size, const char *verb)
{
    uint32_t cell = mz__object_cell(object, size);
    bool weak = mz__w.base.weak || (mz__w.base.is_told_of_orders && mz__w.base.weaker_orders);
    if (weak && mz__w.state.thread_count > 1 &&
        mz__alone()) { /* all that was done to it is over, and happens before this */
        mz__on_object(MZ_OP_UPDATE, MZ__FREE, object, cell, verb);
        mz__w.in_operation = false;
        mz__operation_access((uintptr_t)object, 1, true);
        return;
    }
    mz__watch_mutex(cell);
    mz__pending *p = mz__on_object(MZ_OP_UPDATE, MZ__FREE, object, cell, verb);
    p->order = MZ_RELAXED;
    mz__begin_operation(p, false);
}

void mz__keep_state_of_object(void)
{
    const mz__pending *p = &mz__w.current->pending;
    if (mz__w.in_operation && p->kind != MZ_OP_LOCK && p->kind != MZ_OP_UNLOCK)
        mz__changes_object(p->accesses[0].location, p->address);
}

/* The calling thread changes an object of the program. */
void mz__change_object(void *object, size_t size)
{
    mz__touch(object, size);
    mz__made_progress();
}

uint32_t mz__waiting_for(uintptr_t object, uint32_t *who)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life == MZ__ALIVE && mz__w.threads[u].cold.waits_for == object)
            who[count++] = u;
    return count;
}
