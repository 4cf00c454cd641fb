/* Switching: what a fiber has in registers and on its stack is still there when it goes on. */
#include "program/runtime/fiber.h"

#include <stdlib.h>

#include "support.h"

enum { FIBERS = 7, ROUNDS = 2000, STACK = 64 * 1024 };

/* Not static: of a static variable whose uses it all sees, gcc believes that a switch does not change it. */
extern struct fibers {
    void *main_sp, *sp[FIBERS];
    int current;
    uint64_t numbers[FIBERS];
    double floats[FIBERS];
    bool finished[FIBERS];
} fibers;
struct fibers fibers;

static char *stacks[FIBERS];

static void leave(void)
{
    mz__leave(&fibers.sp[fibers.current], fibers.main_sp);
}

static void enter(int fiber)
{
    fibers.current = fiber;
    mz__enter(&fibers.main_sp, fibers.sp[fiber]);
}

/* Whoever is resumed after this is a mistake of the test. */
static void finish(void)
{
    fibers.finished[fibers.current] = true;
    leave();
    abort();
}

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < FIBERS; i++) {
        stacks[i] = aligned_alloc(64, STACK);
        memset(stacks[i], 0xa5, STACK);
        fibers.finished[i] = false;
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < FIBERS; i++)
        free(stacks[i]);
    return 0;
}

static void start_all(void (*start)(void))
{
    for (int i = 0; i < FIBERS; i++)
        fibers.sp[i] = mz__fiber(stacks[i] + STACK, start);
}

/* In random order, until all have finished. Returns how often one was entered. */
static int run_all(uint64_t seed)
{
    int left = FIBERS, switches = 0;
    while (left > 0) {
        int fiber = (int)random_below(&seed, FIBERS);
        if (fibers.finished[fiber])
            continue;
        enter(fiber);
        switches++;
        left -= fibers.finished[fiber];
    }
    return switches;
}

