/* A real program as a machine: compiled code, loaded into this process, its threads as fibers. One per
 * process: the compiler's hooks have no other way to find it. */
#ifndef MZ_PROGRAM_PROGRAM_H
#define MZ_PROGRAM_PROGRAM_H

#include "base/bytes.h"
#include "base/error.h"
#include "machine/history.h"
#include "machine/machine.h"
#include "wire/premise.h"

/* What can be found in real programs; the others are for models. */
#define MZ_NATIVE_FAILURES                                                                                   \
    (MZ_FAILURES_ALL & ~(1u << MZ_FAIL_INDEX | 1u << MZ_FAIL_DIVISION | 1u << MZ_FAIL_HISTORY))

/* --unroll=FILE:LINE:K */
typedef struct mz_unroll_place {
    const char *file;
    uint32_t line, count;
} mz_unroll_place;

/* What becomes of data races: an error, which ends the execution; a warning, or nothing at all, and then the
 * accesses that race are events, so that all their orders are explored. */
typedef enum mz_race_treatment {
    MZ_RACES_ARE_ERRORS,
    MZ_RACES_ARE_REPORTED,
    MZ_RACES_ARE_IGNORED
} mz_race_treatment;

/* What is done about accesses that are not atomic: looked at for races and for what is not there, and
 * otherwise local work; made events, too, as if there were no reduction; or nothing at all: to measure what
 * that costs. */
#define MZ_PLAIN_ACCESSES(X)                                                                                 \
    X(MZ_PLAIN_IS_LOCAL, "local")                                                                            \
    X(MZ_PLAIN_IS_EVENT, "events")                                                                           \
    X(MZ_PLAIN_IS_UNCHECKED, "unchecked")

typedef enum mz_plain_accesses {
#define MZ_X(constant, name) constant,
    MZ_PLAIN_ACCESSES(MZ_X)
#undef MZ_X
        MZ_PLAIN_WAYS
} mz_plain_accesses;

struct mz_suppressions;

typedef struct mz_native_options {
    const char *library; /* the shared object made by compile.h */
    int argument_count;
    char **arguments; /* argv of the program */
    char **entries;   /* symbols of the functions to call instead of main, as in mz_compiled */
    size_t entry_count;
    char **entry_calls; /* as they were given: "push(q, 1)"; those of the symbols from the third on */
    size_t entry_call_count;
    uint32_t checks; /* 1 << mz_failure_kind */
    mz_race_treatment races;
    struct mz_suppressions *suppressions; /* NULL: none */
    mz_plain_accesses plain_accesses;
    bool join_at_exit;
    bool all_errors;                      /* go on after a data race */
    uint32_t unroll;                      /* 0: no limit */
    const mz_unroll_place *unroll_places; /* these have limits of their own */
    size_t unroll_place_count;
    bool spurious; /* condition waits may end without a signal */
    bool volatile_is_atomic;
    uint32_t reuses; /* how often each thread may get freed memory from malloc */
    double patience; /* seconds of processor time that local work may take */
    uint64_t memory; /* bytes that the process may have; 0: half of the machine's */
    int64_t nondet_low, nondet_high;
    bool keeps_spin_rounds; /* for a plan, which counts operations: outside of the checker there are such
                               rounds */
    bool inline_assembly, executable_stack;
    bool by_clang, by_gcc;         /* at least a part of it */
    const char *entries_with_null; /* "worker(NULL)"; NULL or "": none */
    const char *optimised;         /* the compiler's options that allowed it to merge accesses; "": none */
    const char *allowed;           /* functions that are called without being seen: one per line */
    const struct mz_words *world;  /* what it answers: lines of wire/world.h; NULL: nothing is declared */
    struct mz_order_sites *orders; /* memory orders in place of the program's (machine/order_sites.h); NULL */
} mz_native_options;

/* An empty file for the standard input of the program, if that is a pipe: what one worker reads of it, the
 * next one finds there. -1: there is none, and a pipe is empty. */
extern int mz_native_input;

/* What is wrong with the line as an answer of the world (wire/world.h); NULL: nothing. */
const char *mz_world_problem(const char *line);

