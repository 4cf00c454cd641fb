/* Plans: which schedules of a program are verified, so that only these may happen (safe execution).
 *
 * A plan is the first trace T of a verification, complete and safe, and a number d: of every execution that
 * begins with the first d events of T, in any order that agrees with happens-before, all continuations are
 * verified. It begins as d = |T| and only ever shrinks. An execution under a plan keeps these two rules:
 *
 *   - an event of T whose rank (position in T) is less than d happens after those of its happens-before
 *     predecessors that are of other threads: its *waits*, transitively reduced;
 *   - any other event happens after all events of T with a rank less than d, unless it is known to be
 *     independent of those that have not happened yet: plain accesses are not counted, and the object that it
 *     operates on is none of those that they operate on, which are all known as places below.
 *
 * Why that keeps an execution inside what was verified: safe/plan/extract.c.
 *
 * Or a plan is a *constraint set*: edges between events, found by leaving out what is not needed of the
 * above. Then an event happens after its waits, and all else is free. Why that is enough, and what an event
 * is there, as T is only one of many executions: safe/plan/constrained.c.
 *
 * A constraint set may be one *for iterations*, of a program with loop boundaries (mz_loop_boundary() of
 * mazurka.h): a thread counts from its last boundary, or from its beginning, and the set holds for every
 * iteration anew. Threads wait for each other at boundaries. An event waits for another one, or for the end
 * of the iteration of its thread: that is where the thread comes to its boundary, or ends. Why that is
 * enough: safe/plan/constrained.c.
 *
 * NAMES. A thread is named by its path: the i-th thread created by thread p, from main down. An event is
 * named by its thread and its count: how many *counted operations* the thread had begun, itself included
 * (from 1). What is counted depends on nothing but the thread's own code and what it reads, neither on the
 * schedule nor on what was found to be shared:
 *
 *   - every atomic access (all __tsan_atomic…, whatever its order; a fence is not counted);
 *   - every operation on a synchronisation object, once per operation that doc/events.md lists for it,
 * whether or not it turns out to be an event (pthread_cond_wait: 2, _timedwait: 3; what is "no event" there
 * is not counted: a recursive mutex that is kept, create, join, exit);
 *   - every choice and input (mz_choose, mz_input_int, __VERIFIER_nondet_…, but for a pointer);
 *   - if the plan says `accesses` (races were found, and are no errors), also every plain access of compiled
 *     code (__tsan_read…, __tsan_write…, ranges; one per call), and every free() of a block, as an update.
 * The other functions of the C library are not counted.
 *
 * Constructors of the program are the beginning of main. A program with atomic sections (mazurka.h,
 * __VERIFIER_atomic_…) or pthread_cancel has no plan.
 *
 * THE FILE (.mzs), version 5. UTF-8 text, a thing per line as in trace.h, the same escapes. The first line is
 * 'mazurka-plan 5' (versions 1 to 3 are still read, unless there are inputs: these were not counted; up to 4
 * they say nothing of premises but the arguments); then
 *
 *   file NAME, compiler NAME, flag WORD, link WORD, argument WORD     as in trace.h
 *   image HASH               of the code and data that were verified; '-': it is not known
 *   counts operations|accesses
 *   racing KEY …              accesses count only at these lines of the source (wire/site.h); '-': at none;
 *                             without such a line of the file: everywhere
 *   fences yes|no            racy stores are to be followed by a fence
 *   verified TRACES SHARE    for people
 *   bug MESSAGE              there is an execution that fails: the plan will not shrink any more
 *   nondet LOW HIGH          the range of __VERIFIER_nondet_… that was verified
 *   premise …, seen …, waives …
 *                            what it depends on: premise.h
 *   input …, guard …, plan …, reads …
 *                            several plans: symbolic.h
 *   thread PARENT.CHILD      thread 1, 2, … in the order of their numbers; thread 0 is main
 *   ends THREAD COUNT        in T the thread comes to its end after so many operations
 *   prefix D of LENGTH       d, and |T|; or 'rule edges': it is a constraint set;
 *                            or 'rule iterations': one for iterations
 *   event THREAD COUNT KIND PLACE WAITS PICKS | FILE:LINE | OPERATION
 *                            those with rank 0, 1, … d - 1, and then, of each thread, the next one (which
 *                            waits for all); also one that does not happen in T, because the program ends
 *                            while the thread waits. Of a constraint set: those that wait or are waited for,
 *                            in the order of T
 *   end
 *
 * KIND is a name of operation.h. PLACE is NAME+OFFSET, the bytes of a variable of the program with static
 * storage, by the name that it has in the symbol table (if one variable alone is called so), or '-': the
 * object or data that it touches, as far as that is the same in every run. (Not an offset in the image: what
 * was checked and what runs are linked differently. Who makes an image for a program looks the names up in
 * it.) Of a constraint set KIND is 'any', and PLACE '-', where not all executions do the same; of one for
 * iterations both are for people. WAITS are THREAD:COUNT with commas between them, or '-'; COUNT may be 'end'
 * there: of the iteration. PICKS is the thread that a signal wakes, or
 * '-'. What follows the first bar is for people.
 *
 * THE IMAGE is the same as the runtime needs it: one block of memory, shared between the verifier, which
 * makes `prefix` smaller, and the program, which reads it. All offsets are in bytes from its beginning. */
