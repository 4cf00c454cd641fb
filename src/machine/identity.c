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
        mz_text_add(out, " %s%s%u", next->kind & MZ_READ ? "r" : "", next->kind & MZ_WRITE ? "w" : "",
                    next->location);
        last = next->location;
        first = false;
    }
}

void mz_identity_write(const mz_execution *x, mz_text *out)
{
    for (size_t i = 0; i < x->initial_choices; i++)
        mz_text_add(out, "!%lld ", (long long)x->choices[i].value);
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++) {
        mz_text_add(out, "%u:", thread);
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            uint32_t position = mz_position_of(x, thread, index);
            const mz_event *event = &x->events[position];
            mz_text_add(out, " (");
            for (uint32_t t = 0; t < x->thread_capacity; t++)
                mz_text_add(out, "%s%u", t ? "," : "", mz_clock(x, position)[t]);
            write_accesses(x, event, out);
            for (uint32_t i = 0; i < event->choice_count; i++)
                mz_text_add(out, " !%lld", (long long)x->choices[event->first_choice + i].value);
            mz_text_add(out, ")");
        }
        mz_text_add(out, "\n");
    }
}
