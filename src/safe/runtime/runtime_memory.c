/* Memory that the program gives back does not come back at once.
 *
 * The check has one heap for each thread, in which no block is where another one was: a program that goes
 * wrong only when malloc() returns an address that it has seen before (a compare-and-swap that takes a new
 * node for the old one) is called safe, under that assumption. So it has to hold when the program runs under
 * a plan: blocks that are freed are kept, oldest first, up to a number of bytes, and only then given to the C
 * library. When that is reached, addresses may come back, and it is told, once. Under a plan for iterations
 * the assumption ends at the next loop boundary, where nobody is on the way: all is given back there.
 *
 * A block that is kept holds its own link. A thread keeps a few in a list of its own, and then leaves them
 * all at once in one of those for all, which have a lock each: threads seldom meet. */
#include "safe/runtime/follow/runtime_plan.h"
#include "safe/runtime/runtime_boundary.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct mz__kept {
    struct mz__kept *next;
    size_t charge;
} kept;

enum { LISTS = 8, LARGE = 1 << 17, PAGE = 1 << 12, CHEAPER = 64 };
enum { MOST_OWN = 64, MOST_OWN_BYTES = 1 << 16 };

static struct {
    _Alignas(64) _Atomic uint32_t lock;
    kept *oldest, *newest;
} lists[LISTS];

static _Atomic uint64_t kept_bytes;
static uint64_t most_bytes;
static _Atomic bool is_told;

void __real_free(void *block);
void *__real_realloc(void *block, size_t size);

void mz__keep_freed(uint64_t bytes)
{
    most_bytes = bytes;
}

static void tell(void)
{
    mz__message message = {.length = 0};
    if (mz__iterates || atomic_exchange(&is_told, true))
        return;
    mz__add_text(&message, "mazurka: the program has freed more than ");
    mz__add_number(&message, most_bytes >> 20);
    mz__add_text(&message,
                 " MB: from now on addresses may come back, which was not verified (--quarantine)\n");
    mz__say(&message);
}

/* Of a large block the pages go back to the system, and only its addresses are kept. */
static size_t charge_of(char *block, size_t bytes)
{
    uintptr_t begin = ((uintptr_t)block + sizeof(kept) + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = ((uintptr_t)block + bytes) & ~(uintptr_t)(PAGE - 1);
    bool cheap = bytes >= LARGE && madvise((void *)begin, end - begin, MADV_DONTNEED) == 0;
    return cheap ? 2 * PAGE + bytes / CHEAPER : bytes;
}

/* Some of the oldest of a list, as a list, as many as make up these bytes; NULL: there are none. */
static kept *take_oldest(uint32_t list, uint64_t bytes)
{
    mz__take(&lists[list].lock);
    kept *first = lists[list].oldest, *last = NULL;
    for (uint64_t taken = 0; lists[list].oldest && taken < bytes; lists[list].oldest = last->next) {
        last = lists[list].oldest;
        taken += last->charge;
    }
    if (last)
        last->next = NULL;
    mz__give(&lists[list].lock);
    return last ? first : NULL;
}

static void give_all(kept *block)
{
    uint64_t bytes = 0;
    for (kept *next; block; block = next) {
        next = block->next;
        bytes += block->charge;
        __real_free(block);
    }
    atomic_fetch_sub_explicit(&kept_bytes, bytes, memory_order_relaxed);
}

/* One's own first, and then those of others. */
static void give_back_until(uint64_t bytes)
{
    uint32_t list = mz__self.number % LISTS;
    for (uint32_t i = 0; i < LISTS; i++, list = (list + 1) % LISTS) {
        uint64_t kept_now = atomic_load_explicit(&kept_bytes, memory_order_relaxed);
        if (kept_now <= bytes)
            return;
        give_all(take_oldest(list, kept_now - bytes));
    }
}

void mz__free_iteration(void)
{
    give_back_until(0);
}

/* What the thread keeps itself, behind all that is in the list. */
static void leave_to_all(void)
{
    mz__self_record *self = &mz__self;
    uint32_t list = self->number % LISTS;
    mz__take(&lists[list].lock);
    if (lists[list].oldest)
        lists[list].newest->next = self->freed;
    else
        lists[list].oldest = self->freed;
    lists[list].newest = self->freed_last;
    mz__give(&lists[list].lock);
    self->freed = NULL;
    self->freed_count = 0;
}

void mz__leave_freed(void)
{
    mz__self_record *self = &mz__self;
    if (!self->freed)
        return;
    uint64_t bytes = self->freed_bytes;
    self->freed_bytes = 0;
    leave_to_all();
    if (atomic_fetch_add_explicit(&kept_bytes, bytes, memory_order_relaxed) + bytes > most_bytes) {
        tell();
        give_back_until(most_bytes);
    }
}

static void keep(kept *block)
{
    mz__self_record *self = &mz__self;
    block->next = NULL;
    if (self->freed)
        self->freed_last->next = block;
    else
        self->freed = block;
    self->freed_last = block;
    self->freed_count++;
    self->freed_bytes += block->charge;
}

void mz__give_back(void *block)
{
    if (!block || most_bytes == 0) {
        __real_free(block);
        return;
    }
    ((kept *)block)->charge = charge_of(block, malloc_usable_size(block));
    keep(block);
    if (mz__self.freed_count == MOST_OWN || mz__self.freed_bytes > MOST_OWN_BYTES ||
        mz__self.number == MZ__UNKNOWN) /* of that one nobody hears when it ends */
        mz__leave_freed();
}

/* A block always moves, as in the check, and the old one is freed. */
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    if (!block || most_bytes == 0)
        return __real_realloc(block, size);
    void *moved = size > 0 ? malloc(size) : NULL;
    size_t before = malloc_usable_size(block);
    if (moved)
        memcpy(moved, block, before < size ? before : size);
    if (moved || size == 0)
        mz__give_back(block);
    return moved;
}

void *__wrap_reallocarray(void *block, size_t count, size_t size);
void *__wrap_reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes))
        return __wrap_realloc(block, bytes);
    errno = ENOMEM;
    return NULL;
}
