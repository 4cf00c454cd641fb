/* A schedule: which thread performs each step, and the choices that are made in it. It says which execution
 * of a program is meant, or the beginning of one. */
#ifndef MZ_SEARCH_ITEMS_SCHEDULE_H
#define MZ_SEARCH_ITEMS_SCHEDULE_H

#include "base/bytes.h"
#include "machine/execution.h"

typedef struct mz_schedule {
    uint32_t *threads;   /* [length] */
    size_t *choice_ends; /* [length]: up to where in `choices` its choices reach */
    size_t length, initial_choices;
    mz_choice *choices; /* those before the first step come first */
} mz_schedule;

void mz_schedule_release(mz_schedule *schedule);
/* Of the execution as it is now, or with its events in this order ([length] positions). */
void mz_schedule_copy(mz_schedule *schedule, const mz_execution *execution);
void mz_schedule_copy_in_order(mz_schedule *schedule, const mz_execution *execution, const uint32_t *order);
/* Of its first events. */
void mz_schedule_copy_first(mz_schedule *schedule, const mz_execution *execution, size_t length);
/* The first steps of another one. */
void mz_schedule_copy_part(mz_schedule *schedule, const mz_schedule *other, size_t length);
/* One more step. */
void mz_schedule_add(mz_schedule *schedule, uint32_t thread, const mz_choice *choices, size_t count);

/* The choices of a step. */
static inline const mz_choice *mz_schedule_choices(const mz_schedule *s, size_t step, size_t *count)
{
    size_t first = step > 0 ? s->choice_ends[step - 1] : s->initial_choices;
    *count = s->choice_ends[step] - first;
    return *count > 0 ? s->choices + first : NULL;
}

/* How many choices there are in all. */
static inline size_t mz_schedule_choice_count(const mz_schedule *s)
{
    return s->length > 0 ? s->choice_ends[s->length - 1] : s->initial_choices;
}

/* As bytes. What a choice is called and where it is made is not kept: the machine knows. */
void mz_schedule_write(const mz_schedule *schedule, mz_bytes *out);
/* False, and an empty schedule, if the bytes are none. */
bool mz_schedule_read(mz_byte_reader *reader, mz_schedule *schedule);

/* The same number for the same schedule, as far as its first `length` steps go. */
mz_hash mz_schedule_hash(const mz_schedule *schedule, size_t length);

#endif
