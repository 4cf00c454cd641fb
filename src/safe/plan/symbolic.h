/* Plans for programs with inputs, in memory: see wire/symbolic_format.h. A program without inputs has a
 * symbolic plan with one plan and no guards. This is what files and images hold. */
#ifndef MZ_SAFE_PLAN_SYMBOLIC_H
#define MZ_SAFE_PLAN_SYMBOLIC_H

#include "base/lines.h"
#include "safe/plan/plan.h"
#include "wire/premise.h"
#include "wire/symbolic_format.h"

typedef struct mz_plan_input {
    const char *name;
    int64_t low, high;
} mz_plan_input;

/* wire/premise.h; the name is "-" if there is none. */
typedef struct mz_plan_premise {
    mz_premise_kind kind;
    const char *name;
    uint64_t size, hash;
} mz_plan_premise;

typedef struct mz_symbolic_plan {
    /* Plain accesses have names only at these lines (wire/site.h): keys, in order. */
    bool names_racing_lines;
    const uint32_t *lines; /* of the arena, or of whoever has made the plan */
    size_t line_count;
    /* The first one has what was verified (its lines, traces, share, bug); all have the same hash and count
     * the same. */
    mz_plan *plans;
    size_t plan_count, plan_capacity;
    mz_plan_input *inputs;
    size_t input_count, input_capacity;
    mz_guard *guards;
    size_t guard_count, guard_capacity;
    int64_t nondet_low, nondet_high; /* the range of __VERIFIER_nondet_… */
    mz_plan_premise *premises;       /* beside the arguments */
    size_t premise_count, premise_capacity;
    mz_seen_thread *seen;
    size_t seen_count, seen_capacity;
    uint32_t waived;     /* 1 << mz_premise_kind: these are not compared */
    uint64_t quarantine; /* bytes of freed memory that are kept when the program runs */
    bool says_premises;  /* older plans do not */
    mz_arena strings;
} mz_symbolic_plan;

void mz_symbolic_init(mz_symbolic_plan *symbolic);
void mz_symbolic_release(mz_symbolic_plan *symbolic);
/* A new one, at the end. */
mz_plan *mz_symbolic_add_plan(mz_symbolic_plan *symbolic);
void mz_symbolic_add_input(mz_symbolic_plan *symbolic, const char *name, int64_t low, int64_t high);
void mz_symbolic_add_premise(mz_symbolic_plan *symbolic, mz_premise_kind kind, const char *name,
                             uint64_t size, uint64_t hash);
void mz_symbolic_add_seen(mz_symbolic_plan *symbolic, mz_seen_thread thread);
/* Those of another plan instead of its own. */
void mz_symbolic_take_premises(mz_symbolic_plan *symbolic, const mz_symbolic_plan *from);
/* Is anything there that is to be compared, but was not written down? */
bool mz_symbolic_lacks_premises(const mz_symbolic_plan *symbolic);
/* "environment", and "environment variables". */
const char *mz_premise_name(mz_premise_kind kind);
const char *mz_premise_words(mz_premise_kind kind);
void mz_symbolic_add_guard(mz_symbolic_plan *symbolic, mz_guard guard);
/* Its number; input_count if there is none of that name. */
size_t mz_symbolic_find_input(const mz_symbolic_plan *symbolic, const char *name);

/* Waits of all plans together: in their prefixes, in all their events. */
size_t mz_symbolic_constraints(const mz_symbolic_plan *symbolic);
size_t mz_symbolic_constraints_at_first(const mz_symbolic_plan *symbolic);
/* The longest prefix, and the length of that plan's trace. */
uint32_t mz_symbolic_prefix(const mz_symbolic_plan *symbolic, uint32_t *length);

/* How many of their first events all plans have in common that can be reached from a guard (or a plan:
 * MZ_GUARD_PLAN); these are marked in below[plan_count]. */
