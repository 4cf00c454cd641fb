#include "base/text.h"

#include "support.h"

static void an_empty_text_reads_as_the_empty_string(void **state)
{
    (void)state;
    mz_text text = {0};
    assert_string_equal(mz_text_string(&text), "");
    mz_text_add(&text, "%s", "");
    assert_string_equal(mz_text_string(&text), "");
    assert_int_equal(text.length, 0);
    mz_text_clear(&text);
    mz_text_release(&text);
}

static void adding_grows_and_stays_terminated(void **state)
{
    (void)state;
    mz_text text = {0};
    char expected[6000];
    size_t length = 0;
    for (int i = 0; i < 1000; i++) {
        mz_text_add(&text, "%d,", i);
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%d,", i);
        assert_int_equal(text.length, length);
        assert_true(text.capacity > text.length);
        assert_int_equal(text.bytes[text.length], '\0');
    }
    assert_string_equal(mz_text_string(&text), expected);
    mz_text_release(&text);
}

static void one_long_piece_fits(void **state)
{
    (void)state;
    mz_text text = {0};
    mz_text_add(&text, "<%*d>", 5000, 7); /* much longer than any capacity so far */
    assert_int_equal(text.length, 5002);
    assert_int_equal(text.bytes[0], '<');
    assert_string_equal(text.bytes + 5000, "7>");
    mz_text_release(&text);
}

static void bytes_may_be_anything(void **state)
{
    (void)state;
    mz_text text = {0};
    mz_text_add_bytes(&text, "a\0b", 3);
    mz_text_add_bytes(&text, "cd", 1);
    assert_int_equal(text.length, 4);
    assert_memory_equal(text.bytes, "a\0bc", 5);
    mz_text_add_bytes(&text, "", 0);
    assert_int_equal(text.length, 4);
    mz_text_release(&text);
}

static void repeated_pieces(void **state)
{
    (void)state;
    mz_text text = {0};
    mz_text_add_repeated(&text, "ab", 0);
    assert_int_equal(text.length, 0);
    mz_text_add_repeated(&text, "ab", 3);
    mz_text_add_repeated(&text, "─", 2);
    assert_string_equal(mz_text_string(&text), "ababab──");
    mz_text_release(&text);
}

static void clearing_keeps_the_room_and_releasing_does_not(void **state)
{
    (void)state;
    mz_text text = {0};
    mz_text_add(&text, "something long enough to need room");
    size_t capacity = text.capacity;
    mz_text_clear(&text);
    assert_string_equal(mz_text_string(&text), "");
    assert_int_equal(text.length, 0);
    assert_int_equal(text.capacity, capacity);
    mz_text_add(&text, "x");
    assert_string_equal(mz_text_string(&text), "x");
    mz_text_release(&text);
    assert_null(text.bytes);
    assert_int_equal(text.capacity, 0);
    mz_text_add(&text, "again"); /* a released text is an empty one */
    assert_string_equal(mz_text_string(&text), "again");
    mz_text_release(&text);
}

static void width_counts_characters(void **state)
{
    (void)state;
    assert_int_equal(mz_text_width(""), 0);
    assert_int_equal(mz_text_width("abc"), 3);
    assert_int_equal(mz_text_width("0 → 1 …"), 7);
    assert_int_equal(mz_text_width("żółw 🐢"), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_reads_as_the_empty_string),
        cmocka_unit_test(adding_grows_and_stays_terminated),
        cmocka_unit_test(one_long_piece_fits),
        cmocka_unit_test(bytes_may_be_anything),
        cmocka_unit_test(repeated_pieces),
        cmocka_unit_test(clearing_keeps_the_room_and_releasing_does_not),
        cmocka_unit_test(width_counts_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
