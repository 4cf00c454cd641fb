/* Happens-before as the program itself establishes it (locks, release and acquire, create, join, …), with
 * vector clocks, and the data races that it leaves.
 *
 * Why plain accesses need no scheduling points while there is no race: let E be an execution without a race.
 * Two conflicting plain accesses are then ordered by a chain of synchronisation operations, all of which are
 * events with the same or a coarser order among them (every synchronisation edge joins two conflicting events
 * or is a cause). So each plain read sees the same write in every execution with the same order of events,
 * and executions with equivalent events are equivalent as a whole. If some execution of the program has a
 * race, take a shortest one, E·a·b with a and b unordered: E has none, hence the search runs an equivalent of
 * E, in which a and b are just as unordered, and meets both of them after it.
 *
 * What may be relied upon, then. The search reverses events, and nothing else: an order between two threads
 * that no event carries is the same in everything that it explores, and hides what the other order would
 * show. So of every edge, from all that one thread has done up to its event e to all that another one does
 * from its event f on: e happens before f in every equivalent execution, because e is a cause of f (create,
 * join, barrier, boundary), or because of conflicts. Hence
 *  - only what writes a location releases it. A load, a section that only reads, a compare-exchange or a
 * trylock that fails, sem_getvalue, pthread_once that finds its work done publish nothing;
 *  - what acquires a location touches it: then it conflicts with whoever has released it, who has written.
 *    Two readers of a lock conflict as well, but are not ordered: what they publish only writers acquire;
 *  - a fence orders by what its thread has itself read before it, or writes after it, and by nothing else;
 *  - a signal orders what was done before it was sent and what is done after it was taken, both of which
 *    write the location of all signals (signals.c);
 *  - cancellation, detaching, the end of the program, initialising and destroying order nothing;
 *  - by observation the order of two writes may change as long as nobody has read it: what acquires reads the
 *    location, too (kind_to_note(), store_access()), and so does what reads it plainly (may_be_observed()).
 * And what is no event must not depend on what others do at the same time: whether an object is initialised
 * or destroyed, or its memory freed, is asked when the operation happens, not before it is announced. (Where
 * races are errors, the last is one.) test/oracle/order.c verifies the edges in every state of random
 * programs, and the errors found are compared with those of a machine to which everything is an event.
 *
 * The record of who touched a word is exact, and as small as the program lets it be: epochs, one number each
 * for a thread and its clock, as long as accesses are ordered, which takes one comparison with the clock of
 * the thread that comes next; one epoch for each thread that reads at the same time, in a chain where there
 * are more than two. So an entry is dropped only when a later access, ordered after it and at least as strong
 * (a write, or both are reads), covers its bytes: whatever would race with the dropped one races with the new
 * one as well. Atomic accesses race with plain ones, not among each other.
 *
 * While nobody accesses memory that is not its own but by atomic operations, there is nothing to order, and
 * what operations acquire and release is not kept (ignores_order); the first plain access makes the search
 * begin again with it. What creating and joining order is always kept: mz__alone() asks for it. (It asks for
 * nothing else: a thread's count goes up when it publishes, so that nobody knows its last one but by joining
 * it.) */
#include "program/order/happens_before.h"
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/order/initialised.h"
#include "program/order/special_words.h"
#include "program/program.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/world.h"

enum { CLOCK_BITS = MZ_MAX_THREADS > 64 ? 32 - MZ_WIDE_THREAD_BITS : 32 - MZ_THREAD_BITS };
#define CLOCK_MASK ((1u << CLOCK_BITS) - 1)

/* ---- clocks ------------------------------------------------------------------------------------------- */

static uint32_t epoch_of(uint32_t thread)
{
    return thread << CLOCK_BITS | mz__w.threads[thread].clock.of[thread];
}

static bool is_before_me(uint32_t epoch, const mz__thread *me)
{
    return me->clock.of[epoch >> CLOCK_BITS] >= (epoch & CLOCK_MASK);
}

/* How many numbers of a clock are in use. */
static size_t width(void)
{
    return (mz__w.state.thread_count + MZ_CLOCK_WIDTH - 1) & ~(size_t)(MZ_CLOCK_WIDTH - 1);
}

