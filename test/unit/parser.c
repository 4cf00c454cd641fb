#include "model/parser.h"

#include "support.h"

static mz_program *parse_defining(const char *source, mz_definition *definitions, size_t count,
                                  mz_error *error)
{
    return mz_parse("test.dlang", source, strlen(source), definitions, count, error);
}

static mz_program *parse(const char *source)
{
    mz_error error = {0};
    mz_program *program = parse_defining(source, NULL, 0, &error);
    if (!program)
        fail_msg("%u:%u: %s in: %s", error.position.line, error.position.column,
                 mz_text_string(&error.message), source);
    return program;
}

/* ---- what is a program ----------------------------------------------------------------------------- */

static void headers(void **state)
{
    (void)state;
    mz_program *program =
        parse("// comment\n<\"name\" 0, x 3 1 -2, local l 1 (2 + 3), const c 2 7 8, y 1, >\n");
    assert_string_equal(program->name, "name");
    assert_int_equal(program->process_count, 0);
    assert_int_equal(program->variable_count, 4);
    static const struct {
        const char *name;
        mz_storage storage;
        uint32_t length;
        int64_t initial[3];
    } expected[] = {{"x", MZ_SHARED, 3, {1, -2, 0}},
                    {"l", MZ_LOCAL, 1, {5}},
                    {"c", MZ_CONST, 2, {7, 8}},
                    {"y", MZ_SHARED, 1, {0}}};
    for (size_t i = 0; i < LENGTH(expected); i++) {
        const mz_variable *v = program->variables[i];
        assert_string_equal(v->name, expected[i].name);
        assert_int_equal(v->storage, expected[i].storage);
        assert_int_equal(v->length, expected[i].length);
        assert_memory_equal(v->initial, expected[i].initial, v->length * sizeof(int64_t));
    }
    mz_program_destroy(program);
    mz_program_destroy(parse("<0>"));
    mz_program_destroy(NULL);
}

static void parameters_and_definitions(void **state)
{
    (void)state;
    const char *source =
        "param N = 2\nparam M = (N + 1)\nparam K\n<(N * M), x K>\n<{N <{M [ x[$] := N ] }> }>\n";
    mz_definition definitions[] = {
        {.name = "K", .value = 9}, {.name = "N", .value = 4}, {.name = "n", .value = 5}};
    mz_error error = {0};
    mz_program *program = parse_defining(source, definitions, 3, &error);
    assert_non_null(program);
    assert_true(definitions[0].used && definitions[1].used);
    assert_false(definitions[2].used);            /* the caller complains of what no program has used */
    assert_int_equal(program->process_count, 20); /* 4 times 5: M's default follows the given N */
    assert_int_equal(program->variables[0]->length, 9);
    assert_int_equal(program->processes[19]->value->number, 4);
    mz_program_destroy(program);
}

static mz_expression *value_in(mz_program *program)
{
    return program->processes[0]->value;
}

static void a_dash_is_minus_unless_declared(void **state)
{
    (void)state;
    mz_program *program = parse("<1, x 1, y 1> [ y := x-1 ]");
    assert_int_equal(value_in(program)->kind, MZ_EXPR_SUBTRACT);
    assert_string_equal(value_in(program)->left->variable->name, "x");
    assert_int_equal(value_in(program)->right->number, 1);
    mz_program_destroy(program);
    program = parse("<1, x 1, x-1 1, y 1> [ y := x-1 ]");
    assert_int_equal(value_in(program)->kind, MZ_EXPR_VARIABLE);
    assert_string_equal(value_in(program)->variable->name, "x-1");
    mz_program_destroy(program);
    program = parse("param N-1 = 7 <1, y 1> [ y := N-1 ]");
    assert_int_equal(value_in(program)->number, 7);
    mz_program_destroy(program);
    program = parse("param N = 7 <1, y 1> [ y := N-1 ]");
    assert_int_equal(value_in(program)->number, 6);
    mz_program_destroy(program);
    program = parse("<2, y 1> [ y := pid-1 ] [ y := true-1 ]");
    assert_int_equal(value_in(program)->number, -1);
    assert_int_equal(program->processes[1]->value->number, 0);
    mz_program_destroy(program);
}

