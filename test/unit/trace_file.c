#include "session/settings/trace_file.h"

#include "base/memory.h"
#include "support.h"

/* "ok", or "LINE: message". */
static const char *reading(const char *text, size_t length)
{
    static char result[300];
    mz_trace trace;
    mz_error error = {0};
    bool read = mz_trace_parse(&trace, "t.mzt", text, length, &error);
    snprintf(result, sizeof result, "ok");
    if (!read)
        snprintf(result, sizeof result, "%u: %s", error.position.line, mz_text_string(&error.message));
    assert_int_equal(read, !error.set);
    mz_trace_release(&trace);
    mz_error_release(&error);
    return result;
}

#define START "mazurka-trace 1\nmachine dlang\nfile x.dlang\n"
#define ERROR "error assertion 0 1:1 x.dlang\n"

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } files[] = {
        {START ERROR "end\n", "ok"},
        {START ERROR "end", "ok"},
        {START ERROR "\n# comment\nstep 0 -\r\nend\r\n", "ok"},
        {"", "1: the file is empty"},
        {"\n", "1: not a counterexample"},
        {"mazurka-trace", "1: not a counterexample"},
        {"mazurka-trace x", "1: version: 'x' is not a number"},
        {"mazurka-trace 1 2", "1: ' 2' is too much here"},
        {"mazurka-trace 99", "1: version 99 of the format is not known here"},
        {"mazurka-trace 99999999999999999999", "1: version: '99999999999999999999' is not a number"},
        {START, "3: there is no line 'error'"},
        {START ERROR, "4: there is no line 'end': is the file cut off?"},
        {"mazurka-trace 1\nfile x\n" ERROR "end\n", "4: there is no line 'machine'"},
        {"mazurka-trace 1\nmachine dlang\n" ERROR "end\n", "4: there is no line 'file'"},
        {START "file y.dlang\n" ERROR "end\n", "6: a model is one file, not 2"},
        {START "machine dlang\n", "4: 'machine' is given twice"},
        {"mazurka-trace 1\nmachine java\n", "2: unknown machine 'java'"},
        {START "file\n", "4: a file has no name"},
        {START "nonsense 1\n", "4: unknown word 'nonsense'"},
        {START "stepp 1\n", "4: unknown word 'stepp'"},
        {START ERROR "end\nend\n", "6: something follows 'end'"},
        {START ERROR "end now\n", "5: 'now' is too much here"},
        {START ERROR "step 0 -\nflag -DN=1\nend\n", "6: 'flag' has to stand before the steps"},
        {START "flag -DN\n" ERROR "end\n", "6: option -D: 'N' is not NAME=NUMBER"},
        {START "check deadlocks,nonsense\n", "4: option --check: unknown kind 'nonsense'"},
        {START "main-exit never\n", "4: main-exit is end or join"},
        {START "unroll -1\n", "4: unroll: '-1' is not a number"},
        {START "unroll 4294967296\n", "4: unroll: '4294967296' is not a number"},
        {START "unroll-at 3\n", "4: unroll-at: '3' is not FILE:LINE:K"},
        {START "unroll-at x.c:0:3\n", "4: option --unroll: 'x.c:0:3' is not FILE:LINE:K"},
        {START "spurious no\n", "4: spurious is yes, not 'no'"},
        {START "patience nan\n", "4: patience: 'nan' is not a number of seconds"},
        {START "nondet 5..1\n", "4: option --nondet: '5..1' is not LO..HI"},
        {START "error panic 0 1:1 x\n", "4: unknown kind of error 'panic'"},
        {START "error assertion 1024 1:1 x\n", "4: thread: '1024' is not a number from 0 to 1023"},
        {START "error assertion 0 1 x\n", "4: column: "},
        {START "error assertion\n", "4: thread: '' is not a number"},
        {START "choices 1,,2\n", "4: choice: '' is not a number"},
        {START "choices 1 2\n", "4: ' 2' is too much here"},
        {START "choices 9223372036854775808\n", "4: choice: '9223372036854775808' is not a number"},
        {START "step\n", "4: thread: '' is not a number"},
        {START "step -1 -\n", "4: thread: '-1' is not a number"},
        {START "step 0 1,\n", "4: choice: '' is not a number"},
        {START "step 0 1,x\n", "4: choice: 'x' is not a number"},
        {START "step 0 - -\n", "4: choice: '-' is not a number"},
        {START "step 0 - | here | a | b\n", "4: a place is FILE:LINE:COLUMN"},
        {START "step 0 - | f:x:1 | a | b\n", "4: line: 'x' is not a number"},
        {START "step 0 - | f:1:1 | a | b | c\n", "4: a step has four parts, not more"},
        {START "step 0 - | f:1:1 | a\\q | b\n", "4: a backslash is followed by"},
        {START "argument \\x0\n", "4: a backslash is followed by"},
        {START "argument \\x00\n", "4: a backslash is followed by"},
        {START "argument \\\n", "4: a backslash is followed by"},
    };
    for (size_t i = 0; i < LENGTH(files); i++) {
        const char *got = reading(files[i].text, strlen(files[i].text));
        if (strncmp(got, files[i].says, strlen(files[i].says)) != 0)
            fail_msg("file %zu:\n%s\nexpected: %s\ngot: %s", i, files[i].text, files[i].says, got);
    }
    assert_contains(reading(START "flag -D\0N=1\n", sizeof START "flag -D\0N=1\n" - 1),
                    "4: a byte 0 in the line");
}

