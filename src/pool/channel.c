#include "pool/channel.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"

/* MSG_NOSIGNAL: that the other side is gone is an answer, not a reason to end. */
static bool send_all(int channel, const uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t done = send(channel, data, length, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        length -= (size_t)done;
    }
    return true;
}

static bool receive_all(int channel, uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t done = read(channel, data, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        length -= (size_t)done;
    }
    return true;
}

enum { HEAD = 9, LARGEST_BITS = 40 };

bool mz_channel_send(int channel, mz_message_kind kind, const mz_bytes *bytes)
{
    uint8_t head[HEAD] = {(uint8_t)kind};
    for (size_t i = 0; i < 8; i++)
        head[1 + i] = (uint8_t)((uint64_t)bytes->length >> (8 * i));
    return send_all(channel, head, HEAD) && send_all(channel, bytes->data, bytes->length);
}

bool mz_channel_receive(int channel, mz_message_kind *kind, mz_bytes *bytes)
{
    uint8_t head[HEAD];
    uint64_t length = 0;
    if (!receive_all(channel, head, HEAD) || head[0] >= MZ_MESSAGE_KINDS)
        return false;
    for (size_t i = 0; i < 8; i++)
        length |= (uint64_t)head[1 + i] << (8 * i);
    if (length >> LARGEST_BITS)
        return false;
    *kind = (mz_message_kind)head[0];
    bytes->data = mz_grow(bytes->data, &bytes->capacity, (size_t)length, 1);
    bytes->length = (size_t)length;
    return receive_all(channel, bytes->data, bytes->length);
}