/* The most threads that there can be in this step. */
static size_t widest(void)
{
    uint32_t capacity = mz__w.base.thread_capacity, now = mz__w.state.thread_count;
    return capacity > now ? capacity : now;
}

/* Once per step for the running thread, whose clock changes most. */
MZ_INLINE void save_clock_of(mz__thread *t)
{
    if (t->clock_saved_in == mz__trail_now.serial)
        return;
    if (t == mz__w.current)
        t->clock_saved_in = mz__trail_now.serial;
    mz__save(&t->clock, (t == mz__w.current ? widest() : width()) * sizeof(uint32_t));
}

/* What is known from others is, most often, nothing new. */
MZ_INLINE void join_into_thread(mz__thread *t, const mz__clock *from)
{
    size_t count = width();
    if (t->clock_saved_in != mz__trail_now.serial) {
        if (!mz_clock_is_behind(t->clock.of, from->of, count))
            return;
        save_clock_of(t);
    }
    if (t != mz__w.current) /* otherwise saved with it */
        MZ__SAVE(t->knows_others);
    t->knows_others = true;
    mz_join_clock(t->clock.of, from->of, count);
}

/* What the thread does from now on is not what it has just published. */
MZ_INLINE void tick(mz__thread *t)
{
    save_clock_of(t);
    if (++t->clock.of[t->number] >= CLOCK_MASK)
        mz__give_up(mz__caller.pc, "an execution has more than %u synchronisation operations", CLOCK_MASK);
}

/* A location publishes this clock, or this one as well. */
MZ_INLINE void publish(mz__published *p, const mz__clock *clock, bool joins)
{
    size_t count = width();
    mz__save(p, offsetof(mz__published, clock) + count * sizeof(uint32_t));
    if (joins)
        mz_join_clock(p->clock.of, clock->of, count);
    else
        mz_copy_clock(p->clock.of, clock->of, count);
}

MZ_VECTOR void mz__acquire_clock(uint32_t cell)
{
    join_into_thread(mz__w.current, &mz__w.published[cell].clock);
}

MZ_VECTOR void mz__release_clock(uint32_t cell, bool joins)
{
    mz__thread *me = mz__w.current;
    publish(&mz__w.published[cell], &me->clock, joins);
    mz__w.published[cell].releaser = me->number + 1;
    tick(me);
}

/* What simple sections publish with their data: see runtime/simple_sections.c. Those of all that have read
 * are joined, as they come in any order; who writes has acquired the others. */
MZ_VECTOR void mz__acquire_guarded(uint32_t cell, bool writes)
{
    if (mz__w.ignores_order)
        return;
    join_into_thread(mz__w.current, &mz__w.guarded[cell].clock);
    if (writes)
        join_into_thread(mz__w.current, &mz__w.guarded[MZ__MOST_CELLS + cell].clock);
}

MZ_VECTOR void mz__release_guarded(const mz_access *accesses, size_t count)
{
    if (mz__w.ignores_order)
        return;
    mz__thread *me = mz__w.current;
    for (size_t i = 0; i < count; i++) {
        bool writes = accesses[i].kind & MZ_WRITE;
        publish(&mz__w.guarded[accesses[i].location + (writes ? 0 : MZ__MOST_CELLS)], &me->clock, true);
    }
    tick(me);
}

MZ_VECTOR void mz__acquire_relaxed(uint32_t cell)
{
    if (mz__w.ignores_order)
        return;
    mz__clock *unfenced = &mz__w.current->unfenced;
    const mz__clock *published = &mz__w.published[cell].clock;
    if (!mz_clock_is_behind(unfenced->of, published->of, width()))
        return;
    mz__save(unfenced, width() * sizeof(uint32_t));
    mz_join_clock(unfenced->of, published->of, width());
}

/* A later store of the thread that released continues what it published (C11 to C17), unless another thread's
 * store came between. */
MZ_VECTOR void mz__release_relaxed(uint32_t cell, bool joins)
{
    if (mz__w.ignores_order)
        return;
    mz__published *p = &mz__w.published[cell];
    publish(p, &mz__w.current->fenced, joins || p->releaser == mz__me() + 1);
    if (!joins)
        p->releaser = mz__me() + 1;
}

/* A plain write releases nothing, and another thread's ends what was released before: who reads it now does
 * not read from the one that did. (Its own earlier release is before the write in any case.) */
