#include "algo/rf/items.h"

#include <string.h>

#include "base/memory.h"

/* ---- lists of items -------------------------------------------------------------------------------------
 */

mz_rf_item *mz_rf_item_new(mz_rf_items *items)
{
    mz_rf_item *p = mz_recycling_take(&items->records, sizeof *p);
    p->length = p->chosen_count = p->choice_count = p->new_count = 0;
    p->expects = false;
    return p;
}

void mz_rf_item_recycle(mz_rf_items *items, mz_rf_item *p)
{
    if (p)
        mz_recycling_give(&items->records, p);
}

void mz_rf_item_let_wait(mz_rf_items *items, mz_rf_item *p)
{
    size_t most = items->older ? items->older->most : 0;
    p->most = p->unmoved > most ? p->unmoved : most;
    p->next = items->waiting;
    items->waiting = p;
}

/* The first `count` items of the list in the order of what they share; *rest is the list behind them. */
static mz_rf_item *sort(mz_rf_item *list, size_t count, mz_rf_item **rest)
{
    if (count == 1) {
        *rest = list->next;
        return list;
    }
    mz_rf_item *one = sort(list, count / 2, &list), *other = sort(list, count - count / 2, rest);
    size_t left = count / 2, right = count - left;
    mz_rf_item *first, **end = &first;
    while (left > 0 || right > 0) {
        bool take_one = right == 0 || (left > 0 && one->unmoved >= other->unmoved);
        mz_rf_item **from = take_one ? &one : &other;
        left -= take_one;
        right -= !take_one;
        *end = *from;
        *from = (*from)->next;
        end = &(*end)->next;
    }
    *end = *rest;
    return first;
}

mz_rf_item *mz_rf_items_take(mz_rf_items *items)
{
    size_t count = 0;
    bool is_sorted = true;
    for (const mz_rf_item *p = items->waiting; p != items->older; p = p->next, count++)
        is_sorted &= p->next == items->older || p->unmoved >= p->next->unmoved;
    if (!is_sorted)
        items->waiting = sort(items->waiting, count, &(mz_rf_item *){NULL});
    mz_rf_item *taken = items->waiting;
    if (taken)
        items->waiting = items->older = taken->next;
    return taken;
}

void mz_rf_items_keep(mz_rf_items *items, mz_steps steps, size_t from)
{
    for (mz_rf_item *p = items->waiting; p && p->most > from; p = p->next) {
        p->most = from;
        if (p->own <= from)
            continue;
        memcpy(p->threads + from, steps.threads + from, (p->own - from) * sizeof *p->threads);
        memcpy(p->stages + from, steps.stages + from, (p->own - from) * sizeof *p->stages);
        p->own = from;
    }
}

void mz_rf_items_forget(mz_rf_items *items)
{
    while (items->waiting) {
        mz_rf_item *p = items->waiting;
        items->waiting = p->next;
        mz_rf_item_recycle(items, p);
    }
    items->older = NULL;
}

void mz_rf_items_release(mz_rf_items *items)
{
    for (mz_rf_item *p; (p = mz_recycling_take_apart(&items->records));) {
        mz_release(p->threads);
        mz_release(p->stages);
        mz_release(p->chosen);
        mz_release(p->choices);
        mz_release(p->bends);
        mz_release(p);
    }
}

/* ---- making one -----------------------------------------------------------------------------------------
 */

void mz_rf_item_make_room(mz_rf_item *p, size_t length)
{
    p->threads = mz_grow(p->threads, &p->thread_capacity, length, sizeof *p->threads);
    p->stages = mz_grow(p->stages, &p->stage_capacity, length, sizeof *p->stages);
}

void mz_rf_item_add_choices(mz_rf_item *p, uint32_t at, const mz_choice *choices, uint32_t count)
{
    p->chosen = mz_grow(p->chosen, &p->chosen_capacity, p->chosen_count + 1, sizeof *p->chosen);
    p->chosen[p->chosen_count++] = (mz_chosen_step){at, count};
    p->choices = mz_grow(p->choices, &p->choice_capacity, p->choice_count + count, sizeof *p->choices);
    memcpy(p->choices + p->choice_count, choices, count * sizeof *choices);
    p->choice_count += count;
}

/* Those of the first events, which are the first steps. */
static void copy_choices(mz_rf_item *p, const mz_execution *x, size_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (x->events[i].choice_count > 0)
            mz_rf_item_add_choices(p, i, x->choices + x->events[i].first_choice, x->events[i].choice_count);
}

/* Stages that have to be lower are the item's own, with all that follows. */
static void lower_stages(mz_rf_item *p, mz_steps steps, mz_stage most)
{
    size_t end = p->own;
    while (p->own > 0 && steps.highest[p->own - 1] > most)
        p->own--;
    for (size_t i = p->own; i < end; i++) {
        p->threads[i] = steps.threads[i];
        p->stages[i] = steps.stages[i] < most ? steps.stages[i] : most;
    }
}

