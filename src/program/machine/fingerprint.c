/* The fingerprint of a state, wherever its threads are: two states that have the same are followed by the
 * same, and the same is found there, whatever led to them. What follows is a function of
 *   - of each thread: where it is, what it is about to do, its record, and its two stacks. Registers that a
 *     call must preserve lie there: on the stack of the hook in which it waits, below those of the hook's own
 *     variables. So nothing has to be known of single hooks, and the same holds on every processor;
 *   - all memory that was changed since the reset: variables, heaps and their blocks, thread-local ones,
 *     synchronisation objects, records of ours. Whatever changes is on the trail first, or no step could be
 *     taken back. So what the trail has ever told is looked at, where it is not what it was at the reset: a
 *     place that was found later makes no state different that was the same before;
 *   - what happens-before still decides (order/order_state.c), for data races and who is alone;
 *   - which rounds would be in vain (loops/rounds.c): the states in which a thread was since its last
 *     progress, and what it has seen there.
 *
 * What is left out: counts of events, steps and operations, which name things; causes of the next operation,
 * which are about events of the path; where locks were taken. What was learned only ever grows, and whoever
 * learns begins again. Below its stack pointer a stack is nobody's business: what the next calls find there
 * in their frames is cleared (world/step.h).
 *
 * Registers that mean nothing any more, and corners of frames, are compared all the same: then states differ
 * without need, but are never taken for the same.
 *
 * At loop boundaries, states are compared in another way (runtime/boundary/loop_boundary.c), and under weak
 * memory what could still be read would belong to them: there are no fingerprints then. */
#include "program/machine/fingerprint.h"

#include "base/memory.h"
#include "program/loops/local_state.h"
#include "program/order/order_state.h"
#include "program/world/touched.h"
#include "program/world/world.h"

/* ---- memory that was changed ------------------------------------------------------------------------------
 */

/* A piece of memory that some step has changed. */
typedef struct piece {
    uintptr_t home;
    uint32_t size, found_in; /* in which look through the trail */
    size_t reference;        /* what was there at the reset: it stands there */
} piece;

typedef struct known_piece {
    mz_hash key;
    uint32_t number;
} known_piece;

static piece *pieces;
static size_t piece_count, piece_capacity;
static mz_map known_pieces;
static char *references;
static size_t reference_bytes, reference_capacity;
static uint32_t looks; /* through the trail */

/* How much of the trail has been looked through: itself on the trail, so that it is right after going back.
 */
static struct {
    _Alignas(16) size_t trail;
} looked_through;

static bool lies_in(uintptr_t address, const void *begin, size_t bytes)
{
    return begin && address - (uintptr_t)begin < bytes;
}

/* Of a thread's record all is told in other ways, but how often it has gone round its loops. */
static bool is_in_record(uintptr_t address)
{
    const mz__thread *threads = mz__w.threads;
    size_t at = address - (uintptr_t)threads, in_record = at % sizeof *threads;
    return lies_in(address, threads, MZ_MAX_THREADS * sizeof *threads) &&
           !(in_record >= offsetof(mz__thread, iterations) &&
             in_record < offsetof(mz__thread, iterations) + sizeof threads->iterations);
}

/* A stack, but not the thread-local variables above it. */
static bool is_in_stack(uintptr_t address)
{
    if (address - MZ__ARENA - MZ__HEAPS >= MZ__ARENA_BYTES - MZ__HEAPS)
        return false;
    return address < mz__stack_top(mz__owner_of_stack(address));
}

/* Looking back, what comes last was there first. */
static void note_piece(void *context, uintptr_t home, size_t size, const char *before)
{
    (void)context;
    bool is_new;
    if (mz__is_order_record(home)) {
        mz__note_order_record(home);
        return;
    }
    if (is_in_record(home) || is_in_stack(home) || home == (uintptr_t)&looked_through)
        return;
    known_piece *known =
        mz_map_at(&known_pieces, sizeof *known, mz_hash_add(mz_hash_start(size), home), &is_new);
    if (is_new) {
        known->number = (uint32_t)piece_count;
        pieces = mz_grow(pieces, &piece_capacity, piece_count + 1, sizeof *pieces);
        references = mz_grow(references, &reference_capacity, reference_bytes + size, 1);
        pieces[piece_count++] = (piece){home, (uint32_t)size, looks, reference_bytes};
        reference_bytes += size;
    }
    const piece *p = &pieces[known->number];
    if (p->found_in != looks)
        return;
    if (before)
        memcpy(references + p->reference, before, size);
    else
        memset(references + p->reference, 0, size);
}

static void look_through_trail(void)
{
    size_t now = mz__trail_now.used;
    looks++;
    mz__each_touched(looked_through.trail, note_piece, NULL);
    MZ__SAVE(looked_through);
    looked_through.trail = now;
}

