/* RC11, the memory model of C as it was repaired (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017):
 * happens-before hb = (po ∪ sw)⁺, which the clocks of the graph keep (graph.c: release sequences are those of
 * C++20); coherence, hb;eco? is irreflexive; the order of seq_cst events, psc, is acyclic; po ∪ rf is acyclic
 * (so there is no load buffering). eco = (rf ∪ mo ∪ fr)⁺.
 *
 *   scb = po ∪ po;hb;po ∪ hb|loc ∪ mo ∪ fr
 *   psc = ([S] ∪ [F];hb?) ; scb ; ([S] ∪ hb?;[F])  ∪  [F] ; (hb ∪ hb;eco;hb) ; [F]
 *
 * S: seq_cst events, F: the fences among them. The paper has po|≠loc;hb;po|≠loc; the difference matters to
 * nothing that was ever met, and other checkers do as we do. */
#include "algo/graph/model.h"
#include "algo/graph/relation.h"

enum { SCB, HB, ECO, TEMPORARY, PSC, RELATIONS };

static bool is_seq_cst(const mz__event *event)
{
    return event->order == MZ_SEQ_CST;
}

static void relate_by_clock(mz__relation *r, const mz__graph *g, int which)
{
    for (int32_t e = 0; e < (int32_t)g->count; e++)
        for (int32_t f = 0; f < (int32_t)g->count; f++)
            if (e != f && mz__comes_before(g, which, e, f))
                mz__relate(r, e, f);
}

/* Each row: what eco relates the event to. The first step of eco decides where on mo it begins: a read
 * reaches what is newer than what it has read; a write also its own reads. Then whatever is newer or reads
 * that. */
static void relate_eco(mz__relation *r, const mz__graph *g)
{
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        const mz__event *event = &g->events[e];
        if (event->kind == MZ__F)
            continue;
        int32_t own = event->kind == MZ__R ? event->from : e;
        for (int32_t f = 0; f < (int32_t)g->count; f++) {
            const mz__event *other = &g->events[f];
            if (e == f || other->kind == MZ__F || other->slot != event->slot)
                continue;
            int32_t its = other->kind == MZ__R ? other->from : f;
            bool reads_own = event->kind == MZ__W && its == e;
            if (reads_own || mz__is_newer(g, its, own))
                mz__relate(r, e, f);
        }
    }
}

/* scb, with `by_po` in r[TEMPORARY]. po;hb;po: the images of the images. */
static void relate_scb(mz__relation *r, const mz__graph *g)
{
    uint32_t words = r[HB].words;
    mz__relate_communication(&r[SCB], g, MZ__NO_RF);
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        const mz__event *event = &g->events[e];
        for (int32_t f = 0; f < (int32_t)g->count; f++) {
            const mz__event *other = &g->events[f];
            bool same = event->kind != MZ__F && other->kind != MZ__F && event->slot == other->slot;
            bool communicates =
                same && other->kind == MZ__W && mz__is_newer(g, f, event->kind == MZ__R ? event->from : e);
            if (e != f && (communicates || (same && mz__happens_before(g, e, f))))
                mz__relate(&r[SCB], e, f);
        }
        uint64_t *reached = mz__row(&r[PSC], 0), *further = mz__row(&r[PSC], 1);
        memset(reached, 0, 2 * words * sizeof *reached);
        mz__add_image(&r[HB], mz__row(&r[TEMPORARY], e), reached);
        mz__add_image(&r[TEMPORARY], reached, further);
        for (uint32_t w = 0; w < words; w++)
            mz__row(&r[SCB], e)[w] |= mz__row(&r[TEMPORARY], e)[w] | further[w];
    }
}

/* The seq_cst events that a set leads to: those in it, and the fences behind it. */
static void close_with_fences(const mz__graph *g, const mz__relation *hb, const uint64_t *set, uint64_t *into)
{
    for (int32_t s = 0; s < (int32_t)g->count; s++) {
        if (!is_seq_cst(&g->events[s]))
            continue;
        bool found = set[s / 64] >> s % 64 & 1;
        for (int32_t e = 0; e < (int32_t)g->count && !found && g->events[s].kind == MZ__F; e++)
            found = (set[e / 64] >> e % 64 & 1) && mz__happens_before(g, e, s);
        if (found)
            mz__set_bit(into, s);
    }
    (void)hb;
}

