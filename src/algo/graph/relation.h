/* Relations over the events of a graph, as bit matrices: row e has those that e is related to. */
#ifndef MZ_ALGO_GRAPH_RELATION_H
#define MZ_ALGO_GRAPH_RELATION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "algo/graph/graph.h"
#include "base/memory.h"

typedef struct mz__relation {
    uint32_t count, words; /* events, and words of a row */
    uint64_t *rows;
    size_t capacity;
} mz__relation;

static inline uint64_t *mz__row(const mz__relation *r, int32_t e)
{
    return r->rows + (size_t)e * r->words;
}

static inline void mz__set_bit(uint64_t *row, int32_t f)
{
    row[f / 64] |= UINT64_C(1) << f % 64;
}

static inline void mz__relate(mz__relation *r, int32_t e, int32_t f)
{
    mz__set_bit(mz__row(r, e), f);
}

void mz__relation_clear(mz__relation *relation, uint32_t count);
static inline void mz__relation_release(mz__relation *r)
{
    mz_release(r->rows);
}

/* Those that the members of a set are related to are added to another set. */
static inline void mz__add_image(const mz__relation *r, const uint64_t *set, uint64_t *into)
{
    for (uint32_t w = 0; w < r->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
            const uint64_t *row = mz__row(r, (int32_t)(w * 64) + __builtin_ctzll(bits));
            for (uint32_t i = 0; i < r->words; i++)
                into[i] |= row[i];
        }
}

bool mz__is_acyclic(const mz__relation *relation);
/* Does some way lead from the event back to it? So if all others are known to be on none. */
bool mz__is_on_cycle(const mz__relation *relation, int32_t event);

/* Each write to the next one in mo, each read to the first write behind the one it has read from (fr); and,
 * if asked for, where a read reads from to the read: from another thread, or from any. What else there is of
 * mo and fr follows. */
typedef enum mz__which_rf { MZ__NO_RF, MZ__RF_OF_OTHERS, MZ__ALL_RF } mz__which_rf;
void mz__relate_communication(mz__relation *relation, const mz__graph *graph, mz__which_rf rf);

/* The last event of the thread that comes before e by a cause of e itself, and not by what is before e in its
 * thread; or MZ__NO_EVENT. */
int32_t mz__cause_in(const mz__graph *graph, int32_t event, uint32_t thread);

#endif
