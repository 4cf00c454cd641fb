#include "algo/sections/constraints.h"

#include "algo/lazy/smt.h"
#include "algo/sections/least_words.h"
#include "support.h"

enum { MOST_EVENTS = 10, MOST_CONSTRAINTS = 14, MOST_PERMUTED = 7 };

/* A small system, as it was added. */
typedef struct graph {
    uint32_t event_count, thread_count, threads[MOST_EVENTS];
    uint32_t fixed_count, fixed[MOST_EVENTS * MOST_EVENTS][2];
    uint32_t pair_count, pairs[MOST_CONSTRAINTS][2];
} graph;

typedef bool relation[MOST_EVENTS][MOST_EVENTS];

/* Events are added in a random order that no fixed edge contradicts; so is each constraint's direction. */
static graph make_graph(uint64_t *random)
{
    graph g = {.thread_count = 1 + random_below(random, 4)};
    g.event_count = random_below(random, MOST_EVENTS + 1);
    uint32_t density = 1 + random_below(random, 6), causes = random_below(random, 3);
    for (uint32_t e = 0; e < g.event_count; e++)
        g.threads[e] = random_below(random, g.thread_count);
    for (uint32_t a = 0; a < g.event_count; a++)
        for (uint32_t b = a + 1; b < g.event_count; b++) {
            if (g.threads[a] == g.threads[b])
                continue;
            if (random_below(random, 30) < causes) {
                g.fixed[g.fixed_count][0] = a;
                g.fixed[g.fixed_count++][1] = b;
            }
            if (g.pair_count < MOST_CONSTRAINTS && random_below(random, 6) < density) {
                bool turned = random_below(random, 2);
                g.pairs[g.pair_count][0] = turned ? b : a;
                g.pairs[g.pair_count++][1] = turned ? a : b;
            }
        }
    return g;
}

static void add_graph(mz_constraints *c, const graph *g)
{
    mz_constraints_clear(c);
    for (uint32_t e = 0; e < g->event_count; e++)
        assert_int_equal(mz_constraints_add_event(c, g->threads[e]), e);
    for (uint32_t i = 0; i < g->fixed_count; i++)
        mz_constraints_add_fixed(c, g->fixed[i][0], g->fixed[i][1]);
    for (uint32_t i = 0; i < g->pair_count; i++)
        mz_constraints_add(c, g->pairs[i][0], g->pairs[i][1]);
    mz_constraints_start(c);
}

/* Transitive closure; false if there is a cycle. */
static bool close_relation(relation r, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                r[i][j] |= r[i][k] && r[k][j];
    for (uint32_t i = 0; i < n; i++)
        if (r[i][i])
            return false;
    return true;
}

static void fixed_relation(const graph *g, relation r)
{
    memset(r, 0, sizeof(relation));
    for (uint32_t a = 0; a < g->event_count; a++)
        for (uint32_t b = a + 1; b < g->event_count; b++)
            r[a][b] = g->threads[a] == g->threads[b];
    for (uint32_t i = 0; i < g->fixed_count; i++)
        r[g->fixed[i][0]][g->fixed[i][1]] = true;
}

/* What is fixed and the first `count` of the constraints, those in the set the other way round. */
static bool oriented(const graph *g, const mz_constraints *c, size_t count, uint32_t reversed, relation r)
{
    fixed_relation(g, r);
    for (size_t i = 0; i < count; i++) {
        mz_constraint pair = c->constraints[i];
        bool turned = reversed >> i & 1;
        r[turned ? pair.second : pair.first][turned ? pair.first : pair.second] = true;
    }
    return close_relation(r, g->event_count);
}

/* Constraints that are left are those that nothing fixed decides, in the order they were added. */
static void assert_real_constraints(const graph *g, const mz_constraints *c)
{
    relation r;
    size_t kept = 0;
    fixed_relation(g, r);
    assert_true(close_relation(r, g->event_count));
    for (uint32_t i = 0; i < g->pair_count; i++) {
        uint32_t a = g->pairs[i][0], b = g->pairs[i][1];
        if (r[a][b] || r[b][a])
            continue;
        assert_true(kept < c->constraint_count);
        assert_int_equal(c->constraints[kept].first, a);
        assert_int_equal(c->constraints[kept++].second, b);
    }
    assert_int_equal(kept, c->constraint_count);
}

