/* Trace constraint systems: variables are events, constraints are pairs of dependent events of different
 * threads, either of which may come first; program order and causes are fixed. A solution is a linear order
 * of the events that obeys an orientation of all constraints and what is fixed; an orientation that has one
 * is satisfiable, which is to say acyclic. Each satisfiable orientation is one trace of the events.
 *
 * Not every orientation has to be looked at to find the satisfiable ones. The constraints are decided one
 * after the other. A constraint whose events are ordered already, by what is fixed and decided, is forced;
 * otherwise both directions are tried.
 *
 * (1) An acyclic partial orientation can always be completed: any linear order of the events that extends it
 *     orients the remaining constraints, and without a cycle. So every branch ends in a solution, there is no
 *     dead end.
 * (2) A constraint is forced exactly if its other direction closes a cycle. So no satisfiable orientation is
 *     missed; and none comes twice, as two branches differ in the constraint where they part.
 * (3) Hence the inner nodes of the tree of decisions, each with two children, are one fewer than the
 * solutions: amortised a solution costs two updates of the closure and one look at every constraint; from one
 * to the next there are at most as many updates as constraints. Nothing is allocated on the way.
 *
 * Maximal satisfiable prefixes, which LazyPOR solves in place of an unsatisfiable orientation, are the
 * decisions above a forced constraint. By (1) each is a part of some satisfiable orientation, whose solutions
 * solve the prefix, too: who looks at all satisfiable orientations misses none. */
#ifndef MZ_ALGO_SECTIONS_CONSTRAINTS_H
#define MZ_ALGO_SECTIONS_CONSTRAINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mz_constraint {
    uint32_t first, second; /* in the direction that is tried first */
} mz_constraint;

typedef struct mz_decision {
    size_t constraint; /* which */
    size_t log_mark;   /* the log before it */
    bool reversed;     /* its second direction is being tried */
} mz_decision;

typedef struct mz_constraints {
    uint32_t event_count, word_count; /* 64 events to a word */
    uint32_t *threads;                /* of each event */
    size_t thread_capacity;
    mz_constraint *fixed; /* edges beside program order */
    size_t fixed_count, fixed_capacity;
    mz_constraint *constraints; /* from the start on, those that nothing fixed decides */
    size_t constraint_count, constraint_capacity;

    /* Rows of bits, one per event: the events before it, after it (closed under transitivity), and those it
     * has a constraint with. */
    uint64_t *before, *after, *conflicts;
    size_t before_capacity, after_capacity, conflicts_capacity;

    mz_decision *decisions;
    size_t decision_count, decision_capacity;
    uint64_t *log; /* rows as they were: which (2·event, and 1 more for `after`), then the words */
    size_t log_length, log_capacity;
    bool begun;
    uint64_t solutions; /* so far */
} mz_constraints;

void mz_constraints_clear(mz_constraints *constraints);
void mz_constraints_release(mz_constraints *constraints);

/* A new event; it comes after the events of its thread that were added before. Returns its number, from 0. */
uint32_t mz_constraints_add_event(mz_constraints *constraints, uint32_t thread);
/* An event that comes after another in every solution (the edges must have no cycle). */
void mz_constraints_add_fixed(mz_constraints *constraints, uint32_t before, uint32_t after);
/* Two dependent events of different threads; the given direction is tried first. What is fixed to have one
 * direction is no constraint, and drops out at the start. */
void mz_constraints_add(mz_constraints *constraints, uint32_t first, uint32_t second);

/* All is added: nothing is decided. The system can be started again. */
void mz_constraints_start(mz_constraints *constraints);
/* The next satisfiable orientation; false if there is none left. The first one has every constraint in the
 * direction it was added with, unless these contradict each other. */
bool mz_constraints_next(mz_constraints *constraints);
/* Start, and decide the constraints in the given directions, up to the first one that contradicts those
 * before it: the maximal satisfiable prefix. Returns how many were decided. */
size_t mz_constraints_decide(mz_constraints *constraints, const bool *reversed);

/* 2^|constraints| orientations, less the satisfiable ones found so far: what trying all would have thrown
 * away. UINT64_MAX if it is not less than that. */
uint64_t mz_constraints_avoided(const mz_constraints *constraints);

/* The lexicographically least solution by thread of what is decided: of the events that nothing holds back,
 * the one of the lowest thread, and so on. `word` has room for every event. */
void mz_constraints_least_word(const mz_constraints *constraints, uint32_t *word);

static inline const uint64_t *mz_constraints_row(const mz_constraints *c, const uint64_t *rows,
                                                 uint32_t event)
{
    return rows + (size_t)event * c->word_count;
}

static inline bool mz_bit_of(const uint64_t *row, uint32_t event)
{
    return (row[event / 64] >> (event % 64)) & 1;
}

/* Is it decided, directly or not, that a comes before b? */
static inline bool mz_constraints_is_before(const mz_constraints *c, uint32_t a, uint32_t b)
{
    return mz_bit_of(mz_constraints_row(c, c->after, a), b);
}

/* for (each event e in the row of bits) */
#define MZ_FOR_EACH_EVENT(e, row, words)                                                                     \
    for (uint32_t e##_word = 0; e##_word < (words); e##_word++)                                              \
        for (uint64_t e##_bits = (row)[e##_word]; e##_bits; e##_bits = 0)                                    \
            for (uint32_t e; e##_bits && (e = e##_word * 64 + (uint32_t)__builtin_ctzll(e##_bits), 1);       \
                 e##_bits &= e##_bits - 1)

#endif
