#include "program/runtime/classes.h"

#include "base/memory.h"
#include "program/code/after_call.h"
#include "program/symbols/symbols.h"

/* Calls that were looked at, by where they return to: an open table, half of it empty. */
typedef struct call {
    uintptr_t returns_to;
    mz__result_use use;
    mz_frame_rule rule; /* of the function that returns the number */
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

static const call *look_at(uintptr_t returns_to)
{
    if (2 * call_count >= call_capacity)
        make_room();
    call *c = find(returns_to);
    if (!c->returns_to) {
        *c = (call){.returns_to = returns_to, .use = mz__use_of_result(returns_to)};
        if (c->use == MZ__RESULT_RETURNED && mz__w.symbols)
            c->rule = mz_symbols_frame_rule(mz__w.symbols, returns_to);
        call_count++;
    }
    return c;
}

/* Up to the function that drops the number: operators of std::atomic are functions, some within others. */
bool mz__result_is_unused(void)
{
    enum { MOST_FUNCTIONS = 4, RETURN_ADDRESS = -8 };
    uintptr_t sp = mz__caller.sp, fp = mz__caller.preserved[MZ__FRAME_POINTER];
    const call *c = look_at(mz__caller.pc);
    for (int i = 0; i < MOST_FUNCTIONS && c->use == MZ__RESULT_RETURNED && c->rule.is_known; i++) {
        uintptr_t cfa = (c->rule.from_fp ? fp : sp) + (uintptr_t)(intptr_t)c->rule.cfa;
        if (cfa <= sp || cfa - sp > 1 << 20 || cfa % sizeof(uintptr_t) != 0)
            return false;
        fp = c->rule.keeps_fp ? fp : *(const uintptr_t *)(cfa + (uintptr_t)(intptr_t)c->rule.fp);
        sp = cfa;
        c = look_at(*(const uintptr_t *)(cfa + (uintptr_t)(intptr_t)RETURN_ADDRESS));
    }
    return c->use == MZ__RESULT_DROPPED;
}