/* The decided orientation as a set of reversed constraints; the rows must be the closure of it. */
static uint32_t orientation_of(const graph *g, const mz_constraints *c)
{
    uint32_t reversed = 0;
    relation r;
    for (size_t i = 0; i < c->constraint_count; i++)
        if (mz_constraints_is_before(c, c->constraints[i].second, c->constraints[i].first))
            reversed |= 1u << i;
    assert_true(oriented(g, c, c->constraint_count, reversed, r));
    for (uint32_t a = 0; a < g->event_count; a++)
        for (uint32_t b = 0; b < g->event_count; b++) {
            assert_int_equal(mz_constraints_is_before(c, a, b), r[a][b]);
            assert_int_equal(mz_bit_of(mz_constraints_row(c, c->before, b), a), r[a][b]);
        }
    return reversed;
}

static bool less_by_thread(const graph *g, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t i = 0; i < g->event_count; i++)
        if (g->threads[a[i]] != g->threads[b[i]])
            return g->threads[a[i]] < g->threads[b[i]];
    return false;
}

/* The least of all linear orders, by trying all of them. */
static void least_of_all(const graph *g, relation before, uint32_t *chosen, uint32_t length, uint32_t *best,
                         bool *found)
{
    if (length == g->event_count) {
        if (!*found || less_by_thread(g, chosen, best))
            memcpy(best, chosen, length * sizeof *best);
        *found = true;
        return;
    }
    for (uint32_t e = 0; e < g->event_count; e++) {
        bool possible = true;
        for (uint32_t i = 0; i < length; i++)
            possible &= chosen[i] != e && !before[e][chosen[i]];
        for (uint32_t f = 0; f < g->event_count; f++) {
            bool placed = false;
            for (uint32_t i = 0; i < length; i++)
                placed |= chosen[i] == f;
            possible &= !before[f][e] || placed;
        }
        if (!possible)
            continue;
        chosen[length] = e;
        least_of_all(g, before, chosen, length + 1, best, found);
    }
}

static void assert_least(const graph *g, const mz_constraints *c, uint32_t reversed, const uint32_t *word)
{
    relation r;
    uint32_t chosen[MOST_EVENTS], best[MOST_EVENTS];
    bool found = false;
    if (g->event_count > MOST_PERMUTED)
        return;
    assert_true(oriented(g, c, c->constraint_count, reversed, r));
    least_of_all(g, r, chosen, 0, best, &found);
    assert_true(found);
    assert_memory_equal(word, best, g->event_count * sizeof *word);
}

static void every_satisfiable_orientation_once(void **state)
{
    (void)state;
    uint64_t random = 1;
    mz_constraints c = {0};
    uint32_t cyclic = 0, with_causes = 0;
    for (int round = 0; round < 4000; round++) {
        graph g = make_graph(&random);
        static bool seen[1 << MOST_CONSTRAINTS];
        memset(seen, 0, sizeof seen);
        add_graph(&c, &g);
        assert_real_constraints(&g, &c);
        uint64_t found = 0;
        while (mz_constraints_next(&c)) {
            uint32_t reversed = orientation_of(&g, &c), word[MOST_EVENTS + 1];
            assert_false(seen[reversed]);
            seen[reversed] = true;
            mz_constraints_least_word(&c, word);
            assert_least(&g, &c, reversed, word);
            assert_int_equal(c.solutions, ++found);
        }
        assert_false(mz_constraints_next(&c));
        uint64_t all = UINT64_C(1) << c.constraint_count, satisfiable = 0;
        for (uint32_t reversed = 0; reversed < all; reversed++) {
            relation r;
            bool acyclic = oriented(&g, &c, c.constraint_count, reversed, r);
            assert_int_equal(seen[reversed], acyclic);
            satisfiable += acyclic;
        }
        assert_int_equal(mz_constraints_avoided(&c), all - satisfiable);
        cyclic += satisfiable < all;
        with_causes += g.fixed_count > 0;
    }
    assert_true(cyclic > 500 && with_causes > 500);
    mz_constraints_release(&c);
}

