/* Clocks and epochs are numbers that grow along an execution, and no two states would ever be alike in them.
 * But what follows asks for one thing only: is the epoch of an access that is still known before a clock? So
 * of each thread the epochs that are known are put in order, and a clock is told as how many of them it has
 * reached: its *rank*. Of epochs that the same clocks have reached one is enough. Those that are yet to come
 * are larger than all of these. Of a thread that has ended its clock is one of them: who knows it is alone.
 *
 * What is left out, because nothing depends on it:
 *  - entries that all living threads come after. (Those that are yet to be created come after the thread that
 *    creates them.) That there was a plain access remains: whether a word sees plain and atomic ones is
 * asked;
 *  - of what a location has published, what all of them know already: who acquires it learns nothing;
 *  - accesses to blocks that are freed, where the next one fails for that reason alone;
 *  - which locks were held, for words in reports. The place of an access is kept: it tells races apart. */
#include "program/order/order_state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "program/order/happens_before.h"

enum { CLOCK_BITS = MZ_MAX_THREADS > 64 ? 32 - MZ_WIDE_THREAD_BITS : 32 - MZ_THREAD_BITS };
#define CLOCK_MASK ((1u << CLOCK_BITS) - 1)

/* ---- records that have been on the trail ------------------------------------------------------------------
 */

static uintptr_t *lines; /* of shadow words, each one once */
static size_t line_count, line_capacity;
static mz_map known_lines;

static bool lies_in(uintptr_t address, const void *begin, size_t bytes)
{
    return begin && address - (uintptr_t)begin < bytes;
}

static bool is_shadow(uintptr_t address)
{
    const mz__memory *m = &mz__w.memory;
    return lies_in(address, m->arena_shadow, MZ__ARENA_BYTES / 8 * sizeof(mz__shadow)) ||
           lies_in(address, m->image_shadow, ((m->image_end - m->image) / 8 + 1) * sizeof(mz__shadow));
}

bool mz__is_order_record(uintptr_t address)
{
    return is_shadow(address) ||
           lies_in(address, mz__w.chain, (size_t)MZ__MOST_CHAINED * sizeof(mz__shadow)) ||
           lies_in(address, mz__w.published, 2 * (size_t)MZ__MOST_CELLS * sizeof(mz__published)) ||
           lies_in(address, mz__w.guarded, 2 * (size_t)MZ__MOST_CELLS * sizeof(mz__published));
}

/* Chains are found by the words that they begin in, what is published by its cell. */
void mz__note_order_record(uintptr_t address)
{
    typedef struct known_line {
        mz_hash key;
    } known_line;
    bool is_new;
    uintptr_t line = address & ~(uintptr_t)(MZ__LINE - 1);
    if (!is_shadow(address))
        return;
    mz_map_at(&known_lines, sizeof(known_line), mz_hash_add(mz_hash_start(0), line), &is_new);
    if (!is_new)
        return;
    lines = mz_grow(lines, &line_capacity, line_count + 1, sizeof *lines);
    lines[line_count++] = line;
}

/* ---- accesses that are still known ------------------------------------------------------------------------
 */

typedef struct entry {
    uint64_t word; /* which word's: where its shadow stands */
    uint32_t epoch, place;
    uint8_t bytes, how;
} entry;

/* Clocks of a thread, each one once. */
typedef struct epochs {
    uint32_t *of;
    size_t count, capacity;
} epochs;

static struct {
    entry *entries;
    size_t entry_count, entry_capacity;
    epochs known[MZ_MAX_THREADS];   /* of each thread: the epochs of its entries */
    epochs reached[MZ_MAX_THREADS]; /* how far clocks have come */
    uint32_t least[MZ_MAX_THREADS]; /* what all living threads know of each thread, as a rank */
    mz_hash plain;                  /* of the words that were accessed plainly, whoever knows it */
} now;

