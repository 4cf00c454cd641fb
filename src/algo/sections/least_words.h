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
 * Sets of events are words of bits, which limits a system to 64 events; the events are numbered thread by
 * thread for it, so that lower numbers are those of lower threads. */
#ifndef MZ_ALGO_SECTIONS_LEAST_WORDS_H
#define MZ_ALGO_SECTIONS_LEAST_WORDS_H

#include "algo/sections/constraints.h"
#include "machine/threads.h"

enum { MZ_MOST_LETTERS = 64 };

typedef struct mz_word_node {
    uint64_t ready;    /* next events of their threads, with their fixed predecessors in the word */
    uint64_t asleep;   /* of those */
    uint64_t children; /* that mz_least_words_next() has not gone to yet */
} mz_word_node;

typedef struct mz_least_words {
    uint32_t count, length;                                  /* events, and those in the word so far */
    uint32_t word[MZ_MOST_LETTERS];                          /* events of the system */
    mz_word_node nodes[MZ_MOST_LETTERS + 1];                 /* [0 … length] */
    uint64_t rest;                                           /* not in the word */
    uint64_t asleep_after[MZ_MOST_LETTERS][MZ_MOST_LETTERS]; /* [depth][child] */
    bool begun;
    bool causes; /* something is fixed beside the program order */
    /* By number, thread by thread. */
    uint64_t conflicts[MZ_MOST_LETTERS], before[MZ_MOST_LETTERS], after[MZ_MOST_LETTERS];
    uint32_t event[MZ_MOST_LETTERS], thread[MZ_MOST_LETTERS];
    uint64_t of_thread[MZ_MAX_THREADS];
    uint64_t dependency_checks; /* rows of conflicts that were looked at */
} mz_least_words;

/* At the root. The system, of 64 events at most, has been started and nothing of it decided. */
void mz_least_words_start(mz_least_words *words, const mz_constraints *system);

/* The first words are those that begin with the letters that were appended before; there are no others then.
 * The next whole word in lexicographic order, in words->word; *shared = how many of its first letters it
 * shares with the one before. False if there is none left. */
bool mz_least_words_next(mz_least_words *words, uint32_t *shared);

/* Or step by step. The threads with which the word so far goes on: none exactly if it is whole. */
mz_threads mz_least_words_children(mz_least_words *words);
/* Append the next event of one of the children (which must have been asked for). */
void mz_least_words_down(mz_least_words *words, uint32_t thread);
void mz_least_words_up(mz_least_words *words);

#endif
