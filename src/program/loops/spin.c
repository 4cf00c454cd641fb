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
 * An atomic section that leaves everything as it was is a read of all it has touched.
 *
 * A loop over several locations is different: between its reads others may write, so that one round, begun at
 * any time, must stay possible; only rounds after it wait. For the algorithms that is a guard over several
 * locations, for which they fall back to what needs no argument (machine->complex_blocking). */
#include "program/loops/spin.h"
#include "base/hash.h"
#include "base/memory.h"
#include "program/order/held.h"
#include "program/world/learning.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/world.h"

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

/* Some words of it are variables that others touch. They are no local state: when those write to them says
 * nothing of the order of events, and what the thread reads of them is noted as what it reads elsewhere. */
static __attribute__((noinline)) uint64_t hash_without_foreign(uint32_t thread, uintptr_t word, uintptr_t top)
{
    local_hash h = {{word}};
    for (; word < top; word += sizeof(uint64_t))
        add_word(&h, 0, mz__is_foreign_word(thread, word) ? 0 : *(const uint64_t *)word);
    return mz_mix64(h.lanes[0]) | 1;
}

static uint64_t hash_of_stack(const mz__thread *t, const uint64_t *word, const uint64_t *top)
{
    if (MZ_UNLIKELY(mz__w.foreign_words[t->number]))
        return hash_without_foreign(t->number, (uintptr_t)word, (uintptr_t)top);
    local_hash h = {{(uintptr_t)word, UINT64_C(0xa0761d6478bd642f), UINT64_C(0x94d049bb133111eb),
                     UINT64_C(0xd6e8feb86659fd93)}};
    for (; top - word >= 4; word += 4)
        for (size_t lane = 0; lane < 4; lane++)
            add_word(&h, lane, word[lane]);
    for (; word < top; word++)
        add_word(&h, 0, *word);
    uint64_t all = 0;
    for (size_t lane = 0; lane < 4; lane++)
        all = mz_mix64(all ^ h.lanes[lane]) + lane;
    return all | 1;
}

static inline uintptr_t stack_now(void)
{
    return mz__caller.sp & ~(uintptr_t)7;
}

/* Of a deep stack only the lower part is looked at: what lies above stays as it is until the thread returns
 * to it, which its hooks notice. */
static __attribute__((noinline)) uint64_t hash_of_lower_stack(mz__thread *t)
{
    uintptr_t begin = stack_now(), top = begin + mz__window();
    t->hashed_to = top < t->stack_top ? top : UINTPTR_MAX;
    return hash_of_stack(t, (const uint64_t *)begin,
                         (const uint64_t *)(top < t->stack_top ? top : t->stack_top));
}

/* A stack that is not deep is saved when the thread goes on, as a whole: there is its copy, for the visits to
 * come. (If others have written to it meanwhile, it is what the thread went on with that counts.) */
static inline void note_state(mz__thread *t, mz__visit *visit)
{
    visit->deep = visit->copy = 0;
    t->hashed_to = UINTPTR_MAX;
    if (MZ_UNLIKELY(!mz__saves_whole_stack(t, mz__caller.sp - sizeof(void *))))
        visit->deep = hash_of_lower_stack(t);
    visit->address = t->pending.address;
    visit->kind = t->pending.kind;
    visit->held = t->held;
    visit->errno_value = *mz__w.errno_now;
    /* Last: the hook has stored them one by one, just now, and reading two at once would wait for that. */
    visit->registers = mz__caller;
}

/* The stack is as in the copy that stands so far from home. */
static bool is_same_stack(const mz__thread *t, uintptr_t copy)
{
    uintptr_t begin = stack_now();
    if (memcmp((const void *)(begin + copy), (const void *)begin, t->stack_top - begin) == 0)
        return true;
    if (!mz__w.foreign_words[t->number])
        return false;
    for (uintptr_t word = begin; word < t->stack_top; word += sizeof(uint64_t))
        if (*(const uint64_t *)(word + copy) != *(const uint64_t *)word &&
            !mz__is_foreign_word(t->number, word))
            return false;
    return true;
}

/* At the same place, with the same registers and the same stack as now. */
static bool is_same_state(const mz__thread *t, const mz__visit *then, const mz__visit *now)
{
    if (then->registers.pc != now->registers.pc || then->registers.sp != now->registers.sp ||
        then->held != now->held || then->errno_value != now->errno_value || then->address != now->address ||
        then->kind != now->kind || then->deep != now->deep ||
        memcmp(&then->registers, &now->registers, sizeof now->registers) != 0)
        return false;
    return now->deep || (then->copy && is_same_stack(t, then->copy));
}

