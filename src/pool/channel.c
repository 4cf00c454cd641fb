#include "pool/channel.h"

#include "base/memory.h"
#include "base/socket.h"

enum { HEAD = 9, LARGEST_BITS = 40 };

bool mz_channel_send(int channel, mz_message_kind kind, const mz_bytes *bytes)
{
    uint8_t head[HEAD] = {(uint8_t)kind};
    for (size_t i = 0; i < 8; i++)
        head[1 + i] = (uint8_t)((uint64_t)bytes->length >> (8 * i));
    return mz_socket_send_two(channel, head, HEAD, bytes->data, bytes->length);
}

bool mz_channel_receive(int channel, mz_message_kind *kind, mz_bytes *bytes)
{
    uint8_t head[HEAD];
    uint64_t length = 0;
    if (!mz_socket_receive(channel, head, HEAD) || head[0] >= MZ_MESSAGE_KINDS)
        return false;
    for (size_t i = 0; i < 8; i++)
        length |= (uint64_t)head[1 + i] << (8 * i);
    if (length >> LARGEST_BITS)
        return false;
    *kind = (mz_message_kind)head[0];
    bytes->data = mz_grow(bytes->data, &bytes->capacity, (size_t)length, 1);
    bytes->length = (size_t)length;
    return mz_socket_receive(channel, bytes->data, bytes->length);
}
