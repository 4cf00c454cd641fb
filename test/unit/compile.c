#include "program/build/compile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "support.h"

/* Every test works in an empty directory of its own. */
static char origin[4096], directory[64];

static int enter(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/mazurka-unit-XXXXXX");
    return !getcwd(origin, sizeof origin) || !mkdtemp(directory) || chdir(directory) != 0;
}

static int leave(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return chdir(origin) != 0 || system(command) != 0;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The compiler's messages are not for the reader of the test's output. */
static bool compile_with(const mz_compile_options *options, const char *const *files, size_t count,
                         mz_compiled *out, mz_error *error)
{
    fflush(stderr);
    int kept = dup(2), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 2);
    bool good = mz_compile_program(options, files, count, out, error);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    close(nowhere);
    return good;
}

static bool has_clang(void)
{
    return system("clang --version >/dev/null 2>&1") == 0;
}

/* Call for every compiler that is there. */
static void with_compilers(void (*test)(const mz_compile_options *))
{
    test(&(mz_compile_options){.compiler = "gcc"});
    if (has_clang())
        test(&(mz_compile_options){.compiler = "clang"});
}

static void compile_text(const mz_compile_options *options, const char *text, mz_compiled *out)
{
    write_text("p.c", text);
    const char *file = "p.c";
    mz_error error = {0};
    if (!compile_with(options, &file, 1, out, &error))
        fail_msg("%s: %s", options->compiler, mz_text_string(&error.message));
}

/* The names in the dynamic symbol table that a program leaves open (or has, if `defined`), each in blanks. */
static void read_names(const char *library, bool defined, mz_text *names)
{
    char command[512], buffer[4096];
    snprintf(command, sizeof command, "nm -D %s '%s'", defined ? "--defined-only" : "--undefined-only",
             library);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(buffer, sizeof buffer, pipe)) {
        buffer[strcspn(buffer, "@\n")] = 0;
        mz_text_add(names, "%s \n", strrchr(buffer, ' '));
    }
    pclose(pipe);
}

static void expect_open(const mz_compile_options *options, const char *source, const char *const *names,
                        size_t count)
{
    mz_compiled compiled;
    mz_text open = {0};
    compile_text(options, source, &compiled);
    read_names(compiled.library, false, &open);
    for (size_t i = 0; i < count; i++)
        assert_contains(mz_text_string(&open), names[i]);
    mz_text_release(&open);
    mz_compiled_release(&compiled);
}

static void expect_refusal(const mz_compile_options *options, const char *file, const char *message,
                           uint32_t line);

static void check_hooks(const mz_compile_options *options)
{
    expect_open(
        options, "int x; int main(void) { x++; return 0; }",
        (const char *[]){" __tsan_read4 ", " __tsan_write4 ", " __tsan_func_entry ", " __tsan_func_exit "},
        4);
    expect_open(
        options,
        "#include <string.h>\nchar a[64], b[64];\nint main(void) { memcpy(b, a, 32); memset(a, 0, 64); "
        "return 0; }",
        (const char *[]){" __wrap_memset ", " __wrap_memcpy "}, 2);
#if defined __aarch64__
    if (strcmp(options->compiler, "clang") == 0) {
        write_text("tls.c", "_Thread_local int t; int main(void) { return t++; }");
        expect_refusal(options, "tls.c", "adrp", 1);
    } else
#endif
        expect_open(options,
                    "_Thread_local int t; static _Thread_local int s; int main(void) { return t++ + s++; }",
                    (const char *[]){" __wrap___tls_get_addr "}, 1);
    expect_open(options,
                "#include <pthread.h>\nvoid *f(void *a) { return a; }\nint main(void) { pthread_t t; "
                "pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }",
                (const char *[]){" __wrap_pthread_create ", " __wrap_pthread_join "}, 2);
}

static void every_access_and_modelled_call_is_left_to_the_checker(void **state)
{
    (void)state;
    with_compilers(check_hooks);
}

