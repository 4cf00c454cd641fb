#include "model/peers.h"

#include <string.h>

/* ---- the same text ------------------------------------------------------------------------------------ */

static uint32_t end_of(const mz_code *code, uint32_t process)
{
    return process + 1 < code->process_count ? code->processes[process + 1].start : (uint32_t)code->count;
}

static bool same_numbers(const mz_code *code, const mz_instruction *a, const mz_instruction *b,
                         uint32_t count)
{
    return memcmp(code->numbers + a->a, code->numbers + b->a, count * sizeof *code->numbers) == 0;
}

/* Both follow from the text; an operation is what its instructions do, and what is known of it beforehand. */
static bool same_operation(const mz_code *code, const mz_instruction *a, const mz_instruction *b)
{
    const mz_static_operation *p = &code->operations[a->a], *q = &code->operations[b->a];
    return p->told.kind == q->told.kind && p->fixed == q->fixed && p->transaction == q->transaction &&
           p->class == q->class && p->access_count == q->access_count &&
           (p->access_count == 0 || memcmp(code->accesses + p->first_access, code->accesses + q->first_access,
                                           p->access_count * sizeof *code->accesses) == 0);
}

/* An error is told with its line: of what was written twice both lines are to be told. */
static bool same_line(const mz_code *code, uint32_t a, uint32_t b)
{
    return code->positions[a].line == code->positions[b].line &&
           code->positions[a].column == code->positions[b].column;
}

/* At the same place in the texts of processes that begin at these instructions. */
static bool same_instruction(const mz_code *code, uint32_t start_a, uint32_t start_b, uint32_t offset)
{
    if (!same_line(code, start_a + offset, start_b + offset))
        return false;
    const mz_instruction *a = &code->instructions[start_a + offset],
                         *b = &code->instructions[start_b + offset];
    if (a->code != b->code || a->b != b->b || a->variable != b->variable)
        return false;
    switch (a->code) {
    case MZ_CODE_NUMBER:
        return same_numbers(code, a, b, 1);
    case MZ_CODE_LOAD_CONST_AT:
        return same_numbers(code, a, b, a->b);
    case MZ_CODE_JUMP:
    case MZ_CODE_JUMP_IF_ZERO:
    case MZ_CODE_AND_ELSE_JUMP:
    case MZ_CODE_OR_ELSE_JUMP:
        return a->a - start_a == b->a - start_b;
    case MZ_CODE_ASSERT:
        return strcmp(code->texts[a->a], code->texts[b->a]) == 0;
    case MZ_CODE_EVENT:
        return same_operation(code, a, b);
    default:
        return a->a == b->a;
    }
}

static bool same_text(const mz_code *code, uint32_t p, uint32_t q)
{
    uint32_t start_p = code->processes[p].start, start_q = code->processes[q].start,
             length = end_of(code, p) - start_p;
    if (length != end_of(code, q) - start_q ||
        code->processes[p].local_count != code->processes[q].local_count)
        return false;
    for (uint32_t offset = 0; offset < length; offset++)
        if (!same_instruction(code, start_p, start_q, offset))
            return false;
    return true;
}

/* ---- who holds a lock --------------------------------------------------------------------------------- */

static bool overlap(const mz_instruction *a, uint32_t count_a, const mz_instruction *b, uint32_t count_b)
{
    return a->a < b->a + count_b && b->a < a->a + count_a;
}

static bool is_read_as_variable(const mz_code *code, const mz_instruction *lock)
{
    for (size_t i = 0; i < code->count; i++) {
        const mz_instruction *in = &code->instructions[i];
        bool indexed = in->code == MZ_CODE_LOAD_SHARED_AT || in->code == MZ_CODE_CAS_SHARED_AT;
        if ((indexed || in->code == MZ_CODE_LOAD_SHARED) && overlap(in, indexed ? in->b : 1, lock, lock->b))
            return true;
    }
    return false;
}

static bool shows_holders(const mz_code *code)
{
    for (size_t i = 0; i < code->count; i++)
        if (code->instructions[i].code == MZ_CODE_LOCK && is_read_as_variable(code, &code->instructions[i]))
            return true;
    return false;
}

/* ---- in the state ------------------------------------------------------------------------------------- */

static mz_peer *peers_of(const mz__vm *m)
{
    return (mz_peer *)(void *)(m->state + m->peers_at);
}

static mz_peer_group *groups_of(const mz__vm *m)
{
    return (mz_peer_group *)(void *)(peers_of(m) + m->processes);
}

static bool have_same_text(const mz_code *code)
{
    for (uint32_t q = 1; q < code->process_count; q++)
        for (uint32_t p = 0; p < q; p++)
            if (same_text(code, p, q))
                return true;
    return false;
}

size_t mz__place_peers(mz__vm *m, size_t bytes)
{
    const mz_code *code = m->code;
    if (code->has_buffers || !have_same_text(code) || shows_holders(code))
        return bytes;
    m->peers_at = bytes;
    return bytes + m->processes * sizeof(mz_peer) + code->shared_count * sizeof(mz_peer_group);
}

static bool in_same_set(const mz_status *status, uint32_t p, uint32_t q)
{
    mz_threads both = mz_threads_of(p) | mz_threads_of(q);
    const mz_threads sets[] = {status->ready | status->blocked, status->finished, status->failed,
                               status->pruned};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (mz_threads_count(sets[i] & both) == 1)
            return false;
    return true;
}

/* Choices may have been made on the way. */
static bool begin_alike(const mz__vm *m, uint32_t p, uint32_t q)
{
    const mz_process_code *a = &m->code->processes[p], *b = &m->code->processes[q];
    const int64_t *words_a = mz__thread_words(m, p), *words_b = mz__thread_words(m, q);
    return same_text(m->code, p, q) && in_same_set(m->base.status, p, q) &&
           words_a[0] - a->start == words_b[0] - b->start &&
           memcmp(words_a + 1, words_b + 1, a->local_count * sizeof *words_a) == 0;
}

void mz__begin_peers(mz__vm *m)
{
    mz_peer *peers = peers_of(m);
    for (uint32_t q = 1; q < m->processes; q++)
        for (uint32_t p = q; p-- > 0 && peers[q].first == 0;)
            if (begin_alike(m, p, q))
                peers[q].first = p + 1;
}

void mz__note_peer(mz__vm *m, uint32_t thread, const mz_operation *executed, bool chose)
{
    mz_peer_note(peers_of(m), thread, groups_of(m), executed, chose);
}

void mz__tell_peer(const mz__vm *m, uint32_t thread, mz_cause *cause, mz_operation *out)
{
    if (m->base.repeats || !mz_peer_cause(peers_of(m), thread, cause))
        return;
    out->steering = true;
    out->causes = cause;
    out->cause_count = 1;
}

void mz__update_peers(mz__vm *m)
{
    mz_status *status = m->base.status;
    const mz_peer *peers = peers_of(m);
    MZ_FOR_EACH_THREAD(t, status->ready | status->blocked)
    {
        mz_threads bit = mz_threads_of(t);
        if (!m->base.repeats && mz_peer_waits(peers, t)) {
            m->base.refined |= MZ_REFINES_SYMMETRY;
            status->ready &= ~bit;
            status->blocked |= bit;
        } else if (!mz_threads_has(*m->at_blocking, t)) {
            status->ready |= bit;
            status->blocked &= ~bit;
        }
    }
}
