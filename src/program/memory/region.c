/* The program's memory: one region of address space for heaps and stacks, at the same place in every process,
 * and the writable segments of the loaded program. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "program/describe/noted_premises.h"
#include "program/runtime/schedule.h"
#include "program/memory/variables.h"

enum { PAGE = 4096 };

static void *reserve(void *where, size_t bytes)
{
    int fixed = where ? MAP_FIXED_NOREPLACE : 0;
    void *p = mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed,
                   -1, 0);
    if (p == MAP_FAILED || (where && p != where)) {
        perror("mazurka: cannot reserve address space for the program");
        exit(4);
    }
    return p;
}

void mz__memory_create(void)
{
    mz__w.early_hook_stack = reserve(NULL, MZ__HOOK_STACK_BYTES);
    mz__hook_stack = mz__w.early_hook_stack + MZ__HOOK_STACK_BYTES; /* for constructors */
    mz__memory *m = &mz__w.memory;
    reserve((void *)MZ__ARENA, MZ__ARENA_BYTES);
    m->arena_shadow = reserve(NULL, MZ__ARENA_BYTES / 8 * sizeof(mz__shadow));
    m->heap_valid = reserve(NULL, MZ__HEAPS / 8);
    if (mz__w.report_uninitialised)
        m->heap_written = reserve(NULL, MZ__HEAPS / 8);
    mz__w.chain = reserve(NULL, (size_t)MZ__MOST_CHAINED * sizeof(mz__shadow));
    mz__w.state.chain_used = 1;                   /* 0 is none */
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) /* a stack that grows too large runs into a hole */
        mprotect((void *)(MZ__ARENA + MZ__HEAPS + t * MZ__STACK_BYTES), PAGE, PROT_NONE);
}

/* All but the hole below each. */
void mz__make_stacks_executable(void)
{
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        mprotect((void *)(MZ__STACK_BASE(t) + PAGE), MZ__STACK_BYTES - PAGE,
                 PROT_READ | PROT_WRITE | PROT_EXEC);
}

uintptr_t mz__tls_block(uint32_t thread)
{
    const mz__memory *m = &mz__w.memory;
    uintptr_t end = MZ__ARENA + MZ__HEAPS + (thread + 1) * MZ__STACK_BYTES - thread * MZ__COLOUR;
    return (end - m->tls_bytes) & ~(uintptr_t)(m->tls_align > 64 ? m->tls_align - 1 : 63);
}

uintptr_t mz__stack_top(uint32_t thread)
{
    return mz__tls_block(thread);
}

bool mz__is_library(uintptr_t address, size_t size, bool writes)
{
    const mz__memory *m = &mz__w.memory;
    for (size_t i = 0; i < m->library_count; i++)
        if (address >= m->libraries[i].begin && address + size <= m->libraries[i].end &&
            (!writes || m->libraries[i].writable)) {
            if (i == m->environment)
                mz__ask_variable(NULL);
            return true;
        }
    return false;
}

/* ---- is it there? ------------------------------------------------------------------------------------- */

static uint32_t owner_of_stack(uintptr_t address)
{
    return (uint32_t)((address - MZ__ARENA - MZ__HEAPS) / MZ__STACK_BYTES);
}

static void describe_stack(uintptr_t address, mz_text *out)
{
    uint32_t owner = owner_of_stack(address);
    const char *what = address >= mz__tls_block(owner) ? "a thread-local variable" : "the stack";
    if (owner >= mz__w.state.thread_count || mz__w.threads[owner].life == MZ__UNBORN)
        mz_text_add(out, "at address %#lx, where nothing is", (unsigned long)address);
    else if (mz__w.threads[owner].returned)
        mz_text_add(out, "of %s of thread %u, which has ended", what, owner);
    else if (address >= MZ__STACK_BASE(owner) + PAGE)
        mz_text_add(out, "of a local variable of thread %u, whose function has returned", owner);
    else
        mz_text_add(out, "below the stack of thread %u", owner);
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
        mz__describe_gap(address, out);
    else if (mz__is_library(address, 1, false))
        mz_text_add(out, "at address %#lx, inside a library", (unsigned long)address);
    else
        mz_text_add(out, "at address %#lx, where nothing is", (unsigned long)address);
}

/* What lies below the stack pointer of a thread belongs to functions that have returned. Of a thread that
 * does not run that is the one with which it has left its code; all that it did up to there without an event
 * is nothing that the access could come before. */
static uintptr_t lowest_frame(uint32_t owner)
{
    return owner == mz__me() ? mz__caller.sp : mz__w.threads[owner].entry_sp;
}

static bool stack_is_there(uintptr_t address)
{
    uint32_t owner = owner_of_stack(address);
    return owner < mz__w.state.thread_count && !mz__w.threads[owner].returned &&
           address >= MZ__STACK_BASE(owner) + PAGE && address >= lowest_frame(owner);
}

bool mz__is_there(uintptr_t address, size_t size, bool writes)
{
    const mz__memory *m = &mz__w.memory;
    if (address - MZ__ARENA < MZ__HEAPS)
        return mz__heap_has(address, size);
    if (address - MZ__ARENA < MZ__ARENA_BYTES)
        return stack_is_there(address);
    if (address >= m->image && address + size <= m->image_end)
        return !mz__is_in_gap(address, size);
    if (!writes && address >= m->code && address + size <= m->code_end)
        return true;
    return mz__is_library(address, size, writes);
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