static void check_replaced(const mz_compile_options *options)
{
    static const char source[] = "#include <assert.h>\n#include <stdlib.h>\nint x;\n"
                                 "void reach_error(void) { assert(0); }\n"
                                 "static void assume_abort_if_not(int c) { if (!c) abort(); }\n"
                                 "void __VERIFIER_assert(int c) { if (!c) reach_error(); }\n"
                                 "static void __VERIFIER_atomic_step(void) { x++; }\n"
                                 "int main(void) { assume_abort_if_not(x); __VERIFIER_atomic_step(); "
                                 "__VERIFIER_assert(x); return 0; }\n";
    mz_compiled compiled;
    mz_text open = {0}, own = {0};
    compile_text(options, source, &compiled);
    read_names(compiled.library, false, &open);
    read_names(compiled.library, true, &own);
    assert_contains(mz_text_string(&open), " reach_error ");
    assert_contains(mz_text_string(&open), " assume_abort_if_not ");
    assert_contains(mz_text_string(&own), " __program_reach_error ");
    assert_contains(mz_text_string(&own), " __VERIFIER_assert ");
    assert_contains(mz_text_string(&own), " main ");
    mz_text_release(&open);
    mz_text_release(&own);
    mz_compiled_release(&compiled);
}

static void the_programs_versions_of_runtime_functions_are_replaced(void **state)
{
    (void)state;
    with_compilers(check_replaced);
}

static void expect_refusal(const mz_compile_options *options, const char *file, const char *message,
                           uint32_t line)
{
    mz_compiled compiled;
    mz_error error = {0};
    assert_false(compile_with(options, &file, 1, &compiled, &error));
    assert_true(error.set);
    assert_contains(mz_text_string(&error.message), message);
    assert_int_equal(error.position.line, line);
    if (compiled.directory) {
        char *path = mz_copy_string(compiled.directory);
        mz_compiled_release(&compiled);
        assert_int_not_equal(access(path, F_OK), 0);
        mz_release(path);
    }
    mz_compiled_release(&compiled);
    mz_error_release(&error);
}

#if defined __x86_64__
static void check_assembly(const mz_compile_options *options)
{
    mz_compiled compiled;
    const char *allowed[] = {"asm"};
    mz_compile_options all = *options;
    all.allowed = allowed;
    all.allowed_count = 1;
    compile_text(
        &all,
        "int x;\nvoid quiet(void) { __asm__ volatile(\"\" ::: \"memory\"); __asm__ volatile(\"nop\"); }\n"
        "static void loud(void)\n{\n    __asm__ volatile(\"hlt\" : \"+m\"(x));\n}\n"
        "int main(void) { quiet(); loud(); return 0; }\n",
        &compiled);
    assert_true(compiled.inline_assembly);
    assert_contains(compiled.warnings, "p.c:5: warning: function 'loud' contains ");
    mz_compiled_release(&compiled);
    compile_text(options, "int main(void) { __asm__ volatile(\"rep; nop\" ::: \"memory\"); return 0; }",
                 &compiled);
    assert_false(compiled.inline_assembly);
    assert_string_equal(compiled.warnings, "");
    assert_contains(compiled.compiler_version, strcmp(options->compiler, "gcc") == 0 ? "GCC" : "clang");
    mz_compiled_release(&compiled);
}

/* What leaves the program, or is not understood is refused; what works on registers is not, nor, where it
 * can be found in the machine code, what touches memory. */
