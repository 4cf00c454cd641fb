/* A channel is a ring of values under a mutex. Senders wait for `room`, receivers for `values`.
 *
 * Every value has a ticket: `sent` counts those put in, `received` those taken out, and the ring holds the
 * values with tickets in between. In an unbuffered channel one value at a time is put into a ring of one,
 * and its sender waits until `received` has passed its ticket.
 *
 * channel_select() leaves a *watcher* in the list of each channel, and sleeps on a condition of its own.
 *
 * -DBUG=1, 2 or 3 puts in a mistake that has been made in channels before. */
#include "channel.h"

#include <pthread.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

/* Of a thread that waits in channel_select(). Its own mutex comes after those of the channels. */
typedef struct watcher {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool look_again;
} watcher;

typedef struct watch {
    struct watch *next;
    watcher *by;
} watch;

struct channel {
    pthread_mutex_t mutex;
    pthread_cond_t room;   /* a value was taken out, or the channel was closed */
    pthread_cond_t values; /* a value was put in, or the channel was closed */
    pthread_cond_t handed; /* unbuffered: a value was taken out */
    watch *watches;
    size_t sent, received;
    size_t capacity; /* 0: unbuffered */
    size_t slots;    /* of the ring */
    bool closed;
    void *ring[];
};

/* ---- the caller holds the mutex ------------------------------------------------------------------------ */

static void tell_watchers(channel *c)
{
    for (watch *w = c->watches; w; w = w->next) {
        pthread_mutex_lock(&w->by->mutex);
        w->by->look_again = true;
        pthread_cond_signal(&w->by->changed);
        pthread_mutex_unlock(&w->by->mutex);
    }
}

static bool is_full(const channel *c)
{
    return c->sent - c->received == c->slots;
}

static bool is_empty(const channel *c)
{
    return c->sent == c->received;
}

static void put(channel *c, void *value)
{
    c->ring[c->sent++ % c->slots] = value;
#if BUG == 1 /* only when it was empty: with two values and two receivers the second one sleeps on */
    if (c->sent - c->received == 1)
        pthread_cond_signal(&c->values);
#else
    pthread_cond_signal(&c->values);
#endif
    tell_watchers(c);
}

static void *take(channel *c)
{
    void *value = c->ring[c->received++ % c->slots];
    pthread_cond_signal(&c->room);
    if (c->capacity == 0)
        pthread_cond_broadcast(&c->handed);
    return value;
}

static channel_result take_if_any(channel *c, void **value)
{
    if (is_empty(c))
        return c->closed ? CHANNEL_CLOSED : CHANNEL_BUSY;
    *value = take(c);
    return CHANNEL_DONE;
}

/* ---- sending and receiving ----------------------------------------------------------------------------- */

/* A value that lies in an unbuffered channel when it is closed was sent: somebody may still receive it. */
static void wait_until_received(channel *c, size_t ticket)
{
    while (c->received <= ticket && !c->closed)
        pthread_cond_wait(&c->handed, &c->mutex);
}

channel_result channel_send(channel *c, void *value)
{
    pthread_mutex_lock(&c->mutex);
#if BUG == 2 /* when it has the mutex again, another sender may have used the room */
    if (is_full(c) && !c->closed)
#else
    while (is_full(c) && !c->closed)
#endif
        pthread_cond_wait(&c->room, &c->mutex);
    channel_result result = c->closed ? CHANNEL_CLOSED : CHANNEL_DONE;
    if (result == CHANNEL_DONE) {
        size_t ticket = c->sent;
        put(c, value);
        if (c->capacity == 0)
            wait_until_received(c, ticket);
    }
    pthread_mutex_unlock(&c->mutex);
    return result;
}

channel_result channel_receive(channel *c, void **value)
{
    pthread_mutex_lock(&c->mutex);
    while (is_empty(c) && !c->closed)
        pthread_cond_wait(&c->values, &c->mutex);
    channel_result result = take_if_any(c, value);
    pthread_mutex_unlock(&c->mutex);
    return result;
}

