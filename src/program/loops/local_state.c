/* The local state of a thread at an operation: where it is, its registers, its stack, what it holds. Is it
 * where it was before? Of a visit that lies back, the stack is looked at in the copy that the trail keeps. */
#include "program/loops/local_state.h"
#include "base/hash.h"
#include "program/world/world.h"

/* Four chains that do not wait for each other. Each step is a bijection of the chain for a given word and of
 * the word for a given chain, and not linear: states that differ in one word never collide, others by chance
 * (2^-64). */
typedef struct local_hash {
    uint64_t lanes[4];
} local_hash;

static inline void add_word(local_hash *h, size_t lane, uint64_t word)
{
    uint64_t x = (h->lanes[lane] ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    h->lanes[lane] = x ^ (x >> 32);
}

/* Some words of it are variables that others touch. They are no local state: when those write to them says
 * nothing of the order of events, and what the thread reads of them is noted as what it reads elsewhere. */
static __attribute__((noinline)) uint64_t hash_without_foreign(uint32_t thread, uintptr_t word, uintptr_t top,
                                                               uintptr_t copy)
{
    local_hash h = {{word}};
    for (; word < top; word += sizeof(uint64_t))
        add_word(&h, 0, mz__is_foreign_word(thread, word) ? 0 : *(const uint64_t *)(word + copy));
    return mz_mix64(h.lanes[0]) | 1;
}

/* Of the stack from `begin` on, whose words stand so far from home. */
static uint64_t hash_of_stack(const mz__thread *t, uintptr_t begin, uintptr_t end, uintptr_t copy)
{
    if (MZ_UNLIKELY(mz__w.foreign_words[t->number]))
        return hash_without_foreign(t->number, begin, end, copy);
    local_hash h = {
        {begin, UINT64_C(0xa0761d6478bd642f), UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93)}};
    const uint64_t *word = (const uint64_t *)(begin + copy), *top = (const uint64_t *)(end + copy);
    for (; top - word >= 4; word += 4)
        for (size_t lane = 0; lane < 4; lane++)
            add_word(&h, lane, word[lane]);
    for (; word < top; word++)
        add_word(&h, 0, *word);
    uint64_t all = 0;
    for (size_t lane = 0; lane < 4; lane++)
        all = mz_mix64(all ^ h.lanes[lane]) + lane;
    return all | 1;
}

static inline uintptr_t stack_now(void)
{
    return mz__caller.sp & ~(uintptr_t)7;
}

/* Of a deep stack only the lower part is looked at: what lies above stays as it is until the thread returns
 * to it, which its hooks notice. */
uint64_t mz__hash_of_lower_stack(mz__thread *t)
{
    uintptr_t begin = stack_now(), top = begin + mz__window();
    t->hashed_to = top < t->stack_top ? top : UINTPTR_MAX;
    return hash_of_stack(t, begin, top < t->stack_top ? top : t->stack_top, 0);
}

/* The stack is as in the copy that stands so far from home. */
static bool is_same_stack(const mz__thread *t, uintptr_t copy)
{
    uintptr_t begin = stack_now();
    if (memcmp((const void *)(begin + copy), (const void *)begin, t->stack_top - begin) == 0)
        return true;
    if (!mz__w.foreign_words[t->number])
        return false;
    for (uintptr_t word = begin; word < t->stack_top; word += sizeof(uint64_t))
        if (*(const uint64_t *)(word + copy) != *(const uint64_t *)word &&
            !mz__is_foreign_word(t->number, word))
            return false;
    return true;
}

/* At the same place, with the same registers and the same stack as now. */
bool mz__is_same_state(const mz__thread *t, const mz__visit *then, const mz__visit *now)
{
    if (then->registers.pc != now->registers.pc || then->registers.sp != now->registers.sp ||
        then->held != now->held || then->errno_value != now->errno_value || then->address != now->address ||
        then->kind != now->kind || then->condition != now->condition || then->deep != now->deep ||
        memcmp(&then->registers, &now->registers, sizeof now->registers) != 0)
        return false;
    return now->deep || (then->copy && is_same_stack(t, then->copy));
}

uint64_t mz__hash_of_state(const mz__thread *t, const mz__visit *visit, uintptr_t copy)
{
    /* Of what it has elsewhere: what it could ask for without a trace. */
    mz__control control = !mz__w.control_used ? (mz__control){0}
                          : mz__w.current     ? mz__control_now()
                                              : t->cold.control;
    uint64_t elsewhere =
        mz_mix64(mz_mix64((uint64_t)control.vectors << 32 | control.others) << 1 | t->cold.uncancellable);
    uint64_t hash = elsewhere ^ visit->held ^ visit->deep ^
                    mz_mix64(visit->address + visit->kind + ((uint64_t)visit->condition << 56)) ^
                    mz_mix64((uint32_t)visit->errno_value) ^ mz_mix64(visit->registers.pc);
    for (size_t i = 0; i < sizeof visit->registers.preserved / sizeof *visit->registers.preserved; i++)
        hash = mz_mix64(hash + visit->registers.preserved[i]);
    if (!visit->deep)
        hash += hash_of_stack(t, visit->registers.sp & ~(uintptr_t)7, t->stack_top, copy);
    return mz_mix64(hash ^ visit->registers.sp) | 1;
}

void mz__note_whole_state(const mz__thread *t, mz__visit *visit)
{
    visit->errno_value = *mz__w.errno_now;
    visit->registers = mz__caller;
    visit->deep = hash_of_stack(t, stack_now(), t->stack_top, 0);
}