/* Loads the program; NULL and *error set if that is not possible. */
mz_machine *mz_native_create(const mz_native_options *options, mz_error *error);

/* Before a search, and again whenever machine->begin_again was set: runs the program a few times to learn
 * what its threads share. */
void mz_native_prepare(mz_machine *machine);

/* Of a program with a driver for clients (build/compile_driver.c): which client is run from the next reset
 * on; what its calls did in the execution at hand; why there is nothing to check (NULL: there is). */
void mz_native_set_client(mz_machine *machine, const mz_client *client);
const mz_history *mz_native_history(const mz_machine *machine);
/* Does the thread wait for a lock, of whatever kind, rather than for something to happen? */
bool mz_native_waits_for_lock(const mz_machine *machine, uint32_t thread);
const char *mz_native_client_problem(const mz_machine *machine);

/* Numbers that the program's code compares with, as far as it is understood. */
size_t mz_native_compared_numbers(const mz_machine *machine, int64_t *numbers, size_t most);
/* Nondeterministic numbers come from this range in the searches that follow. False: none was ever asked for
 * that could be another one. */
bool mz_native_set_nondet(mz_machine *machine, int64_t low, int64_t high);

/* Where one thread cannot be followed any further, the others go on, and mz_native_incomplete() has the
 * reason; without this the search ends there. The schedule that has led to the first one is kept in *way,
 * unless that is NULL. After so many steps of an execution (0: any number) a thread that has made many of
 * them is left, too. */
struct mz_flight;
void mz_native_go_on(mz_machine *machine, struct mz_flight *way);
void mz_native_limit_steps(mz_machine *machine, uint64_t most);
/* A thread is left after so many events of its own; 0: as many as it likes. Has one been, since then? */
void mz_native_limit_events(mz_machine *machine, uint64_t most);
bool mz_native_left_threads(const mz_machine *machine);
/* When, by the monotonic clock, even local work is not followed any further; 0: never. */
void mz_native_set_deadline(mz_machine *machine, double seconds);
/* Why the first thread was left; NULL: none was. */
const char *mz_native_stuck(const mz_machine *machine);

/* What a verdict about this program rests on: one line each, to be appended to the text. Returns how many. */
/* "LO..HI": those that stand for all nondeterministic numbers; NULL: there were none, or no others. */
const char *mz_native_numbers(const mz_machine *machine);
size_t mz_native_assumptions(const mz_machine *machine, const char **lines, size_t most);
enum { MZ_NATIVE_ASSUMPTIONS = 26 }; /* there are at most, beside one per suppression */
/* What is suspicious, at the end of a search. Lives as long as the machine. */
const mz_warning *mz_native_warnings(mz_machine *machine, size_t *count);
/* What a person should know about the executions before trusting the verdict: one line each, at most
 * MZ_NATIVE_NOTES; they live as long as the machine. `complete`: the search has seen all of them. */
enum { MZ_NATIVE_NOTES = 8 };
size_t mz_native_notes(mz_machine *machine, bool complete, const char **lines);
/* The statuses with which the program has ended, 0 to 255: how many, in ascending order. */
size_t mz_native_exit_statuses(const mz_machine *machine, uint8_t statuses[256]);
/* Why not everything was covered; nothing if it was. */
void mz_native_incomplete(const mz_machine *machine, mz_text *out);

/* What executions have shown of the program beside errors (testimony.c): from a process that has seen some,
 * to one that has seen others. False if it is not understood. */
void mz_native_testify(const mz_machine *machine, mz_bytes *out);
bool mz_native_hear(mz_machine *machine, mz_byte_reader *testimony);

/* The output of the program while it is narrated. */
void mz_native_narrate(mz_machine *machine, bool on);
/* The values that are asked for next are of no operation. */
void mz_native_describe_all(mz_machine *machine);
const char *mz_native_output(const mz_machine *machine);

/* Where the threads are that have begun and not ended: at their pending operations. To be asked after every
 * step: what registers hold is known of the thread that ran last, and remembered of the others. [thread] */