static void assert_variables(const char *source, const char *const *names, size_t count)
{
    mz_program *program = parse(source);
    assert_int_equal(program->variable_count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(program->variables[i]->name, names[i]);
    mz_program_destroy(program);
}

static void declarations_in_a_repetition(void **state)
{
    (void)state;
    static const char *const plain[] = {"x0", "x1", "y"};
    assert_variables("<0, <{2 x$ 1, }> y 1>", plain, 3);
    assert_variables("<0 <{2 , x$ 1 }>, y 1>", plain, 3);
    assert_variables("<0, <{0 x$ 1, }> <{2 x$ 1, }> y 1>", plain, 3);
}

/* A name that is being declared is as long as can be, inside a repetition block as elsewhere. */
static void declarations_with_dashes_in_a_repetition(void **state)
{
    (void)state;
    static const char *const dashes[] = {"x-0", "x-1", "y-z"};
    assert_variables("<0 <{2 , x-$ 1 }>, y-z 1>", dashes, 3);
    assert_variables("<0, <{2 x-$ 1, }> y-z 1>", dashes, 3);
}

static void repetitions_of_processes_and_statements(void **state)
{
    (void)state;
    mz_program *program = parse("param N = 2\n<5, x 3>\n<{(N + 1) [ x[$] := $ ] }>\n<{0 [ nonsense }>\n"
                                "<{N [ <{3 x[$] := pid }> ] }>");
    assert_int_equal(program->process_count, 5);
    for (int64_t i = 0; i < 3; i++) {
        assert_int_equal(program->processes[i]->value->number, i);
        assert_int_equal(program->processes[i]->target->left->number, i);
        assert_null(program->processes[i]->next);
    }
    assert_string_equal(program->processes[2]->text, "x[2] := 2"); /* $ replaced, for reports */
    int64_t cell = 0;
    for (const mz_statement *s = program->processes[4]; s; s = s->next, cell++) {
        assert_int_equal(s->target->left->number, cell);
        assert_int_equal(s->value->number, 4);
    }
    assert_int_equal(cell, 3);
    mz_program_destroy(program);
}

static void statements_and_their_texts(void **state)
{
    (void)state;
    static const struct {
        mz_statement_kind kind;
        uint32_t line, column;
        const char *text;
    } expected[] = {
        {MZ_STMT_ASSIGN, 2, 3, "x := 1 + y"},
        {MZ_STMT_IF, 3, 1, "if x == 1"},
        {MZ_STMT_IF, 4, 1, "if x == 1"},
        {MZ_STMT_WHILE, 5, 1, "while x < 2"},
        {MZ_STMT_ASSERT, 6, 1, "assert x == 0 || y == 1"},
        {MZ_STMT_ASSUME, 7, 1, "assume x == 0"},
        {MZ_STMT_AWAIT, 7, 15, "await y == 1"},
        {MZ_STMT_LOCK, 8, 1, "lock x"},
        {MZ_STMT_UNLOCK, 8, 8, "unlock x"},
        {MZ_STMT_CAS, 9, 1, "cas(x, 0, 1)"},
        {MZ_STMT_ATOMIC, 10, 1, "atomic { x := 0 y := 0 }"},
        {MZ_STMT_SKIP, 11, 1, "skip"},
    };
    mz_program *program = parse("<1, x 1, y 1>\n"
                                "[ x  :=  1 + y; // why\n"
                                "if x == 1\n"
                                "if x == 1 then { skip } else if y == 2 { skip } else { skip }\n"
                                "while x < 2 { x := x + 1 }\n"
                                "assert x == 0 ||   y == 1\n"
                                "assume x == 0 await y == 1\n"
                                "lock x unlock x\n"
                                "cas(x, 0, 1)\n"
                                "atomic { x := 0 y := 0 }\n"
                                "skip;; ]");
    const mz_statement *s = program->processes[0];
    for (size_t i = 0; i < LENGTH(expected); i++, s = s->next) {
        assert_non_null(s);
        assert_int_equal(s->kind, expected[i].kind);
        assert_int_equal(s->position.line, expected[i].line);
        assert_int_equal(s->position.column, expected[i].column);
        assert_string_equal(s->text, expected[i].text);
        if (i == 1)
            assert_false(s->has_branches); /* a read */
        if (i == 2) {
            assert_true(s->has_branches);
            assert_int_equal(s->otherwise->kind, MZ_STMT_IF);
            assert_string_equal(s->otherwise->text, "if y == 2");
            assert_non_null(s->otherwise->otherwise);
        }
    }
    assert_null(s);
    mz_program_destroy(program);
}

/* The words of the superset are keywords only where their statement can stand. */
static void variables_may_be_called_like_statements(void **state)
{
    (void)state;
    mz_program *program =
        parse("<1, lock 1, assert 2, cas 1, skip 1, atomic 1, choose 1, param 1>\n"
              "[ lock := cas + skip assert[1] := choose lock lock unlock lock atomic := param ]");
    assert_int_equal(program->processes[0]->kind, MZ_STMT_ASSIGN);
    assert_int_equal(program->processes[0]->next->next->kind, MZ_STMT_LOCK);
    mz_program_destroy(program);
}

static void precedence_is_warned_about_where_it_matters(void **state)
{
    (void)state;
    mz_program *program = parse("<1, x 1, y 1>\n[ x := 1 + y * 2\n  x := y * 2 + 1\n  x := 1 + (y * 2) ]");
    const char *warnings = mz_text_string(&program->warnings);
    assert_contains(warnings, "test.dlang:2:10: warning: read as in C");
    assert_lacks(warnings, ":3:"); /* from left to right it is the same */
    assert_lacks(warnings, ":4:");
    mz_program_destroy(program);
    program = parse("<60, x 1>\n<{60 [ x := 1 + x * 2 ] }>");
    const char *first = strstr(mz_text_string(&program->warnings), "warning");
    assert_non_null(first);
    assert_null(strstr(first + 1, "warning")); /* once per place in the text */
    mz_program_destroy(program);
}

/* ---- what is not ----------------------------------------------------------------------------------- */

typedef struct mistake {
    const char *source;
    uint32_t line, column;
    const char *message; /* part of it */
    const char *hint;    /* part of it, "" for none, NULL for any */
} mistake;

static void check_mistake(const mistake *m)
{
    mz_error error = {0};
    mz_program *program = parse_defining(m->source, NULL, 0, &error);
    if (program || !error.set)
        fail_msg("accepted: %s", m->source);
    const char *message = mz_text_string(&error.message), *hint = mz_text_string(&error.hint);
    if (error.position.line != m->line || error.position.column != m->column ||
        !strstr(message, m->message) || (m->hint && !strstr(hint, m->hint)) ||
        (m->hint && !*m->hint && *hint))
        fail_msg("%s\nexpected %u:%u %s (%s)\ngot      %u:%u %s (%s)", m->source, m->line, m->column,
                 m->message, m->hint ? m->hint : "any hint", error.position.line, error.position.column,
                 message, hint);
    assert_string_equal(error.position.file, "test.dlang");
    mz_error_release(&error);
}

static void check_mistakes(const mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_mistake(&mistakes[i]);
}

static void mistakes_in_the_header(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"", 1, 1, "expected '<' to open the header", ""},
        {"x", 1, 1, "found 'x'", ""},
        {"<", 1, 2, "expected the number of processes, found the end of the file", ""},
        {"<1", 1, 3, "expected '>' or ',' in the header", ""},
        {"<-1>", 1, 2, "the number of processes cannot be -1", ""},
        {"<\"abc 1>", 1, 2, "this string has no closing", ""},
        {"<1>", 1, 2, "the header announces 1 process, but 0 are defined", "each process is one '[ … ]'"},
        {"<\"two\" 2>\n[]", 1, 8, "the header announces 2 processes, but 1 is defined", NULL},
        {"<1>\n[]\n[]", 1, 2, "the header announces 1 process, but 2 are defined", NULL},
        {"<1, x>[]", 1, 6, "expected the length of a variable, found '>'", ""},
        {"<1, x -1>[]", 1, 7, "the length of a variable cannot be -1", ""},
        {"<1, x 2000000>[]", 1, 7, "the length of a variable cannot be 2000000", ""},
        {"<1, x 1048576, y 1>[]", 1, 18, "more than 1048576 cells altogether", ""},
        {"<1, y 1, x y>[]", 1, 12, "the length of a variable must be known before the program runs", ""},
        {"<1, x 1, x 2>[]", 1, 10, "'x' is declared twice", ""},
        {"<1, x 1, local x 2>[]", 1, 16, "'x' is declared twice", ""},
        {"<0, <{2 x 1, }>>", 1, 9, "'x' is declared twice", ""},
        {"param x = 1\n<1, x 1>[]", 2, 5, "'x' is declared twice", ""},
        {"param N = 1\nparam N = 2\n<0>", 2, 7, "'N' is declared twice", NULL},
        {"<1, x 2 1 2 3>[]", 1, 13, "more initial values than 'x' has cells (2)", ""},
        {"<1, x 0 1>[]", 1, 9, "more initial values than 'x' has cells (0)", ""},
        {"<1, if 1>[]", 1, 5, "expected a declaration: (local | const)? name length, found 'if'", ""},
        {"<1, 5 1>[]", 1, 5, "expected a declaration: (local | const)? name length, found '5'", ""},
        {"<1, local const x 1>[]", 1, 11, "expected a declaration", ""},
        {"<1, x 1 unknown-thing>[]", 1, 9, "unknown name 'unknown'", NULL},
        {"<1, x 1 (choose(0, 1))>[]", 1, 10, "choose belongs into a process", NULL},
        {"param N\n<1>[]", 1, 7, "parameter N has no value", "give it one with -DN=…"},
        {"param N = x\n<1>[]", 1, 11, "unknown name 'x'", NULL},
    };
    check_mistakes(mistakes, LENGTH(mistakes));
}

