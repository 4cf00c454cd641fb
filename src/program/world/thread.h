/* What is known of a thread of the program: what it is about to do, what it has seen and may have to wait
 * for, which locks it holds, what happened before it. world.h has all of them. */
#ifndef MZ_PROGRAM_WORLD_THREAD_H
#define MZ_PROGRAM_WORLD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"
#include "program/program.h"
#include "program/world/control.h"
#include "program/world/fiber.h"

enum {
    MZ__MOST_ACCESSES =
        16, /* of an operation other than an atomic section: 16 bytes, each a cell of its own */
    MZ__MOST_VISITS = 64,
    MZ__MOST_READS = 64,
    MZ__UNROLL_SLOTS = 1024,
};

/* ---- happens-before of the program itself (happens_before.c)
 * --------------------------------------------------- */

typedef struct mz__clock {
    uint32_t of[MZ_MAX_THREADS];
} mz__clock;

/* What the releases of a location have published. */
typedef struct mz__published {
    uint32_t releaser;            /* thread + 1 whose release the last one was */
    _Alignas(16) mz__clock clock; /* last: only as much of it is saved as there are threads */
} mz__published;

/* ---- locks that are held (held.c) -----------------------------------------------------------------------
 */

/* One that a thread holds: a link of a chain, see held.c. */
typedef struct mz__hold {
    uintptr_t object;
    uintptr_t pc;         /* where it was taken */
    uint64_t set;         /* sum of hashes of this one and those below */
    uint32_t outer;       /* the one taken before that is still held; 0: none */
    uint32_t taking : 31; /* of which more is known (lock_callers.c); 0: of none */
    uint32_t shared : 1;  /* for reading */
} mz__hold;

/* ---- what it is about to do, and what it has seen ----------------------------------------------------- */

typedef enum mz__guard {
    MZ__FREE,          /* the operation can always happen */
    MZ__MUTEX_FREE,    /* object: pthread_mutex_t */
    MZ__MUTEX_CHANGED, /* the same and, for a loop that polls under the mutex, one of the values it read has
                        * changed
                        */
    MZ__SPIN_FREE,     /* pthread_spinlock_t */
    MZ__POSITIVE,      /* sem_t */
    MZ__READABLE,      /* pthread_rwlock_t */
    MZ__WRITABLE,      /* pthread_rwlock_t */
    MZ__ONCE_SETTLED,  /* pthread_once_t */
    MZ__ONCE_NEW,      /* pthread_once_t */
    MZ__SEMAPHORE_OR_CANCEL, /* sem_t: positive, or the thread is to end */
    MZ__SIGNAL_OR_CANCEL,    /* the thread itself: it was signalled, or is to end */
    MZ__ENDED_OR_CANCEL,     /* the thread that it joins has ended, or it is to end itself */
    MZ__SIGNAL_THERE,        /* the thread itself: a signal has come that it awaits */
    MZ__UNSIGNALLED,     /* the thread itself: it waits for a condition variable and was not signalled yet */
    MZ__WAITED_FOR,      /* pthread_cond_t: some thread waits for it */
    MZ__OFFERED,         /* a block that was freed, with this room, and may be used again (reuse.c) */
    MZ__EQUAL,           /* data: has the expected value */
    MZ__CHANGED,         /* the thread spins: one of the values it read has changed */
    MZ__SIMPLE,          /* a simple section: it can always happen, but what it touches is to be found out */
    MZ__NOT_IN_VAIN,     /* executing it now does not close a round in vain (rounds.c) */
    MZ__SECTION,         /* an atomic section whose assumptions may not hold now */
    MZ__SECTION_CHANGED, /* the same and, for a loop that polls in sections, one of the values it read has
                            changed */
    MZ__WOKEN, /* waits for another thread's doing: signal, join, barrier; has no operation meanwhile */
} mz__guard;

/* A step that is known: in this local state, with this value in the location of its operation, the thread
 * comes to its next operation in that state (rounds.c). */
