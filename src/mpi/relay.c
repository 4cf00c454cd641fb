#include "mpi/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

mz_mpi_relay mz_mpi_relay_run;

enum {
    TAG_BYTES, /* of the stream; none: a sign of life */
    TAG_GONE,  /* nobody is at the other side's socket any more */
    TAG_END,   /* from rank 0: it is over */
    CHUNK = 1 << 16
};

/* Seconds. A rank that shows no life for so long is lost. */
static const double SIGN = 0.5, SILENCE = 10, PATIENCE_AT_BEGINNING = 60;

typedef struct peer {
    int rank, socket; /* socket < 0: closed */
    bool is_lost;
    MPI_Request sending; /* of `out`; MPI_REQUEST_NULL: there is room for more */
    char out[CHUNK];
    double sent_at, heard_at;
    char *in; /* what the socket has not taken yet */
    size_t length, capacity;
} peer;

typedef struct relay {
    peer *peers;
    int count, rank;
    pid_t child;
    bool is_over, moved;
} relay;

static volatile sig_atomic_t asked_to_end;

static void note_signal(int number)
{
    asked_to_end = number;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void close_socket(peer *p)
{
    if (p->socket >= 0)
        shutdown(p->socket, SHUT_RDWR);
    if (p->socket >= 0)
        close(p->socket);
    p->socket = -1;
    p->length = 0;
}

/* MPI says so, or nothing was heard for long. Whoever holds the socket sees its end. */
static void lose(peer *p)
{
    p->is_lost = true;
    close_socket(p);
}

/* ---- to MPI ---------------------------------------------------------------------------------------------
 */

static bool is_sending(peer *p)
{
    int done = 1;
    if (p->sending != MPI_REQUEST_NULL && MPI_Test(&p->sending, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        lose(p);
    return !done;
}

static void post(peer *p, int tag, size_t length)
{
    if (MPI_Isend(p->out, (int)length, MPI_BYTE, p->rank, tag, MPI_COMM_WORLD, &p->sending) != MPI_SUCCESS)
        lose(p);
    p->sent_at = now();
}

/* One message at a time: its memory is in use until it has gone. */
static void send_on(relay *r, peer *p)
{
    if (p->is_lost || is_sending(p))
        return;
    ssize_t length = p->socket >= 0 ? recv(p->socket, p->out, CHUNK, MSG_DONTWAIT) : -1;
    if (length > 0) {
        post(p, TAG_BYTES, (size_t)length);
        r->moved = true;
    } else if (p->socket >= 0 && (length == 0 || (errno != EAGAIN && errno != EINTR))) {
        close_socket(p);
        post(p, TAG_GONE, 0);
    } else if (now() - p->sent_at > SIGN) {
        post(p, TAG_BYTES, 0);
    }
}

/* ---- from MPI -------------------------------------------------------------------------------------------
 */

static void write_on(relay *r, peer *p)
{
    while (p->socket >= 0 && p->length > 0) {
        ssize_t done = send(p->socket, p->in, p->length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (done <= 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (done <= 0) {
            close_socket(p);
            return;
        }
        memmove(p->in, p->in + done, p->length - (size_t)done);
        p->length -= (size_t)done;
        r->moved = true;
    }
}

static char *room_for(peer *p, size_t more)
{
    if (p->length + more > p->capacity) {
        p->capacity = 2 * (p->length + more);
        p->in = realloc(p->in, p->capacity);
        if (!p->in)
            abort();
    }
    return p->in + p->length;
}

static bool receive_one(relay *r, peer *p)
{
    MPI_Status status;
    int there = 0, length = 0;
    if (p->is_lost || MPI_Iprobe(p->rank, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS ||
        !there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    char *at = room_for(p, (size_t)length + 1);
    if (MPI_Recv(at, length, MPI_BYTE, p->rank, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS) {
        lose(p);
        return false;
    }
    p->heard_at = now();
    if (status.MPI_TAG == TAG_END)
        r->is_over = true;
    else if (status.MPI_TAG == TAG_GONE)
        close_socket(p);
    else if (p->socket >= 0)
        p->length += (size_t)length;
    r->moved |= length > 0;
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

static void serve(relay *r, peer *p)
{
    while (receive_one(r, p))
        ;
    write_on(r, p);
    send_on(r, p);
    if (!p->is_lost && now() - p->heard_at > SILENCE)
        lose(p);
}

/* MPI waits by working. There are others who need the processor: so we look now and then, more often while
 * there is something to carry. */
static void rest(const relay *r, double moved_at)
{
    struct pollfd looks[r->count];
    bool is_busy = now() - moved_at < 0.05;
    for (int i = 0; i < r->count; i++) /* what cannot be sent yet is none of poll's concern */
        looks[i] = (struct pollfd){.fd = r->peers[i].sending == MPI_REQUEST_NULL ? r->peers[i].socket : -1,
                                   .events = POLLIN};
    poll(looks, (nfds_t)r->count, is_busy ? 1 : 5);
}

static int run(relay *r)
{
    int status = 0;
    double moved_at = now();
    for (;;) {
        r->moved = false;
        for (int i = 0; i < r->count; i++)
            serve(r, &r->peers[i]);
        moved_at = r->moved ? now() : moved_at;
        if (asked_to_end && r->rank == 0) {
            kill(r->child, SIGTERM);
            asked_to_end = 0;
        }
        if (r->rank == 0 && waitpid(r->child, &status, WNOHANG) == r->child)
            return status;
        if (r->rank > 0 && (r->is_over || r->peers[0].is_lost)) {
            kill(r->child, SIGKILL);
            waitpid(r->child, NULL, 0);
            return 0;
        }
        rest(r, moved_at);
    }
}

/* All have to come to MPI_Finalize(), which would wait for those that are lost. */
static void finish(relay *r)
{
    bool all = true;
    for (int i = 0; i < r->count; i++) {
        peer *p = &r->peers[i];
        double until = now() + 2;
        while (!p->is_lost && is_sending(p) && now() < until)
            while (receive_one(r, p))
                ;
        all &= !p->is_lost;
        if (r->rank == 0 && !p->is_lost)
            MPI_Send(NULL, 0, MPI_BYTE, p->rank, TAG_END, MPI_COMM_WORLD);
    }
    if (all)
        MPI_Finalize();
}

int mz_mpi_relay_run(const int *sockets, int count, pid_t child)
{
    relay r = {.peers = calloc((size_t)count, sizeof(peer)), .count = count, .child = child};
    struct sigaction action = {.sa_handler = note_signal};
    int provided = 0;
    if (!r.peers || MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
        abort();
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    for (int i = 0; i < count; i++)
        r.peers[i] = (peer){.rank = r.rank == 0 ? i + 1 : 0,
                            .socket = sockets[i],
                            .sending = MPI_REQUEST_NULL,
                            .heard_at = now() + PATIENCE_AT_BEGINNING};
    int status = run(&r);
    finish(&r);
    return status;
}