static void mistakes_in_processes(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"<1>\n[]\nfoo", 3, 1, "expected a process '[ … ]' or the end of the file, found 'foo'", ""},
        {"<1, x 1>\n[ x := 1", 2, 9, "expected ']' or a statement in this process, found the end", ""},
        {"<1>\n[ else { } ]", 2, 3, "expected ']' or a statement in this process, found 'else'", ""},
        {"<1>\n[ ] }>", 2, 5, "expected a process '[ … ]' or the end of the file, found '}'", ""},
        {"<65><{65 [] }>", 1, 10, "more than 64 processes", ""},
        {"<1>\n[ @ ]", 2, 3, "unexpected character '@'", ""},
        {"<1, x 1>\n[ x = 1 ]", 2, 5, "expected ':=' after the variable, found '='", ""},
        {"<1, x 1>\n[ x ]", 2, 5, "expected ':=' after the variable, found ']'", ""},
        {"<1, x 1>\n[ if x == 1 { x := 2 ]", 2, 22, "expected '}' or a statement in this block, found ']'",
         ""},
        {"<1, x 1>\n[ if x == 1 then x := 2 ]", 2, 18, "expected '{' to open a block, found 'x'", ""},
        {"<1, x 1>\n[ while x == 1 x := 2 ]", 2, 16, "expected '{' to open a block, found 'x'", ""},
        {"<1, x 1>\n[ asert x == 1 ]", 2, 3, "unknown statement or variable 'asert'",
         "did you mean 'assert'?"},
        {"<1, x 1>\n[ elephant ]", 2, 3, "unknown statement or variable 'elephant'", ""},
        {"<1, counter 1>\n[ countr := 1 ]", 2, 3, "unknown name 'countr'", "did you mean 'counter'?"},
        {"<1, a 3>\n[ a[3] := 1 ]", 2, 5, "index 3 is outside 'a'", "its cells are a[0] … a[2]"},
        {"<1, a 3>\n[ a[-1] := 1 ]", 2, 5, "index -1 is outside 'a'", NULL},
        {"<1, a 0>\n[ a[0] := 1 ]", 2, 5, "index 0 is outside 'a'", "it has no cells"},
        {"<2, a 1>\n[]\n[ a[pid] := 1 ]", 3, 5, "index 1 is outside 'a'", NULL},
        {"<1, a 3>\n[ a := 1 ]", 2, 3, "'a' has 3 cells: which one?", ""},
        {"<1, const c 1 5>\n[ c := 1 ]", 2, 3, "'c' is a constant and cannot change", ""},
        {"<1, const c 1 5>\n[ cas(c, 0, 1) ]", 2, 7, "'c' is a constant and cannot change", ""},
        {"<1, x 1>\n[ lock 1 ]", 2, 8, "expected the variable that is the lock, found '1'", ""},
        {"<1, local l 1>\n[ lock l ]", 2, 8, "lock needs a shared variable",
         "only another process can change"},
        {"<1, local l 1>\n[ unlock l ]", 2, 10, "unlock needs a shared variable", NULL},
        {"<1, local l 1>\n[ await l == 1 ]", 2, 3, "await needs a shared variable", NULL},
        {"<1, x 1>\n[ await cas(x, 0, 1) ]", 2, 9, "await cannot contain cas or choose", ""},
        {"<1, x 2>\n[ lock x[choose(0, 1)] ]", 2, 8, "lock cannot contain cas or choose", ""},
        {"<1, x 1>\n[ atomic { await x == 1 } ]", 2, 12, "await cannot stand inside atomic",
         "put it before the block"},
        {"<1, x 1>\n[ atomic { if x == 1 { lock x } } ]", 2, 24, "lock cannot stand inside atomic", NULL},
        {"<1, x 1>\n[ indexer(max=1, m=x) ]", 2, 18, "expected size=… in indexer", ""},
        {"<1, x 1>\n[ indexer(max=1, size=1, m=1) ]", 2, 28, "expected a variable, found '1'", ""},
    };
    check_mistakes(mistakes, LENGTH(mistakes));
}

