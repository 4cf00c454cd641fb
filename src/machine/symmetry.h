/* Interchangeable threads: the refinement `symmetry`.
 *
 * *Peers* are threads that do the same: exchange two of them in an execution, and another execution results.
 * One of these need not be explored. The rule, for peers a and b of which a comes first:
 *
 *     As long as they have done the same events, b makes its next one after a has made its own.
 *
 * "The same" is told by histories: the n-th events of both have the same kind and footprint and made no
 * choices, and each of their accesses commutes with that of the other one, with nothing in between that
 * conflicts: it belongs to the same *group* of accesses of its location (machine/execution.h). So both have
 * the same past, but for each other. The exchange of a and b then is an automorphism of the execution so far.
 *
 * (1) Nothing is lost. Take any execution, and the first step at which the rule is broken: b goes on though a
 *     has done as many events, the same ones. Exchange a and b from this step on. What results is an
 *     execution, isomorphic to the first one, and keeps to the rule for at least one step more. At most as
 *     many exchanges as there are steps lead to an execution that keeps to the rule throughout.
 * (2) It is a machine as any other. The event of a that b waits for is a cause of b's next one (machine.h):
 *     it comes first in every schedule. Whether there is such a cause follows from the past of b alone: b has
 *     done n events, so a has done n, and their groups are settled. What commutes keeps the groups.
 * (3) There are never more traces than without. All linearisations of a trace that keep to the rule have the
 *     same causes, and are one trace of this machine.
 *
 * Who is a peer of whom is for the front end to say: nothing that anybody observes may depend on which of
 * two peers is which. */
#ifndef MZ_MACHINE_SYMMETRY_H
#define MZ_MACHINE_SYMMETRY_H

#include "base/hash.h"
#include "machine/machine.h"

/* Histories end here: behind that many events no two threads are taken to have done the same. */
enum { MZ_PEER_EVENTS = 6 };

/* What a thread has done. Plain memory, without addresses: part of a machine's state. */
typedef struct mz_peer {
    mz_hash history[MZ_PEER_EVENTS]; /* [n]: of its first n + 1 events */
    uint32_t length;                 /* of its events, which may be more than that */
    uint32_t first;                  /* the peer that goes first, + 1; 0: none */
} mz_peer;

/* The accesses of a location that commute and have nothing in conflict between them. */
typedef struct mz_peer_group {
    uint32_t kind, number;
} mz_peer_group;

/* The thread has performed the operation; `alone`: what it does from now on is like nobody else's. */
void mz_peer_note(mz_peer *peers, uint32_t thread, mz_peer_group *groups, const mz_operation *executed,
                  bool alone);

/* Have both done the same, as far as the second one has come? */
static inline bool mz_peers_are_alike(const mz_peer *first, const mz_peer *second)
{
    uint32_t n = second->length;
    if (n > MZ_PEER_EVENTS || n > first->length)
        return false;
    return n == 0 || (first->history[n - 1].low == second->history[n - 1].low &&
                      first->history[n - 1].high == second->history[n - 1].high);
}

/* What the next operation of the thread comes after: an event of its peer. False if there is no such. */
static inline bool mz_peer_cause(const mz_peer *peers, uint32_t thread, mz_cause *cause)
{
    const mz_peer *second = &peers[thread];
    if (second->first == 0 || !mz_peers_are_alike(&peers[second->first - 1], second))
        return false;
    *cause = (mz_cause){second->first - 1, second->length + 1};
    return true;
}

/* Must the thread wait for its peer? */
static inline bool mz_peer_waits(const mz_peer *peers, uint32_t thread)
{
    mz_cause cause;
    return mz_peer_cause(peers, thread, &cause) && peers[cause.thread].length < cause.index;
}

#endif
