#include "machine/symmetry.h"

/* The number of the group of which the access is a member. */
static uint32_t join_group(mz_peer_group *group, uint32_t kind)
{
    bool commutes = !(kind & MZ_WRITE) || kind >= MZ_CLASS;
    if (!commutes || group->kind != kind) {
        group->kind = kind;
        group->number++;
    }
    return group->number;
}

void mz_peer_note(mz_peer *peers, uint32_t thread, mz_peer_group *groups, const mz_operation *executed,
                  bool alone)
{
    mz_peer *peer = &peers[thread];
    uint32_t n = peer->length++;
    mz_hash history = mz_hash_start(executed->kind);
    if (n > 0 && n < MZ_PEER_EVENTS) {
        history = mz_hash_add(history, peer->history[n - 1].low);
        history = mz_hash_add(history, peer->history[n - 1].high);
    }
    for (uint32_t i = 0; i < executed->access_count; i++) {
        mz_access access = executed->accesses[i];
        uint32_t number = join_group(&groups[access.location], access.kind);
        history = mz_hash_add(history, (uint64_t)access.location << 32 | access.kind);
        history = mz_hash_add(history, number);
    }
    if (alone)
        history = mz_hash_add(history, (uint64_t)thread + 1);
    if (n < MZ_PEER_EVENTS)
        peer->history[n] = history;
}