/* To an unbuffered channel it always fails: that a receiver waits now does not mean that it will come for
 * this value. */
channel_result channel_try_send(channel *c, void *value)
{
    pthread_mutex_lock(&c->mutex);
    channel_result result = c->closed ? CHANNEL_CLOSED : CHANNEL_BUSY;
    if (!c->closed && c->capacity > 0 && !is_full(c)) {
        put(c, value);
        result = CHANNEL_DONE;
    }
    pthread_mutex_unlock(&c->mutex);
    return result;
}

channel_result channel_try_receive(channel *c, void **value)
{
    pthread_mutex_lock(&c->mutex);
    channel_result result = take_if_any(c, value);
    pthread_mutex_unlock(&c->mutex);
    return result;
}

bool channel_close(channel *c)
{
    pthread_mutex_lock(&c->mutex);
    bool first = !c->closed;
    c->closed = true;
#if BUG == 3 /* wakes one receiver, and no sender */
    pthread_cond_signal(&c->values);
#else
    pthread_cond_broadcast(&c->values);
    pthread_cond_broadcast(&c->room);
    pthread_cond_broadcast(&c->handed);
#endif
    tell_watchers(c);
    pthread_mutex_unlock(&c->mutex);
    return first;
}

/* ---- selecting ----------------------------------------------------------------------------------------- */

static void begin_to_watch(channel *c, watch *w)
{
    pthread_mutex_lock(&c->mutex);
    w->next = c->watches;
    c->watches = w;
    pthread_mutex_unlock(&c->mutex);
}

static void end_to_watch(channel *c, watch *w)
{
    pthread_mutex_lock(&c->mutex);
    watch **link = &c->watches;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    pthread_mutex_unlock(&c->mutex);
}

static channel_result try_all(channel *const *channels, size_t count, void **value, size_t *which)
{
    bool all_closed = true;
    for (size_t i = 0; i < count; i++) {
        channel_result result = channel_try_receive(channels[i], value);
        *which = i;
        if (result == CHANNEL_DONE)
            return CHANNEL_DONE;
        all_closed &= result == CHANNEL_CLOSED;
    }
    return all_closed ? CHANNEL_CLOSED : CHANNEL_BUSY;
}

static void sleep_until_changed(watcher *me)
{
    pthread_mutex_lock(&me->mutex);
    while (!me->look_again)
        pthread_cond_wait(&me->changed, &me->mutex);
    me->look_again = false;
    pthread_mutex_unlock(&me->mutex);
}

/* It watches before it looks: what is sent after it has looked is not missed. */
channel_result channel_select(channel *const *channels, size_t count, void **value, size_t *which)
{
    watcher me = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    watch watches[count];
    channel_result result;
    for (size_t i = 0; i < count; i++) {
        watches[i] = (watch){.by = &me};
        begin_to_watch(channels[i], &watches[i]);
    }
    while ((result = try_all(channels, count, value, which)) == CHANNEL_BUSY)
        sleep_until_changed(&me);
    for (size_t i = 0; i < count; i++)
        end_to_watch(channels[i], &watches[i]);
    pthread_cond_destroy(&me.changed);
    pthread_mutex_destroy(&me.mutex);
    return result;
}

/* ---- life ---------------------------------------------------------------------------------------------- */

channel *channel_create(size_t capacity)
{
    size_t slots = capacity > 0 ? capacity : 1;
    channel *c = calloc(1, sizeof *c + slots * sizeof *c->ring);
    if (!c)
        return NULL;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->room, NULL);
    pthread_cond_init(&c->values, NULL);
    pthread_cond_init(&c->handed, NULL);
    c->capacity = capacity;
    c->slots = slots;
    return c;
}

void channel_destroy(channel *c)
{
    pthread_cond_destroy(&c->handed);
    pthread_cond_destroy(&c->values);
    pthread_cond_destroy(&c->room);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}
