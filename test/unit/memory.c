#include "base/memory.h"

#include <stdalign.h>

#include "algo/algorithm.h"
#include "base/arena.h"
#include "model/model.h"
#include "support.h"

static void grow_keeps_the_items(void **state)
{
    (void)state;
    uint64_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t i = 0; i < 10000; i++) {
        size_t before = capacity;
        items = mz_grow(items, &capacity, i + 1, sizeof *items);
        assert_true(capacity >= i + 1);
        moves += capacity != before;
        items[i] = i * i;
    }
    assert_in_range(moves, 1, 14); /* geometric: at most log2(10000) times */
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(items[i], i * i);
    mz_release(items);
}

static void grow_does_nothing_where_there_is_room(void **state)
{
    (void)state;
    size_t capacity = 0;
    assert_null(mz_grow(NULL, &capacity, 0, 8));
    assert_int_equal(capacity, 0);
    char *items = mz_grow(NULL, &capacity, 100, 1);
    size_t before = capacity;
    assert_ptr_equal(mz_grow(items, &capacity, before, 1), items);
    assert_int_equal(capacity, before);
    items = mz_grow(items, &capacity, before + 1, 1);
    assert_true(capacity > before);
    mz_release(items);
}

static void copies_are_terminated(void **state)
{
    (void)state;
    char *copy = mz_copy_bytes("abcdef", 3);
    assert_string_equal(copy, "abc");
    mz_release(copy);
    copy = mz_copy_string("");
    assert_string_equal(copy, "");
    mz_release(copy);
}

static void zeroed_is_zero(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        unsigned char *dirty = mz_allocate(bytes);
        memset(dirty, 0xAA, bytes);
        mz_release(dirty);
        unsigned char *block = mz_allocate_zeroed(bytes, 1);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(block[i], 0);
        mz_release(block);
    }
}

static void arena_blocks_are_apart(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    mz_arena arena = {0};
    unsigned char *blocks[COUNT];
    size_t sizes[COUNT];
    uint64_t seed = 1;
    for (size_t i = 0; i < COUNT; i++) {
        sizes[i] = i % 100 == 99 ? 70000 + random_below(&seed, 70000) : random_below(&seed, 300);
        blocks[i] = mz_arena_allocate(&arena, sizes[i]);
        assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
        for (size_t j = 0; j < sizes[i]; j++)
            if (blocks[i][j] != 0)
                fail_msg("block %zu is not zero at %zu", i, j);
        memset(blocks[i], (int)(i % 251) + 1, sizes[i]);
    }
    for (size_t i = 0; i < COUNT; i++) /* nobody has written into another's block */
        for (size_t j = 0; j < sizes[i]; j++)
            if (blocks[i][j] != i % 251 + 1)
                fail_msg("block %zu was overwritten at %zu", i, j);
    mz_arena_release(&arena);
    assert_null(arena.blocks);
}

static void arena_copies_and_starts_again(void **state)
{
    (void)state;
    mz_arena arena = {0};
    for (int round = 0; round < 3; round++) {
        const char *first = mz_arena_copy(&arena, "countdown", 5);
        const char *second = mz_arena_copy(&arena, "", 0);
        assert_string_equal(first, "count");
        assert_string_equal(second, "");
        mz_arena_release(&arena);
    }
}

static void resident_size_is_plausible(void **state)
{
    (void)state;
    enum { BYTES = 64 << 20, INACCURACY = 1 << 20 }; /* the kernel counts pages in batches */
    uint64_t before = mz_memory_now();
    assert_true(before > 100000);
    assert_true(mz_memory_peak() + INACCURACY >= before);
    unsigned char *block = mz_allocate(BYTES);
    for (size_t i = 0; i < BYTES; i += 1024)
        block[i] = (unsigned char)i;
    uint64_t during = mz_memory_now();
    mz_release(block);
    assert_true(during >= before + BYTES - INACCURACY);
    assert_true(mz_memory_peak() + INACCURACY >= during); /* a peak does not go down */
}

/* ---- running out ----------------------------------------------------------------------------------- */

static int allocate_third(void *context)
{
    int *channel = context;
    dup2(channel[1], STDERR_FILENO);
    mz_memory_fail_after(2, NULL);
    mz_release(mz_allocate(1));
    mz_release(mz_allocate(1));
    mz_release(mz_allocate(12345)); /* ends the process */
    return 0;
}

