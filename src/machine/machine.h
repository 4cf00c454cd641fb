/* machine.h: a program under test. M front ends and N algorithms meet here and nowhere else.
 *
 * A machine is deterministic but for scheduling and explicit choices. Every unfinished thread has one
 * *pending operation*, known before it happens: an operation on shared state. Local work is folded into
 * the operation before it (or into reset). What is an event and what it depends on: doc/events.md.
 *
 * What a machine promises, because the algorithms' proofs rest on it:
 *  (1) An operation's accesses happen one after the other; which location comes next, and whether the
 *      operation may block, is a function of the thread's local state and of the values read so far.
 *      Hence an operation that does not conflict with a step keeps its footprint over that step, and one
 *      that does conflict with it still does so afterwards.
 *  (2) Two operations whose footprints do not conflict commute: both orders reach the same state, and
 *      neither lets the other go on or makes it wait. Two accesses of a location do not conflict if both only
 *      read, or if they have the same class.
 *  (3) A thread that fails or is pruned stops for good; if it does so in an operation (not in the local
 *      work after it), that operation has written nothing. The other threads can go on: whatever they do
 *      then, they could also have done before. */
#ifndef MZ_MACHINE_MACHINE_H
#define MZ_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "machine/choices.h"
#include "machine/failure.h"
#include "machine/history.h"
#include "machine/memory.h"
#include "machine/relation.h"
#include "machine/threads.h"
#include "wire/operation.h"

/* MZ_LAST, of an access that reads and writes: the memory is gone then, and whoever accesses the location
 * afterwards fails, also if it does not read.
 *
 * The bits from MZ_CLASS on are the *class* of an access that writes; 0 is none. Accesses of one kind that
 * have a class commute with each other, in every state, and with nothing else: additions of which nobody
 * looks at the result, readers that come to a read-write lock and leave it, posts of a semaphore. What
 * commutes only in some states has no class. Only machines whose relation has MZ_REFINES_CLASSES tell
 * classes. */
enum { MZ_READ = 1, MZ_WRITE = 2, MZ_LAST = 4, MZ_CLASS = 8 };

typedef struct mz_access {
    uint32_t location; /* dense: 0 … location_count - 1 */
    uint32_t kind;     /* MZ_READ, MZ_WRITE or both; with both MZ_LAST, or a class, too */
} mz_access;

/* An event of another thread that comes first in every schedule: the index-th (from 1) of the thread. */
typedef struct mz_cause {
    uint32_t thread, index;
} mz_cause;

typedef struct mz_operation {
    mz_operation_kind kind;
    bool blocking;    /* enabled only while its guard holds */
    bool branching;   /* where the thread goes on depends on what is read */
    bool steering;    /* what is read decides where the thread goes on, or what it touches, some time later */
    bool dynamic;     /* which locations it touches depends on what it reads itself */
    bool crowded;     /* several events that are not ordered among each other may make it wait */
    bool conditional; /* it touches one location, and whether it writes it depends on what it reads there */
    bool on_object;   /* on a synchronisation object that is no mutex, or on one and, behind it, a mutex */
    bool shares;      /* on a read-write lock, as a reader */
    bool loose;       /* its causes order nothing but when it may happen: taking the mutex after a signal */
    /* Under weak memory: as the program says it; of a compare-exchange that fails, the second one. */
    uint8_t order, failure_order; /* mz_order */
    uint32_t access_count;
    const mz_access *accesses; /* each location once; valid until the same machine function is called again */
    /* The events without which the operation would not be there: the creation of its thread, the last event
     * of a thread it has joined, the signal that woke it. They are program order across threads: no races. Of
     * each thread one at most. */
    uint32_t cause_count;
    const mz_cause *causes;
} mz_operation;

/* How an operation is named when the program runs outside of the checker: see wire/plan_format.h. */
typedef struct mz_name {
    bool counted;        /* it has such a name at all */
    bool plain;          /* a plain access, counted with `accesses` only */
    bool after_signal;   /* it takes the mutex again after a wait: its causes are no program order then */
    bool spins;          /* in a loop that waits: outside of the checker there may be more rounds of it */
    bool sleeps;         /* it waits for a signal, without a time limit, and nobody has given it */
    uint32_t operations; /* of its thread: counted so far, itself included */
    uint32_t accesses;   /* plain accesses of its thread, counted in the same way */
} mz_name;

/* Something that happened within a step, in local work, and that the report of a failure has to show: the
 * earlier access of a data race, the free of a block that is used afterwards. */