static void check_refused_assembly(const mz_compile_options *options)
{
    static const char *const refused[] = {
        "movl %%fs:0, %%eax",
        "syscall",
        "int $0x80",
        "call exit@PLT",
        ".byte 0xf0",
        "hlt",
#if defined MZ_HAVE_CAPSTONE
        "rdrand %%eax",
        "xend",
        "jmp exit@PLT"
#endif
    };
    static const char *const taken[] = {
        "bsrl %%eax, %%eax",
        "addl $1, %%eax",
        "1: decl %%eax\\n\\tjnz 1b",
        "rdtsc",
        "pause",
#if defined MZ_HAVE_CAPSTONE
        "incl %0",
        "lock; incl %0",
        "lock\\n\\tincl %0",
        "xchgl %%eax, %0",
        "rep stosb",
        "incl x(%%rip)",
        ".byte 0xf3, 0x90",
        ".rept 3\\nnop\\n.endr"
#endif
    };
    char source[256];
    for (size_t i = 0; i < LENGTH(refused); i++) {
        snprintf(source, sizeof source,
                 "int x;\nint main(void)\n{\n    __asm__ volatile(\"%s\" : \"+m\"(x) : : \"eax\");\n}\n",
                 refused[i]);
        write_text("r.c", source);
        expect_refusal(options, "r.c", "function 'main' contains ", 4);
    }
    for (size_t i = 0; i < LENGTH(taken); i++) {
        mz_compiled compiled;
        snprintf(source, sizeof source,
                 "int x;\nint main(void)\n{\n    __asm__ volatile(\"%s\" : \"+m\"(x) : : \"eax\", \"edx\", "
                 "\"cc\");\n}\n",
                 taken[i]);
        compile_text(options, source, &compiled);
        assert_false(compiled.inline_assembly);
        mz_compiled_release(&compiled);
    }
}
#elif defined __aarch64__
/* Memory, also without brackets, what leaves the program, and the registers of the thread. */
static void check_refused_assembly(const mz_compile_options *options)
{
    static const char *const refused[] = {"str w0, [x1]", "ldr w0, x",        "svc 0", "bl exit", "hlt 0",
                                          "brk 1",        "mrs x0, tpidr_el0"};
    static const char *const taken[] = {"", "nop", "yield", "dmb ish", "add w0, w0, 1", "clz w0, w0"};
    char source[256];
    for (size_t i = 0; i < LENGTH(refused) + LENGTH(taken); i++) {
        bool is_refused = i < LENGTH(refused);
        snprintf(source, sizeof source,
                 "int x;\nint main(void)\n{\n    __asm__ volatile(\"%s\" : : : \"x0\", \"memory\");\n}\n",
                 is_refused ? refused[i] : taken[i - LENGTH(refused)]);
        write_text("r.c", source);
        mz_compiled compiled;
        const char *file = "r.c";
        mz_error error = {0};
        assert_int_equal(compile_with(options, &file, 1, &compiled, &error), !is_refused);
        if (is_refused)
            assert_contains(mz_text_string(&error.message), "function 'main' contains ");
        mz_compiled_release(&compiled);
        mz_error_release(&error);
    }
}
#endif

static void inline_assembly_is_found(void **state)
{
    (void)state;
#if defined __aarch64__
    with_compilers(check_refused_assembly);
#elif defined __x86_64__
    with_compilers(check_assembly);
    with_compilers(check_refused_assembly);
#else
    skip();
#endif
}

static void check_sanitizer_is_hidden(const mz_compile_options *options)
{
    mz_compiled compiled;
    compile_text(
        options,
        "#ifdef __SANITIZE_THREAD__\n#error seen\n#endif\n#ifdef __has_feature\n"
        "#if __has_feature(thread_sanitizer)\n#error seen\n#endif\n#endif\n#ifndef MAZURKA\n#error no\n"
        "#endif\nint main(void) { return 0; }\n",
        &compiled);
    mz_compiled_release(&compiled);
}

static void the_program_does_not_see_the_sanitizer(void **state)
{
    (void)state;
    with_compilers(check_sanitizer_is_hidden);
}

static void check_refusals(const mz_compile_options *options)
{
    char message[64];
    write_text("fork.c", "#include <unistd.h>\nint main(void)\n{\n    return fork();\n}\n");
    expect_refusal(options, "fork.c", "the program calls 'fork', which cannot be checked", 4);
    write_text("broken.c", "int main(void) { return nothing; }\n");
    snprintf(message, sizeof message, "%s could not compile 'broken.c'", options->compiler);
    expect_refusal(options, "broken.c", message, 0);
    write_text("part.c", "int f(void) { return 0; }\n");
    expect_refusal(options, "part.c", "no function 'main'", 0);
}

static void what_cannot_be_checked_is_refused(void **state)
{
    (void)state;
    with_compilers(check_refusals);
    mz_compile_options options = {.compiler = "no-such-compiler"};
    expect_refusal(&options, "part.c", "the compiler 'no-such-compiler' was not found", 0);
    expect_refusal(&(mz_compile_options){0}, "missing.c", "'missing.c' cannot be read", 0);
    write_text("notes.txt", "nothing\n");
    expect_refusal(&(mz_compile_options){0}, "notes.txt", "neither a source nor an object", 0);
}

