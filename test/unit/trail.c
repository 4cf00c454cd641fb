/* The trail against a model of it: a full copy of the memory for every place to go back to. */
#include "program/world/trail.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "support.h"

/* More lines than the table has places, so that lines push each other out. */
enum { BYTES = 4 * MZ__LINE_TABLE * MZ__LINE, RECORDS = 64, DEPTH = 24 };

typedef struct record {
    uint32_t a;
    uint64_t b[3];
    char c[5];
} record;

/* All that the trail looks after. What is saved is rounded up to 16 bytes, so there is something behind. */
typedef struct memory {
    _Alignas(MZ__LINE) unsigned char bytes[BYTES];
    record records[RECORDS];
    char behind[16];
} memory;

static memory *now, *copies[DEPTH + 1];

static int begin(void **state)
{
    (void)state;
    mz__trail_create();
    mz__trail_now.used = 0;
    now = aligned_alloc(MZ__LINE, sizeof *now);
    memset(now, 0, sizeof *now);
    for (size_t i = 0; i <= DEPTH; i++)
        copies[i] = aligned_alloc(MZ__LINE, sizeof *now);
    return 0;
}

static int end(void **state)
{
    (void)state;
    munmap(mz__trail_now.bytes, MZ__TRAIL_RESERVED);
    free(now);
    for (size_t i = 0; i <= DEPTH; i++)
        free(copies[i]);
    return 0;
}

static void expect_same(const memory *wanted)
{
    if (memcmp(now, wanted, sizeof *now) == 0)
        return;
    size_t at = 0;
    while (((const char *)now)[at] == ((const char *)wanted)[at])
        at++;
    fail_msg("byte %zu is different", at);
}

/* ---- one thing at a time ---------------------------------------------------------------------------- */

static void goes_back(void **state)
{
    (void)state;
    size_t before = mz__trail_now.used;
    now->records[3].a = 5;
    MZ__SAVE(now->records[3]);
    now->records[3].a = 6;
    MZ__SAVE(now->records[3]);
    now->records[3].a = 7;
    size_t between = mz__trail_now.used;
    MZ__SAVE(now->records[3]);
    now->records[3].a = 8;
    mz__trail_rewind(between);
    assert_int_equal(now->records[3].a, 7);
    assert_int_equal(mz__trail_now.used, between);
    mz__trail_rewind(between); /* nothing to do */
    assert_int_equal(now->records[3].a, 7);
    mz__trail_rewind(before);
    assert_int_equal(now->records[3].a, 5);
    assert_int_equal(mz__trail_now.used, before);
}

/* A line is saved once per step, and again after the serial number has changed. */
static void lines_once(void **state)
{
    (void)state;
    size_t entry = MZ__LINE + sizeof(mz__trail_entry), before = mz__trail_now.used;
    mz__touch(now->bytes + 8, 8);
    assert_int_equal(mz__trail_now.used, before + entry);
    mz__touch(now->bytes, MZ__LINE);
    assert_int_equal(mz__trail_now.used, before + entry);
    mz__touch(now->bytes + MZ__LINE - 1, 2); /* reaches into the next one */
    assert_int_equal(mz__trail_now.used, before + 2 * entry);
    mz__trail_now.serial++;
    mz__touch(now->bytes, 1);
    assert_int_equal(mz__trail_now.used, before + 3 * entry);
    mz__trail_rewind(before + entry);
    mz__touch(now->bytes, 1); /* going back begins anew as well */
    assert_int_equal(mz__trail_now.used, before + 2 * entry);
    mz__trail_rewind(before);
}

/* Two lines with the same place in the table push each other out: the second copy of the first one holds what
 * was written since, and must not win. */
static void lost_place(void **state)
{
    (void)state;
    unsigned char *first = now->bytes, *second = now->bytes + (size_t)MZ__LINE_TABLE * MZ__LINE;
    size_t before = mz__trail_now.used;
    *first = 1;
    *second = 2;
    mz__trail_now.serial++;
    for (int i = 0; i < 5; i++) {
        mz__touch(first, 1);
        (*first)++;
        mz__touch(second, 1);
        (*second)++;
    }
    assert_int_equal(mz__trail_now.used, before + 10 * (MZ__LINE + sizeof(mz__trail_entry)));
    mz__trail_rewind(before);
    assert_int_equal(*first, 1);
    assert_int_equal(*second, 2);
}

/* Zeroes are not kept, however many they are. */
static void zeroes(void **state)
{
    (void)state;
    size_t before = mz__trail_now.used;
    memset(now->bytes, 0, 10000);
    now->bytes[0] = 3;
    now->bytes[10000] = 4;
    mz__save_zero(now->bytes + 1, 9999);
    assert_int_equal(mz__trail_now.used, before + sizeof(mz__trail_entry));
    memset(now->bytes + 1, 0xff, 9999);
    mz__touch(now->bytes + 100, 1); /* what is on the trail after it does no harm */
    mz__trail_rewind(before);
    for (size_t i = 1; i < 10000; i++)
        assert_int_equal(now->bytes[i], 0);
    assert_int_equal(now->bytes[0], 3); /* to the byte: no rounding here */
    assert_int_equal(now->bytes[10000], 4);
}

