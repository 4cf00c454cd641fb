/* Sets of threads of one word, and with MZ_WIDE of several: every function against an array of booleans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/threads.h"

static uint64_t state = 1;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % bound;
}

/* Of few threads, of many, at the ends of words. */
static mz_threads make(bool *members)
{
    mz_threads set = MZ_NO_THREADS;
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        members[t] = false;
    for (uint32_t count = below(2) ? below(4) : below(2 * MZ_MAX_THREADS); count > 0; count--) {
        uint32_t t =
            below(3) ? below(MZ_MAX_THREADS) : (below(MZ_MAX_THREADS / 64) * 64 + (below(2) ? 0 : 63));
        members[t] = true;
        set |= mz_threads_of(t);
    }
    return set;
}

static void expect(mz_threads set, const bool *members)
{
    uint32_t count = 0, first = MZ_MAX_THREADS, last = 0, expected = 0;
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) {
        assert_int_equal(mz_threads_has(set, t), members[t]);
        count += members[t];
        first = members[t] && first == MZ_MAX_THREADS ? t : first;
        last = members[t] ? t : last;
    }
    assert_int_equal(mz_threads_count(set), count);
    assert_int_equal(mz_threads_any(set), count > 0);
    if (count > 0) {
        assert_int_equal(mz_threads_first(set), first);
        assert_int_equal(mz_threads_last(set), last);
    }
    MZ_FOR_EACH_THREAD(t, set)
    {
        while (!members[expected])
            expected++;
        assert_int_equal(t, expected++);
        count--;
    }
    assert_int_equal(count, 0);
}

static void sets_are_sets(void **unused)
{
    (void)unused;
    bool a[MZ_MAX_THREADS], b[MZ_MAX_THREADS], both[MZ_MAX_THREADS], other[MZ_MAX_THREADS];
    for (int round = 0; round < 500; round++) {
        mz_threads x = make(a), y = make(b);
        bool same = true;
        for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) {
            both[t] = a[t] && b[t];
            other[t] = a[t] && !b[t];
            same &= a[t] == b[t];
        }
        expect(x, a);
        expect(x & y, both);
        expect(x & ~y, other);
        assert_int_equal(mz_threads_equal(x, y), same);
        assert_true(mz_threads_equal(x, (x & y) | (x & ~y)));
        for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
            both[t] = a[t] || b[t];
        expect(x | y, both);
    }
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        a[t] = true;
    expect(MZ_ALL_THREADS, a);
}

static void parts_of_sets(void **unused)
{
    (void)unused;
    bool a[MZ_MAX_THREADS], part[MZ_MAX_THREADS];
    for (int round = 0; round < 500; round++) {
        mz_threads x = make(a);
        uint32_t after = below(MZ_MAX_THREADS);
        for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
            part[t] = a[t] && t > after;
        expect(mz_threads_after(x, after), part);
        bool first = true;
        for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) {
            part[t] = a[t] && !first;
            first &= !a[t];
        }
        expect(mz_threads_rest(x), part);
    }
    expect(mz_threads_after(MZ_ALL_THREADS, MZ_MAX_THREADS - 1), (bool[MZ_MAX_THREADS]){false});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_sets), cmocka_unit_test(parts_of_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
