/* The compiler's hooks before plain accesses. They are no operations on shared state (happens_before.c says
 * why), unless the word is one that races and races are not to be reported. */
#include "program/runtime/accesses.h"
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/loops/overdue.h"
#include "program/loops/spin.h"
#include "program/memory/heap.h"
#include "program/memory/variables.h"
#include "program/order/happens_before.h"
#include "program/order/initialised.h"
#include "program/order/memory_errors.h"
#include "program/order/special_words.h"
#include "program/order/writes.h"
#include "program/program.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/runtime/simple_sections.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/sites.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static inline bool is_on_own_stack(uintptr_t address)
{
    const mz__thread *t = mz__w.current;
    return address < t->stack_top && address >= MZ__STACK_BASE(t->number);
}

/* Another thread touches this word of a stack. If there are loops that wait, what they wait in was compared
 * with it, and what they read of it was not noted (spin.c). Nor was it by those that are still under way. And
 * frames have ended unseen that may have held it (frames.c). */
static void note_foreign_word(uint32_t owner, uintptr_t address)
{
    if (mz__is_foreign_word(owner, address))
        return;
    mz__add_foreign_word(owner, address);
    mz__w.has_new_foreign_words = true;
    if (mz__w.loops_wait || address < mz__w.frames_left_to[owner])
        mz__learned();
}

/* Nobody but the thread itself has ever touched its stack, or its part of the heap. The first other one who
 * does makes the search begin again, with the accesses to it looked at from the start. */
bool mz__is_own_only(uintptr_t address)
{
    uintptr_t offset = address - MZ__ARENA;
    if (offset >= MZ__ARENA_BYTES)
        return false;
    bool heap = offset < MZ__HEAPS;
    uint32_t owner = (uint32_t)(heap ? offset / MZ__HEAP_BYTES : (offset - MZ__HEAPS) / MZ__STACK_BYTES);
    bool *is_shared = heap ? &mz__w.heap_is_shared[owner] : &mz__w.stack_is_shared[owner];
    if (owner == mz__me() || mz__w.state.thread_count <= 1)
        return !*is_shared;
    if (!heap)
        note_foreign_word(owner, address);
    bool lower = !heap && address < mz__w.stack_shared_from[owner];
    if (!*is_shared || lower) {
        if (!heap)
            mz__w.stack_shared_from[owner] = address & ~(uintptr_t)7;
        *is_shared = true;
        if (!heap)
            mz__share_stack(owner);
        mz__learned();
    }
    return false;
}

/* Before every write of the program, and of ours on its behalf. What a thread has on its own stack is saved
 * when it begins to run (turns.c). */
void mz__before_write_quietly(uintptr_t address, size_t size)
{
    if (!(is_on_own_stack(address) && address + size <= mz__w.current->saved_top))
        mz__touch((const void *)address, size);
}

void mz__before_write(uintptr_t address, size_t size)
{
    if (is_on_own_stack(address) && address + size <= mz__w.current->saved_top) {
        if (MZ_UNLIKELY(mz__is_foreign_word(mz__me(), address)))
            mz__made_progress(); /* not of its local state */
        return;
    }
    mz__touch((const void *)address, size);
    mz__made_progress();
}

void mz__prepare_new_data(mz__pending *p, uintptr_t address, uint32_t size, uint32_t kind)
{
    if (address - MZ__ARENA >= MZ__ARENA_BYTES) /* of that memory it is asked when the operation happens */
        mz__check_memory((const void *)address, size, kind & MZ_WRITE, mz__caller.pc);
    uint32_t cells[MZ__MOST_ACCESSES], count = mz__cells_of(address, size, false, cells);
    p->address = address;
    p->size = size;
    p->access_count = p->own_count = count;
    p->accesses[0] = (mz_access){cells[0], kind};
    for (uint32_t i = 1; i < count; i++)
        p->accesses[i] = (mz_access){cells[i], kind};
}

static inline bool is_event(const mz__shadow *shadow)
{
    return (shadow->more & MZ__WORD_IS_EVENT) || mz__w.plain_events;
}

/* Is every access to this place looked at: is it anybody else's business, and not that of a section? */
static inline const mz__shadow *looked_at_shadow(uintptr_t address)
{
    const mz__shadow *shadow = mz__shadow_of(address);
    return shadow && !mz__w.current->section && !mz__is_own_only(address) ? shadow : NULL;
}

/* By observation: a plain read of what threads write atomically, or in sections, tells which of them came
 * last, also if all of them come before it: after a join, under a mutex. Then it has to be an event. */
