/* The runtime of safe execution: it is linked into programs that `mazurka run` starts, and lets only verified
 * schedules happen (wire/plan_format.h). It needs nothing but wire/ and the C library, allocates nothing, and
 * starts no thread.
 *
 * Every thread counts its operations and compares the count with that of its next event in the plan: that is
 * all that an operation costs where nothing is constrained. Without a plan, and when a thread has left the
 * prefix behind, the next event is infinitely far away. A new thread begins so, too (the initial values of
 * mz__self): one that the plan does not know needs no record. */
#ifndef MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_H
#define MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "wire/operation.h"
#include "wire/plan_format.h"
#include "wire/record.h"
#include "wire/symbolic_format.h"

#define MZ__NEVER   UINT64_MAX
#define MZ__UNKNOWN UINT32_MAX /* the number of a thread that the plan does not name */

typedef struct mz__self {
    uint64_t count;     /* operations begun */
    uint64_t next;      /* from this count on there is something to do */
    uint64_t following; /* what `next` is when `store` is done with */
    bool store, plain;  /* the last hook was before a plain access, a write: it happens after the hook */
    const mz_plan_image *plan; /* as far as this thread knows it; NULL: not at all */
    const mz_plan_entry *entry, *end;
    uint32_t stage;    /* where the decision stood when it looked last: MZ_GUARD_PLAN | plan, or a guard */
    uint32_t number;   /* in the plan */
    uint32_t children; /* threads created */
    uint32_t chosen;   /* mz_choose and its kin: runtime_inputs.c */
    uint32_t picks;    /* by the signal that is happening */
    uint32_t kind, thread_id;
    uint64_t random, place;
    uint64_t recorded; /* the count of the operation whose beginning was written down last */
    uint32_t begun;    /* the count of the event that is happening, to be published; 0: none */
    uint32_t ends;     /* as in the plan; 0: not known */
    uint64_t most;     /* operations that any verified execution has of this thread; MZ__NEVER: not known */
    struct mz__kept *freed, *freed_last; /* blocks that it keeps itself: runtime_memory.c */
    uint32_t freed_count;
    uint64_t freed_bytes;
    bool left;        /* the prefix was complete when this thread went on beyond it */
    bool overtakes;   /* it has gone on beyond it before: each operation is looked at */
    bool locks;       /* no other instant operation is recorded meanwhile */
    uint32_t section; /* depth of atomic sections */
    uint64_t section_count, section_next;
} mz__self_record;

extern _Thread_local mz__self_record mz__self __attribute__((tls_model("initial-exec")));

/* How an operation is to happen. */
typedef enum mz__enforcement {
    MZ__FREELY,   /* as in any program */
    MZ__NOTED,    /* the same, but its end is to be told */
    MZ__ENFORCED, /* as it was verified: it need not wait for anything, and does not look at the clock */
} mz__enforcement;

/* Before and after every counted operation. `kinds`: those that it may have in a plan, as bits. */
mz__enforcement mz__begin_noted(uint32_t kinds, const volatile void *object);
void mz__end_noted(void);

#define MZ__KIND(name) (1u << MZ_OP_##name)
/* Beside the kinds: it never waits, so that recordings can tell its place in the order exactly. */
#define MZ__INSTANT (1u << 31)

static inline mz__enforcement mz__begin(uint32_t kinds, const volatile void *object)
{
    if (__builtin_expect(++mz__self.count < mz__self.next, 1))
        return MZ__FREELY;
    return mz__begin_noted(kinds, object);
}

static inline void mz__end(mz__enforcement mode)
{
    if (__builtin_expect(mode != MZ__FREELY, 0))
        mz__end_noted();
}

extern bool mz__counts_accesses, mz__needs_fences, __tsan_exact;

/* It turned out to change nothing. */
static inline void mz__end_as_read(mz__enforcement mode)
{
    if (__builtin_expect(mode != MZ__FREELY, 0)) {
        mz__self.kind = MZ_OP_READ;
        mz__end_noted();
    }
}

/* Before the thread waits, or ends, in a way that is no operation: what it has done so far is published. */
void mz__settle(void);

/* The program does what cannot be kept within verified schedules: told, and ended, while the prefix is not
 * complete; or whenever there is a plan. */
void mz__refuse(const char *what);
void mz__refuse_under_plan(const char *what);
struct mz__message;
/* Nothing more of the program happens: not even what it does at its end was verified. Returns if that is only
 * to be told. */
void mz__leave_verified_ground(struct mz__message *message);

/* An input has this value: that may decide which plan applies (runtime_stage.c). */
void mz__input_is_read(const char *name, int64_t value);
/* Its place in the number of a valuation of all inputs that the plan knows. False: it knows no such input. */
bool mz__digit_of_input(const char *name, uint64_t number, uint64_t *digit);
void mz__nondet_range(int64_t *low, int64_t *high);

/* The function is called when the program begins, with its arguments, before its constructors and those of
 * the parts of a library that are compiled into it: these are the beginning of main, and are counted. (What a
 * constructor attribute can ask for comes after those of the same priority that are linked earlier.) */
