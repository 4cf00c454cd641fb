#include "base/options.h"

#include "support.h"

static void note(mz_text *text, const char *name, const char *value)
{
    mz_text_add(text, "%s%s", text->length ? " " : "", name);
    if (value)
        mz_text_add(text, "(%s)", value);
}

#define NOTES(name)                                                                                          \
    static void note_##name(void *target, const char *value, mz_error *error)                                \
    {                                                                                                        \
        assert_false(error->set);                                                                            \
        note(target, #name, value);                                                                          \
    }
NOTES(timeout)
NOTES(json)
NOTES(define)
NOTES(quiet)
NOTES(reuse)

static const mz_option table[] = {
    {"timeout", 0, "TIME", "stop after this time", .set = note_timeout},
    {"json", 0, NULL, "as JSON", .set = note_json, .excludes = "reuse", .hint = "choose"},
    {"define", 'D', "NAME=VALUE", "a parameter", .set = note_define},
    {"quiet", 'q', NULL, "say less", .set = note_quiet},
    {"reuse", 0, "[K]", "again", .set = note_reuse, .audience = 2, .needs = "quiet"},
    {"budget", 0, "TIME", "", .type = MZ_OPTION_GONE, .instead = "--timeout"},
};
enum { GONE = 1 };

static void note_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    (void)after_dashes;
    (void)error;
    note(context, "word", word);
}

/* What the parser makes of an argument list ended by NULL: "define(N=1) word(x) quiet". */
static void assert_parsed(uint32_t audience, const char *const *arguments, const char *expected,
                          const char *hint)
{
    mz_text text = {0};
    mz_error error = {0};
    char *argv[16] = {NULL};
    int argc = 1;
    mz_command_line line = {.context = &text, .word = note_word};
    mz_options_offer(&line, table, LENGTH(table), audience, &text);
    for (; arguments[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
    mz_options_parse(&line, argc, argv, &error);
    if (error.set)
        note(&text, "error", mz_text_string(&error.message));
    assert_string_equal(mz_text_string(&text), expected);
    assert_string_equal(mz_text_string(&error.hint), hint);
    mz_text_release(&text);
    mz_error_release(&error);
    mz_options_release(&line);
}

#define PARSED_FOR(audience, expected, hint, ...)                                                            \
    assert_parsed(audience, (const char *const[]){__VA_ARGS__, NULL}, expected, hint)
#define PARSED(expected, hint, ...) PARSED_FOR(2, expected, hint, __VA_ARGS__)

static void long_options(void **state)
{
    (void)state;
    PARSED("json timeout(5s) timeout(7)", "", "--json", "--timeout=5s", "--timeout", "7");
    PARSED("define(N=1)", "", "--define=N=1"); /* only the first '=' separates */
    PARSED("define() json", "", "--define=", "--json");
    PARSED("timeout(--json)", "", "--timeout", "--json"); /* the value is whatever comes next */
}

static void short_options(void **state)
{
    (void)state;
    PARSED("define(N=12) quiet define(M=3)", "", "-DN=12", "-q", "-D", "M=3");
}

static void words_and_the_double_dash(void **state)
{
    (void)state;
    PARSED("word(a) quiet word(b)", "", "a", "-q", "b");
    PARSED("word(-) json", "", "-", "--json");
    PARSED("quiet word(-q) word(--json) word(--)", "", "-q", "--", "-q", "--json", "--");
    PARSED("word()", "", "");
    PARSED("", "", "--");
}

static void mistakes(void **state)
{
    (void)state;
    PARSED("error(unknown option --timout)", "did you mean --timeout?", "--timout=5s");
    PARSED("quiet error(unknown option --jsn)", "did you mean --json?", "-q", "--jsn");
    PARSED("error(unknown option --elephant)", "--help lists the options", "--elephant");
    PARSED("error(unknown option --tim)", "--help lists the options", "--tim"); /* no abbreviations */
    PARSED("error(unknown option --json-lines)", "--help lists the options", "--json-lines");
    PARSED("error(unknown option -x)", "--help lists the options", "-x");
    PARSED("error(option --json takes no value)", "", "--json=1");
    PARSED("error(option --quiet takes no value)", "", "-q1");
    PARSED("error(option --timeout needs a value: --timeout=TIME)", "", "--timeout");
    PARSED("error(option --define needs a value: --define=NAME=VALUE)", "", "-D");
}

static void what_goes_together(void **state)
{
    (void)state;
    PARSED("quiet reuse", "", "-q", "--reuse");
    PARSED("quiet reuse(3) word(4)", "", "-q", "--reuse=3", "4");
    PARSED("reuse error(option --reuse goes with --quiet only)", "", "--reuse");
    PARSED("quiet json reuse error(options --json and --reuse do not go together)", "choose", "-q", "--json",
           "--reuse");
    PARSED("error(option --budget is gone: use --timeout)", "", "--budget=5s");
    PARSED("error(unknown option --budge)", "--help lists the options",
           "--budge=5s"); /* nobody is led to it */
    PARSED_FOR(1, "error(unknown option --reuse)", "--help lists the options", "--reuse");
}

static void help_lists_every_option(void **state)
{
    (void)state;
    mz_text text = {0};
    mz_command_line offered = {0};
    mz_options_offer(&offered, table, LENGTH(table), 2, NULL);
    mz_options_help(&offered, &text);
    mz_options_release(&offered);
    const char *help = mz_text_string(&text);
    assert_contains(help, "      --timeout=TIME");
    assert_contains(help, "  -D, --define=NAME=VALUE");
    assert_contains(help, "  -q, --quiet");
    size_t lines = 0, column = 0;
    for (const char *line = help; *line; line = strchr(line, '\n') + 1, lines++) {
        const char *text_of = strstr(line, table[lines].help);
        assert_non_null(text_of);
        assert_true(lines == 0 || (size_t)(text_of - line) == column); /* aligned */
        column = (size_t)(text_of - line);
    }
    assert_int_equal(lines, LENGTH(table) - GONE);
    mz_text_release(&text);
}

static void durations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"5", 5}, {"5s", 5}, {"2m", 120}, {"1h", 3600}, {"250ms", 0.25}, {"0.5s", 0.5}, {"1.5m", 90}};
    for (size_t i = 0; i < LENGTH(good); i++) {
        mz_error error = {0};
        double seconds = -1;
        if (!mz_parse_duration("timeout", good[i].text, &seconds, &error) || error.set)
            fail_msg("'%s' was refused", good[i].text);
        assert_true(seconds > good[i].seconds - 1e-9 && seconds < good[i].seconds + 1e-9);
    }
    static const char *const bad[] = {"",   "s",   "0",   "0s",   "-1",  "-5s", "5x",    "5 s",   "5sm",
                                      "ms", "nan", "inf", "1e99", "ten", "5s ", "1e400", "1e-400"};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        mz_error error = {0};
        double seconds = -1;
        if (mz_parse_duration("timeout", bad[i], &seconds, &error) || !error.set)
            fail_msg("'%s' was accepted as %g s", bad[i], seconds);
        assert_contains(mz_text_string(&error.message), "option --timeout: '");
        assert_contains(mz_text_string(&error.message), "is not a duration");
        assert_string_equal(mz_text_string(&error.hint), "for example --timeout=10s");
        mz_error_release(&error);
    }
}