static void mistakes_in_expressions(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"<1, x 1>\n[ x := ]", 2, 8, "expected an expression, found ']'", ""},
        {"<1, x 1>\n[ x := if ]", 2, 8, "expected an expression, found 'if'", ""},
        {"<1, x 1>\n[ x := 1 + ]", 2, 12, "expected an expression, found ']'", ""},
        {"<1, x 1>\n[ x := (1 + 2 ]", 2, 15, "expected ')' to close '(', found ']'", ""},
        {"<1, a 3>\n[ a[1 := 2 ]", 2, 7, "expected ']' after the index, found ':='", ""},
        {"<1, counter 1>\n[ counter := countr + 1 ]", 2, 14, "unknown name 'countr'",
         "did you mean 'counter'?"},
        {"<1, x 1>\n[ x := wholly_other ]", 2, 8, "unknown name 'wholly_other'", "declared in the header"},
        {"<1, x 1>\n[ x := x / 0 ]", 2, 12, "division by zero", ""},
        {"<1, x 1>\n[ x := 1 % (2 - 2) ]", 2, 15, "division by zero", ""},
        {"<1, x 1>\n[ x := 1 < 2 < 3 ]", 2, 14, "comparisons do not chain", ""},
        {"<1, x 1>\n[ x := 1 == x != 3 ]", 2, 15, "comparisons do not chain", ""},
        {"<1, x 1>\n[ x := 9223372036854775808 ]", 2, 8, "the number is too large", ""},
        {"<1, x 1>\n[ x := $ ]", 2, 8, "'$' stands for the number of a repetition", ""},
        {"<1, x 1>\n[ x := choose(0) ]", 2, 16, "expected ',' in choose(low, high), found ')'", ""},
        {"<1, x 1>\n[ x := choose(0, x) ]", 2, 8, "the bounds of choose must not be shared",
         "local variable first"},
        {"<1, x 1>\n[ x := choose(cas(x, 0, 1), 2) ]", 2, 8, "the bounds of choose must not be shared", NULL},
        {"<1, x 1>\n[ x := choose(choose(0, 1), 2) ]", 2, 8, "choose inside choose", ""},
        {"<1, x 1>\n[ x := choose(3, 1) ]", 2, 8, "choose(3, 1): there is nothing to choose from", ""},
        {"<1, x 1, local l 1>\n[ atomic { x := choose(0, l) } ]", 2, 17,
         "inside atomic { … } choose needs constant", "choose before the block"},
        {"<1, x 1>\n[ atomic { while x < 2 { x := choose(0, 1) } } ]", 2, 31, "no loop around it", NULL},
        {"<1, x 1>\n[ cas(x, 0) ]", 2, 11, "expected ',' in cas(target, expected, new), found ')'", ""},
        {"<1, x 1>\n[ x := cas(x, 0, 1 ]", 2, 20, "expected ')' after cas(target, expected, new), found ']'",
         ""},
    };
    check_mistakes(mistakes, LENGTH(mistakes));
}