static uint64_t hash_of_state(const mz__thread *t, const mz__visit *visit)
{
    /* Of what it has elsewhere: what it could ask for without a trace. */
    mz__control control = mz__w.control_used ? mz__control_now() : (mz__control){0};
    uint64_t elsewhere =
        mz_mix64(mz_mix64((uint64_t)control.vectors << 32 | control.others) << 1 | t->cold.uncancellable);
    uint64_t hash = elsewhere ^ visit->held ^ visit->deep ^ mz_mix64(visit->address + visit->kind) ^
                    mz_mix64((uint32_t)visit->errno_value);
    for (size_t i = 0; i < sizeof visit->registers.preserved / sizeof *visit->registers.preserved; i++)
        hash = mz_mix64(hash + visit->registers.preserved[i]);
    if (!visit->deep)
        hash += hash_of_stack(t, (const uint64_t *)stack_now(), (const uint64_t *)t->stack_top);
    return mz_mix64(hash ^ visit->registers.sp);
}

static void add_read_access(mz__pending *p, uint32_t cell)
{
    if (cell >= MZ__OWN_CELL)
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

/* Wait for a change of what was read since the visit. False if that is more than we can express. */
static bool wait_for_change(mz__thread *t, const mz__visit *visit)
{
    mz__pending *p = &t->pending;
    bool locks = p->guard == MZ__MUTEX_FREE, section = p->guard == MZ__SECTION;
    if (p->guard != MZ__FREE && !locks && !section)
        return false;
    if (visit->first_read == t->read_count && !section) /* sections that look at nothing do so for ever */
        return false;
    if (has_seen_change(t, visit->first_read))
        return false;
    for (uint32_t i = visit->first_read; i < t->read_count; i++) {
        if (p->access_count == MZ__MOST_ACCESSES)
            return false;
        if (t->reads[i].size == 0 && mz__held_since(t, (const void *)t->reads[i].address))
            return false; /* the round gives it away, so that others can go on, and holds it here */
        add_read_access(p, t->reads[i].cell);
    }
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

static mz__spin_reads *spin_reads_at(uintptr_t pc, uint64_t state)
{
    size_t slot = mz_mix64(state ^ pc) % MZ__SPIN_SLOTS;
    while (mz__w.spin_reads[slot].pc &&
           (mz__w.spin_reads[slot].pc != pc || mz__w.spin_reads[slot].state != state))
        slot = (slot + 1) % MZ__SPIN_SLOTS;
    return &mz__w.spin_reads[slot];
}

static inline void copy_value(const mz__seen *seen, uint64_t value[2])
{
    const volatile void *address = (const volatile void *)seen->address;
    value[1] = 0;
    switch (seen->size) { /* a call of memcpy would take longer */
    case 1:
        value[0] = *(const volatile uint8_t *)address;
        break;
    case 4:
        value[0] = *(const volatile uint32_t *)address;
        break;
    case 8:
        value[0] = *(const volatile uint64_t *)address;
        break;
    default:
        value[0] = 0;
        memcpy(value, (const void *)seen->address, seen->size);
    }
}

static bool is_as_seen(const mz__seen *seen)
{
    uint64_t now[2];
    copy_value(seen, now);
    return now[0] == seen->value[0] && now[1] == seen->value[1];
}

/* What the round has looked at of its own is as it was then. */
static bool premises_hold(const struct mz__spin_value *v)
{
    for (uint32_t i = v->from; i < v->from + v->count; i++)
        if (!is_as_seen(&mz__w.spin_premises[i]))
            return false;
    return true;
}

static bool spins_with(const mz__spin_reads *known, const uint64_t value[2])
{
    for (uint32_t i = 0; i < known->count; i++) {
        const struct mz__spin_value *v = &known->values[i];
        if (v->value[0] == value[0] && v->value[1] == value[1] && premises_hold(v))
            return true;
    }
    return false;
}

bool mz__ends_spinning(const mz__pending *p)
{
    uint64_t value[2] = {0, 0};
    memcpy(value, (const void *)p->address, p->size);
    return !spins_with(p->spin_reads, value);
}

/* Steps of searches that are done once more for the sake of what was learned about spinning reads. Beyond
 * them beginning again is too dear: it saves work to know of such reads, but nothing is wrong without. Then
 * each spinning round is an event, which makes one trace two: with or without it. How many traces there are
 * depends on how far the search had come by then, and so on the algorithm. */
enum { MOST_STEPS_AGAIN = 1000000, MOST_BEGINNINGS = 60 };

/* The thread is back where it was, after one read of what it is about to read again, and perhaps of some that
 * are its own. */
static void learn_spin_read(const mz__thread *t, const mz__visit *visit, uint64_t state)
{
    const mz__seen *seen = &t->reads[visit->first_read];
    uint32_t premises = t->read_count - visit->first_read - 1, from = mz__w.spin_premise_count;
    mz__spin_reads *known = spin_reads_at(mz__caller.pc, state);
    if (mz__w.steps_again + mz__w.total_steps > MOST_STEPS_AGAIN || mz__w.restarts > MOST_BEGINNINGS ||
        mz__w.spin_reads_count >= MZ__SPIN_SLOTS / 2 || known->count == MZ__MOST_SPIN_VALUES ||
        from + premises > MZ__SPIN_SLOTS || spins_with(known, seen->value))
        return;
    mz__w.spin_reads_count += known->count == 0;
    mz__w.spin_places |= place_bit(t);
    known->pc = mz__caller.pc;
    known->state = state;
    for (uint32_t i = 0; i < premises; i++)
        mz__w.spin_premises[from + i] = seen[1 + i];
    mz__w.spin_premise_count += premises;
    known->values[known->count++] = (struct mz__spin_value){{seen->value[0], seen->value[1]}, from, premises};
    mz__w.steps_again += mz__w.total_steps;
    mz__begin_again();
}

/* What is learned holds for every round that begins in this local state with this value, in any execution,
 * also for the first one. So what the round has done must follow from these alone, and from what is noted:
 * the locations of its own that it has read, or has found to hold what it wrote there. With other values in
 * those it may do something else, or change them. If it has looked at more, at its part of the heap, say,
 * nothing is learned. (Such a round spins all the same if it has just been run and nothing came of it,
 * since nobody else changes what it has looked at: that the thread waits from then on is right.) */
static bool follows_from_state(const mz__thread *t, const mz__visit *visit)
{
    for (uint32_t i = visit->first_read + 1; i < t->read_count; i++)
        if (t->reads[i].cell != MZ__OWN_CELL)
            return false;
    return t->looked_unnoted <= (uint32_t)(visit - t->visits);
}

static bool is_single_read(const mz__thread *t, const mz__visit *visit)
{
    const mz__pending *p = &t->pending;
    const mz__seen *first = &t->reads[visit->first_read];
    return p->size > 0 && p->own_count == 1 && t->read_count > visit->first_read &&
           first->cell != MZ__OWN_CELL && first->address == p->address && first->size == p->size &&
           follows_from_state(t, visit);
}

/* If some values are known to lead back here, it waits for another one. */
static void wait_for_better(mz__thread *t, uint64_t state)
{
    const mz__spin_reads *known = spin_reads_at(mz__caller.pc, state);
    if (known->count > 0 && t->pending.guard == MZ__FREE && t->pending.size > 0) {
        mz__count_varies(t);
        t->pending.guard = MZ__NOT_SPINNING;
        t->pending.spin_reads = known;
    }
}

/* Back at this visit, and nothing has happened; unless the round has read, without a note of it, a word of
 * its stack that turned out to be no local state only afterwards. Then the search begins again, knowing of
 * that word from the start. */
static void wait_after_round(mz__thread *t, const mz__visit *then, const mz__visit *now)
{
    mz__count_varies(t);
    mz__w.loops_wait = true;
    if (MZ_UNLIKELY(mz__w.has_new_foreign_words))
        mz__learned();
    else if (is_single_read(t, then))
        learn_spin_read(t, then, hash_of_state(t, now));
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
    if (mz__w.spin_places & place_bit(t))
        wait_for_better(t, hash_of_state(t, now));
    for (uint32_t i = t->visit_count; i-- > t->visits_from;) { /* the last round counts */
        if (is_same_state(t, &t->visits[i], now)) {
            wait_after_round(t, &t->visits[i], now);
            return;
        }
    }
}

/* Most often it comes to a place for the first time since it has made progress. */
bool mz__look_for_spinning(mz__thread *t)
{
    if (MZ_UNLIKELY(t->visit_count == t->visit_capacity))
        make_room_for_visit(t);
    mz__visit *now = &t->visits[t->visit_count];
    uint64_t bit = place_bit(t);
    note_state(t, now);
    if ((mz__w.spin_places | t->visit_places) & bit)
        look_back(t, now);
    if (MZ_UNLIKELY(t->visit_count - t->visits_from == MZ__MOST_VISITS))
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
    now->errno_value = *mz__w.errno_now;
    now->registers = mz__caller;
    now->deep = hash_of_stack(t, (const uint64_t *)stack_now(), (const uint64_t *)t->stack_top);
}

static bool has_chosen_here(const mz__thread *t, const mz__visit *now)
{
    for (uint32_t i = t->cold.chosen_from; i < t->visit_count; i++)
        if (is_same_state(t, &t->visits[i], now))
            return true;
    return false;
}

bool mz__chose_spinning(void)
{
    mz__thread *t = mz__w.current;
    mz__cold *cold = mz__cold_of(t);
    if (!mz__saves_whole_stack(t, mz__caller.sp - sizeof(void *)))
        return false; /* too much to compare */
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
    copy_value(seen, seen->value);
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
        if (!is_as_seen(&t->reads[i]))
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
