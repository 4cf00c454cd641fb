#include "algo/graph/relation.h"

void mz__relation_clear(mz__relation *r, uint32_t count)
{
    r->count = count;
    r->words = (count + 63) / 64;
    size_t words = (size_t)count * r->words;
    r->rows = mz_grow(r->rows, &r->capacity, words ? words : 1, sizeof *r->rows);
    memset(r->rows, 0, words * sizeof *r->rows);
}

void mz__relate_communication(mz__relation *r, const mz__graph *g, mz__which_rf rf)
{
    for (int32_t e = 0; e < (int32_t)g->count; e++) {
        const mz__event *event = &g->events[e];
        int32_t from = event->from;
        if (event->kind == MZ__W && event->newer >= 0)
            mz__relate(r, e, event->newer);
        if (event->kind != MZ__R)
            continue;
        int32_t newer = mz__newer(g, event->slot, from);
        if (newer >= 0)
            mz__relate(r, e, newer);
        bool asked = rf == MZ__ALL_RF ||
                     (rf == MZ__RF_OF_OTHERS && from >= 0 && g->events[from].thread != event->thread);
        if (from >= 0 && asked)
            mz__relate(r, from, e);
    }
}

int32_t mz__cause_in(const mz__graph *g, int32_t e, uint32_t thread)
{
    const mz__event *event = &g->events[e];
    uint32_t count = mz__clock_of(g, e, MZ__BY_PO)[thread];
    uint32_t known = event->before == MZ__NO_EVENT ? 0 : mz__clock_of(g, event->before, MZ__BY_PO)[thread];
    if (thread == event->thread || count <= known)
        return MZ__NO_EVENT;
    int32_t cause = g->last[thread];
    while (g->events[cause].index + 1 > count)
        cause = g->events[cause].before;
    return cause;
}

enum { FEW_WORDS = 64 };

bool mz__is_on_cycle(const mz__relation *r, int32_t event)
{
    uint64_t few[2 * FEW_WORDS] = {0}, *reached = few;
    if (r->words > FEW_WORDS)
        reached = mz_allocate_zeroed(2 * (size_t)r->words, sizeof *reached);
    uint64_t *left = reached + r->words;
    mz__set_bit(left, event);
    for (uint32_t w = 0; w < r->words;) {
        if (left[w] == 0) {
            w++;
            continue;
        }
        const uint64_t *row = mz__row(r, (int32_t)(w * 64) + __builtin_ctzll(left[w]));
        left[w] &= left[w] - 1;
        for (uint32_t i = 0, first = w; i < r->words; i++) {
            uint64_t more = row[i] & ~reached[i];
            reached[i] |= more;
            left[i] |= more;
            w = more && i < first && i < w ? i : w;
        }
    }
    bool is_back = reached[event / 64] >> event % 64 & 1;
    if (reached != few)
        mz_release(reached);
    return is_back;
}

/* Alive are those that may be on a cycle: in each round, those with a predecessor that is alive. */
bool mz__is_acyclic(const mz__relation *r)
{
    uint64_t few[2 * FEW_WORDS], *alive = few;
    if (r->words > FEW_WORDS)
        alive = mz_allocate_zeroed(2 * (size_t)r->words, sizeof *alive);
    uint64_t *reached = alive + r->words;
    for (uint32_t w = 0; w < r->words; w++)
        alive[w] = r->count - w * 64 >= 64 ? UINT64_MAX : (UINT64_C(1) << (r->count - w * 64)) - 1;
    bool changed = true, any = true;
    while (changed && any) {
        memset(reached, 0, r->words * sizeof *reached);
        mz__add_image(r, alive, reached);
        changed = any = false;
        for (uint32_t w = 0; w < r->words; w++) {
            changed |= (alive[w] & ~reached[w]) != 0;
            alive[w] &= reached[w];
            any |= alive[w] != 0;
        }
    }
    if (alive != few)
        mz_release(alive);
    return !any;
}
