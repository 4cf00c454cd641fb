/* Rounds in vain: a stretch of one thread's operations from a local state back to the same local state, which
 * has changed nothing. Cut out of an execution, it leaves an execution that ends in the same state: a
 * shortest execution to any state has none. So only executions without such rounds need to be explored, and
 * an operation is disabled while executing it now would close one.
 *
 * That is a guard over the one location of the pending operation, whatever the round has read before: what
 * the thread does next follows from its local state and the value that is there, and where it has been since
 * its last progress does not change while it waits. For the algorithms it is an await like any other. (Plain
 * data that the thread goes on to read may change only together with that location, or there is a race, which
 * is looked for: see waits.c.)
 *
 * The checker cannot see from the code what an operation would do. A round that has been made tells where it
 * was closed: at the place of its last operation. From then on the search knows that place, and begins again.
 * At such places an operation is tried whenever its guard is asked for: run, up to the thread's next
 * operation, and taken back. What was found is kept: in this local state, with this value there, the thread
 * comes to that state. That holds in every execution, if the thread has looked at nothing else on the way but
 * what is noted.
 *
 * With the refinement `rounds` switched off, only rounds of a single operation are left out, as ever.
 *
 * Where nobody can go on, some wait at the end of a round. That is a livelock if they would make such rounds
 * for ever, while nothing changes; if one of them would come to something else (it has read two values, of
 * which one is old by now), the execution is redundant: without the round it is explored as well. */
#include "program/loops/rounds.h"
#include "base/hash.h"
#include "base/memory.h"
#include "program/loops/local_state.h"
#include "program/loops/seen.h"
#include "program/loops/undone.h"
#include "program/world/learning.h"
#include "program/world/noted_premises.h"
#include "program/world/turns.h"

/* ---- places where rounds are closed ---------------------------------------------------------------------
 */

/* Steps of searches that are done once more for the sake of what was learned about rounds. Beyond them
 * beginning again is too dear: rounds are made then, after which the thread waits (spin.c). How many traces
 * there are depends on how far the search had come by then, and so on the algorithm. */
enum { MOST_STEPS_AGAIN = 1000000, MOST_BEGINNINGS = 60 };

static bool is_closing_place(uintptr_t pc)
{
    for (uint32_t i = 0; i < mz__w.closing_count; i++)
        if (mz__w.closing[i] == pc)
            return true;
    return false;
}

/* Several operations, of which the last one closes the round. */
static bool leaves_out_rounds(void)
{
    return mz__w.base.relation & MZ_REFINES_ROUNDS;
}

/* Something new: the place, or that rounds take back what they have changed. */
static bool is_new_round(uintptr_t pc, bool undoes)
{
    return !is_closing_place(pc) || (undoes && !mz__w.base.wakes_by_reads);
}

static void add_closing_place(uintptr_t pc)
{
    if (is_closing_place(pc))
        return;
    mz__w.closing[mz__w.closing_count++] = pc;
    mz__w.closing_bits |= mz__closing_bit(pc);
}

bool mz__learn_closing(mz__thread *t, const mz__visit *then)
{
    const mz__visit *last = &t->visits[t->visit_count - 1];
    uintptr_t pc = last->registers.pc;
    bool undoes = mz__has_changed_since(t, (uint32_t)(then - t->visits));
    if (mz__w.base.makes_rounds || !last->simple || t->slept > (uint32_t)(then - t->visits) ||
        (then != last && !leaves_out_rounds()) || !is_new_round(pc, undoes) ||
        mz__w.closing_count == MZ__MOST_CLOSING || mz__w.steps_again + mz__w.total_steps > MOST_STEPS_AGAIN ||
        mz__w.restarts > MOST_BEGINNINGS)
        return false;
    add_closing_place(pc);
    if (undoes)
        mz__w.base.complex_blocking = mz__w.base.wakes_by_reads = true;
    mz__w.steps_again += mz__w.total_steps;
    mz__begin_again();
    return true;
}

void mz__guard_closing(mz__thread *t, const mz__visit *now)
{
    if (mz__w.base.makes_rounds || !now->simple || !is_closing_place(now->registers.pc))
        return;
    mz__count_varies(t);
    mz__w.loops_wait = true;
    t->pending.guard = MZ__NOT_IN_VAIN;
    t->pending.state = mz__hash_of_state(t, now, 0);
}

/* ---- steps that are known -------------------------------------------------------------------------------
 */

static size_t slot_of(uint64_t state, const uint64_t value[2])
{
    return mz_mix64(state ^ mz_mix64(value[0] + mz_mix64(value[1]))) & (mz__w.known_step_capacity - 1);
}

