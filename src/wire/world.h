/* What a program asks of the world beyond its process: the calls of sockets. A program that makes them is
 * compiled with a part (program/libc/linked/sockets.c) that is the same in the check and in the program that
 * runs; it comes down to two functions, which the checker and the runtime answer:
 *
 *   mz_world_await(call)    waits, outside (mz_outside_begin), until the call can be made; here: it can
 *   mz_world_answer(call)   makes it. Here any of the answers that were declared is given, and all are
 *                           explored. When the program runs, the world gives one; if a plan was made, it is
 *                           compared with those that were verified
 *
 * AN ANSWER is a line of text, the same in files of environments (session/settings/environment.h),
 * recordings, counterexamples and plans (as a premise):
 *
 *   CALL ok          it succeeds
 *   CALL "BYTES"     so many bytes come, these ("": the end of what the other side sends); as in C, with
 *                    \n \r \t \\ \" \xHH
 *   CALL ERRNO       it fails: EPIPE, ECONNRESET, …
 *
 * Calls of which nothing is declared succeed; what comes must be declared. */
#ifndef MZ_WIRE_WORLD_H
#define MZ_WIRE_WORLD_H

#include <errno.h>
#include <stddef.h>

/* Where the running program is to write down which answers it gets: a descriptor. */
#define MZ_WORLD_ENVIRONMENT "MAZURKA_WORLD"

#define MZ_WORLD_CALLS(X)                                                                                    \
    X(socket) X(setsockopt) X(bind) X(listen) X(accept) X(recv) X(send) X(shutdown) X(close)

#define MZ_WORLD_ERRORS(X)                                                                                   \
    X(EACCES)                                                                                                \
    X(EADDRINUSE)                                                                                            \
    X(EADDRNOTAVAIL)                                                                                         \
    X(EAFNOSUPPORT)                                                                                          \
    X(EBADF)                                                                                                 \
    X(ECONNABORTED)                                                                                          \
    X(ECONNREFUSED)                                                                                          \
    X(ECONNRESET)                                                                                            \
    X(EHOSTUNREACH)                                                                                          \
    X(EINVAL)                                                                                                \
    X(EIO)                                                                                                   \
    X(EMFILE)                                                                                                \
    X(ENETDOWN)                                                                                              \
    X(ENETUNREACH)                                                                                           \
    X(ENFILE)                                                                                                \
    X(ENOBUFS)                                                                                               \
    X(ENOMEM)                                                                                                \
    X(ENOTCONN)                                                                                              \
    X(EPERM)                                                                                                 \
    X(EPIPE)                                                                                                 \
    X(EPROTO)                                                                                                \
    X(ETIMEDOUT)

/* The part's own numbers for sockets: the lowest that is free, from here on, so that they are the same in the
 * check and when the program runs, whatever else is open there. */
enum { MZ_WORLD_FIRST = 64, MZ_WORLD_MOST = 64 };
/* Nothing is there after all: wait again. Only when the program runs. */
enum { MZ_WORLD_AGAIN = -2 };

typedef struct mz_world_call {
    const char *name;
    int descriptor;
    int numbers[3];   /* its other arguments that are numbers */
    const void *from; /* bytes that it is given, */
    size_t from_size;
    void *to; /* and where those go that it brings */
    size_t to_size;
} mz_world_call;

/* One byte of an answer as text; returns how long that is. */
static inline size_t mz_world_escape(unsigned char c, char out[4])
{
    static const char digits[] = "0123456789abcdef", special[] = "\n\r\t\\\"", words[] = "nrt\\\"";
    out[0] = (char)c;
    for (size_t i = 0; special[i]; i++)
        if (special[i] == (char)c) {
            out[0] = '\\';
            out[1] = words[i];
            return 2;
        }
    if (c >= 0x20 && c < 0x7f)
        return 1;
    out[0] = '\\';
    out[1] = 'x';
    out[2] = digits[c >> 4];
    out[3] = digits[c & 15];
    return 4;
}

#endif
