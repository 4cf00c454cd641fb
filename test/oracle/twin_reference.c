#include "oracle/twin_reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "oracle/string_set.h"

enum { MOST_EVENTS = 64, MOST_PREFIXES = 60000, MOST_EXECUTIONS = 3000, NOBODY = 0xff };
enum { AWAKE, ASLEEP, WOKEN };

typedef struct state {
    uint8_t pc[TWIN_THREADS], wait[TWIN_THREADS]; /* for a condition */
    uint8_t at_barrier, failed, finished;         /* threads, as bits */
    uint8_t owner[TWIN_MUTEXES], readers[TWIN_RWLOCKS], writer[TWIN_RWLOCKS];
    uint8_t held[TWIN_THREADS]; /* mutexes */
    int32_t r[TWIN_THREADS], seen[TWIN_THREADS], data[TWIN_DATA], tokens;
    uint32_t v[2], both; /* the union */
} state;

/* An operation that has happened. */
typedef struct event {
    uint8_t thread, pc, code, place;
    bool again;       /* it is the lock at the end of a wait for a condition */
    bool only_read;   /* it has changed nothing: an attempt that failed */
    bool woke_nobody; /* a signal */
    uint8_t picked;   /* by a signal */
} event;

typedef struct path {
    uint32_t length;
    event events[MOST_EVENTS];
} path;

typedef struct enumeration {
    const twin_program *program;
    twin_result *result;
    uint32_t relation;
    uint8_t simple; /* mutexes, as bits: so far */
    bool arrivals_commute;
    string_set prefixes, complete;
    path *executions;
    size_t execution_count;
    bool all_interleavings;
} enumeration;

/* ---- what commutes ---------------------------------------------------------------------------------------
 */

static bool is_variable(uint32_t code)
{
    return code >= TWIN_LOAD && code <= TWIN_XOR;
}

static bool is_plain(uint32_t code)
{
    return code >= TWIN_PLAIN_LOAD && code <= TWIN_PLAIN_ADD;
}

static bool is_mutex(uint32_t code)
{
    return code == TWIN_LOCK || code == TWIN_UNLOCK || code == TWIN_TRYLOCK || code == TWIN_COND_WAIT;
}

static bool is_condition(const event *e)
{
    return (e->code == TWIN_COND_WAIT && !e->again) || e->code == TWIN_SIGNAL || e->code == TWIN_BROADCAST;
}

static bool is_rwlock(uint32_t code)
{
    return code >= TWIN_READ_LOCK && code <= TWIN_RW_UNLOCK;
}

static bool is_semaphore(uint32_t code)
{
    return code >= TWIN_POST && code <= TWIN_TRYWAIT;
}

/* Bytes: of the union, two halves and the whole. */
static uint32_t bytes_of(uint32_t variable)
{
    static const uint32_t bytes[] = {0xf, 0xf0, 0xf00, 0x300, 0xc00};
    return bytes[variable];
}

/* The kinds of updates of a variable that commute with their own kind: 0, if none. */
static uint32_t sum(uint32_t code)
{
    return code == TWIN_SUB || code == TWIN_PLAIN_ADD                  ? TWIN_ADD
           : code == TWIN_ADD || (code >= TWIN_OR && code <= TWIN_XOR) ? code
                                                                       : 0;
}

static bool only_reads(const event *e)
{
    return e->only_read || e->code == TWIN_LOAD || e->code == TWIN_PLAIN_LOAD;
}

static bool is_reader(const enumeration *n, const event *e)
{
    if (e->code == TWIN_READ_LOCK)
        return true;
    if (e->code != TWIN_RW_UNLOCK)
        return false;
    const twin_instruction *code = n->program->code[e->thread];
    for (uint32_t at = e->pc; at-- > 0;) /* sections of one lock do not overlap in a thread */
        if (code[at].place == e->place && is_rwlock(code[at].code))
            return code[at].code != TWIN_WRITE_LOCK;
    return false;
}

