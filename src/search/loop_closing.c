/* Closing executions at loop boundaries.
 *
 * A program that serves requests for ever has executions without end, but often only few states in which all
 * its threads are between two requests. It says where that is: mz_loop_boundary(), the beginning of an
 * iteration. A thread that comes there waits until no other thread can go on (each is at its boundary, too,
 * has ended, or waits for what only the others could do); then all go on together. When that state was met at
 * a boundary before, the execution ends there: what follows is explored from where it was met first.
 *
 * Why nothing is lost. Call what lies between two boundaries a segment.
 *
 * (1) The event that opens a boundary comes after every event before it, and the next event of every thread
 * at the boundary comes after it (both are program order for the algorithms: causes, no races). Who waits
 * elsewhere goes on only after another thread's event has let it, and the first of those is one after the
 * boundary. So every event after a boundary happens after every event before it.
 *
 * (2) So no race crosses a boundary, with one exception: the operation of a thread that waits there without
 * success, may have been possible earlier, before what it waits for was taken. Such operations are looked at
 * when an execution ends as well as when they happen at last (search/races.c, (2); dpor looks back for all
 * that is pending in every state), and what they race with is the same in both cases: all that follows the
 * boundary happens after all before it, and is in no notdep(e) of an event e before it.
 *
 * (3) Nobody sleeps at a boundary. A thread sleeps because its operation is possible and was explored
 * elsewhere, and it sleeps while nothing dependent happens, so that its operation stays possible. At a
 * boundary the only one that can go on is the thread that opens it, which could not do so before.
 *
 * (4) By (2) and (3) what the search explores from a state at a boundary, up to the next one, depends on the
 * state alone; it is what it would explore if that were the initial state, and no node before the boundary is
 * asked to explore more because of what comes after it, but by (2). The claim of search/races.c holds for
 * sequences within a segment: let s be possible from a node, q be explored from there, x be the first event
 * of s in conflict with q. Before x nobody in s opens a boundary: q is possible all the while.
 *
 * (5) Hence every state at a boundary that some execution reaches is found, by induction over its number of
 *     segments: the state before was met (first, or again: then it was explored where it was met first,
 * perhaps the search is still below it), and all traces of the segment that follows were explored from there.
 * The same goes for an error, or an end, in a segment.
 *
 * That two states with the same fingerprint are followed by the same is the machine's promise
 * (program/runtime/boundary/loop_boundary.c).
 *
 * Algorithms with this argument have `closes_loops` set: those that reverse races along a tree of executions,
 * or explore everything. It was not made for those that plan whole executions (lazy, eager, dc, rf), go from
 * one trace to the next (optimal), or count something along an execution (bounded). */
#include "search/loop_closing.h"

#include <assert.h>

static void stop_growing(mz_search *s)
{
    mz_text difference = {0};
    if (s->machine->class->describe_growth)
        s->machine->class->describe_growth(s->machine, &difference);
    mz_search_stop(
        s,
        "there are more than %llu states at the loop boundary (--boundary-states); the last two differ "
        "in %s; what does not matter can be left out with mz_boundary_ignore()",
        (unsigned long long)s->options.boundary_states, mz_text_string(&difference));
    mz_text_release(&difference);
}

bool mz_boundary_closes(mz_search *s)
{
    mz_hash state;
    mz_text problem = {0};
    uint64_t limit = s->options.boundary_states, known = s->statistics.boundary_states;
    assert(!mz_threads_any(s->nodes[s->execution->length].sleep));
    if (!s->machine->class->boundary_state(s->machine, limit > 0 && known + 1 >= limit, &state, &problem)) {
        mz_search_stop(s, "%s", mz_text_string(&problem));
        mz_text_release(&problem);
        return false;
    }
    if (!mz_hash_set_add(&s->boundaries, state))
        return true;
    if (limit > 0 && known == limit)
        stop_growing(s);
    else
        s->statistics.boundary_states++;
    return false;
}