typedef struct mz_native_frame {
    uint64_t is_there, pc, sp, fp;
    uint64_t knows_registers, preserved[11]; /* as in mz_frame */
    char name[32];
} mz_native_frame;
void mz_native_frames(mz_machine *machine, mz_native_frame *frames);

/* How each thread came about: "main", "0.1" = the second child of thread 0. For files that name threads. */
void mz_native_thread_paths(const mz_machine *machine, mz_text *out);
bool mz_native_set_thread_paths(mz_machine *machine, const char *paths);

/* The files that it was compiled from, a line each. */
void mz_native_sources(const mz_machine *machine, mz_text *out);

/* The same of one thread. */
void mz_native_birth(const mz_machine *machine, uint32_t thread, uint32_t *parent, uint32_t *child);
/* What its executions so far depended on beside schedule and choices: how many there are, and an array of
 * them, to be released. The names live as long as the machine. */
typedef struct mz_native_premise {
    mz_premise_kind kind;
    const char *name;
    uint64_t size, hash; /* as in mz_premise */
} mz_native_premise;

/* How many threads there were in any execution so far, and how many operations each began at most;
 * UINT32_MAX: that is up to time, too. */
uint32_t mz_native_counts(mz_machine *machine, uint32_t most[MZ_MAX_THREADS]);
size_t mz_native_premises(const mz_machine *machine, mz_native_premise **premises);
/* From now on plain accesses have names only at lines that have raced so far: their keys (wire/site.h), in
 * order, to be released. False, and all have names as before, if the program does not tell lines apart. The
 * machine has to be prepared anew. */
bool mz_native_count_racing_lines(mz_machine *machine, uint32_t **keys, size_t *count);
/* At these, which are taken for racing. */
void mz_native_count_lines(mz_machine *machine, const uint32_t *keys, size_t count);
void mz_native_count_all_lines(mz_machine *machine);
/* Since this was asked last, has another line raced? */
bool mz_native_met_unknown_line(mz_machine *machine);
/* Have races been found that are no errors? */
bool mz_native_has_races(const mz_machine *machine);

/* The threads that have come to a loop boundary, and of each how many operations it had at most between two.
 */
mz_threads mz_native_boundary_members(const mz_machine *machine, bool accesses,
                                      uint32_t longest[MZ_MAX_THREADS]);
/* Did anybody wait at a boundary in a way that the runtime cannot tell? Where. */
bool mz_native_waits_elsewhere(const mz_machine *machine, mz_text *out);

/* For a referee: how often a thread had published what it did when this one last heard of it, as far as the
 * program's own order goes (happens_before.c); of itself, how often it has. And: that order is to be kept
 * although nobody asks for it. */
uint32_t mz_native_knows(const mz_machine *machine, uint32_t thread, uint32_t of);
void mz_native_keep_order(mz_machine *machine);

/* What was learned about what its threads share, in words (knowledge.c). Setting it replaces
 * mz_native_prepare: to be done before the first reset. */
void mz_native_knowledge(const mz_machine *machine, mz_text *out);
bool mz_native_set_knowledge(mz_machine *machine, const char *words);

/* What else was learned, for the same program in another process (lessons.c). Setting it comes after the
 * knowledge; false if it is none. */
void mz_native_lessons(const mz_machine *machine, mz_bytes *out);
bool mz_native_set_lessons(mz_machine *machine, const mz_bytes *lessons);

/* What a supervisor can see of a running program in shared memory, also when its process is gone: the
 * schedule of the current execution, up to the step that was begun last, and a pulse that tells whether it is
 * still getting anywhere. */
enum { MZ_FLIGHT_STEPS = 1 << 17, MZ_FLIGHT_CHOICES = 1 << 16 };

typedef struct mz_flight {
    volatile uint64_t pulse;
    volatile uint32_t steps;
    volatile uint32_t choice_count, initial_choices;
    volatile bool too_many_threads; /* more than there is room for in a set (machine/threads.h) */
    uint16_t threads[MZ_FLIGHT_STEPS];
    uint32_t first_choice[MZ_FLIGHT_STEPS];
    int64_t choices[MZ_FLIGHT_CHOICES];
} mz_flight;

void mz_native_record(mz_machine *machine, mz_flight *flight);

#endif