static bool all_know(uint32_t epoch)
{
    uint32_t thread = epoch >> CLOCK_BITS;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life == MZ__ALIVE && mz__w.threads[u].clock.of[thread] < (epoch & CLOCK_MASK))
            return false;
    return true;
}

static void add_to(epochs *e, uint32_t clock)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->of[i] == clock)
            return;
    e->of = mz_grow(e->of, &e->capacity, e->count + 1, sizeof *e->of);
    e->of[e->count++] = clock;
}

/* Where races are no errors, who comes too late depends on them. */
bool mz__forgets_freed_blocks(void)
{
    return mz__w.report_memory && mz__w.reuses == 0 && !mz__w.tolerates_races;
}

static bool is_freed(const mz__shadow *shadow)
{
    size_t word = (size_t)(shadow - mz__w.memory.arena_shadow);
    return mz__forgets_freed_blocks() && word < MZ__HEAPS / 8 && mz__w.memory.heap_valid[word] == 0;
}

static void find_entries_of(const mz__shadow *shadow)
{
    bool plain = false;
    if (is_freed(shadow))
        return;
    for (const mz__shadow *s = shadow;;) {
        for (int i = 0; i < 2; i++) {
            uint32_t epoch = s->epoch[i];
            plain |= epoch != 0;
            if (!epoch || all_know(epoch))
                continue;
            now.entries = mz_grow(now.entries, &now.entry_capacity, now.entry_count + 1, sizeof *now.entries);
            now.entries[now.entry_count++] =
                (entry){(uintptr_t)shadow, epoch, s->place[i], s->bytes[i], s->how[i]};
            add_to(&now.known[epoch >> CLOCK_BITS], epoch & CLOCK_MASK);
        }
        uint32_t more = s->more & ~MZ__WORD_FLAGS;
        if (!more)
            break;
        s = &mz__w.chain[more];
    }
    if (plain)
        now.plain = mz_hash_combine(now.plain, mz_hash_add(mz_hash_start(1), (uintptr_t)shadow));
}

static void find_entries(void)
{
    now.entry_count = 0;
    now.plain = mz_hash_start(0);
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        now.known[u].count = now.reached[u].count = 0;
    for (size_t i = 0; i < line_count; i++)
        for (size_t at = 0; at < MZ__LINE; at += sizeof(mz__shadow))
            find_entries_of((const mz__shadow *)(lines[i] + at));
}

/* ---- clocks -----------------------------------------------------------------------------------------------
 */

/* Who joins it will know what it knows. */
static bool is_to_be_joined(const mz__thread *t)
{
    return t->life == MZ__FINISHED && !mz_threads_has(mz__w.state.joined, t->number);
}

/* What locations have published: in general, and by simple sections; by all, and by readers. */
enum { LISTS = 4 };

static const mz__published *published_list(size_t i)
{
    const mz__published *list = i < 2 ? mz__w.published : mz__w.guarded;
    return list && !mz__w.ignores_order ? list + i % 2 * MZ__MOST_CELLS : NULL;
}

/* Every clock that somebody has, or may acquire. */
static void each_clock(void (*each)(const mz__clock *))
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        const mz__thread *t = &mz__w.threads[u];
        if (t->life != MZ__ALIVE && !is_to_be_joined(t))
            continue;
        each(&t->clock);
        each(&t->fenced);
        each(&t->unfenced);
    }
    for (size_t i = 0; i < LISTS; i++)
        for (size_t cell = 0; published_list(i) && cell < mz__w.cell_count; cell++)
            each(&published_list(i)[cell].clock);
}

static void note_reached(const mz__clock *clock)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (now.known[u].count > 0)
            add_to(&now.reached[u], clock->of[u]);
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool some_clock_is_between(const epochs *reached, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < reached->count; i++)
        if (reached->of[i] >= from && reached->of[i] < to)
            return true;
    return false;
}