MZ_VECTOR void mz__overwrite_plainly(uint32_t cell)
{
    static const mz__clock nothing;
    mz__published *p = &mz__w.published[cell];
    if (mz__w.ignores_order || p->releaser == mz__me() + 1)
        return;
    publish(p, &nothing, false);
    p->releaser = 0;
}

MZ_VECTOR void mz__fence(bool acquires, bool releases)
{
    if (mz__w.ignores_order)
        return;
    mz__thread *me = mz__w.current;
    if (acquires)
        join_into_thread(me, &me->unfenced);
    if (releases) {
        mz__save(&me->fenced, width() * sizeof(uint32_t));
        mz_copy_clock(me->fenced.of, me->clock.of, width());
        tick(me);
    }
}

MZ_VECTOR void mz__acquire_published(const mz__clock *published, bool acquires)
{
    mz__thread *me = mz__w.current;
    if (mz__w.ignores_order)
        return;
    if (acquires) {
        join_into_thread(me, published);
    } else if (mz_clock_is_behind(me->unfenced.of, published->of, width())) {
        mz__save(&me->unfenced, width() * sizeof(uint32_t));
        mz_join_clock(me->unfenced.of, published->of, width());
    }
}

/* The record is new: nothing of it has to be saved. */
MZ_VECTOR void mz__publish_write(mz__clock *published, bool releases, const mz__clock *continues)
{
    mz__thread *me = mz__w.current;
    if (mz__w.ignores_order)
        return;
    mz_copy_clock(published->of, releases ? me->clock.of : me->fenced.of, width());
    if (continues)
        mz_join_clock(published->of, continues->of, width());
    if (releases)
        tick(me);
}

MZ_VECTOR static void acquire_all_of(const mz__thread *other)
{
    join_into_thread(mz__w.current, &other->clock);
}

/* A thread that knows of nothing but what came before its creation tells its creator nothing new but what it
 * did itself. Main joins many such threads at the end of every execution. */
void mz__acquire_thread(uint32_t other)
{
    mz__thread *me = mz__w.current;
    const mz__thread *t = &mz__w.threads[other];
    if (t->knows_others || mz__w.births[other].parent != me->number) {
        acquire_all_of(t);
        return;
    }
    save_clock_of(me);
    me->knows_others = true;
    me->clock.of[other] = t->clock.of[other];
}

/* What `from` has done so far comes before what `to` does from now on. */
MZ_VECTOR void mz__order_threads(uint32_t from, uint32_t to)
{
    join_into_thread(&mz__w.threads[to], &mz__w.threads[from].clock);
    tick(&mz__w.threads[from]);
}

/* ---- races -------------------------------------------------------------------------------------------- */

typedef struct look {
    const mz__thread *me;
    uint32_t epoch, place, held;
    uint8_t bytes, how;
    uintptr_t word, pc;
} look;

static __attribute__((noinline)) void tell_race(const look *l, const mz__shadow *shadow, int i)
{
    mz__found_race(&(mz__race){.word = l->word,
                               .pc = l->pc,
                               .bytes = l->bytes & shadow->bytes[i],
                               .how = l->how,
                               .how_before = shadow->how[i],
                               .other = shadow->epoch[i] >> CLOCK_BITS,
                               .epoch_before = shadow->epoch[i],
                               .place_before = shadow->place[i],
                               .held_before = shadow->held[i]});
}

/* Meet one entry: race, drop what is covered, or merge. Returns true if the new access is in it now. */
static bool meet(const look *l, mz__shadow *shadow, int i)
{
    uint8_t common = shadow->bytes[i] & l->bytes;
    if (!shadow->epoch[i] || (!common && shadow->epoch[i] != l->epoch))
        return false;
    bool conflicting = common && ((shadow->how[i] | l->how) & MZ__ENTRY_WRITES) &&
                       !(shadow->how[i] & l->how & MZ__ENTRY_ATOMIC);
    bool ordered = is_before_me(shadow->epoch[i], l->me);
    if (conflicting && !ordered)
        tell_race(l, shadow, i);
    if (shadow->epoch[i] == l->epoch && shadow->how[i] == l->how && shadow->place[i] == l->place &&
        shadow->held[i] == l->held) {
        shadow->bytes[i] |= l->bytes;
        return true;
    }
    bool kept = mz__w.go_on_after_races && shadow->place[i] != l->place; /* each pair of places is told */
    bool stronger = (l->how & MZ__ENTRY_WRITES) >= (shadow->how[i] & MZ__ENTRY_WRITES) &&
                    (l->how & MZ__ENTRY_ATOMIC) <= (shadow->how[i] & MZ__ENTRY_ATOMIC);
    if (common && ordered && stronger && !kept) {
        shadow->bytes[i] &= (uint8_t)~common;
        if (!shadow->bytes[i])
            shadow->epoch[i] = 0;
    }
    return false;
}

