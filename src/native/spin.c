/* A spinning thread: at the same place of the program as before, with the same registers and the same stack, and
 * nothing written since. If what it has read since then is still the same, it will do the same again, for ever:
 * its operation waits until one of the values has changed. With one location that is a guard like that of a
 * lock; with several, the algorithms fall back to what needs no argument (machine->complex_blocking). */
#include "base/hash.h"
#include "native/schedule.h"

/* The multiplications do not wait for each other. */
static inline uint64_t add_word(uint64_t h, uint64_t word)
{
    uint64_t mixed = word * UINT64_C(0xbf58476d1ce4e5b9);
    return ((h << 9) | (h >> 55)) ^ mixed ^ (mixed >> 32);
}

static uint64_t hash_of_local_state(const mz__thread *t)
{
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof mz__caller.preserved / sizeof *mz__caller.preserved; i++)
        h = add_word(h, mz__caller.preserved[i]);
    const uint64_t *word = (const uint64_t *)(mz__caller.sp & ~(uintptr_t)7);
    for (const uint64_t *top = (const uint64_t *)t->stack_top; word < top; word++)
        h = add_word(h, *word);
    return mz_mix64(h);
}

static void add_read_access(mz__pending *p, uint32_t cell)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if (p->accesses[i].location == cell)
            return;
    p->accesses[p->access_count++] = (mz_access){cell, MZ_READ};
}

/* Wait for a change of what was read since the visit. False if that is more than we can express. */
static bool wait_for_change(mz__thread *t, const mz__visit *visit)
{
    mz__pending *p = &t->pending;
    if (visit->first_read == t->read_count || p->guard != MZ__FREE)
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
    p->guard = MZ__CHANGED;
    t->spins_from = visit->first_read;
    return true;
}

void mz__look_for_spinning(mz__thread *t)
{
    uint64_t state = hash_of_local_state(t);
    for (uint32_t i = 0; i < t->visit_count; i++)
        if (t->visits[i].pc == mz__caller.pc && t->visits[i].state == state) {
            if (wait_for_change(t, &t->visits[i]))
                return;
            break;
        }
    if (t->visit_count == MZ__MOST_VISITS)
        t->visit_count = t->read_count = 0;
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
        *seen = (mz__seen){.address = address + i, .size = count > 1 ? 1 : size, .cell = t->pending.accesses[i].location};
        copy_value(seen, seen->value);
    }
}

bool mz__has_changed(const mz__thread *t)
{
    for (uint32_t i = t->spins_from; i < t->read_count; i++) {
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
    while (t->iterations[slot].pc && t->iterations[slot].pc != pc)
        slot = (slot + 1) % MZ__UNROLL_SLOTS;
    MZ__SAVE(t->iterations[slot]);
    t->iterations[slot].pc = pc;
    if (++t->iterations[slot].count <= mz__w.unroll)
        return;
    mz__w.unrolled = true;
    mz__w.was_pruned = true;
    mz__stop(MZ__PRUNED);
}
