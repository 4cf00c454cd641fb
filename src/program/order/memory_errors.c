/* Accesses to memory that is not there. */
#include "program/order/memory_errors.h"
#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

/* The first page, where null pointers lead; and the hole below each stack. */
enum { PAGE = 4096 };

static void describe_stack(uintptr_t address, mz_text *out)
{
    uint32_t owner = mz__owner_of_stack(address);
    const char *what = address >= mz__tls_block(owner) ? "a thread-local variable" : "the stack";
    if (owner >= mz__w.state.thread_count || mz__w.threads[owner].life == MZ__UNBORN)
        mz_text_add(out, "at address %#lx, which is that of no variable", (unsigned long)address);
    else if (mz__w.threads[owner].returned)
        mz_text_add(out, "of %s of thread %u, which has ended", what, owner);
    else if (address >= MZ__STACK_BASE(owner) + PAGE)
        mz_text_add(out, "of a local variable of thread %u, whose function has returned", owner);
    else
        mz_text_add(out, "below the stack of thread %u", owner);
}

static bool is_gap(uintptr_t at)
{
    const mz__memory *m = &mz__w.memory;
    return m->image_gaps && m->image_gaps[(at - m->image) >> 3] & (1u << (at & 7));
}

/* The variable as a whole, whichever part of it the byte is. */
static void add_variable(uintptr_t at, mz_text *out)
{
    mz_value_type kind;
    mz_text name = {0};
    mz__name_data(at, 0, &name, &kind);
    mz_text_add(out, "'%.*s'", (int)strcspn(mz_text_string(&name), "[.+"), mz_text_string(&name));
    mz_text_release(&name);
}

static void describe_gap(uintptr_t address, mz_text *out)
{
    const mz__memory *m = &mz__w.memory;
    uintptr_t before = address, next = address;
    while (before > m->image && is_gap(before))
        before--;
    while (next < m->image_end && is_gap(next))
        next++;
    bool is_behind = !is_gap(before) && (next == m->image_end || address - before <= next - address);
    size_t distance = is_behind ? (size_t)(address - before - 1) : (size_t)(next - address);
    if (distance > 0)
        mz_text_add(out, "%zu bytes %s ", distance, is_behind ? "behind" : "before");
    else
        mz_text_add(out, "right behind ");
    add_variable(is_behind ? before : next, out);
    mz_text_add(out, ", where no variable is");
}

static bool is_of_variable(uintptr_t at)
{
    mz_text name = {0};
    mz_value_type kind;
    bool named = !is_gap(at) && mz_symbols_data(mz__w.symbols, at, 1, &name, &kind);
    mz_text_release(&name);
    return named;
}

/* Outside of all variables: the nearest one is told if it is within a page. */
static void describe_outside(uintptr_t address, mz_text *out)
{
    const mz__memory *m = &mz__w.memory;
    mz_text_add(out, "at address %#lx, which is that of no variable", (unsigned long)address);
    for (uintptr_t distance = 1; distance < PAGE; distance++) {
        bool is_behind = address - distance - m->image < m->image_end - m->image;
        uintptr_t at = is_behind ? address - distance : address + distance;
        if (at - m->image >= m->image_end - m->image || !is_of_variable(at))
            continue;
        mz_text_add(out, ": %zu bytes %s ", (size_t)(is_behind ? distance - 1 : distance),
                    is_behind ? "behind" : "before");
        add_variable(at, out);
        return;
    }
}

static void describe_missing(uintptr_t address, mz_text *out)
{
    if (address < PAGE)
        mz_text_add(out, "through a null pointer (address %#lx)", (unsigned long)address);
    else if (address - MZ__ARENA < MZ__HEAPS)
        mz__heap_describe(address, out);
    else if (address - MZ__ARENA < MZ__ARENA_BYTES)
        describe_stack(address, out);
    else if (address - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image)
        describe_gap(address, out);
    else if (mz__is_library(address, 1, false))
        mz_text_add(out, "at address %#lx, inside a library", (unsigned long)address);
    else
        describe_outside(address, out);
}

/* The system would end the program there. */
static bool is_nowhere(uintptr_t address)
{
    const mz__memory *m = &mz__w.memory;
    return address - MZ__ARENA >= MZ__ARENA_BYTES && address - m->image >= m->image_end - m->image &&
           !mz__is_library(address, 1, false);
}

void mz__check_memory(const volatile void *memory, size_t size, bool writes, uintptr_t pc)
{
    uintptr_t address = (uintptr_t)memory;
    if (size == 0 || mz__w.unchecked || mz__is_there(address, size, writes))
        return;
    if (!mz__w.current)
        return;                              /* a constructor: the system will say so */
    while (mz__is_there(address, 1, writes)) /* the first byte that is not */
        address++;
    mz_text text = {0};
    mz_text_add(&text, "%s ", writes ? "write" : "read");
    describe_missing(address, &text);
    mz__blame_others(address, writes, pc);
    bool is_crash = !mz__w.report_memory && is_nowhere(address);
    mz__fail_with(is_crash ? MZ_FAIL_CRASH : MZ_FAIL_MEMORY, pc, &text);
}