static inline void touch_shadow(const mz__shadow *shadow)
{
    _Static_assert(MZ__LINE % sizeof *shadow == 0, "no word's shadow lies in two lines");
    mz__touch_line((uintptr_t)shadow & ~(uintptr_t)(MZ__LINE - 1));
}

static void look_at_word(const look *l, mz__shadow *shadow)
{
    bool done = false;
    mz__shadow *free_place = NULL;
    int free_index = 0;
    for (mz__shadow *s = shadow;;) {
        touch_shadow(s);
        for (int i = 0; i < 2; i++) {
            done |= meet(l, s, i);
            if (!s->epoch[i] && !free_place) {
                free_place = s;
                free_index = i;
            }
        }
        uint32_t more = s->more & ~MZ__WORD_FLAGS;
        if (!more && !done && !free_place) {
            more = mz__w.state.chain_used++;
            s->more |= more;
            mz__save(&mz__w.chain[more], sizeof(mz__shadow));
            mz__w.chain[more] = (mz__shadow){.epoch = {0}};
        }
        if (!more)
            break;
        s = &mz__w.chain[more];
    }
    if (!done) {
        free_place->epoch[free_index] = l->epoch;
        free_place->place[free_index] = l->place;
        free_place->held[free_index] = l->held;
        free_place->bytes[free_index] = l->bytes;
        free_place->how[free_index] = l->how;
    }
}

/* The thread has done the same or more to these bytes since it last synchronised. Where accesses are events,
 * others may have come in between: of those from another place, each is looked at. */
static inline bool is_known(const look *l, const mz__shadow *shadow, int i)
{
    return shadow->epoch[i] == l->epoch && !(l->bytes & ~shadow->bytes[i]) &&
           !(l->how & ~shadow->how[i] & MZ__ENTRY_WRITES) && !(shadow->how[i] & ~l->how & MZ__ENTRY_ATOMIC) &&
           (!(shadow->more & MZ__WORD_IS_EVENT) || shadow->place[i] == l->place);
}

/* Atomic accesses race with plain ones only, and most words see one sort. Until a word has seen both, atomic
 * ones are not kept; when it has, that was wrong, and the search begins again knowing better. That a variable
 * of the program was accessed atomically is not taken back: it will be again, and at worst the search begins
 * again without need. */
static bool is_only_atomic(mz__shadow *shadow, uintptr_t word, bool atomic)
{
    bool was_plain = shadow->epoch[0] || shadow->epoch[1], was_atomic = shadow->more & MZ__WORD_IS_ATOMIC;
    if (atomic && !was_atomic) {
        if (word - MZ__ARENA < MZ__ARENA_BYTES)
            touch_shadow(shadow);
        shadow->more |= MZ__WORD_IS_ATOMIC;
    }
    if (atomic ? was_plain : was_atomic)
        mz__remember_word(word, MZ__WORD_IS_MIXED);
    return atomic;
}

/* Main goes on after its last join. Once it is alone, it stays so until it creates a thread or the step ends.
 */
static inline bool is_main_alone(void)
{
    if (mz__w.main_alone_in == mz__trail_now.serial)
        return true;
    if (!mz__alone())
        return false;
    mz__w.main_alone_in = mz__trail_now.serial;
    return true;
}

/* An access of a thread that is alone races with nothing: all that others did comes before it, and all they
 * will do after it. So it need not be known either. That is asked where it is likely, and where it matters:
 * before the first plain access. */