static void relate_psc(mz__relation *r, const mz__graph *g, uint64_t *sets)
{
    uint32_t words = r[HB].words;
    uint64_t *begin = sets, *reached = sets + words, *behind = sets + 2 * (size_t)words;
    mz__relation_clear(&r[PSC], g->count);
    for (int32_t s = 0; s < (int32_t)g->count; s++) {
        if (!is_seq_cst(&g->events[s]))
            continue;
        bool fence = g->events[s].kind == MZ__F;
        memset(sets, 0, 3 * words * sizeof *sets);
        mz__set_bit(begin, s);
        for (uint32_t w = 0; w < words && fence; w++)
            begin[w] |= mz__row(&r[HB], s)[w];
        mz__add_image(&r[SCB], begin, reached);
        close_with_fences(g, &r[HB], reached, mz__row(&r[PSC], s));
        if (!fence)
            continue;
        mz__add_image(&r[ECO], mz__row(&r[HB], s), behind);
        for (int32_t f = 0; f < (int32_t)g->count; f++) { /* hb ∪ hb;eco;hb between fences */
            if (g->events[f].kind != MZ__F || !is_seq_cst(&g->events[f]))
                continue;
            bool found = f != s && mz__happens_before(g, s, f);
            for (int32_t e = 0; e < (int32_t)g->count && !found; e++)
                found = (behind[e / 64] >> e % 64 & 1) && e != f && mz__happens_before(g, e, f);
            if (found)
                mz__relate(&r[PSC], s, f);
        }
    }
}

static bool orders_seq_cst(const mz__graph *g, mz__relation *r)
{
    for (int i = 0; i < RELATIONS; i++)
        mz__relation_clear(&r[i], g->count);
    relate_by_clock(&r[HB], g, MZ__BY_HB);
    relate_by_clock(&r[TEMPORARY], g, MZ__BY_PO);
    relate_eco(&r[ECO], g);
    relate_scb(r, g);
    uint64_t few[3 * 64], *sets = few;
    if (r[HB].words > 64)
        sets = mz_allocate_zeroed(3 * (size_t)r[HB].words, sizeof *sets);
    relate_psc(r, g, sets);
    if (sets != few)
        mz_release(sets);
    return mz__is_acyclic(&r[PSC]);
}

/* ---- without seq_cst fences --------------------------------------------------------------------------- */

/* po;hb;po: what comes after e happens before what comes before f. */
static bool leads_by_hb(const mz__graph *g, int32_t e, int32_t f)
{
    for (int32_t after = e + 1; after < (int32_t)g->count; after++) {
        if (!mz__comes_before(g, MZ__BY_PO, e, after) || !mz__happens_before(g, after, f))
            continue;
        int32_t before = g->events[f].before;
        if (before != MZ__NO_EVENT && mz__happens_before(g, after, before))
            return true;
        for (uint32_t t = 0; t < g->threads && g->events[f].cause_count > 0; t++) {
            before = mz__cause_in(g, f, t);
            if (before != MZ__NO_EVENT && mz__happens_before(g, after, before))
                return true;
        }
    }
    return false;
}

/* scb between two accesses. */
static bool leads_to(const mz__graph *g, int32_t e, int32_t f)
{
    const mz__event *from = &g->events[e], *to = &g->events[f];
    bool same = from->slot == to->slot;
    if (same && to->kind == MZ__W && mz__is_newer(g, f, from->kind == MZ__R ? from->from : e))
        return true;
    return mz__happens_before(g, e, f) &&
           (same || mz__comes_before(g, MZ__BY_PO, e, f) || leads_by_hb(g, e, f));
}

/* Then psc is scb between seq_cst accesses. The last event comes before none in hb, so scb is as it was
 * between the others: a cycle would go through it. */
static bool is_on_cycle(const mz__graph *g, int32_t last, mz__relation *r)
{
    mz__relation_clear(r, g->count > 2 ? g->count : 2);
    uint64_t *reached = mz__row(r, 0), *left = mz__row(r, 1);
    mz__set_bit(left, last);
    for (uint32_t w = 0; w < r->words;) {
        if (left[w] == 0) {
            w++;
            continue;
        }
        int32_t e = (int32_t)(w * 64) + __builtin_ctzll(left[w]);
        left[w] &= left[w] - 1;
        for (int32_t f = 0; f < (int32_t)g->count; f++) {
            bool known = reached[f / 64] >> f % 64 & 1;
            if (known || e == f || !is_seq_cst(&g->events[f]) || !leads_to(g, e, f))
                continue;
            if (f == last)
                return true;
            mz__set_bit(reached, f);
            mz__set_bit(left, f);
            w = (uint32_t)f / 64 < w ? (uint32_t)f / 64 : w;
        }
    }
    return false;
}

static bool admits(mz__graph *g, int32_t last, mz__relation *scratch)
{
    uint32_t seq_cst = 0;
    bool fences = false;
    if (!mz__is_coherent(g, last, MZ__BY_HB))
        return false;
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        seq_cst += is_seq_cst(&g->events[e]);
        fences |= is_seq_cst(&g->events[e]) && g->events[e].kind == MZ__F;
    }
    if (fences)
        return seq_cst < 2 || orders_seq_cst(g, scratch);
    return seq_cst < 2 || !is_seq_cst(&g->events[last]) || !is_on_cycle(g, last, &scratch[0]);
}

const mz__memory_model mz__model_rc11 = {.name = "rc11", .coherent_by = MZ__BY_HB, .admits = admits};
