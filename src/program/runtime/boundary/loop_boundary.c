/* mz_loop_boundary(): search/loop_closing.c says what boundaries are for, and why
 * executions can be closed there. Here is what the machine promises: two states with the same fingerprint are
 * followed by the same.
 *
 * At a boundary nobody runs. What happens next is a function of
 *   - the memory of the program: its variables, the blocks on its heap that are not freed, thread-local
 * variables, and of the stack of each thread what is in use, with synchronisation objects, which live in
 * there;
 *   - of each thread where it is, its registers, and what it waits for. A thread at a boundary, or in one of
 * the calls that say so (mz__pending.resumable), waits in a hook whose own variables do not matter: all it
 * goes on with is in its record. For any other way to wait (a loop that spins, a wait with a time limit) no
 * such thing is known, and the search ends with that as the reason;
 *   - our records of what else the program has done: keys, handlers for its end, random numbers, clocks,
 * names of semaphores. All of that is on the trail as soon as it changes, and whatever is on the trail and of
 * no kind that is known here is taken as it is, byte by byte.
 *
 * All addresses are the same in every execution, and so can be compared: those of variables and stacks are
 * fixed, and a block's depends on what its thread has allocated. Within a segment nothing is used twice. At a
 * boundary the room of blocks that were freed is given back (blocks.c), and from then on taken again, the
 * lowest first: so addresses depend on the blocks that are there at the boundary, not on how many there have
 * been.
 *
 * What is left out, and why that is right:
 *   - happens-before clocks, shadow words, what locations have published: opening a boundary orders all that
 * was done before, by anybody, before all that anybody does after it, so that no access after it races with
 * one before;
 *   - counts of events, steps, allocations, the visits and reads of spin.c (a boundary is progress), the
 * locks that a thread holds (none, at a boundary; elsewhere the locks themselves say who holds them; the
 * order in which they were taken matters to warnings only), what hooks have left on their stacks;
 *   - what was learned about the program: it only ever grows, and whoever learns begins again;
 *   - what the program asked to be left out: that it does not matter is an assumption of the verdict.
 * A register or a part of a frame that is not in use any more is compared all the same: states may differ
 * without need, but are never taken for the same. */

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/order/memory_errors.h"
#include "program/runtime/boundary/coming_back.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/guards.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/symbols/symbols.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/touched.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- waiting --------------------------------------------------------------------------------------------
 */

void mz__keep_caller(void)
{
    mz__thread *t = mz__w.current;
    MZ__SAVE(t->waits_at);
    t->waits_at = mz__caller;
}

/* What anybody does from now on comes after all that anybody has done: also for those who wait elsewhere. */
static void order_all(void)
{
    uint32_t me = mz__me();
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (u != me && mz__w.threads[u].life != MZ__UNBORN)
            mz__order_threads(u, me);
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (u != me && mz__w.threads[u].life == MZ__ALIVE)
            mz__order_threads(me, u);
}

/* Names of operations and choices are those of the iteration (wire/plan_format.h). */
static void note_length(const mz__thread *t, uint32_t plain_accesses)
{
    for (uint32_t accesses = 0; accesses < 2; accesses++) {
        uint32_t *longest = &mz__w.longest_iteration[accesses][t->number];
        uint32_t length = t->operations + (accesses ? plain_accesses : 0);
        *longest = length > *longest ? length : *longest;
    }
}

static void begin_iteration(mz__thread *t)
{
    note_length(t, mz__local.accesses);
    t->operations = mz__local.accesses = 0; /* saved whenever the thread runs */
    mz__cold_of(t)->chosen = 0;
}

/* It is not in the iteration that begins: nothing of it happens there, and so it has done nothing. */
static void stay_outside(mz__thread *t)
{
    if (t == mz__w.current)
        return;
    note_length(t, t->accesses);
    mz__change_thread(t);
    t->operations = t->accesses = 0;
}

bool mz__sleeps(const mz__thread *t)
{
    const mz__pending *p = &t->pending;
    return t->life == MZ__ALIVE && p->guard == MZ__WOKEN && p->address != 0 &&
           p->address == t->cold.waits_for && strcmp(p->verb, "pthread_cond_wait") == 0;
}

/* When it goes on, that is a part of the iteration in which it is signalled: to take its mutex again is the
 * first thing that it does there. */
