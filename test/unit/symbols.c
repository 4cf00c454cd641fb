/* Programs are compiled here and loaded, and carry what is expected of them: a table of their own
 * expressions with addresses and sizes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "program/symbols/symbols.h"

#include "symbols_subject.h"

/* What the tested programs (their prelude) and the test agree on. */
typedef struct sample {
    const char *name;
    const void *address;
    unsigned long size;
    int kind; /* one of KINDS */
} sample;

typedef void visitor(const void *address, unsigned long size);

static const char KINDS[] = "?subcpf"; /* in the order of mz_value_kind */

static const char *data_name(const subject *s, const void *address, size_t size, char *kind)
{
    static char name[200];
    mz_text out = {0};
    mz_value_type found = {MZ_VALUE_FLOAT, 0};
    bool known = mz_symbols_data(s->symbols, (uintptr_t)address, size, &out, &found);
    snprintf(name, sizeof name, "%s", mz_text_string(&out));
    mz_text_release(&out);
    *kind = KINDS[found.kind];
    return known ? name : NULL;
}

static void expect_data(const subject *s, const void *address, size_t size, const char *name, int kind)
{
    char found_kind;
    const char *found = data_name(s, address, size, &found_kind);
    if (!found || strcmp(found, name) != 0 || found_kind != kind)
        fail_msg("%s (%c) is called %s (%c)", name, kind, found ? found : "nothing", found_kind);
}

/* ---- Without debug information ---- */

static void expect_nothing_outside(const subject *s)
{
    const uintptr_t addresses[] = {
        0, 1, s->map->l_addr - 1, s->map->l_addr, (uintptr_t)&addresses, (uintptr_t)&directory, UINTPTR_MAX};
    for (size_t i = 0; i < LENGTH(addresses); i++) {
        mz_text out = {0};
        mz_code_place place;
        mz_value_type kind = {MZ_VALUE_FLOAT, 0};
        mz_frame frame = {.pc = addresses[i], .sp = 4096, .fp = 4096, .cfa = 1}, caller;
        mz_text_add(&out, "as before");
        assert_false(mz_symbols_data(s->symbols, addresses[i], 4, &out, &kind));
        assert_int_equal(kind.kind, MZ_VALUE_UNKNOWN);
        assert_false(mz_symbols_code(s->symbols, addresses[i], &place));
        assert_false(mz_symbols_local(s->symbols, addresses[i], 64, 64, 0, 4, &out, &kind));
        assert_false(mz_symbols_frame(s->symbols, &frame));
        assert_int_equal(frame.cfa, 0);
        assert_false(mz_symbols_caller(s->symbols, &frame, &caller));
        assert_string_equal(mz_text_string(&out), "as before");
        mz_text_release(&out);
    }
}

static void expect_only_symbols(const subject *s, bool local_symbols)
{
    char kind;
    mz_code_place place;
    uintptr_t worker = (uintptr_t)address_in(s, "worker");
    expect_data(s, address_in(s, "balance"), 4, "balance", '?');
    expect_data(s, (char *)address_in(s, "matrix") + 20, 4, "matrix+20", '?');
    assert_true(mz_symbols_code(s->symbols, worker, &place));
    assert_string_equal(place.function, "worker");
    assert_true(mz_symbols_code(s->symbols, worker + 9, &place));
    assert_string_equal(place.function, "worker+9");
    assert_null(place.file);
    assert_int_equal(place.line, 0);
    const void *(*counter)(int) = (const void *(*)(int))address_in(s, "counter");
    const char *name = data_name(s, counter(0), 4, &kind);
    if (local_symbols)
        assert_contains(name, "count"); /* compilers add to it */
    else
        assert_null(name);
}

#ifdef MZ_HAVE_LIBDW

/* ---- What a visitor sees ---- */

