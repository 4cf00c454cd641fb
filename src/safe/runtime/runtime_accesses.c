/* The compiler's hooks before plain accesses. They count only where races were found and are no errors.
 *
 * The access happens after its hook. So an event of the plan is published by whatever comes next of the
 * thread: mz__settle(). */
#include <string.h>

#include "safe/runtime/follow/runtime.h"

/* The next operation finds that there is something to be done: mz__settle(), or mz__settle_store. */
static void happens_next(bool plain, bool store)
{
    mz__self_record *self = &mz__self;
    self->plain = plain;
    self->store = store;
    self->following = self->next;
    if (plain || store)
        self->next = self->count + 1;
}

static __attribute__((noinline)) void count(uintptr_t address, bool writes)
{
    uint32_t kinds =
        writes ? MZ__KIND(WRITE) | MZ__KIND(UPDATE) : MZ__KIND(READ); /* __tsan_read_write updates */
    mz__enforcement mode = mz__begin(kinds, (const void *)address);
    happens_next(mode != MZ__FREELY, writes && mz__needs_fences);
}

static inline void plain(uintptr_t address, bool writes)
{
    if (__builtin_expect(mz__counts_accesses, 0))
        count(address, writes);
}

#define HOOK(name, writes)                                                                                   \
    void name(uintptr_t address);                                                                            \
    void name(uintptr_t address)                                                                             \
    {                                                                                                        \
        plain(address, writes);                                                                              \
    }

#define HOOKS(bytes)                                                                                         \
    HOOK(__tsan_read##bytes, false)                                                                          \
    HOOK(__tsan_write##bytes, true)                                                                          \
    HOOK(__tsan_unaligned_read##bytes, false)                                                                \
    HOOK(__tsan_unaligned_write##bytes, true)                                                                \
    HOOK(__tsan_volatile_read##bytes, false)                                                                 \
    HOOK(__tsan_volatile_write##bytes, true)                                                                 \
    HOOK(__tsan_unaligned_volatile_read##bytes, false)                                                       \
    HOOK(__tsan_unaligned_volatile_write##bytes, true)                                                       \
    HOOK(__tsan_read_write##bytes, true)                                                                     \
    HOOK(__tsan_unaligned_read_write##bytes, true)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
HOOK(__tsan_vptr_read, false)

void __tsan_read_range(uintptr_t address, size_t size);
void __tsan_read_range(uintptr_t address, size_t size)
{
    (void)size;
    plain(address, false);
}

void __tsan_write_range(uintptr_t address, size_t size);
void __tsan_write_range(uintptr_t address, size_t size)
{
    (void)size;
    plain(address, true);
}

void __tsan_vptr_update(uintptr_t address, void *value);
void __tsan_vptr_update(uintptr_t address, void *value)
{
    (void)value;
    plain(address, true);
}

/* Giving back a block is the last access to it. */
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    mz__enforcement mode = MZ__FREELY;
    if (__builtin_expect(mz__counts_accesses, 0) && block)
        mode = mz__begin(MZ__KIND(UPDATE) | MZ__KIND(WRITE), block);
    mz__give_back(block);
    mz__end(mode);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

/* ---- what the compiler does not announce (program/build/compile_announce.c) -----------------------------
 */

bool __tsan_shared_frames;
bool __tsan_exact; /* as in the checker, where accesses count */

void __tsan_update_range(uintptr_t address, size_t size);
void __tsan_update_range(uintptr_t address, size_t size)
{
    (void)size;
    plain(address, false);
    plain(address, true);
}

/* Instead of an instruction: it copies. */
void __tsan_copied(char *to, const char *from, size_t bytes, uint32_t what);
void __tsan_copied(char *to, const char *from, size_t bytes, uint32_t what)
{
    size_t step = what & 0xff;
    for (size_t done = 0; done < bytes; done += step) {
        char buffer[8];
        memcpy(buffer, from + done, step);
        memcpy(to + done, buffer, step);
    }
}

#define UNCOUNTED(name)                                                                                      \
    void name(void);                                                                                         \
    void name(void)                                                                                          \
    {                                                                                                        \
    }
UNCOUNTED(__tsan_control)
UNCOUNTED(__tsan_early_write)
UNCOUNTED(__tsan_frame_read)
UNCOUNTED(__tsan_frame_write)
UNCOUNTED(__tsan_frame_update)
UNCOUNTED(__tsan_lanes)
UNCOUNTED(__tsan_gathered)
UNCOUNTED(__tsan_strings)

uint64_t __tsan_clock(void);
uint64_t __tsan_clock(void)
{
#if defined __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* An atomic operation of the program's own assembly, which happens after this. It is published by whatever
 * comes next, as plain accesses are. */
void __tsan_written(uintptr_t address, uint32_t what);
void __tsan_written(uintptr_t address, uint32_t what)
{
    static const uint32_t kinds[] = {MZ__KIND(READ), MZ__KIND(WRITE), MZ__KIND(READ) | MZ__KIND(UPDATE)};
    uint32_t role = what >> 8 & 3;
    mz__enforcement mode = mz__begin(kinds[role < 3 ? role : 2], (const void *)address);
    happens_next(mode != MZ__FREELY, role == 1);
}
