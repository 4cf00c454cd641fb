/* A TCP server that sends back what it gets. Two workers take connections from the queue of those that wait
 * to be accepted, and serve each until the client leaves. A reply is written in a buffer of a small pool: to
 * look for a free one and to mark it as taken are locked each, but not together, so that both workers may take
 * the same one, and a client may get what another one has sent. With -DFIXED they are locked together.
 *
 *   cd examples/safe/services
 *   mazurka plan echo_server.c --environment=echo_server.env -o echo.mzs
 *   mazurka run --plan=echo.mzs echo_server.c
 *
 * It listens on 127.0.0.1, at PORT (7070); a signal ends it. */
#include <mazurka.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef PORT
#define PORT 7070
#endif
enum { WORKERS = 2, LONGEST = 64 };

static int server;

static struct {
    int taken;
    char text[LONGEST];
} buffers[WORKERS];
static pthread_mutex_t buffer_lock = PTHREAD_MUTEX_INITIALIZER;

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

static int answer(int client, const char *request, size_t length)
{
    int i = take_buffer();
    memcpy(buffers[i].text, request, length);
    ssize_t sent = send(client, buffers[i].text, length, MSG_NOSIGNAL);
    give_buffer(i);
    return sent == (ssize_t)length;
}

static void serve(int client)
{
    char request[LONGEST];
    ssize_t got;
    while ((got = recv(client, request, sizeof request, 0)) > 0)
        if (!answer(client, request, (size_t)got))
            break;
    close(client);
}

static void *worker(void *unused)
{
    for (;;) {
        int client = accept(server, NULL, NULL);
        if (client >= 0)
            serve(client);
    }
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
        perror("echo_server");
        exit(1);
    }
    return s;
}

int main(void)
{
    pthread_t threads[WORKERS];
    server = listen_at(PORT);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