typedef struct mz_remark {
    uint32_t thread;
    mz_position position;
    mz_text words; /* "writes queue.head" */
} mz_remark;
enum { MZ_MOST_REMARKS = 4 };

typedef enum mz_outcome {
    MZ_STEP_DONE,
    MZ_STEP_FAILED,   /* a thread failed; machine->failures says which and how */
    MZ_STEP_PRUNED,   /* the thread's assumption does not hold: the execution does not count */
    MZ_STEP_STUCK,    /* a thread goes no further in this execution, though it might: machine->stuck says why.
                        To the others it is as if it were pruned */
    MZ_STEP_GIVEN_UP, /* the program cannot be followed any further (local work without end, …); the last of
                        machine->failures says why */
} mz_outcome;

/* Every thread that has been created is in exactly one of these sets. */
typedef struct mz_status {
    mz_threads ready;    /* its pending operation can happen now */
    mz_threads blocked;  /* its pending operation waits for others */
    mz_threads finished; /* ran to its end */
    mz_threads pruned;   /* stopped at an assumption that does not hold, or not followed any further */
    mz_threads failed;   /* stopped by a failure */
    mz_threads spinning; /* those of the blocked that wait in a loop of their own */
    bool redundant; /* nobody is ready; but some that spin would come to something else if they went on */
    bool ended;     /* the program has ended (exit, return of main): who still waits is in no deadlock */
    /* Nobody can go on but across a loop boundary: the one thread that is ready opens it for all that have
     * come to it, and everything before comes before everything after (search/loop_closing.c). */
    bool boundary;
    mz_threads
        at_boundary; /* those of the unfinished threads that have come to a loop boundary and wait there */
} mz_status;

/* An operation that was performed along with the one that was asked for: see `step`. */
typedef struct mz_further {
    mz_operation operation;
    mz_access access; /* its only one */
} mz_further;
enum { MZ_MOST_FURTHER = 64 };

typedef struct mz_machine mz_machine;

