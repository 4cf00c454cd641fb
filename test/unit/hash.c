#include "base/hash_set.h"

#include "support.h"

static bool equal(mz_hash a, mz_hash b)
{
    return a.low == b.low && a.high == b.high;
}

static mz_hash hash_of(const uint64_t *words, size_t count)
{
    mz_hash h = mz_hash_start(0);
    for (size_t i = 0; i < count; i++)
        h = mz_hash_add(h, words[i]);
    return h;
}

static void order_matters_when_adding(void **state)
{
    (void)state;
    for (uint64_t a = 0; a < 60; a++)
        for (uint64_t b = 0; b < 60; b++) {
            if (a == b)
                continue;
            mz_hash ab = hash_of((uint64_t[]){a, b}, 2), ba = hash_of((uint64_t[]){b, a}, 2);
            assert_true(ab.low != ba.low); /* each half on its own: neither lane may be the weak one */
            assert_true(ab.high != ba.high);
        }
}

static void every_word_matters(void **state)
{
    (void)state;
    uint64_t words[8] = {0}, seed = 5;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < LENGTH(words); i++)
            words[i] = random_below(&seed, 4);
        mz_hash before = hash_of(words, LENGTH(words));
        assert_true(equal(before, hash_of(words, LENGTH(words))));
        assert_false(equal(before, hash_of(words, LENGTH(words) - 1)));
        for (size_t i = 0; i < LENGTH(words); i++)
            for (uint64_t bit = 1; bit; bit <<= 1) {
                words[i] ^= bit;
                mz_hash after = hash_of(words, LENGTH(words));
                assert_true(before.low != after.low);
                assert_true(before.high != after.high);
                words[i] ^= bit;
            }
    }
}

static void seeds_differ(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 100; seed++) {
        assert_false(equal(mz_hash_start(0), mz_hash_start(seed)));
        assert_false(equal(mz_hash_add(mz_hash_start(0), 7), mz_hash_add(mz_hash_start(seed), 7)));
    }
}

static void order_does_not_matter_when_combining(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    mz_hash elements[COUNT];
    for (uint64_t i = 0; i < COUNT; i++)
        elements[i] = mz_hash_start(i);
    mz_hash first = mz_hash_start(1);
    for (size_t i = 0; i < COUNT; i++)
        first = mz_hash_combine(first, elements[i]);
    uint64_t seed = 3;
    for (int round = 0; round < 500; round++) {
        for (uint32_t i = COUNT - 1; i > 0; i--) {
            uint32_t j = random_below(&seed, i + 1);
            mz_hash other = elements[j];
            elements[j] = elements[i];
            elements[i] = other;
        }
        mz_hash again = mz_hash_start(1);
        for (size_t i = 0; i < COUNT; i++)
            again = mz_hash_combine(again, elements[i]);
        assert_true(equal(first, again));
    }
}

static void combining_sees_elements_and_their_number(void **state)
{
    (void)state;
    mz_hash start = mz_hash_start(1), a = mz_hash_start(2), b = mz_hash_start(3);
    mz_hash once = mz_hash_combine(start, a), twice = mz_hash_combine(once, a);
    assert_false(equal(start, once));
    assert_false(equal(once, twice));
    assert_false(equal(once, mz_hash_combine(start, b)));
    assert_false(equal(twice, mz_hash_combine(once, b)));
}

static mz_hash numbered(uint64_t i)
{
    return mz_hash_add(mz_hash_start(9), i);
}

static void a_set_grows_and_forgets_nothing(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    mz_hash_set set = {0};
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_int_equal(mz_hash_set_add(&set, numbered(i)), 1);
        assert_int_equal(mz_hash_set_add(&set, numbered(i / 2)), 0);
        assert_int_equal(set.count, i + 1);
        assert_true(set.capacity > set.count); /* or looking for a free slot would never end */
    }
    assert_int_equal(set.capacity & (set.capacity - 1), 0);
    for (uint64_t i = 0; i < COUNT; i++)
        assert_int_equal(mz_hash_set_add(&set, numbered(i)), 0);
    assert_int_equal(set.count, COUNT);
    mz_hash_set_release(&set);
    assert_int_equal(set.count, 0);
    assert_int_equal(mz_hash_set_add(&set, numbered(0)), 1); /* a released set is an empty one */
    mz_hash_set_release(&set);
}

