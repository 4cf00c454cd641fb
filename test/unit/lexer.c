#include "model/lexer.h"

#include "base/memory.h"
#include "support.h"

/* Names that count as declared, ended by NULL. */
static bool is_listed(void *context, const char *name, size_t length)
{
    for (const char *const *known = context; *known; known++)
        if (strlen(*known) == length && memcmp(*known, name, length) == 0)
            return true;
    return false;
}

/* Reads to the end as the parser does, and writes the tokens with blanks in between; an error as
 * "line:column message". */
static void lex(const char *source, size_t length, const char *const *known, bool declaring, mz_text *out)
{
    mz_error error = {0};
    mz_lexer l;
    mz_token token;
    mz_lexer_init(&l, "test.dlang", source, length, &error);
    l.known = is_listed;
    l.context = (void *)(uintptr_t)known;
    for (;;) {
        l.declaring = declaring;
        mz_lexer_next(&l, &token);
        assert_true(token.start <= token.end || error.set);
        if (token.kind == MZ_TOKEN_END)
            break;
        if (token.kind == MZ_TOKEN_REPEAT_BEGIN) {
            mz_lexer_next(&l, &token);
            assert_int_equal(token.kind, MZ_TOKEN_NUMBER);
            mz_lexer_begin_repetition(&l, token.value);
            continue;
        }
        if (token.kind == MZ_TOKEN_REPEAT_END) {
            mz_lexer_end_repetition(&l);
            continue;
        }
        mz_text_add(out, "%s", out->length ? " " : "");
        const char *name = mz_token_name(token.kind);
        if (token.kind == MZ_TOKEN_NAME)
            mz_text_add(out, "%s", token.text);
        else if (token.kind == MZ_TOKEN_NUMBER)
            mz_text_add(out, "%lld", (long long)token.value);
        else if (token.kind == MZ_TOKEN_STRING)
            mz_text_add(out, "\"%s\"", token.text);
        else
            mz_text_add_bytes(out, name + 1, strlen(name) - 2); /* '<=' without its quotes */
    }
    if (error.set) {
        mz_text_add(out, "%s%u:%u %s", out->length ? " " : "", error.position.line, error.position.column,
                    mz_text_string(&error.message));
        mz_lexer_next(&l, &token); /* after an error only the end, again and again */
        assert_int_equal(token.kind, MZ_TOKEN_END);
    }
    mz_lexer_release(&l);
    mz_error_release(&error);
}

static void assert_tokens_of(const char *source, size_t length, const char *const *known, bool declaring,
                             const char *expected)
{
    mz_text text = {0};
    lex(source, length, known, declaring, &text);
    assert_string_equal(mz_text_string(&text), expected);
    mz_text_release(&text);
}

static const char *const nothing_known[] = {NULL};

static void assert_tokens(const char *source, const char *expected)
{
    assert_tokens_of(source, strlen(source), nothing_known, false, expected);
}

static void assert_lex_error(const char *source, uint32_t line, uint32_t column, const char *message)
{
    mz_text text = {0}, position = {0};
    lex(source, strlen(source), nothing_known, false, &text);
    mz_text_add(&position, "%u:%u ", line, column);
    assert_contains(mz_text_string(&text), mz_text_string(&position));
    assert_contains(mz_text_string(&text), message);
    mz_text_release(&text);
    mz_text_release(&position);
}

static void symbols(void **state)
{
    (void)state;
    assert_tokens("< > <= >= == != = := && || ! + - * / % ( ) [ ] { } , ;",
                  "< > <= >= == != = := && || ! + - * / % ( ) [ ] { } , ;");
    assert_tokens("a<=b==c!=!d:=e", "a <= b == c != ! d := e");
    assert_tokens("1<-2", "1 < - 2");
    assert_tokens("===", "== =");
    assert_tokens("", "");
    assert_tokens(" \t\r\n ", "");
}

static void names_numbers_strings(void **state)
{
    (void)state;
    assert_tokens("_a1 B2 1a 007 9223372036854775807", "_a1 B2 1 a 7 9223372036854775807");
    assert_tokens("\"a // }> $\" x", "\"a // }> $\" x");
    assert_tokens("\"\"", "\"\"");
}