/* The line of a source that contains a text. */
static uint32_t line_of(const char *source, const char *text)
{
    const char *at = strstr(source, text);
    uint32_t line = 1;
    assert_non_null(at);
    for (const char *c = prelude; *c; c++)
        line += *c == '\n';
    for (const char *c = source; c < at; c++)
        line += *c == '\n';
    return line;
}

#define MAX_VISITS 8

typedef struct visit_record {
    mz_code_place place;
    char local[100];
    mz_value_type kind;
    bool in_frame; /* the address lies between the stack pointer and the CFA */
    char callers[200];
} visit_record;

static subject *visited;
static visit_record visits[MAX_VISITS];
static size_t visit_count;
static bool leaving; /* do not return to the program */
static jmp_buf way_out;

static void list_callers(mz_frame frame, char *out, size_t size)
{
    mz_frame caller;
    mz_code_place place;
    out[0] = '\0';
    while (mz_symbols_caller(visited->symbols, &frame, &caller)) {
        size_t length = strlen(out);
        bool known = mz_symbols_code(visited->symbols, caller.pc - 1, &place);
        snprintf(out + length, size - length, "%s:%u%s ", known ? place.function : "outside",
                 known ? place.line : 0, caller.cfa ? "" : "!");
        frame = caller;
    }
}

/* Called by the program. Its stack pointer after the call is our CFA; its frame pointer is what we saved. */
__attribute__((noinline)) static void record(const void *address, unsigned long size)
{
    mz_frame frame = {.pc = (uintptr_t)__builtin_return_address(0),
                      .sp = (uintptr_t)__builtin_dwarf_cfa(),
                      .fp = *(uintptr_t *)__builtin_frame_address(0)};
    visit_record *v = &visits[visit_count++ % MAX_VISITS];
    mz_text local = {0};
    mz_symbols_code(visited->symbols, frame.pc - 1, &v->place);
    bool framed = mz_symbols_frame(visited->symbols, &frame);
    v->in_frame = framed && frame.sp <= (uintptr_t)address && (uintptr_t)address < frame.cfa;
    mz_symbols_local(visited->symbols, frame.pc - 1, frame.cfa, frame.fp, (uintptr_t)address, size, &local,
                     &v->kind);
    snprintf(v->local, sizeof v->local, "%s", mz_text_string(&local));
    mz_text_release(&local);
    list_callers(frame, v->callers, sizeof v->callers);
    if (leaving)
        longjmp(way_out, 1);
}

static void run_visits(subject *s)
{
    int (*start)(visitor *) = (int (*)(visitor *))address_in(s, "start");
    visited = s;
    visit_count = 0;
    memset(visits, 0, sizeof visits);
    assert_int_equal(start(record), 3 + 7 + 1); /* worker's amount, balance, one */
    assert_int_equal(visit_count, 4);
}

/* ---- Tests that every compiler and kind of debug information has to pass ---- */

static void expect_samples(const subject *s)
{
    size_t count = 0;
    for (const sample *one = address_in(s, "samples"); one->name; one++, count++)
        expect_data(s, one->address, one->size, one->name, one->kind);
    assert_true(count > 10);
}

static void expect_statics(const subject *s)
{
    const void *(*counter)(int) = (const void *(*)(int))address_in(s, "counter");
    expect_data(s, counter(0), sizeof(int), "counter::count", 's');
    expect_data(s, counter(1), sizeof(long), "counter::in_block.l", 's');
}

/* A compiler may take a static struct apart: so look for its members everywhere. */
static void expect_somewhere(const subject *s, const char *name)
{
    const char *start = (const char *)((uintptr_t)address_in(s, "balance") & ~(uintptr_t)3);
    char kind;
    for (ptrdiff_t at = -4096; at < 4096; at += 4) {
        const char *found = data_name(s, start + at, 4, &kind);
        if (found && strcmp(found, name) == 0 && kind == 's')
            return;
    }
    fail_msg("no address is called %s", name);
}

