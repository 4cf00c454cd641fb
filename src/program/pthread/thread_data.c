/* Thread-specific data: keys and their destructors.
 *
 * A value is its thread's own, so getting and setting are local work. The key is shared: it is a small block
 * on the heap of the thread that creates it, so that its address depends on that thread alone, as does its
 * number. Creating and deleting it write the block, using it reads it, all as plain accesses: a key that is
 * deleted while others may still use it is a data race, and if races are no errors, both orders are explored.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "program/describe/failures.h"
#include "program/memory/heap.h"
#include "program/pthread/endings.h"
#include "program/runtime/accesses.h"
#include "program/world/progress.h"
#include "program/world/world.h"

enum { KEYS_PER_THREAD = MZ_MAX_THREADS > 64 ? 8 : 64, MOST_KEYS = MZ_MAX_THREADS * KEYS_PER_THREAD };

typedef struct key {
    void (*destructor)(void *);
    uint64_t deleted;
} key;

/* By number: creator * KEYS_PER_THREAD + how many it had created before. All of it changes through set_word()
 * alone, and thus goes back with the trail. */
static uint64_t keys[MOST_KEYS + 1], created[MZ_MAX_THREADS + 1];
static uint64_t values[MZ_MAX_THREADS][MOST_KEYS + 1];
static bool keys_used; /* ever: most programs have none, and their threads end without a search */

static void set_word(uint64_t *word, uint64_t value)
{
    mz__save(word, sizeof *word);
    *word = value;
}

static key *key_of(pthread_key_t number)
{
    if (number >= MOST_KEYS || !keys[number])
        return NULL;
    key *k = (key *)keys[number];
    mz__plain_access((uintptr_t)k, sizeof *k, false);
    return k;
}

static key *usable_key(pthread_key_t number, const char *verb)
{
    key *k = key_of(number);
    if (k && k->deleted)
        mz__fail(MZ_FAIL_MEMORY, mz__caller.pc, "%s of a key that was deleted", verb);
    return k;
}

MZ__HOOK(int, __wrap_pthread_key_create, pthread_key_t *result, void (*destructor)(void *))
{
    uint32_t me = mz__me();
    if (created[me] == KEYS_PER_THREAD)
        mz__give_up(mz__caller.pc, "thread %u creates more than %d keys", me, KEYS_PER_THREAD);
    mz__made_progress();
    key *k = mz__heap_allocate(sizeof *k, 16, mz__caller.pc);
    if (!k)
        return ENOMEM;
    mz__plain_access((uintptr_t)k, sizeof *k, true);
    k->destructor = destructor;
    mz__plain_access((uintptr_t)result, sizeof *result, true);
    *result = me * KEYS_PER_THREAD + (pthread_key_t)created[me];
    set_word(&keys[*result], (uintptr_t)k);
    set_word(&created[me], created[me] + 1);
    keys_used = true;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_key_delete, pthread_key_t number)
{
    key *k = usable_key(number, "pthread_key_delete");
    if (!k)
        return EINVAL;
    mz__made_progress();
    mz__plain_access((uintptr_t)k, sizeof *k, true);
    k->deleted = true;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_setspecific, pthread_key_t number, const void *value)
{
    if (!usable_key(number, "pthread_setspecific"))
        return EINVAL;
    uint64_t *word = &values[mz__me()][number];
    if (*word != (uintptr_t)value)
        mz__made_progress();
    set_word(word, (uintptr_t)value);
    return 0;
}

MZ__HOOK(void *, __wrap_pthread_getspecific, pthread_key_t number)
{
    mz__looked_unnoted();
    return usable_key(number, "pthread_getspecific") ? (void *)values[mz__me()][number] : NULL;
}

/* True if the destructor was called: it may have set values anew. */
static bool destroy_value(uint32_t number)
{
    uint64_t *word = &values[mz__me()][number];
    if (!*word)
        return false;
    const key *k = key_of(number);
    if (k->deleted || !k->destructor)
        return false;
    void *value = (void *)*word;
    set_word(word, 0);
    k->destructor(value);
    return true;
}

static bool destroy_values(void)
{
    bool any = false;
    for (uint32_t creator = 0; creator < mz__w.state.thread_count; creator++)
        for (uint32_t i = 0; i < created[creator]; i++)
            any |= destroy_value(creator * KEYS_PER_THREAD + i);
    return any;
}

void mz__run_destructors(void)
{
    for (int round = 0; keys_used && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!destroy_values())
            return;
}

void mz__for_each_value(uint32_t thread, void (*visit)(uintptr_t value))
{
    for (size_t i = 0; keys_used && i < MOST_KEYS; i++)
        visit(values[thread][i]);
}

void mz__for_each_key(void (*visit)(uintptr_t record))
{
    for (size_t i = 0; keys_used && i < MOST_KEYS; i++)
        visit(keys[i]);
}
