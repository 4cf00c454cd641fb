#include "oracle/weak/axioms.h"

#include "machine/memory.h"

static bool has(const relation *r, uint32_t e, uint32_t f)
{
    return r->row[e] >> f & 1;
}

static relation together(relation a, relation b)
{
    for (int e = 0; e < 64; e++)
        a.row[e] |= b.row[e];
    return a;
}

static relation then(relation a, relation b)
{
    relation r = {{0}};
    for (uint32_t e = 0; e < 64; e++)
        for (uint64_t rest = a.row[e]; rest; rest &= rest - 1)
            r.row[e] |= b.row[__builtin_ctzll(rest)];
    return r;
}

static relation closed(relation a)
{
    for (uint32_t k = 0; k < 64; k++)
        for (uint32_t e = 0; e < 64 && a.row[k]; e++)
            if (has(&a, e, k))
                a.row[e] |= a.row[k];
    return a;
}

static bool is_irreflexive(relation a)
{
    for (uint32_t e = 0; e < 64; e++)
        if (has(&a, e, e))
            return false;
    return true;
}

static bool is_acyclic(relation a)
{
    return is_irreflexive(closed(a));
}

static relation inverse(relation a)
{
    relation r = {{0}};
    for (uint32_t e = 0; e < 64; e++)
        for (uint64_t rest = a.row[e]; rest; rest &= rest - 1)
            r.row[__builtin_ctzll(rest)] |= UINT64_C(1) << e;
    return r;
}

/* The identity on the events of a kind, of an order. */
static relation those(const axioms *a, bool (*is)(const axioms *a, uint32_t e))
{
    relation r = {{0}};
    for (uint32_t e = 0; e < a->count; e++)
        if (is(a, e))
            r.row[e] = UINT64_C(1) << e;
    return r;
}

static relation fr_of(const axioms *a)
{
    return then(inverse(a->rf), a->mo);
}

static bool same_location(const axioms *a, uint32_t e, uint32_t f)
{
    bool accesses = (a->labels[e].kind == 'R' || a->labels[e].kind == 'W') &&
                    (a->labels[f].kind == 'R' || a->labels[f].kind == 'W');
    return accesses && a->labels[e].location == a->labels[f].location;
}

static relation of_one_location(const axioms *a, relation r)
{
    for (uint32_t e = 0; e < a->count; e++)
        for (uint32_t f = 0; f < a->count; f++)
            if (!same_location(a, e, f))
                r.row[e] &= ~(UINT64_C(1) << f);
    return r;
}

/* No write between what an update reads and what it writes. */
static bool is_atomic(const axioms *a)
{
    relation fr = fr_of(a);
    for (uint32_t r = 0; r < a->count; r++)
        for (uint32_t w = 0; a->written_by[r] >= 0 && w < a->count; w++)
            if (has(&fr, r, w) && has(&a->mo, w, (uint32_t)a->written_by[r]))
                return false;
    return true;
}

/* ---- sequential consistency, total store order --------------------------------------------------------- */

bool weak_is_sc(const axioms *a)
{
    return is_atomic(a) && is_acyclic(together(together(a->po, a->rf), together(a->mo, fr_of(a))));
}

static bool drains(const axioms *a, uint32_t e)
{
    return (a->labels[e].kind == 'F' && a->labels[e].order == MZ_SEQ_CST) || a->is_update[e];
}

/* Weaker fences, and choices, are nothing to the processor. */
static bool is_seen(const axioms *a, uint32_t e)
{
    return a->labels[e].kind == 'R' || a->labels[e].kind == 'W' || drains(a, e);
}

bool weak_is_tso(const axioms *a)
{
    relation fr = fr_of(a), ppo = {{0}}, rfe = a->rf;
    relation communication = together(a->mo, fr);
    relation full = those(a, drains), id = {{0}};
    for (uint32_t e = 0; e < 64; e++)
        id.row[e] = UINT64_C(1) << e;
    relation fenced = then(together(a->po, id), then(full, together(a->po, id)));
    for (uint32_t e = 0; e < a->count; e++)
        for (uint32_t f = 0; f < a->count; f++) {
            bool both = a->labels[e].order == MZ_SEQ_CST && a->labels[f].order == MZ_SEQ_CST;
            bool write_to_read = a->labels[e].kind == 'W' && a->labels[f].kind == 'R';
            if (has(&a->po, e, f) && is_seen(a, e) && is_seen(a, f) &&
                (!write_to_read || both || has(&fenced, e, f)))
                ppo.row[e] |= UINT64_C(1) << f;
            if (a->thread[e] == a->thread[f])
                rfe.row[e] &= ~(UINT64_C(1) << f);
        }
    return is_atomic(a) && is_acyclic(together(together(of_one_location(a, a->po), a->rf), communication)) &&
           is_acyclic(together(together(ppo, rfe), communication));
}

/* ---- RC11 --------------------------------------------------------------------------------------------- */

static bool is_write(const axioms *a, uint32_t e)
{
    return a->labels[e].kind == 'W';
}
static bool is_fence(const axioms *a, uint32_t e)
{
    return a->labels[e].kind == 'F';
}
static bool is_atomic_access(const axioms *a, uint32_t e)
{
    return a->labels[e].order != MZ_PLAIN && a->labels[e].kind != 'F';
}
static bool is_release(const axioms *a, uint32_t e)
{
    return mz_releases(a->labels[e].order);
}
static bool is_acquire(const axioms *a, uint32_t e)
{
    return mz_acquires(a->labels[e].order);
}
static bool is_seq_cst(const axioms *a, uint32_t e)
{
    return a->labels[e].order == MZ_SEQ_CST;
}
static bool is_seq_cst_fence(const axioms *a, uint32_t e)
{
    return is_seq_cst(a, e) && is_fence(a, e);
}
static bool is_any(const axioms *a, uint32_t e)
{
    return a->count > e;
}

/* sw = [release] ; ([F] ; po)? ; rs ; rf ; [atomic R] ; (po ; [F])? ; [acquire],
 * rs = [atomic W] ; (rf ; rmw)* */
static relation happens_before(const axioms *a)
{
    relation id = those(a, is_any), fences = those(a, is_fence), rmw = {{0}};
    for (uint32_t e = 0; e < a->count; e++)
        if (a->written_by[e] >= 0)
            rmw.row[e] = UINT64_C(1) << a->written_by[e];
    relation accesses = those(a, is_atomic_access);
    relation rs = then(then(those(a, is_write), accesses), together(id, closed(then(a->rf, rmw))));
    relation begin = then(those(a, is_release), together(id, then(fences, a->po)));
    relation end = then(together(id, then(a->po, fences)), those(a, is_acquire));
    relation sw = then(then(begin, rs), then(then(a->rf, accesses), end));
    return closed(together(a->po, sw));
}

bool weak_is_rc11(const axioms *a)
{
    relation id = those(a, is_any), fr = fr_of(a), hb = happens_before(a);
    relation eco = closed(together(a->rf, together(a->mo, fr)));
    if (!is_atomic(a) || !is_irreflexive(hb) || !is_irreflexive(then(hb, eco)))
        return false;
    relation s = those(a, is_seq_cst), f = those(a, is_seq_cst_fence), hbq = together(id, hb);
    relation scb = together(together(a->po, then(a->po, then(hb, a->po))),
                            together(of_one_location(a, hb), together(a->mo, fr)));
    relation base = then(then(together(s, then(f, hbq)), scb), together(s, then(hbq, f)));
    relation of_fences = then(then(f, together(hb, then(hb, then(eco, hb)))), f);
    return is_acyclic(together(base, of_fences));
}
