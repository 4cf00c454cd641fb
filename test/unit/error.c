#include "base/error.h"

#include "support.h"

static void print(mz_position position, const char *source_line, mz_text *out)
{
    mz_error error = {0};
    mz_error_set(&error, position, "wrong");
    mz_error_set_source(&error, source_line, strlen(source_line));
    mz_error_print(&error, out);
    mz_error_release(&error);
}

static void assert_printed(mz_position position, const char *source_line, const char *expected)
{
    mz_text out = {0};
    print(position, source_line, &out);
    assert_string_equal(mz_text_string(&out), expected);
    mz_text_release(&out);
}

static void the_first_error_counts(void **state)
{
    (void)state;
    mz_error error = {0};
    mz_error_set(&error, (mz_position){"a", 1, 2}, "first %d", 1);
    mz_error_set(&error, (mz_position){"b", 3, 4}, "second");
    mz_error_set_hint(&error, "hint %s", "one");
    mz_error_set_hint(&error, "hint two");
    mz_error_set_source(&error, "line one", 8);
    mz_error_set_source(&error, "line two", 8);
    assert_true(error.set);
    assert_string_equal(mz_text_string(&error.message), "first 1");
    assert_string_equal(mz_text_string(&error.hint), "hint one");
    assert_string_equal(mz_text_string(&error.source_line), "line one");
    assert_string_equal(error.position.file, "a");
    assert_int_equal(error.position.line, 1);
    assert_int_equal(error.position.column, 2);
    mz_error_release(&error);
    assert_false(error.set);
    mz_error_set(&error, (mz_position){0}, "anew");
    assert_string_equal(mz_text_string(&error.message), "anew");
    mz_error_release(&error);
}

static void a_full_message(void **state)
{
    (void)state;
    mz_error error = {0};
    mz_text out = {0};
    mz_error_set(&error, (mz_position){"ring.dlang", 12, 6}, "unknown name '%s'", "y");
    mz_error_set_hint(&error, "did you mean 'x'?");
    mz_error_set_source(&error, "x := y + 1", 10);
    mz_error_print(&error, &out);
    assert_string_equal(mz_text_string(&out), "ring.dlang:12:6: error: unknown name 'y'\n"
                                              "   12 | x := y + 1\n"
                                              "      |      ^\n"
                                              "  hint: did you mean 'x'?\n");
    mz_text_release(&out);
    mz_error_release(&error);
}

static void without_a_position(void **state)
{
    (void)state;
    assert_printed((mz_position){0}, "", "error: wrong\n");
    assert_printed((mz_position){.file = "f"}, "", "f: error: wrong\n");
    assert_printed((mz_position){NULL, 1, 1}, "x", "1:1: error: wrong\n    1 | x\n      | ^\n");
}

static void the_caret_at_the_edges(void **state)
{
    (void)state;
    assert_printed((mz_position){"f", 1, 1}, "abc", "f:1:1: error: wrong\n    1 | abc\n      | ^\n");
    assert_printed((mz_position){"f", 1, 3}, "abc", "f:1:3: error: wrong\n    1 | abc\n      |   ^\n");
    assert_printed((mz_position){"f", 1, 4}, "abc", "f:1:4: error: wrong\n    1 | abc\n      |    ^\n");
    assert_printed((mz_position){"f", 7, 1}, "", "f:7:1: error: wrong\n    7 | \n      | ^\n");
}

static void tabs_take_one_column(void **state)
{
    (void)state;
    assert_printed((mz_position){"f", 1, 6}, "\t\tx\t:= y",
                   "f:1:6: error: wrong\n    1 |   x := y\n      |      ^\n");
}

static void a_character_takes_one_column(void **state)
{
    (void)state;
    /* "é" and "→" are two and three bytes: byte column 8 is the fifth character. */
    assert_printed((mz_position){"f", 1, 8}, "é → @", "f:1:8: error: wrong\n    1 | é → @\n      |     ^\n");
}

/* Decodes one code point; false where the bytes are no UTF-8. */
static bool decode(const unsigned char **at, uint32_t *code)
{
    const unsigned char *s = *at;
    uint32_t more = s[0] < 0x80 ? 0 : s[0] >> 5 == 6 ? 1 : s[0] >> 4 == 14 ? 2 : s[0] >> 3 == 30 ? 3 : 4;
    if (more == 4)
        return false;
    *code = more == 0 ? s[0] : s[0] & (0x3Fu >> more);
    for (uint32_t i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return false;
        *code = *code << 6 | (s[i] & 0x3F);
    }
    *at += more + 1;
    return true;
}

static void assert_fit_for_a_terminal(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        uint32_t code = 0;
        size_t offset = (size_t)(at - (const unsigned char *)text);
        if (!decode(&at, &code))
            fail_msg("byte 0x%02x at %zu is no UTF-8", *at, offset);
        if ((code < 32 && code != '\n') || (code >= 0x7F && code < 0xA0))
            fail_msg("control character U+%04X at %zu", code, offset);
    }
}

static void control_bytes_are_not_printed(void **state)
{
    (void)state;
    mz_text out = {0};
    print((mz_position){"f", 1, 5}, "a\x1b[31m\x07\x7f\x01 b", &out);
    assert_fit_for_a_terminal(mz_text_string(&out));
    assert_contains(mz_text_string(&out), "| a?[31m??? b\n");
    mz_text_release(&out);
}

