/* Plans for programs with inputs: which plan (plan.h) applies is decided by the values of the inputs.
 *
 * An input is a number from a declared range that comes from outside (mz_input_int of mazurka.h; mz_choose
 * and
 * __VERIFIER_nondet_… are inputs without a name of their own: 'choose1' is the first that main asks for,
 * 'choose1.2' the first that thread 2 does). So it has the same name whenever it is read, before or after
 * what other threads read at the same time. A *symbolic plan* has a plan for every valuation of the inputs:
 * the symbolic trace of definition 1 of the document, whose edges carry guards. Equal plans are one, and
 * which valuation has which is said by a tree of guards: comparisons of an input with a constant or with
 * another input.
 *
 * STAGES. The program begins without knowing its plan. Inputs are read as it goes on, by whichever thread; in
 * every plan it is known how many of its first events have happened when one is read (its *rank* there; 0:
 * before any). Whenever one is read, as many guards are evaluated as possible. Where the decision stands (at
 * a guard g), the plans below g are those that are still possible. They have a number of first events in
 * *common*: the same events, in the same order, with the same waits. Until more is known,
 *
 *   - these are the prefix: an event among them waits for its waits;
 *   - every other event of a plan that asks for anything (its prefix is not empty) waits until more is known:
 *     a thread *stops* before the first of its own. (Unless none of these plans has a longer prefix: then
 *     nothing has to be known.) What is an event in a plan that asks for nothing, and in no other, is no
 * stop, and nothing else either: the thread goes on to its stop.
 *
 * Why that is right. The plans come from a strategy (safe/verify/strategy.h): if two valuations agree on what
 * is read up to some event, so do their traces up to there. Let v be the valuation that the inputs will have
 * had in the end; its plan is below g, since guards are evaluated with its values. What has happened is a
 * part of the common events of all plans below g, closed under happens-before, hence a part of v's trace, as
 * in (1) of safe/plan/extract.c; and any number of first events from d on is a safe prefix as well. So
 * nothing happens that is no beginning of a verified execution with valuation v, and when the decision comes
 * to v's plan, the rules of plan.h go on from there. (That some threads know less than others for a while
 * does not matter: they wait.) Guards ask for inputs only whose ranks, in all plans below them, are at most
 * the number of common events: these are read when the common events have happened, which wait for nothing
 * else. So somebody can always go on. Where two plans differ, such an input has told them apart.
 *
 * Constraint sets (plan.h) have no first events, and nothing in common with anything. An input before the
 * first event may still be read when other threads are at work: by a thread that has only just begun. As long
 * as a set C is possible, no thread has passed its stop, hence none an operation that C names. So if C is
 * what is decided, of each of its edges f → e neither end has happened, f will be published, since its thread
 * looks at the decision before it does it, and e will wait for it: the execution keeps to C from its
 * beginning (safe/plan/constrained.c). If a plan with a prefix is decided, nothing of it has happened, as
 * above. If one that asks for nothing is, all executions with these inputs are verified.
 *
 * THE FILE is that of plan.h with these lines before the first plan
 *
 *   input NAME LOW HIGH      input 0, 1, …: letters, digits, '_', '.', '-', the first no digit and no '-'
 *   guard LEFT OPERATOR RIGHT HOLDS FAILS
 *                            guard 0, 1, …: LEFT is an input, OPERATOR ==, < or <=, RIGHT an input or a
 *                            number; HOLDS and FAILS are plan:N or guard:N, a later one. It begins with guard
 *                            0.
 *
 * and, if there is more than one plan, 'plan N' before the threads, the prefix and the events of each. After
 * its threads, a plan says which inputs are read when:
 *
 *   reads NAME RANK | FILE:LINE
 *
 * THE IMAGE: a block with this header, the inputs, their names, the guards, what goes for each of them, and
 * the images of the plans. While a program runs under a plan that nothing decides, a constraint set may be
 * added, to be used instead from then on. */
#ifndef MZ_WIRE_SYMBOLIC_FORMAT_H
#define MZ_WIRE_SYMBOLIC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/nondet.h"
#include "wire/premise.h"

#define MZ_SYMBOLIC_IMAGE_MAGIC UINT64_C(0x356d79737a61616d) /* "maazsym5" */
#define MZ_QUARANTINE           (UINT64_C(16) << 20)         /* bytes, if nothing else is said */
#define MZ_MOST_INPUTS          64
#define MZ_MOST_PLANS           1024
#define MZ_MOST_GUARDS          4096
#define MZ_MOST_INPUT_NAME      60 /* characters */

/* In the environment, for inputs that are not given otherwise: "random N", drawn from a generator that begins
 * with N; "all N", the N-th valuation. */
#define MZ_INPUTS_ENVIRONMENT "MAZURKA_INPUTS"

/* The values of a range, counted from 0: the number of the last one. (How many there are may be one more than
 * a number can say.) */
