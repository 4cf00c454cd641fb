/* malloc may return memory that was freed (--heap-reuse): what an algorithm takes for the same node may be
 * another one at the same address.
 *
 * Which block malloc returns is up to it, so it is a choice: a new one, or one of those of the same room that
 * were freed, by whichever thread. The choice comes first, in the local work, and names the block; to take it
 * is an operation on a location that stands for the block, and so is giving it back at the end of free. If
 * the block is not there to be taken when its turn comes, malloc could not have returned it: the execution is
 * not followed. Another one, with another choice, does what this one would have done.
 *
 * So two executions are the same if each malloc has taken the same block, freed by the same free. Frees of
 * different blocks do not depend on each other; a malloc that takes new memory touches nothing. What happened
 * before a free comes before what follows the malloc that takes its block, as allocators have it, and the two
 * are events on one location, in this order: an edge that the search reverses (happens_before.c). Nothing
 * else is ordered by them: some allocators have one lock for all, others a cache for each thread.
 *
 * A use after free is found where its block is not taken: that choice is always among them. And where it is,
 * an access by a thread that does not come after the free still races with it.
 *
 * What can be chosen has to be the same whenever the thread comes there in an equivalent execution. It is
 * what has ever been freed, in any execution (a new one makes the search begin again), but for what is not
 * possible, as far as that follows from what happens before: blocks of the thread's own heap that it has not
 * allocated yet; blocks that nobody else has ever freed or taken, and that are not there now.
 *
 * A thread takes a freed block a number of times only: a program that allocates in a loop would have
 * exponentially many executions. One that is alone takes new memory: there is nobody else who could mistake
 * a block for another one. Between two loop boundaries nothing is used again (allocation.c). */
#include "program/runtime/reuse.h"
#include "base/memory.h"
#include "program/describe/names.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/runtime/accesses.h"
#include "program/runtime/choices.h"
#include "program/runtime/operations.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/named_locations.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* Never forgotten, in the order in which they were found: a choice is a number. */
typedef struct known {
    uintptr_t block;
    size_t room;
    uint32_t cell;
} known;

static known *blocks;
static size_t block_count, block_capacity;

static uint32_t find(uintptr_t block, size_t room)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].block == block && blocks[i].room == room)
            return blocks[i].cell;
    return MZ__NO_CELL;
}

uint32_t mz__know_freed(uintptr_t block, size_t room, uint32_t owner)
{
    uint32_t cell;
    blocks = mz_grow(blocks, &block_capacity, block_count + 1, sizeof *blocks);
    mz__cells_of(MZ__NAME_OF_BLOCK(block), MZ__OBJECT_SIZE, true, &cell);
    if (mz__w.cells[cell].owner == MZ__NOBODY)
        mz__w.cells[cell].owner = owner;
    else if (mz__w.cells[cell].owner != owner)
        mz__w.cells[cell].owner = MZ__SHARED;
    blocks[block_count++] = (known){block, room, cell};
    return cell;
}

/* ---- free -----------------------------------------------------------------------------------------------
 */

static mz__pending *prepare(uintptr_t block, uint32_t cell, const char *verb)
{
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_UPDATE, verb);
    p->address = block;
    p->access_count = p->own_count = 1;
    p->accesses[0] = (mz_access){cell, MZ_READ | MZ_WRITE};
    return p;
}

static bool is_in_use(void)
{
    return mz__w.reuses > 0 && mz__w.current && !mz__w.base.has_boundaries;
}

void mz__offer_block(void *memory)
{
    if (!is_in_use() || !memory)
        return;
    uintptr_t block = (uintptr_t)memory;
    size_t room = mz__heap_room(mz__heap_size(memory));
    uint32_t cell = find(block, room);
    if (cell == MZ__NO_CELL) {
        cell = mz__know_freed(block, room, mz__me());
        mz__learned();
    }
    mz__announce(prepare(MZ__NAME_OF_BLOCK(block), cell, "free"), false);
    mz__release(cell, false);
    mz__heap_offer(block);
}

bool mz__may_be_taken(uintptr_t block)
{
    return mz__heap_is_offered(block, mz__heap_room(mz__heap_size((const void *)block)));
}

/* ---- malloc ---------------------------------------------------------------------------------------------
 */

static bool is_possible(const known *k, size_t room, size_t alignment)
{
    if (k->room != room || k->block % alignment != 0)
        return false;
    uint32_t me = mz__me(), heap = (uint32_t)((k->block - MZ__ARENA) / MZ__HEAP_BYTES);
    if (heap == me && !mz__heap_may_hold(me, k->block))
        return false;
    return mz__w.cells[k->cell].owner != me || mz__heap_is_offered(k->block, room);
}

/* The one that is chosen; NULL: none of them, but a new one. */
static const known *choose(size_t room, size_t alignment)
{
    int64_t possible = 0;
    for (size_t i = 0; i < block_count; i++)
        possible += is_possible(&blocks[i], room, alignment);
    int64_t chosen = possible > 0 ? mz__choose(0, possible) : 0;
    for (size_t i = 0; chosen > 0 && i < block_count; i++)
        if (is_possible(&blocks[i], room, alignment) && --chosen == 0)
            return &blocks[i];
    return NULL;
}

static bool may_take_freed(void)
{
    return is_in_use() && block_count > 0 && mz__w.current->cold.reused < mz__w.reuses &&
           mz__w.state.thread_count > 1 && !mz__alone();
}

void *mz__take_freed(size_t bytes, size_t alignment)
{
    size_t room = mz__heap_room(bytes);
    uintptr_t pc = mz__call_in_program();
    const known *found = may_take_freed() ? choose(room, alignment) : NULL;
    if (!found)
        return NULL;
    known k = *found; /* there may be more of them when its turn comes */
    mz__pending *p = prepare(MZ__NAME_OF_BLOCK(k.block), k.cell, "malloc");
    p->condition = MZ__OFFERED;
    p->expected[0] = room;
    mz__announce(p, false);
    if (!mz__heap_is_offered(k.block, room)) {
        mz__executed_as(MZ_OP_READ, false);
        mz__prune();
    }
    mz__acquire(k.cell);
    mz__cold_of(mz__w.current)->reused++;
    mz__is_own_only(k.block);
    mz__heap_take(k.block, bytes, pc);
    return (void *)k.block;
}

/* ---- knowledge.c ----------------------------------------------------------------------------------------
 */

bool mz__freed_block(size_t i, uintptr_t *block, size_t *room, uint32_t *owner)
{
    if (i >= block_count)
        return false;
    *block = blocks[i].block;
    *room = blocks[i].room;
    *owner = mz__w.cells[blocks[i].cell].owner;
    return true;
}