#ifndef MZ_WIRE_PLAN_FORMAT_H
#define MZ_WIRE_PLAN_FORMAT_H

#include <stdint.h>

#define MZ_PLAN_MAGIC       "mazurka-plan"
#define MZ_PLAN_VERSION     5
#define MZ_PLAN_IMAGE_MAGIC UINT64_C(0x316e616c70617a6d) /* "mzaplan1" */
/* Everything that a reader allocates is bounded by this. */
#define MZ_PLAN_MOST_BYTES   (1u << 30)
#define MZ_PLAN_NO_PLACE     UINT64_MAX
#define MZ_PLAN_PICKS_NOBODY UINT32_MAX
#define MZ_PLAN_MOST_THREADS 64
#define MZ_PLAN_ANY_KIND     UINT32_MAX /* not every execution does the same there */
/* Of a plan for iterations: the count of an event that is waited for, if it is the end of its thread's
 * iteration. */
#define MZ_PLAN_ITERATION_END UINT32_MAX

/* With which a program ends that has left verified ground, if it is to stop there. */
#define MZ_PLAN_EXIT_DIVERGED 70

enum {
    MZ_PLAN_COUNTS_ACCESSES = 1, /* plain accesses are counted, too */
    MZ_PLAN_NEEDS_FENCES = 2,    /* racy stores are followed by a fence */
    MZ_PLAN_WARNS = 4,   /* leaving verified ground is told, and the program goes on; otherwise it stops */
    MZ_PLAN_RECORDS = 8, /* the order of events is written down */
    MZ_PLAN_EDGES_ONLY =
        16, /* a constraint set: the prefix is all of the entries, and nothing waits for it */
    MZ_PLAN_ITERATIONS =
        32, /* a constraint set for each iteration anew: counts begin at a thread's last loop boundary */
    MZ_PLAN_SERIALISES = 64, /* when it is told, one thread at a time goes on (with MZ_PLAN_WARNS) */
};

/* What a program does that leaves verified ground: in the order of the words of --on-divergence. */
typedef enum mz_on_divergence {
    MZ_DIVERGED_STOPS,
    MZ_DIVERGED_WARNS,
    MZ_DIVERGED_SERIALISES
} mz_on_divergence;

#define MZ_ON_DIVERGENCE_WORDS "stop|warn|serialise"

static inline uint32_t mz_divergence_flags(mz_on_divergence what)
{
    return what == MZ_DIVERGED_STOPS   ? 0
           : what == MZ_DIVERGED_WARNS ? MZ_PLAN_WARNS
                                       : (uint32_t)MZ_PLAN_WARNS | MZ_PLAN_SERIALISES;
}

typedef struct mz_plan_wait {
    uint32_t thread, count;
} mz_plan_wait;

/* An event of T. */
typedef struct mz_plan_entry {
    uint32_t count, rank;
    uint32_t kind;  /* mz_operation_kind */
    uint32_t picks; /* a signal wakes this thread, or MZ_PLAN_PICKS_NOBODY */
    uint64_t place; /* offset in the program's image, or MZ_PLAN_NO_PLACE */
    uint32_t first_wait, wait_count;
} mz_plan_entry;

/* A thread of T; its entries are in the order of their counts, and so of their ranks. */
typedef struct mz_plan_thread {
    uint32_t parent, child; /* of main: 0, 0 */
    uint32_t first_entry, entry_count;
    uint32_t ends; /* its next operation would have this count when it ends in T; 0: that is not known */
} mz_plan_thread;

typedef struct mz_plan_image {
    uint64_t magic;
    uint32_t flags, thread_count;
    uint32_t entry_count, wait_count;
    uint64_t threads, entries, waits; /* offsets of the arrays */
    uint64_t bytes;                   /* of all */
    _Alignas(64) uint32_t prefix;     /* d: atomic, only ever made smaller */
} mz_plan_image;

#endif