static inline uint64_t mz_range_last(int64_t low, int64_t high)
{
    return (uint64_t)high - (uint64_t)low;
}

/* The number of a valuation is taken apart, with as many digits as there are inputs: that of one with this
 * range, and what is left for the others. */
static inline uint64_t mz_range_digit(int64_t low, int64_t high, uint64_t *number)
{
    uint64_t values = mz_range_last(low, high) + 1; /* 0: there is one for every number */
    uint64_t digit = values ? *number % values : *number;
    *number = values ? *number / values : 0;
    return digit;
}

typedef enum mz_guard_operator {
    MZ_GUARD_EQUAL,
    MZ_GUARD_LESS,
    MZ_GUARD_AT_MOST,
    MZ_GUARD_OPERATOR_COUNT
} mz_guard_operator;

#define MZ_GUARD_CONSTANT UINT32_MAX          /* instead of the input on the right */
#define MZ_GUARD_PLAN     (UINT32_C(1) << 31) /* what follows is the plan with the number in the other bits */

typedef struct mz_guard {
    uint32_t comparison; /* mz_guard_operator */
    uint32_t left, right;
    uint32_t holds, fails; /* MZ_GUARD_PLAN | plan, or a later guard */
    int64_t constant;
} mz_guard;

static inline bool mz_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool mz_is_input_name(const char *name, uint64_t length)
{
    if (length == 0 || length > MZ_MOST_INPUT_NAME || !mz_is_letter(name[0]))
        return false;
    for (uint64_t i = 1; i < length; i++)
        if (!mz_is_letter(name[i]) && !(name[i] >= '0' && name[i] <= '9') && name[i] != '.' && name[i] != '-')
            return false;
    return true;
}

/* The values that are known so far, by input. */
typedef struct mz_valuation {
    uint64_t known; /* 1 << input */
    int64_t values[MZ_MOST_INPUTS];
} mz_valuation;

static inline bool mz_guard_is_known(const mz_guard *guard, const mz_valuation *v)
{
    return (v->known >> guard->left & 1) &&
           (guard->right == MZ_GUARD_CONSTANT || (v->known >> guard->right & 1));
}

static inline bool mz_guard_holds(const mz_guard *guard, const mz_valuation *v)
{
    int64_t left = v->values[guard->left],
            right = guard->right == MZ_GUARD_CONSTANT ? guard->constant : v->values[guard->right];
    return guard->comparison == MZ_GUARD_EQUAL  ? left == right
           : guard->comparison == MZ_GUARD_LESS ? left < right
                                                : left <= right;
}

/* From where the decision stands (guard 0 at first) as far as the values decide it: MZ_GUARD_PLAN | plan, or
 * the guard that has to wait for an input. */
static inline uint32_t mz_guard_decide(const mz_guard *guards, uint32_t at, const mz_valuation *v)
{
    while (!(at & MZ_GUARD_PLAN) && mz_guard_is_known(&guards[at], v))
        at = mz_guard_holds(&guards[at], v) ? guards[at].holds : guards[at].fails;
    return at;
}

typedef struct mz_symbolic_input {
    uint64_t name; /* offset of the text, which ends with a zero byte */
    int64_t low, high;
} mz_symbolic_input;

/* Where the decision stands at a guard. */
typedef struct mz_stage {
    uint32_t common; /* so many first events are the same in all plans below it */
    uint32_t plan;   /* one of the plans below it */
    /* [thread_count], offset of the array: the least count of an event of the thread, in any of these plans
     * that constrain anything, that is not among them; 0: there is none. */
    uint64_t stops;
} mz_stage;

typedef struct mz_symbolic_image {
    uint64_t magic;
    uint32_t input_count, guard_count, plan_count;
    uint32_t thread_count; /* of the plan that has most */
    int64_t nondet_low, nondet_high;
    uint64_t inputs, guards; /* offsets of the arrays */
    uint64_t premises;       /* offset of the array of mz_premise: those that are to be compared */
    uint64_t lines;          /* offset of the array of keys: wire/site.h; 0: all count */
    uint64_t seen;           /* offset of the array of mz_seen_thread */
    uint32_t line_count;
    uint32_t seen_count; /* 0: they are not known */
    uint64_t quarantine; /* so many bytes of freed memory are kept from being used again */
    uint32_t premise_count;
    uint32_t compares_arguments; /* with the premises of this kind, which may be none */
    uint64_t stages;             /* offset of the array of mz_stage, one for each guard */
    uint64_t plans;    /* offset of an array of offsets of mz_plan_images, and of the set as the last */
    uint64_t bytes;    /* of all, without the set */
    uint64_t set_room; /* behind all else, for a constraint set; 0: there will be none */
    uint32_t has_set;  /* it is there: atomic, becomes 1 */
} mz_symbolic_image;

#endif