/* Of several copies of the same thing, the oldest one goes home. */
static void series(void **state)
{
    (void)state;
    unsigned char *first = now->bytes, *second = now->bytes + 8 * MZ__LINE;
    size_t before = mz__trail_now.used;
    memset(now->bytes, 1, 16 * MZ__LINE);
    mz__save_anew(first, MZ__LINE, second, 2 * MZ__LINE, 0);
    size_t between = mz__trail_now.used;
    memset(now->bytes, 2, 16 * MZ__LINE);
    mz__save_anew(first, 2 * MZ__LINE, second, MZ__LINE, between);
    memset(now->bytes, 3, 16 * MZ__LINE);
    mz__trail_rewind(between); /* the older one stays where it is: the younger one goes home */
    assert_int_equal(first[0], 2);
    assert_int_equal(first[2 * MZ__LINE - 1], 2);
    assert_int_equal(first[2 * MZ__LINE], 3);
    assert_int_equal(second[MZ__LINE - 1], 2);
    assert_int_equal(second[MZ__LINE], 3);
    mz__save_anew(first, 2 * MZ__LINE, second, MZ__LINE, between);
    memset(now->bytes, 4, 16 * MZ__LINE);
    mz__trail_rewind(before); /* over both: only the older one, with what it holds */
    assert_int_equal(mz__trail_now.used, before);
    assert_int_equal(first[MZ__LINE - 1], 1);
    assert_int_equal(first[MZ__LINE], 4);
    assert_int_equal(second[2 * MZ__LINE - 1], 1);
    assert_int_equal(second[2 * MZ__LINE], 4);
    memset(now->bytes, 0, 16 * MZ__LINE);
}

/* ---- all at once ----------------------------------------------------------------------------------------
 */

static void write_random(uint64_t *seed, unsigned char *to, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)random_below(seed, 256);
}

static void change_bytes(uint64_t *seed, uint32_t range)
{
    uint32_t size = 1 + random_below(seed, random_below(seed, 8) == 0 ? 300 : 16),
             at = random_below(seed, range - size);
    mz__touch(now->bytes + at, size);
    write_random(seed, now->bytes + at, size);
}

static void change_record(uint64_t *seed)
{
    record *r = &now->records[random_below(seed, RECORDS)];
    MZ__SAVE(*r);
    write_random(seed, (unsigned char *)r, sizeof *r);
    if (random_below(seed, 2)) { /* a part of it, and again */
        MZ__SAVE(r->c);
        write_random(seed, (unsigned char *)r->c, sizeof r->c);
    }
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static void fill_zeroes(uint64_t *seed, uint32_t range)
{
    uint32_t size = 1 + random_below(seed, 200), at = random_below(seed, range - size);
    if (!is_zero(now->bytes + at, size))
        return;
    mz__save_zero(now->bytes + at, size);
    write_random(seed, now->bytes + at, size);
}

/* Steps forth and any number of them back, as a depth-first search does. In a small range the same lines are
 * written again and again; in the whole of it they lose their places. */
static void random_sequence(uint64_t seed, uint32_t range, uint32_t most)
{
    size_t marks[DEPTH], depth = 0;
    for (int round = 0; round < 120; round++) {
        if (depth == DEPTH || (depth > 0 && random_below(&seed, 3) == 0)) {
            depth = random_below(&seed, (uint32_t)depth);
            mz__trail_rewind(marks[depth]);
            assert_int_equal(mz__trail_now.used, marks[depth]);
            expect_same(copies[depth]);
        }
        memcpy(copies[depth], now, sizeof *now);
        marks[depth++] = mz__trail_now.used;
        mz__trail_now.serial++;
        for (uint32_t i = random_below(&seed, most); i > 0; i--) {
            uint32_t what = random_below(&seed, 10);
            if (what < 6)
                change_bytes(&seed, range);
            else if (what < 9)
                change_record(&seed);
            else
                fill_zeroes(&seed, range);
        }
    }
    mz__trail_rewind(marks[0]);
    expect_same(copies[0]);
}

static void random_small(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        random_sequence(seed, 2000, 40);
}

static void random_large(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        random_sequence(seed, BYTES, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_back),    cmocka_unit_test(lines_once), cmocka_unit_test(lost_place),
        cmocka_unit_test(zeroes),       cmocka_unit_test(series),     cmocka_unit_test(random_small),
        cmocka_unit_test(random_large),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
