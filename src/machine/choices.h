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
    uint64_t cut;     /* so many of the highest values are for somebody else */
} mz_choice;

/* A cut: so are all values that would come after this one. */
#define MZ_CHOICE_FIXED UINT64_MAX

typedef struct mz_choices {
    mz_choice *made; /* [0, prescribed) are given by the explorer, the rest were made at the low end */
    size_t count, prescribed, capacity;
    uint64_t random; /* not 0: those that are not prescribed are drawn, by this */
    bool narrows;    /* of wide ranges only the values that come first (choices.c) */
    bool narrowed;   /* it has made a difference */
} mz_choices;

/* How values are ordered: see choices.c. */
int64_t mz_choices_draw(mz_choices *choices, int64_t low, int64_t high);
int64_t mz__first_of_wide(int64_t low, int64_t high);
uint64_t mz__cut_of_narrowed(int64_t low, int64_t high);

static inline int64_t mz_choice_first(int64_t low, int64_t high)
{
    return low >= 0 ? low : mz__first_of_wide(low, high); /* 0, or what is nearest to it, is the lowest */
}

/* Is there no value after this one? */
bool mz_choice_is_last(const mz_choice *choice);
/* How many values come before this one, and how many there are altogether. */
double mz_choice_rank(const mz_choice *choice);
double mz_choice_values(const mz_choice *choice);

static inline int64_t mz_choose(mz_choices *choices, int64_t low, int64_t high)
{
    if (choices->count < choices->prescribed)
        return choices->made[choices->count++].value;
    choices->made = mz_grow(choices->made, &choices->capacity, choices->count + 1, sizeof *choices->made);
    int64_t value =
        choices->random && low < high ? mz_choices_draw(choices, low, high) : mz_choice_first(low, high);
    uint64_t cut = choices->narrows && low < high ? mz__cut_of_narrowed(low, high) : 0;
    choices->narrowed |= cut > 0;
    choices->made[choices->count++] = (mz_choice){.value = value, .low = low, .high = high, .cut = cut};
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
size_t mz_choices_next(mz_choice *made, size_t count);

/* The first `count` choices stand for themselves and all prescriptions that follow them. Divides these in
 * two: `made` keeps the first ones, `upper`, which has room for `count`, becomes the others. Returns how many
 * choices `upper` has then; 0: there is nothing to divide. */
size_t mz_choices_divide(mz_choice *made, size_t count, mz_choice *upper);

#endif