static void expect_thread_locals(const subject *s)
{
    const void *(*samples)(int, const char **, unsigned long *) =
        (const void *(*)(int, const char **, unsigned long *))address_in(s, "thread_samples");
    const char kinds[] = "ssc?";
    for (int i = 0; i < 4; i++) {
        const char *name, *block = NULL;
        unsigned long size;
        mz_text out = {0};
        mz_value_type kind;
        const char *address = samples(i, &name, &size);
        assert_int_equal(dlinfo(s->handle, RTLD_DI_TLS_DATA, &block), 0);
        assert_true(mz_symbols_thread_local(s->symbols, (size_t)(address - block), size, &out, &kind));
        assert_string_equal(mz_text_string(&out), name);
        assert_int_equal(KINDS[kind.kind], kinds[i]);
        mz_text_clear(&out);
        assert_false(mz_symbols_thread_local(s->symbols, 100000, 4, &out, &kind));
        assert_string_equal(mz_text_string(&out), "");
        mz_text_release(&out);
    }
}

static void expect_places(const char *file)
{
    const char *functions[] = {"worker", "worker", "deposit"};
    const char *marks[] = {"/* in worker */", "/* in block */", "/* in deposit */"};
    for (size_t i = 0; i < LENGTH(functions); i++) {
        assert_string_equal(visits[i].place.function, functions[i]);
        assert_string_equal(visits[i].place.file, file);
        assert_int_equal(visits[i].place.line, line_of(c_program, marks[i]));
        assert_true(visits[i].place.column > 0);
    }
    assert_string_equal(visits[3].place.function, "start");
}

static void expect_first_line(const subject *s)
{
    mz_code_place place;
    uint32_t line = line_of(c_program, "int start(visitor *visit)");
    assert_true(mz_symbols_code(s->symbols, (uintptr_t)address_in(s, "start"), &place));
    assert_in_range(place.line, line, line + 1);
}

/* The return address may be behind the function, in the next one, or in none. */
static void expect_the_end_of_a_function(subject *s)
{
    void (*no_way_back)(visitor *) = (void (*)(visitor *))address_in(s, "no_way_back");
    visited = s;
    visit_count = 0;
    leaving = true;
    if (setjmp(way_out) == 0)
        no_way_back(record);
    leaving = false;
    assert_int_equal(visit_count, 1);
    assert_true(visits[0].in_frame);
    assert_string_equal(visits[0].place.function, "no_way_back");
    assert_int_equal(visits[0].place.line, line_of(c_program, "/* in no_way_back */"));
    assert_string_equal(visits[0].local, "last");
    assert_string_equal(visits[0].callers, "outside:0! ");
}

static void expect_locals(void)
{
    const char *names[] = {"here[1].weight", "amount", "inside", "result"};
    for (size_t i = 0; i < LENGTH(names); i++) {
        assert_string_equal(visits[i].local, names[i]);
        assert_int_equal(visits[i].kind.kind, i == 0 ? MZ_VALUE_FLOAT : MZ_VALUE_SIGNED);
    }
}

/* worker is called by start, start by this test, which is not in the shared object. */
static void expect_frames(bool lines)
{
    char expected[100];
    uint32_t line = lines ? line_of(c_program, "/* in start */") : 0;
    for (size_t i = 0; i < visit_count; i++) {
        bool in_start = i == 3;
        assert_true(visits[i].in_frame);
        if (lines) {
            snprintf(expected, sizeof expected, "start:%u outside:0! ", line);
            assert_string_equal(visits[i].callers, in_start ? "outside:0! " : expected);
        } else {
            assert_contains(visits[i].callers, in_start ? "outside:0! " : "start+");
        }
    }
}

static bool have(const char *compiler)
{
    mz_text command = {0};
    mz_text_add(&command, "command -v %s >/dev/null", compiler);
    bool found = shell(mz_text_string(&command));
    mz_text_release(&command);
    return found;
}

