#include "machine/identity.h"

static mz_hash hash_choices(mz_hash h, const mz_choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        h = mz_hash_add(h, (uint64_t)choices[i].value);
    return h;
}

mz_hash mz_identity_of_nothing(const mz_execution *x)
{
    return hash_choices(mz_hash_start(x->initial_choices), x->choices, x->initial_choices);
}

mz_hash mz_identity_with(mz_hash trace, const mz_execution *x, uint32_t position)
{
    const mz_event *event = &x->events[position];
    const uint32_t *clock = mz_clock(x, position);
    mz_hash h = mz_hash_start(((uint64_t)event->thread << 32) | event->index);
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (clock[t] > 0) /* there is room for many more threads than there are */
            h = mz_hash_add(h, ((uint64_t)t << 32) | clock[t]);
    h = hash_choices(h, x->choices + event->first_choice, event->choice_count);
    return mz_hash_combine(trace, h);
}

mz_hash mz_identity(const mz_execution *x)
{
    mz_hash trace = mz_identity_of_nothing(x);
    for (uint32_t position = 0; position < x->length; position++)
        trace = mz_identity_with(trace, x, position);
    return trace;
}

/* Digits without a format: most of what the oracle does is to write these. */
static void write_number(uint32_t number, mz_text *out)
{
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    mz_text_add_bytes(out, digits + at, sizeof digits - at);
}

static void write_accesses(const mz_execution *x, const mz_event *event, mz_text *out)
{
    /* In the order of locations, so that the text is canonical whatever order a statement has. */
    uint32_t last = 0;
    bool first = true;
    for (uint32_t written = 0; written < event->access_count; written++) {
        const mz_access *next = NULL;
        for (uint32_t i = 0; i < event->access_count; i++) {
            const mz_access *a = &x->records[event->first_access + i].access;
            if ((first || a->location > last) && (!next || a->location < next->location))
                next = a;
        }
        mz_text_add_bytes(out, " r", next->kind & MZ_READ ? 2 : 1);
        mz_text_add_bytes(out, "w", next->kind & MZ_WRITE ? 1 : 0);
        write_number(next->location, out);
        last = next->location;
        first = false;
    }
}

void mz_identity_write(const mz_execution *x, mz_text *out)
{
    for (size_t i = 0; i < x->initial_choices; i++)
        mz_text_add(out, "!%lld ", (long long)x->choices[i].value);
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++) {
        write_number(thread, out);
        mz_text_add_bytes(out, ":", 1);
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            uint32_t position = mz_position_of(x, thread, index);
            const mz_event *event = &x->events[position];
            for (uint32_t t = 0; t < x->thread_capacity; t++) {
                mz_text_add_bytes(out, t ? "," : " (", t ? 1 : 2);
                write_number(mz_clock(x, position)[t], out);
            }
            write_accesses(x, event, out);
            for (uint32_t i = 0; i < event->choice_count; i++)
                mz_text_add(out, " !%lld", (long long)x->choices[event->first_choice + i].value);
            mz_text_add_bytes(out, ")", 1);
        }
        mz_text_add_bytes(out, "\n", 1);
    }
}