static inline bool may_be_observed(const mz__shadow *shadow)
{
    return mz__w.base.by_observation && (shadow->more & (MZ__WORD_IS_ATOMIC | MZ__WORD_IS_MIXED));
}

static inline void note_observation(const mz__shadow *shadow, uintptr_t address, size_t size, uint32_t kind)
{
    bool reads = (kind & (MZ_READ | MZ_LAST)) == MZ_READ || (mz__w.base.weak && !(kind & MZ_LAST));
    if (may_be_observed(shadow) && reads && mz__w.state.thread_count > 1 && mz__overlaps_cells(address, size))
        mz__remember_word(address & ~(uintptr_t)7, MZ__WORD_IS_EVENT);
}

/* Under weak memory: a plain write before all events that write there is no event, but makes the initial
 * value of the location. If nothing races, what comes before it in this execution does so in every one, and
 * all other events there come after it in happens-before. So fresh memory may be set up in pieces of any
 * size. */
static __attribute__((noinline)) bool is_initial(uintptr_t address, size_t size, uint32_t kind)
{
    return kind == MZ_WRITE && !mz__was_written_by_event(address, size);
}

static inline size_t part_of(uintptr_t address, size_t size)
{
    size_t part = 8 - (address & 7);
    return part < size ? part : size;
}

static mz__pending *plan_plain(uint32_t kind)
{
    static const mz_operation_kind kinds[] = {
        [MZ_READ] = MZ_OP_READ, [MZ_WRITE] = MZ_OP_WRITE, [MZ_READ | MZ_WRITE] = MZ_OP_UPDATE};
    mz__pending *p =
        mz__prepare(mz__w.current, kinds[kind & (MZ_READ | MZ_WRITE)], kind == MZ_READ ? "read" : "write");
    p->counted = p->compiled && !mz__site_is_skipped(mz__caller.pc);
    if (p->compiled)
        mz__note_racing_site(mz__caller.pc);
    return p;
}

/* What is written may be a mutex, as far as others know. */
static void watch_what_is_written(const mz__pending *p)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if ((p->accesses[i].kind & MZ_WRITE) && mz__w.cells[p->accesses[i].location].object)
            mz__watch_mutex(p->accesses[i].location);
}

/* An access that is an event: to a word that is known to race. */
static void announce_plain(uintptr_t address, size_t size, uint32_t kind)
{
    mz__pending *p = plan_plain(kind);
    mz__prepare_data(p, address, (uint32_t)size, kind);
    watch_what_is_written(p);
    mz__announce(p, true);
}

/* A block that is freed, the stack of a thread that has ended: where races are no errors, these are events.
 */
static bool is_gone(uintptr_t address, size_t size, bool writes)
{
    uintptr_t offset = address - MZ__ARENA;
    if (offset >= MZ__ARENA_BYTES || mz__is_there(address, size, writes))
        return false;
    return offset < MZ__HEAPS || mz__w.threads[(offset - MZ__HEAPS) / MZ__STACK_BYTES].returned;
}

/* That the memory is gone may be what another thread has done. Where races are no errors, the other order is
 * to be explored, too: so it is asked when the operation happens. */
void mz__check_operand(uintptr_t address, size_t size, bool writes)
{
    const mz__shadow *shadow =
        mz__w.tolerates_races && is_gone(address, size, writes) ? looked_at_shadow(address) : NULL;
    mz__w.current->pending.gone = shadow && is_event(shadow);
    if (!mz__w.current->pending.gone)
        mz__check_memory((const void *)address, size, writes, mz__caller.pc);
}

/* Of several such words: true if there were, and all of them are announced, in one operation. The program
 * accesses them after its one call of a hook, with nobody in between: as a whole. */
static bool announce_whole(uintptr_t address, size_t size, uint32_t kind)
{
    uintptr_t first = 0;
    uint32_t cells[MZ__MOST_ACCESSES], count = 0, words = 0;
    for (size_t done = 0, part; done < size; done += part) {
        uint32_t more[MZ__MOST_ACCESSES];
        const mz__shadow *shadow = looked_at_shadow(address + done);
        part = part_of(address + done, size - done);
        if (!shadow || !is_event(shadow) ||
            (MZ_UNLIKELY(mz__w.base.weak) && is_initial(address + done, part, kind)))
            continue;
        uint32_t found = mz__cells_of(address + done, part, false, more);
        if (count + found > MZ__MOST_ACCESSES) {
            mz__w.current->pending.compiled = false; /* one by one, and without a name */
            return false;
        }
        first = words++ ? first : address + done;
        memcpy(cells + count, more, found * sizeof *more);
        count += found;
    }
    if (words < 2)
        return false;
    mz__pending *p = plan_plain(kind);
    p->address = first;
    p->size = (uint32_t)part_of(first, size - (first - address));
    p->access_count = p->own_count = count;
    for (uint32_t i = 0; i < count; i++)
        p->accesses[i] = (mz_access){cells[i], kind};
    watch_what_is_written(p);
    mz__announce(p, true);
    return true;
}