static void begin_asleep(mz__thread *t)
{
    mz__w.boundary_members |= mz_threads_of(t->number);
    note_length(t, t->accesses);
    mz__change_thread(t);
    t->operations = 1;
    t->accesses = 0;
    mz__cold_of(t)->chosen = 0;
}

/* By a thread that may be one of those that stay. */
static void open_boundary(void)
{
    mz__note_counts();
    mz_threads there = mz__w.state.status.at_boundary, staying = mz__who_stays_outside(there);
    mz_threads others = there & ~staying & ~mz_threads_of(mz__me());
    mz__w.state.status.at_boundary = staying; /* saved with the step */
    mz__w.state.status.boundary = false;
    order_all();
    MZ_FOR_EACH_THREAD(u, others)
    {
        mz__thread *t = &mz__w.threads[u];
        mz__change_thread(t);
        mz__inherit_causes(t, mz__w.current);
        mz__wake(u);
    }
    MZ_FOR_EACH_THREAD(u, staying)
    {
        stay_outside(&mz__w.threads[u]);
    }
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        if (mz__sleeps(&mz__w.threads[u]))
            begin_asleep(&mz__w.threads[u]);
        mz__heap_tidy(u);
    }
    MZ__SAVE(mz__w.inputs_read); /* each once in an iteration */
    mz__w.inputs_read = 0;
}

void mz__check_boundary_caller(const char *verb)
{
    const mz__thread *t = mz__w.current;
    mz__not_in_simple_section();
    if (t->section > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "%s() is called in an atomic section", verb);
    if (t->held_last)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "%s() is called by thread %u, which holds a lock", verb,
                 t->number);
}

static void wait_at_boundary(mz__thread *t, const char *verb)
{
    mz__pending *p = mz__prepare(t, MZ_OP_BOUNDARY, verb);
    p->address = 0;
    p->resumable = true;
    mz__w.state.status.at_boundary |= mz_threads_of(t->number); /* saved with the step */
    mz__wait();
}

/* Who opens the boundary and stays outside waits for the next one. */
void mz__pass_boundary(const char *verb)
{
    mz__thread *t = mz__w.current;
    mz__keep_caller();
    mz__check_boundary_caller(verb);
    if (!mz__w.base.has_boundaries) {
        mz__w.base.has_boundaries = true;
        mz__learned();
    }
    mz__w.boundary_members |= mz_threads_of(t->number);
    mz__is_noticed(t);
    mz__made_progress();
    bool stays = true;
    while (stays) {
        wait_at_boundary(mz__w.current, verb);
        if (mz_threads_has(mz__w.state.status.at_boundary, mz__me()))
            open_boundary();
        stays = mz_threads_has(mz__w.state.status.at_boundary, mz__me());
        begin_iteration(mz__w.current);
    }
    mz__made_progress();
}

MZ__HOOK(void, mz_loop_boundary, void)
{
    mz__pass_boundary("mz_loop_boundary");
}

/* The runtime knows of those who wait for a condition variable, or for the end of a thread (safe/runtime/
 * runtime_boundary.c). */
static void look_at_waits(void)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        const mz__thread *t = &mz__w.threads[u];
        const mz__pending *p = &t->pending;
        bool is_known = p->kind == MZ_OP_BOUNDARY || p->kind == MZ_OP_JOIN || t->cold.waits_for == p->address;
        if (t->life != MZ__ALIVE ||
            (p->guard == MZ__WOKEN && is_known && strcmp(p->verb, "pthread_barrier_wait") != 0))
            continue;
        mz__w.waits_elsewhere = true;
        mz__w.waits_elsewhere_at = t->pc;
    }
}

/* Some threads are in a deadlock. The others could go round for ever without them: it is not to be
 * overlooked. */
static bool has_deadlock(void)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life == MZ__ALIVE && mz__will_never_go_on(&mz__w.threads[u]))
            return true;
    return false;
}