static void mistakes_in_repetitions(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"<1>\n<{2 [ ]", 2, 3, "this repetition block has no end: expected '}>'", ""},
        {"<1>\n<{(-1) [] }>", 2, 1, "cannot repeat -1 times", ""},
        {"<1>\n<{1000001 [] }>", 2, 1, "cannot repeat 1000001 times", ""},
        {"<1, x 1>\n<{x [] }>", 2, 3, "expected the number of repetitions, found 'x'", ""},
        {"<1, x 1>\n<{(x) [] }>", 2, 4, "the number of repetitions must be known before the program runs",
         ""},
        {"<1>\n<{(2 [] }>", 2, 6, "expected ')' after the number of repetitions, found '['", ""},
        {"<1>\n<{ [] }>", 2, 4, "expected the number of repetitions, found '['", ""},
        {"<1>\n[ <{1000 <{1000 }> }> ]", 2, 15, "too many repetitions", ""},
        {"<1>\n[\n <{ 200001 skip }> ]", 3, 12, "more than 200000 statements", ""},
        {"<1, x 1>\n[ <{2 x := y$ }> ]", 2, 12, "unknown name 'y0'", NULL},
    };
    check_mistakes(mistakes, LENGTH(mistakes));
}

/* A hint belongs to its own error: what the parser stumbles over afterwards must not add one. */
static void hints_belong_to_their_errors(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"param N = 1\n<1>\n[ N := 1 ]", 3, 3, "'N' is a parameter and cannot change", ""},
        {"param N = 1\n<1>\n[ lock N ]", 3, 8, "'N' is a parameter and cannot change", ""},
        {"<1, x 1>\n[ cas(1, 0, 1) ]", 2, 7, "expected the variable to compare and swap, found '1'", ""},
        {"param N = 1\nparam N = 2\n<0>", 2, 7, "'N' is declared twice", ""},
        {"param 5\n<1>[]", 1, 7, "expected the name of a parameter, found '5'", ""},
        {"<1>\n[ asert $ ]", 2, 9, "'$' stands for the number of a repetition", ""},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < LENGTH(mistakes); i++) {
        mz_error error = {0};
        assert_null(parse_defining(mistakes[i].source, NULL, 0, &error));
        assert_contains(mz_text_string(&error.message), mistakes[i].message);
        assert_int_equal(error.position.line, mistakes[i].line);
        assert_int_equal(error.position.column, mistakes[i].column);
        if (error.hint.length > 0) {
            print_error("%s\n  %s\n  hint: %s\n", mistakes[i].source, mz_text_string(&error.message),
                        mz_text_string(&error.hint));
            wrong++;
        }
        mz_error_release(&error);
    }
    assert_int_equal(wrong, 0);
}

