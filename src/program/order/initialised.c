/* Reading heap memory that nobody has written (--check=uninitialised).
 *
 * A bit for every byte of the heaps says whether it was written since it was allocated. Copies take the bits
 * with them, so that padding, and members that were not set, may be copied; what a value that was not written
 * decides is not followed: reading it is the error. A few ways of the compilers to write memory are not seen
 * (doc/native.md); memory that was never written is zero here, so bytes that are not zero were written in
 * such a way and are no error. */
#include "program/order/initialised.h"
#include "program/describe/failures.h"
#include "program/memory/heap.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

static uint8_t *written_of(uintptr_t address)
{
    return mz__w.memory.heap_written + ((address - MZ__ARENA) >> 3);
}

static bool is_heap(uintptr_t address)
{
    return address - MZ__ARENA < MZ__HEAPS;
}

/* The bits of the bytes from this one to the end of its word, or to the end of all. */
static uint8_t bits_of(uintptr_t at, uintptr_t end)
{
    uintptr_t last = (at | 7) < end - 1 ? at | 7 : end - 1;
    return (uint8_t)(((2u << (last & 7)) - 1) & ~((1u << (at & 7)) - 1));
}

/* ---- bit-fields ------------------------------------------------------------------------------------------
 *
 * To set one, its whole unit is read and written (clang has a hook for both), and the first time that unit
 * was not written before. So in a program with bit-fields such a read is no error until the thread's next
 * access is another one than the write that goes with it. */

typedef struct doubtful_read {
    uintptr_t address, pc;
    size_t size; /* 0: there is none */
} doubtful_read;

static doubtful_read doubtful[MZ_MAX_THREADS];

bool mz__has_bit_fields(void)
{
    static int known; /* 1: no, 2: yes */
    if (!known)
        known = mz_symbols_has_bit_fields(mz__w.symbols) ? 2 : 1;
    return known == 2;
}

static __attribute__((noreturn)) void fail_to_read(uintptr_t address, uintptr_t pc)
{
    mz_text text = {0};
    mz_text_add(&text, "read of memory that was never written, ");
    mz__heap_describe(address, &text);
    mz__fail_with(MZ_FAIL_UNINITIALISED, pc, &text);
}

static void set_doubtful(doubtful_read read)
{
    doubtful_read *mine = &doubtful[mz__me()];
    MZ__SAVE(*mine);
    *mine = read;
}

static void settle(uintptr_t address, size_t size, bool writes)
{
    doubtful_read read = doubtful[mz__me()];
    if (read.size == 0 || !mz__w.current)
        return;
    set_doubtful((doubtful_read){0});
    if (!writes || read.address != address || read.size != size)
        fail_to_read(read.address, read.pc);
}

void mz__settle_reads(void)
{
    settle(0, 0, false);
}

/* ---- reading and writing ---------------------------------------------------------------------------------
 */

void mz__mark_written(uintptr_t address, size_t size)
{
    settle(address, size, true);
    if (!is_heap(address))
        return;
    for (uintptr_t at = address, end = address + size; at < end; at = (at | 7) + 1) {
        uint8_t *word = written_of(at), bits = bits_of(at, end);
        if ((*word & bits) == bits)
            continue;
        if (mz__w.current)
            mz__touch(word, 1);
        *word |= bits;
    }
}

void mz__mark_unwritten(uintptr_t address, size_t size)
{
    mz__save(written_of(address), size / 8);
    memset(written_of(address), 0, size / 8);
}

static bool is_written(uintptr_t at)
{
    return !is_heap(at) || (*written_of(at) & (1u << (at & 7)));
}

/* Where the two overlap, the target's bits, which are set already, may be the source's: it counts as written.
 */
void mz__mark_copied(uintptr_t to, uintptr_t from, size_t size)
{
    for (size_t i = 0; i < size && is_heap(to); i++)
        if (!is_written(from + i)) {
            uint8_t *word = written_of(to + i);
            if (mz__w.current)
                mz__touch(word, 1);
            *word &= (uint8_t) ~(1u << ((to + i) & 7));
        }
}

void mz__require_written(uintptr_t address, size_t size, bool all)
{
    size_t missing = 0;
    uintptr_t first = 0;
    settle(address, size, false);
    if (!is_heap(address) || !mz__w.current)
        return;
    for (uintptr_t at = address; at < address + size; at++)
        if (!is_written(at) && *(const char *)at == 0) {
            first = missing++ ? first : at;
        }
    if (missing == 0 || (!all && missing < size))
        return;
    if (all || size > sizeof(uint64_t) || !mz__has_bit_fields())
        fail_to_read(first, mz__caller.pc);
    set_doubtful((doubtful_read){address, mz__caller.pc, size});
}
