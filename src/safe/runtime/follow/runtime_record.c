/* Writing down in which order operations happen, and delaying them at random: for tests. */
#include "safe/runtime/follow/runtime.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

bool mz__records, mz__delays;
static mz_record_header *header;
static uint64_t seed;

void mz__begin_recording(void *memory)
{
    header = memory;
    mz__records = header && header->magic == MZ_RECORD_MAGIC;
    const char *word = mz__variable(MZ_JITTER_ENVIRONMENT);
    mz__delays = word && *word;
    seed = mz__delays ? strtoull(word, NULL, 10) : 0;
    mz__forget_variable(MZ_JITTER_ENVIRONMENT);
}

void mz__record(uint32_t phase, uint32_t thread, uint64_t count, uint32_t kind, uint64_t place)
{
    mz_record *records = (mz_record *)(header + 1);
    uint64_t ticket = __atomic_fetch_add(&header->taken, 1, __ATOMIC_SEQ_CST);
    if (ticket >= header->capacity)
        return;
    mz_record *record = &records[ticket];
    record->thread = thread;
    record->count = (uint32_t)count;
    record->kind = kind;
    record->place = place;
    __atomic_store_n(&record->phase, phase, __ATOMIC_RELEASE);
}

void mz__record_wait(uint32_t number, uint32_t count)
{
    if (!mz__records)
        return;
    mz__record(MZ_RECORD_WAITS, mz__self.number, mz__self.count, number, count);
}

/* Of the kinds that the operation may have: what it is if it succeeds. */
static uint32_t main_kind(uint32_t kinds)
{
    kinds &= ~MZ__INSTANT;
    uint32_t rest = kinds & ~(MZ__KIND(READ) | MZ__KIND(AWAIT));
    return rest ? (uint32_t)__builtin_ctz(rest) : MZ_OP_READ;
}

/* Those that never wait happen between their two tickets, with no other such operation meanwhile. Those that
 * wait can be taken to happen at their end: what made that possible has begun by then. */
static _Atomic uint32_t instant_lock;

void mz__record_begin(uint32_t kinds, const volatile void *object, uint64_t place)
{
    mz__self_record *self = &mz__self;
    self->kind = main_kind(kinds);
    self->place = place == MZ_PLAN_NO_PLACE ? (uintptr_t)object : place;
    self->recorded = self->count;
    self->locks = kinds & MZ__INSTANT;
    if (self->locks)
        mz__take(&instant_lock);
    self->recorded = self->count; /* a plain access ends when the next operation is counted already */
    mz__record(MZ_RECORD_BEGIN, self->number, self->recorded, self->kind, self->place);
}

void mz__record_end(void)
{
    mz__self_record *self = &mz__self;
    mz__record(MZ_RECORD_END, self->number, self->recorded, self->kind, self->place);
    if (self->locks)
        mz__give(&instant_lock);
    self->locks = false;
}

static uint64_t draw(void)
{
    uint64_t x = mz__self.random += UINT64_C(0x9e3779b97f4a7c15);
    x ^= seed;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Mostly none, often a step aside, now and then a nap. */
void mz__delay(void)
{
    uint64_t x = draw();
    if (x % 16 == 0) {
        struct timespec nap = {.tv_nsec = (long)(x >> 8 & 0x1ffff)};
        syscall(SYS_nanosleep, &nap, NULL); /* the functions of that name are the program's */
    } else if (x % 4 == 0) {
        syscall(SYS_sched_yield);
    }
}
