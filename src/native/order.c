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
 * The record of who touched a word is exact: an entry is dropped only when a later access, ordered after it
 * and at least as strong (a write, or both are reads), covers its bytes: whatever would race with the dropped
 * one races with the new one as well. Atomic accesses race with plain ones, not among each other. */
#include <stdio.h>

#include "base/memory.h"
#include "native/schedule.h"

enum { CLOCK_BITS = 26 };
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

static size_t width(void)
{
    return mz__w.state.thread_count * sizeof(uint32_t);
}

/* Four components at a time; signed, because comparing signed numbers is one instruction everywhere. */
typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));

static uint32_t widest(void)
{
    uint32_t capacity = mz__w.base.thread_capacity, now = mz__w.state.thread_count;
    return capacity > now ? capacity : now;
}

/* Once per step for the clock of the running thread, which changes most. */
static void save_clock(mz__clock *clock)
{
    mz__thread *t = mz__w.current;
    bool own = t && clock == &t->clock;
    if (own && t->clock_saved_in == mz__trail_now.serial)
        return;
    if (own)
        t->clock_saved_in = mz__trail_now.serial;
    /* as wide as it can get in this step */
    mz__save(clock, (own ? widest() : mz__w.state.thread_count) * sizeof(uint32_t));
}

static void join(mz__clock *into, const mz__clock *from)
{
    four *to = (four *)(void *)into->of;
    const four *other = (const four *)(const void *)from->of;
    size_t fours = (mz__w.state.thread_count + 3) / 4;
    four more = {0};
    for (size_t i = 0; i < fours; i++)
        more |= other[i] > to[i];
    if (!(more[0] | more[1] | more[2] | more[3]))
        return; /* nothing new: most often so */
    save_clock(into);
    for (size_t i = 0; i < fours; i++) {
        four greater = other[i] > to[i];
        to[i] = (other[i] & greater) | (to[i] & ~greater);
    }
}

static void assign(mz__clock *to, const mz__clock *from)
{
    mz__save(to, width());
    memcpy(to, from, width());
}

/* What the thread does from now on is not what it has just published. */
static void tick(uint32_t thread)
{
    uint32_t *own = &mz__w.threads[thread].clock.of[thread];
    MZ__SAVE(*own);
    if (++*own >= CLOCK_MASK)
        mz__give_up(mz__caller.pc, "an execution has more than %u synchronisation operations", CLOCK_MASK);
}

void mz__acquire(uint32_t cell)
{
    if (!mz__w.current)
        return; /* a constructor */
    join(&mz__w.current->clock, &mz__w.cell_clocks[cell]);
}

void mz__release(uint32_t cell, bool joins)
{
    if (!mz__w.current)
        return; /* a constructor */
    (joins ? join : assign)(&mz__w.cell_clocks[cell], &mz__w.current->clock);
    MZ__SAVE(mz__w.cell_releasers[cell]);
    mz__w.cell_releasers[cell] = mz__me() + 1;
    tick(mz__me());
}

void mz__acquire_relaxed(uint32_t cell)
{
    join(&mz__w.current->unfenced, &mz__w.cell_clocks[cell]);
}

/* A later store of the thread that released continues what it published (C11 to C17). */
void mz__release_relaxed(uint32_t cell, bool joins)
{
    joins |= mz__w.cell_releasers[cell] == mz__me() + 1;
    (joins ? join : assign)(&mz__w.cell_clocks[cell], &mz__w.current->fenced);
}

void mz__fence(bool acquires, bool releases)
{
    mz__thread *me = mz__w.current;
    if (acquires)
        join(&me->clock, &me->unfenced);
    if (releases) {
        assign(&me->fenced, &me->clock);
        tick(mz__me());
    }
}

void mz__acquire_thread(uint32_t other)
{
    if (!mz__w.current)
        return; /* a constructor */
    join(&mz__w.current->clock, &mz__w.threads[other].clock);
}

/* What `from` has done so far comes before what `to` does from now on. */
void mz__order_threads(uint32_t from, uint32_t to)
{
    join(&mz__w.threads[to].clock, &mz__w.threads[from].clock);
    tick(from);
}

