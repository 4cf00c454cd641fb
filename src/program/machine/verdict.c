/* What a verdict rests on: assumptions, warnings, bounds; and what the program has printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/describe/frames.h"
#include "program/describe/stuck.h"
#include "program/describe/suppressions.h"
#include "program/loops/spin.h"
#include "program/order/held.h"
#include "program/program.h"
#include "program/runtime/accesses.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/world/world.h"

bool mz_native_has_races(const mz_machine *machine)
{
    (void)machine;
    for (size_t i = 0; i < mz__w.special_word_count; i++)
        if (mz__w.special_words[i].flags & MZ__WORD_IS_EVENT)
            return true;
    return false;
}

static size_t add_suppressions(const char **lines, size_t most)
{
    const mz_suppressions *s = mz__w.suppressions;
    size_t count = 0;
    for (size_t i = 0; s && i < s->count && count < most; i++) {
        mz_text text = {0};
        mz_suppression_describe(s, i, &text);
        lines[count++] = mz_copy_string(mz_text_string(&text));
        mz_text_release(&text);
    }
    return count;
}

static const char *ignored_line(void)
{
    static mz_text line;
    mz_text_clear(&line);
    mz_text_add(&line, "the values of ");
    mz__describe_ignored(&line);
    mz_text_add(&line, " do not matter after a loop boundary (mz_boundary_ignore)");
    return mz_text_string(&line);
}

static const char *reuse_line(void)
{
    static mz_text line;
    mz_text_clear(&line);
    mz_text_add(&line, "malloc returns freed memory to each thread ");
    if (mz__w.reuses == 1)
        mz_text_add(&line, "once");
    else
        mz_text_add(&line, "%u times", mz__w.reuses);
    mz_text_add(&line, " at most, to one that is alone never (--heap-reuse)");
    return mz_text_string(&line);
}

const char *mz_native_numbers(const mz_machine *machine)
{
    (void)machine;
    static mz_text range;
    mz_text_clear(&range);
    mz_text_add(&range, "%lld..%lld", (long long)mz__w.nondet_low, (long long)mz__w.nondet_high);
    return mz__w.nondet_bounded ? mz_text_string(&range) : NULL;
}

static const char *numbers_line(void)
{
    static mz_text line;
    mz_text_clear(&line);
    mz_text_add(&line, "nondeterministic numbers are taken from a range (--nondet=%lld..%lld)",
                (long long)mz__w.nondet_low, (long long)mz__w.nondet_high);
    return mz_text_string(&line);
}

#if defined __x86_64__
#define WHY_BLIND "Mazurka was built without capstone"
#else
#define WHY_BLIND "machine code is looked at on x86-64 only"
#endif

static bool is_some_stack_shared(void)
{
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        if (mz__w.stack_is_shared[t])
            return true;
    return false;
}

static const char *optimised_line(void)
{
    static mz_text line;
    mz_text_clear(&line);
    mz_text_add(
        &line,
        "accesses that race are as the optimiser (%s) left them: merged, moved, dropped; -O0 keeps all",
        mz__w.optimised);
    return mz_text_string(&line);
}

static const char *null_line(void)
{
    static mz_text line;
    mz_text_clear(&line);
    mz_text_add(&line, "the threads of --entry are %s; --entry='f(argument)' gives another argument",
                mz__w.entries_with_null);
    return mz_text_string(&line);
}

static const char *beyond_line(void)
{
    static mz_text line;
    const char *what = mz__w.base.beyond_what;
    mz_text_clear(&line);
    mz_text_add(
        &line,
        "memory is sequentially consistent, also for atomic operations that ask for less: the program "
        "also has what cannot be explored otherwise yet (doc/memory.md)%s%s",
        what[0] ? ": " : "", what);
    return mz_text_string(&line);
}

size_t mz_native_assumptions(const mz_machine *machine, const char **lines, size_t most)
{
    const char *ignored = ignored_line(), *numbers = numbers_line();
    const struct {
        bool holds;
        const char *line;
    } all[] = {
        {mz__w.optimised && *mz__w.optimised && mz__w.tolerates_races && !mz__w.unchecked, optimised_line()},
        {mz__w.entries_with_null && *mz__w.entries_with_null, null_line()},
        {mz__w.weak_orders && !mz__w.base.weak && mz__w.base.beyond_weak && mz__w.base.is_told_of_orders,
         beyond_line()},
        {mz__w.weak_orders && !mz__w.base.weak && !(mz__w.base.beyond_weak && mz__w.base.is_told_of_orders),
         "memory is sequentially consistent, also for atomic operations that ask for less"},
        {mz__w.volatile_was_atomic,
         "volatile accesses are atomic, with the orders that the processor gives them (--volatile=atomic)"},
        {mz__w.heap_used && !mz__w.base.has_boundaries && mz__w.reuses == 0,
         "memory that is freed is not used again by malloc"},
        {mz__w.heap_used && !mz__w.base.has_boundaries && mz__w.reuses > 0, reuse_line()},
        {mz__w.heap_used && mz__w.base.has_boundaries,
         "memory that is freed is used again by malloc after the next loop boundary only"},
        {mz__w.base.has_boundaries && !mz__w.goes_outside,
         "threads wait for each other at mz_loop_boundary()"},
        {mz__w.goes_outside,
         "threads wait for each other at mz_loop_boundary(), but not for those that are outside"},
        {mz__w.asks_world, "sockets answer nothing else than was declared (--environment), and other calls "
                           "of them succeed"},
        {mz__w.ignored_count.ever > 0, ignored},
        {mz__w.conditions_used && !mz__w.spurious,
         "pthread_cond_wait does not return without a signal (--spurious tries it)"},
        {mz__w.conditions_used && mz__w.spurious,
         "each thread returns from a condition wait without a signal once at most (--spurious)"},
        {mz__w.buffered, "what is printed to files is written at once, not when a buffer is flushed"},
        {mz__w.signals_used, "no signals come from outside of the program"},
        {mz__w.writers_passed,
         "a read-write lock lets readers in while a writer waits, as glibc's do by default"},
        {mz__w.cancellation_used,
         "printf and others that POSIX lets be cancellation points, but need not be, are none"},
        {mz__w.nondet_bounded, numbers},
        {mz__w.nondet_pointers, "nondeterministic pointers are NULL, or point to where nothing is"},
        {mz__w.forks_awaited, "nobody forks: the functions of pthread_atfork are not called"},
        {mz__w.inline_assembly, "inline assembly does not touch shared memory"},
        {!MZ__SEES_MACHINE_CODE && mz__w.by_clang && is_some_stack_shared(),
         "parts of local variables that other threads use are not "
         "used by their own thread meanwhile: clang does "
         "not tell of that"},
        {!MZ__SEES_MACHINE_CODE, "every access was announced by the compiler: " WHY_BLIND},
        {mz__w.allowed_calls.length > 0, mz_text_string(&mz__w.allowed_calls)},
        {mz__w.unchecked, "there are no data races and no invalid accesses (--plain-accesses=unchecked)"},
        {mz_native_has_races(machine), "accesses that race happen one after the other, each as a whole"},
        {mz__w.cut_count > 0, "loops are followed for --unroll iterations only"},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && count < most; i++)
        if (all[i].holds)
            lines[count++] = all[i].line;
    return count + add_suppressions(lines + count, most - count);
}

/* By where they are, whoever has met them first. */
static int compare_warnings(const void *a, const void *b)
{
    const mz_warning *x = a, *y = b;
    const char *of_x = x->position.file ? x->position.file : "",
               *of_y = y->position.file ? y->position.file : "";
    int files = strcmp(of_x, of_y);
    if (files || x->position.line != y->position.line)
        return files ? files : x->position.line < y->position.line ? -1 : 1;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->message, y->message);
}