typedef struct mz_machine_class {
    const char *name;
    const char *thread_word; /* "thread", "process" */
    const char *loop_hint;   /* what to do about an execution that does not end */
    uint32_t failure_kinds;  /* 1 << mz_failure_kind: those that can be found in such a program */
    void (*destroy)(mz_machine *machine);

    /* To the initial state; returns the gravest outcome of the local work before the first operations:
     * MZ_STEP_GIVEN_UP, MZ_STEP_FAILED (the other threads are ready all the same) or MZ_STEP_DONE. */
    mz_outcome (*reset)(mz_machine *machine, mz_choices *choices);
    /* The pending operation of a ready or blocked thread in the current state. */
    void (*pending)(mz_machine *machine, uint32_t thread, mz_operation *operation);
    /* Those of the threads (ready or blocked) whose pending operations do not conflict with an operation. The
     * same could be found with `pending`, one by one; NULL if it has to be. */
    mz_threads (*independent)(mz_machine *machine, mz_threads threads, const mz_operation *operation);
    /* Perform the pending operation of a ready thread and its local work; *executed is what happened. Then
     * perhaps its next operations, as machine->most_further and its kin allow: they are told in
     * machine->further, and each is a step of its own for `rewind`. The outcome and the choices are those of
     * the last one. */
    mz_outcome (*step)(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed);

    /* Under weak memory (machine->weak): would the pending update write, if it read what stands so far before
     * the last one in the order of the writes of its location? Of an operation on an object: could it happen,
     * and would it succeed? NULL: the machine has no weak memory. */
    bool (*would_write)(mz_machine *machine, uint32_t thread, uint32_t back);

    /* To go back, a machine offers one of two things. Either snapshots, `snapshot_bytes` of plain memory: */
    void (*save)(const mz_machine *machine, void *snapshot);
    void (*restore)(mz_machine *machine, const void *snapshot);
    /* or (save and restore are NULL) undoing steps: back to the state after the first `steps` steps since the
     * last reset. */
    void (*rewind)(mz_machine *machine, size_t steps);
    /* The next reset begins a search that is to be the same whatever was explored before it: what was noted
     * meanwhile, and is nothing that was learned, is forgotten then. NULL: nothing is noted. */
    void (*begin_search)(mz_machine *machine);
    /* Of the state, with all that decides what follows and what is found there, whatever led to it. Zeroes if
     * the machine cannot tell whether the state is like another one. */
    mz_hash (*fingerprint)(const mz_machine *machine);
    /* For a program that may do something else when a schedule is repeated: keep the values of its variables;
     * and say if one has another value now, and which. NULL: it cannot. */
    void (*keep_variables)(mz_machine *machine);
    bool (*find_difference)(mz_machine *machine, mz_text *name);

    /* Where status->boundary is set: the fingerprint of the state. Two states that have the same are followed
     * by the same, whatever led to them. False if it cannot be told, and why. `keep`: what it is made of is
     * kept, so that the last two can be compared, for people: how does this one differ from the one before?
     * NULL: there are no boundaries. */
    bool (*boundary_state)(mz_machine *machine, bool keep, mz_hash *state, mz_text *problem);
    void (*describe_growth)(mz_machine *machine, mz_text *out);

    /* What the last step of a thread that has failed came after, beside its own events and that of the step:
     * NULL if nothing. At most one of each thread. */
    uint32_t (*causes_of_failure)(const mz_machine *machine, uint32_t thread, mz_cause *causes);

    /* Where nobody can go on and some spin: those of the others that do not only wait for the end of a thread
     * that spins. `circle`: do some of them wait for each other's locks, whatever the spinning ones do? NULL:
     * nobody ever spins. */
    mz_threads (*deadlocked)(const mz_machine *machine, bool *circle);

    /* Can what is at the location decide what is found at the end of the program (leaks)? NULL: nothing can.
     */
    bool (*matters_at_end)(const mz_machine *machine, uint32_t location);

    /* Those of the blocked threads that wait for ever for each other, or for one that has ended, whatever all
     * the others do. NULL: nobody can tell. */
    mz_threads (*locked_for_ever)(const mz_machine *machine);

    /* For plans; all NULL if there are no names outside of the checker. The name of a pending operation, and
     * the variable it is about (nothing is added if it is none with a name of its own). And, after a step:
     * who was picked by its signal, UINT32_MAX if nobody was, and whether that was a choice. And where a
     * choice is made. */
    void (*name_pending)(const mz_machine *machine, uint32_t thread, mz_name *name);
    void (*name_place)(const mz_machine *machine, uint32_t thread, mz_text *out);
    uint32_t (*picked)(const mz_machine *machine, bool *was_choice);
    void (*place_choice)(const mz_machine *machine, const mz_choice *choice, mz_position *position);

    /* For reports. */
    void (*describe_pending)(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position);
    void (*describe_wait)(mz_machine *machine, uint32_t thread, mz_text *out);
    void (*describe_location)(const mz_machine *machine, uint32_t location, mz_text *out);
    void (*describe_value)(const mz_machine *machine, uint32_t location, mz_text *out);
    /* Before a step: from now on, and until an operation is described, the value of these locations is the
     * one that the operation of the next step leaves there, not one that is written after it in the same
     * step. NULL: operations are all that writes. */
    void (*watch_values)(mz_machine *machine, const mz_access *accesses, uint32_t count);
    /* What the step before has done to others: "wakes thread 2". NULL: nothing that locations do not tell. */
    void (*describe_consequence)(mz_machine *machine, mz_text *out);
    /* Under weak memory, after a step: what its operation has read, or where it has written, if that is not
     * what is last; nothing otherwise. `before` the step it is forgotten. True if the first choice of the
     * step was that. NULL: there is none. */
    bool (*describe_weakness)(mz_machine *machine, bool before, mz_text *out);
    /* What the program calls the thread: "worker(1)". NULL: nothing. */
    void (*describe_thread)(mz_machine *machine, uint32_t thread, mz_text *out);
} mz_machine_class;

