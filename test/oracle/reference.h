/* The exact set of traces of a program, by breadth-first search over canonical prefixes. Shares nothing with
 * the exploration: no execution, no clocks, no driver; dependence is looked at pair by pair. */
#ifndef MZ_ORACLE_REFERENCE_H
#define MZ_ORACLE_REFERENCE_H

#include "base/text.h"
#include "machine/machine.h"
#include "oracle/string_set.h"
#include "safe/plan/constrained.h"

enum { MOST_EVENTS = 64, MOST_ACCESSES = 24, MOST_CHOICES = 8, MOST_THREADS = 8 };

/* An event as the reference sees it. */
typedef struct reference_event {
    uint32_t thread;
    uint32_t access_count;
    mz_access accesses[MOST_ACCESSES];
    uint32_t choice_count;
    int64_t choices[MOST_CHOICES];
    uint8_t before[MOST_THREADS]; /* per thread: how many of its events happen before or equal */
} reference_event;

typedef struct reference_prefix {
    uint32_t length;
    uint32_t initial_choice_count;
    int64_t initial_choices[16];
    reference_event events[MOST_EVENTS];
} reference_prefix;

/* Append an event: fills in `before` from the events already there. False if it does not fit. */
bool reference_append(reference_prefix *prefix, uint32_t thread, const mz_operation *operation,
                      const mz_choice *choices, uint32_t choice_count);
/* The trace as bytes: equal exactly for equivalent prefixes. */
void reference_identity(const reference_prefix *prefix, uint32_t thread_count, mz_text *out);
/* What the reads read from, as bytes: equal exactly for prefixes with the same events and the same choices in
 * which each read reads from the same write, and accesses to the locations of the `ordered` set are in the
 * same order. */
void reference_observation(const reference_prefix *prefix, uint32_t thread_count, uint32_t ordered,
                           mz_text *out);
/* The machine is in a final state. */
void reference_add_final(string_set *finals, const mz_machine *machine);
void reference_error_name(const mz_failure *failure, mz_text *out);

typedef struct reference_result {
    string_set traces;       /* complete executions (deadlocks and failures included, pruned ones not) */
    string_set errors;       /* "kind thread line:column" */
    string_set observations; /* of the traces */
    uint32_t ordered;        /* bit per location: some operation waits for it (all, if that is not fixed) */
    mz_threads users[16];    /* of each location */
    string_set finals; /* fingerprints of the states in which the traces end, where the machine has them */
    size_t prefixes;
    bool too_large;
    mz_text broken_promise; /* of machine.h, if one was seen to be broken */
} reference_result;

void reference_enumerate(mz_machine *machine, size_t most_prefixes, reference_result *result);
/* The same, and each complete trace is shown, in some linearisation. */
typedef void reference_show(void *context, const reference_prefix *trace);
void reference_enumerate_showing(mz_machine *machine, size_t most_prefixes, reference_result *result,
                                 reference_show *show, void *context);
/* The same, of the executions of a model that keep the edges; an execution that can go on only without is
 * taken for a deadlock. Knows nothing of the machine that is to do the same. */
void reference_enumerate_under(mz_machine *machine, const mz_edge *edges, size_t edge_count,
                               size_t most_prefixes, reference_result *result);
/* Do the threads that share locations form trees? */
bool reference_is_acyclic(const reference_result *result);
/* What it costs to go on with a thread, the last step, if there was one, having been made by another. */
typedef uint32_t reference_cost(mz_threads ready, bool has_last, uint32_t last, uint32_t thread);
/* Steps of another thread than the last one where that one is ready. */
reference_cost reference_preemptions;
/* Ready threads that a round-robin scheduler has to pass over. */
reference_cost reference_delays;
/* The same, of the executions that cost so much at most: every one of them is run, nothing is left out as
 * equivalent. too_large: these are more than `most_steps` steps. */
void reference_enumerate_within(mz_machine *machine, reference_cost *cost, uint32_t budget, size_t most_steps,
                                reference_result *result);
void reference_release(reference_result *result);

#endif
