/* An operation that waits is no event, but whoever is about to perform it looks at what it waits for. Others
 * may change that by plain accesses, which are no events either: then nothing conflicts, and no other order
 * is ever tried. With x = 1 (plain) beside while (atomic_load(&x) == 1); the loop may have ended before the
 * write, and afterwards it never does. So the look is entered as what it is, an atomic read at the thread's
 * present time: a plain write that nothing orders before or after it is a race.
 *
 * None is missed. Let a be a plain write that races with an operation b, which could happen before a, but not
 * after it: the search may run a first, and then b never. It is found waiting then, at the same time of its
 * thread's clock as it would have happened (between announcing an operation and performing it a thread does
 * nothing), and unordered with a: a race. If b waits already, and a comes later, a is looked at when it
 * happens, and finds the read of b.
 *
 * None is invented. A loop that waits does read what it waits for, again and again, while this thread waits
 * here (spin.c leaves that out because nothing comes of it). A lock, a semaphore looks at its object before
 * it sleeps. An atomic section that cannot go through has read what it has read up to there: that is how it
 * knows. What such a read may have acquired first counts: a section, all it touches; a loop, what its round
 * has read. What it writes plainly there, it writes again and again as well. Of a round that takes a lock
 * only what lies before that is known to be read unlocked.
 *
 * Where races are no errors, the word becomes one whose plain accesses are events (race_reports.c), and both
 * orders are explored.
 *
 * An operation begins to wait once, and is looked at then: its thread's clock stays as it is until it has
 * happened, and an entry stays until a later access that is ordered after it covers it.
 *
 * Who waits for a condition variable has no operation before it is signalled. From then on it wants its
 * mutex, and looks at it: after the signal, hence after all that the signalling thread did before. */
#include "program/runtime/waits.h"
#include "base/memory.h"
#include "program/loops/rounds.h"
#include "program/order/happens_before.h"
#include "program/runtime/guards.h"
#include "program/world/world.h"

typedef struct bytes {
    uintptr_t address;
    size_t size;
} bytes;

static bytes *tried; /* what the section that was tried last has read */
static size_t tried_count, tried_capacity;

void mz__forget_tried_reads(void)
{
    tried_count = 0;
}

void mz__note_tried_read(uintptr_t address, size_t size)
{
    for (size_t i = 0; i < tried_count; i++)
        if (tried[i].address == address && tried[i].size == size)
            return;
    tried = mz_grow(tried, &tried_capacity, tried_count + 1, sizeof *tried);
    tried[tried_count++] = (bytes){address, size};
}

static void look_at_tried(const mz__thread *t)
{
    uint32_t cells[MZ__MOST_ACCESSES];
    for (size_t i = 0; i < tried_count; i++)
        for (size_t done = 0; done < tried[i].size; done += 8) {
            size_t part = tried[i].size - done < 8 ? tried[i].size - done : 8;
            uint32_t count = mz__cells_of(tried[i].address + done, part, false, cells);
            for (uint32_t k = 0; k < count; k++)
                mz__acquire(cells[k]);
        }
    for (size_t i = 0; i < tried_count; i++)
        mz__access(tried[i].address, tried[i].size, false, true, t->pc);
}

/* The operation itself, which would read or write, and with it the round that it begins. */
static void look_at_data(const mz__thread *t)
{
    const mz__pending *p = &t->pending;
    bool writes = (p->accesses[0].kind & MZ_WRITE) && (p->condition == MZ__FREE || mz__condition_holds(p, t));
    mz__access(p->address, p->size, writes, true, t->pc);
}

static void look_at_reads(const mz__thread *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (t->reads[i].cell < MZ__WRITTEN_CELL)
            mz__acquire(t->reads[i].cell);
    for (uint32_t i = from; i < to; i++) {
        const mz__seen *seen = &t->reads[i];
        bool atomic = seen->cell < MZ__WRITTEN_CELL, writes = seen->cell == MZ__WRITTEN_CELL;
        if (seen->cell != MZ__OWN_CELL)
            mz__access(seen->address, seen->size, writes, atomic, t->pc);
    }
}

static void look_at_round(const mz__thread *t)
{
    uint32_t from = t->pending.spins.from, to = from;
    while (to < t->pending.spins.to && t->reads[to].size > 0)
        to++;
    look_at_reads(t, from, to);
}

/* What the thread would read if it closed its round now. A race with what was there before has been looked
 * for by trying. */
static void look_at_trial(const mz__thread *t)
{
    look_at_reads(t, mz__w.trial.reads_from, mz__w.trial.reads_to);
}

/* What it acquires is taken back: it has not happened. */
static void look_and_forget(mz__thread *t, void (*look_at)(const mz__thread *))
{
    mz__clock clock = t->clock;
    bool knows_others = t->knows_others;
    look_at(t);
    t->clock = clock;
    t->knows_others = knows_others;
}

static void look(mz__thread *t)
{
    switch (t->pending.guard) {
    case MZ__SECTION:
    case MZ__SECTION_CHANGED:
        look_and_forget(t, look_at_tried);
        break;
    case MZ__NOT_IN_VAIN:
        if (t->pending.size > 0)
            look_at_data(t);
        if (mz__trial_looks())
            look_and_forget(t, look_at_trial);
        break;
    case MZ__CHANGED:
        look_at_data(t);
        look_and_forget(t, look_at_round);
        break;
    case MZ__MUTEX_FREE:
    case MZ__MUTEX_CHANGED:
    case MZ__SPIN_FREE:
    case MZ__POSITIVE:
    case MZ__SEMAPHORE_OR_CANCEL:
    case MZ__READABLE:
    case MZ__WRITABLE:
    case MZ__ONCE_SETTLED:
    case MZ__ONCE_NEW:
        mz__access(t->pending.address, MZ__OBJECT_SIZE, false, true, t->pc);
        break;
    default: /* what it waits for is no memory of the program */
        break;
    }
}

/* Only atomic operations have touched what it waits for: there is nothing to race with. */
static inline bool is_settled(const mz__pending *p)
{
    return !(p->guard == MZ__NOT_IN_VAIN && mz__trial_looks()) && p->access_count == 1 && p->own_count == 1 &&
           mz__w.cells[p->accesses[0].location].settled;
}

static void look_for(mz__thread *t)
{
    mz__registers caller = mz__caller;
    mz__thread *current = mz__w.current;
    mz__w.current = t;
    mz__w.looks_ahead = true;
    mz__caller.pc = t->pc;
    mz__caller.sp = t->entry_sp;
    mz__caller.preserved[MZ__FRAME_POINTER] = t->frame_pointer;
    look(t);
    mz__caller = caller;
    mz__w.looks_ahead = false;
    mz__w.current = current;
}

void mz__begins_to_wait(mz__thread *t)
{
    if (!is_settled(&t->pending))
        look_for(t);
}

/* The order is taken back: for the thread itself nothing has happened yet. */
void mz__begins_to_wait_after(mz__thread *t, const mz__thread *signalling)
{
    if (is_settled(&t->pending) || mz__guard_holds(&t->pending, t))
        return;
    mz__clock clock = t->clock;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (t->clock.of[u] < signalling->clock.of[u])
            t->clock.of[u] = signalling->clock.of[u];
    look_for(t);
    t->clock = clock;
}
