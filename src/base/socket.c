#include "base/socket.h"

#include <errno.h>
#include <sys/socket.h>
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
