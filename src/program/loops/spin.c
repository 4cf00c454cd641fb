/* A spinning thread: at the same place of the program as before, with the same registers and the same stack,
 * and nothing written since. If what it has read since then is still the same, it will do the same again, for
 * ever: its operation waits until one of the values has changed.
 *
 * Most often such a round is not even made: rounds.c. What is left here is what cannot be guarded by the
 * value of one location: rounds that end with a lock, with an atomic section, and those that would make the
 * search begin again too often.
 *
 * Polling under a mutex (lock, look, unlock, again) is such a loop as well: locking and unlocking cancel out
 * (what a thread holds is part of its local state), the plain data it looks at are noted, and the lock waits
 * until one of them has changed. Others change them under the same mutex, or there is a race: so for the
 * algorithms it is an operation that waits for the mutex alone.
 *
 * An atomic section that leaves everything as it was is a read of all it has touched.
 *
 * Of a loop over several locations one round, begun at any time, stays possible here, because others may
 * write between its reads; only rounds after it wait. For the algorithms that is a guard over several
 * locations, for which they fall back to what needs no argument (machine->complex_blocking). */
#include "program/loops/spin.h"
#include "base/hash.h"
#include "base/memory.h"
#include "program/loops/local_state.h"
#include "program/loops/rounds.h"
#include "program/loops/seen.h"
#include "program/loops/undone.h"
#include "program/order/held.h"
#include "program/world/learning.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/world.h"

static void add_read_access(mz__pending *p, uint32_t cell)
{
    if (cell >= MZ__WRITTEN_CELL)
        return; /* plain data: it changes under the mutex, and that is there; its own: nobody changes it */
    for (uint32_t i = 0; i < p->access_count; i++)
        if (p->accesses[i].location == cell)
            return;
    p->accesses[p->access_count++] = (mz_access){cell, MZ_READ};
}

/* Has the round read the same place twice, and two different values? Then the next one begins with what this
 * one has seen last, and does not do the same again: there is nothing to wait for, and what else the round
 * has read is nobody's business. (That what it has read is another value by now is no reason: it may have
 * become so by what is independent of its last operation.) */
static bool has_seen_change(const mz__thread *t, uint32_t from)
{
    for (uint32_t i = from; i < t->read_count; i++)
        for (uint32_t k = from; k < i; k++) {
            const mz__seen *a = &t->reads[i], *b = &t->reads[k];
            if (a->address == b->address && a->cell == b->cell && a->size == b->size &&
                (a->value[0] != b->value[0] || a->value[1] != b->value[1]))
                return true;
        }
    return false;
}

/* All or none. */
static bool add_accesses_of_round(mz__thread *t, const mz__visit *visit)
{
    mz__pending *p = &t->pending;
    uint32_t before = p->access_count;
    bool possible = true;
    for (uint32_t i = visit->first_read; i < t->read_count && possible; i++) {
        /* A mutex that the round gives away, so that others can go on, and holds here? */
        possible = p->access_count < MZ__MOST_ACCESSES &&
                   !(t->reads[i].size == 0 && mz__held_since(t, (const void *)t->reads[i].address));
        if (possible)
            add_read_access(p, t->reads[i].cell);
    }
    if (!possible)
        p->access_count = before;
    return possible;
}

/* Wait for a change of what was read since the visit. False if that is more than we can express. */
static bool wait_for_change(mz__thread *t, const mz__visit *visit)
{
    mz__pending *p = &t->pending;
    if (p->guard == MZ__NOT_IN_VAIN) /* the round was closed elsewhere */
        p->guard = MZ__FREE;
    bool locks = p->guard == MZ__MUTEX_FREE, section = p->guard == MZ__SECTION;
    if (p->guard != MZ__FREE && !locks && !section)
        return false;
    /* Sections that look at nothing do so for ever. Simple ones do not even note the mutex. */
    if (visit->first_read == t->read_count && !section && !t->simple)
        return false;
    if (has_seen_change(t, visit->first_read))
        return false;
    if (!add_accesses_of_round(t, visit))
        return false;
    if ((p->access_count > 1 || section) && !mz__w.base.complex_blocking) {
        mz__w.base.complex_blocking = true;
        mz__learned();
    }
    p->guard = locks ? MZ__MUTEX_CHANGED : section ? MZ__SECTION_CHANGED : MZ__CHANGED;
    if (locks)
        p->kind = MZ_OP_AWAIT; /* it waits for more than the mutex */
    p->spins.from = visit->first_read;
    p->spins.to = t->read_count;
    return true;
}

/* ---- spinning reads -------------------------------------------------------------------------------------
 */

