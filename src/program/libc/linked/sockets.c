/* Compiled into a program that uses sockets, for the check and for the program that runs: what the world says
 * is asked for in two functions only (wire/world.h). A call that may have to wait for the world does so
 * outside (mz_outside_begin), so that nobody waits for it at a loop boundary.
 *
 * Sockets have numbers of their own. Which of them are in use is an atomic word for each: whether a socket is
 * open when it is used, and which number a new one gets, depends on what other threads do, and so it is an
 * event like any other. All names are weak: the program's own win. */
#line 1 "<sockets>"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* As in wire/world.h. */
enum { FIRST = 64, MOST = 64, AGAIN = -2 };
typedef struct call {
    const char *name;
    int descriptor;
    int numbers[3];
    const void *from;
    size_t from_size;
    void *to;
    size_t to_size;
} call;

extern void mz_outside_begin(void);
extern void mz_outside_end(void);
extern void mz_world_await(const call *what);
extern long mz_world_answer(const call *what);

/* What the descriptor of a file is for: the checker's own functions, or the system's. */
extern int __wrap_close(int descriptor) WEAK;
extern ssize_t __wrap_read(int descriptor, void *to, size_t most) WEAK;
extern ssize_t __wrap_write(int descriptor, const void *from, size_t count) WEAK;

enum { CLOSED, OPEN, CLOSING };
static atomic_uint states[MOST];

static int is_number(int descriptor)
{
    return descriptor >= FIRST && descriptor < FIRST + MOST;
}

static int is_open(int descriptor)
{
    if (is_number(descriptor) && atomic_load(&states[descriptor - FIRST]) == OPEN)
        return 1;
    errno = EBADF;
    return 0;
}

static int take_number(void)
{
    for (int i = 0; i < MOST; i++) {
        unsigned closed = CLOSED;
        if (atomic_compare_exchange_strong(&states[i], &closed, OPEN))
            return FIRST + i;
    }
    errno = EMFILE;
    return -1;
}

/* The number if it has become a socket. */
static int keep_number(int number, long answer)
{
    if (answer >= 0)
        return number;
    atomic_store(&states[number - FIRST], CLOSED);
    return -1;
}

/* The callers' boundary is here: what the iteration before has left in registers is no part of the state. */
static __attribute__((noinline)) void wait_outside(const call *what)
{
    mz_outside_begin();
    mz_world_await(what);
    mz_outside_end();
}

WEAK int socket(int domain, int type, int protocol)
{
    int number = take_number();
    if (number < 0)
        return -1;
    call what = {.name = "socket", .descriptor = number, .numbers = {domain, type, protocol}};
    return keep_number(number, mz_world_answer(&what));
}

WEAK int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size)
{
    call what = {.name = "setsockopt",
                 .descriptor = descriptor,
                 .numbers = {level, option},
                 .from = value,
                 .from_size = size};
    return is_open(descriptor) ? (int)mz_world_answer(&what) : -1;
}

WEAK int bind(int descriptor, const struct sockaddr *address, socklen_t size)
{
    call what = {.name = "bind", .descriptor = descriptor, .from = address, .from_size = size};
    return is_open(descriptor) ? (int)mz_world_answer(&what) : -1;
}

WEAK int listen(int descriptor, int backlog)
{
    call what = {.name = "listen", .descriptor = descriptor, .numbers = {backlog}};
    return is_open(descriptor) ? (int)mz_world_answer(&what) : -1;
}

/* Who it is that has come is not known to the check: it may not be asked for. */
WEAK int accept(int descriptor, struct sockaddr *address, socklen_t *size)
{
    call what = {.name = "accept", .descriptor = descriptor, .to = address, .to_size = size ? *size : 0};
    if (!is_open(descriptor))
        return -1;
    for (;;) {
        wait_outside(&what);
        int number = take_number();
        if (number < 0)
            return -1;
        what.numbers[0] = number;
        long answer = mz_world_answer(&what);
        if (answer != AGAIN)
            return keep_number(number, answer);
        keep_number(number, -1);
    }
}

WEAK ssize_t recv(int descriptor, void *to, size_t most, int flags)
{
    call what = {.name = "recv", .descriptor = descriptor, .numbers = {flags}, .to = to, .to_size = most};
    if (!is_open(descriptor))
        return -1;
    long answer = AGAIN;
    while (answer == AGAIN) {
        wait_outside(&what);
        answer = mz_world_answer(&what);
    }
    return answer;
}

/* All of it is sent before this returns, or it fails. */
WEAK ssize_t send(int descriptor, const void *from, size_t count, int flags)
{
    call what = {
        .name = "send", .descriptor = descriptor, .numbers = {flags}, .from = from, .from_size = count};
    return is_open(descriptor) ? mz_world_answer(&what) : -1;
}

WEAK int shutdown(int descriptor, int how)
{
    call what = {.name = "shutdown", .descriptor = descriptor, .numbers = {how}};
    return is_open(descriptor) ? (int)mz_world_answer(&what) : -1;
}

/* Its number is free when it is closed, not before. */
WEAK int close(int descriptor)
{
    unsigned open = OPEN;
    call what = {.name = "close", .descriptor = descriptor};
    if (!is_number(descriptor))
        return __wrap_close ? __wrap_close(descriptor) : (int)syscall(SYS_close, descriptor);
    if (!atomic_compare_exchange_strong(&states[descriptor - FIRST], &open, CLOSING)) {
        errno = EBADF;
        return -1;
    }
    int answer = (int)mz_world_answer(&what);
    atomic_store(&states[descriptor - FIRST], CLOSED);
    return answer;
}

WEAK ssize_t read(int descriptor, void *to, size_t most)
{
    if (is_number(descriptor))
        return recv(descriptor, to, most, 0);
    return __wrap_read ? __wrap_read(descriptor, to, most) : syscall(SYS_read, descriptor, to, most);
}

WEAK ssize_t write(int descriptor, const void *from, size_t count)
{
    if (is_number(descriptor))
        return send(descriptor, from, count, 0);
    return __wrap_write ? __wrap_write(descriptor, from, count) : syscall(SYS_write, descriptor, from, count);
}
