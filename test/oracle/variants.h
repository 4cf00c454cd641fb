/* Ways to run an algorithm, each compared with the reference. */
#ifndef MZ_ORACLE_VARIANTS_H
#define MZ_ORACLE_VARIANTS_H

#include "algo/algorithm.h"
#include "oracle/reference.h"

/* One way to run an algorithm. */
typedef struct variant {
    const mz_algorithm *algorithm;
    bool stateful, sleep_sets, object_dependency, visited_calls, all_sections;
    bool bounded, delayed; /* the reference is that of so many preemptions, or delays: */
    uint32_t budget;
} variant;

typedef struct variant_tally {
    uint64_t blocked; /* executions */
    uint64_t finer;   /* searches for traces instead of observations */
} variant_tally;

/* Every algorithm as it is, and some with options. */
size_t variant_count(void);
variant variant_at(size_t i);
const char *variant_options(const variant *way);
/* `model`: the machine itself, or the one without the constraints. Was there anything to compare? */
bool variant_try(const variant *way, mz_machine *machine, const mz_machine *model,
                 const reference_result *reference, variant_tally *tally, mz_text *problem);
/* How many of the strings are not in the other set. */
size_t variant_missing(const string_set *from, const string_set *in);

#endif