typedef bool scaled_parser(const char *option, const char *text, uint64_t *out, mz_error *error);

static void assert_scaled(scaled_parser *parse, const char *text, uint64_t expected)
{
    mz_error error = {0};
    uint64_t value = 0;
    if (!parse("limit", text, &value, &error) || error.set)
        fail_msg("'%s' was refused", text);
    assert_int_equal(value, expected);
}

static void assert_not_scaled(scaled_parser *parse, const char *text, const char *kind)
{
    mz_error error = {0};
    uint64_t value = 0;
    if (parse("limit", text, &value, &error) || !error.set)
        fail_msg("'%s' was accepted as %llu", text, (unsigned long long)value);
    assert_contains(mz_text_string(&error.message), kind);
    assert_contains(mz_text_string(&error.hint), "for example --limit=");
    mz_error_release(&error);
}

static void counts_are_decimal_and_sizes_binary(void **state)
{
    (void)state;
    assert_scaled(mz_parse_count, "1", 1);
    assert_scaled(mz_parse_count, "1000", 1000);
    assert_scaled(mz_parse_count, "10k", 10000);
    assert_scaled(mz_parse_count, "2M", 2000000);
    assert_scaled(mz_parse_count, "3g", UINT64_C(3000000000));
    assert_scaled(mz_parse_count, "18446744073709551615", UINT64_MAX);
    assert_scaled(mz_parse_size, "512", 512);
    assert_scaled(mz_parse_size, "4K", 4096);
    assert_scaled(mz_parse_size, "512m", UINT64_C(512) << 20);
    assert_scaled(mz_parse_size, "4G", UINT64_C(4) << 30);
    assert_scaled(mz_parse_size, "17179869183G", UINT64_C(17179869183) << 30);
}

static void counts_and_sizes_that_are_none(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "k",
                                      "0",
                                      "0k",
                                      "-1",
                                      "1.5",
                                      "10kk",
                                      "10x",
                                      "ten",
                                      "1 ",
                                      "1 k",
                                      "18446744073709551616",
                                      "18446744073709551615k"};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        assert_not_scaled(mz_parse_count, bad[i], "is not a count of at least 1");
        assert_not_scaled(mz_parse_size, bad[i], "is not a size");
    }
    assert_not_scaled(mz_parse_size, "17179869184G", "is not a size"); /* 2^64 bytes */
}

/* The library function would take a blank and a sign, and turn -5 into a huge number. */
static void a_negative_count_behind_a_blank(void **state)
{
    (void)state;
    assert_not_scaled(mz_parse_count, " -5", "is not a count of at least 1");
    assert_not_scaled(mz_parse_size, "\t-5", "is not a size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_options),
        cmocka_unit_test(short_options),
        cmocka_unit_test(words_and_the_double_dash),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(what_goes_together),
        cmocka_unit_test(help_lists_every_option),
        cmocka_unit_test(durations),
        cmocka_unit_test(counts_are_decimal_and_sizes_binary),
        cmocka_unit_test(counts_and_sizes_that_are_none),
        cmocka_unit_test(a_negative_count_behind_a_blank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
