#include "machine/identity.h"

#include "base/hash_set.h"

#include "sequences.h"

typedef struct named {
    mz_hash hash;
    mz_text text;
} named;

static named identify(const sequence *s)
{
    mz_execution *x = execute(s);
    named n = {.hash = mz_identity(x)};
    mz_identity_write(x, &n.text);
    mz_execution_destroy(x);
    return n;
}

static bool same_hash(const named *a, const named *b)
{
    return a->hash.low == b->hash.low && a->hash.high == b->hash.high;
}

static bool same_text(const named *a, const named *b)
{
    return strcmp(mz_text_string(&a->text), mz_text_string(&b->text)) == 0;
}

static void swap_neighbours(sequence *s, uint32_t i)
{
    random_event first = s->events[i];
    s->events[i] = s->events[i + 1];
    s->events[i + 1] = first;
}

/* Many swaps of independent neighbours one after the other: still the same trace. */
static void independent_events_may_change_places(void **state)
{
    (void)state;
    size_t swaps = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        named before = identify(&s);
        for (uint32_t round = 0; s.length > 1 && round < 40; round++) {
            uint32_t i = random_below(&random, s.length - 1);
            if (depend(&s.events[i], &s.events[i + 1]))
                continue;
            swap_neighbours(&s, i);
            swaps++;
        }
        named after = identify(&s);
        if (!same_hash(&before, &after) || !same_text(&before, &after))
            fail_msg("seed %llu:\n%s\nis not\n%s", (unsigned long long)seed, mz_text_string(&before.text),
                     mz_text_string(&after.text));
        mz_text_release(&before.text);
        mz_text_release(&after.text);
    }
    assert_true(swaps > 10000); /* or the test has not tested much */
}

static void dependent_events_may_not(void **state)
{
    (void)state;
    size_t swaps = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        named before = identify(&s);
        for (uint32_t i = 0; i + 1 < s.length; i++) {
            if (s.events[i].thread == s.events[i + 1].thread || !depend(&s.events[i], &s.events[i + 1]))
                continue;
            swap_neighbours(&s, i);
            named after = identify(&s);
            if (same_hash(&before, &after) || same_text(&before, &after))
                fail_msg("seed %llu: events %u and %u have changed places unseen", (unsigned long long)seed,
                         i, i + 1);
            mz_text_release(&after.text);
            swap_neighbours(&s, i);
            swaps++;
        }
        mz_text_release(&before.text);
    }
    assert_true(swaps > 2000);
}

static void choices_matter(void **state)
{
    (void)state;
    size_t changes = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        named before = identify(&s);
        for (uint32_t i = 0; i < s.length; i++)
            for (uint32_t c = 0; c < s.events[i].choice_count; c++) {
                s.events[i].chosen[c].value += 1;
                named after = identify(&s);
                assert_false(same_hash(&before, &after));
                assert_false(same_text(&before, &after));
                mz_text_release(&after.text);
                s.events[i].chosen[c].value -= 1;
                changes++;
            }
        mz_text_release(&before.text);
    }
    assert_true(changes > 500);
}

static void every_prefix_is_another_trace(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        mz_hash_set seen = {0};
        size_t length = s.length;
        for (;; s.length--) {
            named n = identify(&s);
            assert_int_equal(mz_hash_set_add(&seen, n.hash), 1);
            mz_text_release(&n.text);
            if (s.length == 0)
                break;
        }
        assert_int_equal(seen.count, length + 1);
        mz_hash_set_release(&seen);
    }
}

static void initial_choices_matter(void **state)
{
    (void)state;
    mz_machine machine = {.thread_capacity = 1, .location_count = 1};
    mz_execution *x = mz_execution_create(&machine, true);
    mz_hash_set seen = {0};
    mz_text text = {0};
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = 0; b <= 2; b++)
            for (size_t count = 1; count <= 2; count++) {
                mz_choice made[] = {{.value = a, .high = 1}, {.value = b, .high = 2}};
                mz_execution_restart(x, &(mz_choices){.made = made, .count = count});
                bool is_new = mz_hash_set_add(&seen, mz_identity(x));
                assert_int_equal(is_new, count == 2 || b == 0); /* one choice: b is not among them */
            }
    mz_identity_write(x, &text);
    assert_string_equal(mz_text_string(&text), "!1 !2 0:\n");
    mz_text_release(&text);
    mz_hash_set_release(&seen);
    mz_execution_destroy(x);
}

/* The text in full, and its independence of the order in which a statement names its locations. */
static void written_in_full(void **state)
{
    (void)state;
    sequence s = {
        .machine = {.thread_capacity = 2, .location_count = 12},
        .events = {{.thread = 1, .access_count = 2, .accesses = {{11, MZ_WRITE}, {2, MZ_READ}}},
                   {.thread = 0,
                    .access_count = 1,
                    .accesses = {{2, MZ_READ | MZ_WRITE}},
                    .choice_count = 1,
                    .chosen = {{.value = -4, .low = -4}}},
                   {.thread = 1, .access_count = 0}},
        .length = 3,
    };
    named n = identify(&s);
    assert_string_equal(mz_text_string(&n.text), "0: (1,1 rw2 !-4)\n1: (0,1 r2 w11) (0,2)\n");
    mz_access first = s.events[0].accesses[0];
    s.events[0].accesses[0] = s.events[0].accesses[1];
    s.events[0].accesses[1] = first;
    named other = identify(&s);
    assert_true(same_text(&n, &other));
    assert_true(same_hash(&n, &other));
    mz_text_release(&n.text);
    mz_text_release(&other.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_events_may_change_places),
        cmocka_unit_test(dependent_events_may_not),
        cmocka_unit_test(choices_matter),
        cmocka_unit_test(every_prefix_is_another_trace),
        cmocka_unit_test(initial_choices_matter),
        cmocka_unit_test(written_in_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