static inline bool is_of_interest(bool atomic)
{
    if (mz__w.current->deferred && is_main_alone())
        return false;
    if (atomic || mz__w.plain_accesses)
        return true;
    if (mz__alone())
        return false;
    mz__w.plain_accesses = true;
    if (mz__w.ignores_order)
        mz__learned();
    return true;
}

/* For plain reads that are to see it (accesses.c), where nothing else is asked of an access. */
static void mark_atomic(uintptr_t address, size_t size)
{
    for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
        mz__shadow *shadow = mz__shadow_of(word);
        if (shadow && !(shadow->more & MZ__WORD_IS_ATOMIC)) {
            touch_shadow(shadow);
            shadow->more |= MZ__WORD_IS_ATOMIC;
        }
    }
}

void mz__access(uintptr_t address, size_t size, bool writes, bool atomic, uintptr_t pc)
{
    if (mz__w.state.thread_count <= 1 || size == 0)
        return; /* whatever there is now comes before everything the others will do */
    if (mz__w.unchecked) {
        if (atomic && mz__w.base.by_observation)
            mark_atomic(address, size);
        return;
    }
    if (!is_of_interest(atomic))
        return;
    uint32_t me = mz__me();
    look l = {.me = mz__w.current,
              .epoch = epoch_of(me),
              .place = pc - mz__w.memory.code <= UINT32_MAX ? (uint32_t)(pc - mz__w.memory.code) : 0,
              .held = mz__w.current->held_last,
              .how = (uint8_t)((writes ? MZ__ENTRY_WRITES : 0) | (atomic ? MZ__ENTRY_ATOMIC : 0) |
                               (mz__w.current->pending.frees ? MZ__ENTRY_FREES : 0)),
              .pc = pc};
    for (uintptr_t a = address; a < address + size;) {
        uintptr_t word = a & ~(uintptr_t)7, end = word + 8 < address + size ? word + 8 : address + size;
        mz__shadow *shadow = mz__shadow_of(word);
        if (!shadow)
            return;
        l.word = word;
        l.bytes = (uint8_t)(((1u << (end - a)) - 1) << (a - word));
        a = end;
        if (mz__w.watch_epoch == l.epoch)
            mz__watch_access(word, l.bytes, l.how, l.place);
        if (!(shadow->more & MZ__WORD_IS_MIXED) && is_only_atomic(shadow, word, atomic))
            continue;
        if (mz__w.go_on_after_races || (!is_known(&l, shadow, 0) && !is_known(&l, shadow, 1)))
            look_at_word(&l, shadow);
    }
}

/* What a plain access leaves of an entry that is plain, too: its bytes, 0 if the entry is free then.
 * LEFT_TO_OTHERS if the two race, or are to be told as one. */
enum { LEFT_TO_OTHERS = 0x100 };

static inline uint32_t left_of(const mz__shadow *shadow, int i, const look *l)
{
    uint32_t epoch = shadow->epoch[i], bytes = shadow->bytes[i];
    if (!epoch)
        return 0;
    bool conflicting = bytes & l->bytes && (shadow->how[i] | l->how);
    if (epoch == l->epoch ? shadow->how[i] == l->how : conflicting && !is_before_me(epoch, l->me))
        return LEFT_TO_OTHERS;
    bool covered = l->how >= shadow->how[i] && is_before_me(epoch, l->me);
    return covered ? bytes & ~(uint32_t)l->bytes : bytes;
}

/* Does to such a word what look_at_word() does, if it needs no more than its two entries. */
static inline bool looked_at_plain_word(const look *l, mz__shadow *shadow)
{
    uint32_t first = left_of(shadow, 0, l), second = left_of(shadow, 1, l);
    if (((first | second) & LEFT_TO_OTHERS) || (first && second))
        return false;
    touch_shadow(shadow);
    int i = first ? 1 : 0;
    shadow->bytes[1 - i] = (uint8_t)(first | second);
    shadow->epoch[1 - i] = first | second ? shadow->epoch[1 - i] : 0;
    shadow->epoch[i] = l->epoch;
    shadow->place[i] = l->place;
    shadow->held[i] = l->held;
    shadow->bytes[i] = l->bytes;
    shadow->how[i] = l->how;
    return true;
}