/* The lowest one: which it is must not depend on who came first. */
void mz__offer_boundary(void)
{
    mz_status *status = &mz__w.state.status;
    if (status->ended || mz_threads_any(status->failed | status->pruned) || has_deadlock())
        return;
    look_at_waits();
    uint32_t opener = mz_threads_first(mz__w.state.status.at_boundary);
    mz__thread *t = &mz__w.threads[opener];
    mz__change_thread(t);
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (u != opener && mz__w.threads[u].life != MZ__UNBORN)
            mz__inherit_causes(t, &mz__w.threads[u]);
    mz__w.state.guarded &= ~mz_threads_of(opener);
    status->blocked &= ~mz_threads_of(opener);
    status->ready |= mz_threads_of(opener);
    status->boundary = true;
}

/* ---- states ---------------------------------------------------------------------------------------------
 *
 * A state is a list of pieces, each some memory, or a number that we know. */

typedef struct piece {
    uintptr_t address; /* of memory */
    size_t size, at;   /* it was copied to here; */
    const char *what;  /* or NULL, and what it is called, */
    uint32_t thread;   /* of which thread, */
    uint64_t value;    /* and the number */
} piece;

typedef struct state {
    mz_hash hash;
    bool keep;
    piece *pieces;
    size_t count, capacity;
    char *bytes;
    size_t used, byte_capacity;
} state;

static state states[2]; /* the last one that was kept, and the one before */

static piece *keep_piece(state *s, piece p)
{
    s->pieces = mz_grow(s->pieces, &s->capacity, s->count + 1, sizeof *s->pieces);
    s->bytes = mz_grow(s->bytes, &s->byte_capacity, s->used + p.size + 1, 1);
    p.at = s->used;
    s->used += p.size;
    s->pieces[s->count] = p;
    return &s->pieces[s->count++];
}

static void add_bytes(state *s, uintptr_t begin, uintptr_t end)
{
    s->hash = mz_hash_add(s->hash, begin);
    s->hash = mz_hash_add_bytes(s->hash, (const void *)begin, end - begin);
    if (s->keep) {
        const piece *p = keep_piece(s, (piece){.address = begin, .size = end - begin});
        memcpy(s->bytes + p->at, (const void *)begin, p->size);
    }
}

/* Memory of the program, but for what it wants to be left out. */
static void add_memory(state *s, uintptr_t begin, uintptr_t end)
{
    while (begin < end) {
        uintptr_t stop = end, next = end;
        for (uint32_t i = 0; i < mz__w.ignored_count.now; i++) {
            uintptr_t from = mz__w.ignored[i].begin, to = mz__w.ignored[i].end;
            if (to > begin && from < stop) {
                stop = from > begin ? from : begin;
                next = to < end ? to : end;
            }
        }
        if (stop > begin)
            add_bytes(s, begin, stop);
        begin = next;
    }
}

static void add_number(state *s, const char *what, uint32_t thread, uint64_t value)
{
    s->hash = mz_hash_add(s->hash, value);
    if (s->keep)
        keep_piece(s, (piece){.what = what, .thread = thread, .value = value});
}

static void add_heaps(state *s)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        for (mz__block b = {0}; mz__heap_next(u, b.start, &b);)
            if (!b.freed_by) {
                add_memory(s, b.start, b.start + b.size);
                s->hash = mz_hash_add(s->hash, b.size << 8 | b.family);
            }
}

static void add_stack(state *s, const mz__thread *t)
{
    add_memory(s, t->stack_top, t->stack_top + mz__w.memory.tls_bytes);
    add_memory(s, t->waits_at.sp, t->stack_top);
    add_number(s, "where it is", t->number, t->waits_at.pc);
    for (size_t i = 0; i < sizeof t->waits_at.preserved / sizeof *t->waits_at.preserved; i++)
        add_number(s, "a register", t->number, t->waits_at.preserved[i]);
}

