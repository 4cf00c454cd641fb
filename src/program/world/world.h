/* The world of a program under test: its memory, its threads, what each of them is about to do.
 *
 * The compiler's hooks and the functions that stand in for the C library's have no argument to find their
 * context by, so this one is global: the runtime inside a checked program is the exception to the rule that
 * there is no global state. Names with mz__ stay inside src/native.
 *
 * One execution is one run of all fibers. A fiber runs until its next *operation on shared state*, describes
 * it (mz__announce), and switches to the scheduler; when it is resumed, the operation happens, and local work
 * follows up to the next one. Everything that changes is on the trail (trail.h). */
#ifndef MZ_PROGRAM_WORLD_WORLD_H
#define MZ_PROGRAM_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_set.h"
#include "machine/machine.h"
#include "program/memory/heap.h"
#include "program/program.h"
#include "program/symbols/symbols.h"
#include "program/world/fiber.h"
#include "program/world/thread.h"
#include "program/world/trail.h"

enum {
    MZ__MOST_CLOSING = 64,
    MZ__KNOWN_LOCK_ORDERS = 1024,
    MZ__ASSUMPTION_SLOTS = 256,
    MZ__MOST_IGNORED = 64,
    MZ__EAGER_JOINS = 256,
    MZ__MOST_CUTS = 8,
    MZ__MOST_CELLS = 1 << 20,
    MZ__VOLATILE_HOOKS = 20,
};

/* ---- memory (region.c) ------------------------------------------------------------------------------ */

/* Every thread has one slot of address space for its heap and one for its stack and thread-local variables:
 * addresses depend on the thread alone. */
#define MZ__ARENA UINT64_C(0x200000000000)
#ifndef MZ__HEAP_BITS /* address space, no memory; emulators of processors have less of it (meson.build) */
#define MZ__HEAP_BITS 32
#endif
#define MZ__HEAP_BYTES  (UINT64_C(1) << MZ__HEAP_BITS)
#define MZ__STACK_BYTES (UINT64_C(1) << 24)
#define MZ__HEAPS       (MZ_MAX_THREADS * MZ__HEAP_BYTES)
/* They do not begin all at the same place of a page: they would fight for the same lines of the cache. */
#define MZ__COLOUR UINT64_C(4416)
/* The part of a thread's stack slot that it uses as a stack. */
#define MZ__STACK_BASE(thread) (MZ__ARENA + MZ__HEAPS + (thread)*MZ__STACK_BYTES)
#define MZ__ARENA_BYTES        (MZ__HEAPS + MZ_MAX_THREADS * MZ__STACK_BYTES)

/* Who touched an 8-byte word, exact to the byte: at most two entries here, more in a chain. An entry is an
 * epoch (thread and its clock), the bytes, and how; for reports also where, and with which locks. */
typedef struct mz__shadow {
    uint32_t epoch[2];
    uint32_t place[2]; /* in the program's code */
    uint32_t held[2];  /* index of the thread's log of locks: held.c */
    uint8_t bytes[2];
    uint8_t how[2]; /* MZ__ENTRY_… */
    uint32_t more;  /* index of a further one in the chain, 0: none; and MZ__WORD_… */
} mz__shadow;

enum { MZ__ENTRY_WRITES = 1, MZ__ENTRY_ATOMIC = 2, MZ__ENTRY_FREES = 4 };
/* Beside the index in `more`: */
#define MZ__WORD_IS_EVENT  0x80000000u /* plain accesses to this word are operations on shared state */
#define MZ__WORD_IS_MIXED  0x40000000u /* there are plain and atomic ones */
#define MZ__WORD_IS_ATOMIC 0x20000000u /* there was an atomic one */
#define MZ__WORD_HAS_GAPS  0x10000000u /* some of its bytes belong to no variable */
#define MZ__WORD_IS_OBJECT 0x08000000u /* it may be one that was never initialised: is it ever written? */
#define MZ__WORD_IS_SET    0x04000000u /* that one was written */
#define MZ__WORD_FLAGS     0xfc000000u
#define MZ__MOST_CHAINED   0x04000000u

