/* The ledger of a search that is made in parts: which items wait, which are leased to somebody, what came of
 * those that are done. It is one for all who search, and knows nothing of processes.
 *
 * Order. Items have places in the tree, and places have an order: that in which one worker alone comes to
 * them, depth first. A place is a sequence of numbers, compared from the left, the shorter one first. A
 * search at place P gives away what it would come to last (search/frontier.h): after n splits, item i of the
 * next one is at P, L-n, i, where L is a large number. So all that it does itself comes before what it gave
 * away, and what it gave away later comes first. Items that races ask for at the end of P come after all of
 * these: P, L, i.
 *
 * Why the result does not depend on who searches what, and when.
 *  (1) A search is a function of its item: what it visits, when it splits (after so many events) and what it
 *      sends. So is the tree of items, if nothing else makes items.
 *  (2) Races ask the owner of a node for items; what it answers depends on what was asked before. Messages
 * are therefore delivered in the order of places: those of P when everything before P is done. (3) Harvests
 * are added in the order of places. (4) A search ends at the first place where one ends early (an error,
 * mostly), in the order of places. What comes after it is void, and what comes before it is explored to its
 * end before anybody is told. One worker takes the first item that waits, always. So it explores in the order
 * of places, and ends at the first error, as if it knew of no ledger. */
#ifndef MZ_POOL_LEDGER_H
#define MZ_POOL_LEDGER_H

#include "pool/harvest.h"
#include "search/frontier.h"

/* A place: big-endian numbers of four bytes, so that memcmp compares. */
typedef mz_bytes mz_place_in_tree;

typedef struct mz_entry {
    mz_place_in_tree place;
    mz_work_item item;   /* of an entry that waits or is leased */
    uint32_t splits;     /* of a lease: so far */
    bool at_home;        /* to be explored on this machine */
    uint32_t killed;     /* so many processes that had it were killed by somebody */
    mz_bytes given;      /* of an entry that was leased before: what was split from it, each as a hash */
    size_t repeated;     /* and how much of that this lease has split again, in bytes */
    bool differs;        /* it has split something else: nobody knows what waits */
    mz_harvest harvest;  /* of what is done */
    mz_frontier unheard; /* of what is done: messages that were not delivered yet */
} mz_entry;

/* In the order of their places. */
typedef struct mz_entries {
    mz_entry **items;
    size_t count, capacity;
} mz_entries;

typedef struct mz_ledger {
    mz_entries waiting, leased, done;
    mz_frontier nodes;      /* the owner of nodes: no items are left in it */
    bool is_task;           /* a part of another ledger: what it asks of nodes that it does not know waits */
    bool has_end;           /* a search has ended early */
    mz_place_in_tree end;   /* where it has, and none at an earlier place */
    uint64_t next_scouting; /* after so many events, in the order of places; 0: never */
    bool has_words; /* it walks words (algo/sections/words.c), which is done without executions at random */
    size_t since_compaction;
} mz_ledger;

/* One item: the whole search. `scouts`: there are executions at random beside it, too. */
void mz_ledger_begin(mz_ledger *ledger, bool scouts);
void mz_ledger_release(mz_ledger *ledger);
/* All of it is void: the item that is given is the whole of the next epoch. */
void mz_ledger_begin_epoch(mz_ledger *ledger, mz_work_item *item);

/* The first item that waits; NULL if there is none before the end. */
mz_entry *mz_ledger_lease(mz_ledger *ledger);
/* The same for somebody elsewhere. */
mz_entry *mz_ledger_lease_away(mz_ledger *ledger);
/* Who has it gives items away, and nodes: all of those in `given`, which is empty then. */
void mz_ledger_split(mz_ledger *ledger, mz_entry *lease, mz_frontier *given);
/* Who has it is done with it, or was stopped before it had split what was split before: then it waits again,
 * and nothing has come of it. What is left goes back to what waits, and messages are kept until they are due.
 * `ends`: the whole search ends there. */
void mz_ledger_settle(mz_ledger *ledger, mz_entry *lease, mz_harvest *harvest, mz_frontier *left, bool ends);
/* It is not done: it waits again. What was split from it stays: by (1), whoever explores it next splits the
 * same, which is then left out. */
void mz_ledger_put_back(mz_ledger *ledger, mz_entry *lease);

/* What comes after the lease is void if nothing has ended the search before it. */
void mz_ledger_end_at(mz_ledger *ledger, const mz_entry *lease);
/* That is taken back: it ends where something that is done has ended it. */
void mz_ledger_forget_end(mz_ledger *ledger);
bool mz_ledger_ends_at(const mz_ledger *ledger, const mz_entry *lease);

/* Is there anything before the end that waits or is leased? */
bool mz_ledger_is_done(const mz_ledger *ledger);
/* Does the lease come after the end? */
bool mz_ledger_is_void(const mz_ledger *ledger, const mz_entry *lease);
/* How much was done so far: of these counters alone, whatever the order. */
mz_statistics mz_ledger_statistics(const mz_ledger *ledger);
/* What has come of it up to the end. Nothing of it is left in the ledger. */
void mz_ledger_total(mz_ledger *ledger, mz_harvest *total);

/* ---- as bytes, and in parts ------------------------------------------------------------------------------
 * To be written, nothing may be leased. */

void mz_ledger_write(const mz_ledger *ledger, mz_bytes *out);
/* False, and an empty ledger, if the bytes are none. Names live in the arena. */
bool mz_ledger_read(mz_byte_reader *reader, mz_ledger *ledger, mz_arena *names);
/* Of what waits, every n-th item from the i-th on: a ledger of its own, with nothing done. What its items ask
 * nodes that are not in it stays unheard until it is merged. */
void mz_ledger_deal(const mz_ledger *ledger, size_t i, size_t n, mz_ledger *task);
/* What is done and known here, without what waits. */
void mz_ledger_forget_waiting(mz_ledger *ledger);
/* All of another one, which is empty then. What was asked is heard when it is due. */
void mz_ledger_merge(mz_ledger *ledger, mz_ledger *other);

#endif