uint32_t mz_symbolic_common(const mz_symbolic_plan *symbolic, uint32_t at, bool *below);

/* Prefixes have become shorter since the guards were learned (settle.c). So many events are kept as happen
 * before the inputs are read that guards ask for. */
void mz_symbolic_keep_reads(mz_symbolic_plan *symbolic);
/* Guards that no longer decide anything are left out; plans may get other numbers by that. */
void mz_symbolic_settle(mz_symbolic_plan *symbolic);

/* "x == y and n <= 3": when this plan applies; "" if always (conditions.c). */
void mz_symbolic_condition(const mz_symbolic_plan *symbolic, size_t plan, mz_text *out);
/* When it is decided so from one guard on, to another one or a plan (MZ_GUARD_PLAN). */
void mz_symbolic_condition_between(const mz_symbolic_plan *symbolic, uint32_t from, uint32_t target,
                                   mz_text *out);
/* The guard is decided when so many of the first events, which all plans below it have in common, have
 * happened at the latest: then its inputs are read. */
uint32_t mz_symbolic_decided_at(const mz_symbolic_plan *symbolic, uint32_t guard);

/* ---- files (plan_write.c, plan_read.c) ------------------------------------------------------------------
 */

void mz_symbolic_text(const mz_symbolic_plan *symbolic, mz_text *out);
/* For people: what it holds for, what is not compared, and what was waived; a line for each that there is
 * something to say of. `before` stands before each. */
void mz_symbolic_describe_premises(const mz_symbolic_plan *symbolic, const char *before, mz_text *out);
/* The same, but only what is not compared because it cannot be. */
void mz_symbolic_describe_uncompared(const mz_symbolic_plan *symbolic, const char *before, mz_text *out);
/* Lines 'racing', which recordings have, too; of one of them what follows that word (lines.c). */
void mz_symbolic_lines_text(const mz_symbolic_plan *symbolic, mz_text *out);
void mz_symbolic_add_lines(mz_symbolic_plan *symbolic, mz_lines *lines, char *text);
/* The lines about premises (premises.c). */
void mz_symbolic_premises_text(const mz_symbolic_plan *symbolic, mz_text *out);
/* Whoever reads the file meanwhile sees the old one or the new one, never a part. */
bool mz_symbolic_save(const mz_symbolic_plan *symbolic, const char *path, mz_error *error);
/* False and *error set, with the position in the file, if it is not such a file. */
bool mz_symbolic_parse(mz_symbolic_plan *symbolic, const char *name, const char *text, size_t length,
                       mz_error *error);
bool mz_symbolic_load(mz_symbolic_plan *symbolic, const char *path, mz_error *error);

/* ---- the image (symbolic_image.c) -----------------------------------------------------------------------
 */

/* How to find a variable of the program that is to run: "lock+8" to an offset in its image, or
 * MZ_PLAN_NO_PLACE. */
typedef uint64_t (*mz_place_finder)(const void *context, const char *place);

size_t mz_symbolic_image_bytes(const mz_symbolic_plan *symbolic);
/* Into so many zeroed bytes. Flags: those of wire/plan_format.h that the plans do not say themselves. */
void mz_symbolic_image_fill(const mz_symbolic_plan *symbolic, uint32_t flags, mz_place_finder find,
                            const void *context, void *memory);
/* How many bytes more are needed if a constraint set is to be added later; 0: that cannot be. */
size_t mz_symbolic_set_room(const mz_symbolic_plan *symbolic);
/* There is such room behind the image. */
void mz_symbolic_image_reserve(void *memory, size_t room);
/* The program that runs under the plan may use the set instead, which was made from it. */
void mz_symbolic_image_add_set(const mz_symbolic_plan *set, uint32_t flags, mz_place_finder find,
                               const void *context, void *memory);
/* The image of one of the plans in it. */
mz_plan_image *mz_symbolic_image_plan(void *memory, size_t plan);

#endif
