#include "search/frontier.h"

#include "checks.h"

/* ---- bytes ------------------------------------------------------------------------------------------- */

static void numbers_are_read_as_they_were_written(void **state)
{
    (void)state;
    const int64_t numbers[] = {0,   1,   -1,      63,        64,        -64,          -65,
                               127, 128, 1 << 20, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    mz_bytes bytes = {0};
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        mz_bytes_add_signed(&bytes, numbers[i]);
        mz_bytes_add_number(&bytes, (uint64_t)numbers[i]);
    }
    mz_byte_reader r = {.data = bytes.data, .length = bytes.length};
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        assert_true(mz_read_signed(&r) == numbers[i]);
        assert_true(mz_read_number(&r) == (uint64_t)numbers[i]);
    }
    assert_false(r.failed);
    mz_read_number(&r);
    assert_true(r.failed); /* there is no more */
    mz_bytes_release(&bytes);
}

static void numbers_that_are_too_long_are_refused(void **state)
{
    (void)state;
    const uint8_t long_number[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 2};
    mz_byte_reader r = {.data = long_number, .length = sizeof long_number};
    mz_read_number(&r);
    assert_true(r.failed);
    r = (mz_byte_reader){.data = long_number, .length = 4}; /* no end */
    mz_read_number(&r);
    assert_true(r.failed);
}

/* ---- items ------------------------------------------------------------------------------------------- */

/* Three processes, choices at the beginning and on the way. */
static const char model[] = "<3, x 2, local r 1> [ x[0] := choose(0, 2)  r := x[1]  x[1] := choose(1, 2) ]"
                            " [ x[1] := 1  r := x[0]  x[0] := 2 ] [ r := x[0] + x[1] ]";

typedef struct counting {
    uint64_t executions, pause_after, traces;
    int how;
} counting;

static void count(void *context, mz_search *search, mz_leaf leaf)
{
    counting *c = context;
    c->traces += leaf != MZ_LEAF_BLOCKED && leaf != MZ_LEAF_VISITED;
    if (++c->executions == c->pause_after)
        search->pause = c->how;
}

static void explore(mz_frontier *f, model_under_test *m, const mz_algorithm *algorithm, mz_work_item *item,
                    counting *c)
{
    uint64_t epoch = f->epoch;
    mz_search search;
    mz_search_init(&search, m->machine, &(mz_search_options){.checks = MZ_FAILURES_ALL, .all_errors = true});
    search.observe = count;
    search.observe_context = c;
    mz_frontier_explore(f, &search, algorithm->run, item);
    if (f->epoch != epoch)
        c->traces = 0;
    mz_search_release(&search);
}

static uint64_t count_in_one_go(const mz_algorithm *algorithm)
{
    model_under_test m = load_model(model);
    counting c = {0};
    mz_search search;
    mz_search_init(&search, m.machine, &(mz_search_options){.checks = MZ_FAILURES_ALL, .all_errors = true});
    search.observe = count;
    search.observe_context = &c;
    algorithm->run(&search);
    assert_false(search.stop);
    mz_search_release(&search);
    unload_model(&m);
    return c.traces;
}

/* Interrupted after every so many executions, each item with its own search, the largest first. */
static void count_in_parts(const mz_algorithm *algorithm, uint64_t every, int how, uint64_t expected)
{
    model_under_test m = load_model(model);
    mz_frontier f;
    counting c = {.how = how};
    size_t items = 0;
    mz_frontier_begin(&f);
    while (f.count > 0) {
        mz_work_item item = mz_frontier_take(&f, mz_frontier_largest(&f));
        c.pause_after = c.executions + every;
        explore(&f, &m, algorithm, &item, &c);
        mz_work_item_release(&item);
        assert_false(f.lost);
        assert_int_equal(f.refused.length, 0);
        items++;
    }
    assert_true(items > 2);
    assert_int_equal(c.traces, expected);
    mz_frontier_release(&f);
    unload_model(&m);
}

static void parts_are_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < mz_algorithm_count; i++) {
        const mz_algorithm *algorithm = mz_algorithms[i];
        if (algorithm->in_one_piece || algorithm->repeats)
            continue;
        uint64_t expected = count_in_one_go(algorithm);
        assert_true(expected > 10);
        count_in_parts(algorithm, 1, MZ_PAUSE_DISSOLVE, expected);
        count_in_parts(algorithm, 5, MZ_PAUSE_DISSOLVE, expected);
        count_in_parts(algorithm, 2, MZ_PAUSE_SPLIT, expected);
    }
}