/* ---- registers ---------------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t value, uint64_t with)
{
    return (value ^ with) * UINT64_C(0x9e3779b97f4a7c15) + with;
}

/* More values than there are registers: some are in registers, some on the stack, and all have to stay. */
static uint64_t mix_numbers(uint64_t seed, void (*between)(void))
{
    uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3, e = seed + 4, f = seed + 5, g = seed + 6;
    uint64_t h = seed + 7, i = seed + 8, j = seed + 9, k = seed + 10, l = seed + 11;
    for (int round = 0; round < ROUNDS; round++) {
        a = mixed(a, l), b = mixed(b, a), c = mixed(c, b), d = mixed(d, c), e = mixed(e, d), f = mixed(f, e);
        between();
        g = mixed(g, f), h = mixed(h, g), i = mixed(i, h), j = mixed(j, i), k = mixed(k, j), l = mixed(l, k);
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}

static double mix_floats(double seed, void (*between)(void))
{
    double a = seed, b = seed * 2, c = seed * 3, d = seed * 4, e = seed * 5, f = seed * 6, g = seed * 7;
    double h = seed * 8, i = seed * 9, j = seed * 10;
    for (int round = 0; round < ROUNDS; round++) {
        a = a * 0.5 + b, b = b * 0.25 + c, c = c * 0.5 + d, d = d * 0.125 + e, e = e * 0.5 + f;
        between();
        f = f * 0.5 + g, g = g * 0.25 + h, h = h * 0.5 + i, i = i * 0.125 + j, j = j * 0.5 + a / 1024;
    }
    return a + b + c + d + e + f + g + h + i + j;
}

static void nothing(void)
{
}

/* The fibers' own code leaves by an inlined switch, too, as the hooks do. */
static void leave_inlined(void)
{
    volatile int before = fibers.current;
    mz__leave(&fibers.sp[fibers.current], fibers.main_sp);
    if (before != fibers.current)
        abort();
}

static void number_fiber(void)
{
    int me = fibers.current;
    fibers.numbers[me] = mix_numbers((uint64_t)me * 1000, me % 2 ? leave : leave_inlined);
    finish();
}

static void float_fiber(void)
{
    int me = fibers.current;
    fibers.floats[me] = mix_floats(1.0 + me, me % 2 ? leave : leave_inlined);
    finish();
}

static void keeps_numbers(void **state)
{
    (void)state;
    start_all(number_fiber);
    assert_int_equal(run_all(1), FIBERS * (ROUNDS + 1));
    for (int i = 0; i < FIBERS; i++)
        assert_int_equal(fibers.numbers[i], mix_numbers((uint64_t)i * 1000, nothing));
}

static void keeps_floats(void **state)
{
    (void)state;
    start_all(float_fiber);
    run_all(2);
    for (int i = 0; i < FIBERS; i++) {
        double wanted = mix_floats(1.0 + i, nothing);
        assert_memory_equal(&fibers.floats[i], &wanted, sizeof wanted);
    }
}

/* The one who switches to fibers keeps its own, too. */
static void next_fiber(void)
{
    static int last;
    last = (last + 1) % FIBERS;
    enter(last);
}

static void endless_fiber(void)
{
    double x = 0.5;
    for (uint64_t i = 1;; i++) {
        x = x * 0.75 + (double)i;
        fibers.numbers[fibers.current] = mixed(fibers.numbers[fibers.current], i) + (uint64_t)x;
        leave();
    }
}

static void keeps_the_scheduler(void **state)
{
    (void)state;
    start_all(endless_fiber);
    assert_int_equal(mix_numbers(77, next_fiber), mix_numbers(77, nothing));
    double with = mix_floats(7.5, next_fiber), without = mix_floats(7.5, nothing);
    assert_memory_equal(&with, &without, sizeof with);
}

/* ---- stacks
 * ------------------------------------------------------------------------------------------------ */

/* Leaves at the bottom of a recursion and on the way back up. */
static uint64_t descend(uint64_t seed, uint32_t depth)
{
    volatile uint64_t local[8];
    for (uint32_t i = 0; i < LENGTH(local); i++)
        local[i] = seed + i * depth;
    uint64_t below = depth > 0 ? descend(seed * 3 + 1, depth - 1) : 0;
    leave();
    for (uint32_t i = 0; i < LENGTH(local); i++)
        if (local[i] != seed + i * depth)
            return 0;
    return below + seed;
}

static void recursive_fiber(void)
{
    int me = fibers.current;
    volatile _Alignas(16) double aligned = me; /* the stack is as the calling convention wants it */
    fibers.numbers[me] = descend((uint64_t)me + 1, 20 + (uint32_t)me);
    if ((uintptr_t)&aligned % 16 != 0 || aligned < me)
        fibers.numbers[me] = 0;
    finish();
}

static uint64_t descend_alone(uint64_t seed, uint32_t depth)
{
    return seed + (depth > 0 ? descend_alone(seed * 3 + 1, depth - 1) : 0);
}

static void keeps_stacks(void **state)
{
    (void)state;
    start_all(recursive_fiber);
    run_all(3);
    for (int i = 0; i < FIBERS; i++) {
        assert_int_equal(fibers.numbers[i], descend_alone((uint64_t)i + 1, 20 + (uint32_t)i));
        for (size_t k = 0; k < STACK / 4; k++) /* nobody was near the end of a stack */
            assert_int_equal((unsigned char)stacks[i][k], 0xa5);
    }
}

/* Of a stack, some bytes of which no one else is to touch: not for the sanitizer's eyes. */
__attribute__((no_sanitize("address"))) static void copy_stack(char *to, const char *from)
{
    for (size_t i = 0; i < STACK; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}

/* A copy of a stack and its pointer is a fiber that can be entered again: so steps are taken back. */
static void goes_back(void **state)
{
    (void)state;
    static char copy[STACK];
    start_all(number_fiber);
    for (int i = 0; i < 100; i++)
        enter(0);
    copy_stack(copy, stacks[0]);
    void *copied_sp = fibers.sp[0];
    for (int again = 0; again < 3; again++) {
        fibers.finished[0] = false;
        fibers.numbers[0] = 0;
        for (int i = 0; i < 50 * again; i++) /* the others do not mind */
            enter(1);
        while (!fibers.finished[0])
            enter(0);
        assert_int_equal(fibers.numbers[0], mix_numbers(0, nothing));
        copy_stack(stacks[0], copy);
        fibers.sp[0] = copied_sp;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_numbers, begin, end),
        cmocka_unit_test_setup_teardown(keeps_floats, begin, end),
        cmocka_unit_test_setup_teardown(keeps_the_scheduler, begin, end),
        cmocka_unit_test_setup_teardown(keeps_stacks, begin, end),
        cmocka_unit_test_setup_teardown(goes_back, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
