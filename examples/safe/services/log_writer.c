/* A log: two producers take lines from TCP connections into a small buffer, and a consumer writes what is there to
 * standard output, now and then. To look for room and to put the line there are locked each, but not together,
 * so that two producers may take the last place. With -DFIXED they are locked together.
 *
 *   cd examples/safe/services
 *   mazurka plan log_writer.c --environment=log_writer.env -o log.mzs
 *   mazurka run --plan=log.mzs log_writer.c >> log
 *
 * A client gets "ok\n" for each line, or "full\n". It listens on 127.0.0.1, at PORT (7072); a signal ends it. */
#include <mazurka.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef PORT
#define PORT 7072
#endif
#ifndef PLACES
#define PLACES 1
#endif
enum { PRODUCERS = 2, LONGEST = 16, PAUSE = 1000 };

static int server;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[PLACES][LONGEST];
static int used;

static int put(const char *line, size_t length)
{
    pthread_mutex_lock(&lock);
    int room = used < PLACES;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (room) {
        mz_assert(used < PLACES);
        memset(lines[used], 0, LONGEST);
        memcpy(lines[used++], line, length);
    }
    pthread_mutex_unlock(&lock);
    return room;
}

static void serve(int client)
{
    char line[LONGEST];
    ssize_t length;
    while ((length = recv(client, line, sizeof line, 0)) > 0) {
        const char *reply = put(line, (size_t)length) ? "ok\n" : "full\n";
        if (send(client, reply, strlen(reply), MSG_NOSIGNAL) < 0)
            break;
    }
    close(client);
}

static void *produce(void *unused)
{
    for (;;) {
        int client = accept(server, NULL, NULL);
        if (client >= 0)
            serve(client);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (;;) {
        mz_outside_begin();
        usleep(PAUSE);
        mz_outside_end();
        pthread_mutex_lock(&lock);
        for (int i = 0; i < used; i++)
            if (write(STDOUT_FILENO, lines[i], strnlen(lines[i], LONGEST)) < 0)
                exit(1);
        memset(lines, 0, sizeof lines);
        used = 0;
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
        perror("log_writer");
        exit(1);
    }
    return s;
}

int main(void)
{
    pthread_t threads[PRODUCERS + 1];
    server = listen_at(PORT);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&threads[i], NULL, produce, NULL);
    pthread_create(&threads[PRODUCERS], NULL, consume, NULL);
    for (int i = 0; i <= PRODUCERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
