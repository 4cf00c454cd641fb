#define _GNU_SOURCE /* setenv */
#include "session/process/channels.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"

/* "5,7,9" */
static const char handed_name[] = "MAZURKA_RANKS";

static int *channels;
static size_t channel_count;

size_t mz_ranks(const int **out)
{
    *out = channels;
    return channel_count;
}

void mz_ranks_add(int channel)
{
    static size_t capacity;
    channels = mz_grow(channels, &capacity, channel_count + 1, sizeof *channels);
    channels[channel_count++] = channel;
}

bool mz_ranks_take_over(void)
{
    const char *text = getenv(handed_name);
    for (const char *at = text; at && *at;) {
        char *end;
        mz_ranks_add((int)strtol(at, &end, 10));
        at = *end == ',' ? end + 1 : "";
    }
    unsetenv(handed_name);
    return text != NULL;
}

void mz_ranks_hand_over(void)
{
    mz_text text = {0};
    for (size_t i = 0; i < channel_count; i++)
        mz_text_add(&text, "%s%d", i ? "," : "", channels[i]);
    if (channel_count > 0)
        setenv(handed_name, mz_text_string(&text), true);
    mz_text_release(&text);
}