/* Do two operations of different threads depend on each other? */
static bool depend(const enumeration *n, const event *a, const event *b)
{
    bool classes = n->relation & TWIN_CLASSES, both_read = only_reads(a) && only_reads(b);
    if (both_read || (classes && a->woke_nobody && b->woke_nobody))
        return false;
    if (is_variable(a->code) && is_variable(b->code)) {
        if (!(bytes_of(a->place) & bytes_of(b->place)))
            return false;
        bool commute = sum(a->code) > 0 && sum(a->code) == sum(b->code) && a->place == b->place;
        return !(classes && commute);
    }
    if (is_plain(a->code) && is_plain(b->code)) {
        bool sums = n->program->is_model && sum(a->code) > 0 && sum(a->code) == sum(b->code);
        return a->place == b->place && !(classes && sums);
    }
    if (is_condition(a) && is_condition(b))
        return true;
    if (is_mutex(a->code) && is_mutex(b->code) && a->place == b->place)
        return !((n->relation & TWIN_SECTIONS) && (n->simple >> a->place & 1));
    if (is_rwlock(a->code) && is_rwlock(b->code) && a->place == b->place)
        return !(classes && is_reader(n, a) && is_reader(n, b));
    if (is_semaphore(a->code) && is_semaphore(b->code))
        return !(classes && a->code == TWIN_POST && b->code == TWIN_POST);
    if (a->code == TWIN_ARRIVE && b->code == TWIN_ARRIVE)
        return !(classes && n->arrivals_commute);
    return false;
}

/* Equal exactly for paths whose threads do the same and whose dependent operations have the same order. */
static size_t write_key(const enumeration *n, const path *p, char *key)
{
    size_t length = 0;
    for (uint32_t t = 0; t < n->program->threads; t++) {
        key[length++] = (char)0xff;
        for (uint32_t i = 0; i < p->length; i++) {
            const event *e = &p->events[i];
            if (e->thread != t)
                continue;
            char before[TWIN_THREADS] = {0};
            for (uint32_t j = 0; j < i; j++)
                if (p->events[j].thread != t && depend(n, &p->events[j], e))
                    before[p->events[j].thread]++;
            key[length++] = (char)e->pc;
            key[length++] = (char)(e->again | e->only_read << 1);
            key[length++] = (char)e->picked;
            memcpy(key + length, before, sizeof before);
            length += sizeof before;
        }
    }
    return length;
}

/* ---- what happens ----------------------------------------------------------------------------------------
 */

static const twin_instruction *next_of(const enumeration *n, const state *s, uint32_t t)
{
    return &n->program->code[t][s->pc[t]];
}

static bool is_ready(const enumeration *n, const state *s, uint32_t t)
{
    if ((s->at_barrier | s->failed | s->finished) >> t & 1 || s->wait[t] == ASLEEP)
        return false;
    const twin_instruction *i = next_of(n, s, t);
    switch (i->code) {
    case TWIN_COND_WAIT:
        return s->wait[t] != WOKEN || s->owner[i->place] == NOBODY;
    case TWIN_LOCK:
        return s->owner[i->place] == NOBODY;
    case TWIN_READ_LOCK:
        return s->writer[i->place] == NOBODY;
    case TWIN_WRITE_LOCK:
        return s->writer[i->place] == NOBODY && s->readers[i->place] == 0;
    case TWIN_WAIT:
        return s->tokens > 0;
    default:
        return true;
    }
}

static uint32_t value_of(const state *s, uint32_t variable)
{
    return variable <= TWIN_V1       ? s->v[variable]
           : variable == TWIN_LARGE  ? s->both
           : variable == TWIN_SMALL0 ? s->both & 0xffff
                                     : s->both >> 16;
}

static void set_value(state *s, uint32_t variable, uint32_t value)
{
    if (variable <= TWIN_V1)
        s->v[variable] = value;
    else if (variable == TWIN_LARGE)
        s->both = value;
    else if (variable == TWIN_SMALL0)
        s->both = (s->both & 0xffff0000) | (value & 0xffff);
    else
        s->both = (s->both & 0xffff) | value << 16;
}

static void set_register(state *s, uint32_t t, int32_t value)
{
    s->r[t] = value;
    s->seen[t] = (s->seen[t] * 3 + value) & 15;
}

/* Up to the next operation. */
static void run_local(enumeration *n, state *s, uint32_t t)
{
    for (;; s->pc[t]++) {
        const twin_instruction *i = next_of(n, s, t);
        if (i->code == TWIN_IF) {
            s->pc[t] = (uint8_t)(s->pc[t] + (s->r[t] == i->value ? 0 : i->skipped));
            continue;
        }
        if (i->code == TWIN_FORBID && s->r[t] != i->value)
            continue;
        if (i->code == TWIN_FORBID) {
            s->failed |= (uint8_t)(1u << t);
            n->result->failing[t] |= UINT64_C(1) << s->pc[t];
            n->result->fails_in_section |= s->held[t] != 0;
        }
        if (i->code == TWIN_END)
            s->finished |= (uint8_t)(1u << t);
        if (i->code == TWIN_END || i->code == TWIN_FORBID)
            n->simple &= (uint8_t)~s->held[t]; /* a section that has no end */
        return;
    }
}