static mz_hash hash_of_pieces(void)
{
    mz_hash all = mz_hash_start(0);
    bool blocks_apart = mz__forgets_freed_blocks(); /* below */
    for (size_t i = 0; i < piece_count; i++) {
        const piece *p = &pieces[i];
        const void *home = (const void *)p->home;
        if ((!blocks_apart || p->home - MZ__ARENA >= MZ__HEAPS) &&
            memcmp(home, references + p->reference, p->size) != 0)
            all = mz_hash_combine(all, mz_hash_add_bytes(mz_hash_start(p->home), home, p->size));
    }
    return all;
}

static mz_hash hash_of_blocks(void)
{
    mz_hash all = mz_hash_start(0);
    for (uint32_t u = 0; u < mz__w.state.thread_count && mz__forgets_freed_blocks(); u++)
        for (mz__block b = {0}; mz__heap_next(u, b.start, &b);) {
            all = mz_hash_add(mz_hash_add(all, b.start),
                              b.freed_by ? 0 : b.size << 8 | b.family << 1 | b.zeroed);
            if (!b.freed_by)
                all = mz_hash_add_bytes(mz_hash_add(all, b.allocated_by), (const void *)b.start, b.size);
        }
    return all;
}

/* ---- threads ----------------------------------------------------------------------------------------------
 */

static void add(mz_hash *hash, uint64_t value)
{
    *hash = mz_hash_add(*hash, value);
}

static void add_range(mz_hash *hash, uintptr_t begin, uintptr_t end)
{
    begin &= ~(uintptr_t)7;
    add(hash, begin);
    if (begin < end)
        *hash = mz_hash_add_bytes(*hash, (const void *)begin, end - begin);
}

/* Its own stack, with the return address of the hook that it has called; and that of its hooks. */
static void add_stacks(mz_hash *hash, const mz__thread *t)
{
    uintptr_t sp = (uintptr_t)t->sp, record = (uintptr_t)&t->sp;
    if (record - sp < MZ__HOOK_STACK_BYTES) {
        add_range(hash, sp, record);
        sp = t->entry_sp - sizeof(void *);
    }
    add_range(hash, sp, t->stack_top);
}

static void add_pending(mz_hash *hash, const mz__thread *t)
{
    const mz__pending *p = &t->pending;
    bool expects = p->guard == MZ__EQUAL || p->guard == MZ__OFFERED || p->condition == MZ__EQUAL;
    bool spins = p->guard == MZ__CHANGED || p->guard == MZ__MUTEX_CHANGED || p->guard == MZ__SECTION_CHANGED;
    add(hash, (uint64_t)p->kind << 32 | (uint64_t)p->guard << 16 | (uint64_t)p->condition << 8 |
                  (uint64_t)p->order << 4 | p->failure_order);
    add(hash, p->address);
    add(hash, (uint64_t)p->size << 32 | p->joins);
    add(hash, (uint64_t)p->shares << 3 | (uint64_t)p->gone << 2 | (uint64_t)p->frees << 1 | p->compiled);
    add(hash, (uintptr_t)p->verb);
    for (uint32_t i = 0; i < p->access_count; i++)
        add(hash, (uint64_t)p->accesses[i].location << 32 | p->accesses[i].kind);
    for (size_t i = 0; i < sizeof p->expected / sizeof *p->expected && expects; i++)
        add(hash, p->expected[i]);
    if (spins)
        add(hash, (uint64_t)(p->spins.from - t->reads_from) << 32 | (p->spins.to - t->reads_from));
    if (p->guard == MZ__NOT_IN_VAIN)
        add(hash, p->state);
}

static void add_cold(mz_hash *hash, const mz__thread *t)
{
    const mz__cold *cold = &t->cold;
    add(hash, cold->heap_used);
    add(hash, (uint64_t)cold->allocations << 32 | cold->children);
    add(hash, cold->waits_for);
    add(hash, cold->relocks ^ mz_mix64(cold->waits_with));
    add(hash, cold->random_state);
    add(hash, (uintptr_t)cold->cleanup ^ mz_mix64((uintptr_t)cold->robust));
    add(hash, (uint64_t)cold->deadline_passed);
    add(hash, (uint64_t)cold->reused << 32 | cold->chosen);
    add(hash, cold->blocked ^ mz_mix64(cold->pending ^ mz_mix64(cold->awaits)));
    add(hash, (uint64_t)cold->control.vectors << 32 | cold->control.others);
    add(hash, (uint64_t)cold->woken_by << 32 | (uint64_t)cold->cancelled << 3 |
                  (uint64_t)cold->uncancellable << 2 | (uint64_t)cold->woke_by_itself << 1 |
                  cold->heap_has_holes);
    add(hash, (uintptr_t)cold->hook_stack_now);
    for (uint32_t i = cold->first_drawn; t->section + cold->drawn_count > 0 && i < cold->drawn_count; i++)
        add(hash, (uint64_t)t->drawn[i].value ^ mz_mix64(t->drawn[i].draw));
    add(hash, cold->next_drawn - cold->first_drawn);
}

/* ---- rounds -----------------------------------------------------------------------------------------------
 */