/* A report with everything that needs care. */
static const char odd_text[] = " a|b\\c\n\t\x01\xff→ ";

static void write_odd(mz_text *out)
{
    mz_settings s;
    mz_settings_init(&s);
    const char *files[] = {"a b.c", "-|.c"};
    s.files = files;
    s.file_count = 2;
    s.compiler = "my cc";
    s.search.checks = 1u << MZ_FAIL_DEADLOCK | 1u << MZ_FAIL_RACE;
    s.join_at_exit = true;
    s.unroll = 7;
    s.nondet_low = INT64_MIN;
    s.nondet_high = INT64_MAX;
    s.patience = 2.5;
    mz_words_add(&s.compile_flags, "-DX=\"a b\"");
    mz_words_add(&s.link_flags, "-lm");
    mz_words_add(&s.arguments, "");
    mz_words_add(&s.arguments, odd_text);
    mz_text places = {0};
    for (int i = 0; i < 100; i++)
        mz_text_add(&places, "%simage+%x:4", i ? " " : "", i * 8);
    mz_report_step steps[] = {
        {.thread = 63,
         .text = odd_text,
         .effect = odd_text,
         .position = {"dir:1/a.c", 3, 4},
         .choices = "3,-9223372036854775808"},
        {.thread = 0, .text = "b", .effect = "", .choices = ""},
    };
    mz_report_error e = {.kind = MZ_FAIL_RACE,
                         .message = odd_text,
                         .position = {"x y.c", 12, 0},
                         .thread = 5,
                         .initial_choices = "1, -2",
                         .steps = steps,
                         .step_count = 2,
                         .original_steps = 9};
    mz_trace_text(&s, NULL, &(mz_trace_native){"0.0 0.1", mz_text_string(&places), NULL}, &e, out);
    mz_text_release(&places);
    mz_words_release(&s.compile_flags);
    mz_words_release(&s.link_flags);
    mz_words_release(&s.arguments);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    mz_text text = {0};
    mz_trace t;
    mz_error error = {0};
    write_odd(&text);
    assert_true(mz_trace_parse(&t, "t.mzt", mz_text_string(&text), text.length, &error));
    const mz_settings *s = &t.settings;
    assert_true(s->native && s->join_at_exit);
    assert_int_equal(s->file_count, 2);
    assert_string_equal(s->files[0], "a b.c");
    assert_string_equal(s->files[1], "-|.c");
    assert_string_equal(s->compiler, "my cc");
    assert_int_equal(s->search.checks, 1u << MZ_FAIL_DEADLOCK | 1u << MZ_FAIL_RACE);
    assert_int_equal(s->unroll, 7);
    assert_true(s->nondet_low == INT64_MIN && s->nondet_high == INT64_MAX && s->patience == 2.5);
    assert_string_equal(s->compile_flags.items[0], "-DX=\"a b\"");
    assert_string_equal(s->link_flags.items[0], "-lm");
    assert_int_equal(s->arguments.count, 2);
    assert_string_equal(s->arguments.items[0], "");
    assert_string_equal(s->arguments.items[1], odd_text);
    assert_string_equal(mz_text_string(&t.threads), "0.0 0.1");
    assert_contains(mz_text_string(&t.shared), "image+0:4 image+8:4 ");
    assert_contains(mz_text_string(&t.shared), " image+318:4");
    const mz_problem *p = &t.problem;
    assert_int_equal(p->failure.kind, MZ_FAIL_RACE);
    assert_string_equal(mz_text_string(&p->failure.message), odd_text);
    assert_string_equal(p->failure.position.file, "x y.c");
    assert_true(p->failure.position.line == 12 && p->failure.thread == 5 && p->original_steps == 9);
    assert_int_equal(p->initial_choices, 2);
    assert_true(p->choices[0].value == 1 && p->choices[1].value == -2);
    assert_int_equal(p->step_count, 2);
    assert_true(p->steps[0].thread == 63 && p->steps[0].choice_count == 2 && p->steps[0].first_choice == 2);
    assert_true(p->choices[3].value == INT64_MIN);
    assert_string_equal(p->steps[0].text, odd_text);
    assert_string_equal(p->steps[0].effect, odd_text);
    assert_string_equal(p->steps[0].position.file, "dir:1/a.c");
    assert_true(p->steps[0].position.line == 3 && p->steps[0].position.column == 4);
    assert_true(p->steps[1].choice_count == 0 && p->steps[1].position.line == 0);
    mz_trace_release(&t);
    mz_text_release(&text);
}