static void foreign_objects_are_refused(void **state)
{
    (void)state;
    write_text("x.c", "int main(void) { return 0; }\n");
    assert_int_equal(system("gcc -c x.c && ar rc libx.a x.o && gcc -o x x.o"), 0);
    expect_refusal(&(mz_compile_options){0}, "x.o", "'x.o' was not compiled for checking", 0);
    expect_refusal(&(mz_compile_options){0}, "libx.a", "'x.o' in 'libx.a' was not compiled for checking", 0);
    expect_refusal(&(mz_compile_options){0}, "x", "'x' was not compiled for checking", 0);
    write_text("cut.o", "\177ELF");
    expect_refusal(&(mz_compile_options){0}, "cut.o", "damaged", 0);
}

static void objects_archives_and_programs_are_taken(void **state)
{
    (void)state;
    const char *allowed[] = {"asm"};
    mz_compile_options options = {.allowed = allowed, .allowed_count = 1};
    mz_error error = {0};
    mz_compiled compiled;
    write_text("a.c", "int f(void); int main(void) { return f(); }\n");
#ifdef __aarch64__
    write_text("b.c", "int f(void) { __asm__ volatile(\"hlt 0\"); return 0; }\n");
#else
    write_text("b.c", "int f(void) { __asm__ volatile(\"hlt\"); return 0; }\n");
#endif
    assert_true(mz_compile_object(&options, "b.c", "b.o", &error));
    assert_int_equal(system("ar rc libb.a b.o"), 0);
    const char *with_object[] = {"a.c", "b.o"}, *with_archive[] = {"a.c", "libb.a"}, *program = "prog";
    assert_true(mz_compile_program(&options, with_object, 2, &compiled, &error));
    assert_true(compiled.inline_assembly);
    mz_compiled_release(&compiled);
    assert_true(mz_compile_program(&options, with_archive, 2, &compiled, &error));
    assert_true(compiled.inline_assembly);
    mz_compiled_release(&compiled);
    assert_true(mz_compile_and_link(&options, with_archive, 2, program, &error));
    assert_true(mz_compile_program(&options, &program, 1, &compiled, &error));
    assert_string_equal(compiled.program, "prog");
    assert_string_not_equal(compiled.library, "prog"); /* taken out of it */
    assert_contains(compiled.warnings, "b.c:1: warning: function 'f'");
    mz_compiled_release(&compiled);
    assert_int_equal(access("prog", F_OK), 0); /* it was not ours to remove */
}

static void flags_and_odd_names_work(void **state)
{
    (void)state;
    const char *flags[] = {"-DN=3", "-O2"};
    mz_compile_options options = {.flags = flags, .flag_count = 2};
    mz_error error = {0};
    mz_compiled compiled;
    assert_int_equal(mkdir("a b", 0700), 0);
    write_text("a b/c d.c", "int f(void);\nint main(void) { return f() == N; }\n");
    write_text("-e.c", "int f(void) { return N; }\n");
    const char *files[] = {"a b/c d.c", "-e.c"};
    assert_true(mz_compile_program(&options, files, 2, &compiled, &error));
    mz_compiled_release(&compiled);
}

static void words_are_split_as_in_a_shell(void **state)
{
    (void)state;
    char **words = NULL;
    size_t count = 0;
    static const char *const expected[] = {"-DA=1", "-DB=two words", "-DC=\"x\"", "", "it's", "a\\b"};
    assert_true(mz_split_words(" -DA=1\t'-DB=two words' -DC=\\\"x\\\" \"\" it\\'s 'a\\b' ", &words, &count));
    assert_int_equal(count, LENGTH(expected));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(words[i], expected[i]);
        mz_release(words[i]);
    }
    mz_release(words);
    assert_true(mz_split_words("", &words, &count));
    assert_int_equal(count, 0);
    assert_false(mz_split_words("-D'A", &words, &count));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST(every_access_and_modelled_call_is_left_to_the_checker),
        TEST(the_programs_versions_of_runtime_functions_are_replaced),
        TEST(inline_assembly_is_found),
        TEST(the_program_does_not_see_the_sanitizer),
        TEST(what_cannot_be_checked_is_refused),
        TEST(foreign_objects_are_refused),
        TEST(objects_archives_and_programs_are_taken),
        TEST(flags_and_odd_names_work),
        TEST(words_are_split_as_in_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
