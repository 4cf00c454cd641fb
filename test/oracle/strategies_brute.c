#include "oracle/strategies_brute.h"

#include <string.h>

#include "base/memory.h"
#include "safe/verify/first_trace_rules.h"

typedef struct brute {
    mz_machine *machine;
    mz_choices choices;
    uint64_t steps;
} brute;

typedef struct brute_step {
    uint32_t thread;
    mz_choice choices[8];
    size_t count;
} brute_step;

enum { BRUTE_DEPTH = 24, BRUTE_STEPS = 200000 };

static bool is_winning(brute *b, const mz_choices *initial, brute_step *path, size_t depth);

static bool go_to(brute *b, const mz_choices *initial, brute_step *path, size_t depth)
{
    mz_operation executed;
    mz_choices_prescribe(&b->choices, initial->made, initial->count);
    mz_outcome outcome = b->machine->class->reset(b->machine, &b->choices);
    for (size_t i = 0; i < depth && outcome == MZ_STEP_DONE; i++) {
        mz_choices_prescribe(&b->choices, path[i].choices, path[i].count);
        outcome = b->machine->class->step(b->machine, path[i].thread, &b->choices, &executed);
        path[i].count = b->choices.count < 8 ? b->choices.count : 8;
        if (path[i].count > 0)
            memcpy(path[i].choices, b->choices.made, path[i].count * sizeof *path[i].choices);
        b->steps++;
    }
    return outcome == MZ_STEP_DONE;
}

/* With this thread next: for all values of inputs, and some pick. */
static bool wins_with(brute *b, const mz_choices *initial, brute_step *path, size_t depth, uint32_t thread)
{
    path[depth] = (brute_step){.thread = thread};
    for (;;) {
        bool good = go_to(b, initial, path, depth + 1);
        brute_step step = path[depth];
        good = good && is_winning(b, initial, path, depth + 1);
        path[depth] = step;
        bool picks = step.count > 0 && !mz_is_input(b->machine, &step.choices[0]);
        if (!good && picks && step.choices[0].value < step.choices[0].high) {
            path[depth].choices[0].value++;
            path[depth].count = 1;
            continue;
        }
        if (!good)
            return false;
        size_t next = step.count;
        while (next > 0 && (!mz_is_input(b->machine, &step.choices[next - 1]) ||
                            step.choices[next - 1].value >= step.choices[next - 1].high))
            next--;
        if (next == 0)
            return true;
        path[depth].choices[next - 1].value++;
        path[depth].count = next;
    }
}

static bool is_winning(brute *b, const mz_choices *initial, brute_step *path, size_t depth)
{
    mz_threads ready = b->machine->status->ready;
    if (!mz_threads_any(ready))
        return mz_has_ended_well(b->machine->status);
    if (depth == BRUTE_DEPTH || b->steps > BRUTE_STEPS || b->machine->begin_again)
        return false;
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        if (wins_with(b, initial, path, depth, thread))
            return true;
    }
    return false;
}

bool strategy_exists(mz_machine *machine, const mz_choice *inputs, size_t count)
{
    brute b = {.machine = machine};
    brute_step path[BRUTE_DEPTH + 1];
    mz_choices initial = {0};
    mz_choices_prescribe(&initial, inputs, count);
    initial.count = count;
    bool wins = go_to(&b, &initial, path, 0) && is_winning(&b, &initial, path, 0);
    mz_release(b.choices.made);
    mz_release(initial.made);
    return wins;
}
