/* How a thread fails, and when the program cannot be followed any further. */
#include <stdarg.h>
#include <stdio.h>

#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/describe/stuck.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static void fill(mz_failure *failure, mz_failure_kind kind, uintptr_t pc, const char *format,
                 va_list arguments)
{
    failure->kind = kind;
    failure->thread = mz__w.current ? mz__me() : 0;
    mz__position_of_failure(pc, &failure->position);
    mz__position_of(kind == MZ_FAIL_RACE ? mz__w.raced_with : 0, &failure->other);
    mz_text_clear(&failure->message);
    mz_text_add_list(&failure->message, format, arguments);
    mz_position inside;
    mz__position_of(pc, &inside);
    if (kind != MZ_FAIL_RACE && inside.file && inside.file != failure->position.file)
        mz_text_add(&failure->message, " (in %s:%u)", inside.file, inside.line); /* races tell all frames */
}

static void add_failure(mz_failure_kind kind, uintptr_t pc, const char *format, va_list arguments)
{
    mz_machine *machine = &mz__w.base;
    if (machine->failure_count <= MZ_MAX_THREADS)
        fill(&machine->failures[machine->failure_count++], kind, pc, format, arguments);
}

void mz__fail(mz_failure_kind kind, uintptr_t pc, const char *format, ...)
{
    if (!mz__w.trying) {
        va_list arguments;
        va_start(arguments, format);
        add_failure(kind, pc, format, arguments);
        va_end(arguments);
    }
    mz__lock_may_have_failed(pc);
    mz__stop(MZ__FAILED);
}

/* Who fails does not come back: the text must not be left to it. */
void mz__fail_with(mz_failure_kind kind, uintptr_t pc, mz_text *message)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", mz_text_string(message));
    mz_text_release(message);
    mz__fail(kind, pc, "%s", copy);
}

void mz__report(mz_failure_kind kind, uintptr_t pc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_failure(kind, pc, format, arguments);
    va_end(arguments);
}

void mz__report_for(mz_failure_kind kind, uint32_t thread, uintptr_t pc, mz_text *message)
{
    uint32_t before = mz__w.base.failure_count;
    mz__report(kind, pc, "%s", mz_text_string(message));
    if (mz__w.base.failure_count > before)
        mz__w.base.failures[before].thread = thread;
    mz_text_release(message);
}

mz_text *mz__remark(uintptr_t pc)
{
    mz_machine *machine = &mz__w.base;
    if (mz__w.trying || !mz__w.current || machine->remark_count == MZ_MOST_REMARKS)
        return NULL;
    mz_remark *remark = &machine->remarks[machine->remark_count++];
    remark->thread = mz__me();
    mz__position_of_failure(pc, &remark->position);
    mz_text_clear(&remark->words);
    return &remark->words;
}

void mz__give_up(uintptr_t pc, const char *format, ...)
{
    bool goes_on = mz__w.goes_on && mz__w.current;
    mz_machine *machine = &mz__w.base;
    if (!goes_on && machine->failure_count <= MZ_MAX_THREADS)
        machine->failure_count++;
    mz_failure *failure = goes_on ? &machine->stuck : &machine->failures[machine->failure_count - 1];
    va_list arguments;
    va_start(arguments, format);
    fill(failure, MZ_FAIL_ASSERTION, pc, format, arguments);
    va_end(arguments);
    if (failure->position.file)
        mz_text_add(&failure->message, " (at %s:%u)", failure->position.file, failure->position.line);
    if (goes_on)
        mz__is_stuck();
    mz__w.gave_up = true;
    if (!mz__w.current)
        return;
    mz__stop(MZ__FAILED);
}