/* Of epochs that the same clocks have reached the first one stays. */
static void join_epochs(epochs *known, const epochs *reached)
{
    size_t count = 0;
    if (known->count > 1)
        qsort(known->of, known->count, sizeof *known->of, by_size);
    for (size_t i = 0; i < known->count; i++)
        if (count == 0 || some_clock_is_between(reached, known->of[count - 1], known->of[i]))
            known->of[count++] = known->of[i];
    known->count = count;
}

static void find_ranks(void)
{
    each_clock(note_reached);
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        const mz__thread *t = &mz__w.threads[u];
        join_epochs(&now.known[u], &now.reached[u]);
        if (t->life == MZ__FINISHED)
            add_to(&now.known[u], t->clock.of[u]);
    }
}

/* ---- ranks ------------------------------------------------------------------------------------------------
 */

static uint32_t rank_of(uint32_t thread, uint32_t clock)
{
    uint32_t rank = 0;
    for (size_t i = 0; i < now.known[thread].count; i++)
        rank += now.known[thread].of[i] <= clock;
    return rank;
}

static void find_least_ranks(void)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        now.least[u] = UINT32_MAX;
        for (uint32_t t = 0; t < mz__w.state.thread_count; t++)
            if (mz__w.threads[t].life == MZ__ALIVE) {
                uint32_t rank = rank_of(u, mz__w.threads[t].clock.of[u]);
                now.least[u] = rank < now.least[u] ? rank : now.least[u];
            }
    }
}

/* False if it tells nothing that is not known to all. */
static bool add_clock(mz_hash *hash, const mz__clock *clock)
{
    bool tells = false;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        uint32_t rank = rank_of(u, clock->of[u]), more = rank > now.least[u] ? rank - now.least[u] : 0;
        *hash = mz_hash_add(*hash, more);
        tells |= more > 0;
    }
    return tells;
}

static mz_hash hash_of_entries(void)
{
    mz_hash all = now.plain;
    for (size_t i = 0; i < now.entry_count; i++) {
        const entry *e = &now.entries[i];
        uint32_t thread = e->epoch >> CLOCK_BITS;
        mz_hash one =
            mz_hash_add(mz_hash_start(e->word), (uint64_t)e->place << 16 | (uint64_t)e->bytes << 8 | e->how);
        one = mz_hash_add(one, (uint64_t)thread << 32 | rank_of(thread, e->epoch & CLOCK_MASK));
        all = mz_hash_combine(all, one);
    }
    return all;
}

/* Who has published it decides whether what is stored next begins anew; of an object nothing is ever stored.
 */
static mz_hash hash_of_published(const mz__published *list, bool tells_releasers)
{
    mz_hash all = mz_hash_start(0);
    for (size_t cell = 0; list && cell < mz__w.cell_count; cell++) {
        mz_hash one = mz_hash_start(cell);
        bool tells = add_clock(&one, &list[cell].clock);
        bool continues = tells_releasers && !mz__w.cells[cell].object;
        uint32_t releaser = continues ? list[cell].releaser : 0;
        if (tells || releaser > 0)
            all = mz_hash_combine(all, mz_hash_add(one, releaser));
    }
    return all;
}

static mz_hash add_hash(mz_hash hash, mz_hash part)
{
    return mz_hash_add(mz_hash_add(hash, part.low), part.high);
}

mz_hash mz__hash_of_order(void)
{
    mz_hash hash = mz_hash_start(mz__w.ignores_order);
    find_entries();
    find_ranks();
    find_least_ranks();
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        const mz__thread *t = &mz__w.threads[u];
        if (t->life != MZ__ALIVE && !is_to_be_joined(t))
            continue;
        add_clock(&hash, &t->clock);
        add_clock(&hash, &t->fenced);
        add_clock(&hash, &t->unfenced);
    }
    for (size_t i = 0; i < LISTS; i++)
        hash = add_hash(hash, hash_of_published(published_list(i), i == 0));
    return add_hash(hash, hash_of_entries());
}
