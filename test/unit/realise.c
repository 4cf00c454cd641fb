/* Realising observations, against every order of the events. */
#include "algo/rf/realise.h"

#include "base/memory.h"
#include "support.h"

enum { THREADS = 4, LOCATIONS = 3, MOST = 9, ADDED = MOST };

typedef struct problem {
    uint32_t thread[MOST + 1], access_count[MOST + 1];
    mz_access accesses[MOST + 1][2];
    uint32_t writer[MOST + 1][2]; /* that is to be read from: an event, or MZ_NONE */
    uint32_t length;              /* of the execution; the operation to add stands at ADDED */
    bool loose[LOCATIONS];
} problem;

/* Who shares locations with whom. In a pipeline, the i-th location belongs to the threads i and i + 1; in a
 * star, to the threads 0 and i + 1; of two that share, both write the loose locations and everyone the strict
 * ones. */
typedef enum sharing { ANY, PIPELINE, STAR, TWO_SHARE } sharing;

static bool may_touch(const problem *p, sharing how, uint32_t thread, uint32_t location)
{
    switch (how) {
    case PIPELINE:
        return thread == location || thread == location + 1;
    case STAR:
        return thread == 0 || thread == location + 1;
    case TWO_SHARE:
        return thread < 2 || !p->loose[location];
    default:
        return true;
    }
}

static void make_operation(problem *p, sharing how, uint32_t event, uint64_t *random, uint32_t threads)
{
    p->thread[event] = random_below(random, threads);
    p->access_count[event] = 1 + (random_below(random, 4) == 0);
    for (uint32_t i = 0; i < p->access_count[event]; i++) {
        uint32_t first = p->accesses[event][0].location;
        uint32_t location = i == 0 ? random_below(random, LOCATIONS) : (first + 1) % LOCATIONS;
        if (!may_touch(p, how, p->thread[event], location)) {
            p->access_count[event] = i;
            return;
        }
        uint32_t kind = random_below(random, 5) == 0 ? MZ_READ | MZ_WRITE : 1 + random_below(random, 2);
        p->accesses[event][i] = (mz_access){location, kind};
    }
}

static bool writes(const problem *p, uint32_t event, uint32_t location)
{
    for (uint32_t i = 0; i < p->access_count[event]; i++)
        if (p->accesses[event][i].location == location && (p->accesses[event][i].kind & MZ_WRITE))
            return true;
    return false;
}

static uint32_t last_writer(const problem *p, const uint32_t *order, uint32_t count, uint32_t location)
{
    while (count > 0 && !writes(p, order[count - 1], location))
        count--;
    return count > 0 ? order[count - 1] : MZ_NONE;
}

static bool conflict_strictly(const problem *p, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < p->access_count[a]; i++)
        for (uint32_t j = 0; j < p->access_count[b]; j++)
            if (!p->loose[p->accesses[a][i].location] &&
                mz_accesses_conflict(&p->accesses[a][i], 1, &p->accesses[b][j], 1))
                return true;
    return false;
}

/* Can the event follow these? `done` are those that have been placed. */
static bool can_follow(const problem *p, const uint32_t *order, uint32_t count, const bool *done,
                       uint32_t event)
{
    for (uint32_t other = 0; other < p->length && other < event; other++)
        if (!done[other] && (p->thread[other] == p->thread[event] || conflict_strictly(p, other, event)))
            return false;
    for (uint32_t i = 0; i < p->access_count[event]; i++) {
        mz_access access = p->accesses[event][i];
        if (p->loose[access.location] && (access.kind & MZ_READ) &&
            last_writer(p, order, count, access.location) != p->writer[event][i])
            return false;
    }
    return true;
}

/* By trying everything. */
static bool has_order(const problem *p, uint32_t *order, uint32_t count, bool *done)
{
    if (count == p->length + 1)
        return true;
    for (uint32_t event = 0; event <= ADDED; event++) {
        if (done[event] || (event >= p->length && event != ADDED) ||
            !can_follow(p, order, count, done, event))
            continue;
        done[event] = true;
        order[count] = event;
        if (has_order(p, order, count + 1, done))
            return true;
        done[event] = false;
    }
    return false;
}