struct mz_machine {
    const mz_machine_class *class;
    mz_status *status;        /* inside the machine's state, so that snapshots carry it */
    uint32_t thread_capacity; /* threads there can ever be */
    uint32_t buffer_count;    /* of these, the last ones are store buffers: memory is TSO */
    uint32_t location_count;
    size_t snapshot_bytes;
    bool ignore_assertions; /* a failing assertion counts as passed (--check without assertions) */
    /* Some blocking operation waits for more than one fixed location (its guard or its address depends on
     * several or on moving ones). Race reversal cannot see what would have enabled it; see algo/source.c. */
    bool complex_blocking;
    /* Some operation waits until others have read, too: waiting is complex then, and more than that. */
    bool wakes_by_reads;
    bool crowd_blocking; /* some operation is, or has been, crowded */
    /* Executions in which all reads read from the same writes are taken for the same. So whatever depends on
     * the order of writes has to read, and to be an event, also while no other thread is left, as in main
     * after its joins. To be set before the first reset. */
    bool by_observation;
    /* Loads read what they are told to. A step whose operation is atomic, on a location that somebody has
     * written before, begins with a choice: how far before the last one, in the order of the writes of the
     * location, stands the one that is read; of a store, how many of them come after it. An update writes
     * directly behind what it has read. Fences are operations. Who chooses sees to it that the memory model
     * allows it; the first choice is what sequential consistency does. To be set before the first reset. */
    bool weak;
    bool is_fingerprinted;  /* states are compared: what was counted, and is of no use, is not kept. As
                               relation */
    bool weaker_orders;     /* somebody has asked for less than seq_cst */
    bool beyond_weak;       /* somebody has done what cannot be explored under weak memory: */
    char beyond_what[120];  /* "atomic load x (queue.c:12)"; "" if nobody has said so */
    bool is_told_of_orders; /* the search is to begin again when the first two are found out */
    mz_relation relation;   /* refinements in force: to be set before the first reset … */
    mz_relation refined; /* those of the refinements that have made a difference to some operation so far */
    bool repeats;        /* known steps are made: peers (symmetry.h) do not wait for each other then */
    bool makes_rounds;   /* rounds in vain of waiting loops, too: somebody counts operations. As relation */
    bool has_boundaries; /* some thread has come to a loop boundary, in whatever execution */
    bool knows_steering; /* operations say whether they steer; otherwise all that read may */
    mz_further *further; /* of the last step: room for MZ_MOST_FURTHER of them */
    uint32_t further_count;
    /* How many further operations the next step may perform: while nobody else is ready; whoever is; of
     * these, so many first ones are done together: hardly anybody will want to go back to the states between
     * them. */
    uint32_t most_further, goes_on, together;
    mz_failure *failures; /* of the last step or reset; room for one per thread, and one more */
    uint32_t failure_count;
    mz_failure stuck; /* of the last step or reset whose outcome was MZ_STEP_STUCK */
    /* Those of the failure that was found last, while its execution is repeated. Whoever reads them forgets
     * them: remark_count = 0. */
    mz_remark remarks[MZ_MOST_REMARKS];
    uint32_t remark_count;
    const mz_failure
        *sought;           /* of the execution that is repeated: what it is to end with; NULL: nobody knows */
    const mz_judge *judge; /* of executions as wholes; NULL: there is none */
    /* Whoever follows a replay: called before each step (from 0), and once more where it has failed. NULL:
     * nobody does. */
    void (*watch)(mz_machine *machine, size_t step, uint32_t thread);
    /* What the machine has learned makes the search so far worthless: it is to begin again. */
    bool begin_again;
};

/* Is it a number from outside? Otherwise it is the scheduler's. (The choices of a model have no names, and
 * its scheduler makes none.) */
static inline bool mz_is_input(const mz_machine *machine, const mz_choice *choice)
{
    return choice->low < choice->high && (choice->name || !machine->class->picked);
}

static inline bool mz_kinds_conflict(uint32_t a, uint32_t b)
{
    return ((a | b) & MZ_WRITE) && (a != b || a < MZ_CLASS);
}

static inline bool mz_accesses_conflict(const mz_access *a, uint32_t a_count, const mz_access *b,
                                        uint32_t b_count)
{
    if (a_count == 1 && b_count == 1) /* most often */
        return a->location == b->location && mz_kinds_conflict(a->kind, b->kind);
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t j = 0; j < b_count; j++)
            if (a[i].location == b[j].location && mz_kinds_conflict(a[i].kind, b[j].kind))
                return true;
    return false;
}

/* Perform the next operation of each of these threads in turn; returns how many were done before one was not
 * ready or did not end in MZ_STEP_DONE. */
static inline size_t mz_machine_run(mz_machine *machine, const uint32_t *threads, size_t count,
                                    mz_choices *choices)
{
    mz_operation ignored;
    for (size_t i = 0; i < count; i++)
        if (!mz_threads_has(machine->status->ready, threads[i]) ||
            machine->class->step(machine, threads[i], choices, &ignored) != MZ_STEP_DONE)
            return i;
    return count;
}

/* The dependency relation between operations of different threads. Operations of one thread always
 * depend on each other (program order). */
static inline bool mz_operations_conflict(const mz_operation *a, const mz_operation *b)
{
    return mz_accesses_conflict(a->accesses, a->access_count, b->accesses, b->access_count);
}

#endif