static uint32_t orientation_of_word(const mz_constraints *c, const uint32_t *word)
{
    uint32_t reversed = 0, place[MOST_EVENTS];
    for (uint32_t i = 0; i < c->event_count; i++)
        place[word[i]] = i;
    for (size_t i = 0; i < c->constraint_count; i++)
        if (place[c->constraints[i].second] < place[c->constraints[i].first])
            reversed |= 1u << i;
    return reversed;
}

static void least_words_in_order(void **state)
{
    (void)state;
    uint64_t random = 2;
    mz_constraints c = {0};
    mz_least_words words = {0};
    for (int round = 0; round < 4000; round++) {
        graph g = make_graph(&random);
        add_graph(&c, &g);
        mz_least_words_start(&words, &c);
        static bool seen[1 << MOST_CONSTRAINTS];
        memset(seen, 0, sizeof seen);
        uint32_t previous[MOST_EVENTS] = {0}, shared, found = 0;
        for (; mz_least_words_next(&words, &shared); found++) {
            uint32_t reversed = orientation_of_word(&c, words.word);
            assert_false(seen[reversed]);
            seen[reversed] = true;
            assert_least(&g, &c, reversed, words.word);
            if (found > 0)
                assert_true(less_by_thread(&g, previous, words.word));
            uint32_t common = 0;
            while (found > 0 && common < g.event_count && previous[common] == words.word[common])
                common++;
            assert_int_equal(shared, common);
            memcpy(previous, words.word, g.event_count * sizeof *previous);
        }
        assert_false(mz_least_words_next(&words, &shared));
        for (; mz_constraints_next(&c); found--) {
            uint32_t word[MOST_EVENTS + 1], reversed = orientation_of(&g, &c);
            assert_true(seen[reversed]);
            mz_constraints_least_word(&c, word);
            assert_int_equal(orientation_of_word(&c, word), reversed);
        }
        assert_int_equal(found, 0);
    }
    mz_constraints_release(&c);
}

static void maximal_satisfiable_prefixes(void **state)
{
    (void)state;
    uint64_t random = 3;
    mz_constraints c = {0};
    uint32_t cut = 0;
    for (int round = 0; round < 4000; round++) {
        graph g = make_graph(&random);
        add_graph(&c, &g);
        bool directions[MOST_CONSTRAINTS + 1] = {false};
        uint32_t reversed = 0;
        for (size_t i = 0; i < c.constraint_count; i++) {
            directions[i] = random_below(&random, 2);
            reversed |= (uint32_t)directions[i] << i;
        }
        relation r;
        size_t decided = mz_constraints_decide(&c, directions);
        assert_true(oriented(&g, &c, decided, reversed, r));
        for (uint32_t a = 0; a < g.event_count; a++)
            for (uint32_t b = 0; b < g.event_count; b++)
                assert_int_equal(mz_constraints_is_before(&c, a, b), r[a][b]);
        assert_true(decided == c.constraint_count || !oriented(&g, &c, decided + 1, reversed, r));
        cut += decided < c.constraint_count;
        uint32_t word[MOST_EVENTS + 1]; /* it has a solution */
        mz_constraints_least_word(&c, word);
    }
    assert_true(cut > 500);
    mz_constraints_release(&c);
}

/* A ring of threads that each copy their cell to the next one, `rounds` times, after `padding` events that
 * have nothing to do with the others. */
static void add_ring(mz_constraints *c, uint32_t threads, uint32_t rounds, uint32_t padding)
{
    uint32_t copies[64][4];
    mz_constraints_clear(c);
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t i = 0; i < padding; i++)
            mz_constraints_add_event(c, t);
        for (uint32_t i = 0; i < rounds; i++)
            copies[t][i] = mz_constraints_add_event(c, t);
    }
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t i = 0; i < rounds; i++)
            for (uint32_t j = 0; j < rounds; j++)
                mz_constraints_add(c, copies[t][i], copies[(t + 1) % threads][j]);
    mz_constraints_start(c);
}