/* Every beginning of a file, and every file with one byte changed, is read or refused. */
/* Whatever is changed in a file with a sum, or cut off, is noticed. */
static void changes_are_noticed(void **state)
{
    (void)state;
    mz_text text = {0};
    uint64_t seed = 2;
    write_odd(&text);
    assert_string_equal(reading(text.bytes, text.length), "ok");
    for (size_t i = 0; i < text.length; i++) {
        char old = text.bytes[i];
        assert_string_not_equal(reading(text.bytes, i), "ok");
        do
            text.bytes[i] = (char)random_below(&seed, 256);
        while (text.bytes[i] == old);
        assert_string_not_equal(reading(text.bytes, text.length), "ok");
        text.bytes[i] = old;
    }
    mz_text_release(&text);
}

/* The same without the sum: not all of it can be noticed. */
static void nothing_breaks_it(void **state)
{
    (void)state;
    mz_text whole = {0}, text = {0};
    uint64_t seed = 1;
    write_odd(&whole);
    mz_text_add(&text, "mazurka-trace 1%s", strchr(mz_text_string(&whole), '\n'));
    for (size_t length = 0; length < text.length; length++) {
        bool all = length + 1 == text.length; /* only the last line feed is missing */
        assert_int_equal(strcmp(reading(text.bytes, length), "ok") == 0, all);
    }
    for (size_t i = 0; i < text.length; i++) {
        char old = text.bytes[i];
        text.bytes[i] = (char)random_below(&seed, 256);
        reading(text.bytes, text.length);
        text.bytes[i] = old;
    }
    mz_text_release(&text);
    mz_text_release(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(changes_are_noticed),
        cmocka_unit_test(nothing_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
