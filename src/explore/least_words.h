/* All solutions of a trace constraint system, each as its lexicographically least word by thread, in
 * lexicographic order: consecutive words share prefixes, and the words form a trie that is walked without
 * being built.
 *
 * A word is built letter by letter. A letter is a thread: its next event, which must have its fixed
 * predecessors behind it. The word is the least one of its trace if no event could stand further to the left
 * in front of one of a higher thread: an event with a constraint to none of the events from there on. So
 * where the thread q is chosen, the next events of the lower threads fall asleep, and sleep until an event
 * with a constraint to theirs is chosen. (That sleep sets keep exactly the least words is the local test for
 * lexicographic normal forms: Anisimov and Knuth.)
 *
 * Not every such prefix can be completed with all events: one that sleeps must be woken. The rest of the
 * events can be ordered so that each sleeping one has a conflicting one before it exactly if this ends with
 * none left: take away all events that sleep and what is fixed to come after them; whichever sleeps and has a
 * constraint to one of the others can be woken and is none of those that sleep; repeat. If it ends so, the
 * events in the order in which they came free are such an order. If some are left, then in any order of the
 * rest the first of them (what is fixed to follow them comes later) has only the others before it, and no
 * constraint to these. So the children of a node are known before any is entered: there is no dead end, every
 * leaf is a solution.
 *
 * The events asleep at a node are also what `eager` needs to know of the siblings: its sleep set, within the
 * section. */
#ifndef MZ_EXPLORE_LEAST_WORDS_H
#define MZ_EXPLORE_LEAST_WORDS_H

#include "core/threads.h"
#include "explore/constraints.h"

typedef struct mz_word_node {
    mz_threads ready;    /* their next event has its fixed predecessors in the word */
    mz_threads asleep;   /* of those */
    mz_threads children; /* that mz_least_words_next() has not gone to yet */
} mz_word_node;

typedef struct mz_least_words {
    const mz_constraints *system; /* started, nothing decided */
    uint32_t length;              /* of the word so far */
    uint32_t *word;               /* its events */
    mz_word_node *nodes;          /* [0 … length] */
    uint64_t *rest;               /* the events not in the word, a row of bits */
    uint64_t *available;          /* scratch */
    uint32_t *successor;          /* of each event the next of its thread, or UINT32_MAX */
    size_t word_capacity, node_capacity, rest_capacity, available_capacity, successor_capacity;
    uint32_t next[MZ_MAX_THREADS]; /* event of each thread that has one left */
    mz_threads unfinished;
    bool begun;
    bool causes; /* something is fixed beside the program order */
} mz_least_words;

/* At the root. The system must stay as it is while the words are walked through. */
void mz_least_words_start(mz_least_words *words, const mz_constraints *system);
void mz_least_words_release(mz_least_words *words);

/* The next whole word in lexicographic order, in words->word; *shared = how many of its first letters it
 * shares with the one before. False if there is none left. */
bool mz_least_words_next(mz_least_words *words, uint32_t *shared);

/* Or step by step. The threads with which the word so far goes on: none exactly if it is whole. */
mz_threads mz_least_words_children(mz_least_words *words);
/* Append the next event of one of the children. */
void mz_least_words_down(mz_least_words *words, uint32_t thread);
void mz_least_words_up(mz_least_words *words);

#endif
