/* The trail: how to take back what a step has done.
 *
 * Whatever changes in a step is first copied to the end of one long log; going back copies it home again, the
 * latest first. A step costs what it changes, however large the program is, and so does taking it back:
 * exploring a tree depth first costs no more than twice what running its branches costs.
 *
 * Three ways in. mz__save() is for our own records, which know when they change. mz__touch() is for the
 * memory of the program, which is written all the time: it saves whole lines, each once per step, and
 * remembers in a small table which ones it has (a line that has lost its place there is saved twice, which
 * does no harm: the older copy is written back last). mz__save_anew() is for what is saved as a whole in one
 * step after the other: going back over several of them, only the oldest copy is written home. */
#ifndef MZ_PROGRAM_WORLD_TRAIL_H
#define MZ_PROGRAM_WORLD_TRAIL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vector.h"

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
    size_t size; /* of the old bytes, and one of these: */
} mz__trail_entry;

#define MZ__WAS_ZERO    ((size_t)1 << 62) /* they were all zero and are not kept */
#define MZ__IS_SERIES   ((size_t)1 << 61) /* it follows an mz__series */
#define MZ__IS_KEPT     ((size_t)1 << 60) /* they are only to be looked at: not written home */
#define MZ__SIZE(entry) ((entry).size & ~(MZ__WAS_ZERO | MZ__IS_SERIES | MZ__IS_KEPT))

/* One of several copies of the same thing, which has a second part elsewhere. Before it stand the bytes of
 * that part, and before those the bytes of the first one. */
typedef struct mz__series {
    size_t previous; /* length of the trail after the copy before, 0: there is none */
    void *second_home;
    size_t second_size;
    size_t unused; /* all that is saved begins at a multiple of 16 bytes */
} mz__series;

#define MZ__MOST_TRAIL ((size_t)8 << 30)
/* Address space, no memory: more than that, because it is looked at between steps only. */
#ifndef MZ__TRAIL_BITS
#define MZ__TRAIL_BITS 38
#endif
#define MZ__TRAIL_RESERVED ((size_t)1 << MZ__TRAIL_BITS)

void mz__trail_create(void);
/* Give back the memory behind what is used. */
void mz__trail_release(void);
/* Write back everything since the trail was this long. */
void mz__trail_rewind(size_t used);

typedef uint64_t mz__sixteen __attribute__((vector_size(16), aligned(1), may_alias));

MZ_INLINE void mz__copy_line(char *to, const char *from)
{
    mz_chunk a = *(const mz_chunk *)(const void *)from;
    mz_chunk b = *(const mz_chunk *)(const void *)(from + sizeof a);
    *(mz_chunk *)(void *)to = a;
    *(mz_chunk *)(void *)(to + sizeof a) = b;
}

/* A multiple of MZ__LINE bytes. */
MZ_INLINE void mz__copy_lines(char *to, const char *from, size_t size)
{
    if (size & MZ__LINE)
        mz__copy_line(to, from);
    for (size_t at = size & MZ__LINE; at < size; at += 2 * MZ__LINE) {
        mz__copy_line(to + at, from + at);
        mz__copy_line(to + at + MZ__LINE, from + at + MZ__LINE);
    }
}

/* A multiple of sixteen bytes. */
MZ_INLINE void mz__copy(char *to, const char *from, size_t size)
{
    size_t at = size & ~(size_t)(MZ__LINE - 1);
    mz__copy_lines(to, from, at);
    for (; at < size; at += sizeof(mz__sixteen))
        *(mz__sixteen *)(void *)(to + at) = *(const mz__sixteen *)(const void *)(from + at);
}

/* The size is rounded up. That does no harm: what lies behind gets back the value it has now, which is the
 * one it should have then. */
MZ_INLINE void mz__save(void *home, size_t size)
{
    mz__trail *trail = &mz__trail_now;
    size = (size + 15) & ~(size_t)15;
    size_t used = trail->used + size;
    char *end = trail->bytes + used;
    mz__copy(end - size, home, size);
    *(mz__trail_entry *)(void *)end = (mz__trail_entry){home, size};
    trail->used = used + sizeof(mz__trail_entry);
}

#define MZ__SAVE(object) mz__save(&(object), sizeof(object))

/* Two parts, each of whole lines. The copy before this one, if there is any, must be of everything that will
 * matter when it is back: then this one is not written home where that one is. Returns where the second part
 * stands. */
MZ_INLINE char *mz__save_anew(void *home, size_t size, void *second_home, size_t second_size, size_t previous)
{
    mz__trail *trail = &mz__trail_now;
    size_t used = trail->used;
    char *first = trail->bytes + used, *second = first + size, *end = second + second_size;
    mz__copy_lines(first, home, size);
    mz__copy_lines(second, second_home, second_size);
    mz__series *series = (mz__series *)(void *)end;
    series->previous = previous;
    series->second_home = second_home;
    series->second_size = second_size;
    mz__trail_entry *entry = (mz__trail_entry *)(void *)(series + 1);
    entry->home = home;
    entry->size = size | MZ__IS_SERIES;
    trail->used = used + size + second_size + sizeof *series + sizeof *entry;
    return second;
}

/* A copy that lasts as long as the step: of a multiple of MZ__LINE bytes. */
MZ_INLINE char *mz__keep(const void *from, size_t size)
{
    mz__trail *trail = &mz__trail_now;
    char *copy = trail->bytes + trail->used;
    mz__copy_lines(copy, from, size);
    *(mz__trail_entry *)(void *)(copy + size) = (mz__trail_entry){NULL, size | MZ__IS_KEPT};
    trail->used += size + sizeof(mz__trail_entry);
    return copy;
}

/* The bytes are zero now. */
static inline void mz__save_zero(void *home, size_t size)
{
    mz__trail *trail = &mz__trail_now;
    *(mz__trail_entry *)(void *)(trail->bytes + trail->used) = (mz__trail_entry){home, size | MZ__WAS_ZERO};
    trail->used += sizeof(mz__trail_entry);
}

/* The same for a line, in functions for every processor: without larger registers, chunks would be copied
 * twice. */
static inline void mz__save_line(uintptr_t line)
{
    mz__trail *trail = &mz__trail_now;
    size_t used = trail->used + MZ__LINE;
    mz__sixteen *end = (mz__sixteen *)(void *)(trail->bytes + used), *from = (mz__sixteen *)line;
    mz__sixteen a = from[0], b = from[1], c = from[2], d = from[3];
    end[-4] = a;
    end[-3] = b;
    end[-2] = c;
    end[-1] = d;
    *(mz__trail_entry *)(void *)end = (mz__trail_entry){(void *)line, MZ__LINE};
    trail->used = used + sizeof(mz__trail_entry);
}

static inline void mz__touch_line(uintptr_t line)
{
    mz__trail *trail = &mz__trail_now;
    size_t slot = (line / MZ__LINE) % MZ__LINE_TABLE;
    if (trail->lines[slot].line == line && trail->lines[slot].serial == trail->serial)
        return;
    trail->lines[slot].line = line;
    trail->lines[slot].serial = trail->serial;
    mz__save_line(line);
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