typedef struct mz__known_step {
    uint64_t state; /* 0: a free place of the table */
    uint64_t value[2];
    uint64_t next;        /* 0: in one that it cannot have been in since its last progress */
    uint32_t from, count; /* if these hold: mz__w.premises */
} mz__known_step;

/* A thread is run only to see where its operations lead. */
typedef struct mz__trial {
    bool runs;
    bool arrived;   /* it has come to its next operation, and made no progress */
    bool came_back; /* it has arrived in a local state in which it has been */
    bool races;     /* it has met a data race */
    bool looks;     /* it has read plain data that others may write, these ones of its reads among them: */
    uint32_t reads_from, reads_to;
    uint32_t begun_at; /* its visits, itself included, when it began */
    uint64_t next;     /* the state to which it has come, as a hash */
} mz__trial;

/* What a thread has changed by an atomic operation, or what others had to do with that (loops/undone.c). */
typedef enum mz__change_kind { MZ__CHANGED_IT, MZ__SEEN_BY_OTHERS, MZ__ADDED_BY_OTHERS } mz__change_kind;
typedef struct mz__change {
    mz__change_kind kind;
    uint32_t cell;
    uint32_t visit; /* after so many visits of the thread that has changed it */
    uint32_t
        size; /* this and the rest: of what it has changed itself; and `before`: what others have added */
    uintptr_t address;
    uint64_t before[2], after[2];
} mz__change;

typedef struct mz__pending {
    mz_operation_kind kind;
    mz__guard guard;
    mz__guard condition; /* if this does not hold, it only reads: compare-and-swap, trylock, … */
    bool counted;        /* it has a name outside of the checker, too: see mz__count() */
    bool resumable;      /* of a hook that waits: all that it will do is told by this record and `waits_at` */
    bool shares;         /* it gives back a read-write lock as a reader */
    bool gone;           /* its memory was not there any more when it was prepared */
    bool frees;          /* its thread is in free(), which is an access to the whole block */
    bool compiled; /* its thread is in a plain access of compiled code, or in free(), not in another function
                    */
    uint8_t order, failure_order; /* mz_order, of atomic operations and fences; others are MZ_PLAIN
                                   * (objects: machine/weak.c) */
    uint64_t expected[2];         /* MZ__EQUAL; MZ__OFFERED: the room */
    uintptr_t address;            /* of the data or the object */
    uint32_t size;
    uint32_t joins;     /* MZ_OP_JOIN: which thread */
    uint32_t own_count; /* of its accesses: those of its own data; a spinning one looks at others, too */
    uint32_t access_count;
    union {
        uint64_t state; /* MZ__NOT_IN_VAIN: a hash of the thread's local state */
        struct {
            uint32_t from, to;
        } spins; /* MZ__CHANGED and its kin: these reads of the thread */
    };
    const char *verb; /* for reports: "pthread_mutex_lock", "atomic load", … */
    mz_access accesses[MZ__MOST_ACCESSES];
} mz__pending;

/* The thread was about to perform an operation, in this local state. */
typedef struct mz__visit {
    mz__registers registers; /* the place, too */
    uintptr_t address; /* which operation: one hook may perform several, as for a copy of several words */
    uint8_t kind, condition; /* likewise: a wait with a time limit begins, and ends */
    uint32_t first_read;
    bool simple; /* it is on one location and cannot wait: it may close rounds (rounds.c) */
    int errno_value;
    uint64_t held;  /* as in its record */
    uint64_t deep;  /* hash of its stack, 0 if all of that is saved when the thread goes on */
    uintptr_t copy; /* how far the saved copy of its stack is from the stack; 0: not saved yet */
    uint64_t hash;  /* of all this; 0: not known */
} mz__visit;

typedef struct mz__seen {
    uintptr_t address;
    uint32_t size;
    uint32_t cell; /* MZ__NO_CELL: plain data; MZ__WRITTEN_CELL: plain data before the thread has written it;
                      MZ__OWN_CELL: nobody else has touched it */
    uint64_t value[2];
} mz__seen;

