/* Executions that are small changes of those that have shown something new.
 *
 * What is *covered* are pairs of events, one of which reads what the other has written: "the i-th event of
 * thread t reads from the j-th of thread u" (after Wolff et al., "Greybox fuzzing for concurrency testing",
 * ASPLOS 2024, whose pairs are of places in the program). There are far fewer pairs than traces, and a
 * program that is to go wrong has to read something that it did not read before. An execution with a pair
 * that no other had is kept; so is one of a new trace, as long as there are few. The next execution follows
 * one of those that are kept, but for a few steps at which another thread goes first: as far as it can, and
 * at random behind that. */
#include "algo/sampling/walks.h"

#include "base/memory.h"
#include "search/items/schedule.h"

enum { MOST_KEPT = 512, ENOUGH_TRACES = 32, MOST_CHANGES = 6, PLAIN_ONE_IN = 8 };

typedef struct kept {
    uint32_t *threads;
    size_t length;
    uint32_t tried, found; /* how often it was followed, and something new was found then */
} kept;

typedef struct coverage {
    mz_hash_set pairs;
    kept *all;
    size_t count;
    kept *followed; /* NULL: nothing, a random walk */
    size_t at;      /* in what is followed */
    uint32_t held;  /* the thread that is not to go on just now, or MZ_NONE */
    uint64_t holds; /* for so many steps it is not */
    uint64_t changes[MOST_CHANGES];
    size_t change_count;
} coverage;

static void *create(mz__walks *w)
{
    (void)w;
    coverage *c = mz_allocate_zeroed(1, sizeof *c);
    c->all = mz_allocate_zeroed(MOST_KEPT, sizeof *c->all);
    return c;
}

static void release(void *data)
{
    coverage *c = data;
    for (size_t i = 0; i < c->count; i++)
        mz_release(c->all[i].threads);
    mz_release(c->all);
    mz_hash_set_release(&c->pairs);
    mz_release(c);
}

/* ---- what to follow -------------------------------------------------------------------------------------
 */

static bool is_better(const kept *a, const kept *b)
{
    return (uint64_t)(a->found + 1) * (b->tried + 1) > (uint64_t)(b->found + 1) * (a->tried + 1);
}

/* The better one of two. */
static kept *draw_kept(mz__walks *w, coverage *c)
{
    kept *a = &c->all[mz__draw(w, c->count)], *b = &c->all[mz__draw(w, c->count)];
    return is_better(a, b) ? a : b;
}

static void begin(mz__walks *w, void *data)
{
    coverage *c = data;
    c->followed = c->count == 0 || mz__draw(w, PLAIN_ONE_IN) == 0 ? NULL : draw_kept(w, c);
    c->at = 0;
    c->held = MZ_NONE;
    c->change_count = 0;
    if (!c->followed)
        return;
    c->followed->tried++;
    c->change_count = 1 + mz__draw(w, MOST_CHANGES);
    for (size_t i = 0; i < c->change_count; i++)
        c->changes[i] = mz__draw(w, c->followed->length + 1);
}

/* The next step of what is followed, of a thread that is ready. Steps that cannot be made now are passed
 * over: as many of their threads are made at random at the end. */
static uint32_t follow(mz__walks *w, coverage *c, mz_threads ready)
{
    const kept *k = c->followed;
    while (k && c->at < k->length) {
        uint32_t thread = k->threads[c->at++];
        if (mz_threads_has(ready, thread))
            return thread;
    }
    return mz__any_of(w, ready);
}

/* The thread whose turn it is has to wait for a while. */
static void change(mz__walks *w, coverage *c)
{
    const kept *k = c->followed;
    c->held = k->threads[c->at];
    c->holds = 1 + mz__draw(w, 1 + mz__draw(w, k->length));
}

static uint32_t choose(mz__walks *w, void *data, mz_threads ready)
{
    coverage *c = data;
    size_t step = w->search->execution->length;
    for (size_t i = 0; i < c->change_count; i++)
        if (c->changes[i] == step && c->at < c->followed->length)
            change(w, c);
    if (c->held != MZ_NONE && c->holds-- == 0)
        c->held = MZ_NONE;
    mz_threads others = c->held == MZ_NONE ? ready : ready & ~mz_threads_of(c->held);
    return follow(w, c, mz_threads_any(others) ? others : ready);
}

/* ---- what is new ----------------------------------------------------------------------------------------
 */

/* How many pairs of the execution were in no other? */
static size_t add_pairs(coverage *c, const mz_execution *x)
{
    size_t count = 0;
    for (uint32_t i = 0; i < x->record_count; i++) {
        const mz_access_record *r = &x->records[i];
        if (!(r->access.kind & MZ_READ))
            continue;
        const mz_event *reader = &x->events[r->event];
        mz_hash pair = mz_hash_add(mz_hash_start(reader->thread), reader->index);
        if (r->previous_write != MZ_NONE) {
            const mz_event *writer = &x->events[x->records[r->previous_write].event];
            pair = mz_hash_add(mz_hash_add(pair, writer->thread), writer->index);
        }
        count += (size_t)mz_hash_set_add(&c->pairs, pair);
    }
    return count;
}

/* If there is no more room: instead of the worst of some. */
static kept *make_room(mz__walks *w, coverage *c)
{
    enum { LOOKS = 8 };
    if (c->count < MOST_KEPT)
        return &c->all[c->count++];
    kept *worst = &c->all[mz__draw(w, c->count)];
    for (int i = 0; i < LOOKS; i++) {
        kept *other = &c->all[mz__draw(w, c->count)];
        worst = is_better(worst, other) ? other : worst;
    }
    mz_release(worst->threads);
    return worst;
}

static void keep(mz__walks *w, coverage *c)
{
    const mz_execution *x = w->search->execution;
    uint32_t *threads = mz_allocate((x->length + 1) * sizeof *threads);
    for (size_t i = 0; i < x->length; i++)
        threads[i] = x->events[i].thread;
    *make_room(w, c) = (kept){.threads = threads, .length = x->length};
}

static void watch(mz__walks *w, void *data, bool is_new)
{
    coverage *c = data;
    if (add_pairs(c, w->search->execution) > 0 || (is_new && c->count < ENOUGH_TRACES))
        keep(w, c);
}

static void end(mz__walks *w, void *data, bool is_new)
{
    coverage *c = data;
    size_t new_pairs = add_pairs(c, w->search->execution);
    if (c->followed)
        c->followed->found += new_pairs > 0;
    if (new_pairs > 0 || (is_new && c->count < ENOUGH_TRACES))
        keep(w, c);
}

const mz__strategy mz__strategy_coverage = {.name = "coverage",
                                            .create = create,
                                            .release = release,
                                            .begin = begin,
                                            .choose = choose,
                                            .end = end,
                                            .watch = watch};

static void run(mz_search *s)
{
    mz__walk(s, &mz__strategy_coverage);
}

const mz_algorithm mz_algorithm_coverage = {
    .name = "coverage",
    .description = "changes of executions in which something was read anew (fuzz --strategy=coverage)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_ROUNDS,
    .repeats = true,
    .samples = "random",
    .grows_graphs = true,
    .in_one_piece = true,
    .options = mz__sampling_options,
    .run = run,
};
