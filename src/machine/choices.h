/* Choices: the only nondeterminism besides scheduling. A machine asks mz_choose() during a step (or
 * during reset); the explorer prescribes a prefix of the answers and learns of the ones made beyond it.
 * A choice is made in the local work that follows an operation, never inside one: what an operation
 * touches is therefore fixed once it is pending, whatever will be chosen after it. */
#ifndef MZ_MACHINE_CHOICES_H
#define MZ_MACHINE_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/memory.h"

typedef struct mz_choice {
    int64_t value, low, high;
    const char *name; /* of the input that it is; lives as long as the machine; NULL: it has none */
    uintptr_t place;  /* where it is made, for the machine to say; 0: not known */
} mz_choice;

typedef struct mz_choices {
    mz_choice *made; /* [0, prescribed) are given by the explorer, the rest were made at the low end */
    size_t count, prescribed, capacity;
    uint64_t random; /* not 0: those that are not prescribed are drawn, by this */
} mz_choices;

static inline int64_t mz_choices_draw(mz_choices *choices, int64_t low, int64_t high)
{
    uint64_t values = (uint64_t)high - (uint64_t)low + 1;
    choices->random = mz_mix64(choices->random) | 1;
    return low + (int64_t)(values ? (choices->random >> 1) % values : choices->random >> 1);
}

static inline int64_t mz_choose(mz_choices *choices, int64_t low, int64_t high)
{
    if (choices->count < choices->prescribed)
        return choices->made[choices->count++].value;
    choices->made = mz_grow(choices->made, &choices->capacity, choices->count + 1, sizeof *choices->made);
    int64_t value = choices->random && low < high ? mz_choices_draw(choices, low, high) : low;
    choices->made[choices->count++] = (mz_choice){.value = value, .low = low, .high = high};
    return value;
}

/* Start a step whose first choices are given. */
static inline void mz_choices_prescribe(mz_choices *choices, const mz_choice *given, size_t count)
{
    if (count > 0) {
        choices->made = mz_grow(choices->made, &choices->capacity, count, sizeof *choices->made);
        for (size_t i = 0; i < count; i++)
            choices->made[i] = given[i];
    }
    choices->prescribed = count;
    choices->count = 0;
}

/* Turn the choices of a finished step into the next prescription, as an odometer turns.
 * Returns how many to prescribe, 0 when every combination has been tried. */
static inline size_t mz_choices_next(mz_choice *made, size_t count)
{
    while (count > 0 && made[count - 1].value >= made[count - 1].high)
        count--;
    if (count > 0)
        made[count - 1].value++;
    return count;
}

#endif
