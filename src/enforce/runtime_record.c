/* Writing down in which order operations happen, and delaying them at random: for tests. */
#include "enforce/runtime.h"

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
    const char *word = getenv(MZ_JITTER_ENVIRONMENT);
    mz__delays = word && *word;
    seed = mz__delays ? strtoull(word, NULL, 10) : 0;
    unsetenv(MZ_JITTER_ENVIRONMENT);
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