static void expect_everything(const char *command)
{
    if (!shell(command))
        fail_msg("%s", command);
    subject s = load();
    expect_samples(&s);
    expect_statics(&s);
    expect_somewhere(&s, "split.second");
    expect_thread_locals(&s);
    run_visits(&s);
    expect_places("bank.c");
    expect_locals();
    expect_frames(true);
    expect_first_line(&s);
    expect_the_end_of_a_function(&s);
    expect_nothing_outside(&s);
    unload(&s);
}

static void expect_everything_of(const char *compiler)
{
    const char *options[] = {
        "-g -O1", "-g -O1 -fno-omit-frame-pointer", "-gdwarf-4 -O1", "-gdwarf-5 -O1", "-g -O0", "-g -O2"};
    mz_text command = {0};
    for (size_t i = 0; i < LENGTH(options); i++) {
        mz_text_clear(&command);
        mz_text_add(&command, "%s %s -fPIC -shared -o test.so bank.c", compiler, options[i]);
        expect_everything(mz_text_string(&command));
    }
    mz_text_clear(&command);
    mz_text_add(&command,
                "%s -g -O1 -fPIC -fsanitize=thread -c bank.c && %s -O1 -fPIC -c stubs.c && "
                "%s -shared -o test.so bank.o stubs.o",
                compiler, compiler, compiler);
    expect_everything(mz_text_string(&command));
    mz_text_release(&command);
}

static void everything_has_a_name(void **state)
{
    (void)state;
    expect_everything_of("cc");
}

static void everything_has_a_name_with_clang(void **state)
{
    (void)state;
    if (!have("clang"))
        skip();
    expect_everything_of("clang");
}

static void names_of_cpp_have_their_scopes(void **state)
{
    (void)state;
    const char *compilers[] = {"c++", "clang++"};
    for (size_t i = 0; i < LENGTH(compilers); i++) {
        mz_text command = {0};
        if (!have(compilers[i]))
            continue;
        mz_text_add(&command, "%s -g -O1 -fPIC -shared -o test.so bank.cpp", compilers[i]);
        assert_true(shell(mz_text_string(&command)));
        mz_text_release(&command);
        subject s = load();
        expect_samples(&s);
        int *(*deposit)(visitor *) = (int *(*)(visitor *))address_in(&s, "deposit");
        visited = &s;
        visit_count = 0;
        expect_data(&s, deposit(record), sizeof(int), "bank::Account::deposit::deposits", 's');
        assert_int_equal(visit_count, 1);
        assert_string_equal(visits[0].place.function, "bank::Account::deposit");
        assert_int_equal(visits[0].place.line, line_of(cpp_program, "// in deposit"));
        unload(&s);
    }
}

static void expect_file_name(const char *given, const char *expected)
{
    mz_text command = {0};
    mz_text_add(&command, "cc -g -O1 -fPIC -shared -o test.so '%s'", given);
    assert_true(shell(mz_text_string(&command)));
    mz_text_release(&command);
    subject s = load();
    run_visits(&s);
    expect_places(expected);
    unload(&s);
}

static void a_file_is_called_what_the_compiler_was_told(void **state)
{
    (void)state;
    mz_text name = {0};
    mz_text_add(&name, "%s/bank.c", directory);
    expect_file_name(mz_text_string(&name), mz_text_string(&name));
    mz_text_clear(&name);
    mz_text_add(&name, "..%s/bank.c", strrchr(directory, '/'));
    expect_file_name(mz_text_string(&name), mz_text_string(&name));
    mz_text_release(&name);
    expect_file_name("./bank.c", "./bank.c");
}

static void frames_need_no_debug_information(void **state)
{
    (void)state;
    assert_true(shell("cc -g0 -O1 -fPIC -shared -o test.so bank.c"));
    subject s = load();
    run_visits(&s);
    expect_frames(false);
    unload(&s);
}
#endif

