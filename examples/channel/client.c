/* A small client: as a program it tests the channel once, under the checker in all interleavings. These
 * multiply: client NAME runs one test alone. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "channel.h"

static channel *channels[2];
static int sums[2]; /* what each receiver has got */

static pthread_t begin(void *run(void *), void *argument)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, run, argument) == 0);
    return thread;
}

static void end(pthread_t thread)
{
    pthread_join(thread, NULL);
}

static void set_up(size_t capacity)
{
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < 2; i++) {
        channels[i] = channel_create(capacity);
        assert(channels[i]);
    }
}

static void tear_down(void)
{
    for (int i = 0; i < 2; i++)
        channel_destroy(channels[i]);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

static void *send_one(void *number)
{
    channel_send(channels[0], number);
    return NULL;
}

static void *receive_one(void *sum)
{
    void *number;
    if (channel_receive(channels[0], &number) == CHANNEL_DONE)
        *(int *)sum += *(int *)number;
    return NULL;
}

static void *receive_all(void *sum)
{
    void *number;
    while (channel_receive(channels[0], &number) == CHANNEL_DONE)
        *(int *)sum += *(int *)number;
    return NULL;
}

static void *send_and_close(void *number)
{
    channel *c = channels[*(int *)number - 1];
    assert(channel_send(c, number) == CHANNEL_DONE);
    assert(channel_close(c));
    return NULL;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static int one = 1, two = 2;

/* Nothing is lost and nothing received twice: two receivers, a sender, a buffer. */
static void test_receivers(void)
{
    set_up(2);
    pthread_t first = begin(receive_one, &sums[0]), second = begin(receive_one, &sums[1]);
    assert(channel_send(channels[0], &one) == CHANNEL_DONE);
    assert(channel_send(channels[0], &two) == CHANNEL_DONE);
    end(first);
    end(second);
    assert(sums[0] + sums[1] == 3);
    tear_down();
}

/* … and two senders with a buffer too small for them. */
static void test_senders(void)
{
    void *number;
    set_up(1);
    assert(channel_try_send(channels[0], &one) == CHANNEL_DONE);
    pthread_t first = begin(send_one, &one), second = begin(send_one, &two);
    for (int i = 0; i < 3; i++) {
        assert(channel_receive(channels[0], &number) == CHANNEL_DONE);
        sums[0] += *(int *)number;
    }
    end(first);
    end(second);
    assert(sums[0] == 4 && channel_try_receive(channels[0], &number) == CHANNEL_BUSY);
    tear_down();
}

/* What was sent to an unbuffered channel was received. */
static void test_unbuffered(void)
{
    set_up(0);
    void *number;
    pthread_t receiver = begin(receive_one, &sums[0]);
    assert(channel_try_send(channels[0], &two) == CHANNEL_BUSY);
    assert(channel_send(channels[0], &one) == CHANNEL_DONE);
    assert(channel_try_receive(channels[0], &number) == CHANNEL_BUSY);
    end(receiver);
    assert(sums[0] == 1);
    tear_down();
}

/* Whoever waits when the channel is closed comes back. */
static void test_close(void)
{
    set_up(1);
    pthread_t first = begin(receive_all, &sums[0]), second = begin(receive_all, &sums[1]);
    assert(channel_send(channels[0], &one) == CHANNEL_DONE);
    assert(channel_close(channels[0]));
    assert(channel_send(channels[0], &two) == CHANNEL_CLOSED);
    end(first);
    end(second);
    assert(sums[0] + sums[1] == 1 && !channel_close(channels[0]));
    tear_down();
}

/* Both channels are emptied, then select says that they are closed. */
static void test_select(void)
{
    void *number;
    size_t which;
    set_up(1);
    pthread_t first = begin(send_and_close, &one), second = begin(send_and_close, &two);
    while (channel_select(channels, 2, &number, &which) == CHANNEL_DONE)
        sums[which] += *(int *)number;
    end(first);
    end(second);
    assert(sums[0] == 1 && sums[1] == 2);
    tear_down();
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {{"receivers", test_receivers},
             {"senders", test_senders},
             {"unbuffered", test_unbuffered},
             {"close", test_close},
             {"select", test_select}};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc < 2 || strcmp(argv[1], tests[i].name) == 0)
            tests[i].run();
    puts("the channel works");
    return 0;
}