static void update(const enumeration *n, state *s, uint32_t t, const twin_instruction *i, event *e)
{
    uint32_t old = value_of(s, i->place), k = (uint32_t)i->value;
    bool keeps_old = i->code == TWIN_LOAD || i->code == TWIN_FETCH_ADD || i->code == TWIN_EXCHANGE;
    if (keeps_old)
        set_register(s, t, (int32_t)old);
    if (i->code == TWIN_CAS) {
        set_register(s, t, old == 0);
        e->only_read = old != 0;
    }
    if (i->code == TWIN_LOAD || e->only_read)
        return;
    set_value(s, i->place,
              i->code == TWIN_ADD || i->code == TWIN_FETCH_ADD ? old + k
              : i->code == TWIN_SUB                            ? old - k
              : i->code == TWIN_OR && n->program->is_model     ? old * k
              : i->code == TWIN_OR                             ? old | k
              : i->code == TWIN_AND                            ? old & k
              : i->code == TWIN_XOR                            ? old ^ k
                                                               : k);
}

static void take_mutex(state *s, uint32_t t, uint32_t m)
{
    s->owner[m] = (uint8_t)t;
    s->held[t] |= (uint8_t)(1u << m);
}

static void leave_mutex(state *s, uint32_t t, uint32_t m)
{
    s->owner[m] = NOBODY;
    s->held[t] &= (uint8_t) ~(1u << m);
}

static void on_lock(state *s, uint32_t t, const twin_instruction *i, event *e)
{
    uint32_t o = i->place;
    switch (i->code) {
    case TWIN_LOCK:
        take_mutex(s, t, o);
        break;
    case TWIN_UNLOCK:
        leave_mutex(s, t, o);
        break;
    case TWIN_TRYLOCK:
        e->only_read = s->owner[o] != NOBODY;
        if (!e->only_read)
            take_mutex(s, t, o);
        set_register(s, t, !e->only_read);
        break;
    case TWIN_TRY_READ:
        e->only_read = s->writer[o] != NOBODY;
        set_register(s, t, !e->only_read);
        s->readers[o] |= (uint8_t)(e->only_read ? 0 : 1u << t);
        break;
    case TWIN_READ_LOCK:
        s->readers[o] |= (uint8_t)(1u << t);
        break;
    case TWIN_WRITE_LOCK:
        s->writer[o] = (uint8_t)t;
        break;
    default: /* TWIN_RW_UNLOCK */
        if (s->writer[o] == t)
            s->writer[o] = NOBODY;
        else
            s->readers[o] &= (uint8_t) ~(1u << t);
    }
}

/* The last one lets all go on. */
static void arrive(enumeration *n, state *s, uint32_t t)
{
    uint32_t count = 0;
    s->at_barrier |= (uint8_t)(1u << t);
    for (uint32_t u = 0; u < n->program->threads; u++)
        count += s->at_barrier >> u & 1;
    if (count < n->program->arrivals_needed)
        return;
    uint8_t all = s->at_barrier;
    s->at_barrier = 0;
    for (uint32_t u = 0; u < TWIN_THREADS; u++)
        if (u != t && (all >> u & 1)) {
            s->pc[u]++;
            run_local(n, s, u);
        }
}

/* What the mutexes are used for that the thread holds, or is about to use. */
static void note_use(enumeration *n, const state *s, uint32_t t, const twin_instruction *i)
{
    if (i->code == TWIN_TRYLOCK || i->code == TWIN_COND_WAIT)
        n->simple &= (uint8_t) ~(1u << i->place);
    uint32_t used = is_plain(i->code) ? 0 : s->held[t];
    if (i->code == TWIN_UNLOCK)
        used &= ~(1u << i->place);
    n->simple &= (uint8_t)~used;
}