typedef struct mz__memory {
    mz__shadow *arena_shadow;
    uint8_t *heap_valid;        /* per 8 bytes of the heaps: how many of them exist */
    uint8_t *heap_written;      /* per 8 bytes: a bit for each that was written; NULL if nobody asks */
    uintptr_t image, image_end; /* the program's writable segments */
    mz__shadow *image_shadow;
    uint8_t *image_gaps;      /* per 8 bytes of them: a bit for each that belongs to no variable */
    uintptr_t code, code_end; /* the segments and everything that was loaded with them */
    char *image_copy;
    const void *tls_image; /* of the thread-local variables: initial values */
    size_t tls_image_bytes, tls_bytes, tls_align;
    struct {
        uintptr_t begin, end;
        bool writable; /* a variable that programs may set */
    } libraries[128];  /* data of the C library and its friends: not followed, but there */
    size_t library_count;
    size_t environment; /* which of them is the list of environment variables */
} mz__memory;

void mz__memory_create(void);
void mz__make_stacks_executable(void);
/* For an address in the program's own memory; NULL for any other. */
static inline mz__shadow *mz__shadow_of(uintptr_t address);
bool mz__is_there(uintptr_t address, size_t size, bool writes);
/* Not the program's own memory: known all the same? */
bool mz__is_library(uintptr_t address, size_t size, bool writes);
uintptr_t mz__stack_top(uint32_t thread);
/* Whose stack the address lies in. */
static inline uint32_t mz__owner_of_stack(uintptr_t address)
{
    return (uint32_t)((address - MZ__ARENA - MZ__HEAPS) / MZ__STACK_BYTES);
}
uintptr_t mz__tls_block(uint32_t thread);

/* ---- locations (cells.c) ---------------------------------------------------------------------------- */

/* What the algorithms call a location: some bytes that are always accessed together, or a synchronisation
 * object. Cells are found as the program touches them and are kept from one execution to the next. */
typedef struct mz__cell {
    uintptr_t address;
    uint32_t size;     /* 0: forgotten; nobody has touched it in this search */
    uint32_t owner;    /* the only thread that has touched it so far, MZ__NOBODY or MZ__SHARED */
    bool was_shared;   /* before the search began */
    bool object;       /* a synchronisation object */
    bool watched;      /* a mutex that is tried, initialised or destroyed while others may hold it */
    bool settled;      /* a variable of the program that only operations touch: see happens_before.c */
    bool simple;       /* a mutex whose sections are one event each: simple_sections.c */
    bool never_simple; /* a mutex with sections that are not */
    bool guards_differ, guarded_writes; /* data in simple sections: of several mutexes; they write it */
    uint32_t guard;                     /* data in simple sections: the mutex whose they are first, + 1 */
    uint8_t
        there; /* an object that is a variable of the program: how many bytes of it are known to be there */
} mz__cell;

/* Of a synchronisation object the first byte stands for the whole. */
enum { MZ__OBJECT_SIZE = 1 };
enum {
    MZ__NOBODY = UINT32_MAX,
    MZ__SHARED = UINT32_MAX - 1,
    MZ__NO_CELL = UINT32_MAX,
    MZ__OWN_CELL = UINT32_MAX - 1,
    MZ__WRITTEN_CELL = UINT32_MAX - 2
};

/* The cells of these bytes into cells[]; returns how many. */
uint32_t mz__cells_of(uintptr_t address, size_t size, bool object, uint32_t *cells);
/* Is one of these bytes a part of some cell? Of one of which this is true? */
bool mz__overlaps_cells(uintptr_t address, size_t size);
bool mz__some_cell(uintptr_t address, size_t size, bool (*is_true)(uint32_t cell));
/* If it is one cell that is easy to find; otherwise MZ__NO_CELL. */
static inline uint32_t mz__known_cell(uintptr_t address, size_t size);
/* The running thread touches it: has nobody else done so? If somebody has, it is shared from now on. */
bool mz__is_mine(uint32_t cell);
void mz__share_cell(uint32_t cell);
/* What is known before a search; and back to that, between two executions. */
void mz__note_what_is_shared(void);
void mz__forget_who_has_touched(void);

/* What exit() or quick_exit() calls; on_exit()'s get the status. */
typedef struct mz__exit_handler {
    void (*function)(void);
    void *argument;
} mz__exit_handler;

/* WATCHED: plain reads are looked at more closely. EXPOSED: the same, and what only this thread has touched
 * is looked at from now on. OVERDUE: the next hook is to give up. TIMED_OUT: the same, because
 * the time of the whole check is over. NARRATED: on time, and the next hook is to look at the values that the
 * operation of this step has left. */
enum { MZ__ON_TIME = 0, MZ__WATCHED, MZ__EXPOSED, MZ__OVERDUE, MZ__TIMED_OUT, MZ__NARRATED };

enum { MZ__MOST_EXITS = 5 };

