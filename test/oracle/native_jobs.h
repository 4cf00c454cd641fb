/* What the oracle finds out about one real program. */
#ifndef TEST_ORACLE_NATIVE_JOBS_H
#define TEST_ORACLE_NATIVE_JOBS_H

#include "base/text.h"
#include "machine/relation.h"
#include "oracle/parts.h"
#include "oracle/plans.h"
#include "oracle/string_set.h"
#include "oracle/twin_reference.h"

enum { AGREE, DISAGREE, TOO_LARGE };

/* What is to be found out about a program. COMPARE: do all algorithms visit what they should? BRUTE: the
 * errors that all interleavings have if every operation and every plain access to what anybody may share is
 * an event, whoever touches it. ORDER: is the order that race detection relies upon carried by events?
 * OUTCOMES: what the threads have found out, in all executions. TWINS: are there
 * the traces that a program has by definition? */
typedef enum job { COMPARE, BRUTE, ORDER, OUTCOMES, TWINS } job;

typedef struct task {
    const char *library;
    char *argument;
    uint32_t checks;
    bool spurious;
    uint32_t reuses; /* of freed memory, at most */
    job job;
    mz_relation relation;    /* of COMPARE: its refinements; of ORDER and OUTCOMES: sections, if among them */
    const string_set *brute; /* of COMPARE: the errors to be found; NULL: not known */
    const twin_result *twin; /* of TWINS */
} task;

/* In memory that all processes see; they run one after the other. */
extern struct oracle_shared {
    set_tally sets;
    strategy_tally strategies;
    parts_tally parts;
    uint64_t classes;        /* of the program at hand, by brute force; 0: not known */
    uint64_t refined, exact; /* programs with sections that have no order; with one trace for each class */
    uint64_t coarser;        /* twins with more traces than classes of sections */
} * oracle_shared;

/* In a process of its own. */
int run_job(const task *the, mz_text *out);
/* A function, in a process of its own that is limited in time. */
int run_apart(int (*work)(const task *the, mz_text *out), const task *the, mz_text *out);

#endif
