/* The reader of configurations: what is understood, and where mistakes are. */
#include "base/toml.h"

#include <unistd.h>

#include "base/file.h"
#include "support.h"

static const char file[] = "unit_toml.tmp";

static bool read_text(mz_toml *toml, const char *text, mz_error *error)
{
    *error = (mz_error){0};
    assert_true(mz_file_write(file, text, strlen(text)));
    bool good = mz_toml_read(toml, file, error);
    unlink(file);
    return good;
}

static const mz_toml_value *value_of(const mz_toml *toml, const char *table, const char *key)
{
    for (size_t i = 0; i < toml->count; i++)
        if (strcmp(toml->entries[i].table, table) == 0 && strcmp(toml->entries[i].key, key) == 0)
            return &toml->entries[i].value;
    return NULL;
}

static void values(void **state)
{
    (void)state;
    static const char text[] = "top = 'a\\b' # comment\r\n"
                               "[a . b-1]\n"
                               "x = \"tab\\t, quote\\\", \\u00e9 \\U0001F600 # no comment\"\n"
                               "y = [ 1_000, # one\n  -3,\n\n  [true, false], \"\", ]\n"
                               "[ empty ]";
    mz_toml toml;
    mz_error error;
    assert_true(read_text(&toml, text, &error));
    assert_string_equal(value_of(&toml, "", "top")->text, "a\\b");
    assert_string_equal(value_of(&toml, "a.b-1", "x")->text,
                        "tab\t, quote\", \xc3\xa9 \xf0\x9f\x98\x80 # no comment");
    const mz_toml_value *y = value_of(&toml, "a.b-1", "y");
    assert_int_equal(y->type, MZ_TOML_ARRAY);
    assert_int_equal(y->count, 4);
    assert_string_equal(y->items[0].text, "1000");
    assert_string_equal(y->items[1].text, "-3");
    assert_int_equal(y->items[1].position.line, 5);
    assert_int_equal(y->items[1].position.column, 3);
    assert_string_equal(y->items[2].items[1].text, "false");
    assert_string_equal(y->items[3].text, "");
    assert_non_null(value_of(&toml, "empty", ""));
    mz_toml_release(&toml);
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        unsigned line, column;
    } cases[] = {
        {"a = \n", "a value is expected", 1, 5},
        {"a = yes\n", "a value is expected", 1, 5},
        {"\n  a 1\n", "= is expected behind the key", 2, 5},
        {"a = 1 2\n", "there is something behind the value", 1, 7},
        {"a = 1\na = 2\n", "a stands in line 1 already", 2, 1},
        {"[a]\n[b]\n[a]\n", "[a] stands in line 1 already", 3, 1},
        {"[a\n", "] is expected", 1, 3},
        {"[[a]]\n", "arrays of tables are not read here", 1, 1},
        {"a = {b = 1}\n", "inline tables are not read here", 1, 5},
        {"a.b = 1\n", "dotted keys are not read here", 1, 2},
        {"\"a\" = 1\n", "a key is expected, of letters, digits, - and _", 1, 1},
        {"a = \"x\n\"\n", "the string is not closed on its line", 1, 5},
        {"a = \"\"\"x\"\"\"\n", "strings of several lines are not read here", 1, 5},
        {"a = \"\\q\"\n", "there is no such escape", 1, 6},
        {"a = \"\\ud800\"\n", "there is no such character", 1, 6},
        {"a = \"\\u12\"\n", "the escape has too few digits", 1, 6},
        {"a = \"\001\"\n", "a control character stands in the string", 1, 6},
        {"a = 1.5\n", "this is no integer", 1, 5},
        {"a = 2026-01-01\n", "this is no integer", 1, 5},
        {"a = 1__0\n", "this is no integer", 1, 5},
        {"a = 007\n", "an integer does not begin with 0", 1, 5},
        {"a = 12345678901234567890\n", "the integer is too large", 1, 5},
        {"a = [1\n", "the array is not closed", 1, 5},
        {"a = [1 2]\n", "a comma or ] is expected", 1, 8},
        {"a = [[[[[[[[[[]]]]]]]]]]\n", "arrays are nested too deeply", 1, 13},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mz_toml toml;
        mz_error error;
        assert_false(read_text(&toml, cases[i].text, &error));
        assert_string_equal(mz_text_string(&error.message), cases[i].message);
        assert_int_equal(error.position.line, cases[i].line);
        assert_int_equal(error.position.column, cases[i].column);
        mz_error_release(&error);
        mz_toml_release(&toml);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
