/* A small client: as a program it tests the map once, under the checker in all interleavings. These multiply:
 * client NAME runs one test alone. One bucket: all keys are in each other's way. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "map.h"

static map *the_map;
static map_user *first, *second; /* main's own; the other thread's */

static void set_up(void)
{
    the_map = map_create(1, 2);
    assert(the_map);
    first = map_join(the_map);
    second = map_join(the_map);
    assert(first && second && !map_join(the_map));
}

static void tear_down(void)
{
    map_leave(first);
    map_leave(second);
    map_destroy(the_map);
}

static pthread_t begin(void *run(void *), void *argument)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, run, argument) == 0);
    return thread;
}

static bool end(pthread_t thread)
{
    void *result;
    pthread_join(thread, &result);
    return result;
}

static bool has(uint64_t key, uint64_t expected)
{
    uint64_t value;
    return map_get(first, key, &value) && value == expected;
}

/* ---- what the other thread does: each returns whether it has succeeded ----------------------------------
 */

static void *insert(void *key)
{
    return map_insert(second, *(int *)key, 20) ? the_map : NULL;
}

static void *remove_it(void *key)
{
    uint64_t value;
    return map_remove(second, *(int *)key, &value) ? the_map : NULL;
}

static void *get(void *key)
{
    uint64_t value;
    return map_get(second, *(int *)key, &value) ? the_map : NULL;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static int one = 1, two = 2;

/* Of two that insert the same key, one succeeds. */
static void test_insert(void)
{
    set_up();
    pthread_t other = begin(insert, &one);
    bool mine = map_insert(first, 1, 10);
    bool theirs = end(other);
    assert(mine != theirs && has(1, mine ? 10 : 20));
    tear_down();
}

/* Of two that remove it, too. */
static void test_remove(void)
{
    uint64_t value;
    set_up();
    map_insert(first, 1, 10);
    pthread_t other = begin(remove_it, &one);
    bool mine = map_remove(first, 1, &value);
    bool theirs = end(other);
    assert(mine != theirs && (!mine || value == 10) && !map_get(first, 1, &value));
    tear_down();
}

/* A key that nobody removes is there, whatever is inserted before it. */
static void test_get(void)
{
    set_up();
    map_insert(first, 2, 20);
    pthread_t other = begin(get, &two);
    assert(map_insert(first, 1, 10));
    assert(end(other));
    tear_down();
}

/* What is inserted behind a node that is being removed is not lost. */
static void test_neighbours(void)
{
    uint64_t value;
    set_up();
    map_insert(first, 1, 10);
    pthread_t other = begin(insert, &two);
    assert(map_remove(first, 1, &value) && value == 10);
    assert(end(other) && has(2, 20) && !map_get(first, 1, &value));
    tear_down();
}

/* A node is not freed under the eyes of somebody who looks at it. */
static void test_free(void)
{
    uint64_t value;
    set_up();
    map_insert(first, 1, 10);
    map_insert(first, 2, 20);
    pthread_t other = begin(get, &two);
    assert(map_remove(first, 1, &value) && map_remove(first, 2, &value));
    end(other);
    tear_down();
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {{"insert", test_insert},
             {"remove", test_remove},
             {"get", test_get},
             {"neighbours", test_neighbours},
             {"free", test_free}};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc < 2 || strcmp(argv[1], tests[i].name) == 0)
            tests[i].run();
    puts("the map works");
    return 0;
}