/* What the thread has looked at of its own is as it was then. */
static bool premises_hold(const mz__known_step *step)
{
    for (uint32_t i = step->from; i < step->from + step->count; i++)
        if (!mz__is_as_seen(&mz__w.premises[i]))
            return false;
    return true;
}

static const mz__known_step *find_step(uint64_t state, const uint64_t value[2])
{
    size_t mask = mz__w.known_step_capacity - 1;
    if (mz__w.known_step_count == 0)
        return NULL;
    for (size_t slot = slot_of(state, value); mz__w.known_steps[slot].state; slot = (slot + 1) & mask) {
        const mz__known_step *step = &mz__w.known_steps[slot];
        if (step->state == state && step->value[0] == value[0] && step->value[1] == value[1] &&
            premises_hold(step))
            return step;
    }
    return NULL;
}

static void insert_step(const mz__known_step *step)
{
    size_t slot = slot_of(step->state, step->value);
    while (mz__w.known_steps[slot].state)
        slot = (slot + 1) & (mz__w.known_step_capacity - 1);
    mz__w.known_steps[slot] = *step;
}

static void make_room_for_step(void)
{
    size_t capacity = mz__w.known_step_capacity;
    mz__known_step *old = mz__w.known_steps;
    if (2 * (mz__w.known_step_count + 1) <= capacity)
        return;
    mz__w.known_step_capacity = capacity ? 2 * capacity : 256;
    mz__w.known_steps = mz_allocate_zeroed(mz__w.known_step_capacity, sizeof *old);
    for (size_t i = 0; i < capacity; i++)
        if (old[i].state)
            insert_step(&old[i]);
    mz_release(old);
}

/* What is noted holds for every step from this local state with this value. So what the thread has done must
 * follow from these alone, and from what it has read of its own: with other values in those it may do
 * something else. If it has looked at more, at its part of the heap, say, nothing is noted. */
static bool follows_from_state(const mz__thread *t, const mz__visit *visit)
{
    for (uint32_t i = visit->first_read + 1; i < t->read_count; i++)
        if (t->reads[i].cell != MZ__OWN_CELL)
            return false;
    return t->looked_unnoted <= (uint32_t)(visit - t->visits) && t->slept <= (uint32_t)(visit - t->visits);
}

/* So many steps are known from one local state with one value, for different premises. A thread that looks at
 * something else of its own each time is not worth more, and all of them are looked through. */
enum { MOST_STEPS_KNOWN = 1 << 20, MOST_OF_A_KIND = 8 };

static bool are_enough(uint64_t state, const uint64_t value[2])
{
    uint32_t found = 0;
    if (mz__w.known_step_count == 0)
        return false;
    for (size_t slot = slot_of(state, value); mz__w.known_steps[slot].state && found < MOST_OF_A_KIND;
         slot = (slot + 1) & (mz__w.known_step_capacity - 1)) {
        const mz__known_step *step = &mz__w.known_steps[slot];
        found += step->state == state && step->value[0] == value[0] && step->value[1] == value[1];
    }
    return found == MOST_OF_A_KIND;
}

static void note_step(const mz__thread *t, const mz__visit *visit, const uint64_t value[2], uint64_t next)
{
    uint32_t first = visit->first_read + 1;
    uint32_t premises = t->read_count > first ? t->read_count - first : 0;
    size_t from = mz__w.premise_count;
    if (mz__w.known_step_count >= MOST_STEPS_KNOWN || !follows_from_state(t, visit) ||
        are_enough(visit->hash, value))
        return;
    make_room_for_step();
    mz__w.premises =
        mz_grow(mz__w.premises, &mz__w.premise_capacity, from + premises, sizeof *mz__w.premises);
    for (uint32_t i = 0; i < premises; i++)
        mz__w.premises[from + i] = t->reads[first + i];
    mz__w.premise_count += premises;
    insert_step(&(mz__known_step){visit->hash, {value[0], value[1]}, next, (uint32_t)from, premises});
    mz__w.known_step_count++;
}

/* ---- trying ---------------------------------------------------------------------------------------------
 */

/* Whoever has slept since then is later. */
static bool may_lead_back_to(const mz__thread *t, uint32_t visit)
{
    return visit >= t->slept && (visit + 1 == mz__w.trial.begun_at || leaves_out_rounds());
}

