/* Planted: channel_close() takes the two locks in the other order. */
// fails: deadlock
// names: channel->read_lock
// says: held by thread 2 since line
// names: channel->write_lock
// decides: pthread_mutex_lock(&channel->
#include <pthread.h>
#include <stdlib.h>

struct channel {
    pthread_mutex_t read_lock, write_lock;
    int items[4], first, count, closed;
};

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        abort();
    return memory;
}

static struct channel *channel_new(void)
{
    struct channel *channel = allocate(sizeof *channel);
    pthread_mutex_init(&channel->read_lock, NULL);
    pthread_mutex_init(&channel->write_lock, NULL);
    return channel;
}

static int channel_move(struct channel *channel)
{
    int item = -1;
    pthread_mutex_lock(&channel->read_lock);
    pthread_mutex_lock(&channel->write_lock);
    if (channel->count > 0) {
        item = channel->items[channel->first++ % 4];
        channel->count--;
    }
    pthread_mutex_unlock(&channel->write_lock);
    pthread_mutex_unlock(&channel->read_lock);
    return item;
}

static void channel_close(struct channel *channel)
{
    pthread_mutex_lock(&channel->write_lock); /* planted */
    pthread_mutex_lock(&channel->read_lock);
    channel->closed = 1;
    pthread_mutex_unlock(&channel->read_lock);
    pthread_mutex_unlock(&channel->write_lock);
}

static void *receiver(void *channel)
{
    channel_move(channel);
    return NULL;
}

static void *closer(void *channel)
{
    channel_close(channel);
    return NULL;
}

int main(void)
{
    struct channel *channel = channel_new();
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, receiver, channel);
    pthread_create(&threads[1], NULL, receiver, channel);
    pthread_create(&threads[2], NULL, closer, channel);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    free(channel);
}