void mz_rf_item_share(mz_rf_item *p, const mz_execution *x, mz_steps steps, size_t count, mz_stage most)
{
    p->length = p->unmoved = p->own = count;
    if (count == 0)
        return;
    if (steps.highest[count - 1] > most)
        lower_stages(p, steps, most);
    if (x->choice_count > x->initial_choices)
        copy_choices(p, x, count);
}

void mz_rf_item_copy_bends(mz_rf_item *p, const mz_bend *bends, uint32_t threads, uint32_t bent_stage)
{
    p->bends = mz_grow(p->bends, &p->bend_capacity, threads, sizeof *p->bends);
    memcpy(p->bends, bends, threads * sizeof *bends);
    p->bent_stage = bent_stage;
}

bool mz_rf_item_turn_choices(mz_rf_item *p)
{
    mz_chosen_step *last = &p->chosen[p->chosen_count - 1];
    p->choice_count -= last->choice_count;
    last->choice_count = (uint32_t)mz_choices_next(p->choices + p->choice_count, last->choice_count);
    p->choice_count += last->choice_count;
    p->news[p->new_count++] = (mz_new_step){last->at, MZ_WHATEVER};
    return last->choice_count > 0;
}

void mz_rf_item_add_rest(mz_rf_item *p, const mz_rf_item *followed, mz_steps steps, size_t from)
{
    const mz_choice *choices = followed->choices + followed->next_choice;
    for (size_t i = followed->next_chosen; i < followed->chosen_count; i++) {
        mz_rf_item_add_choices(p, followed->chosen[i].at, choices, followed->chosen[i].choice_count);
        choices += followed->chosen[i].choice_count;
    }
    for (uint32_t i = 0; i < followed->new_count; i++)
        if (followed->news[i].at >= from)
            p->news[p->new_count++] = followed->news[i];
    p->expects = followed->expects;
    memcpy(p->threads + from, steps.threads + from, (followed->length - from) * sizeof *p->threads);
    memcpy(p->stages + from, steps.stages + from, (followed->length - from) * sizeof *p->stages);
    p->length = followed->length;
}

void mz_rf_item_leave_out(mz_rf_item *p, mz_steps steps, size_t at)
{
    size_t left = --p->length - at;
    memmove(steps.threads + at, steps.threads + at + 1, left * sizeof *steps.threads);
    memmove(steps.stages + at, steps.stages + at + 1, left * sizeof *steps.stages);
    memmove(steps.highest + at, steps.highest + at + 1, left * sizeof *steps.highest);
    for (size_t i = p->next_chosen; i < p->chosen_count; i++)
        p->chosen[i].at--;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->new_count; i++)
        if (p->news[i].at != at) {
            p->news[kept] = p->news[i];
            p->news[kept++].at -= p->news[i].at > at;
        }
    p->new_count = kept;
}

/* ---- following one --------------------------------------------------------------------------------------
 */

/* How many of the first ones are equal? */
static size_t count_equal(const mz_thread_number *a, const mz_thread_number *b, size_t count)
{
    size_t i = 0;
    enum { TOGETHER = sizeof(uint64_t) / sizeof *a };
    for (uint64_t one, other; i + TOGETHER <= count; i += TOGETHER) {
        memcpy(&one, a + i, sizeof one);
        memcpy(&other, b + i, sizeof other);
        if (one != other)
            break;
    }
    while (i < count && a[i] == b[i])
        i++;
    return i;
}