void mz__arrive_in_trial(mz__thread *t, const mz__visit *now)
{
    mz__trial *trial = &mz__w.trial;
    trial->arrived = t->visits_from < trial->begun_at;
    for (uint32_t i = t->visit_count; i-- > t->visits_from && !trial->came_back;)
        trial->came_back =
            may_lead_back_to(t, i) && mz__is_same_state(t, &t->visits[i], now) && mz__is_undone(t, i);
    trial->next = trial->arrived ? mz__hash_of_state(t, now, 0) : 0;
}

void mz__begin_trial(const mz__thread *t, mz__before_trial *before)
{
    static mz_operation executed;
    static mz_access accesses[MZ__MOST_ACCESSES];
    *before = (mz__before_trial){
        .mark = {mz__trail_now.used, mz__w.state},
        .woken = mz__w.woken_count,
        .choices = mz__w.choices,
        .executed = mz__w.executed,
        .into = mz__w.executed_into,
        .in_operation = mz__w.in_operation,
    };
    executed = (mz_operation){.access_count = t->pending.access_count, .accesses = accesses};
    mz__w.executed = &executed;
    mz__w.executed_into = accesses;
    mz__w.choices = NULL; /* who comes to one makes progress */
    mz__w.trying = true;
    mz__w.trial = (mz__trial){.runs = true, .begun_at = t->visit_count, .reads_from = t->read_count};
}

void mz__run_in_trial(mz__thread *t)
{
    mz__trail_now.serial++;
    mz__w.trial.came_back = mz__w.trial.arrived = false;
    mz__run_fiber(t);
}

void mz__end_trial(const mz__before_trial *b)
{
    mz__w.trying = mz__w.trial.runs = false;
    mz__trail_rewind(b->mark.trail);
    mz__w.state = b->mark.state;
    mz__w.woken_count = b->woken;
    mz__w.choices = b->choices;
    mz__w.executed = b->executed;
    mz__w.executed_into = b->into;
    mz__w.in_operation = b->in_operation;
}

/* Whether it closes a round depends on what its thread has changed before. (And a step that changes
 * something, of its own perhaps, behind an operation that only reads, is noted neither.) */
static bool may_undo(const mz__pending *p)
{
    return mz__w.tracks_changes && (p->accesses[0].kind & MZ_WRITE);
}

/* Who fails on the way, or finds a race, is to do so. */
static bool closes(mz__thread *t, const uint64_t value[2])
{
    uint32_t visit = t->visit_count - 1, changes = t->change_count; /* the list may move while it grows */
    mz__trial *trial = &mz__w.trial;
    t->visits[visit].hash = t->pending.state;
    mz__before_trial before;
    mz__begin_trial(t, &before);
    mz__run_in_trial(t);
    bool goes_on = t->life == MZ__ALIVE && !trial->races;
    bool changes_nothing = !may_undo(&t->pending) && t->change_count == changes;
    if (goes_on && t->pending.size > 0 && changes_nothing)
        note_step(t, &t->visits[visit], value, trial->arrived ? trial->next : 0);
    trial->reads_to = t->read_count;
    for (uint32_t i = trial->reads_from; i < trial->reads_to; i++)
        trial->looks |= t->reads[i].cell == MZ__NO_CELL || t->reads[i].cell == MZ__WRITTEN_CELL;
    mz__end_trial(&before);
    return goes_on && trial->came_back;
}

bool mz__trial_looks(void)
{
    return mz__w.trial.looks;
}

/* Since its last progress the thread was in this state. */
static bool has_been_in(mz__thread *t, uint64_t state)
{
    if (state == t->pending.state)
        return true;
    if (!leaves_out_rounds())
        return false;
    for (uint32_t i = t->visits_from > t->slept ? t->visits_from : t->slept; i + 1 < t->visit_count; i++) {
        mz__visit *visit = &t->visits[i];
        if (!visit->hash && (visit->copy || visit->deep))
            visit->hash = mz__hash_of_state(t, visit, visit->copy);
        if (visit->hash == state && mz__is_undone(t, i))
            return true;
    }
    return false;
}

bool mz__is_not_in_vain(mz__thread *t)
{
    const mz__pending *p = &t->pending;
    uint64_t value[2] = {0, 0};
    const mz__known_step *known = NULL;
    mz__w.trial.looks = false;
    if (p->size > 0 && mz__is_there(p->address, p->size, false)) {
        memcpy(value, (const void *)p->address, p->size);
        known = may_undo(p) ? NULL : find_step(p->state, value);
    }
    bool in_vain = known ? known->next && has_been_in(t, known->next) : closes(t, value);
    if (in_vain && t->visits_from + 1 < t->visit_count)
        mz__w.base.refined |= MZ_REFINES_ROUNDS & mz__w.base.relation;
    return !in_vain;
}