static uint64_t count_words(const mz_constraints *c)
{
    mz_least_words words = {0};
    uint64_t count = 0;
    uint32_t shared;
    mz_least_words_start(&words, c);
    while (mz_least_words_next(&words, &shared))
        count++;
    return count;
}

static uint64_t count_solutions(mz_constraints *c)
{
    while (mz_constraints_next(c))
        ;
    return c->solutions;
}

/* Rings, of which the numbers are known; with padding there are more than 64 events. */
static void known_numbers(void **state)
{
    (void)state;
    const struct {
        uint32_t threads, rounds, padding;
        uint64_t satisfiable, avoided;
    } known[] = {
        {5, 1, 0, 30, 2},           {5, 1, 20, 30, 2},        {13, 1, 0, 8190, 2},
        {13, 1, 7, 8190, 2},        {3, 2, 0, 90, 4006},      {4, 2, 0, 786, 64750},
        {4, 2, 40, 786, 64750},     {5, 2, 0, 5730, 1042846}, {5, 2, 11, 5730, 1042846},
        {6, 2, 0, 38466, 16738750},
    };
    mz_constraints c = {0};
    for (size_t i = 0; i < LENGTH(known); i++) {
        add_ring(&c, known[i].threads, known[i].rounds, known[i].padding);
        if (c.event_count <= MZ_MOST_LETTERS)
            assert_int_equal(count_words(&c), known[i].satisfiable);
        assert_int_equal(count_solutions(&c), known[i].satisfiable);
        assert_int_equal(mz_constraints_avoided(&c), known[i].avoided);
        mz_constraints_start(&c); /* and once more */
        assert_int_equal(count_solutions(&c), known[i].satisfiable);
    }
    mz_constraints_release(&c);
}

/* The SMT solver's solutions obey what is decided. */
static void solutions_by_smt(void **state)
{
    (void)state;
    uint64_t random = 4;
    mz_constraints c = {0};
    mz_smt *smt = mz_smt_create();
    assert_int_equal(smt != NULL, mz_smt_is_available());
    if (!smt)
        skip();
    for (int round = 0; round < 60; round++) {
        graph g = make_graph(&random);
        add_graph(&c, &g);
        for (int i = 0; i < 10 && mz_constraints_next(&c); i++) {
            uint32_t word[MOST_EVENTS + 1];
            bool placed[MOST_EVENTS] = {false};
            assert_true(mz_smt_solve(smt, &c, word));
            for (uint32_t k = 0; k < g.event_count; k++) {
                assert_true(word[k] < g.event_count && !placed[word[k]]);
                placed[word[k]] = true;
                for (uint32_t before = 0; before < g.event_count; before++)
                    assert_true(placed[before] || !mz_constraints_is_before(&c, before, word[k]));
            }
        }
    }
    mz_smt_destroy(smt);
    mz_constraints_release(&c);
}

static void large_numbers_saturate(void **state)
{
    (void)state;
    mz_constraints c = {0};
    add_ring(&c, 20, 4, 0);
    assert_int_equal(c.constraint_count, 320);
    assert_true(mz_constraints_next(&c));
    assert_true(mz_constraints_avoided(&c) == UINT64_MAX);
    mz_constraints_clear(&c);
    mz_constraints_start(&c); /* no events: one solution, the empty one */
    assert_int_equal(count_words(&c), 1);
    assert_int_equal(count_solutions(&c), 1);
    assert_int_equal(mz_constraints_avoided(&c), 0);
    mz_constraints_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_satisfiable_orientation_once),
        cmocka_unit_test(least_words_in_order),
        cmocka_unit_test(maximal_satisfiable_prefixes),
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(solutions_by_smt),
        cmocka_unit_test(large_numbers_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