static bool has_choices(const mz_execution *x, const mz_event *event, const mz_choice *choices,
                        uint32_t count)
{
    if (event->choice_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (choices[i].value != x->choices[event->first_choice + i].value)
            return false;
    return true;
}

size_t mz_rf_item_count_shared(mz_rf_item *p, const mz_execution *x, mz_steps steps)
{
    size_t most = x->length < p->length ? x->length : p->length;
    for (uint32_t i = 0; i < p->new_count; i++)
        most = p->news[i].at < most ? p->news[i].at : most;
    size_t shared = p->own < most ? p->own : most;
    shared += count_equal(p->threads + shared, steps.threads + shared, most - shared);
    p->next_chosen = p->next_choice = 0;
    while (p->next_chosen < p->chosen_count && p->chosen[p->next_chosen].at < shared) {
        mz_chosen_step step = p->chosen[p->next_chosen];
        if (!has_choices(x, &x->events[step.at], p->choices + p->next_choice, step.choice_count))
            return step.at;
        p->next_chosen++;
        p->next_choice += step.choice_count;
    }
    return shared;
}

void mz_rf_item_write(const mz_rf_item *p, mz_steps steps)
{
    mz_stage highest = p->own > 0 ? steps.highest[p->own - 1] : 0;
    for (size_t i = p->own; i < p->length; i++) {
        highest = p->stages[i] > highest ? p->stages[i] : highest;
        steps.threads[i] = p->threads[i];
        steps.stages[i] = p->stages[i];
        steps.highest[i] = highest;
    }
}

size_t mz_rf_item_end_of_script(const mz_rf_item *p)
{
    size_t end = p->chosen_count > p->next_chosen ? p->chosen[p->next_chosen].at : p->length;
    for (uint32_t i = 0; p->expects && i < p->new_count; i++)
        end = p->news[i].at + 1 < end ? p->news[i].at + 1 : end;
    return end;
}

uint32_t mz_rf_item_next_choices(mz_rf_item *p, size_t at, const mz_choice **choices)
{
    if (p->next_chosen == p->chosen_count || p->chosen[p->next_chosen].at != at)
        return 0;
    uint32_t count = p->chosen[p->next_chosen++].choice_count;
    *choices = p->choices + p->next_choice;
    p->next_choice += count;
    return count;
}

/* ---- items of the frontier ------------------------------------------------------------------------------
 */

mz_rf_item *mz_rf_items_take_last(mz_rf_items *items)
{
    mz_rf_item **last = &items->waiting;
    if (!*last)
        return NULL;
    while ((*last)->next)
        last = &(*last)->next;
    mz_rf_item *taken = *last;
    *last = NULL;
    if (items->older == taken)
        items->older = NULL;
    return taken;
}

void mz_rf_items_forget_new(mz_rf_items *items)
{
    while (items->waiting != items->older) {
        mz_rf_item *p = items->waiting;
        items->waiting = p->next;
        mz_rf_item_recycle(items, p);
    }
}

static void export_payload(const mz_rf_item *p, mz_steps steps, size_t shared, uint32_t threads,
                           mz_bytes *out)
{
    for (size_t i = 0; i < p->length; i++)
        mz_bytes_add_number(out, i < shared ? steps.stages[i] : p->stages[i]);
    mz_bytes_add_number(out, p->new_count);
    for (uint32_t i = 0; i < p->new_count; i++) {
        mz_bytes_add_number(out, p->news[i].at);
        mz_bytes_add_number(out, p->news[i].expected);
    }
    mz_bytes_add_number(out, p->stage);
    mz_bytes_add_number(out, p->pivot);
    mz_bytes_add_number(out, p->bent_stage);
    for (uint32_t t = 0; t < threads; t++) {
        mz_bytes_add_number(out, p->bends[t].index);
        mz_bytes_add_number(out, p->bends[t].stage);
    }
}

void mz_rf_item_export(const mz_rf_item *p, mz_steps steps, bool is_followed, uint32_t threads,
                       mz_work_item *out)
{
    size_t shared = is_followed ? p->length : p->own, chosen = 0, choice = 0;
    for (size_t i = 0; i < p->length; i++) {
        bool has_choices = chosen < p->chosen_count && p->chosen[chosen].at == i;
        uint32_t count = has_choices ? p->chosen[chosen].choice_count : 0;
        mz_schedule_add(&out->prefix, i < shared ? steps.threads[i] : p->threads[i], p->choices + choice,
                        count);
        chosen += has_choices;
        choice += count;
    }
    export_payload(p, steps, shared, threads, &out->payload);
}

static void import_payload(mz_rf_item *p, mz_byte_reader *r, uint32_t threads)
{
    for (size_t i = 0; i < p->length; i++)
        p->stages[i] = (mz_stage)mz_read_number_to(r, UINT32_MAX);
    p->new_count = (uint32_t)mz_read_number_to(r, MZ_MOST_NEW_STEPS);
    for (uint32_t i = 0; i < p->new_count; i++) {
        p->news[i].at = (uint32_t)mz_read_number_to(r, p->length - 1);
        p->news[i].expected = (mz_expectation)mz_read_number_to(r, MZ_MUST_READ);
        p->expects |= p->news[i].expected != MZ_WHATEVER;
    }
    p->stage = (uint32_t)mz_read_number_to(r, UINT32_MAX / 4 - 1);
    p->pivot = (uint32_t)mz_read_number_to(r, p->length);
    p->bent_stage = (uint32_t)mz_read_number_to(r, UINT32_MAX / 4 - 1);
    p->bends = mz_grow(p->bends, &p->bend_capacity, threads, sizeof *p->bends);
    for (uint32_t t = 0; t < threads; t++) {
        p->bends[t].index = (uint32_t)mz_read_number_to(r, UINT32_MAX);
        p->bends[t].stage = (uint32_t)mz_read_number_to(r, UINT32_MAX / 4 - 1);
    }
}

mz_rf_item *mz_rf_item_import(mz_rf_items *items, const mz_work_item *from, uint32_t threads)
{
    const mz_schedule *steps = &from->prefix;
    mz_byte_reader r = {.data = from->payload.data, .length = from->payload.length};
    mz_rf_item *p = mz_rf_item_new(items);
    mz_rf_item_make_room(p, steps->length);
    for (size_t i = 0; i < steps->length; i++) {
        size_t count;
        const mz_choice *choices = mz_schedule_choices(steps, i, &count);
        if (count > 0)
            mz_rf_item_add_choices(p, (uint32_t)i, choices, (uint32_t)count);
        r.failed |= steps->threads[i] >= threads;
        p->threads[i] = (mz_thread_number)steps->threads[i];
    }
    p->length = steps->length;
    p->own = p->unmoved = p->next_chosen = p->next_choice = 0;
    import_payload(p, &r, threads);
    if (!r.failed)
        return p;
    mz_rf_item_recycle(items, p);
    return NULL;
}
