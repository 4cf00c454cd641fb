/* A spinning thread: at the same place of the program as before, with the same registers and the same stack,
 * and nothing written since. If what it has read since then is still the same, it will do the same again, for
 * ever: its operation waits until one of the values has changed.
 *
 * Where the loop consists of one operation on one location, more is possible. Reading the value v in this
 * local state at this place leads back to the same state at the same place, and nothing has happened: a step
 * that leaves everything as it is need not be explored at all, not even the first time. So the machine
 * remembers (place, state, v), and from then on the operation waits while the location has such a value: a
 * spin lock becomes as cheap as a mutex. (What such a step would have acquired or published is missing then,
 * which can only reveal races, and those of an execution that exists.)
 *
 * Polling under a mutex (lock, look, unlock, again) is such a loop as well: locking and unlocking cancel out
 * (what a thread holds is part of its local state), the plain data it looks at are noted, and the lock waits
 * until one of them has changed. Others change them under the same mutex, or there is a race: so for the
 * algorithms it is an operation that waits for the mutex alone.
 *
 * A loop over several locations is different: between its reads others may write, so that one round, begun at
 * any time, must stay possible; only rounds after it wait. For the algorithms that is a guard over several
 * locations, for which they fall back to what needs no argument (machine->complex_blocking). */
#include "base/hash.h"
#include "native/schedule.h"

/* Four chains that do not wait for each other. Each step is a bijection of the chain for a given word and of
 * the word for a given chain, and not linear: states that differ in one word never collide, others by chance
 * (2^-64). */
typedef struct local_hash {
    uint64_t lanes[4];
} local_hash;

static inline void add_word(local_hash *h, size_t lane, uint64_t word)
{
    uint64_t x = (h->lanes[lane] ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    h->lanes[lane] = x ^ (x >> 32);
}

/* Of a deep stack only the lower part is looked at: what lies above stays as it is until the thread returns
 * to it, which its hooks notice. */
static uint64_t hash_of_local_state(mz__thread *t)
{
    local_hash h = {{t->held, mz__caller.sp, UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93)}};
    for (size_t i = 0; i < sizeof mz__caller.preserved / sizeof *mz__caller.preserved; i++)
        add_word(&h, i & 3, mz__caller.preserved[i]);
    const uint64_t *word = (const uint64_t *)(mz__caller.sp & ~(uintptr_t)7);
    const uint64_t *top = (const uint64_t *)t->stack_top;
    t->hashed_to = UINTPTR_MAX;
    if ((uintptr_t)top - (uintptr_t)word > mz__window()) {
        top = word + mz__window() / sizeof *word;
        t->hashed_to = (uintptr_t)top;
    }
    for (; top - word >= 4; word += 4)
        for (size_t lane = 0; lane < 4; lane++)
            add_word(&h, lane, word[lane]);
    for (; word < top; word++)
        add_word(&h, 0, *word);
    uint64_t all = 0;
    for (size_t lane = 0; lane < 4; lane++)
        all = mz_mix64(all ^ h.lanes[lane]) + lane;
    return all;
}

static void add_read_access(mz__pending *p, uint32_t cell)
{
    if (cell == MZ__NO_CELL)
        return; /* plain data: it changes under the mutex, and that is there */
    for (uint32_t i = 0; i < p->access_count; i++)
        if (p->accesses[i].location == cell)
            return;
    p->accesses[p->access_count++] = (mz_access){cell, MZ_READ};
}

/* Wait for a change of what was read since the visit. False if that is more than we can express. */
static bool wait_for_change(mz__thread *t, const mz__visit *visit)
{
    mz__pending *p = &t->pending;
    bool locks = p->guard == MZ__MUTEX_FREE;
    if (visit->first_read == t->read_count || (p->guard != MZ__FREE && !locks))
        return false;
    for (uint32_t i = visit->first_read; i < t->read_count; i++) {
        if (p->access_count == MZ__MOST_ACCESSES)
            return false;
        add_read_access(p, t->reads[i].cell);
    }
    if (p->access_count > 1 && !mz__w.base.complex_blocking) {
        mz__w.base.complex_blocking = true;
        mz__learned();
    }
    p->guard = locks ? MZ__MUTEX_CHANGED : MZ__CHANGED;
    if (locks)
        p->kind = MZ_OP_AWAIT; /* it waits for more than the mutex */
    t->spins_from = visit->first_read;
    t->spins_to = t->read_count;
    return true;
}

/* ---- single reads in vain -------------------------------------------------------------------------------
 */

static mz__vain *vain_at(uintptr_t pc, uint64_t state)
{
    size_t slot = mz_mix64(state ^ pc) % MZ__VAIN_SLOTS;
    while (mz__w.vain[slot].pc && (mz__w.vain[slot].pc != pc || mz__w.vain[slot].state != state))
        slot = (slot + 1) % MZ__VAIN_SLOTS;
    return &mz__w.vain[slot];
}

static bool is_in_vain(const mz__vain *vain, const uint64_t value[2])
{
    for (uint32_t i = 0; i < vain->count; i++)
        if (vain->values[i][0] == value[0] && vain->values[i][1] == value[1])
            return true;
    return false;
}

void mz__forget_vain(void)
{
    if (mz__w.vain_count > 0)
        memset(mz__w.vain, 0, sizeof mz__w.vain);
    mz__w.vain_count = 0;
}

bool mz__is_not_in_vain(const mz__pending *p)
{
    uint64_t value[2] = {0, 0};
    memcpy(value, (const void *)p->address, p->size);
    return !is_in_vain(p->vain, value);
}