/* What else a step changes, small enough to be saved as a whole. */
typedef struct mz__state {
    mz_status status;
    mz_threads joined;
    mz_threads deferred; /* threads whose join is over, but that have not gone on yet */
    mz_threads guarded;  /* threads whose pending operation may have to wait, but not to be woken */
    uint32_t
        thread_count;    /* numbers used so far: some of the lower ones may belong to threads not yet born */
    uint32_t chain_used; /* shadow entries */
    uint32_t tried_used; /* simple_sections.c: what was found out by trying */
    uint32_t exit_handlers, quick_exit_handlers;
    uint8_t exit_count, exit_statuses[MZ__MOST_EXITS]; /* with which the program has ended: see notes.c */
    bool aborted; /* it has ended otherwise than by exit() or the end of main */
} mz__state;

/* How to go back to where a step began. */
typedef struct mz__mark {
    size_t trail; /* its length; or where the stretch is that the step is in the middle of, see below */
    mz__state state;
} mz__mark;
/* A bit of `trail`: there is no going back to here alone, only to the step with which the stretch of this
 * thread began (and then forward again). */
#define MZ__IN_STRETCH ((size_t)1 << 63)

typedef struct mz__world {
    mz_machine base; /* first: what the algorithms see */
    mz__memory memory;
    _Alignas(MZ__LINE) mz__state state; /* copied at every step, in the largest pieces */
    mz__thread *threads;
    mz__thread *current;    /* NULL: the checker itself runs */
    int *errno_now;         /* where errno is: all fibers run in one thread */
    char *early_hook_stack; /* for the time before there is any thread */
    mz_choices *choices;

    mz__mark *marks; /* [steps]: before each step since the reset */
    size_t steps, mark_capacity;
    mz_operation *executed;                         /* the step that is being performed */
    mz__thread *stepping;                           /* the thread that performs it */
    mz_access *executed_into;                       /* what it accesses: executed_accesses, */
    mz_access executed_accesses[MZ__MOST_ACCESSES]; /* or the accesses of one of these: */
    mz_further further[MZ_MOST_FURTHER];
    mz_access *executed_section;
    size_t executed_section_capacity;
    mz_cause executed_causes[MZ_MAX_THREADS];

    /* A thread's number depends on how it came about alone (the i-th child of thread p), not on the order in
     * which threads happen to be created. */
    struct {
        uint32_t parent, child;
    } births[MZ_MAX_THREADS];
    uint32_t birth_count;

    mz__cell *cells;
    size_t cell_count, cell_capacity;
    uint32_t *cell_table; /* by address, open addressing; 0: free */
    size_t cell_table_size;
    /* Rounds in vain (rounds.c): places where some were closed, and a bit hash(pc) for each; what is known of
     * steps from there, by state and value, open addressing; what the one that is tried comes to. */
    uintptr_t closing[MZ__MOST_CLOSING];
    uint32_t closing_count;
    uint64_t closing_bits;
    mz__known_step *known_steps;
    size_t known_step_count, known_step_capacity;
    mz__seen *premises;
    size_t premise_count, premise_capacity;
    mz__trial trial;
    mz__shadow *chain;        /* further shadow entries */
    mz__published *published; /* [cell]; [MZ__MOST_CELLS + cell]: by readers */
    mz__published *guarded;   /* likewise: by simple sections that have written, or read, the cell */
    struct mz__special_word {
        uintptr_t word;
        uint32_t flags;
    } * special_words; /* what was learned about them: racy ones if races are no errors, mixed ones */
    size_t special_word_count, special_word_capacity;
    size_t object_word_count; /* of these: nothing special about accesses to them, MZ__WORD_IS_OBJECT */

    bool in_operation;               /* the running fiber performs an operation that was scheduled */
    void (*operation_is_over)(void); /* where a step is MZ__NARRATED */
    struct mz__covering *covering;   /* --coverage (coverage.h); NULL: nobody wants to know */
    uint64_t total_steps;            /* since the search began */
    bool tracks_changes;             /* rounds in vain may write what they take back: undone.c */
    uint64_t steps_again; /* steps of the searches that were given up for what rounds.c had learned */
    /* Of this step. They stand together: each step clears them. */
    uint32_t woken_count;
    uint32_t private_operations;
    bool gave_up, was_pruned;
    bool was_stuck;           /* with was_pruned */
    volatile uint8_t overdue; /* MZ__ON_TIME, or the running fiber has not come back for long: overdue.c */
    uint8_t overdue_at_first; /* what a step begins with: MZ__ON_TIME or MZ__NARRATED */
    bool chose_pick;          /* its signal has picked one out of several threads, a choice */
    uint32_t picked;          /* the thread that its signal wakes; MZ__NOBODY: none */
    mz_access *tried;         /* by simple sections that were tried: simple_sections.c */
    mz_access *footprint;     /* of the atomic section that runs */
    size_t footprint_count, footprint_capacity;
    bool section_blocked;
    bool section_runs; /* the event that is being performed is one, and is not over */
    mz__draw *draws;
    size_t draw_count, draw_capacity;
    bool has_sections;           /* some thread has come to one */
    bool notes_sections;         /* it is found out which critical sections are simple: section_notes.c */
    mz_threads boundary_members; /* those that have come to a loop boundary */
    /* The most counted operations between two boundaries, without and with plain accesses. */
    uint32_t longest_iteration[2][MZ_MAX_THREADS];
    bool waits_elsewhere; /* somebody waited meanwhile in a way that cannot be told outside of the checker */
    uintptr_t waits_elsewhere_at; /* where it did so */
    struct {
        _Alignas(16) uint32_t now; /* saved in pieces of 16 bytes, and the other one is never forgotten */
        _Alignas(16) uint32_t ever;
    } ignored_count;

    bool trying;      /* an atomic section is run only to see what it would touch */
    bool forgets;     /* at the next reset: what was noted in the search before, and not learned */
    bool exploring;   /* not the first, exploratory runs: new knowledge means beginning again */
    bool report_exit; /* so is a status other than 0 */
    bool report_misuse;
    bool report_memory, report_leaks, report_uninitialised;
    bool go_on_after_races;
    bool looks_ahead; /* `current` does not run: it waits, and what it looks at is noted (waits.c) */
    mz_race_treatment races;
    bool tolerates_races;                 /* some, or all, are no errors */
    struct mz_suppressions *suppressions; /* NULL: none */
    mz_hash_set known_races;              /* those that are no errors, met so far */
    bool plain_events;                    /* all plain accesses to what is shared are events */
    /* Calls of hooks that the program lists, by where they return to (sites.h): a bit for each byte of code;
     * NULL: it lists none. */
    uint64_t *listed_sites, *racing_sites; /* all; those that have announced an event */
    bool counts_racing_lines;              /* plain accesses of other lines have no names */
    bool met_unknown_line;                 /* another line has announced an event */
    bool goes_outside, asks_world;         /* some thread has done so, in whatever execution */
    bool unchecked;                        /* they are neither that nor looked at */
    bool join_at_exit;                     /* --main-exit=join */
    bool goes_on;                          /* after one thread is stuck, the others do: stuck.c */
    uint64_t most_steps;                   /* of one execution; 0: look at the events of each thread */
    uint64_t allowed_steps, most_events;   /* what was asked for: of an execution, of a thread (0: any) */
    bool has_left_threads;                 /* with more events than that */
    struct mz_flight *stuck_way;           /* what has led to the first one; NULL: not asked for */
    size_t eager_join_count;
    uintptr_t largest_frame; /* of a function, as far as it is of interest; see mz__window() */
    bool all_shared;         /* every cell is */
    uint64_t main_alone_in;  /* serial of the step in which main was found to be alone */
    uint64_t main_last_in;   /* serial of the step in which it was found to be the only living thread */
    bool plain_accesses;     /* threads touch memory that is not their own otherwise than by operations */
    bool ignores_order;      /* they do not: what orders such accesses is not kept, see happens_before.c */
    uintptr_t
        stack_shared_from[MZ_MAX_THREADS]; /* the lowest address of it that another thread has touched */
    bool stack_is_shared[MZ_MAX_THREADS],
        heap_is_shared[MZ_MAX_THREADS]; /* touched by another thread than its own */
    uint64_t
        *foreign_words[MZ_MAX_THREADS]; /* of a stack: a bit for each word that others touch; NULL: none */
    bool has_new_foreign_words;         /* some were found since the last reset */
    uintptr_t frames_left_to[MZ_MAX_THREADS]; /* frames below it have ended since the stack is shared */
    bool loops_wait;                          /* a spinning thread was found: stacks were compared */
    uint32_t unroll;                          /* 0: no limit */
    const mz_unroll_place *unroll_places;
    size_t unroll_place_count;
    bool counts_iterations; /* there are such limits */
    size_t cut_count;
    bool keeps_spin_rounds; /* rounds of choices that come to nothing are followed all the same */
    bool input_is_terminal; /* somebody has read standard input, and it is one */
    struct {
        bool happened;
        uintptr_t pc;
    } exits[256], abort_seen; /* with which statuses executions have ended, and one place for each */
    struct mz__assumption {
        uintptr_t pc; /* 0: none */
        bool held;
    } assumptions[MZ__ASSUMPTION_SLOTS]; /* that did not hold at least once; open addressing */
    bool spurious;                       /* --spurious: condition waits may end without a signal */
    bool volatile_is_atomic;             /* --volatile=atomic */
    bool volatile_was_atomic;            /* and there were such accesses */
    uint32_t reuses; /* --heap-reuse: how often each thread may get freed memory from malloc; 0: never */
    double patience; /* seconds of processor time that local work may take */
    uint64_t memory_limit;  /* bytes of the process; 0: not known */
    double deadline;        /* when the time of the search is over, of the monotonic clock; 0: never */
    bool takes_too_much;    /* a step has gone beyond the limit of memory, and was left */
    bool conditions_used;   /* pthread_cond_wait */
    bool limited_waits;     /* waits for condition variables that may end without a signal */
    bool ends_watched;      /* pthread_tryjoin_np and its kin: the end of a thread is an event */
    bool names_changed;     /* files are made, removed, renamed: looking for one is an event */
    bool files_written;     /* using a file is an event */
    bool buffered;          /* files are written through buffers of streams */
    bool signals_used;      /* the program has handlers, blocks signals, or sends some */
    bool clock_used;        /* somebody has asked how late it is */
    bool control_used;      /* how numbers are rounded, and the like, is changed with threads (control.h) */
    bool near_limit;        /* some semaphore was given so much that posts may be too many */
    bool writers_passed;    /* somebody came in to read while a writer waited */
    bool forks_awaited;     /* pthread_atfork */
    bool cancellation_used; /* pthread_cancel: waiting for something is to look for that, too */
    bool joins_cancelled;   /* joining a thread is to look for that, too */
    struct mz_order_sites *orders; /* those that are tried: NULL if it is as the program says */
    bool weak_orders, nondet_bounded, nondet_pointers, heap_used, inline_assembly,
        by_clang; /* what the verdict has to mention */
    bool by_gcc;
    const char *entries_with_null; /* "worker(NULL)" */
    char **entry_calls;            /* "push(q, 1)", in the order of their threads */
    size_t entry_call_count;
    const char *optimised; /* -O1 -O2; "": nothing */
    mz_text allowed_calls; /* functions that were called past the checker: a line for the verdict */
    uint32_t restarts;     /* how often the search has begun */
    int64_t nondet_low, nondet_high;
    struct mz__names {
        char **names;
        size_t count, capacity;
    } input_names, choice_names; /* all that were ever asked for: inputs.c */
    uint64_t inputs_read;        /* 1 << index of the name; on the trail */
    struct mz_flight *flight;    /* for the supervisor; NULL: none */
    volatile uint64_t pulse;     /* changes whenever the scheduler runs: for the watchdog */
    bool narrating;              /* keep the output of the program */
    mz_text output;

    /* Looking for the earlier access of a data race. */
    uintptr_t watch_address;
    uint32_t watch_thread, watch_epoch;
    uint32_t watch_place;
    uint8_t watch_bytes, watch_how;
    mz_failure watch_failure; /* the race; without words */
    uintptr_t raced_with;     /* the access before, of the race that was found last */
    mz_text watch_found;
    uintptr_t watch_block; /* looking for the free of a block that is used afterwards */

    /* Found on the way, and never forgotten (warnings.c, lock_order.c). */
    mz_warning *warnings;
    size_t warning_count, warning_capacity;
    mz_hash_set known_warnings;
    struct mz__lock_edge *lock_edges;
    size_t lock_edge_count, lock_edge_capacity;

    /* On the trail, which saves 16 bytes at least: what stands behind it never changes. */
    uint64_t signals_pending; /* for the program, and not for one of its threads: signals.c */
    uintptr_t libc_variables; /* the block that holds those of the C library (libc.h) */

    mz_symbols *symbols;
    void *library;
    bool has_exceptions;                                /* it is C++ */
    void (*const *constructors)(int, char **, char **); /* what the main thread begins with */
    size_t constructor_count;
    int (*main)(int, char **, char **);
    uintptr_t main_pc;
    uint64_t initial_heap; /* what constructors and argv take of the heap of thread 0 */
    int argument_count;
    char **arguments;
    struct {
        uintptr_t begin, end;
    } * atomic_functions; /* called __VERIFIER_atomic_… */
    size_t atomic_function_count;
    uintptr_t volatile_hooks[MZ__VOLATILE_HOOKS]; /* volatile.c */
    mz__registers left_at[MZ_MAX_THREADS]; /* where threads have called exit(): that is not on their stacks */
    mz__exit_handler exit_handlers[32], quick_exit_handlers[32];

    /* So large that they would keep apart what is used at every step. */
    uint32_t woken[4 * MZ_MAX_THREADS]; /* threads that go on in this step, beside the one that was chosen */
    uintptr_t eager_joins[MZ__EAGER_JOINS]; /* calls of pthread_join after which a thread goes on at once */
    struct mz__ignored {
        uintptr_t begin, end;
    } ignored[MZ__MOST_IGNORED],
        ever_ignored[MZ__MOST_IGNORED]; /* mz_boundary_ignore(): now; in any execution */
    struct mz__unroll_limit {
        uintptr_t pc;
        uint32_t limit;
    } unroll_limits[MZ__UNROLL_SLOTS], cuts[MZ__MOST_CUTS]; /* what is known; where a limit was reached */
    uint64_t known_lock_orders[MZ__KNOWN_LOCK_ORDERS];      /* by hash */
} mz__world;