/* "unknown name 'pid', did you mean 'pid'?" helps nobody. */
static void a_name_is_not_suggested_for_itself(void **state)
{
    (void)state;
    static const char *const sources[] = {"<1, x 1 pid>[]", "<1, x 1>\n[ pid := 1 ]",
                                          "<1, x 1>\n[ lock pid ]"};
    for (size_t i = 0; i < LENGTH(sources); i++) {
        mz_error error = {0};
        assert_null(parse_defining(sources[i], NULL, 0, &error));
        assert_contains(mz_text_string(&error.message), "pid");
        assert_lacks(mz_text_string(&error.hint), "did you mean 'pid'?");
        mz_error_release(&error);
    }
}

/* The deepest nesting that is allowed is read; one level more is refused at the token that goes too deep. */
static void nesting(void **state)
{
    (void)state;
    static const struct {
        const char *before, *open, *middle, *close, *after;
    } cases[] = {
        {"<1, x 1>\n[ x := ", "(", "1", ")", " ]"},
        {"<1, x 1>\n[ x := ", "!", "x", "", " ]"},
        {"<1, x 1>\n[ x := ", "- ", "x", "", " ]"},
        {"<1, x 1>\n[ x := ", "x[", "0", "]", " ]"},
        {"<1, x 1>\n[ x := ", "choose(0, ", "1", ")", " ]"},
        {"<1, x 1>\n[ ", "if x == 1 { ", "skip", " }", " ]"},
        {"<1, x 1>\n[ ", "while x == 1 { ", "skip", " }", " ]"},
        {"<1, x 1>\n[ ", "atomic { ", "skip", " }", " ]"},
        {"<1, x 1>\n[ ", "if x == 1 { skip } else ", "{ skip }", "", " ]"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (size_t depth = 90; depth <= 100000; depth = depth == 90 ? 105 : 100000 + (depth == 100000)) {
            mz_text source = {0};
            mz_error error = {0};
            mz_text_add(&source, "%s", cases[i].before);
            mz_text_add_repeated(&source, cases[i].open, depth);
            mz_text_add(&source, "%s", cases[i].middle);
            mz_text_add_repeated(&source, cases[i].close, depth);
            mz_text_add(&source, "%s", cases[i].after);
            mz_program *program = parse_defining(mz_text_string(&source), NULL, 0, &error);
            bool nested_choose = strncmp(cases[i].open, "choose", 6) == 0;
            if (depth == 90 && !program && !nested_choose)
                fail_msg("%zu times '%s' was refused: %s", depth, cases[i].open,
                         mz_text_string(&error.message));
            if (depth > 90) {
                assert_null(program);
                assert_contains(mz_text_string(&error.message), "nested too deeply (more than 100 levels)");
                assert_int_equal(error.position.line, 2);
                assert_in_range(error.position.column, 99 * strlen(cases[i].open),
                                110 * strlen(cases[i].open));
            }
            mz_program_destroy(program);
            mz_error_release(&error);
            mz_text_release(&source);
        }
}

/* Every prefix of a program, and every program with one byte changed, is read without harm. */
static void broken_programs_do_no_harm(void **state)
{
    (void)state;
    const char *source =
        "param N = 2\n<\"p\" (N + 1), x 2 1, y-z 1, local l 1, const c 2 3 4>\n"
        "<{N [ lock x[$] l := choose(0, c[1]) if cas(x[l % 2], 0, 1) && l < 2 then { y-z := -l } else "
        "{ skip } unlock x[$] ] }>\n[ atomic { await-1 := 1 } while !(y-z == 1) { assert true } ]\n";
    size_t length = strlen(source), accepted = 0;
    for (size_t cut = 0; cut <= length; cut++) {
        mz_error error = {0};
        mz_program *program = mz_parse("cut.dlang", source, cut, NULL, 0, &error);
        assert_true((program == NULL) == error.set);
        mz_program_destroy(program);
        mz_error_release(&error);
    }
    static const char replacements[] = "$-{}<>[]\"/ 0x\n\0\xFF";
    char *copy = test_malloc(length);
    for (size_t at = 0; at < length; at++)
        for (size_t r = 0; r < sizeof replacements - 1; r++) {
            mz_error error = {0};
            mz_text text = {0};
            memcpy(copy, source, length);
            copy[at] = replacements[r];
            mz_program *program = mz_parse("changed.dlang", copy, length, NULL, 0, &error);
            assert_true((program == NULL) == error.set);
            accepted += program != NULL;
            mz_error_print(&error, &text);
            mz_program_destroy(program);
            mz_error_release(&error);
            mz_text_release(&text);
        }
    test_free(copy);
    assert_true(accepted < length * sizeof replacements / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers),
        cmocka_unit_test(parameters_and_definitions),
        cmocka_unit_test(a_dash_is_minus_unless_declared),
        cmocka_unit_test(declarations_in_a_repetition),
        cmocka_unit_test(declarations_with_dashes_in_a_repetition),
        cmocka_unit_test(repetitions_of_processes_and_statements),
        cmocka_unit_test(statements_and_their_texts),
        cmocka_unit_test(variables_may_be_called_like_statements),
        cmocka_unit_test(precedence_is_warned_about_where_it_matters),
        cmocka_unit_test(mistakes_in_the_header),
        cmocka_unit_test(mistakes_in_processes),
        cmocka_unit_test(mistakes_in_expressions),
        cmocka_unit_test(mistakes_in_repetitions),
        cmocka_unit_test(hints_belong_to_their_errors),
        cmocka_unit_test(a_name_is_not_suggested_for_itself),
        cmocka_unit_test(nesting),
        cmocka_unit_test(broken_programs_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
