/* The frontier: all that still waits to be explored of a program, as work items (search/items/work_item.h).
 *
 * A running search keeps what waits in the form that its algorithm walks fastest: backtrack sets in the nodes
 * of the path, lists of children, words of a trie. Its inner loop knows nothing of items, allocates nothing
 * and takes no lock. This is a uniform view of it. At the end of an execution a search can be asked
 *  - to give up (mz_search.pause = MZ_PAUSE_DISSOLVE): all that waits becomes items, and the search ends;
 *  - to give away (MZ_PAUSE_SPLIT): the largest subtrees become items, and it goes on without them.
 * A search that is stopped by a limit in the middle of an execution dissolves, too: that execution is an
 * item. mz_frontier_explore() explores one item in a search of its own. The items of a split and what is left
 * of the search part the tree: each trace is below exactly one of them.
 *
 * Nodes have owners. `source` and `dpor` add to the backtrack sets of earlier nodes while they search below
 * them. A node on the prefix of an item may be above several items at a time, so none of their searches may
 * add to it. The frontier owns it: it knows who sleeps there and whom somebody explores. A search that wants
 * more to be explored from there sends a message; if nobody has explored any of the threads in question, the
 * frontier makes another item. So a search owns the nodes below its root, and no others.
 *
 * Why nothing is missed, and nothing visited twice, with sleep sets. The argument of search/races.c is about
 * the tree when all is done: B, the threads explored from a node, in some order; each of them sleeps in the
 * branches that come later. That holds here with the order in which the frontier, or the search that owned
 * the node before, has given them out: an item's sleep set holds all that came before it at its node. Races
 * are reversed at every leaf, in the node's own search or by a message; no message is left when there are no
 * items left. Sleep sets alone keep traces from being visited twice, whatever B is.
 *
 * Epochs. What a search learns may make all that was explored so far worthless: a location is observed
 * loosely after all (algo/rf), a program is no section (algo/sections), a thread shares what nobody thought
 * it did (machine->begin_again), a level of preemptions is through (algo/bounded). Then the epoch ends: all
 * items and all results of it are void, and the next one begins with one item, the whole search. Whoever
 * counts traces begins at 0 when `epoch` has changed.
 *
 * Items of `bounded` share a memory (visits.h): what was explored after which trace. It belongs to the
 * frontier; the search of an item takes it and leaves it. So these are explored one after the other.
 * Of `lazy` there are no items: its calls refer to each other's results (algo/lazy/calls.h). Nor are there of
 * searches that prune visited states (--stateful, loop boundaries), nor with a safe prefix. These are not
 * paused; if a limit stops one, the frontier is `lost`. */
#ifndef MZ_SEARCH_FRONTIER_H
#define MZ_SEARCH_FRONTIER_H

#include "base/hash_set.h"
#include "search/items/work_item.h"
#include "search/search.h"

/* A node that the frontier owns. */
typedef struct mz_owned_node {
    mz_hash prefix; /* of the schedule that leads there; {0, 0}: free slot */
    mz_threads enabled, sleep;
    mz_threads explored; /* or being explored, or in items */
} mz_owned_node;

/* To the owner of a node: explore one of these threads from it. */
typedef struct mz_race_message {
    mz_schedule node; /* the steps that lead there */
    mz_threads any_of;
    uint32_t prefer; /* one of these, or MZ_NONE: any that is enabled */
    bool or_all;     /* if that one sleeps there, or is not enabled: all that are (dpor) */
} mz_race_message;

/* What a search has asked for at one node above it: to explore one thread of each of these sets. */
enum { MZ_MOST_ASKED = 8 };
typedef struct mz_asked {
    mz_threads sets[MZ_MOST_ASKED];
    uint32_t count; /* beyond that many the oldest one makes room */
} mz_asked;

typedef struct mz_frontier {
    uint64_t epoch;
    mz_work_item *items;
    size_t count, capacity;
    mz_owned_node *nodes; /* a table: open addressing, grows by doubling */
    size_t node_count, node_capacity;
    mz_race_message *messages; /* not delivered yet */
    size_t message_count, message_capacity;
    mz_hash_set asked;  /* by the search that goes on: which messages it has sent */
    mz_asked *asked_at; /* for what, by depth */
    size_t asked_count, asked_capacity;
    mz_bytes memory; /* what the items of the epoch share: the algorithm's own */
    bool has_more;   /* when there are no items left, there is another epoch */
    bool lost;       /* a search has ended in a way after which nobody knows what waits: an error, … */
    bool coarse;     /* what a limit leaves is of no use to anybody: mz_search_dissolve() need not tell it */
    bool left_whole; /* nor has it: an item waits that is explored in part */
    mz_text refused; /* why the last item was not explored; empty: it was */
} mz_frontier;

/* One item: the whole search. */
void mz_frontier_begin(mz_frontier *frontier);
void mz_frontier_release(mz_frontier *frontier);

/* The item with the shortest prefix, which is likely to be the largest subtree. There is one. */
size_t mz_frontier_largest(const mz_frontier *frontier);
/* Take an item out. It is the caller's. */
mz_work_item mz_frontier_take(mz_frontier *frontier, size_t index);
/* Put one in; its memory is the frontier's. */
void mz_frontier_put(mz_frontier *frontier, const mz_work_item *item);

/* Explore the item in a search that was just initialised. What is left, if it is paused or stopped, and what
 * others are to explore because of it, is put into the frontier. Where frontier->refused is not empty then,
 * the item does not fit the program. */
void mz_frontier_explore(mz_frontier *frontier, mz_search *search, void (*run)(mz_search *search),
                         const mz_work_item *item);

/* The two halves of it, for who gives out the items of one frontier to several: the search, whose messages
 * stay undelivered; and the owner of the nodes, who reads them. */
void mz_frontier_search(mz_frontier *frontier, mz_search *search, void (*run)(mz_search *search),
                        const mz_work_item *item);
void mz_frontier_deliver(mz_frontier *frontier);
/* Move owned nodes, or messages, from one to another. */
void mz_frontier_move_nodes(mz_frontier *to, mz_frontier *from);
void mz_frontier_move_messages(mz_frontier *to, mz_frontier *from);
/* Only those to nodes that `to` owns. */
void mz_frontier_move_known_messages(mz_frontier *to, mz_frontier *from);

/* All of it: items, owned nodes, messages, memory. */
void mz_frontier_write(const mz_frontier *frontier, mz_bytes *out);
/* False if the bytes are no frontier of this version; then it is empty. */
bool mz_frontier_read(mz_byte_reader *reader, mz_frontier *frontier);

/* ---- for algorithms -------------------------------------------------------------------------------------
 */

/* All that was explored so far is void: the whole search again, in this form. */
void mz_frontier_next_epoch(mz_frontier *frontier, mz_item_form form);
/* The item does not fit the program. */
void mz_frontier_refuse(mz_search *search, const char *why);
/* The search is not the owner of the node at this depth of its execution. */
void mz_frontier_ask(mz_search *search, size_t depth, mz_threads any_of, uint32_t prefer, bool or_all);
/* From now on the frontier owns the node at this depth of the execution. */
void mz_frontier_own(mz_search *search, size_t depth, mz_threads explored);

/* The form of the search's item. */
static inline mz_item_form mz_search_form(const mz_search *search)
{
    return search->item ? search->item->form : MZ_ITEM_ROOT;
}

/* Has the search been given a part of the tree only? */
static inline bool mz_search_is_part(const mz_search *search)
{
    return search->item && !search->item->whole;
}

#endif