/* Sections that begin at this place may choose from this range (atomic_sections.c): the first of those of a
 * place is for the first choice, and so on. */
typedef struct mz__draw {
    uintptr_t place;
    int64_t low, high;
} mz__draw;

typedef struct mz__drawn {
    int64_t value;
    size_t draw; /* which one: an index */
} mz__drawn;

typedef enum mz__life { MZ__UNBORN, MZ__ALIVE, MZ__FINISHED, MZ__FAILED, MZ__PRUNED, MZ__CUT } mz__life;

/* The cold part of a thread: what seldom changes, saved apart, see mz__cold_of(). */
typedef struct mz__cold {
    uint64_t saved_in;
    char *hook_stack_now; /* where the next hook's stack begins: lower while a hook calls the program back */
    uint64_t heap_used;
    bool heap_has_holes; /* room below that blocks have left which were freed before a loop boundary */
    uint32_t allocations;
    uint32_t children;    /* threads created */
    uintptr_t waits_for;  /* condition variable, barrier */
    uintptr_t relocks;    /* mutex to take again after waiting */
    uintptr_t waits_with; /* mutex with which it waits for a condition variable */
    void *result;
    void *(*start)(void *);
    void *argument;
    uintptr_t created_by;
    char name[16]; /* pthread_setname_np; "": none */
    uint64_t random_state;
    struct place *cleanup;            /* the innermost cleanup handler: cleanup.c */
    struct mz__mutex *robust;         /* those that it holds */
    uint32_t first_drawn, next_drawn; /* of `drawn`, for its section: the first, what the next choice takes */
    uint32_t drawn_count;
    uint32_t held_before;                        /* its section: held_last in front of it */
    uint32_t operations_before, accesses_before; /* std::lock: those in it do not count */
    int64_t deadline_passed; /* what mz_deadline_now() is to say next; 0: nothing special */
    uint32_t reused;         /* how often malloc has returned memory to it that was freed: reuse.c */
    uint32_t chosen;         /* how often it has chosen, for the names of inputs that have none: inputs.c */
    uint32_t chosen_from;    /* its choices since its last progress are among the visits from here on */
    uint32_t chosen_last;    /* the last of these choices: spin.c */
    uint64_t blocked, pending, awaits; /* signals: it blocks them, they are there, it waits for one of them */
    uint32_t woken_by;                 /* a futex: by wakes with one of these bits */
    mz__control control;               /* as it was left */
    bool cancelled;                    /* it is to end */
    bool uncancellable;                /* it may not be ended now */
    bool symmetric;                    /* it has called mz_symmetric() */
    uint32_t peer;                     /* thread + 1 that goes first; 0: none. See pthread/peers.c */
    uint32_t group;                    /* the same of the first of all its peers, its own if it is that */
    bool woke_by_itself;               /* from a condition wait, as it may once: --spurious */
    bool outside;                      /* it touches nothing of the program: outside.c */
    uint32_t outside_events, outside_operations; /* what it had done then */
} mz__cold;