static void assert_right_order(const problem *p, const mz_realiser *r)
{
    bool done[MOST + 1] = {false};
    uint32_t order[MOST + 1];
    assert_int_equal(r->order_count, p->length + 1);
    for (uint32_t i = 0; i < r->order_count; i++) {
        uint32_t event = r->order[i] == p->length ? ADDED : r->order[i];
        assert_true(event <= ADDED && !done[event]);
        assert_true(can_follow(p, order, i, done, event));
        done[event] = true;
        order[i] = event;
    }
}

static void make_problem(problem *p, sharing how, uint64_t *random)
{
    uint32_t threads = 2 + random_below(random, THREADS - 1), order[MOST];
    p->length = 2 + random_below(random, MOST - 1);
    for (uint32_t i = 0; i < LOCATIONS; i++)
        p->loose[i] = random_below(random, 4) > 0;
    for (uint32_t event = 0; event < p->length; event++) {
        make_operation(p, how, event, random, threads);
        order[event] = event;
        for (uint32_t i = 0; i < p->access_count[event]; i++)
            p->writer[event][i] = last_writer(p, order, event, p->accesses[event][i].location);
    }
    make_operation(p, how, ADDED, random, threads);
    for (uint32_t i = 0; i < p->access_count[ADDED]; i++) { /* from any write, as it comes */
        uint32_t before = random_below(random, p->length + 1);
        p->writer[ADDED][i] = last_writer(p, order, before, p->accesses[ADDED][i].location);
    }
}

static void prepare(const problem *p, mz_realiser *r, mz_execution *x, mz_observation *o,
                    mz_addition *addition)
{
    for (uint32_t event = 0; event < p->length; event++)
        mz_execution_push(
            x, p->thread[event],
            &(mz_operation){.access_count = p->access_count[event], .accesses = p->accesses[event]},
            &(mz_choices){0});
    o->natures = mz_grow(NULL, &o->location_capacity, LOCATIONS, sizeof *o->natures);
    o->location_count = LOCATIONS;
    for (uint32_t i = 0; i < LOCATIONS; i++)
        o->natures[i] = (mz_location_nature){.ordered = !p->loose[i], .exchangeable = p->loose[i]};
    mz_observation_restart(o, x);
    mz_observation_follow(o, x);
    *addition = (mz_addition){.thread = p->thread[ADDED],
                              .access_count = p->access_count[ADDED],
                              .accesses = p->accesses[ADDED],
                              .writers = p->writer[ADDED]};
    r->execution = x;
    r->observation = o;
    r->set = x->thread_length;
    r->additions = addition;
    r->addition_count = 1;
}

/* Compares with every order, for random problems: what can be told at once, and the rest, which must be able
 * to do without that. Returns how often a search was needed. */
static uint64_t compare(sharing how)
{
    uint32_t possible = 0, at_once = 0, rounds = 20000;
    uint64_t searches = 0;
    for (uint32_t round = 1; round <= rounds; round++) {
        uint64_t random = round;
        problem p = {0};
        uint32_t order[MOST + 1];
        bool done[MOST + 1] = {false};
        make_problem(&p, how, &random);
        mz_machine machine = {.thread_capacity = THREADS, .location_count = LOCATIONS};
        mz_execution *x = mz_execution_create(&machine, false);
        mz_observation o = {0};
        mz_realiser r = {0};
        mz_addition addition;
        prepare(&p, &r, x, &o, &addition);
        bool found = has_order(&p, order, 0, done);
        if (mz_realise_at_once(&r)) {
            assert_true(found);
            assert_right_order(&p, &r);
            at_once++;
        }
        assert_int_equal(mz_realise_by_order(&r), found);
        if (found)
            assert_right_order(&p, &r);
        possible += found;
        searches += r.searches;
        mz_realiser_release(&r);
        mz_observation_release(&o);
        mz_execution_destroy(x);
    }
    assert_true(possible > rounds / 10 && possible < rounds - rounds / 100); /* both are tried */
    assert_true(at_once > possible / 2);
    return searches;
}

static void as_trying_every_order(void **state)
{
    (void)state;
    assert_true(compare(ANY) > 0);
}

static void trees_need_no_search(void **state)
{
    (void)state;
    assert_int_equal(compare(PIPELINE), 0);
    assert_int_equal(compare(STAR), 0);
    assert_int_equal(compare(TWO_SHARE), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_trying_every_order),
                                       cmocka_unit_test(trees_need_no_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