extern mz__world mz__w;

/* Of a deep stack only the lower end is saved and compared at every step, and more when the thread is about
 * to return there (its functions say when they end). The frame of the running function and that of its caller
 * must lie within: locals that nobody else can see are written without a hook. */
static inline uintptr_t mz__window(void)
{
    return (65536 + 2 * mz__w.largest_frame) & ~(uintptr_t)(MZ__LINE - 1);
}

/* Where what is saved of the stack of a thread begins whose code has this stack pointer; and is it saved as a
 * whole? */
static inline uintptr_t mz__saved_from(uintptr_t sp)
{
    return sp & ~(uintptr_t)(MZ__LINE - 1);
}
static inline bool mz__saves_whole_stack(const mz__thread *t, uintptr_t sp)
{
    return t->stack_top - mz__saved_from(sp) <= mz__window();
}

/* A function that ends with its stack pointer this close below returns into what was not looked at. */
static inline uintptr_t mz__window_margin(void)
{
    return 4096 + 2 * mz__w.largest_frame;
}

/* Is this word of a thread's stack one that others touch? Its local state is the rest. */
static inline bool mz__is_foreign_word(uint32_t thread, uintptr_t address)
{
    const uint64_t *bits = mz__w.foreign_words[thread];
    size_t word = (address - MZ__STACK_BASE(thread)) >> 3;
    return bits && (bits[word >> 6] >> (word & 63) & 1);
}

