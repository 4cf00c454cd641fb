/* What the events of an execution observe: the order behind the reads-from equivalence.
 *
 * A location is *loose* if two executions that order its writes differently may be equivalent; other
 * locations are *strict*. The order of an observation is the least one that holds program order, causes, each
 * loose read after the write it reads from, and all conflicts on strict locations. Two executions are
 * equivalent if they have the same events, each with the same events before it (and the same choices): on
 * loose locations every read reads from the same write then, and nothing more is said.
 *
 * With every location strict, this is the happens-before of machine/execution.h, and the equivalence that of
 * Mazurkiewicz.
 *
 * Which locations are loose is learned:
 *  - A location that an operation waits for is strict. Whether it can go on is then the same after
 *    equivalent executions, which the search relies on. So is one that ceases to exist (MZ_LAST): whether a
 *    write comes before or after that, nobody may read, but it fails or does not. And one
 *    with which it is decided at the end whether memory is lost.
 *  - Of the others one is loose as soon as a write that does not read has been seen to follow a write of
 *    another thread which nothing else orders before it. Until then its writes are in the same order in all
 *    executions in which its reads read from the same writes: strict or loose, the classes are the same, and
 *    strict ones are faster. (Assume not, and take in some execution the first two writes that are next to
 *    each other and may be exchanged: what orders the one before the other is due to writes before them,
 *    which cannot be exchanged.) A location that is written by read-modify-writes alone, among them
 *    successful compare-and-swaps, never gets loose: each reads from the one before it. */
#ifndef MZ_ALGO_RF_OBSERVATION_H
#define MZ_ALGO_RF_OBSERVATION_H

#include "base/bytes.h"
#include "machine/execution.h"

typedef struct mz_location_nature {
    bool ordered;      /* the order of its writes decides what operations can do that do not read it */
    bool exchangeable; /* its writes may be */
    bool loose;
    bool
        written_on_the_way; /* or perhaps, by an operation that reads or writes something else, or reads it */
    mz_threads users;
} mz_location_nature;

/* An event that reads a loose location, the first one if there are several. */
typedef struct mz_reader {
    uint32_t position, location;
} mz_reader;

/* An event that directly comes after one of another thread because of a strict location; or, of events that
 * do not just read or write one strict location, MZ_NONE instead of that one. */
typedef struct mz_meeting {
    uint32_t position, before;
} mz_meeting;

typedef struct mz_observation {
    uint32_t width;
    uint32_t *clocks; /* [position + 1][thread], as in mz_execution, of this order */
    size_t length, clock_capacity;
    bool
        *covers; /* [position], of a write of a loose location: do all earlier writes of it come before it? */
    size_t cover_capacity;
    mz_reader *readers; /* in the order of their positions */
    size_t reader_count, reader_capacity;
    mz_meeting *meetings;
    size_t meeting_count, meeting_capacity;
    mz_location_nature *natures;
    size_t location_count, location_capacity;
    uint32_t most_accesses;     /* of an event, in all executions so far */
    bool reads_on_the_way;      /* a loose location is written on the way */
    uint64_t dependency_checks; /* as in mz_execution */
    /* A check looks at what is in its memory at the end; NULL if none does. */
    const mz_machine *looked_at;
    bool only_trees; /* loose locations must not connect threads in a cycle */
    bool learned;    /* the loose locations are others than those that `clocks` go by */
    bool impossible; /* an operation waits in a way for which there is no normal form, or a race decides what
                        is done */
} mz_observation;

void mz_observation_release(mz_observation *observation);
/* Begin anew, with what has been learned. */
void mz_observation_restart(mz_observation *observation, const mz_execution *execution);
/* The execution has only so many events left. */
void mz_observation_shorten(mz_observation *observation, size_t length);
/* Follow the execution: forget events that it has no more, add those that are new. */
void mz_observation_follow(mz_observation *observation, const mz_execution *execution);
/* Is any location loose? */
bool mz_has_loose(const mz_observation *observation);
/* What has been learned about locations, as bytes; and back into an empty one: false if they are none. */
void mz_observation_write(const mz_observation *observation, mz_bytes *out);
bool mz_observation_read(mz_observation *observation, mz_byte_reader *reader);
/* An operation that is still waiting at the end of an execution. */
void mz_observation_note_waiting(mz_observation *observation, const mz_operation *operation);

/* Of the event there; before all of them, at MZ_NONE, zero. */
static inline const uint32_t *mz_observed(const mz_observation *o, uint32_t position)
{
    return o->clocks + (size_t)(position + 1) * o->width;
}

static inline bool mz_is_loose(const mz_observation *o, uint32_t location)
{
    return location < o->location_count && o->natures[location].loose;
}

/* Does it depend on what the operation reads whether it writes? Whether an unlock fails is known to its
 * thread beforehand. */
static inline bool mz_may_only_read(bool conditional, mz_operation_kind kind)
{
    return conditional && kind != MZ_OP_UNLOCK;
}

/* Does the access tell from which write it reads, and nothing else? */
static inline bool mz_is_loose_read(const mz_observation *o, mz_access access)
{
    return (access.kind & MZ_READ) && mz_is_loose(o, access.location);
}

#endif