/* The thread is back where it was, after one read of what it is about to read again. */
/* Steps of a search after which beginning again is too dear: knowing of reads in vain saves work, but nothing
 * is wrong without. */
enum { EARLY = 20000, MOST_BEGINNINGS = 60 };

static void learn_vain(const mz__thread *t, uint64_t state)
{
    const mz__seen *seen = &t->reads[t->read_count - 1];
    mz__vain *vain = vain_at(mz__caller.pc, state);
    if (mz__w.total_steps > EARLY || mz__w.lessons > MOST_BEGINNINGS ||
        mz__w.vain_count >= MZ__VAIN_SLOTS / 2 || vain->count == MZ__MOST_VAIN ||
        is_in_vain(vain, seen->value))
        return;
    mz__w.vain_count += vain->count == 0;
    vain->pc = mz__caller.pc;
    vain->state = state;
    vain->values[vain->count][0] = seen->value[0];
    vain->values[vain->count++][1] = seen->value[1];
    mz__begin_again();
}

static bool is_single_read(const mz__thread *t, const mz__visit *visit)
{
    const mz__pending *p = &t->pending;
    return p->size > 0 && p->own_count == 1 && t->read_count == visit->first_read + 1 &&
           t->reads[visit->first_read].address == p->address && t->reads[visit->first_read].size == p->size;
}

/* The reads from this one on stay. */
static void forget_all_but(mz__thread *t, uint32_t first)
{
    mz__save(t->reads, sizeof t->reads);
    memmove(t->reads, t->reads + first, (t->read_count - first) * sizeof *t->reads);
    t->read_count -= first;
    t->spins_from = 0;
    t->spins_to = t->read_count;
    t->visit_count = 0;
}

void mz__look_for_spinning(mz__thread *t)
{
    uint64_t state = hash_of_local_state(t);
    const mz__vain *vain = mz__w.vain_count > 0 ? vain_at(mz__caller.pc, state) : NULL;
    if (vain && vain->count > 0 && t->pending.guard == MZ__FREE && t->pending.size > 0) {
        t->pending.guard = MZ__NOT_IN_VAIN;
        t->pending.vain = vain;
    }
    for (uint32_t i = t->visit_count; i-- > 0;) { /* the last round counts */
        if (t->visits[i].pc != mz__caller.pc || t->visits[i].state != state)
            continue;
        if (is_single_read(t, &t->visits[i]))
            learn_vain(t, state);
        if (t->pending.guard == MZ__FREE || t->pending.guard == MZ__MUTEX_FREE)
            wait_for_change(t, &t->visits[i]);
        break;
    }
    if (t->visit_count == MZ__MOST_VISITS) /* forget the older ones, but not what it waits for */
        forget_all_but(t, t->pending.guard == MZ__CHANGED || t->pending.guard == MZ__MUTEX_CHANGED
                              ? t->spins_from
                              : t->read_count);
    mz__visit *visit = &t->visits[t->visit_count++];
    MZ__SAVE(*visit);
    *visit = (mz__visit){mz__caller.pc, state, t->read_count};
}

static void copy_value(const mz__seen *seen, uint64_t value[2])
{
    value[0] = value[1] = 0;
    memcpy(value, (const void *)seen->address, seen->size);
}

void mz__note_read(uintptr_t address, uint32_t size)
{
    mz__thread *t = mz__w.current;
    if (t->visit_count == 0 || !mz__w.in_operation)
        return;
    uint32_t count = t->pending.own_count;
    if (t->read_count + count > MZ__MOST_READS) {
        mz__made_progress();
        return;
    }
    for (uint32_t i = 0; i < count; i++) { /* several cells are one byte each */
        mz__seen *seen = &t->reads[t->read_count++];
        MZ__SAVE(*seen);
        *seen = (mz__seen){
            .address = address + i, .size = count > 1 ? 1 : size, .cell = t->pending.accesses[i].location};
        copy_value(seen, seen->value);
    }
}

void mz__note_plain_read(uintptr_t address, uint32_t size)
{
    mz__thread *t = mz__w.current;
    if (t->read_count == MZ__MOST_READS) {
        mz__made_progress();
        return;
    }
    mz__seen *seen = &t->reads[t->read_count++];
    MZ__SAVE(*seen);
    *seen = (mz__seen){.address = address, .size = size, .cell = MZ__NO_CELL};
    copy_value(seen, seen->value);
}

bool mz__has_changed(const mz__thread *t)
{
    for (uint32_t i = t->spins_from; i < t->spins_to; i++) {
        uint64_t now[2];
        copy_value(&t->reads[i], now);
        if (now[0] != t->reads[i].value[0] || now[1] != t->reads[i].value[1])
            return true;
    }
    return false;
}

/* --unroll: a thread that comes to the same operation once too often goes no further. */
void mz__count_iteration(mz__thread *t)
{
    if (mz__w.unroll == 0)
        return;
    uintptr_t pc = mz__caller.pc;
    uint32_t slot = (uint32_t)(mz_mix64(pc) % MZ__UNROLL_SLOTS);
    uint32_t tried = 0;
    for (; tried < MZ__UNROLL_SLOTS && t->iterations[slot].pc && t->iterations[slot].pc != pc; tried++)
        slot = (slot + 1) % MZ__UNROLL_SLOTS;
    if (tried < MZ__UNROLL_SLOTS) { /* else: more places than we can count, so that the bound is here */
        MZ__SAVE(t->iterations[slot]);
        t->iterations[slot].pc = pc;
        if (++t->iterations[slot].count <= mz__w.unroll)
            return;
    }
    mz__w.unrolled = true;
    mz__w.was_pruned = true;
    mz__stop(MZ__PRUNED);
}