#define MZ__BEFORE_ALL_ELSE(function)                                                                        \
    __attribute__((section(".init_array.00001"), used)) static void *const function##_first = (void *)function

/* ---- threads (runtime_threads.c) ------------------------------------------------------------------------
 */

/* What a thread of the plan shows to others; each has cache lines of its own. */
typedef struct mz__participant {
    _Alignas(128) _Atomic uint32_t done; /* count of its last event of the plan that has happened */
    _Atomic uint32_t sleepers;           /* threads that may sleep until it changes */
    _Atomic uint32_t admitted;           /* count of the last one that it was let do: runtime_change.c */
    _Alignas(64) void *(*start)(void *); /* written by its creator */
    void *argument;
} mz__participant;

extern mz__participant mz__participants[MZ_PLAN_MOST_THREADS];

/* Become thread `number` of the plan. */
void mz__become(uint32_t number);
/* The number of the thread that the calling one is about to create. */
uint32_t mz__number_of_child(void);
/* The calling thread is about to end. */
void mz__thread_ends(void);
/* The environment that the program was started with; the value of a variable, or NULL; nothing that the
 * program starts inherits it. */
void mz__note_environment(char **environment);
const char *mz__variable(const char *name);
void mz__forget_variable(const char *name);
/* The calling thread is new: its objects are to be destroyed at its end. There is one in C++ programs only.
 */
extern void mz__thread_begins(void) __attribute__((weak));
/* Its number in the kernel. */
uint32_t mz__thread_id(void);

/* ---- memory (runtime_memory.c) ---------------------------------------------------------------------------
 */

/* From now on blocks that are freed are kept, up to so many bytes. */
void mz__keep_freed(uint64_t bytes);
/* The program frees this block; it may be NULL. */
void mz__give_back(void *block);
/* The calling thread ends: what it keeps is for all. */
void mz__leave_freed(void);
/* All threads are at a loop boundary: what is kept goes to the C library. */
void mz__free_iteration(void);

/* ---- recordings and delays (runtime_record.c) -----------------------------------------------------------
 */

extern bool mz__records, mz__delays;

void mz__begin_recording(void *memory);
/* The operation is about to happen; it has happened. */
void mz__record_begin(uint32_t kinds, const volatile void *object, uint64_t place);
void mz__record_end(void);
void mz__record(uint32_t phase, uint32_t thread, uint64_t count, uint32_t kind, uint64_t place);
void mz__delay(void);
/* The calling thread has to wait for this operation of another one. */
void mz__record_wait(uint32_t number, uint32_t count);

/* ---- waiting (runtime_wait.c) ----------------------------------------------------------------------------
 */

/* Wait while *word is `value`, at most until the absolute time, if there is one; ETIMEDOUT, or 0: look again.
 */
int mz__sleep_while(const _Atomic uint32_t *word, uint32_t value, clockid_t clock,
                    const struct timespec *until);
/* The same for so long, by a thread that is not counted as running, and that these bits name. */
int mz__nap_while(const _Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t milliseconds);
/* Those that a common bit names. */
void mz__wake_waiters(const _Atomic uint32_t *word, uint32_t bits);
void mz__wake(const _Atomic uint32_t *word, int threads);
/* At the start. */
void mz__count_processors(void);
/* A wait that may be short: how much is left until it is worth to sleep. */
typedef struct mz__hope {
    uint32_t spins, yields;
    bool begun, spun;
} mz__hope;
/* A moment passes; false: it does not, it is time to sleep. Then, when the wait is over. */
bool mz__hopes(mz__hope *hope);
void mz__has_hoped(const mz__hope *hope);
extern _Atomic uint32_t mz__running_threads; /* about: those that neither sleep nor join */
static inline void mz__pause(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* A lock for a few instructions, in a word of the program's object. */
void mz__take(_Atomic uint32_t *lock);
void mz__give(_Atomic uint32_t *lock);

/* ---- messages (runtime_message.c) ------------------------------------------------------------------------
 */

typedef struct mz__message {
    char text[512];
    size_t length;
} mz__message;

void mz__add_text(mz__message *message, const char *text);
void mz__add_number(mz__message *message, uint64_t number);
void mz__add_digits(mz__message *message, uint64_t number, unsigned base);
void mz__add_kinds(mz__message *message, uint32_t kinds);
/* " of lock" (runtime_names.c); nothing if it is no place. */
void mz__add_place(mz__message *message, uint64_t place);
void mz__say(mz__message *message);

/* ---- plans for iterations (runtime_boundary.c) -----------------------------------------------------------
 */

extern bool mz__iterates; /* there is such a plan */
/* All that may be waited for of the calling thread's iteration has happened. */
void mz__end_iteration(enum mz_record_place where);
/* Nothing of the thread's next one has. */
void mz__forget_iteration(uint32_t thread);
/* The calling thread counts from here. */
void mz__begin_iteration(void);
/* Told to runtime_boundary.c: the calling thread waits for that operation of another one; it does no more;
 * something that others may wait for has happened. */
extern void (*mz__tell_held)(uint32_t by, uint32_t count);
extern void (*mz__tell_let_go)(void), (*mz__tell_published)(void);

#endif