/* A frontier in the middle of a search. */
static void write_frontier(model_under_test *m, const mz_algorithm *algorithm, mz_bytes *bytes)
{
    mz_frontier f;
    counting c = {.pause_after = 4, .how = MZ_PAUSE_DISSOLVE};
    mz_frontier_begin(&f);
    mz_work_item item = mz_frontier_take(&f, 0);
    explore(&f, m, algorithm, &item, &c);
    assert_true(f.count > 0);
    mz_frontier_write(&f, bytes);
    mz_work_item_release(&item);
    mz_frontier_release(&f);
}

static bool can_be_read(const uint8_t *data, size_t length)
{
    mz_frontier f;
    mz_byte_reader r = {.data = data, .length = length};
    bool read = mz_frontier_read(&r, &f);
    if (read)
        mz_frontier_release(&f);
    return read;
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < mz_algorithm_count; i++) {
        if (mz_algorithms[i]->in_one_piece)
            continue;
        model_under_test m = load_model(model);
        mz_bytes bytes = {0};
        write_frontier(&m, mz_algorithms[i], &bytes);
        assert_true(can_be_read(bytes.data, bytes.length));
        for (size_t at = 0; at < bytes.length; at++) {
            assert_false(can_be_read(bytes.data, at));
            bytes.data[at] ^= (uint8_t)(1u << at % 8);
            assert_false(can_be_read(bytes.data, bytes.length));
            bytes.data[at] ^= (uint8_t)(1u << at % 8);
        }
        mz_bytes_release(&bytes);
        unload_model(&m);
    }
}

/* An item that was meant for something else, with a check sum that fits: refused, or explored to some end. */
static void explore_damaged(model_under_test *m, const mz_algorithm *algorithm, const mz_work_item *item,
                            uint64_t *random)
{
    mz_frontier f = {0};
    mz_work_item changed = {.form = item->form, .whole = item->whole};
    counting c = {.pause_after = 50, .how = MZ_PAUSE_DISSOLVE};
    mz_schedule_copy_part(&changed.prefix, &item->prefix, item->prefix.length);
    mz_bytes_copy(&changed.payload, &item->payload);
    if (changed.prefix.length > 0)
        changed.prefix.threads[random_below(random, (uint32_t)changed.prefix.length)] =
            random_below(random, 64);
    changed.payload.length = random_below(random, (uint32_t)changed.payload.length + 1);
    explore(&f, m, algorithm, &changed, &c);
    mz_work_item_release(&changed);
    mz_frontier_release(&f);
}

static void items_that_do_not_fit_are_harmless(void **state)
{
    (void)state;
    uint64_t random = 1;
    const mz_algorithm *algorithms[] = {&mz_algorithm_full, &mz_algorithm_source, &mz_algorithm_dpor,
                                        &mz_algorithm_optimal};
    for (size_t i = 0; i < LENGTH(algorithms); i++) {
        model_under_test m = load_model(model);
        mz_bytes bytes = {0};
        mz_frontier f;
        write_frontier(&m, algorithms[i], &bytes);
        mz_byte_reader r = {.data = bytes.data, .length = bytes.length};
        assert_true(mz_frontier_read(&r, &f));
        for (size_t k = 0; k < f.count; k++)
            explore_damaged(&m, algorithms[i], &f.items[k], &random);
        mz_frontier_release(&f);
        mz_bytes_release(&bytes);
        unload_model(&m);
    }
}

/* Whoever cannot be parted says so, and does not stop. */
static void what_cannot_be_parted_goes_on(void **state)
{
    (void)state;
    model_under_test m = load_model(model);
    mz_frontier f;
    counting c = {.pause_after = 2, .how = MZ_PAUSE_DISSOLVE};
    mz_frontier_begin(&f);
    mz_work_item item = mz_frontier_take(&f, 0);
    explore(&f, &m, &mz_algorithm_lazy, &item, &c);
    assert_int_equal(f.count, 0);
    assert_false(f.lost);
    assert_int_equal(c.traces, count_in_one_go(&mz_algorithm_lazy));
    mz_work_item_release(&item);
    mz_frontier_release(&f);
    unload_model(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_as_they_were_written),
        cmocka_unit_test(numbers_that_are_too_long_are_refused),
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(items_that_do_not_fit_are_harmless),
        cmocka_unit_test(what_cannot_be_parted_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
