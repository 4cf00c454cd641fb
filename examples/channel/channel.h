/* A channel: senders on one side, receivers on the other, any number of each, and room for a bounded number
 * of values in between. With room for none, a sender waits until its value was received. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct channel channel;

typedef enum channel_result {
    CHANNEL_DONE,
    CHANNEL_CLOSED, /* receiving: … and there is nothing left in it */
    CHANNEL_BUSY    /* only of the functions that do not wait */
} channel_result;

/* NULL if there is not enough memory. */
channel *channel_create(size_t capacity);
/* Nobody may use it any more. */
void channel_destroy(channel *c);

channel_result channel_send(channel *c, void *value);
channel_result channel_receive(channel *c, void **value);

/* Without waiting. */
channel_result channel_try_send(channel *c, void *value);
channel_result channel_try_receive(channel *c, void **value);

/* No value can be sent any more; those that were can still be received. Whoever waits comes back. False if it
 * was closed before. */
bool channel_close(channel *c);

/* Receive from any of them, whichever has a value first. CHANNEL_CLOSED if all are closed and empty;
 * otherwise *which says where the value comes from. */
channel_result channel_select(channel *const *channels, size_t count, void **value, size_t *which);

#endif
