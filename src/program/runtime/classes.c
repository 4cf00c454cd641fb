#include "program/runtime/classes.h"

#include "base/memory.h"
#include "program/code/after_call.h"

/* Calls that were looked at, by where they return to: an open table, half of it empty. */
typedef struct call {
    uintptr_t returns_to;
    bool is_unused;
} call;

static call *calls;
static size_t call_count, call_capacity;

static call *find(uintptr_t returns_to)
{
    size_t at = (size_t)(returns_to * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (call_capacity - 1);
    while (calls[at].returns_to && calls[at].returns_to != returns_to)
        at = (at + 1) & (call_capacity - 1);
    return &calls[at];
}

static void make_room(void)
{
    call *old = calls;
    size_t old_capacity = call_capacity;
    call_capacity = old_capacity > 0 ? 2 * old_capacity : 64;
    calls = mz_allocate_zeroed(call_capacity, sizeof *calls);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].returns_to)
            *find(old[i].returns_to) = old[i];
    mz_release(old);
}

bool mz__result_is_unused(void)
{
    if (2 * call_count >= call_capacity)
        make_room();
    call *c = find(mz__caller.pc);
    if (!c->returns_to) {
        *c = (call){mz__caller.pc, mz__result_is_replaced(mz__caller.pc)};
        call_count++;
    }
    return c->is_unused;
}
