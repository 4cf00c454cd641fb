/* What library functions do to memory in the name of the program: it is checked, looked at for races, and on
 * the trail. */
#include <errno.h>
#include <string.h>

#include "program/describe/names.h"
#include "program/loops/overdue.h"
#include "program/memory/heap.h"
#include "program/order/initialised.h"
#include "program/order/memory_errors.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/reuse.h"
#include "program/world/progress.h"
#include "program/world/world.h"

/* As much memory as one operation more. */
enum { MUCH = 1 << 16 };

void *mz__allocate(size_t bytes, size_t alignment)
{
    mz__made_progress();
    mz__goes_about(1 + bytes / MUCH);
    mz__w.heap_used = true;
    void *block = mz__w.reuses > 0 ? mz__take_freed(bytes, alignment) : NULL;
    if (!block)
        block = mz__heap_allocate(bytes, alignment, mz__call_in_program());
    if (!block)
        errno = ENOMEM;
    return block;
}

void mz__free(void *block, mz__family family)
{
    if (!block)
        return;
    mz__made_progress();
    mz__local.accesses++; /* for plans it is one, and has a name */
    mz__w.current->pending.compiled = true;
    mz__heap_delete(block, family, mz__caller.pc);
    mz__w.current->pending.compiled = false;
    mz__offer_block(block);
}

/* As the library does it: bytes are read and written one after the other, a few at a time. Where somebody
 * could notice that, each part happens right after it was announced. */
void mz__copy_memory(void *to, const void *from, size_t bytes)
{
    if (!mz__plain_may_be_events()) {
        mz__plain_access((uintptr_t)from, bytes, false);
        mz__plain_access((uintptr_t)to, bytes, true);
        memmove(to, from, bytes);
        mz__has_copied(to, from, bytes);
        return;
    }
    bool backwards = (uintptr_t)to - (uintptr_t)from < bytes;
    while (bytes > 0) {
        uintptr_t source = (uintptr_t)from, target = (uintptr_t)to;
        if (backwards) {
            source += bytes - 1; /* one by one: overlapping moves are rare */
            target += bytes - 1;
        }
        size_t part = backwards ? 1 : 8 - ((source & 7) > (target & 7) ? source & 7 : target & 7);
        part = part < bytes ? part : bytes;
        char buffer[8];
        mz__made_progress(); /* the next part, not the same once more */
        mz__plain_access(source, part, false);
        memcpy(buffer, (const void *)source, part);
        mz__plain_access(target, part, true);
        memcpy((void *)target, buffer, part);
        mz__has_copied((void *)target, (const void *)source, part);
        bytes -= part;
        if (!backwards) {
            to = (char *)to + part;
            from = (const char *)from + part;
        }
    }
}

void *mz__reallocate(void *block, size_t bytes)
{
    uintptr_t pc = mz__caller.pc;
    void *larger = mz__allocate(bytes, 16);
    if (!block || !larger)
        return larger;
    size_t kept = mz__heap_size(block);
    mz__copy_memory(larger, block, kept < bytes ? kept : bytes);
    mz__heap_free(block, pc);
    mz__offer_block(block);
    return larger;
}

void mz__fill_memory(void *to, int value, size_t bytes)
{
    while (bytes > 0) {
        size_t part = !mz__plain_may_be_events() ? bytes : 8 - ((uintptr_t)to & 7);
        part = part < bytes ? part : bytes;
        mz__plain_access((uintptr_t)to, part, true);
        memset(to, value, part);
        to = (char *)to + part;
        bytes -= part;
    }
}

void mz__write_memory(void *to, const void *from, size_t bytes)
{
    while (bytes > 0) {
        size_t part = !mz__plain_may_be_events() ? bytes : 8 - ((uintptr_t)to & 7);
        part = part < bytes ? part : bytes;
        mz__plain_access((uintptr_t)to, part, true);
        memcpy(to, from, part);
        to = (char *)to + part;
        from = (const char *)from + part;
        bytes -= part;
    }
}

/* Several reads of one call come from the same place of the program: that is no loop without effect. */
char mz__read_byte(const void *byte)
{
    mz__made_progress();
    mz__plain_access((uintptr_t)byte, 1, false);
    return *(const char *)byte;
}

size_t mz__limited_length(const char *text, size_t most)
{
    size_t length = 0;
    if (mz__plain_may_be_events()) {
        while (length < most && mz__read_byte(text + length))
            length++;
    } else if (most > 0) {
        mz__check_memory(text, 1, false, mz__caller.pc);
        length = strnlen(text, most);
        mz__plain_access((uintptr_t)text, length < most ? length + 1 : length, false);
    }
    mz__has_read_text(text, length < most ? length + 1 : length);
    return length;
}

size_t mz__string_length(const char *text)
{
    return mz__limited_length(text, PTRDIFF_MAX);
}
