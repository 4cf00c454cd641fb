/* A TCP server that sends back what it gets, one request for each connection. One thread takes connections and
 * hands them over in a queue; two workers wait for them at a condition variable. A reply is written in a buffer of
 * a small pool: to look for a free one and to mark it as taken are locked each, but not together, so that both
 * workers may take the same one. With -DFIXED they are locked together.
 *
 *   cd examples/safe/services
 *   mazurka plan handover.c --environment=handover.env -o handover.mzs
 *   mazurka run --plan=handover.mzs handover.c
 *
 * It listens on 127.0.0.1, at PORT (7073); a signal ends it. */
#include <mazurka.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifndef PORT
#define PORT 7073
#endif
enum { WORKERS = 2, PLACES = 1, LONGEST = 64 };

static int server;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int queue[PLACES], count;
static struct {
    int taken;
    char text[LONGEST];
} buffers[WORKERS];
static pthread_mutex_t buffer_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the queue ------------------------------------------------------------------------------------------ */

static void put(int client)
{
    pthread_mutex_lock(&lock);
    while (count == PLACES)
        pthread_cond_wait(&emptied, &lock);
    queue[count++] = client;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&filled, &lock);
    int client = queue[--count];
    queue[count] = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return client;
}

/* ---- requests ------------------------------------------------------------------------------------------- */

static int take_buffer(void)
{
    int i = 0;
    pthread_mutex_lock(&buffer_lock);
    while (buffers[i].taken)
        i++;
#ifndef FIXED
    pthread_mutex_unlock(&buffer_lock);
    pthread_mutex_lock(&buffer_lock);
#endif
    mz_assert(!buffers[i].taken);
    buffers[i].taken = 1;
    pthread_mutex_unlock(&buffer_lock);
    return i;
}

static void give_buffer(int i)
{
    pthread_mutex_lock(&buffer_lock);
    memset(buffers[i].text, 0, LONGEST);
    buffers[i].taken = 0;
    pthread_mutex_unlock(&buffer_lock);
}

static void serve(int client)
{
    char request[LONGEST];
    ssize_t got = recv(client, request, sizeof request, 0);
    if (got > 0) {
        int i = take_buffer();
        memcpy(buffers[i].text, request, (size_t)got);
        send(client, buffers[i].text, (size_t)got, MSG_NOSIGNAL);
        give_buffer(i);
    }
    close(client);
}

/* What is left of a connection in variables here is no part of the next round. */
static void serve_one(void)
{
    serve(take());
}

static void *worker(void *unused)
{
    for (;;)
        serve_one();
    return unused;
}

/* ---- main ----------------------------------------------------------------------------------------------- */

static int listen_at(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int yes = 1, s = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof address) < 0 || listen(s, 16) < 0) {
        perror("handover");
        exit(1);
    }
    return s;
}

static void take_in(void)
{
    int client = accept(server, NULL, NULL);
    if (client >= 0)
        put(client);
}

int main(void)
{
    pthread_t threads[WORKERS];
    server = listen_at(PORT);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (;;)
        take_in();
}
