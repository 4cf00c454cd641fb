/* A small client: as a program it tests the pool once, under the checker in all interleavings. These
 * multiply: client NAME runs one test alone. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "pool.h"

enum { WORKERS = 2, JOBS = 2 };

static pool *the_pool;
static int done[JOBS + 1]; /* each job writes its own: nothing but the pool keeps them in order */

static void set_up(void)
{
    memset(done, 0, sizeof done);
    the_pool = pool_create(WORKERS);
    assert(the_pool);
}

static void note(void *place)
{
    *(int *)place += 1;
}

static void submit_another(void *place)
{
    note(place);
    assert(pool_submit(the_pool, note, &done[JOBS]));
}

/* Everything submitted is done when pool_wait() returns. */
static void test_wait(void)
{
    set_up();
    for (int i = 0; i < JOBS; i++)
        assert(pool_submit(the_pool, note, &done[i]));
    pool_wait(the_pool);
    for (int i = 0; i < JOBS; i++)
        assert(done[i] == 1);
    assert(pool_destroy(the_pool, POOL_FINISH) == 0);
}

/* pool_wait() waits for the jobs that a job submits, too. */
static void test_nested(void)
{
    set_up();
    assert(pool_submit(the_pool, submit_another, &done[0]));
    pool_wait(the_pool);
    assert(done[0] == 1 && done[JOBS] == 1);
    pool_destroy(the_pool, POOL_FINISH);
}

/* Every job is either done or counted as discarded. */
static void test_discard(void)
{
    set_up();
    for (int i = 0; i < JOBS; i++)
        assert(pool_submit(the_pool, note, &done[i]));
    size_t discarded = pool_destroy(the_pool, POOL_DISCARD);
    assert((size_t)done[0] + (size_t)done[1] + discarded == JOBS);
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {{"wait", test_wait}, {"nested", test_nested}, {"discard", test_discard}};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc < 2 || strcmp(argv[1], tests[i].name) == 0)
            tests[i].run();
    puts("the pool works");
    return 0;
}
