/* Choices of the program: nondeterministic values, inputs, which thread a signal wakes. */
#include "program/runtime/choices.h"
#include "program/program.h"
#include "program/runtime/classes.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

int64_t mz__choose(int64_t low, int64_t high)
{
    return mz__choose_input(low, high, NULL);
}

/* A choice is a part of an event: of the last one that led to it. Which one that is must not depend on the
 * order of events that are independent of each other, or executions that are equivalent would differ in it.
 * It does after a join: the last event of our own and that of the thread that was joined happen in any order,
 * and we go on after whichever is the last. So the choice gets an event of its own, after both, which touches
 * nothing. So it is after a barrier whose arrivals commute. (Otherwise they depend on each other, and who
 * goes on does so after the last.) */
static __attribute__((noinline)) void begin_choice(mz__thread *t, bool counted)
{
    const mz__registers caller = mz__caller; /* others call hooks meanwhile */
    mz__pending *p = mz__prepare(t, MZ_OP_CHOOSE, "choice");
    p->address = 0;
    p->counted = counted;
    mz__leave_fiber();
    mz__caller = caller;
}

int64_t mz__choose_input(int64_t low, int64_t high, const char *name)
{
    mz__made_progress();
    return mz__choose_without_progress(low, high, name);
}

int64_t mz__choose_without_progress(int64_t low, int64_t high, const char *name)
{
    mz__thread *t = mz__w.current;
    if (!mz__w.choices)
        return low;
    mz__is_noticed(t);
    if (low == high)
        return low;
    if (mz__in_section_event())
        return mz__section_choose(low, high);
    if (mz_threads_any(t->joined) || (mz__has_classes() && mz_threads_any(t->caused_by)))
        begin_choice(t, name);
    int64_t value = mz_choose(mz__w.choices, low, high);
    mz_choice *made = &mz__w.choices->made[mz__w.choices->count - 1];
    made->name = name;
    made->place = mz__caller.pc;
    mz_flight *flight = mz__w.flight;
    if (flight && flight->choice_count < MZ_FLIGHT_CHOICES) {
        flight->choices[flight->choice_count++] = value;
        flight->initial_choices += mz__w.steps == 0;
    }
    return value;
}
