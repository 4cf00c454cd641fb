#include "client/words.h"

#include <string.h>

/* ---- what is wrong --------------------------------------------------------------------------------------
 */

static uint32_t times_returned(const mz_history *h, uint32_t operation, const char *result)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < h->count; i++)
        times += h->calls[i].returned && h->calls[i].operation == operation &&
                 strcmp(h->calls[i].result, result) == 0;
    return times;
}

static void add_times(mz_text *out, uint32_t times)
{
    if (times == 2)
        mz_text_add(out, " twice");
    else if (times > 2)
        mz_text_add(out, " %u times", times);
}

void mz_history_sentence(const mz_explaining *how, const mz_words *operations, const mz_history *h,
                         const mz_timing *timing, mz_text *out)
{
    for (uint32_t i = 0; i < h->count && !timing->in_any_order; i++) {
        const mz_client_call *c = &h->calls[i];
        uint32_t times = times_returned(h, c->operation, c->result);
        if (!c->result[0] || times <= mz_most_returned(how, h, c->operation, c->result))
            continue;
        mz_text_add(out, "%s returned %s", operations->items[c->operation], c->result);
        add_times(out, times);
        mz_text_add(out, "; in no order of the %u calls does it", h->count);
        return;
    }
    mz_text_add(out, "not %s: in no order of the %u calls%s do they return what they returned",
                how->criterion == MZ_SEQUENTIAL  ? "sequentially consistent"
                : how->criterion == MZ_QUIESCENT ? "quiescently consistent"
                                                 : "linearizable",
                h->count, timing->in_any_order ? " that keeps who was done before whom" : "");
}

/* ---- intervals ------------------------------------------------------------------------------------------
 */

static size_t widest_text(const mz_words *operations, const mz_history *h)
{
    size_t widest = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        size_t width = strlen(operations->items[h->calls[i].operation]);
        widest = width > widest ? width : widest;
    }
    return widest < 30 ? widest : 30;
}

static void add_interval(mz_text *out, uint32_t begin, uint32_t end, uint32_t moments, uint32_t wide)
{
    for (uint32_t at = 0; at <= moments * wide; at++)
        mz_text_add(out, "%s",
                    at == begin * wide                     ? "|"
                    : at == end * wide && end < moments    ? "|"
                    : at > begin * wide && at / wide < end ? "-"
                                                           : " ");
}

void mz_history_picture(const mz_words *operations, const mz_history *h, const mz_timing *timing,
                        mz_text *out)
{
    uint32_t wide = timing->moments > 12 ? 2 : timing->moments > 8 ? 3 : 4;
    int width = (int)widest_text(operations, h);
    for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++)
        for (uint32_t i = 0; i < h->count; i++) {
            const mz_client_call *c = &h->calls[i];
            if (c->thread != t)
                continue;
            const char *text = operations->items[c->operation];
            mz_text_add(out, "  T%u  %.*s%*s  ", t, width, text,
                        (int)strlen(text) < width ? width - (int)strlen(text) : 0, "");
            add_interval(out, timing->begins[i], timing->ends[i], timing->moments, wide);
            mz_text_add(out, " %s%s\n", c->result[0] ? "= " : "", c->returned ? c->result : "…");
        }
}