/* When it happens: there may be other races on it. */
static void perform_plain(uintptr_t address, size_t size, uint32_t kind)
{
    if (mz__w.races != MZ_RACES_ARE_IGNORED)
        mz__access(address, size, kind & MZ_WRITE, false, mz__caller.pc);
    if (kind == MZ_READ)
        mz__note_read(address, (uint32_t)size);
    const mz__pending *p = &mz__w.current->pending;
    for (uint32_t i = 0; (kind & MZ_WRITE) && i < p->own_count; i++)
        mz__overwrite_plainly(p->accesses[i].location);
    if (MZ_UNLIKELY(mz__w.base.weak) && (kind & MZ_WRITE) && p->own_count == 1 && mz__w.in_operation)
        mz__writes_plainly(p->accesses[0].location, address, (uint32_t)size);
}

/* Of a stack that others touch elsewhere. A thread that spins is compared as it is at one place of its loop
 * (spin.c): what it has in such a word on the way there, and writes over, is not what it waits to see
 * changed. */
static inline bool is_local_state(uintptr_t address)
{
    return is_on_own_stack(address) && !mz__is_foreign_word(mz__me(), address);
}

/* To set a bit-field is to read its whole unit and to write it. clang tells of both; gcc has one hook, for
 * the write, and reads behind it. Where that is seen in the code, it has hooks of its own (__tsan_exact).
 * Elsewhere: What it looks like then is what it has read before others wrote: so it is
 * two events, and when the second one happens the bytes are again what they were at the first. The program
 * changes its bits of that, and the other thread's are lost. A write of another kind writes over all of it:
 * it makes no difference there, but for the number of events. */
static bool may_set_bit_field(uint32_t kind)
{
    return !MZ__SEES_MACHINE_CODE && kind == MZ_WRITE && mz__w.by_gcc && mz__w.current->pending.compiled &&
           mz__has_bit_fields();
}

/* The first of the two events: the unit as it is read. False if it cannot be. */
static bool read_unit(uintptr_t address, size_t size, uint64_t *unit)
{
    mz__w.current->pending.compiled = false; /* not counted: it has no name of its own */
    announce_plain(address, size, MZ_READ);
    perform_plain(address, size, MZ_READ);
    mz__w.current->pending.compiled = true;
    bool there = mz__is_there(address, size, true);
    if (there)
        memcpy(unit, (const void *)address, size);
    return there;
}

/* Whether a section changes anything is seen at its end. */
static void write_word(uintptr_t address, size_t size, bool section, bool may_be_same, uint32_t cell)
{
    may_be_same = may_be_same && !is_on_own_stack(address);
    if (section || may_be_same)
        mz__before_write_quietly(address, size);
    else
        mz__before_write(address, size);
    if (may_be_same && !section)
        mz__note_plain_write(address, (uint32_t)size, cell);
}

/* Within one 8-byte word. Where races are no errors they are looked for first: that the memory is gone,
 * because it was freed or its thread has ended, may be the later half of one, and then both orders are to be
 * explored. */