static void without_debug_information_there_are_symbols(void **state)
{
    (void)state;
    assert_true(shell("cc -g0 -O1 -fPIC -shared -o test.so bank.c"));
    subject s = load();
    expect_only_symbols(&s, true);
    expect_nothing_outside(&s);
    unload(&s);
}

static void of_a_stripped_object_there_are_its_exports(void **state)
{
    (void)state;
    assert_true(shell("cc -g -O1 -fPIC -shared -s -o test.so bank.c"));
    subject s = load();
    expect_only_symbols(&s, false);
    expect_nothing_outside(&s);
    unload(&s);
}

static void places_stay_where_they_are(void **state)
{
    (void)state;
    assert_true(shell("cc -g -O1 -fPIC -shared -o test.so bank.c"));
    subject s = load();
    uintptr_t worker = (uintptr_t)address_in(&s, "worker");
    mz_code_place first, again, other;
    assert_true(mz_symbols_code(s.symbols, worker + 1, &first));
    for (uintptr_t i = 32; i-- > 0;) /* downwards: each before those that are known */
        mz_symbols_code(s.symbols, worker + i, &other);
    assert_true(mz_symbols_code(s.symbols, worker + 1, &again));
    assert_ptr_equal(first.function, again.function);
    assert_int_equal(first.line, again.line);
    assert_memory_equal(first.function, "worker", 6);
    unload(&s);
}

/* Ask about everything there is; what is said does not matter, that nothing breaks does. */
static void ask_all(const char *path)
{
    mz_symbols *symbols = mz_symbols_open(path, 0);
    assert_non_null(symbols);
    for (uintptr_t address = 0; address < 0x6000; address += 7) {
        mz_text out = {0};
        mz_code_place place;
        mz_value_type kind;
        mz_symbols_code(symbols, address, &place);
        mz_symbols_data(symbols, address, address % 9, &out, &kind);
        mz_symbols_thread_local(symbols, address, address % 9, &out, &kind);
        mz_text_release(&out);
    }
    mz_symbols_close(symbols);
}

static void what_is_no_shared_object_has_no_names(void **state)
{
    (void)state;
    write_file("junk", "\177ELF\002\001\001 this is none", "");
    const char *names[] = {"junk", "missing", ".", "bank.c"};
    for (size_t i = 0; i < LENGTH(names); i++) {
        mz_symbols *symbols = mz_symbols_open(path_of(names[i]), 0);
        mz_text out = {0};
        mz_value_type kind;
        mz_code_place place;
        assert_false(mz_symbols_data(symbols, 0x4000, 4, &out, &kind));
        assert_false(mz_symbols_thread_local(symbols, 0, 4, &out, &kind));
        assert_false(mz_symbols_code(symbols, 0x1000, &place));
        mz_symbols_close(symbols);
        ask_all(path_of(names[i]));
    }
    mz_symbols_close(NULL);
}

static void a_truncated_object_is_survived(void **state)
{
    (void)state;
    struct stat status;
    assert_true(shell("cc -g -O1 -fPIC -shared -o test.so bank.c"));
    assert_int_equal(stat(path_of("test.so"), &status), 0);
    for (off_t length = status.st_size; length > 0; length = length * 3 / 4) {
        assert_int_equal(truncate(path_of("test.so"), length), 0);
        ask_all(path_of("test.so"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef MZ_HAVE_LIBDW
        cmocka_unit_test(everything_has_a_name),
        cmocka_unit_test(everything_has_a_name_with_clang),
        cmocka_unit_test(names_of_cpp_have_their_scopes),
        cmocka_unit_test(a_file_is_called_what_the_compiler_was_told),
        cmocka_unit_test(frames_need_no_debug_information),
#endif
        cmocka_unit_test(without_debug_information_there_are_symbols),
        cmocka_unit_test(of_a_stripped_object_there_are_its_exports),
        cmocka_unit_test(places_stay_where_they_are),
        cmocka_unit_test(what_is_no_shared_object_has_no_names),
        cmocka_unit_test(a_truncated_object_is_survived),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