/* Of what the thread is about to do, where, and with what in the registers that compilers use most. */
static inline uint64_t place_bit(const mz__thread *t)
{
    const uintptr_t *registers = mz__caller.preserved;
    uintptr_t sum = mz__caller.pc + t->pending.address + registers[0] + registers[1] + registers[2];
    return UINT64_C(1) << (sum * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* Back at this visit, and nothing has happened; unless the round has read, without a note of it, a word of
 * its stack that turned out to be no local state only afterwards. Then the search begins again, knowing of
 * that word from the start. */
static void wait_after_round(mz__thread *t, const mz__visit *then)
{
    mz__count_varies(t);
    mz__w.loops_wait = true;
    if (MZ_UNLIKELY(mz__w.has_new_foreign_words))
        mz__learned();
    else if (!mz__learn_closing(t, then) && !mz__has_changed_since(t, (uint32_t)(then - t->visits)))
        wait_for_change(t, then);
}

/* Forget the older visits, but not what it waits for. */
static void forget_visits(mz__thread *t)
{
    mz__guard guard = t->pending.guard;
    bool waits = guard == MZ__CHANGED || guard == MZ__MUTEX_CHANGED || guard == MZ__SECTION_CHANGED;
    t->visits_from = t->visit_count;
    t->visit_places = 0;
    t->reads_from = waits ? t->pending.spins.from : t->read_count;
}

static __attribute__((noinline)) void make_room_for_visit(mz__thread *t)
{
    t->visits = mz_grow(t->visits, &t->visit_capacity, (size_t)t->visit_count + 1, sizeof *t->visits);
}

/* There is, perhaps, something known of this place, or it was visited before. */
static __attribute__((noinline)) void look_back(mz__thread *t, const mz__visit *now)
{
    mz__guard_closing(t, now);
    for (uint32_t i = t->visit_count; i-- > t->visits_from;) { /* the last round counts */
        if (mz__is_same_state(t, &t->visits[i], now) && mz__is_undone(t, i)) {
            wait_after_round(t, &t->visits[i]);
            return;
        }
    }
}

/* Most often it comes to a place for the first time since it has made progress. */
bool mz__look_for_spinning(mz__thread *t)
{
    mz__settle_write(t);
    if (MZ_UNLIKELY(t->visit_count == t->visit_capacity))
        make_room_for_visit(t);
    mz__visit *now = &t->visits[t->visit_count];
    uint64_t bit = place_bit(t);
    mz__note_state(t, now);
    now->simple = t->pending.guard == MZ__FREE && t->pending.access_count == 1;
    if (MZ_UNLIKELY(mz__w.trial.runs))
        mz__arrive_in_trial(t, now);
    else if ((t->visit_places & bit) || (mz__w.closing_bits & mz__closing_bit(mz__caller.pc)))
        look_back(t, now);
    if (MZ_UNLIKELY(t->visit_count - t->visits_from == MZ__MOST_VISITS) && !mz__w.trial.runs)
        forget_visits(t);
    now->first_read = t->read_count;
    t->visit_count++;
    t->visit_places |= bit;
    return true;
}

/* ---- rounds of choices that spin --------------------------------------------------------------------------
 *
 * A thread that is about to choose, in a local state in which it has chosen before, and has written nothing
 * since: the round between the two spins. Leave the round out, and what is left is an execution that
 * comes to the same state: the round has only read, so nobody misses it. Whatever the thread could choose
 * now, it could choose the first time, and that is explored. So the round is not followed any further. It is
 * no spinning: another choice may end the loop, so that nobody waits, and no livelock is told.
 *
 * To choose is progress for the rounds that wait (above). That there was no other progress since the last
 * choice is seen from visits_from, which is then as the choice has left it. */

static void forget_choices_before_progress(const mz__thread *t, mz__cold *cold)
{
    if (t->visits_from != cold->chosen_last || t->visit_count - cold->chosen_from > MZ__MOST_VISITS)
        cold->chosen_from = t->visit_count;
}

static void note_choice(mz__thread *t, mz__visit *now)
{
    *now = (mz__visit){.kind = MZ_OP_CHOOSE, .held = t->held, .first_read = t->read_count};
    mz__note_whole_state(t, now);
}

static bool has_chosen_here(const mz__thread *t, const mz__visit *now)
{
    for (uint32_t i = t->cold.chosen_from; i < t->visit_count; i++)
        if (mz__is_same_state(t, &t->visits[i], now))
            return true;
    return false;
}

bool mz__chose_spinning(void)
{
    mz__thread *t = mz__w.current;
    mz__cold *cold = mz__cold_of(t);
    if (!mz__saves_whole_stack(t, mz__caller.sp - sizeof(void *)))
        return false; /* too much to compare */
    mz__settle_write(t);
    if (t->visit_count == t->visit_capacity)
        make_room_for_visit(t);
    mz__visit *now = &t->visits[t->visit_count];
    forget_choices_before_progress(t, cold);
    note_choice(t, now);
    bool spins = has_chosen_here(t, now);
    mz__made_progress();
    cold->chosen_last = t->visit_count++;
    return spins;
}

/* Whether a write finds its own value there is not observed: by observation it is progress in any case, or
 * executions that are the same would differ in what is followed. */
static void forget_choices(mz__thread *t)
{
    mz__cold_of(t)->chosen_last = UINT32_MAX;
}

static inline void add_read(mz__thread *t, uintptr_t address, uint32_t size, uint32_t cell)
{
    t->reads = mz_grow(t->reads, &t->read_capacity, t->read_count + 1, sizeof *t->reads);
    mz__seen *seen = &t->reads[t->read_count++];
    seen->address = address;
    seen->size = size;
    seen->cell = cell;
    mz__copy_value(seen, seen->value);
}

static __attribute__((noinline)) void note_reads(mz__thread *t, uintptr_t address, uint32_t size)
{
    uint32_t count = t->pending.own_count;
    if (t->read_count - t->reads_from + count > MZ__MOST_READS) {
        mz__made_progress();
        return;
    }
    add_read(t, address, count > 1 ? 1 : size, t->pending.accesses[0].location);
    for (uint32_t i = 1; i < count; i++) /* several cells are one byte each */
        add_read(t, address + i, 1, t->pending.accesses[i].location);
}

/* Of what is its own, which is no event: nothing to wait for. */
static __attribute__((noinline)) void note_own_read(mz__thread *t, uintptr_t address, uint32_t size)
{
    if (t->read_count - t->reads_from == MZ__MOST_READS)
        mz__looked_unnoted();
    else
        add_read(t, address, size, MZ__OWN_CELL);
}

void mz__note_read(uintptr_t address, uint32_t size)
{
    mz__thread *t = mz__w.current;
    uint32_t count = t->read_count;
    if (!mz__may_be_spinning(t))
        return;
    if (!mz__w.in_operation) {
        note_own_read(t, address, size);
        return;
    }
    bool usual = t->pending.own_count == 1 && count < t->read_capacity && (size == 4 || size == 8) &&
                 count - t->reads_from < MZ__MOST_READS;
    if (!usual) {
        note_reads(t, address, size);
        return;
    }
    uint64_t value = size == 4 ? *(const volatile uint32_t *)address : *(const volatile uint64_t *)address;
    t->reads[count] = (mz__seen){address, size, t->pending.accesses[0].location, {value, 0}};
    t->read_count = count + 1;
}

void mz__has_written_same(uintptr_t address, uint32_t size)
{
    if (mz__w.base.by_observation)
        forget_choices(mz__w.current);
    mz__note_read(address, size);
}

void mz__note_plain_read(uintptr_t address, uint32_t size)
{
    mz__thread *t = mz__w.current;
    if (t->read_count - t->reads_from == MZ__MOST_READS)
        mz__made_progress();
    else
        add_read(t, address, size, MZ__NO_CELL);
}

/* A plain write tells nothing of the value. So what was there is noted as read, and looked at before the next
 * such write, and before anybody else gets a turn: if it is the same then, nothing has changed. Who waits in
 * such a loop goes on writing it: waits.c. */
void mz__settle_write(mz__thread *t)
{
    if (t->unsettled == 0)
        return;
    const mz__seen *before = &t->reads[t->unsettled - 1];
    t->unsettled = 0;
    if (!mz__is_as_seen(before))
        mz__made_progress();
}

void mz__note_plain_write(uintptr_t address, uint32_t size, uint32_t cell)
{
    mz__thread *t = mz__w.current;
    mz__settle_write(t);
    if (!mz__may_be_spinning(t) || mz__w.base.weak || t->read_count - t->reads_from == MZ__MOST_READS) {
        mz__made_progress();
        return;
    }
    if (mz__w.base.by_observation)
        forget_choices(t);
    add_read(t, address, size, cell);
    t->unsettled = t->read_count;
}

void mz__note_before_section(uintptr_t address, uint32_t size, const uint32_t *cells, uint32_t count)
{
    mz__thread *t = mz__w.current;
    if (!mz__may_be_spinning(t))
        return;
    if (t->read_count - t->reads_from + count > MZ__MOST_READS) {
        mz__made_progress();
        return;
    }
    for (uint32_t i = 0; i < count; i++) /* several cells are one byte each */
        add_read(t, address + i, count > 1 ? 1 : size, cells[i]);
}

static bool has_changed(const mz__thread *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (!mz__is_as_seen(&t->reads[i]))
            return true;
    return false;
}

bool mz__has_changed(const mz__thread *t)
{
    return has_changed(t, t->pending.spins.from, t->pending.spins.to);
}

/* All that a section touches was noted as it was before; nobody else has written meanwhile. So it has changed
 * nothing exactly if all of that is the same now. (A value that was there for a while counts as a change.) */
void mz__look_for_progress(mz__thread *t)
{
    if (mz__may_be_spinning(t) && has_changed(t, t->visits[t->visit_count - 1].first_read, t->read_count))
        mz__made_progress();
    else if (mz__w.base.by_observation)
        forget_choices(t);
}
