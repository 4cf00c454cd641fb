/* A cache whose entry expires. Two workers answer "get\n" on TCP connections: with what the cache holds, or, if
 * it holds nothing, with what they load into it. A third thread lets a second pass, and removes what has become
 * too old. To look whether there is a value and to read it are locked each, but not together, so that it may
 * expire in between. With -DFIXED they are locked together.
 *
 *   cd examples/safe/services
 *   mazurka plan cache.c --environment=cache.env -o cache.mzs
 *   mazurka run --plan=cache.mzs cache.c
 *
 * It listens on 127.0.0.1, at PORT (7071); a signal ends it. */
#include <mazurka.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef PORT
#define PORT 7071
#endif
#ifndef LIFE
#define LIFE 1000 /* milliseconds */
#endif
enum { WORKERS = 2, TOO_OLD = 2, VALUE = 'v' };

static int server;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char value; /* 0: none */
static int age;

static char look_up(void)
{
    pthread_mutex_lock(&lock);
    int hit = value != 0;
    if (!hit)
        value = VALUE;
    age = hit ? age : 0;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    char found = value;
    mz_assert(found == VALUE);
    pthread_mutex_unlock(&lock);
    return found;
}

static void serve(int client)
{
    char request[16], reply[2] = {0, '\n'};
    while (recv(client, request, sizeof request, 0) > 0) {
        reply[0] = look_up();
        if (send(client, reply, sizeof reply, MSG_NOSIGNAL) < 0)
            break;
    }
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

static void *expire(void *unused)
{
    for (;;) {
        mz_outside_begin();
        usleep(LIFE * 1000 / TOO_OLD);
        mz_outside_end();
        pthread_mutex_lock(&lock);
        if (value && ++age == TOO_OLD)
            value = 0;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static int listen_at(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int yes = 1, s = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof address) < 0 || listen(s, 16) < 0) {
        perror("cache");
        exit(1);
    }
    return s;
}

int main(void)
{
    pthread_t threads[WORKERS + 1];
    server = listen_at(PORT);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    pthread_create(&threads[WORKERS], NULL, expire, NULL);
    for (int i = 0; i <= WORKERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