static void control_characters_beyond_ascii_are_not_printed(void **state)
{
    (void)state;
    mz_text out = {0};
    print((mz_position){"f", 1, 1}, "a \xC2\x9B 31m b",
          &out); /* U+009B starts an escape sequence, as ESC [ does */
    assert_fit_for_a_terminal(mz_text_string(&out));
    mz_text_release(&out);
}

static void broken_bytes_are_not_printed(void **state)
{
    (void)state;
    mz_text out = {0};
    print((mz_position){"f", 1, 1}, "a \xFF \x9B b \xC3", &out);
    assert_fit_for_a_terminal(mz_text_string(&out));
    mz_text_release(&out);
}

static void long_lines_are_cut_between_characters(void **state)
{
    (void)state;
    for (uint32_t column = 1; column < 600; column++) {
        mz_text line = {0}, out = {0};
        mz_text_add_repeated(&line, "→x", 200);
        print((mz_position){"f", 1, column}, mz_text_string(&line), &out);
        assert_fit_for_a_terminal(mz_text_string(&out));
        mz_text_release(&line);
        mz_text_release(&out);
    }
}

/* The line that starts with this prefix, after the prefix. */
static const char *line_after(const char *text, const char *prefix, mz_text *copy)
{
    const char *found = strstr(text, prefix);
    assert_non_null(found);
    found += strlen(prefix);
    mz_text_clear(copy);
    mz_text_add_bytes(copy, found, strcspn(found, "\n"));
    return mz_text_string(copy);
}

/* Lines of any length and content, one '@' in them: the caret stands under it. */
static void the_caret_is_under_the_column(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "b", " ", "\t", "é", "→", "🐢", "\x02"};
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        mz_text line = {0}, out = {0}, shown = {0}, caret = {0};
        uint32_t before = random_below(&random, 400), after = random_below(&random, 400);
        for (uint32_t i = 0; i < before; i++)
            mz_text_add(&line, "%s", pieces[random_below(&random, LENGTH(pieces))]);
        uint32_t column = (uint32_t)line.length + 1;
        mz_text_add(&line, "@");
        for (uint32_t i = 0; i < after; i++)
            mz_text_add(&line, "%s", pieces[random_below(&random, LENGTH(pieces))]);
        print((mz_position){"f", 3, column}, mz_text_string(&line), &out);
        line_after(mz_text_string(&out), "    3 | ", &shown);
        line_after(mz_text_string(&out), "\n      | ", &caret);
        const char *mark = strchr(mz_text_string(&shown), '@');
        if (!mark || shown.length > 100)
            fail_msg("seed %llu: '%s'", (unsigned long long)seed, mz_text_string(&shown));
        shown.bytes[mark - shown.bytes] = '\0';
        if (mz_text_width(mz_text_string(&shown)) != caret.length - 1)
            fail_msg("seed %llu: '@' in column %zu, caret in column %zu", (unsigned long long)seed,
                     mz_text_width(mz_text_string(&shown)), caret.length - 1);
        mz_text_release(&line);
        mz_text_release(&out);
        mz_text_release(&shown);
        mz_text_release(&caret);
    }
}

/* ---- suggestions ----------------------------------------------------------------------------------- */

static void close_names_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"timeout", "all-errors", "counter", "x", "balance", "balances"};
    assert_string_equal(mz_closest_name("timout", names, LENGTH(names)), "timeout");
    assert_string_equal(mz_closest_name("timeoutt", names, LENGTH(names)), "timeout");
    assert_string_equal(mz_closest_name("all-error", names, LENGTH(names)), "all-errors");
    assert_string_equal(mz_closest_name("kounter", names, LENGTH(names)), "counter");
    assert_string_equal(mz_closest_name("balances", names, LENGTH(names)),
                        "balances"); /* not the nearly equal one */
    assert_string_equal(mz_closest_name("balence", names, LENGTH(names)), "balance");
}

static void far_names_are_not(void **state)
{
    (void)state;
    static const char *const names[] = {"timeout", "counter"};
    assert_null(mz_closest_name("elephant", names, LENGTH(names)));
    assert_null(mz_closest_name("", names, LENGTH(names)));
    assert_null(mz_closest_name("timeout", names, 0));
}

/* A word that has no letter in common with the name is no misspelling of it, however short both are. */
static void short_words_that_differ_wholly_are_far(void **state)
{
    (void)state;
    static const char *const names[] = {"x"};
    assert_null(mz_closest_name("q", names, LENGTH(names)));
}

static void very_long_words(void **state)
{
    (void)state;
    static const char *const names[] = {"counter"};
    for (size_t length = 40; length <= 200; length += 10) {
        char word[201];
        memset(word, 'z', length);
        word[length] = '\0';
        if (mz_closest_name(word, names, LENGTH(names)))
            fail_msg("%zu letters z are close to 'counter'", length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_counts),
        cmocka_unit_test(a_full_message),
        cmocka_unit_test(without_a_position),
        cmocka_unit_test(the_caret_at_the_edges),
        cmocka_unit_test(tabs_take_one_column),
        cmocka_unit_test(a_character_takes_one_column),
        cmocka_unit_test(control_bytes_are_not_printed),
        cmocka_unit_test(control_characters_beyond_ascii_are_not_printed),
        cmocka_unit_test(broken_bytes_are_not_printed),
        cmocka_unit_test(long_lines_are_cut_between_characters),
        cmocka_unit_test(the_caret_is_under_the_column),
        cmocka_unit_test(close_names_are_found),
        cmocka_unit_test(far_names_are_not),
        cmocka_unit_test(short_words_that_differ_wholly_are_far),
        cmocka_unit_test(very_long_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
