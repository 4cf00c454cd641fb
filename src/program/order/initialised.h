/* Which bytes of the heaps were written (initialised.c): known only with --check=uninitialised. */
#ifndef MZ_PROGRAM_ORDER_INITIALISED_H
#define MZ_PROGRAM_ORDER_INITIALISED_H

#include "program/world/world.h"

void mz__mark_written(uintptr_t address, size_t size);
void mz__mark_unwritten(uintptr_t address, size_t size);
void mz__mark_copied(uintptr_t to, uintptr_t from, size_t size);
void mz__require_written(uintptr_t address, size_t size, bool all);

/* Does the program have types with bit-fields? */
bool mz__has_bit_fields(void);

/* The running thread writes these bytes. */
static inline void mz__has_written(uintptr_t address, size_t size)
{
    if (mz__w.report_uninitialised)
        mz__mark_written(address, size);
}

/* They belong to a new block, and whole words of the heap do. */
static inline void mz__forget_written(uintptr_t address, size_t size)
{
    if (mz__w.report_uninitialised)
        mz__mark_unwritten(address, size);
}

/* They are a copy of those, which need not have been written: then these were not, either. */
static inline void mz__has_copied(void *to, const void *from, size_t size)
{
    if (mz__w.report_uninitialised)
        mz__mark_copied((uintptr_t)to, (uintptr_t)from, size);
}

/* It reads one value. The compiler may have put several members of a struct, and what lies between them, into
 * one access: it is an error if no byte of it was written. */
static inline void mz__has_read_value(uintptr_t address, size_t size)
{
    if (mz__w.report_uninitialised)
        mz__require_written(address, size, false);
}

/* It performs an atomic operation. */
static inline void mz__has_performed(mz_operation_kind kind, uintptr_t address, size_t size, bool writes)
{
    if (!mz__w.report_uninitialised)
        return;
    if (kind != MZ_OP_WRITE)
        mz__require_written(address, size, false);
    if (writes)
        mz__mark_written(address, size);
}

/* It ends: there are no more accesses. */
void mz__settle_reads(void);
static inline void mz__has_read_all(void)
{
    if (mz__w.report_uninitialised)
        mz__settle_reads();
}

/* It reads a text: every byte counts. */
static inline void mz__has_read_text(const char *text, size_t size)
{
    if (mz__w.report_uninitialised)
        mz__require_written((uintptr_t)text, size, true);
}

#endif