static void a_cleared_set_is_empty(void **state)
{
    (void)state;
    mz_hash_set set = {0};
    mz_hash_set_clear(&set);
    for (uint64_t i = 0; i < 3000; i++)
        mz_hash_set_add(&set, numbered(i));
    size_t capacity = set.capacity;
    mz_hash_set_clear(&set);
    assert_int_equal(set.count, 0);
    assert_int_equal(set.capacity, capacity);
    for (uint64_t i = 0; i < 3000; i++)
        assert_int_equal(mz_hash_set_add(&set, numbered(i)), 1);
    mz_hash_set_release(&set);
}

/* Same slot for all: both halves are compared, and the search for a free slot wraps around. */
static void elements_that_collide_are_kept_apart(void **state)
{
    (void)state;
    mz_hash_set set = {0};
    for (uint64_t i = 0; i < 500; i++)
        assert_int_equal(mz_hash_set_add(&set, (mz_hash){1023, i}), 1);
    for (uint64_t i = 0; i < 500; i++)
        assert_int_equal(mz_hash_set_add(&set, (mz_hash){1023, i}), 0);
    assert_int_equal(set.count, 500);
    mz_hash_set_release(&set);
}

static void zero_can_be_an_element(void **state)
{
    (void)state;
    mz_hash_set set = {0};
    assert_int_equal(mz_hash_set_add(&set, (mz_hash){0, 0}), 1);
    assert_int_equal(mz_hash_set_add(&set, (mz_hash){0, 0}), 0);
    assert_int_equal(mz_hash_set_add(&set, (mz_hash){0, 1}), 1);
    assert_int_equal(set.count, 2);
    mz_hash_set_release(&set);
}

static void a_set_knows_what_it_has(void **state)
{
    (void)state;
    mz_hash_set some = {0}, all = {0};
    assert_false(mz_hash_set_has(&some, mz_hash_start(1)));
    for (uint64_t i = 0; i < 1000; i += 2)
        mz_hash_set_add(&some, mz_hash_start(i));
    mz_hash_set_add(&some, (mz_hash){0, 0}); /* what marks a free slot is an element like any other */
    mz_hash_set_add(&all, mz_hash_start(1));
    mz_hash_set_add_all(&all, &some);
    assert_int_equal(all.count, some.count + 1);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(mz_hash_set_has(&some, mz_hash_start(i)), i % 2 == 0);
        assert_int_equal(mz_hash_set_has(&all, mz_hash_start(i)), i % 2 == 0 || i == 1);
    }
    assert_true(mz_hash_set_has(&all, (mz_hash){0, 0}));
    mz_hash_set_release(&some);
    mz_hash_set_release(&all);
}

typedef struct entry {
    mz_hash key;
    uint64_t number;
} entry;

/* Far more than it has room for in the beginning; the hash of zeroes, and one with the same slot, among them.
 */
static void a_map_grows_and_keeps_its_entries(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    mz_map map = {0};
    bool is_new;
    assert_null(mz_map_find(&map, sizeof(entry), (mz_hash){1, 2}));
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < MANY; i++) {
            mz_hash hash = i < 2 ? (mz_hash){0, i} : mz_hash_add(mz_hash_start(7), i);
            entry *found = mz_map_at(&map, sizeof *found, hash, &is_new);
            assert_int_equal(is_new, round == 0);
            assert_int_equal(found->number, round == 0 ? 0 : i + 1);
            found->number = i + 1;
        }
        assert_int_equal(map.count, MANY);
    }
    uint64_t sum = 0;
    for (const entry *found = NULL; (found = mz_map_next(&map, sizeof *found, found));)
        sum += found->number;
    assert_int_equal(sum, (uint64_t)MANY * (MANY + 1) / 2);
    assert_int_equal(((entry *)mz_map_find(&map, sizeof(entry), (mz_hash){0, 1}))->number, 2);
    assert_null(mz_map_find(&map, sizeof(entry), mz_hash_add(mz_hash_start(7), MANY)));
    mz_map_clear(&map, sizeof(entry));
    assert_null(mz_map_next(&map, sizeof(entry), NULL));
    assert_null(mz_map_find(&map, sizeof(entry), (mz_hash){0, 1}));
    mz_map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_matters_when_adding),
        cmocka_unit_test(every_word_matters),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(order_does_not_matter_when_combining),
        cmocka_unit_test(combining_sees_elements_and_their_number),
        cmocka_unit_test(a_set_grows_and_forgets_nothing),
        cmocka_unit_test(a_cleared_set_is_empty),
        cmocka_unit_test(elements_that_collide_are_kept_apart),
        cmocka_unit_test(zero_can_be_an_element),
        cmocka_unit_test(a_set_knows_what_it_has),
        cmocka_unit_test(a_map_grows_and_keeps_its_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
