/* Each bucket is a list, sorted by key, after Harris and Michael. A node is removed in two steps:
 *
 *   1. Its `next` is *marked* (bit 0). From then on it is not in the map, and nothing can be linked behind
 * it, since every compare-and-exchange on `next` expects it unmarked.
 *   2. It is unlinked, by whoever comes across it first, and *retired*.
 *
 * A retired node is freed when no user has announced that it looks at it (hazard pointers, after Michael).
 * Announcing comes first, then a look whether the node is still linked from where it was found: if it is, it
 * was not retired before the announcement, and whoever retires it afterwards will see that.
 *
 * All atomic operations are sequentially consistent, and those on hazard pointers have to be.
 *
 * -DBUG=1, 2 or 3 puts in a mistake that has been made in such maps before. */
#include "map.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

typedef struct node {
    _Atomic(uintptr_t) next; /* address of the next node, and the mark */
    uint64_t key, value;
    struct node *retired; /* the next one that was retired */
} node;

typedef _Atomic(uintptr_t) node_link;

enum { MARK = 1 };
enum { BEFORE, HERE, HAZARDS }; /* the node whose link is to be changed, and the one it leads to */

struct map_user {
    map *map;
    atomic_bool taken;
    _Atomic(node *) hazards[HAZARDS];
    node *retired;
};

struct map {
    size_t bucket_count, user_count;
    node_link *buckets;
    map_user users[];
};

static node *node_at(uintptr_t link)
{
    return (node *)(link & ~(uintptr_t)MARK);
}

/* ---- freeing ------------------------------------------------------------------------------------------- */

/* By others: a user does not come back to a node that it has unlinked. */
static bool is_looked_at(const map_user *u, const node *n)
{
    const map *m = u->map;
    for (size_t i = 0; i < m->user_count; i++)
        for (int h = 0; h < HAZARDS; h++)
            if (&m->users[i] != u && atomic_load(&m->users[i].hazards[h]) == n)
                return true;
    return false;
}

static void free_retired(map_user *u)
{
    node **link = &u->retired;
    while (*link) {
        node *n = *link;
        if (is_looked_at(u, n)) {
            link = &n->retired;
            continue;
        }
        *link = n->retired;
        free(n);
    }
}

static void retire(map_user *u, node *n)
{
    n->retired = u->retired;
    u->retired = n;
    free_retired(u);
}

/* The node that *from leads to, safe to look at until the hazard is used for another one; false: *from has
 * changed meanwhile. */
static bool protect(map_user *u, node_link *from, uintptr_t expected)
{
    atomic_store(&u->hazards[HERE], node_at(expected));
#if BUG == 3 /* it may have been retired, and looked for here, before that */
    (void)from;
    return true;
#else
    return atomic_load(from) == expected;
#endif
}

/* ---- searching ----------------------------------------------------------------------------------------- */

static node_link *bucket_of(map *m, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    return &m->buckets[(hash >> 32) % m->bucket_count];
}

/* A place in a list: `link` leads to the first node whose key is not smaller (NULL: there is none). */
typedef struct place {
    node_link *link;
    node *node;
} place;

typedef enum step { THERE, ONWARD, DISTURBED } step;

/* Look at the node the place leads to, and go past it if it is not the one. */
static step look(map_user *u, place *at, uint64_t key)
{
    uintptr_t here = atomic_load(at->link);
    at->node = node_at(here);
    if (here & MARK) /* the node that the link is in was removed */
        return DISTURBED;
    if (!at->node)
        return THERE;
    if (!protect(u, at->link, here))
        return DISTURBED;
    uintptr_t next = atomic_load(&at->node->next);
    if (next & MARK) {
        if (!atomic_compare_exchange_strong(at->link, &here, next & ~(uintptr_t)MARK))
            return DISTURBED;
        retire(u, at->node);
        return ONWARD;
    }
    if (at->node->key >= key)
        return THERE;
    atomic_store(&u->hazards[BEFORE], at->node);
    at->link = &at->node->next;
    return ONWARD;
}

