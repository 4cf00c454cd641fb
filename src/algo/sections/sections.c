#include "algo/sections/sections.h"

#include <string.h>

#include "base/memory.h"

enum { LONGEST_SECTION = MZ_MOST_LETTERS };

void mz_section_begin(mz_section *c, const mz_search *s, mz_threads threads, bool short_section)
{
    c->start = (uint32_t)s->execution->length;
    c->closed = false;
    c->short_section = short_section;
    c->threads = threads;
    c->ended = MZ_NO_THREADS;
    c->count = c->pair_count = 0;
    c->rank_count = 0;
    c->visited = 0;
    c->passed_over = false;
}

void mz_section_visit(mz_section *c, mz_search *s)
{
    c->visited++;
    s->statistics.constraint_systems++;
}

void mz_section_leave(mz_section *c, mz_search *s)
{
    if (c->closed && c->pair_count > 0 && !c->passed_over && !s->stop) {
        c->system.solutions = c->visited;
        uint64_t avoided = mz_constraints_avoided(&c->system), *sum = &s->statistics.unsatisfiable_avoided;
        *sum = avoided > UINT64_MAX - *sum ? UINT64_MAX : *sum + avoided; /* saturates visibly */
    }
    c->closed = false;
}

void mz_section_release(mz_section *c)
{
    mz_release(c->members);
    mz_release(c->saved);
    mz_release(c->pairs);
    mz_constraints_release(&c->system);
}

/* In the first word each thread is in one piece: when its turn is over, it is over. */
uint32_t mz_section_next(mz_section *c, mz_threads ready)
{
    if (c->count == LONGEST_SECTION)
        return MZ_NONE;
    if (c->count > 0 && !mz_threads_has(ready, c->last_thread))
        c->ended |= mz_threads_of(c->last_thread);
    mz_threads able = c->threads & ready & ~c->ended;
    if (c->count > 0 && mz_threads_has(able, c->last_thread))
        return c->last_thread;
    return mz_threads_any(able) ? mz_threads_first(able) : MZ_NONE;
}

/* ---- may it be a member? --------------------------------------------------------------------------- */

typedef struct admission {
    mz_section *c;
    mz_execution *x;
    const mz_event *event; /* the candidate, */
    mz_member member;      /* and what it would be */
    size_t first_pair;     /* its conflicts are the pairs from here on */
    mz_threads ended;      /* threads that have come to their end with it */
} admission;

/* The candidate and an earlier member touch the same location, and one of them writes it. */
static void note_conflict(admission *a, uint32_t position, bool it_writes, bool candidate_reads)
{
    mz_section *c = a->c;
    uint32_t earlier = position - c->start;
    const mz_member *m = &c->members[earlier];
    a->x->dependency_checks++;
    if (m->thread == a->member.thread) {
        a->member.varies |= it_writes && candidate_reads && m->varies;
        return;
    }
    a->member.varies |= it_writes && candidate_reads;
    c->pairs = mz_grow(c->pairs, &c->pair_capacity, c->pair_count + 1, sizeof *c->pairs);
    c->pairs[c->pair_count++] = (mz_constraint){earlier, (uint32_t)c->count};
}

static void visit_reads(admission *a, uint32_t record)
{
    const mz_execution *x = a->x;
    for (; record != MZ_NONE && x->records[record].event >= a->c->start;
         record = x->records[record].previous_read)
        note_conflict(a, x->records[record].event, false, false);
}

/* Everything in the section that conflicts with this access of the candidate. */
static void visit_access(admission *a, const mz_access_record *access)
{
    const mz_execution *x = a->x;
    bool reads = access->access.kind & MZ_READ, writes = access->access.kind & MZ_WRITE;
    if (writes)
        visit_reads(a, access->previous_read);
    for (uint32_t record = access->previous_write;
         record != MZ_NONE && x->records[record].event >= a->c->start;
         record = x->records[record].previous_write) {
        if (mz_kinds_conflict(access->access.kind, x->records[record].access.kind))
            note_conflict(a, x->records[record].event, true, reads);
        if (writes)
            visit_reads(a, x->records[record].previous_read);
    }
}

static bool thread_has_other(const mz_section *c, uint32_t thread, uint32_t member, bool behind)
{
    for (size_t other = behind ? member + 1 : 0; other < c->count; other++)
        if (other != member && c->members[other].thread == thread && (behind || c->members[other].depends))
            return true;
    return false;
}

/* The member varies from now on, and so do those of its thread that read what it has written. False if one of
 * them must not. */
static bool let_vary(admission *a, uint32_t member)
{
    mz_section *c = a->c;
    mz_member *m = &c->members[member];
    if (m->varies)
        return true;
    m->varies = true;
    if (m->sensitive || (m->steers && thread_has_other(c, m->thread, member, true)))
        return false;
    if (m->steers)
        a->ended |= mz_threads_of(m->thread);
    const mz_event *events = a->x->events + c->start;
    for (uint32_t later = member + 1; later < c->count; later++)
        if (c->members[later].thread == m->thread && !c->members[later].varies &&
            mz_writes_what_it_reads(a->x, &events[member], &events[later]) && !let_vary(a, later))
            return false;
    return true;
}

/* Can the members that the candidate conflicts with stay? */
static bool others_agree(admission *a)
{
    mz_section *c = a->c;
    for (size_t i = a->first_pair; i < c->pair_count; i++) {
        uint32_t member = c->pairs[i].first;
        mz_member *m = &c->members[member];
        if (m->exclusive || (c->short_section && thread_has_other(c, m->thread, member, false)))
            return false;
        m->depends = true;
        if (mz_writes_what_it_reads(a->x, a->event, &a->x->events[c->start + member]) && !let_vary(a, member))
            return false;
    }
    return !c->short_section || !thread_has_other(c, a->member.thread, (uint32_t)c->count, false);
}