/* To change what changes seldom. */
static inline mz__cold *mz__cold_of(mz__thread *t)
{
    if (t->cold.saved_in != mz__trail_now.serial) {
        MZ__SAVE(t->cold);
        t->cold.saved_in = mz__trail_now.serial;
    }
    return &t->cold;
}

/* A word about the fiber that runs now. */
static inline uint32_t mz__me(void)
{
    return mz__w.current ? mz__w.current->number : 0;
}

static inline mz__shadow *mz__shadow_of(uintptr_t address)
{
    if (address - MZ__ARENA < MZ__ARENA_BYTES)
        return mz__w.memory.arena_shadow + ((address - MZ__ARENA) >> 3);
    if (address - mz__w.memory.image < mz__w.memory.image_end - mz__w.memory.image)
        return mz__w.memory.image_shadow + ((address - mz__w.memory.image) >> 3);
    return NULL;
}

/* A writer waits for readers, of whom none is the first (machine.h). */
static inline bool mz__is_crowded(const mz__pending *p)
{
    return MZ_UNLIKELY(p->guard == MZ__WRITABLE) && (mz__w.base.relation & MZ_REFINES_CLASSES);
}

/* Where in the table of cells a search for the address begins. */
static inline size_t mz__first_slot(uintptr_t address)
{
    return (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (mz__w.cell_table_size - 1);
}

static inline uint32_t mz__known_cell(uintptr_t address, size_t size)
{
    if (!mz__w.cell_table)
        return MZ__NO_CELL;
    uint32_t found = mz__w.cell_table[mz__first_slot(address)];
    if (!found)
        return MZ__NO_CELL;
    const mz__cell *cell = &mz__w.cells[found - 1];
    return cell->address == address && cell->size == size ? found - 1 : MZ__NO_CELL;
}

#endif