/* ---- races -------------------------------------------------------------------------------------------- */

/* From the next beginning on the word has this flag. */
static void remember(uintptr_t word, uint32_t flag)
{
    for (size_t i = 0; i < mz__w.special_word_count; i++)
        if (mz__w.special_words[i].word == word && (mz__w.special_words[i].flags & flag))
            return;
    mz__w.special_words = mz_grow(mz__w.special_words, &mz__w.special_word_capacity,
                                  mz__w.special_word_count + 1, sizeof *mz__w.special_words);
    mz__w.special_words[mz__w.special_word_count++] = (struct mz__special_word){word, flag};
    mz__learned();
}

void mz__mark_special_words(void)
{
    for (size_t i = 0; i < mz__w.special_word_count; i++) {
        mz__shadow *shadow = mz__shadow_of(mz__w.special_words[i].word);
        MZ__SAVE(*shadow);
        shadow->more |= mz__w.special_words[i].flags;
    }
}

/* "writes", "atomically read": now or before. */
static void add_verb(mz_text *out, uint8_t how, bool now)
{
    mz_text_add(out, "%s%s", how & MZ__ENTRY_ATOMIC ? "atomically " : "",
                how & MZ__ENTRY_WRITES ? (now ? "writes" : "wrote") : (now ? "reads" : "read"));
}

/* The same race as the one we are looking for the first half of, or a new one. */
static bool is_watched(uintptr_t word, uint8_t bytes, uint32_t epoch)
{
    return mz__w.watch_address == word && mz__w.watch_bytes == bytes && mz__w.watch_epoch == epoch;
}

static void found_race(uintptr_t word, uint8_t bytes, uint8_t how, uint32_t epoch, uint8_t bytes_before,
                       uint8_t how_before, uintptr_t pc)
{
    if (mz__w.trying)
        return; /* it will be met again */
    if (!mz__w.report_races) {
        remember(word, MZ__WORD_IS_EVENT);
        return;
    }
    bytes &= bytes_before;
    uint32_t other = epoch >> CLOCK_BITS;
    mz_text text = {0};
    mz_value_kind kind;
    mz_text_add(&text, "data race on ");
    mz__name_data(word + (uintptr_t)__builtin_ctz(bytes), 1, &text, &kind);
    mz_text_add(&text, ": thread %u ", mz__me());
    add_verb(&text, how, true);
    mz_text_add(&text, " it in ");
    mz__add_stack(&text);
    mz_text_add(&text, "; thread %u ", other);
    add_verb(&text, how_before, false);
    mz_text_add(&text, " it before");
    if (is_watched(word, bytes, epoch) && mz__w.watch_found.length > 0)
        mz_text_add(&text, " in %s", mz_text_string(&mz__w.watch_found));
    mz_text_add(&text, "; nothing orders the two");
    if (!is_watched(word, bytes, epoch))
        mz_text_clear(&mz__w.watch_found);
    mz__w.watch_address = word;
    mz__w.watch_bytes = bytes;
    mz__w.watch_how = how_before;
    mz__w.watch_thread = other;
    mz__w.watch_epoch = epoch;
    char message[1024];
    snprintf(message, sizeof message, "%s", mz_text_string(&text));
    mz_text_release(&text);
    if (mz__w.go_on_after_races)
        mz__report(MZ_FAIL_RACE, pc, "%s", message);
    else
        mz__fail(MZ_FAIL_RACE, pc, "%s", message);
}

typedef struct look {
    const mz__thread *me;
    uint32_t epoch;
    uint8_t bytes, how;
    uintptr_t word, pc;
} look;