static void access_word(uintptr_t address, size_t size, uint32_t kind, bool announced)
{
    bool writes = kind & MZ_WRITE;
    if (is_on_own_stack(address) && !mz__w.stack_is_shared[mz__me()]) {
        if (address < mz__caller.sp)
            mz__check_memory((const void *)address, size, writes, mz__caller.pc);
        if (writes && address + size > mz__w.current->saved_top)
            mz__touch((const void *)address, size);
        return; /* nobody else's business, and saved with the thread */
    }
    if (mz__w.overdue && !announced) /* one that is announced has not happened yet */
        mz__give_up_if_overdue();
    const mz__shadow *shadow = mz__shadow_of(address);
    bool own = mz__is_own_only(address), section = shadow && !own && mz__w.current->section;
    if (MZ_UNLIKELY(mz__w.notes_sections) && shadow && !own)
        mz__note_section_access(address, writes);
    if (section && MZ_UNLIKELY(mz__w.current->simple))
        mz__simple_section_access(address, size, kind);
    else if (section) /* first: that it fails may depend on what others do to this very place */
        mz__section_access(address, size, kind);
    bool looked_at = shadow && !own && !section; /* a section has done that */
    if (looked_at && MZ_UNLIKELY(mz__w.current->cold.outside))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "thread %u touches what others may touch, between mz_outside_begin() and mz_outside_end()",
                 mz__me());
    bool initial = looked_at && MZ_UNLIKELY(mz__w.base.weak) && is_initial(address, size, kind);
    bool event = looked_at && !initial && is_event(shadow);
    if (looked_at && !event && !writes && MZ_UNLIKELY(mz__w.overdue))
        event = mz__loops_over(address, size);
    if (looked_at && !initial && !event)
        note_observation(shadow, address, size, kind);
    uint64_t unit;
    bool stale = event && !announced && may_set_bit_field(kind) && read_unit(address, size, &unit);
    if (event && !announced)
        announce_plain(address, size, kind);
    if (event)
        perform_plain(address, size, kind);
    else if (looked_at && mz__w.tolerates_races)
        mz__access(address, size, writes, false, mz__caller.pc);
    if (!shadow || address - MZ__ARENA < MZ__ARENA_BYTES ||
        ((shadow->more & MZ__WORD_HAS_GAPS) && mz__word_is_in_gap(address, size)))
        mz__check_memory((const void *)address, size, writes, mz__caller.pc);
    if (looked_at && !event && !mz__w.tolerates_races)
        mz__access(address, size, writes, false, mz__caller.pc);
    if (looked_at && !event && !writes && mz__may_be_spinning(mz__w.current) && !is_local_state(address))
        mz__note_plain_read(address, (uint32_t)size);
    if (own && !writes && !is_on_own_stack(address))
        mz__looked_unnoted();
    if (writes) {
        const mz__pending *p = &mz__w.current->pending;
        bool alone = event && !announced && p->own_count == 1;
        uint32_t cell = alone ? p->accesses[0].location : own ? MZ__OWN_CELL : MZ__WRITTEN_CELL;
        write_word(address, size, section, own || alone || (looked_at && !event), cell);
        if (stale)
            memcpy((void *)address, &unit, size);
        mz__has_written(address, size);
        if (shadow && MZ_UNLIKELY(shadow->more & MZ__WORD_IS_OBJECT))
            mz__object_is_set(address);
    }
}

/* Most accesses are to what a thread has on its own stack, in the frames of its functions: nobody else's
 * business, and saved with it. (Of most of those the hooks have not even told us: mz__local.) */
static inline bool is_local(uintptr_t address, size_t size, bool writes)
{
    const mz__thread *t = mz__w.current;
    return address >= mz__caller.sp && address < t->stack_top && !mz__w.stack_is_shared[t->number] &&
           (!writes || address + size <= t->saved_top);
}

/* Of much memory that nobody but the thread has ever touched, and that is there: what access_word() does to
 * it, at once. Freeing it changes nothing of what is in it. */
static bool access_own_heap(uintptr_t address, size_t size, uint32_t kind)
{
    enum { MUCH = 4096 };
    uintptr_t offset = address - MZ__ARENA;
    if (size < MUCH || offset >= MZ__HEAPS || offset / MZ__HEAP_BYTES != mz__me() ||
        mz__w.heap_is_shared[mz__me()] || !mz__heap_has(address, size))
        return false;
    if (mz__w.overdue)
        mz__give_up_if_overdue();
    mz__looked_unnoted();
    if (kind & MZ_LAST)
        mz__made_progress();
    else if (kind & MZ_WRITE)
        mz__before_write(address, size);
    if (kind & MZ_WRITE)
        mz__has_written(address, size);
    return true;
}

static void access_words(uintptr_t address, size_t size, uint32_t kind)
{
    if (access_own_heap(address, size, kind))
        return;
    bool announced = mz__w.current->pending.compiled && part_of(address, size) < size &&
                     announce_whole(address, size, kind);
    while (size > 0) {
        size_t part = part_of(address, size);
        access_word(address, part, kind, announced);
        address += part;
        size -= part;
    }
}

void mz__plain_access(uintptr_t address, size_t size, bool writes)
{
    mz__is_busy(1);
    access_words(address, size, writes ? MZ_WRITE : MZ_READ);
}

void mz__last_access(uintptr_t address, size_t size)
{
    mz__w.current->pending.frees = true;
    access_words(address, size, MZ_READ | MZ_WRITE | MZ_LAST);
    mz__w.current->pending.frees = false;
}

static void compiled_access(uintptr_t address, size_t size, uint32_t kind)
{
    mz__w.current->pending.compiled = true;
    access_words(address, size, kind);
    mz__w.current->pending.compiled = false;
}

static inline void count_access(void)
{
    mz__local.accesses += !mz__site_is_skipped(mz__caller.pc);
}

