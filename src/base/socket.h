/* All bytes of a message through a socket, however many pieces the system makes of them. */
#ifndef MZ_BASE_SOCKET_H
#define MZ_BASE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

/* False: the other side is gone. That is an answer, not a reason for this process to end (no SIGPIPE). */
bool mz_socket_send(int socket, const void *bytes, size_t size);
/* A head and what follows it, as one message: whoever waits for it is woken once. */
bool mz_socket_send_two(int socket, const void *head, size_t head_size, const void *bytes, size_t size);
bool mz_socket_receive(int socket, void *bytes, size_t size);

#endif
