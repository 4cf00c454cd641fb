/* A hash map without locks: any number of threads look up, insert and remove at the same time, and none of
 * them ever waits for another. The number of buckets is fixed. */
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct map map;
typedef struct map_user map_user;

/* `users`: how many threads may use it at the same time. NULL if there is not enough memory. */
map *map_create(size_t buckets, size_t users);
/* Nobody may use it any more. */
void map_destroy(map *m);

/* A thread that wants to use the map joins first. NULL: there are as many users as there may be. */
map_user *map_join(map *m);
void map_leave(map_user *u);

/* The value of the key into *value; false if there is none. */
bool map_get(map_user *u, uint64_t key, uint64_t *value);
/* False if the key has a value already (or there is no memory). */
bool map_insert(map_user *u, uint64_t key, uint64_t value);
/* What it was into *value; false if there was none. */
bool map_remove(map_user *u, uint64_t key, uint64_t *value);

#endif
