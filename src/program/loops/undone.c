/* Rounds in vain that write: to try a lock, to fail, and to take back what the attempt has changed; to wait
 * for something under a spin lock, and to let go of the lock again. Of such a round nothing is left, and it
 * may be cut out as one that only reads (rounds.c), if nobody has looked at what it had changed while it was
 * changed.
 *
 * So each thread has a log of what it has changed by atomic operations since its last progress. In the same
 * log it is noted, in the order in which it happens, that somebody else has accessed a cell that is changed,
 * and how much others have added to it without looking. A visit of the thread is as now, but for what it has
 * read, if by the log each cell has the value that it had then, apart from those additions, and if no cell
 * was seen while it had not.
 *
 * Why "it would close a round in vain" stays a guard of one location, as machine.h promises: let p be the
 * pending operation of thread t, on cell c, and u an operation of another thread that does not conflict with
 * p. If u accesses no cell that t has changed, or only adds to one as p does, the log tells the same with and
 * without it. If it accesses another cell that is changed as yet, then so it is after p, and p closes no
 * round that began before the change; and what is not changed cannot be seen to be so. So nothing but
 * operations that conflict with p changes whether p may happen.
 *
 * But reads do, too: who sees the change lets the thread go on. What is argued of operations that wait
 * (search/races.c, algo/optimal/) is that only writes let them go on, so that with rounds of this kind
 * waiting is complex (machine->complex_blocking, machine->wakes_by_reads): what is explored then is
 * everything that is awake, which needs no more than the promise.
 *
 * As for other rounds, places are learned where they are closed. In the first runs everything is tracked; in
 * the search only if such a place was found there. */
#include "program/loops/undone.h"
#include "base/memory.h"
#include "program/world/progress.h"

enum { MOST_CHANGED = MZ__MOST_VISITS };

void mz__track_changes(bool in_first_runs)
{
    const mz_machine *machine = &mz__w.base;
    mz__w.tracks_changes = (in_first_runs || machine->wakes_by_reads) &&
                           (machine->relation & MZ_REFINES_ROUNDS) && !machine->makes_rounds &&
                           !machine->weak;
}

/* Only those since its last progress count. */
static mz__change *add(mz__thread *t, mz__change_kind kind, uint32_t cell)
{
    t->changes = mz_grow(t->changes, &t->change_capacity, (size_t)t->change_count + 1, sizeof *t->changes);
    if (t != mz__w.current) /* whose record is saved by now */
        mz__save(&t->change_count, sizeof t->change_count);
    mz__change *change = &t->changes[t->change_count++];
    *change = (mz__change){.kind = kind, .cell = cell, .visit = t->visit_count};
    return change;
}

/* Without coming to an operation: busy, not waiting. */
static bool has_changed_much(const mz__thread *t)
{
    enum { MUCH = 256 };
    uint32_t own = 0;
    if (t->change_count < MUCH || t->changes[t->change_count - MUCH].visit != t->visit_count)
        return false;
    for (uint32_t i = t->change_count; i > 0 && own < MUCH && t->changes[i - 1].visit == t->visit_count; i--)
        own += t->changes[i - 1].kind == MZ__CHANGED_IT;
    return own == MUCH;
}

void mz__note_change(uint32_t size, const void *before, const void *after)
{
    mz__thread *t = mz__w.current;
    if (has_changed_much(t)) {
        mz__made_progress();
        return;
    }
    mz__change *change = add(t, MZ__CHANGED_IT, t->pending.accesses[0].location);
    change->address = t->pending.address;
    change->size = size;
    memcpy(change->before, before, size);
    memcpy(change->after, after, size);
}

/* Has the thread changed the cell since its last progress? */
static const mz__change *find_change(const mz__thread *t, uint32_t cell)
{
    for (uint32_t i = t->change_count; i > 0 && t->changes[i - 1].visit > t->visits_from; i--)
        if (t->changes[i - 1].kind == MZ__CHANGED_IT && t->changes[i - 1].cell == cell)
            return &t->changes[i - 1];
    return NULL;
}

void mz__show_change(const mz__thread *thread, uint32_t cell)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        mz__thread *t = &mz__w.threads[u];
        if (t != thread && t->change_count > 0 && find_change(t, cell))
            add(t, MZ__SEEN_BY_OTHERS, cell);
    }
}

void mz__show_addition(uint32_t size, uint64_t sum)
{
    const mz__pending *p = &mz__w.current->pending;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        mz__thread *t = &mz__w.threads[u];
        uint32_t cell = p->accesses[0].location;
        const mz__change *change = t != mz__w.current ? find_change(t, cell) : NULL;
        bool same = change && change->address == p->address && change->size == size;
        if (same)
            add(t, MZ__ADDED_BY_OTHERS, cell)->before[0] = sum;
        else if (change)
            add(t, MZ__SEEN_BY_OTHERS, cell);
    }
}

bool mz__has_changed_since(const mz__thread *t, uint32_t visit)
{
    for (uint32_t i = t->change_count; i > 0 && t->changes[i - 1].visit > visit; i--)
        if (t->changes[i - 1].kind == MZ__CHANGED_IT)
            return true;
    return false;
}

/* A cell that is changed, and the value that it had. */
typedef struct changed {
    uint32_t cell, size;
    uint64_t value[2];
} changed;

static void add_to(changed *c, uint64_t sum)
{
    uint64_t bits = c->size < 8 ? (UINT64_C(1) << 8 * c->size) - 1 : UINT64_MAX;
    c->value[0] = (c->value[0] + sum) & bits;
}

static uint32_t find(const changed *all, uint32_t count, uint32_t cell)
{
    uint32_t i = 0;
    while (i < count && all[i].cell != cell)
        i++;
    return i;
}

bool mz__is_undone(const mz__thread *t, uint32_t visit)
{
    changed all[MOST_CHANGED];
    uint32_t count = 0, from = t->change_count;
    while (from > 0 && t->changes[from - 1].visit > visit)
        from--;
    for (uint32_t i = from; i < t->change_count; i++) {
        const mz__change *change = &t->changes[i];
        uint32_t at = find(all, count, change->cell);
        bool is_changed = at < count;
        if (change->kind == MZ__SEEN_BY_OTHERS && is_changed)
            return false;
        if (change->kind == MZ__ADDED_BY_OTHERS && is_changed)
            add_to(&all[at], change->before[0]);
        if (change->kind != MZ__CHANGED_IT)
            continue;
        if (!is_changed && count == MOST_CHANGED)
            return false;
        if (!is_changed)
            all[count++] = (changed){change->cell, change->size, {change->before[0], change->before[1]}};
        else if (all[at].size != change->size)
            return false;
        else if (memcmp(all[at].value, change->after, sizeof change->after) == 0)
            all[at] = all[--count];
    }
    return count == 0;
}