/* Meet one entry: race, drop what is covered, or merge. Returns true if the new access is in it now. */
static bool meet(const look *l, mz__shadow *shadow, int i)
{
    uint8_t common = shadow->bytes[i] & l->bytes;
    if (!shadow->epoch[i])
        return false;
    bool conflicting = common && ((shadow->how[i] | l->how) & MZ__ENTRY_WRITES) &&
                       !(shadow->how[i] & l->how & MZ__ENTRY_ATOMIC);
    bool ordered = is_before_me(shadow->epoch[i], l->me);
    if (conflicting && !ordered)
        found_race(l->word, l->bytes, l->how, shadow->epoch[i], shadow->bytes[i], shadow->how[i], l->pc);
    if (shadow->epoch[i] == l->epoch && shadow->how[i] == l->how) {
        shadow->bytes[i] |= l->bytes;
        return true;
    }
    bool stronger = (l->how & MZ__ENTRY_WRITES) >= (shadow->how[i] & MZ__ENTRY_WRITES) &&
                    (l->how & MZ__ENTRY_ATOMIC) <= (shadow->how[i] & MZ__ENTRY_ATOMIC);
    if (common && ordered && stronger) {
        shadow->bytes[i] &= (uint8_t)~common;
        if (!shadow->bytes[i])
            shadow->epoch[i] = 0;
    }
    return false;
}

static void look_at_word(const look *l, mz__shadow *shadow)
{
    bool done = false;
    mz__shadow *free_place = NULL;
    int free_index = 0;
    for (mz__shadow *s = shadow;;) {
        mz__touch(s, sizeof *s);
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
        free_place->bytes[free_index] = l->bytes;
        free_place->how[free_index] = l->how;
    }
}

/* The thread has done the same or more to these bytes since it last synchronised. */
static inline bool is_known(const look *l, const mz__shadow *shadow, int i)
{
    return shadow->epoch[i] == l->epoch && !(l->bytes & ~shadow->bytes[i]) &&
           !(l->how & ~shadow->how[i] & MZ__ENTRY_WRITES) && !(shadow->how[i] & ~l->how & MZ__ENTRY_ATOMIC);
}

/* Atomic accesses race with plain ones only, and most words see one sort. Until a word has seen both, atomic
 * ones are not kept; when it has, that was wrong, and the search begins again knowing better. */
static bool is_only_atomic(mz__shadow *shadow, uintptr_t word, bool atomic)
{
    bool was_plain = shadow->epoch[0] || shadow->epoch[1], was_atomic = shadow->more & MZ__WORD_IS_ATOMIC;
    if (atomic && !was_atomic) {
        mz__touch(shadow, sizeof *shadow);
        shadow->more |= MZ__WORD_IS_ATOMIC;
    }
    if (atomic ? was_plain : was_atomic)
        remember(word, MZ__WORD_IS_MIXED);
    return atomic;
}

static void watch(uintptr_t word, uint8_t bytes, uint8_t how, uint32_t epoch);

/* An atomic access to a word that has seen nothing else. */
static inline bool is_settled(uintptr_t address)
{
    const mz__shadow *shadow = mz__shadow_of(address);
    return shadow && (shadow->more & (MZ__WORD_IS_ATOMIC | MZ__WORD_IS_MIXED)) == MZ__WORD_IS_ATOMIC &&
           !shadow->epoch[0] && !shadow->epoch[1];
}

void mz__access(uintptr_t address, size_t size, bool writes, bool atomic, uintptr_t pc)
{
    if (mz__w.state.thread_count <= 1 || size == 0 || !mz__w.current)
        return; /* whatever there is now comes before everything the others will do */
    if (atomic && size <= 8 && is_settled(address))
        return;
    uint32_t me = mz__me();
    look l = {.me = mz__w.current,
              .epoch = epoch_of(me),
              .how = (uint8_t)((writes ? MZ__ENTRY_WRITES : 0) | (atomic ? MZ__ENTRY_ATOMIC : 0)),
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
            watch(word, l.bytes, l.how, l.epoch);
        if (!(shadow->more & MZ__WORD_IS_MIXED) && is_only_atomic(shadow, word, atomic))
            continue;
        if (!is_known(&l, shadow, 0) && !is_known(&l, shadow, 1))
            look_at_word(&l, shadow);
    }
}

/* The earlier access of a race, met again while its execution is repeated. */
static void watch(uintptr_t word, uint8_t bytes, uint8_t how, uint32_t epoch)
{
    if (how == mz__w.watch_how && word == mz__w.watch_address && (bytes & mz__w.watch_bytes) &&
        epoch == mz__w.watch_epoch && mz__w.watch_found.length == 0)
        mz__add_stack(&mz__w.watch_found);
}
