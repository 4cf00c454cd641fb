/* Sections (Eager POR): a part of the program's future in which every order of the events is possible, with
 * the same events and the same conflicts, so that all its traces can be planned at once.
 *
 * A section is built along its first word: each thread goes on as far as it may, one after the other. A
 * thread is taken no further where an event could be another one in another order of the section:
 *
 *  - An event *varies* if what it reads depends on the order: another thread writes it in the section, or the
 * thread itself has written it there in an event that varies.
 *  - An event that steers (where its thread goes, or what it touches, depends on what was read) and varies is
 * the thread's last one in the section: this is the paper's (A), and the part of (B) that goes through local
 * variables.
 *  - An event whose own footprint depends on what it reads (dynamic, conditional) must not vary: the rest of
 * (B), transitive, as varying values are followed through the thread's writes.
 *  - An event that waits, or is an operation on a synchronisation object, conflicts with nothing in the
 * section and does not vary: what blocks cannot be put into any order.
 *  - Choices are made behind an event: it is the thread's last one.
 *
 * Then any order of the events that keeps the program order can be executed, and all of them have the same
 * footprints: by induction over the order, each event finds its thread where it was in the first word,
 * because those before it in the thread read the same or do not steer. */
#ifndef MZ_ALGO_SECTIONS_SECTIONS_H
#define MZ_ALGO_SECTIONS_SECTIONS_H

#include "algo/sections/least_words.h"
#include "search/search.h"

typedef struct mz_member {
    uint32_t thread;
    bool steers;    /* a varying one must be its thread's last */
    bool sensitive; /* must not vary */
    bool exclusive; /* must not conflict */
    bool varies;
    bool depends; /* conflicts with another one */
} mz_member;

typedef struct mz_section {
    uint32_t start; /* position of its first event */
    bool closed;
    bool short_section; /* at most one event of each thread depends on others (the paper's section 4) */
    mz_threads threads; /* that may take part */
    mz_threads ended;   /* that do not go on */
    uint32_t last_thread;
    mz_member *members; /* by position - start */
    size_t count, member_capacity;
    mz_member *saved; /* as they were, should a candidate not be admitted */
    size_t saved_capacity;
    mz_constraint *pairs; /* members in conflict, the earlier one first */
    size_t pair_count, pair_capacity;
    uint32_t rank[MZ_MAX_THREADS], thread_of[MZ_MAX_THREADS]; /* threads in the order of the first word */
    uint32_t rank_count;
    mz_constraints system; /* over the members; its threads are ranks */
    mz_least_words words;
    uint64_t visited; /* words so far */
    bool passed_over; /* some words have not been visited, because threads slept */
} mz_section;

/* Begin at the end of the execution, with these threads. */
void mz_section_begin(mz_section *section, const mz_search *search, mz_threads threads, bool short_section);
/* Which thread to take next, MZ_NONE if no more can. */
uint32_t mz_section_next(mz_section *section, mz_threads ready);
/* The execution's last event has been performed: may it be a member? If not, the section is as before. */
bool mz_section_admit(mz_section *section, mz_search *search);
/* It is whole: from now on its words can be walked. */
void mz_section_close(mz_section *section);
/* A word of it has been visited. */
void mz_section_visit(mz_section *section, mz_search *search);
/* The search is through with it: count the constraint systems that need not have been made. Where words were
 * passed over because threads slept their number is not known, and nothing is counted. */
void mz_section_leave(mz_section *section, mz_search *search);
void mz_section_release(mz_section *section);

/* The threads with which the section's words go on after the first `length` letters, which are those of the
 * execution from the start on. None: the word is whole. */
mz_threads mz_section_children(mz_section *section, const mz_search *search, uint32_t length);

/* Of these threads, the first one in the order of the words. */
uint32_t mz_section_first(const mz_section *section, mz_threads threads);

/* Do its members conflict at all? */
static inline bool mz_section_is_planned(const mz_section *section)
{
    return section->pair_count > 0;
}

#endif