/* An index of its visits, as seen from the first one that counts. */
static uint32_t since(uint32_t visit, uint32_t from)
{
    return visit > from ? visit - from : 0;
}

/* The visit that it is at is told by its stacks. */
static void add_visit(mz_hash *hash, const mz__thread *t, uint32_t i)
{
    mz__visit *visit = &t->visits[i];
    bool is_now =
        i + 1 == t->visit_count && visit->registers.pc == t->pc && visit->registers.sp == t->entry_sp;
    bool chooses = visit->kind == MZ_OP_CHOOSE;
    if (!is_now && !visit->hash && !chooses)
        visit->hash = mz__hash_of_state(t, visit, visit->copy);
    add(hash, is_now ? 0 : chooses ? visit->deep ^ visit->registers.pc : visit->hash);
    add(hash, since(visit->first_read, t->reads_from) << 1 | visit->simple);
}

static void add_changes(mz_hash *hash, const mz__thread *t)
{
    uint32_t from = t->change_count;
    while (from > 0 && t->changes[from - 1].visit > t->visits_from)
        from--;
    for (; from < t->change_count; from++) {
        const mz__change *c = &t->changes[from];
        add(hash, (uint64_t)c->kind << 60 | (uint64_t)since(c->visit, t->visits_from) << 32 | c->cell);
        add(hash, c->kind == MZ__CHANGED_IT ? c->size ^ mz_mix64(c->address) : 0);
        for (size_t i = 0; i < 2; i++)
            add(hash, c->before[i] ^ mz_mix64(c->after[i]));
    }
}

static void add_rounds(mz_hash *hash, const mz__thread *t)
{
    const mz__cold *cold = &t->cold;
    bool may_choose_again = cold->chosen_last == t->visits_from && cold->chosen_from < t->visits_from;
    uint32_t from = may_choose_again ? cold->chosen_from : t->visits_from;
    add(hash, (uint64_t)may_choose_again << 32 | (t->visit_count - t->visits_from));
    add(hash, (uint64_t)since(t->slept, t->visits_from) << 32 | since(t->looked_unnoted, t->visits_from));
    for (uint32_t i = from; i < t->visit_count; i++)
        add_visit(hash, t, i);
    for (uint32_t i = t->reads_from; i < t->read_count; i++) {
        const mz__seen *seen = &t->reads[i];
        add(hash, seen->address ^ mz_mix64((uint64_t)seen->size << 32 | seen->cell));
        add(hash, seen->value[0] ^ mz_mix64(seen->value[1]));
    }
    if (mz__w.tracks_changes)
        add_changes(hash, t);
}

static void add_thread(mz_hash *hash, const mz__thread *t)
{
    add(hash, (uint64_t)t->life << 3 | (uint64_t)t->detached << 2 | (uint64_t)t->returned << 1 | t->deferred);
    add(hash, t->joiner);
    add(hash, (uintptr_t)t->cold.result);
    if (t->life != MZ__ALIVE) {
        if (t->life != MZ__FINISHED && mz__w.stack_is_shared[t->number]) /* others may go on to look at it */
            add_range(hash, t->entry_sp, t->stack_top);
        return;
    }
    add(hash, t->deferred ? t->deferred_at : 0);
    add(hash, t->held);
    add(hash, (uint64_t)(uint32_t)t->errno_value << 32 | t->section << 16 | t->section_frames);
    add(hash, t->simple);
    add_stacks(hash, t);
    add_pending(hash, t);
    add_cold(hash, t);
    add_rounds(hash, t);
}

/* ---- all of it --------------------------------------------------------------------------------------------
 */

static void add_sets(mz_hash *hash)
{
    const mz__state *state = &mz__w.state;
    const mz_threads sets[] = {state->joined, state->deferred, state->status.at_boundary};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        MZ_FOR_EACH_THREAD(t, sets[i])
        {
            add(hash, t);
        }
        add(hash, MZ_MAX_THREADS);
    }
    add(hash, state->thread_count);
    add(hash, (uint64_t)state->exit_handlers << 32 | state->quick_exit_handlers);
    for (uint32_t i = 0; i < state->exit_count; i++)
        add(hash, state->exit_statuses[i]);
    add(hash, (uint64_t)state->exit_count << 2 | (uint64_t)state->aborted << 1 | state->status.ended);
}

mz_hash mz__fingerprint(const mz_machine *machine)
{
    mz_hash hash = mz_hash_start(mz__w.state.thread_count);
    if (machine->has_boundaries || machine->weak)
        return (mz_hash){0, 0};
    look_through_trail();
    mz_hash memory = mz_hash_combine(hash_of_pieces(), hash_of_blocks()), order = mz__hash_of_order();
    add_sets(&hash);
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life != MZ__UNBORN)
            add_thread(&hash, &mz__w.threads[u]);
    hash = mz_hash_add(mz_hash_add(hash, memory.low), memory.high);
    return mz_hash_add(mz_hash_add(hash, order.low), order.high);
}