static bool agree_or_restore(admission *a)
{
    mz_section *c = a->c;
    if (a->first_pair == c->pair_count)
        return true;
    c->saved = mz_grow(c->saved, &c->saved_capacity, c->count, sizeof *c->saved);
    memcpy(c->saved, c->members, c->count * sizeof *c->saved);
    if (!a->member.exclusive && others_agree(a))
        return true;
    memcpy(c->members, c->saved, c->count * sizeof *c->saved);
    return false;
}

static bool has_cause_inside(const admission *a)
{
    for (uint32_t i = 0; i < a->event->cause_count; i++) {
        const mz_cause *cause = &a->x->causes[a->event->first_cause + i];
        if (mz_position_of(a->x, cause->thread, cause->index) >= a->c->start)
            return true;
    }
    return false;
}

static bool is_synchronisation(mz_operation_kind kind)
{
    return kind != MZ_OP_READ && kind != MZ_OP_WRITE && kind != MZ_OP_UPDATE && kind != MZ_OP_ATOMIC;
}

/* Whoever accesses the location after it fails, also if it does not read, and does nothing of what follows in
 * another order. */
static bool is_last_access(const mz_execution *x, const mz_event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++)
        if (x->records[event->first_access + i].access.kind & MZ_LAST)
            return true;
    return false;
}

/* Who comes between it and others of its class is not read by it, but it decides whether peers have done the
 * same (machine/symmetry.h), and so who goes on. */
static bool tells_peers_apart(const mz_search *s, const mz_event *event)
{
    bool has_class = false;
    for (uint32_t i = 0; i < event->access_count; i++)
        has_class |= s->execution->records[event->first_access + i].access.kind >= MZ_CLASS;
    return has_class && (s->machine->refined & MZ_REFINES_SYMMETRY);
}

static mz_member member_of(const mz_search *s, const mz_event *event)
{
    bool exclusive = event->blocking || is_synchronisation(event->kind) ||
                     is_last_access(s->execution, event) || tells_peers_apart(s, event);
    return (mz_member){
        .thread = event->thread,
        .steers = event->steering || !s->machine->knows_steering,
        .sensitive = event->dynamic || event->conditional || exclusive, /* whether it waits must not vary */
        .exclusive = exclusive,
    };
}

static void add_member(admission *a, bool ends_thread)
{
    mz_section *c = a->c;
    uint32_t thread = a->member.thread;
    if (c->count == 0 || c->last_thread != thread) {
        if (c->count > 0)
            c->ended |= mz_threads_of(c->last_thread);
        c->rank[thread] = c->rank_count;
        c->thread_of[c->rank_count++] = thread;
        c->last_thread = thread;
    }
    a->member.depends = c->pair_count > a->first_pair;
    c->members = mz_grow(c->members, &c->member_capacity, c->count + 1, sizeof *c->members);
    c->members[c->count++] = a->member;
    c->ended |= a->ended | (ends_thread ? mz_threads_of(thread) : MZ_NO_THREADS);
}

bool mz_section_admit(mz_section *c, mz_search *s)
{
    mz_execution *x = s->execution;
    const mz_event *event = &x->events[x->length - 1];
    admission a = {
        .c = c, .x = x, .event = event, .member = member_of(s, event), .first_pair = c->pair_count};
    if (c->count > 0) {
        for (uint32_t i = 0; i < event->access_count; i++)
            visit_access(&a, &x->records[event->first_access + i]);
        if (has_cause_inside(&a) || (a.member.varies && a.member.sensitive) || !agree_or_restore(&a)) {
            c->pair_count = a.first_pair;
            return false;
        }
    }
    add_member(&a, (a.member.varies && a.member.steers) || event->choice_count > 0);
    return true;
}

/* ---- its words ------------------------------------------------------------------------------------- */

void mz_section_close(mz_section *c)
{
    c->closed = true;
    if (c->pair_count == 0)
        return;
    mz_constraints_clear(&c->system);
    for (size_t i = 0; i < c->count; i++)
        mz_constraints_add_event(&c->system, c->rank[c->members[i].thread]);
    for (size_t i = 0; i < c->pair_count; i++)
        mz_constraints_add(&c->system, c->pairs[i].first, c->pairs[i].second);
    mz_constraints_start(&c->system);
    mz_least_words_start(&c->words, &c->system);
}

mz_threads mz_section_children(mz_section *c, const mz_search *s, uint32_t length)
{
    if (length == c->count)
        return MZ_NO_THREADS;
    if (c->pair_count == 0)
        return mz_threads_of(c->members[length].thread);
    const mz_event *events = s->execution->events + c->start;
    while (c->words.length > 0 && c->words.length >= length) /* the last letter may be another one now */
        mz_least_words_up(&c->words);
    while (c->words.length < length)
        mz_least_words_down(&c->words, c->rank[events[c->words.length].thread]);
    mz_threads children = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(rank, mz_least_words_children(&c->words))
    {
        children |= mz_threads_of(c->thread_of[rank]);
    }
    s->execution->dependency_checks += c->words.dependency_checks;
    c->words.dependency_checks = 0;
    return children;
}

uint32_t mz_section_first(const mz_section *c, mz_threads threads)
{
    for (uint32_t rank = 0; rank < c->rank_count; rank++)
        if (mz_threads_has(threads, c->thread_of[rank]))
            return c->thread_of[rank];
    return mz_threads_first(threads); /* the one with which it begins */
}