const mz_warning *mz_native_warnings(mz_machine *machine, size_t *count)
{
    (void)machine;
    mz__warn_of_lock_orders();
    if (mz__w.warning_count > 0)
        qsort(mz__w.warnings, mz__w.warning_count, sizeof *mz__w.warnings, compare_warnings);
    *count = mz__w.warning_count;
    return mz__w.warnings;
}

void mz_native_incomplete(const mz_machine *machine, mz_text *out)
{
    (void)machine;
    mz__describe_stuck(out);
    mz__describe_cuts(out);
}

void mz_native_narrate(mz_machine *machine, bool on)
{
    (void)machine;
    mz__w.narrating = on;
}

static void note_frame(mz_native_frame *to, const mz_frame *from)
{
    bool same = to->is_there && to->pc == from->pc && to->sp == from->sp;
    if (!same)
        to->knows_registers = false;
    to->is_there = true;
    to->pc = from->pc;
    to->sp = from->sp;
    to->fp = from->fp;
    for (int i = 0; from->preserved_known && i < MZ_PRESERVED; i++)
        to->preserved[i] = from->preserved[i];
    to->knows_registers |= from->preserved_known != 0;
}

/* Of a thread that has failed: others may have gone on in the same step. */
static bool ran_last(const mz__thread *t)
{
    return t->pc == mz__caller.pc && t->entry_sp == mz__caller.sp;
}

void mz_native_frames(mz_machine *machine, mz_native_frame *frames)
{
    const mz_status *s = machine->status;
    mz_threads alive = s->ready | s->blocked | s->failed;
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) {
        mz_text name = {0};
        mz_frame frame;
        if (!mz_threads_has(alive, t)) {
            frames[t].is_there = false;
            continue;
        }
        if (!mz__frame_of_thread(t, &frame))
            frame = ran_last(&mz__w.threads[t]) ? mz__frame_of_caller() : mz__frame_of(&mz__w.threads[t]);
        note_frame(&frames[t], &frame);
        machine->class->describe_thread(machine, t, &name);
        snprintf(frames[t].name, sizeof frames[t].name, "%s", mz_text_string(&name));
        mz_text_release(&name);
    }
}

void mz_native_sources(const mz_machine *machine, mz_text *out)
{
    (void)machine;
    mz_symbols_sources(mz__w.symbols, out);
}

const char *mz_native_output(const mz_machine *machine)
{
    (void)machine;
    return mz_text_string(&mz__w.output);
}