static void step(enumeration *n, state *s, uint32_t t, uint8_t picked, event *e)
{
    const twin_instruction *i = next_of(n, s, t);
    *e = (event){(uint8_t)t, s->pc[t], (uint8_t)i->code, (uint8_t)i->place, s->wait[t] == WOKEN, false,
                 false,      picked};
    note_use(n, s, t, i);
    if (i->code == TWIN_COND_WAIT && s->wait[t] == AWAKE) {
        s->wait[t] = ASLEEP;
        leave_mutex(s, t, i->place);
        return; /* it goes on from here */
    }
    s->wait[t] = AWAKE;
    if (is_variable(i->code)) {
        update(n, s, t, i, e);
    } else if (i->code == TWIN_PLAIN_LOAD) {
        set_register(s, t, s->data[i->place]);
    } else if (is_plain(i->code)) {
        s->data[i->place] = i->code == TWIN_PLAIN_ADD ? s->data[i->place] + i->value : i->value;
    } else if (i->code == TWIN_COND_WAIT) {
        take_mutex(s, t, i->place);
    } else if (is_mutex(i->code) || is_rwlock(i->code)) {
        on_lock(s, t, i, e);
    } else if (i->code == TWIN_POST) {
        s->tokens++;
    } else if (i->code == TWIN_WAIT || i->code == TWIN_TRYWAIT) {
        e->only_read = s->tokens == 0;
        s->tokens -= !e->only_read;
        if (i->code == TWIN_TRYWAIT)
            set_register(s, t, !e->only_read);
    } else if (i->code == TWIN_SIGNAL) {
        e->woke_nobody = picked == NOBODY;
        s->wait[picked % TWIN_THREADS] = picked == NOBODY ? s->wait[picked % TWIN_THREADS] : WOKEN;
    } else if (i->code == TWIN_BROADCAST) {
        e->woke_nobody = !memchr(s->wait, ASLEEP, sizeof s->wait);
        for (uint32_t u = 0; u < TWIN_THREADS; u++)
            s->wait[u] = s->wait[u] == ASLEEP ? WOKEN : s->wait[u];
    } else if (i->code == TWIN_ARRIVE) {
        arrive(n, s, t);
        if (s->at_barrier >> t & 1)
            return;
    }
    s->pc[t]++;
    run_local(n, s, t);
}

/* ---- enumeration -----------------------------------------------------------------------------------------
 */

static void note_races(enumeration *n, const state *s)
{
    for (uint32_t t = 0; t < n->program->threads; t++)
        for (uint32_t u = 0; u < t; u++) {
            const twin_instruction *a = next_of(n, s, t), *b = next_of(n, s, u);
            bool writes = a->code != TWIN_PLAIN_LOAD || b->code != TWIN_PLAIN_LOAD;
            n->result->race |= is_ready(n, s, t) && is_ready(n, s, u) && is_plain(a->code) &&
                               is_plain(b->code) && a->place == b->place && writes;
        }
}

static void finish(enumeration *n, const state *s, const path *p)
{
    uint32_t all = (1u << n->program->threads) - 1;
    uint32_t variables[TWIN_VARIABLES] = {s->v[0], s->v[1], s->both};
    for (uint32_t t = 0; t < n->program->threads; t++)
        n->simple &= (uint8_t)~s->held[t];
    if (s->finished == all)
        n->result->outcomes[twin_outcome(variables, s->data, s->seen)] = true;
    else if (!s->failed)
        n->result->deadlock = true;
    char key[MOST_EVENTS * 8];
    string_set_add(&n->complete, key, write_key(n, p, key));
    if (n->all_interleavings && n->execution_count < MOST_EXECUTIONS)
        n->executions[n->execution_count++] = *p;
}

/* True if the prefix is a new one. Those that are equivalent have to lead to the same state. */
static bool is_new(enumeration *n, const state *s, const path *p)
{
    char key[MOST_EVENTS * 8 + sizeof(mz_hash)];
    size_t length = write_key(n, p, key);
    bool new = string_set_add(&n->prefixes, key, length);
    mz_hash hash = mz_hash_add_bytes(mz_hash_start(1), s, sizeof *s);
    memcpy(key + length, &hash, sizeof hash);
    bool new_state = string_set_add(&n->prefixes, key, length + sizeof hash);
    if (new != new_state)
        n->result->broken = "equivalent executions lead to different states";
    return new;
}

static void explore(enumeration *n, const state *s, path *p)
{
    bool anybody = false;
    note_races(n, s);
    for (uint32_t t = 0; t < n->program->threads && !n->result->too_large; t++) {
        if (!is_ready(n, s, t))
            continue;
        anybody = true;
        uint32_t sleepers = 0;
        for (uint32_t u = 0; u < TWIN_THREADS; u++)
            sleepers |= s->wait[u] == ASLEEP ? 1u << u : 0;
        bool picks = next_of(n, s, t)->code == TWIN_SIGNAL && sleepers;
        for (uint32_t u = 0; u < (picks ? TWIN_THREADS : 1); u++) {
            if (picks && !(sleepers >> u & 1))
                continue;
            state after = *s;
            step(n, &after, t, picks ? (uint8_t)u : NOBODY, &p->events[p->length++]);
            if (n->all_interleavings ? n->execution_count < MOST_EXECUTIONS : is_new(n, &after, p))
                explore(n, &after, p);
            p->length--;
            n->result->too_large |= p->length + 2 >= MOST_EVENTS || n->prefixes.count > 2 * MOST_PREFIXES;
        }
    }
    if (!anybody)
        finish(n, s, p);
}

