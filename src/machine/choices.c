/* In which order the values of a choice are tried, and how what is left of them is divided.
 *
 * Of a wide range the values that programs are most often wrong about come first: 0, both ends, and their
 * neighbours. The rest follows from the lowest to the highest. Narrow ranges have that order from the
 * beginning. The order is a function of the range alone, so a value tells how far a choice has come. */
#include "machine/choices.h"

enum { WIDE = 16, MOST_SPECIAL = 7 };

static bool is_wide(int64_t low, int64_t high)
{
    return (uint64_t)high - (uint64_t)low >= WIDE;
}

/* The values that come first, in their order. */
static size_t special_values(int64_t low, int64_t high, int64_t *values)
{
    const int64_t wanted[MOST_SPECIAL] = {0, low, high, 1, -1, low + 1, high - 1};
    size_t count = 0;
    for (size_t i = 0; i < MOST_SPECIAL; i++) {
        bool is_new = wanted[i] >= low && wanted[i] <= high;
        for (size_t k = 0; k < count; k++)
            is_new &= values[k] != wanted[i];
        if (is_new)
            values[count++] = wanted[i];
    }
    return count;
}

static size_t rank_among(const int64_t *values, size_t count, int64_t value)
{
    size_t rank = 0;
    while (rank < count && values[rank] != value)
        rank++;
    return rank;
}

/* The first one from `value` on, up to `last`, that is not special; false if there is none. */
static bool ordinary_from(const int64_t *special, size_t count, int64_t value, int64_t last, int64_t *found)
{
    for (; value <= last; value++) {
        if (rank_among(special, count, value) == count) {
            *found = value;
            return true;
        }
        if (value == last) /* there may be no number behind it */
            break;
    }
    return false;
}

int64_t mz__first_of_wide(int64_t low, int64_t high)
{
    return is_wide(low, high) && low <= 0 && high >= 0 ? 0 : low;
}

uint64_t mz__cut_of_narrowed(int64_t low, int64_t high)
{
    int64_t special[MOST_SPECIAL], first;
    if (!is_wide(low, high))
        return 0;
    size_t count = special_values(low, high, special);
    return ordinary_from(special, count, low, high, &first) ? (uint64_t)high - (uint64_t)first + 1 : 0;
}

/* The last one of those that come in ascending order. */
static int64_t last_of(const mz_choice *c)
{
    return (int64_t)((uint64_t)c->high - c->cut);
}

static bool turn(mz_choice *c)
{
    int64_t special[MOST_SPECIAL];
    if (c->cut == MZ_CHOICE_FIXED)
        return false;
    if (!is_wide(c->low, c->high)) {
        if (c->value >= last_of(c))
            return false;
        c->value++;
        return true;
    }
    size_t count = special_values(c->low, c->high, special), rank = rank_among(special, count, c->value);
    if (rank + 1 < count) {
        c->value = special[rank + 1];
        return true;
    }
    if (rank == count && c->value >= last_of(c))
        return false;
    int64_t from = rank < count ? c->low : c->value + 1;
    return ordinary_from(special, count, from, last_of(c), &c->value);
}

/* Of a wide range every second draw is of those that programs are most often wrong about: of several inputs,
 * several at once. */
int64_t mz_choices_draw(mz_choices *choices, int64_t low, int64_t high)
{
    int64_t special[MOST_SPECIAL];
    uint64_t values = (uint64_t)high - (uint64_t)low + 1;
    choices->random = mz_mix64(choices->random) | 1;
    uint64_t drawn = choices->random >> 1;
    if (is_wide(low, high) && choices->random >> 63)
        return special[drawn % special_values(low, high, special)];
    return (int64_t)((uint64_t)low + (values ? drawn % values : drawn));
}

static double count_to(const int64_t *special, size_t count, int64_t low, int64_t last)
{
    double ordinary = (double)last - (double)low + 1;
    for (size_t i = 0; i < count; i++)
        ordinary -= special[i] <= last;
    return ordinary > 0 ? ordinary : 0;
}

double mz_choice_rank(const mz_choice *c)
{
    int64_t special[MOST_SPECIAL];
    if (!is_wide(c->low, c->high))
        return (double)c->value - (double)c->low;
    size_t count = special_values(c->low, c->high, special), rank = rank_among(special, count, c->value);
    return rank < count ? (double)rank : (double)count + count_to(special, count, c->low, c->value) - 1;
}

double mz_choice_values(const mz_choice *c)
{
    int64_t special[MOST_SPECIAL];
    if (c->cut == MZ_CHOICE_FIXED)
        return mz_choice_rank(c) + 1;
    if (!is_wide(c->low, c->high))
        return (double)last_of(c) - (double)c->low + 1;
    size_t count = special_values(c->low, c->high, special);
    return (double)count + count_to(special, count, c->low, last_of(c));
}

bool mz_choice_is_last(const mz_choice *choice)
{
    mz_choice next = *choice;
    return !turn(&next);
}

size_t mz_choices_next(mz_choice *made, size_t count)
{
    while (count > 0 && !turn(&made[count - 1]))
        count--;
    return count;
}

/* The upper half of the values in ascending order that are left of the last choice. */
static bool halve(mz_choice *lower, mz_choice *upper)
{
    int64_t special[MOST_SPECIAL];
    bool wide = is_wide(lower->low, lower->high);
    size_t count = wide ? special_values(lower->low, lower->high, special) : 0;
    int64_t last = last_of(lower);
    int64_t from = rank_among(special, count, lower->value) < count ? lower->low : lower->value;
    if (lower->cut == MZ_CHOICE_FIXED || from >= last || (uint64_t)last - (uint64_t)from < 2)
        return false;
    int64_t middle = (int64_t)((uint64_t)from + ((uint64_t)last - (uint64_t)from) / 2);
    *upper = *lower;
    if (!ordinary_from(special, count, middle + 1, last, &upper->value))
        return false;
    lower->cut = (uint64_t)lower->high - (uint64_t)middle;
    return true;
}

size_t mz_choices_divide(mz_choice *made, size_t count, mz_choice *upper)
{
    size_t first = 0;
    for (size_t i = 0; i < count; i++)
        upper[i] = made[i];
    while (first < count && mz_choice_is_last(&made[first]))
        first++;
    if (first == count)
        return 0;
    if (first + 1 == count)
        return halve(&made[first], &upper[first]) ? count : 0;
    turn(&upper[first]);
    made[first].cut = MZ_CHOICE_FIXED;
    return first + 1;
}
