/* Inputs: numbers that come from outside when the program runs, and all of whose values are explored when it
 * is checked. They have names (wire/symbolic_format.h), which counterexamples and plans show. */
#include <stdio.h>
#include <string.h>

#include "program/describe/failures.h"
#include "program/loops/spin.h"
#include "program/program.h"
#include "program/runtime/choices.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"
#include "wire/nondet.h"
#include "wire/symbolic_format.h"

/* Names are never forgotten: choices point to them. */
static size_t name_index(struct mz__names *all, const char *name)
{
    size_t i = 0;
    while (i < all->count && strcmp(all->names[i], name) != 0)
        i++;
    if (i == all->count) {
        all->names = mz_grow(all->names, &all->capacity, i + 1, sizeof *all->names);
        all->names[all->count++] = mz_copy_string(name);
    }
    return i;
}

/* An input has one value. If it could be read again, it would have to be the same one, and which thread reads
 * it first would be an event. */
static const char *read_once(const char *name)
{
    size_t index = name_index(&mz__w.input_names, name);
    if (index >= MZ_MOST_INPUTS)
        mz__give_up(mz__caller.pc, "more than %d inputs", MZ_MOST_INPUTS);
    if (mz__w.inputs_read >> index & 1)
        mz__fail(MZ_FAIL_CHOICE, mz__caller.pc, "mz_input_int(\"%s\"): an input is read once; keep its value",
                 name);
    MZ__SAVE(mz__w.inputs_read);
    mz__w.inputs_read |= UINT64_C(1) << index;
    return mz__w.input_names.names[index];
}

/* What has no name of its own is called by its thread and how many came before it. */
static int64_t choose_nameless(int64_t low, int64_t high)
{
    char name[MZ_MOST_INPUT_NAME + 1];
    if (mz__w.keeps_spin_rounds || low == high || mz__in_section_event())
        mz__made_progress();
    else if (mz__chose_spinning())
        mz__prune();
    mz__count(mz__w.current);
    uint32_t number = ++mz__cold_of(mz__w.current)->chosen;
    if (mz__w.current->number == 0)
        snprintf(name, sizeof name, "choose%u", number);
    else
        snprintf(name, sizeof name, "choose%u.%u", number, mz__w.current->number);
    size_t index = low < high ? name_index(&mz__w.choice_names, name) : 0;
    return mz__choose_without_progress(low, high, low < high ? mz__w.choice_names.names[index] : NULL);
}

MZ__HOOK(int, mz_choose, int low, int high)
{
    if (low > high)
        mz__fail(MZ_FAIL_CHOICE, mz__caller.pc, "mz_choose(%d, %d): there is nothing to choose from", low,
                 high);
    return (int)choose_nameless(low, high);
}

MZ__HOOK(int, mz_input_int, const char *name, int low, int high)
{
    size_t length = mz__string_length(name);
    mz__count(mz__w.current);
    if (!mz_is_input_name(name, length))
        mz__fail(MZ_FAIL_CHOICE, mz__caller.pc,
                 "mz_input_int(\"%.*s\"): a name of an input has 1 to %d letters, digits, '_', '.', '-', and "
                 "begins with a letter",
                 (int)(length < 40 ? length : 40), name, MZ_MOST_INPUT_NAME);
    if (low > high)
        mz__fail(MZ_FAIL_CHOICE, mz__caller.pc,
                 "mz_input_int(\"%s\", %d, %d): there is no value that it could have", name, low, high);
    return (int)mz__choose_input(low, high, read_once(name));
}

/* A number of which nothing is said: all values of a type are too many, so a range stands for them, and the
 * verdict says so. */
static int64_t any_number(bool has_negative, size_t bytes)
{
    int64_t low = mz__w.nondet_low, high = mz__w.nondet_high, least, most;
    mz_nondet_range(has_negative, bytes, &low, &high);
    mz_nondet_limits(has_negative, bytes, &least, &most);
    mz__w.nondet_bounded |= low > least || high < most || bytes > sizeof(int32_t);
    return choose_nameless(low, high);
}

#define NONDET(T, name, has_negative)                                                                        \
    MZ__HOOK(T, __VERIFIER_nondet_##name, void)                                                              \
    {                                                                                                        \
        return (T)any_number(has_negative, sizeof(T));                                                       \
    }

#define NONDET_BOOL(name)                                                                                    \
    MZ__HOOK(_Bool, __VERIFIER_nondet_##name, void)                                                          \
    {                                                                                                        \
        return choose_nameless(0, 1) != 0;                                                                   \
    }

MZ_NONDET_BOOL(NONDET_BOOL)
MZ_NONDET(NONDET)

MZ__HOOK(void *, __VERIFIER_nondet_pointer, void)
{
    mz__w.nondet_pointers = true;
    return choose_nameless(0, 1) ? MZ_NONDET_NOWHERE : NULL;
}

bool mz_native_set_nondet(mz_machine *machine, int64_t low, int64_t high)
{
    (void)machine;
    mz__w.nondet_low = low;
    mz__w.nondet_high = high;
    mz__w.draw_count = 0; /* ranges that sections draw from are learned again */
    return mz__w.nondet_bounded;
}