typedef struct mz__thread {
    /* The stack for its hooks ends where its record begins: both are saved in one piece. */
    _Alignas(64) char hook_stack[MZ__HOOK_STACK_BYTES];

    /* Saved as a whole whenever the thread runs. */
    _Alignas(64) void *sp;
    uint64_t saved_in; /* serial of the step that has saved it */
    size_t saved_at;   /* length of the trail after that, 0 if its stack was not saved up to the top */
    uintptr_t pc, entry_sp, frame_pointer; /* of the pending operation */
    uintptr_t body_sp;                     /* the stack pointer in the body of the function entered last */
    uintptr_t hashed_to; /* the local state was compared up to here; all ones: up to the top */
    uintptr_t
        saved_top;   /* its stack is saved up to here; above, what it comes back to is saved when it does */
    uint32_t events; /* operations performed */
    uint32_t operations;  /* counted operations begun, as wire/plan_format.h defines them: events or not */
    mz_threads joined;    /* since its last event: all that these have done comes before its next one, too */
    mz_threads caused_by; /* threads with an event that its next operation comes after, see cause_index */
    /* Visits and reads since its last progress: [from, count). Both lists only grow in an execution, so that
     * going back means going back to an earlier count, and nothing in them is saved. */
    uint32_t visits_from, visit_count, reads_from, read_count;
    uint64_t visit_places; /* of those visits: a bit for each, see spin.c */
    uint64_t held;         /* sum of hashes of the mutexes it holds */
    int errno_value;
    uint32_t section;        /* depth of atomic sections */
    uint32_t section_frames; /* how many of these are functions called __VERIFIER_atomic_…: their assumptions
                                wait */
    uint32_t simple;         /* cell + 1 of the mutex whose simple section it is in, or is about to begin */
    uint32_t tried, tried_count; /* what that would touch: simple_sections.c */
    bool knows_others; /* what comes before it is more than what came before its creation: happens_before.c */
    mz__life life : 8; /* every line of this record is saved at every step: there is none to waste */
    bool detached;
    bool returned; /* its stack is gone */
    bool deferred; /* it goes on after a join later than it could have: see lazy_join() */
    uint32_t
        looked_unnoted;    /* visit_count when it last looked at what is its own but not in its local state */
    uint32_t unsettled;    /* read + 1: that place has been written since, perhaps with the same value */
    uint32_t slept;        /* visit_count when it last slept, where somebody looks at clocks */
    uint32_t change_count; /* its log of changes grows as the lists of its visits and reads do */
    uintptr_t deferred_at; /* the join */
    uint32_t joiner;     /* thread + 1 that waits for the end of this one, or has done so: see joiner_of() */
    uint32_t accesses;   /* plain ones of compiled code, counted as `operations` are */
    uint32_t hold_count; /* length of its log of locks taken */
    uint32_t held_last;  /* the lock it holds that it has taken last: an index of the log; 0: none */
    mz__pending pending; /* last: only those of its accesses are saved that there are */

    /* What else is used at every step stands in one line: there are many threads, and little room in the
     * fastest memory. These two never change. */
    _Alignas(64) uintptr_t stack_top;
    uint32_t number;
    /* Never forgotten. */
    mz__visit *visits;
    mz__seen *reads;
    mz__change *changes;
    size_t visit_capacity, read_capacity, change_capacity;

    mz__cold cold;

    /* Saved piece by piece. */
    _Alignas(64) uint64_t clock_saved_in;
    mz__clock clock; /* happens-before of the program */
    uint32_t cause_index[MZ_MAX_THREADS];
    mz__registers waits_at;          /* of the program, at its last call that may wait; if has_boundaries */
    mz__clock fenced;                /* its clock at its last release fence */
    mz__clock unfenced;              /* what relaxed loads have seen: acquired by the next acquire fence */
    mz_cause causes[MZ_MAX_THREADS]; /* scratch: the same as a list */

    /* Never forgotten. */
    mz__hold *holds;  /* [1 … hold_count] */
    mz__drawn *drawn; /* choices of its sections; as the lists above, it only grows in an execution */
    size_t hold_capacity, drawn_capacity;
    mz_access reads_only[MZ__MOST_ACCESSES]; /* scratch: its accesses where its condition does not hold */
    mz_access *section_accesses;             /* of the atomic section that is pending: what it would touch */
    uint32_t section_access_count;
    size_t section_access_capacity;

    /* Saved piece by piece, too; but so large, and so seldom used, that it would keep the rest apart. */
    struct {
        uintptr_t pc;
        uint32_t count;
    } iterations[MZ__UNROLL_SLOTS]; /* --unroll */
} mz__thread;

/* MZ__EQUAL: the data have the value with which they are compared. (A call of memcmp would take longer.) */
static inline bool mz__is_as_expected(const mz__pending *p)
{
    const void *data = (const void *)p->address;
    return p->size == 4   ? *(const uint32_t *)data == (uint32_t)p->expected[0]
           : p->size == 8 ? *(const uint64_t *)data == p->expected[0]
                          : memcmp(data, p->expected, p->size) == 0;
}

#endif