/* The shadow of a word that threads share, if all of these bytes lie in it and are there, and nothing else is
 * asked of an access to it than whether it races; otherwise NULL. */
static inline mz__shadow *shared_word(uintptr_t address, size_t size)
{
    const mz__memory *m = &mz__w.memory;
    uintptr_t offset = address - MZ__ARENA;
    mz__shadow *shadow;
    if ((mz__w.plain_events | mz__w.tolerates_races | mz__w.report_uninitialised | mz__w.unchecked |
         mz__w.overdue | mz__w.notes_sections | mz__w.goes_outside) ||
        mz__w.current->section || (address & 7) + size > 8)
        return NULL;
    if (address - m->image < m->image_end - m->image) {
        shadow = m->image_shadow + ((address - m->image) >> 3);
        if ((shadow->more & MZ__WORD_HAS_GAPS) && mz__word_is_in_gap(address, size))
            return NULL;
    } else {
        if (offset >= MZ__HEAPS || !mz__w.heap_is_shared[offset / MZ__HEAP_BYTES] ||
            m->heap_valid[offset >> 3] < (address & 7) + size)
            return NULL;
        shadow = m->arena_shadow + (offset >> 3);
    }
    return (shadow->more & (MZ__WORD_IS_EVENT | MZ__WORD_IS_OBJECT)) || may_be_observed(shadow) ? NULL
                                                                                                : shadow;
}

/* What access_word() does to it. */
static inline void access_shared_word(mz__shadow *shadow, uintptr_t address, size_t size, bool writes)
{
    mz__plain_word_access(shadow, address, size, writes);
    if (writes) {
        mz__touch_line(address & ~(uintptr_t)(MZ__LINE - 1));
        mz__note_plain_write(address, (uint32_t)size, MZ__WRITTEN_CELL);
    } else if (mz__may_be_spinning(mz__w.current)) {
        mz__note_plain_read(address, (uint32_t)size);
    }
}

static inline void plain(uintptr_t address, size_t size, bool writes)
{
    count_access();
    if (is_local(address, size, writes))
        return;
    mz__shadow *shared = shared_word(address, size);
    if (shared) {
        access_shared_word(shared, address, size, writes);
        return;
    }
    compiled_access(address, size, writes ? MZ_WRITE : MZ_READ);
    if (!writes)
        mz__has_read_value(address, size);
}

void mz__compiled_access(uintptr_t address, size_t size, bool writes)
{
    plain(address, size, writes);
}

#define PLAIN(bytes)                                                                                         \
    MZ__ACCESS(__tsan_read##bytes, bytes)                                                                    \
    {                                                                                                        \
        plain(address, bytes, false);                                                                        \
    }                                                                                                        \
    MZ__ACCESS(__tsan_write##bytes, bytes)                                                                   \
    {                                                                                                        \
        plain(address, bytes, true);                                                                         \
    }                                                                                                        \
    MZ__ACCESS(__tsan_unaligned_read##bytes, bytes)                                                          \
    {                                                                                                        \
        plain(address, bytes, false);                                                                        \
    }                                                                                                        \
    MZ__ACCESS(__tsan_unaligned_write##bytes, bytes)                                                         \
    {                                                                                                        \
        plain(address, bytes, true);                                                                         \
    }                                                                                                        \
    MZ__HOOK(void, __tsan_read_write##bytes, uintptr_t address)                                              \
    {                                                                                                        \
        count_access();                                                                                      \
        compiled_access(address, bytes, MZ_READ | MZ_WRITE);                                                 \
    }                                                                                                        \
    MZ__HOOK(void, __tsan_unaligned_read_write##bytes, uintptr_t address)                                    \
    {                                                                                                        \
        count_access();                                                                                      \
        compiled_access(address, bytes, MZ_READ | MZ_WRITE);                                                 \
    }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

MZ__HOOK(void, __tsan_read_range, uintptr_t address, size_t size)
{
    count_access();
    compiled_access(address, size, MZ_READ);
}

MZ__HOOK(void, __tsan_write_range, uintptr_t address, size_t size)
{
    count_access();
    compiled_access(address, size, MZ_WRITE);
}

MZ__HOOK(void, __tsan_vptr_update, uintptr_t address, void *value)
{
    (void)value;
    count_access();
    compiled_access(address, sizeof(void *), MZ_WRITE);
}

MZ__HOOK(void, __tsan_vptr_read, uintptr_t address)
{
    count_access();
    compiled_access(address, sizeof(void *), MZ_READ);
}

void __tsan_init(void);
void __tsan_init(void)
{
}