static void add_thread(state *s, const mz__thread *t)
{
    const mz__cold *cold = &t->cold;
    uint32_t number = t->number;
    add_number(s, "whether it has ended", number, t->life);
    add_number(s, "whether it is detached", number, t->detached);
    add_number(s, "who joins it", number, t->joiner);
    add_number(s, "its result", number, (uintptr_t)cold->result);
    add_number(s, "how many threads it has created", number, cold->children);
    if (t->life != MZ__ALIVE)
        return;
    const mz__pending *p = &t->pending;
    add_stack(s, t);
    add_number(s, "what it waits for", number, p->address ^ mz_mix64(p->joins));
    add_number(s, "how it waits", number, (uint64_t)p->kind << 32 | (uint64_t)p->guard);
    add_number(s, "what it waits for", number, cold->waits_for);
    add_number(s, "what it waits with", number, cold->relocks ^ mz_mix64(cold->waits_with));
    add_number(s, "errno", number, (uint64_t)(int64_t)t->errno_value);
    add_number(s, "its random numbers", number, cold->random_state);
    add_number(s, "its cleanup handlers", number,
               (uintptr_t)cold->cleanup ^ mz_mix64((uintptr_t)cold->robust));
    add_number(s, "whether it is outside", number, cold->outside);
    add_number(s, "its cancellation", number,
               (uint64_t)cold->cancelled | (uint64_t)cold->uncancellable << 1 |
                   (uint64_t)cold->woke_by_itself << 2);
}

/* ---- our records of what else has changed ----------------------------------------------------------------
 */

typedef struct record {
    uintptr_t address;
    size_t size;
} record;

static record *records; /* those that have been on the trail, ever: by address */
static size_t record_count, record_capacity;
/* How much of the trail has been looked through: itself on the trail, so that it is right after going back.
 */
static struct {
    _Alignas(16) size_t trail;
} looked_through;

static bool lies_in(uintptr_t address, const void *begin, size_t bytes)
{
    return begin && address - (uintptr_t)begin < bytes;
}

static bool is_known_otherwise(uintptr_t address)
{
    const mz__memory *m = &mz__w.memory;
    size_t image = m->image_end - m->image;
    return address == (uintptr_t)&looked_through || lies_in(address, (const void *)m->image, image) ||
           lies_in(address, (const void *)MZ__ARENA, MZ__ARENA_BYTES) ||
           lies_in(address, m->arena_shadow, MZ__ARENA_BYTES / 8 * sizeof(mz__shadow)) ||
           lies_in(address, m->image_shadow, (image / 8 + 1) * sizeof(mz__shadow)) ||
           lies_in(address, m->heap_valid, MZ__HEAPS / 8) ||
           lies_in(address, m->heap_written, MZ__HEAPS / 8) ||
           lies_in(address, mz__w.chain, (size_t)MZ__MOST_CHAINED * sizeof(mz__shadow)) ||
           lies_in(address, mz__w.published, 2 * (size_t)MZ__MOST_CELLS * sizeof(mz__published)) ||
           lies_in(address, mz__w.threads, MZ_MAX_THREADS * sizeof *mz__w.threads);
}

static void note_record(void *context, uintptr_t address, size_t size, const char *before)
{
    (void)context;
    (void)before;
    if (is_known_otherwise(address))
        return;
    size_t i = 0;
    while (i < record_count && records[i].address < address)
        i++;
    if (i < record_count && records[i].address == address) {
        if (records[i].size < size)
            records[i].size = size;
        return;
    }
    records = mz_grow(records, &record_capacity, record_count + 1, sizeof *records);
    memmove(records + i + 1, records + i, (record_count++ - i) * sizeof *records);
    records[i] = (record){address, size};
}

static void look_through_trail(void)
{
    size_t now = mz__trail_now.used;
    mz__each_touched(looked_through.trail, note_record, NULL);
    MZ__SAVE(looked_through);
    looked_through.trail = now;
}

/* A record that was noted later makes states different that were the same before: no harm. */
static void add_records(state *s)
{
    look_through_trail();
    for (size_t i = 0; i < record_count; i++)
        add_bytes(s, records[i].address, records[i].address + records[i].size);
    add_number(s, "the number of its threads", 0, mz__w.state.thread_count);
    MZ_FOR_EACH_THREAD(t, mz__w.state.joined)
    {
        add_number(s, "the threads that were joined", t, t);
    }
    add_number(s, "the functions to be called at the end", 0,
               (uint64_t)mz__w.state.exit_handlers << 32 | mz__w.state.quick_exit_handlers);
}

/* ---- fingerprints -----------------------------------------------------------------------------------------
 */

