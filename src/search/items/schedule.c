#include "search/items/schedule.h"

#include <string.h>

#include "base/memory.h"

void mz_schedule_release(mz_schedule *schedule)
{
    mz_release(schedule->threads);
    mz_release(schedule->choice_ends);
    mz_release(schedule->choices);
    *schedule = (mz_schedule){0};
}

void mz_schedule_copy_in_order(mz_schedule *schedule, const mz_execution *x, const uint32_t *order)
{
    *schedule = (mz_schedule){
        .threads = mz_allocate_zeroed(x->length, sizeof *schedule->threads),
        .choice_ends = mz_allocate_zeroed(x->length, sizeof *schedule->choice_ends),
        .length = x->length,
        .initial_choices = x->initial_choices,
        .choices = mz_allocate_zeroed(x->choice_count, sizeof *schedule->choices),
    };
    size_t choices = 0;
    while (choices < x->initial_choices) {
        schedule->choices[choices] = x->choices[choices];
        choices++;
    }
    for (size_t i = 0; i < x->length; i++) {
        const mz_event *event = &x->events[order ? order[i] : i];
        for (uint32_t c = 0; c < event->choice_count; c++)
            schedule->choices[choices++] = x->choices[event->first_choice + c];
        schedule->threads[i] = event->thread;
        schedule->choice_ends[i] = choices;
    }
}

void mz_schedule_copy(mz_schedule *schedule, const mz_execution *x)
{
    mz_schedule_copy_in_order(schedule, x, NULL);
}

static mz_schedule room_for(size_t length, size_t choices, size_t initial)
{
    return (mz_schedule){
        .threads = mz_allocate_zeroed(length, sizeof(uint32_t)),
        .choice_ends = mz_allocate_zeroed(length, sizeof(size_t)),
        .length = length,
        .initial_choices = initial,
        .choices = mz_allocate_zeroed(choices, sizeof(mz_choice)),
    };
}

void mz_schedule_copy_first(mz_schedule *schedule, const mz_execution *x, size_t length)
{
    const mz_event *last = length > 0 ? &x->events[length - 1] : NULL;
    size_t choices = last ? last->first_choice + last->choice_count : x->initial_choices;
    *schedule = room_for(length, choices, x->initial_choices);
    memcpy(schedule->choices, x->choices, choices * sizeof *schedule->choices);
    for (size_t i = 0; i < length; i++) {
        schedule->threads[i] = x->events[i].thread;
        schedule->choice_ends[i] = x->events[i].first_choice + x->events[i].choice_count;
    }
}

void mz_schedule_copy_part(mz_schedule *schedule, const mz_schedule *other, size_t length)
{
    size_t choices = length > 0 ? other->choice_ends[length - 1] : other->initial_choices;
    *schedule = room_for(length, choices, other->initial_choices);
    memcpy(schedule->threads, other->threads, length * sizeof *schedule->threads);
    memcpy(schedule->choice_ends, other->choice_ends, length * sizeof *schedule->choice_ends);
    memcpy(schedule->choices, other->choices, choices * sizeof *schedule->choices);
}

void mz_schedule_add(mz_schedule *s, uint32_t thread, const mz_choice *choices, size_t count)
{
    size_t before = mz_schedule_choice_count(s);
    s->threads = mz_reallocate(s->threads, (s->length + 1) * sizeof *s->threads);
    s->choice_ends = mz_reallocate(s->choice_ends, (s->length + 1) * sizeof *s->choice_ends);
    s->choices = mz_reallocate(s->choices, (before + count + 1) * sizeof *s->choices);
    for (size_t i = 0; i < count; i++)
        s->choices[before + i] = choices[i];
    s->threads[s->length] = thread;
    s->choice_ends[s->length++] = before + count;
}

/* ---- as bytes -------------------------------------------------------------------------------------------
 */

static void write_choices(const mz_choice *choices, size_t count, mz_bytes *out)
{
    mz_bytes_add_number(out, count);
    for (size_t i = 0; i < count; i++) {
        mz_bytes_add_signed(out, choices[i].value);
        mz_bytes_add_signed(out, choices[i].low);
        mz_bytes_add_signed(out, choices[i].high);
        mz_bytes_add_number(out, choices[i].cut);
    }
}

void mz_schedule_write(const mz_schedule *s, mz_bytes *out)
{
    write_choices(s->choices, s->initial_choices, out);
    mz_bytes_add_number(out, s->length);
    for (size_t i = 0; i < s->length; i++) {
        size_t count;
        const mz_choice *choices = mz_schedule_choices(s, i, &count);
        mz_bytes_add_number(out, s->threads[i]);
        write_choices(choices, count, out);
    }
}

/* Appended to the schedule's; returns how many there are then. */
static size_t read_choices(mz_byte_reader *r, mz_schedule *s, size_t have, size_t *capacity)
{
    size_t count = mz_read_count(r);
    for (size_t i = 0; i < count && !r->failed; i++) {
        mz_choice choice = {.value = mz_read_signed(r)};
        choice.low = mz_read_signed(r);
        choice.high = mz_read_signed(r);
        choice.cut = mz_read_number(r);
        r->failed |= choice.value < choice.low || choice.value > choice.high;
        s->choices = mz_grow(s->choices, capacity, have + 1, sizeof *s->choices);
        s->choices[have++] = choice;
    }
    return have;
}

bool mz_schedule_read(mz_byte_reader *r, mz_schedule *s)
{
    size_t capacity = 0;
    *s = (mz_schedule){0};
    size_t have = s->initial_choices = read_choices(r, s, 0, &capacity);
    size_t length = mz_read_count(r);
    s->threads = mz_allocate_zeroed(length, sizeof *s->threads);
    s->choice_ends = mz_allocate_zeroed(length, sizeof *s->choice_ends);
    for (; s->length < length && !r->failed; s->length++) {
        s->threads[s->length] = (uint32_t)mz_read_number_to(r, MZ_MAX_THREADS - 1);
        have = s->choice_ends[s->length] = read_choices(r, s, have, &capacity);
    }
    if (r->failed)
        mz_schedule_release(s);
    return !r->failed;
}

mz_hash mz_schedule_hash(const mz_schedule *s, size_t length)
{
    size_t choices = length > 0 ? s->choice_ends[length - 1] : s->initial_choices;
    mz_hash h = mz_hash_add(mz_hash_start(length), s->initial_choices);
    for (size_t i = 0; i < length; i++)
        h = mz_hash_add(mz_hash_add(h, s->threads[i]), s->choice_ends[i]);
    for (size_t i = 0; i < choices; i++)
        h = mz_hash_add(h, (uint64_t)s->choices[i].value);
    return h;
}