/* x-1 is a difference unless x-1 is declared: the longest declared name wins. */
static void names_with_dashes(void **state)
{
    (void)state;
    static const char *const known[] = {"x", "x-1", "a-b", "a-b-c-d", NULL};
    static const struct {
        const char *source, *expected;
    } cases[] = {
        {"x-1", "x-1"},         {"x-2", "x - 2"},
        {"x-12", "x - 12"},     {"x -1", "x - 1"},
        {"x--1", "x - - 1"},    {"x-", "x -"},
        {"a-b", "a-b"},         {"a-b-c", "a-b - c"},
        {"a-b-c-d", "a-b-c-d"}, {"a-b-c-d-e", "a-b-c-d - e"},
        {"a-c", "a - c"},       {"y-z-1", "y - z - 1"},
        {"x-1-1", "x-1 - 1"},   {"-x", "- x"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_tokens_of(cases[i].source, strlen(cases[i].source), known, false, cases[i].expected);
    assert_tokens_of("x-2 y-z-1", 9, known, true,
                     "x-2 y-z-1"); /* in a declaration a name is as long as can be */
}

static void comments(void **state)
{
    (void)state;
    assert_tokens("a // b \" <{ }>\nc", "a c");
    assert_tokens("a // b\r\nc // d", "a c");
    assert_tokens("//", "");
    assert_tokens("6 / 3", "6 / 3");
}

static void repetitions(void **state)
{
    (void)state;
    assert_tokens("<{3 x$ := $; }> end", "x0 := 0 ; x1 := 1 ; x2 := 2 ; end");
    assert_tokens("<{0 x$ ( }> end", "end");
    assert_tokens("<{1 a }><{2 b }>", "a b b");
    assert_tokens("<{12 $ }>", "0 1 2 3 4 5 6 7 8 9 10 11");
    assert_tokens("<{2 x$y$ 1$ $$ }>", "x0y0 10 0 x1y1 11 11");
    assert_tokens("<{2 <{2 a$ }> b$ }>", "a0 a1 b0 a0 a1 b1"); /* $ is the innermost number */
    assert_tokens("<{2 <{0 a$ }> b$ <{1 c$ }> }>", "b0 c0 b1 c0");
    assert_tokens("<{2 // }>\n a \"}>\" }>", "a \"}>\" a \"}>\"");
    assert_tokens("<{2 {a}}>", "{ a } { a }");
    assert_tokens("{ a }> b", "{ a } > b"); /* outside a block these are two tokens */
}

static void the_repetition_number_in_names_with_dashes(void **state)
{
    (void)state;
    static const char *const known[] = {"x", "x-1", NULL};
    const char *source = "<{3 x-$ }>";
    assert_tokens_of(source, strlen(source), known, false, "x - 0 x-1 x - 2");
    assert_tokens_of(source, strlen(source), known, true, "x-0 x-1 x-2");
}

static void positions_count_lines_and_bytes(void **state)
{
    (void)state;
    const char *source = "a\n\n  bc\r\n\td // x\n\xC3\xA9";
    mz_error error = {0};
    mz_lexer l;
    mz_token token;
    mz_lexer_init(&l, "test.dlang", source, strlen(source), &error);
    l.known = is_listed;
    l.context = (void *)(uintptr_t)nothing_known;
    static const struct {
        const char *text;
        uint32_t line, column;
    } expected[] = {{"a", 1, 1}, {"bc", 3, 3}, {"d", 4, 2}};
    for (size_t i = 0; i < LENGTH(expected); i++) {
        mz_lexer_next(&l, &token);
        mz_position position = mz_lexer_position(&l, token.start);
        assert_string_equal(token.text, expected[i].text);
        assert_string_equal(position.file, "test.dlang");
        assert_int_equal(position.line, expected[i].line);
        assert_int_equal(position.column, expected[i].column);
        assert_int_equal(token.end - token.start, strlen(expected[i].text));
    }
    mz_lexer_next(&l, &token); /* é is no part of the language */
    assert_true(error.set);
    assert_int_equal(error.position.line, 5);
    assert_int_equal(error.position.column, 1);
    assert_string_equal(mz_text_string(&error.source_line), "\xC3\xA9");
    mz_error_release(&error);
    mz_lexer_release(&l);
}

static void the_line_of_an_error_has_no_line_end(void **state)
{
    (void)state;
    const char *source = "first\r\nsecond @ line\r\nthird";
    mz_error error = {0};
    mz_lexer l;
    mz_lexer_init(&l, "test.dlang", source, strlen(source), &error);
    mz_lexer_fail(&l, 14, "at %d", 14);
    assert_string_equal(mz_text_string(&error.source_line), "second @ line");
    assert_string_equal(mz_text_string(&error.message), "at 14");
    assert_int_equal(error.position.line, 2);
    assert_int_equal(error.position.column, 8);
    mz_error_release(&error);
    mz_lexer_release(&l);
}

static void mistakes(void **state)
{
    (void)state;
    assert_lex_error("a\n b @", 2, 4, "unexpected character '@'");
    assert_lex_error("a & b", 1, 3, "unexpected character '&'");
    assert_lex_error("a : b", 1, 3, "unexpected character ':'");
    assert_lex_error("a \x01", 1, 3, "unexpected byte 0x01");
    assert_lex_error("a \xFF", 1, 3, "unexpected byte 0xff");
    assert_lex_error("9223372036854775808", 1, 1, "the number is too large");
    assert_lex_error("a 99999999999999999999999999", 1, 3, "the number is too large");
    assert_lex_error("x\n \"abc\n\"", 2, 2, "this string has no closing '\"' on its line");
    assert_lex_error("\"abc", 1, 1, "this string has no closing");
    assert_lex_error("\"", 1, 1, "this string has no closing");
    assert_lex_error("a x$", 1, 4, "'$' stands for the number of a repetition");
    assert_lex_error("<{2 a }> $", 1, 10, "'$' stands for the number of a repetition");
    assert_lex_error("a\n<{2 b", 2, 3, "this repetition block has no end");
    assert_lex_error("<{2 <{3 a }> b", 1, 3, "this repetition block has no end");
    assert_lex_error("<{2 a // }>", 1, 3, "this repetition block has no end");
    assert_lex_error("<{0 a", 1, 3, "this repetition block has no end");
    assert_lex_error("<{1000 <{1000 }> }>", 1, 13, "too many repetitions");
}

static void a_zero_byte_is_no_end(void **state)
{
    (void)state;
    assert_tokens_of("a \0 b", 5, nothing_known, false, "a 1:3 unexpected byte 0x00");
}

static void the_longest_name_and_the_deepest_repetition(void **state)
{
    (void)state;
    mz_text source = {0};
    mz_text_add_repeated(&source, "n", MZ_NAME_BYTES);
    assert_tokens(mz_text_string(&source), mz_text_string(&source));
    mz_text_add(&source, "n");
    assert_lex_error(mz_text_string(&source), 1, 1, "too long");
    mz_text_clear(&source);
    mz_text_add(&source, "\"");
    mz_text_add_repeated(&source, "s", MZ_NAME_BYTES);
    mz_text_add(&source, "\"");
    assert_tokens(mz_text_string(&source), mz_text_string(&source));
    mz_text_clear(&source);
    mz_text_add(&source, "\"");
    mz_text_add_repeated(&source, "s", MZ_NAME_BYTES + 1);
    mz_text_add(&source, "\"");
    assert_lex_error(mz_text_string(&source), 1, 1, "too long");
    mz_text_clear(&source);
    mz_text_add_repeated(&source, "<{1 ", MZ_MAX_REPETITIONS);
    mz_text_add(&source, "deep");
    mz_text_add_repeated(&source, " }>", MZ_MAX_REPETITIONS);
    assert_tokens(mz_text_string(&source), "deep");
    mz_text_clear(&source);
    mz_text_add_repeated(&source, "<{1 ", MZ_MAX_REPETITIONS + 1);
    mz_text_add_repeated(&source, " }>", MZ_MAX_REPETITIONS + 1);
    assert_lex_error(mz_text_string(&source), 1, 4 * MZ_MAX_REPETITIONS + 3, "too many repetitions");
    mz_text_release(&source);
}

static void excerpts_are_for_people(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int64_t repetition;
        const char *expected;
    } cases[] = {
        {"x  :=\n\t1", -1, "x := 1"},
        {"x$ := $ + 1", 12, "x12 := 12 + 1"},
        {"x$", -1, "x$"},
        {"x := // why\n  2 // more", -1, "x := 2"},
        {"x := // why\r\n  2", -1, "x := 2"},
        {"  x ", -1, "x"},
        {"a / b", -1, "a / b"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mz_error error = {0};
        mz_text text = {0};
        mz_lexer l;
        size_t length = strlen(cases[i].source);
        mz_lexer_init(&l, "test.dlang", cases[i].source, length, &error);
        mz_lexer_excerpt(&l, 0, length, cases[i].repetition, &text);
        assert_string_equal(mz_text_string(&text), cases[i].expected);
        mz_text_clear(&text);
        mz_lexer_excerpt(&l, length, length + 100, -1, &text); /* beyond the end there is nothing */
        assert_string_equal(mz_text_string(&text), "");
        mz_text_release(&text);
        mz_lexer_release(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols),
        cmocka_unit_test(names_numbers_strings),
        cmocka_unit_test(names_with_dashes),
        cmocka_unit_test(comments),
        cmocka_unit_test(repetitions),
        cmocka_unit_test(the_repetition_number_in_names_with_dashes),
        cmocka_unit_test(positions_count_lines_and_bytes),
        cmocka_unit_test(the_line_of_an_error_has_no_line_end),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(a_zero_byte_is_no_end),
        cmocka_unit_test(the_longest_name_and_the_deepest_repetition),
        cmocka_unit_test(excerpts_are_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
