/* What a program can say to the checker (mazurka.h, and the names of the verification competition), when it
 * is run: assertions abort as assert() does, an assumption that does not hold ends the program quietly.
 * Inputs: runtime_inputs.c. */
#include "safe/runtime/follow/runtime.h"
#include "safe/runtime/follow/runtime_serial.h"

#include <stdlib.h>
#include <unistd.h>

#define DEFINE(T, name, ...)                                                                                 \
    T name(__VA_ARGS__);                                                                                     \
    T name(__VA_ARGS__)

static __attribute__((noreturn)) void fail(const char *text)
{
    mz__message message = {.length = 0};
    mz__add_text(&message, text);
    mz__add_text(&message, "\n");
    mz__say(&message);
    abort();
}

DEFINE(void, mz_assert_failed, const char *expression, const char *file, int line)
{
    mz__message message = {.length = 0};
    mz__add_text(&message, file);
    mz__add_text(&message, ":");
    mz__add_number(&message, (uint64_t)line);
    mz__add_text(&message, ": assertion failed: ");
    mz__add_text(&message, expression);
    mz__add_text(&message, "\n");
    mz__say(&message);
    abort();
}

DEFINE(void, __VERIFIER_assert, int holds)
{
    if (!holds)
        fail("__VERIFIER_assert does not hold");
}

DEFINE(void, reach_error, void)
{
    fail("reach_error() is reached");
}

DEFINE(void, __VERIFIER_error, void)
{
    fail("__VERIFIER_error() is reached");
}

DEFINE(void, abort_prog, void)
{
    fail("abort_prog() is called");
}

static void assume(int holds)
{
    if (!holds)
        exit(0);
}

DEFINE(void, mz_assume, int holds)
{
    assume(holds);
}

DEFINE(void, __VERIFIER_assume, int holds)
{
    assume(holds);
}

DEFINE(void, assume_abort_if_not, int holds)
{
    assume(holds);
}

int __wrap_sched_yield(void);
DEFINE(void, mz_yield, void)
{
    __wrap_sched_yield();
}

/* ---- atomic sections ------------------------------------------------------------------------------------
 *
 * One operation; those in it do not count. In the prefix nothing else happens meanwhile. Beyond it, only
 * other sections can be kept away, which is not what was verified: under a plan, that is refused. */

static _Atomic uint32_t section_lock;

static mz__enforcement begin_operation(void)
{
    return mz__begin(MZ__KIND(ATOMIC) | MZ__KIND(READ) | MZ__KIND(WRITE) | MZ__KIND(UPDATE), NULL);
}

/* What follows does not count. */
static void stop_counting(mz__self_record *self)
{
    self->section_count = self->count;
    self->section_next = self->next;
    self->next = MZ__NEVER;
}

static void count_again(mz__self_record *self)
{
    self->count = self->section_count;
    self->next = self->section_next;
    mz__mind_serial();
}

static void end_operation(const mz__self_record *self)
{
    if (self->begun || mz__records || mz__delays)
        mz__end_noted();
}

static void begin_section(void)
{
    mz__self_record *self = &mz__self;
    if (self->section++ > 0)
        return;
    if (begin_operation() != MZ__ENFORCED)
        mz__refuse_under_plan("an atomic section begins, which cannot be kept atomic beyond the prefix");
    mz__take(&section_lock);
    stop_counting(self);
}

static void end_section(void)
{
    mz__self_record *self = &mz__self;
    if (--self->section > 0)
        return;
    count_again(self);
    mz__give(&section_lock);
    end_operation(self);
}

DEFINE(void, mz_atomic_begin, void)
{
    begin_section();
}

DEFINE(void, mz_atomic_end, void)
{
    end_section();
}

/* std::lock (program/cxx/linked/mutex.h), one operation, too. It takes its locks one after the other here,
 * but has them all in the end: nobody can tell the difference who waits for them. */
DEFINE(int, mz_lock_together_begin, void)
{
    mz__self_record *self = &mz__self;
    if (self->section++ == 0) {
        begin_operation();
        stop_counting(self);
    }
    return 0;
}

DEFINE(void, mz_lock_together_end, void)
{
    mz__self_record *self = &mz__self;
    if (--self->section == 0) {
        count_again(self);
        end_operation(self);
    }
}

/* By which the library of C++ reckons how long it may wait (program/cxx/linked/deadlines.h). */
DEFINE(long, mz_deadline_now, void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

DEFINE(void, __VERIFIER_atomic_begin, void)
{
    begin_section();
}

DEFINE(void, __VERIFIER_atomic_end, void)
{
    end_section();
}
