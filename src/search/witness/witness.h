/* A counterexample: found, reduced to what matters, arranged for a reader, and replayed before anyone
 * sees it. */
#ifndef MZ_SEARCH_WITNESS_WITNESS_H
#define MZ_SEARCH_WITNESS_WITNESS_H

#include "machine/execution.h"
#include "machine/failure.h"
#include "machine/machine.h"

typedef struct mz_witness_step {
    uint32_t thread;
    char *text;   /* the operation, as in the source */
    char *effect; /* what it read and wrote: "x = 0, y: 1 → 2" */
    /* The same for programs: of each location that it touched NAME, VALUE before, VALUE after (only if it
     * wrote), MZ_VALUE_END; behind NAME and the first VALUE stands MZ_VALUE_PART. */
    char *values;
    mz_position position;
    size_t first_choice, choice_count;
} mz_witness_step;
#define MZ_VALUE_PART "\x1f"
#define MZ_VALUE_END  "\x1e"

/* Step `from` happens before step `to`, of another thread, directly. Both from 0. */
typedef struct mz_link {
    uint32_t from, to;
} mz_link;

/* What a reader has to see although it is no step: the earlier access of a race, the operation that fails,
 * those that wait for ever. */
typedef struct mz_moment {
    size_t after; /* so many steps come before it */
    bool is_end;  /* here it goes wrong */
    uint32_t thread;
    char *text, *effect;
    mz_position position;
} mz_moment;

/* Where it was decided (session/story/). An execution that passes has the first step - 1 steps in common with
 * the counterexample, and then goes another way. */
typedef enum mz_decided {
    MZ_DECIDED_UNKNOWN,  /* nobody has looked, or nothing came of it */
    MZ_DECIDED_IN_STEP,  /* after `step` every continuation fails, before it not every one */
    MZ_DECIDED_PERHAPS,  /* the same, but not all continuations were tried, only `tried` executions */
    MZ_DECIDED_AT_START, /* every execution fails */
} mz_decided;

typedef struct mz_decisive {
    mz_decided decided;
    size_t step;    /* from 1 */
    uint64_t tried; /* executions that continue after the step; all of them fail */
    mz_witness_step *passing;
    size_t passing_count;
} mz_decisive;

typedef struct mz_problem {
    mz_failure failure;
    uint64_t occurrences; /* executions in which it happened (with --all-errors) */
    mz_witness_step *steps;
    size_t step_count;
    size_t original_steps; /* of the execution in which it was found */
    mz_moment *moments;    /* by `after` */
    size_t moment_count, moment_capacity;
    char **threads; /* [thread]: what the program calls it; NULL: nothing */
    uint32_t thread_count;
    mz_link *links; /* by `to` */
    size_t link_count;
    size_t context_switches;
    mz_choice *choices; /* initial ones first */
    size_t choice_count, initial_choices;
    bool unreplayed; /* the steps were tried, and do not fail in the same way */
    mz_decisive decision;
} mz_problem;

/* The choices of a step; NULL if it has none. */
static inline mz_choice *mz_witness_choices(const mz_problem *problem, const mz_witness_step *step)
{
    return step->choice_count > 0 ? problem->choices + step->first_choice : NULL;
}

/* Fill in the steps from the execution, which ends with the failure; false if the replay does not fail in
 * the same way. Uses the machine: its state afterwards is that of the failure. A schedule: the threads of the
 * steps, in an order that is equivalent to the execution's and to be told; NULL: in whatever order is best.
 */
bool mz_witness_build(mz_problem *problem, mz_machine *machine, const mz_execution *execution,
                      const uint16_t *schedule);
/* Run the steps again; the narration (text, effect, position) of each that is performed is replaced. Steps
 * that have a text already, from a file, are compared with it. True: it fails in the same way. False:
 * *difference says where it first went otherwise. *done steps were performed. */
bool mz_witness_replay(mz_problem *problem, mz_machine *machine, size_t *done, mz_text *difference);
/* After a step: is this what went wrong? */
bool mz_witness_is_alike(mz_machine *machine, mz_problem *problem, mz_outcome outcome);
void mz_problem_release(mz_problem *problem);
void mz_witness_steps_release(mz_witness_step *steps, size_t count);

/* The links of an execution (moments.c) whose events are the steps. */
void mz__links_take(mz_problem *problem, const mz_execution *execution);

/* Moments (moments.c), while a counterexample is replayed. */

/* Forget those of another try. */
void mz__moments_begin(mz_problem *problem, mz_machine *machine);
/* After so many steps: what the machine remarks about the last one. */
void mz__moments_note(mz_problem *problem, mz_machine *machine, size_t after);
/* What the threads are called; and, if it has failed as expected, what fails, or who waits for ever. */
void mz__moments_end(mz_problem *problem, mz_machine *machine, bool fails);
void mz__moments_release(mz_problem *problem);

/* "process 0 waits for m, held by process 1; process 1 waits for …", told of these threads: first those that
 * wait for each other's locks, then those that wait for them. */
mz_failure mz_describe_stuck(mz_machine *machine, mz_failure_kind kind, mz_threads who, mz_threads told);
/* Where nobody can go on: is that the failure, as far as kind, place and the first thread go? It is told in
 * *words, unless that is NULL. */
bool mz_waits_alike(mz_machine *machine, const mz_failure *failure, mz_failure *words);

#endif