static void running_out_ends_with_code_4(void **state)
{
    (void)state;
    int channel[2];
    assert_int_equal(pipe(channel), 0);
    assert_int_equal(run_in_child(allocate_third, channel, 20), 4);
    close(channel[1]);
    char said[200] = "";
    assert_true(read(channel[0], said, sizeof said - 1) > 0);
    close(channel[0]);
    assert_contains(said, "out of memory");
    assert_contains(said, "12345 bytes");
}

enum { DONE = 10, RAN_OUT = 11, WRONG = 12 };

static const char small_model[] = "param N = 2\n"
                                  "<\"small\" (N + 2), m 1, x 3, done-count 1, const step 2 1 2, local l 1>\n"
                                  "<{N [ lock m  l := x[$] + step[$]  x[$] := l  unlock m\n"
                                  "      atomic { done-count := done-count + 1  x[2] := choose(0, 1) } ]\n}>"
                                  "[ await done-count == N  assert x[2] == 0 ]\n"
                                  "[ if x[x[0]] == 1 && cas(x[2], 0, 1) then { x[1] := 0 } else { skip } ]\n";

static int check_small_model(void)
{
    mz_error error = {0};
    mz_model *model = mz_model_parse("small.dlang", small_model, sizeof small_model - 1, NULL, 0, &error);
    if (!model)
        return WRONG;
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
    mz_search search;
    mz_search_init(&search, machine, &(mz_search_options){.checks = MZ_FAILURES_ALL, .all_errors = true});
    mz_algorithm_source.run(&search);
    int result = mz_search_verdict(&search) == MZ_UNSAFE ? DONE : WRONG;
    mz_search_release(&search);
    machine->class->destroy(machine);
    mz_model_destroy(model);
    return result;
}

static int report_a_mistake(void)
{
    static const char source[] = "param N = 2\n<1, counter 1>\n[ if counter == N { countr := 1 } ]\n";
    mz_error error = {0};
    mz_text text = {0};
    mz_model *model = mz_model_parse("mistake.dlang", source, sizeof source - 1,
                                     &(mz_definition){.name = "N", .value = 3}, 1, &error);
    if (model)
        return WRONG;
    mz_error_print(&error, &text);
    int result = strstr(mz_text_string(&text), "did you mean 'counter'?") ? DONE : WRONG;
    mz_text_release(&text);
    mz_error_release(&error);
    return result;
}

typedef struct attempt {
    int (*work)(void);
    uint64_t allocations;
} attempt;

static jmp_buf before_work;

static void give_up(void)
{
    longjmp(before_work, 1);
}

static int try_with_little_memory(void *context)
{
    const attempt *a = context;
    if (setjmp(before_work))
        return RAN_OUT;
    mz_memory_fail_after(a->allocations, give_up);
    return a->work();
}

/* Every allocation of the work fails once, each time in a child: what was half built then is lost. */
static uint64_t fail_ever_later(int (*work)(void))
{
    attempt a = {work, 0};
    for (;; a.allocations++) {
        int result = run_in_child(try_with_little_memory, &a, 20);
        if (result == DONE)
            return a.allocations;
        if (result != RAN_OUT)
            fail_msg("with %llu allocations the check ended with %d", (unsigned long long)a.allocations,
                     result);
    }
}

static void a_check_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(fail_ever_later(check_small_model) > 60);
}

static void a_message_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(fail_ever_later(report_a_mistake) > 5);
}

static void never_fail_ends_the_failing(void **state)
{
    (void)state;
    mz_memory_fail_after(1, NULL);
    mz_memory_never_fail();
    for (int i = 0; i < 100; i++)
        mz_release(mz_allocate(8));
    assert_int_equal(check_small_model(), DONE); /* the same work, in this process and under the leak check */
    assert_int_equal(report_a_mistake(), DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grow_keeps_the_items),
        cmocka_unit_test(grow_does_nothing_where_there_is_room),
        cmocka_unit_test(copies_are_terminated),
        cmocka_unit_test(zeroed_is_zero),
        cmocka_unit_test(arena_blocks_are_apart),
        cmocka_unit_test(arena_copies_and_starts_again),
        cmocka_unit_test(resident_size_is_plausible),
        cmocka_unit_test(running_out_ends_with_code_4),
        cmocka_unit_test(a_check_survives_every_failing_allocation),
        cmocka_unit_test(a_message_survives_every_failing_allocation),
        cmocka_unit_test(never_fail_ends_the_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
