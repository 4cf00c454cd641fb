/* The trail: how to take back what a step has done.
 *
 * Whatever changes in a step is first copied to the end of one long log; going back copies it home again, the
 * latest first. A step costs what it changes, however large the program is, and so does taking it back:
 * exploring a tree depth first costs no more than twice what running its branches costs.
 *
 * Two ways in. mz__save() is for our own records, which know when they change. mz__touch() is for the memory
 * of the program, which is written all the time: it saves whole lines, each once per step, and remembers in a
 * small table which ones it has (a line that has lost its place there is saved twice, which does no harm:
 * the older copy is written back last). */
#ifndef MZ_NATIVE_TRAIL_H
#define MZ_NATIVE_TRAIL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MZ__LINE = 64, MZ__LINE_TABLE = 1024 };

typedef struct mz__trail {
    char *bytes; /* reserved at once, never moves */
    size_t used;
    uint64_t serial; /* of the step; changes whenever lines are to be saved anew */
    struct {
        uintptr_t line;
        uint64_t serial;
    } lines[MZ__LINE_TABLE];
} mz__trail;

extern mz__trail mz__trail_now;

/* An entry is the old bytes and then this, so that it can be read from the end. */
typedef struct mz__trail_entry {
    void *home;
    size_t size; /* of the old bytes; MZ__WAS_ZERO is added where they were all zero and are not kept */
} mz__trail_entry;

#define MZ__WAS_ZERO ((size_t)1 << 62)

void mz__trail_create(void);
/* Write back everything since the trail was this long. */
void mz__trail_rewind(size_t used);

/* Sixteen bytes at a time: most of what is saved is small. */
typedef uint64_t mz__sixteen __attribute__((vector_size(16), aligned(1), may_alias));

static inline void mz__copy(void *to, const void *from, size_t size)
{
    char *t = to;
    const char *f = from, *end = f + size;
    for (; end - f >= 64; f += 64, t += 64) {
        mz__sixteen a = *(const mz__sixteen *)(const void *)f,
                    b = *(const mz__sixteen *)(const void *)(f + 16);
        mz__sixteen c = *(const mz__sixteen *)(const void *)(f + 32),
                    d = *(const mz__sixteen *)(const void *)(f + 48);
        *(mz__sixteen *)(void *)t = a;
        *(mz__sixteen *)(void *)(t + 16) = b;
        *(mz__sixteen *)(void *)(t + 32) = c;
        *(mz__sixteen *)(void *)(t + 48) = d;
    }
    for (; f < end; f += 16, t += 16)
        *(mz__sixteen *)(void *)t = *(const mz__sixteen *)(const void *)f;
}

/* The size is rounded up. That does no harm: what lies behind gets back the value it has now, which is the
 * one it should have then. */
static inline void mz__save(void *home, size_t size)
{
    mz__trail *trail = &mz__trail_now;
    size = (size + 15) & ~(size_t)15;
    mz__copy(trail->bytes + trail->used, home, size);
    trail->used += size;
    *(mz__trail_entry *)(void *)(trail->bytes + trail->used) = (mz__trail_entry){home, size};
    trail->used += sizeof(mz__trail_entry);
}

#define MZ__SAVE(object) mz__save(&(object), sizeof(object))

/* The bytes are zero now. */
static inline void mz__save_zero(void *home, size_t size)
{
    mz__trail *trail = &mz__trail_now;
    *(mz__trail_entry *)(void *)(trail->bytes + trail->used) = (mz__trail_entry){home, size | MZ__WAS_ZERO};
    trail->used += sizeof(mz__trail_entry);
}

static inline void mz__touch_line(uintptr_t line)
{
    mz__trail *trail = &mz__trail_now;
    size_t slot = (line / MZ__LINE) % MZ__LINE_TABLE;
    if (trail->lines[slot].line == line && trail->lines[slot].serial == trail->serial)
        return;
    trail->lines[slot].line = line;
    trail->lines[slot].serial = trail->serial;
    mz__save((void *)line, MZ__LINE);
}

/* The memory is about to be written. */
static inline void mz__touch(const volatile void *address, size_t size)
{
    uintptr_t line = (uintptr_t)address & ~(uintptr_t)(MZ__LINE - 1);
    uintptr_t last = ((uintptr_t)address + size - 1) & ~(uintptr_t)(MZ__LINE - 1);
    for (; line <= last; line += MZ__LINE)
        mz__touch_line(line);
}

#endif