/* Where the key is, or belongs. */
static bool find(map_user *u, uint64_t key, place *at)
{
    node_link *bucket = bucket_of(u->map, key);
    step s = DISTURBED;
    do {
        if (s == DISTURBED)
            at->link = bucket;
        s = look(u, at, key);
    } while (s != THERE);
    return at->node && at->node->key == key;
}

static void look_at_nothing(map_user *u)
{
    for (int h = 0; h < HAZARDS; h++)
        atomic_store(&u->hazards[h], NULL);
}

/* ---- what the user calls ------------------------------------------------------------------------------- */

bool map_get(map_user *u, uint64_t key, uint64_t *value)
{
    place at;
    bool found = find(u, key, &at);
    if (found)
        *value = at.node->value;
    look_at_nothing(u);
    return found;
}

bool map_insert(map_user *u, uint64_t key, uint64_t value)
{
    node *n = malloc(sizeof *n);
    if (!n)
        return false;
    n->key = key;
    n->value = value;
    atomic_init(&n->next, 0);
    place at;
    bool done = false;
    while (!done && !find(u, key, &at)) {
        uintptr_t expected = (uintptr_t)at.node;
#if BUG == 1 /* for a moment the list ends with the new node */
        done = atomic_compare_exchange_strong(at.link, &expected, (uintptr_t)n);
        if (done)
            atomic_store(&n->next, (uintptr_t)at.node);
#else
        atomic_store(&n->next, (uintptr_t)at.node);
        done = atomic_compare_exchange_strong(at.link, &expected, (uintptr_t)n);
#endif
    }
    look_at_nothing(u);
    if (!done)
        free(n);
    return done;
}

bool map_remove(map_user *u, uint64_t key, uint64_t *value)
{
    place at;
    bool done = false;
    while (!done && find(u, key, &at)) {
        uintptr_t next = atomic_load(&at.node->next), here = (uintptr_t)at.node;
        if (next & MARK)
            continue;
        *value = at.node->value;
#if BUG == 2 /* unlinks without marking: what is linked behind it meanwhile is lost */
        done = atomic_compare_exchange_strong(at.link, &here, next);
#else
        done = atomic_compare_exchange_strong(&at.node->next, &next, next | MARK);
        if (!done)
            continue;
        if (!atomic_compare_exchange_strong(at.link, &here, next)) {
            find(u, key, &at); /* somebody else has unlinked it, or this does */
            break;
        }
#endif
        if (done)
            retire(u, at.node);
    }
    look_at_nothing(u);
    return done;
}

/* ---- users --------------------------------------------------------------------------------------------- */

map_user *map_join(map *m)
{
    for (size_t i = 0; i < m->user_count; i++) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&m->users[i].taken, &expected, true))
            return &m->users[i];
    }
    return NULL;
}

/* What could not be freed yet is left to the next one in this place, or to map_destroy(). */
void map_leave(map_user *u)
{
    atomic_store(&u->taken, false);
}

map *map_create(size_t buckets, size_t users)
{
    map *m = calloc(1, sizeof *m + users * sizeof *m->users);
    node_link *links = calloc(buckets, sizeof *links);
    if (!m || !links) {
        free(m);
        free(links);
        return NULL;
    }
    m->bucket_count = buckets;
    m->buckets = links;
    m->user_count = users;
    for (size_t i = 0; i < users; i++)
        m->users[i].map = m;
    return m;
}

static void free_list(node *n)
{
    while (n) {
        node *next = node_at(atomic_load(&n->next));
        free(n);
        n = next;
    }
}

void map_destroy(map *m)
{
    for (size_t i = 0; i < m->user_count; i++)
        free_retired(&m->users[i]);
    for (size_t i = 0; i < m->bucket_count; i++)
        free_list(node_at(atomic_load(&m->buckets[i])));
    free(m->buckets);
    free(m);
}