static void enumerate(enumeration *n)
{
    state s;
    path *p = mz_allocate_zeroed(1, sizeof *p);
    memset(&s, 0, sizeof s); /* states are compared as bytes */
    memset(s.owner, NOBODY, sizeof s.owner);
    memset(s.writer, NOBODY, sizeof s.writer);
    s.tokens = (int32_t)n->program->tokens;
    for (uint32_t t = 0; t < n->program->threads; t++)
        run_local(n, &s, t);
    explore(n, &s, p);
    mz_release(p);
}

/* ---- by swaps --------------------------------------------------------------------------------------------
 */

static size_t write_letters(const path *p, char *letters)
{
    for (uint32_t i = 0; i < p->length; i++) {
        letters[2 * i] = (char)p->events[i].thread;
        letters[2 * i + 1] = (char)p->events[i].picked;
    }
    return 2 * p->length;
}

static int compare_paths(const void *a, const void *b)
{
    const path *p = a, *q = b;
    char of_p[2 * MOST_EVENTS], of_q[2 * MOST_EVENTS];
    size_t length = write_letters(p, of_p);
    if (length != write_letters(q, of_q))
        return p->length < q->length ? -1 : 1;
    return memcmp(of_p, of_q, length);
}

static size_t root_of(size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Every execution, and its neighbours: two operations in a row that do not depend on each other change
 * places. */
static uint64_t count_by_swaps(enumeration *n)
{
    size_t *parent = mz_allocate_zeroed(n->execution_count, sizeof *parent);
    uint64_t components = n->execution_count;
    path *other = mz_allocate_zeroed(1, sizeof *other);
    for (size_t i = 0; i < n->execution_count; i++)
        parent[i] = i;
    for (size_t i = 0; i < n->execution_count; i++)
        for (uint32_t k = 0; k + 1 < n->executions[i].length; k++) {
            const event *a = &n->executions[i].events[k], *b = a + 1;
            if (a->thread == b->thread || depend(n, a, b))
                continue;
            *other = n->executions[i];
            other->events[k] = *b;
            other->events[k + 1] = *a;
            const path *found =
                bsearch(other, n->executions, n->execution_count, sizeof *other, compare_paths);
            if (!found) /* the second one comes after the first in every execution: a barrier, a signal */
                continue;
            size_t one = root_of(parent, i), two = root_of(parent, (size_t)(found - n->executions));
            components -= one != two;
            parent[one] = two;
        }
    mz_release(parent);
    mz_release(other);
    return components;
}

static void enumerate_all_interleavings(enumeration *n)
{
    n->all_interleavings = true;
    n->executions = mz_allocate_zeroed(MOST_EXECUTIONS, sizeof *n->executions);
    enumerate(n);
    if (n->execution_count < MOST_EXECUTIONS) {
        qsort(n->executions, n->execution_count, sizeof *n->executions, compare_paths);
        for (n->relation = TWIN_PUBLISHED; n->relation <= TWIN_CLASSES; n->relation++)
            n->result->by_swaps[n->relation] = count_by_swaps(n);
    }
    mz_release(n->executions);
}

/* ---- all of it -------------------------------------------------------------------------------------------
 */

/* Are all who ever come to the barrier needed? */
static bool all_are_needed(const twin_program *p)
{
    uint32_t visitors = 0;
    for (uint32_t t = 0; t < p->threads; t++) {
        bool visits = false;
        for (uint32_t i = 0; i < p->length[t]; i++)
            visits |= p->code[t][i].code == TWIN_ARRIVE;
        visitors += visits;
    }
    return visitors <= p->arrivals_needed;
}

void twin_enumerate(const twin_program *program, twin_result *result)
{
    *result = (twin_result){0};
    enumeration n = {.program = program,
                     .result = result,
                     .simple = (1u << TWIN_MUTEXES) - 1,
                     .arrivals_commute = all_are_needed(program)};
    for (; n.relation < TWIN_RELATIONS && !result->too_large; n.relation++) {
        /* The first relation has found out which mutexes are simple, and has met every state. */
        enumerate(&n);
        result->classes[n.relation] = n.complete.count;
        string_set_release(&n.prefixes);
        string_set_release(&n.complete);
    }
    result->has_simple_sections = n.simple != 0;
    if (!result->too_large)
        enumerate_all_interleavings(&n);
    for (uint32_t r = 0; r < 2; r++)
        if (result->by_swaps[r] > 0 && result->by_swaps[r] != result->classes[r])
            result->broken = "classes by swaps are others than by order";
}