static bool can_be_compared(const mz__thread *t, mz_text *problem)
{
    if (t->life != MZ__ALIVE)
        return true;
    bool in_callback = t->cold.hook_stack_now != (const char *)&t->sp;
    bool spins = t->pending.guard == MZ__MUTEX_CHANGED; /* what it has read is not compared */
    if (t->pending.resumable && !spins && !in_callback)
        return true;
    mz_text_add(problem, "at a loop boundary thread %u waits in %s", t->number, t->pending.verb);
    mz__add_place(problem, "", t->pc);
    mz_text_add(problem, in_callback ? ", called back by a library" : "");
    mz_text_add(problem, ": such states cannot be compared");
    return false;
}

bool mz__boundary_state(mz_machine *machine, bool keep, mz_hash *fingerprint, mz_text *problem)
{
    (void)machine;
    if (mz__w.report_uninitialised) {
        mz_text_add(
            problem,
            "what was written is not compared at loop boundaries: leave uninitialised out of --check");
        return false;
    }
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (!can_be_compared(&mz__w.threads[u], problem))
            return false;
    if (keep) {
        state before = states[0];
        states[0] = states[1];
        states[1] = before;
    }
    state *s = &states[0];
    s->hash = mz_hash_start(record_count);
    s->keep = keep;
    if (keep)
        s->count = s->used = 0;
    add_memory(s, mz__w.memory.image, mz__w.memory.image_end);
    add_heaps(s);
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life != MZ__UNBORN)
            add_thread(s, &mz__w.threads[u]);
    add_records(s);
    *fingerprint = s->hash;
    return true;
}

/* ---- how a state differs from the one before --------------------------------------------------------------
 */

static const piece *same_piece(const state *s, const piece *p, size_t near)
{
    for (size_t i = 0; i < s->count; i++) { /* most often it is at the same place */
        const piece *q = &s->pieces[(near + i) % s->count];
        if (q->address == p->address && q->size == p->size && q->what == p->what && q->thread == p->thread)
            return q;
    }
    return NULL;
}

/* A scalar that contains the byte, if that is known: its values before and after. */
static void describe_byte(uintptr_t address, const piece *p, const char *before, const char *after,
                          mz_text *out)
{
    for (size_t size = 8; size > 0; size /= 2) {
        uintptr_t begin = address & ~(uintptr_t)(size - 1);
        mz_text name = {0};
        mz_value_type kind = {0};
        if (begin >= p->address && begin + size <= p->address + p->size)
            mz__name_data(begin, size, &name, &kind);
        if (kind.kind != MZ_VALUE_UNKNOWN) {
            mz_text_add(out, "%s: ", mz_text_string(&name));
            mz__add_value(before + (begin - p->address), (uint32_t)size, kind, out);
            mz_text_add(out, " → ");
            mz__add_value(after + (begin - p->address), (uint32_t)size, kind, out);
        }
        mz_text_release(&name);
        if (kind.kind != MZ_VALUE_UNKNOWN)
            return;
    }
    mz_value_type ignored;
    if (mz__shadow_of(address))
        mz__name_data(address, 1, out, &ignored);
    else
        mz_text_add(out, "what is no variable: a clock, random numbers, a key, a file");
}

static bool describe_piece(const piece *was, const piece *now, mz_text *out)
{
    const char *before = was ? states[1].bytes + was->at : NULL, *after = states[0].bytes + now->at;
    if (was && now->what && was->value != now->value) {
        mz_text_add(out, "%s of thread %u", now->what, now->thread);
        return true;
    }
    if (was && memcmp(before, after, now->size) != 0) {
        size_t at = 0;
        while (before[at] == after[at])
            at++;
        describe_byte(now->address + at, now, before, after, out);
        return true;
    }
    mz__block block;
    if (!was && !now->what && mz__heap_find(now->address, &block)) {
        mz_value_type kind;
        mz_text_add(out, "a new block: ");
        mz__name_data(now->address, 1, out, &kind);
        return true;
    }
    return false;
}

void mz__describe_growth(mz_machine *machine, mz_text *out)
{
    (void)machine;
    enum { MOST = 3 };
    int told = 0;
    for (size_t i = 0; i < states[0].count && told < MOST; i++) {
        mz_text one = {0};
        const piece *now = &states[0].pieces[i];
        if (describe_piece(same_piece(&states[1], now, i), now, &one)) {
            mz_text_add(out, "%s%s", told > 0 ? ", " : "", mz_text_string(&one));
            told++;
        }
        mz_text_release(&one);
    }
    if (told == 0)
        mz_text_add(out, "blocks that were freed");
}
