/* One thread at a time: what becomes of a program that has left verified ground, if its plan asks for that
 * (MZ_PLAN_SERIALISES). Nothing is verified of what it does from there on. But a thread has the processors
 * for itself from one operation that waits to the next, so that most of what goes wrong between threads has
 * no occasion to: a service goes on, slower, until it gets a plan that covers what it did.
 *
 * TURNS. Threads draw numbers, which are served in their order. Whoever comes to an operation waits until its
 * number is served. It leaves its turn before it waits for anything, and draws again afterwards. So of two
 * threads that have their turn one after the other, the second begins after the first has begun to wait.
 *
 * PROGRESS. Waiting that we know of gives the turn away. A thread may wait where we do not see it, in read()
 * or accept(), or end without saying so: then the kernel says that it sleeps, or is not there. Who is next
 * looks at that from time to time, and serves itself. A thread that polls hands its turn on after a while:
 * soon if its operations have changed nothing, later if they have, since it may be at work. And from one that
 * runs without any operation for long it is taken: it may look in a loop at what another one is to write. All
 * of these are no more than exceptions from what is not verified anyway.
 *
 * NOTICING. Threads that are not constrained come here at no operation: their `next` is far away. So all of
 * them are in a list, and who begins this sets their `next` to 0. A thread sets it itself, too, and then
 * looks whether this has begun: with a fence between, as we have between ours, one of the two sees the
 * other. */
#include "safe/runtime/follow/runtime_serial.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEPT = 1024, NAP = 2, LONGEST = 1000 / NAP };
static const uint64_t slice = 1000000000, slice_of_readers = 20000000; /* nanoseconds */

_Atomic bool mz__serial;
bool mz__may_serialise;
static _Alignas(64) _Atomic uint32_t drawn = 1;  /* the number that is drawn next */
static _Alignas(64) _Atomic uint32_t served = 1; /* whose turn it is */
static _Atomic uint32_t come_to;                 /* operations, all in all, that had the turn */
static _Atomic uint32_t drawn_by[KEPT]; /* [number % KEPT]: the thread, by its number in the kernel */

static _Thread_local struct {
    uint32_t number; /* 0: none */
    uint32_t operations;
    uint64_t began; /* its turn, in nanoseconds */
    bool is_used;   /* something was changed */
} own;

/* ---- all threads ------------------------------------------------------------------------------------------
 */

typedef struct listed {
    struct listed *next, **link; /* link: what points to it */
    mz__self_record *self;
} listed;

static _Thread_local listed own_entry;
static listed *all;
static _Atomic uint32_t list_lock;
static pthread_key_t end_key;

static void strike_off(void *entry)
{
    listed *e = entry;
    mz__leave_turn();
    mz__take(&list_lock);
    *e->link = e->next;
    if (e->next)
        e->next->link = e->link;
    mz__give(&list_lock);
}

void mz__prepare_serial(void)
{
    mz__may_serialise = pthread_key_create(&end_key, strike_off) == 0;
    mz__enlist();
}

void mz__enlist(void)
{
    if (!mz__may_serialise || own_entry.self || pthread_setspecific(end_key, &own_entry) != 0)
        return;
    mz__take(&list_lock);
    own_entry = (listed){.next = all, .link = &all, .self = &mz__self};
    if (all)
        all->link = &own_entry.next;
    all = &own_entry;
    mz__give(&list_lock);
    mz__mind_serial();
}

void mz__mind_serial(void)
{
    if (!mz__may_serialise)
        return;
    atomic_thread_fence(memory_order_seq_cst);
    if (mz__is_serial())
        mz__self.next = 0;
}

void mz__begin_serial(void)
{
    atomic_store(&mz__serial, true);
    atomic_thread_fence(memory_order_seq_cst);
    mz__take(&list_lock);
    for (const listed *e = all; e; e = e->next)
        __atomic_store_n(&e->self->next, 0, __ATOMIC_RELAXED);
    mz__give(&list_lock);
    mz__take_turn();
}

/* ---- turns ------------------------------------------------------------------------------------------------
 */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Each number has a bit, so that few are woken that are not next. */
static uint32_t bit_of(uint32_t number)
{
    return UINT32_C(1) << (number & 31);
}

/* From this number to the next; false: it has lost its turn meanwhile. */
static bool serve_next(uint32_t number)
{
    if (!atomic_compare_exchange_strong(&served, &number, number + 1))
        return false;
    mz__wake_waiters(&served, bit_of(number + 1));
    return true;
}

static char *add_digits(char *end, uint32_t number)
{
    if (number >= 10)
        end = add_digits(end, number / 10);
    *end = (char)('0' + number % 10);
    return end + 1;
}

/* What the kernel says of it: 'R' if it runs, 'S' if it sleeps, 0 if it is not there. (Without functions that
 * are the program's own.) */
static char state_of(uint32_t thread)
{
    char path[64] = "/proc/self/task/", text[256];
    memcpy(add_digits(path + strlen(path), thread), "/stat", 6);
    long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    long length = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    text[length > 0 ? length : 0] = 0;
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

/* How long the one before has been looked at. */
typedef struct patience {
    uint32_t number, come_to;
    uint32_t asleep, looks; /* since it has come to an operation */
} patience;

/* It has the turn, and we are next: does it still need it? */
static void look_at(patience *p, uint32_t number)
{
    uint32_t operations = atomic_load_explicit(&come_to, memory_order_relaxed);
    if (p->number != number || p->come_to != operations)
        *p = (patience){.number = number, .come_to = operations};
    p->asleep = state_of(atomic_load(&drawn_by[number % KEPT])) == 'R' ? 0 : p->asleep + 1;
    p->looks++;
    if (p->asleep >= 2 || p->looks >= LONGEST)
        serve_next(number);
}

/* True: the number is served. False: it was, while we were not there, and somebody else has taken over. */
static bool wait_for(uint32_t number)
{
    patience p = {0};
    uint32_t at;
    while ((int32_t)((at = atomic_load(&served)) - number) < 0)
        if (mz__nap_while(&served, at, bit_of(number), NAP) != 0 && at + 1 == number)
            look_at(&p, at);
    return at == number;
}

static void draw(void)
{
    do {
        own.number = atomic_fetch_add(&drawn, 1);
        atomic_store(&drawn_by[own.number % KEPT], mz__thread_id());
    } while (!wait_for(own.number));
    own.began = now();
    own.operations = 0;
    own.is_used = false;
}

/* Does it poll? The clock is looked at now and then only. */
static bool takes_too_long(void)
{
    enum { EACH = 64 };
    bool others = atomic_load(&drawn) - own.number > 1;
    return ++own.operations % EACH == 0 && others &&
           now() - own.began > (own.is_used ? slice : slice_of_readers);
}

void mz__take_turn(void)
{
    atomic_fetch_add_explicit(&come_to, 1, memory_order_relaxed);
    if (own.number != 0 && atomic_load(&served) == own.number && !takes_too_long())
        return;
    mz__leave_turn();
    atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    draw();
    atomic_fetch_add_explicit(&mz__running_threads, 1, memory_order_relaxed);
}

void mz__use_turn(void)
{
    own.is_used = true;
}

void mz__leave_turn(void)
{
    if (own.number != 0)
        serve_next(own.number);
    own.number = 0;
}