/* Main goes on after a join, and nobody else is alive. */
static bool is_main_last(const mz__thread *me)
{
    if (mz__w.main_last_in == mz__trail_now.serial)
        return true;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (u != me->number && (mz__w.threads[u].life == MZ__ALIVE || mz__w.threads[u].life == MZ__CUT))
            return false;
    mz__w.main_last_in = mz__trail_now.serial;
    return true;
}

static inline bool races_with(const mz__shadow *shadow, int i, const look *l)
{
    return (shadow->bytes[i] & l->bytes) && (shadow->how[i] | l->how) && shadow->epoch[i] &&
           !is_before_me(shadow->epoch[i], l->me);
}

/* What main does to such a word, when it is last, need not be known: later accesses are its own, or of
 * threads that it creates after this one. So it is enough that it does not race with what is known. */
static inline bool is_unknown_for_good(const look *l, const mz__shadow *shadow)
{
    return l->me->deferred && is_main_last(l->me) && !races_with(shadow, 0, l) && !races_with(shadow, 1, l);
}

void mz__plain_word_access(mz__shadow *shadow, uintptr_t address, size_t size, bool writes)
{
    const mz__thread *me = mz__w.current;
    uintptr_t pc = mz__caller.pc;
    if (mz__w.state.thread_count <= 1 || (me->deferred && mz__w.main_alone_in == mz__trail_now.serial))
        return; /* see mz__access() */
    uint32_t epoch = me->number << CLOCK_BITS | me->clock.of[me->number];
    look l = {.me = me,
              .epoch = epoch,
              .place = pc - mz__w.memory.code <= UINT32_MAX ? (uint32_t)(pc - mz__w.memory.code) : 0,
              .held = me->held_last,
              .bytes = (uint8_t)(((1u << size) - 1) << (address & 7)),
              .how = writes ? MZ__ENTRY_WRITES : 0};
    bool usual = mz__w.plain_accesses && !mz__w.go_on_after_races && mz__w.watch_epoch != epoch &&
                 !(shadow->more & ~MZ__WORD_HAS_GAPS);
    if (usual && (me->deferred ? is_unknown_for_good(&l, shadow)
                               : is_known(&l, shadow, 0) || is_known(&l, shadow, 1) ||
                                     looked_at_plain_word(&l, shadow)))
        return;
    mz__access(address, size, writes, false, pc);
}

bool mz__atomic_access(uintptr_t address, size_t size, bool writes)
{
    const mz__shadow *shadow = mz__shadow_of(address);
    bool settled = size <= 8 && shadow && !shadow->epoch[0] && !shadow->epoch[1] &&
                   (shadow->more & (MZ__WORD_IS_ATOMIC | MZ__WORD_IS_MIXED)) == MZ__WORD_IS_ATOMIC;
    if (!settled)
        mz__access(address, size, writes, true, mz__caller.pc);
    return settled;
}

/* The word of a variable that has seen atomic accesses only does not forget that: if there is a plain one
 * after all, the search begins again (is_only_atomic). Till then its cell need not be looked at any more. */
void mz__unsettled_access(uintptr_t address, size_t size, bool writes)
{
    const mz__pending *p = &mz__w.current->pending;
    bool variable = address - MZ__ARENA >= MZ__ARENA_BYTES;
    mz__has_performed(p->kind, address, size, writes);
    if (mz__atomic_access(address, size, writes) && variable && p->own_count == 1)
        mz__w.cells[p->accesses[0].location].settled = true;
}

void mz__blame_others(uintptr_t address, bool writes, uintptr_t pc)
{
    bool hidden = !mz__w.report_memory && mz__w.races == MZ_RACES_ARE_ERRORS;
    if ((hidden || mz__w.tolerates_races) && mz__shadow_of(address))
        mz__access(address, 1, writes, false, pc); /* what is not reported must not hide it */
    const mz__shadow *s = mz__shadow_of(address);
    while (s && mz__w.current) {
        for (int i = 0; i < 2; i++)
            if (s->epoch[i] && !is_before_me(s->epoch[i], mz__w.current))
                mz__inherit_causes(mz__w.current, &mz__w.threads[s->epoch[i] >> CLOCK_BITS]);
        uint32_t more = s->more & ~MZ__WORD_FLAGS;
        s = more ? &mz__w.chain[more] : NULL;
    }
}
