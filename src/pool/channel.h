/* Messages between processes, over a stream of bytes: each has a kind and its length before it. */
#ifndef MZ_POOL_CHANNEL_H
#define MZ_POOL_CHANNEL_H

#include "base/bytes.h"

typedef enum mz_message_kind {
    MZ_MESSAGE_ITEM,    /* to a worker: explore this. A work item */
    MZ_MESSAGE_SPLIT,   /* from it: items that it gives away. A frontier */
    MZ_MESSAGE_HARVEST, /* from it: it is done. A frontier with what is left, a harvest, what else was seen */
    MZ_MESSAGE_SUCCEED, /* from it: all that was explored is void, and only this worker knows why; to it: go
                           on */
    /* Of other ranks (pool/pool.h). What goes to them goes to their agents (session/ranks/agent.h). */
    MZ_MESSAGE_JOB,      /* to an agent: a number, and all that is needed to explore items */
    MZ_MESSAGE_READY,    /* from it: the job of this number was begun. What came before is of another one */
    MZ_MESSAGE_STOP,     /* to it: the search of the item is to end */
    MZ_MESSAGE_PROGRESS, /* from it: traces and events of the item so far */
    MZ_MESSAGE_AT_HOME,  /* from it: this item is to be explored where its end can be told */
    MZ_MESSAGE_KINDS
} mz_message_kind;

/* False if nobody is there any more. */
bool mz_channel_send(int channel, mz_message_kind kind, const mz_bytes *bytes);
/* Waits for a whole one. False if nobody is there any more, or it is none. */
bool mz_channel_receive(int channel, mz_message_kind *kind, mz_bytes *bytes);

#endif
