#include "base/socket.h"

#include <errno.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

bool mz_socket_send(int socket, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool mz_socket_send_two(int socket, const void *head, size_t head_size, const void *bytes, size_t size)
{
    struct iovec parts[] = {{(void *)(uintptr_t)head, head_size}, {(void *)(uintptr_t)bytes, size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return false;
    size_t done = (size_t)sent, rest = done > head_size ? done - head_size : 0;
    return (done >= head_size || mz_socket_send(socket, (const char *)head + done, head_size - done)) &&
           mz_socket_send(socket, (const char *)bytes + rest, size - rest);
}

bool mz_socket_receive(int socket, void *bytes, size_t size)
{
    for (char *at = bytes; size > 0;) {
        ssize_t received = read(socket, at, size);
        if (received < 0 && errno == EINTR)
            continue;
        if (received <= 0)
            return false;
        at += received;
        size -= (size_t)received;
    }
    return true;
}
