/* How threads begin and end. */
#include <stddef.h>
#include <string.h>

#include "program/pthread/endings.h"
#include "program/memory/initialised.h"
#include "program/runtime/schedule.h"
#include "program/pthread/sync.h"

static void thread_main(void)
{
    mz__thread *t = mz__w.current;
    void *result = t->rare.start(t->rare.argument);
    if (result != t->rare.result)
        mz__rarely(t)->result = result;
    mz__end_thread();
}

/* A thread that waits for the end of another one could go on at once. Main, joining its threads one after the
 * other, most often only goes on to the next join. So it is put off until nobody else can go on. (Only main:
 * that another thread has ended is noticed by those who are then alone, see mz__alone().)
 *
 * That changes nothing as long as what it does then is local. Suppose it could do something that others
 * notice (an operation, a new thread, a choice) in some execution; take the first such thing. Up to there the
 * others have done what they do without it, and the search, which explores all of that, comes to a state
 * where it is put off with the same local state, lets it go on in the end, and sees it do that. Then this
 * join is remembered as one after which threads go on at once, and the search begins again. */
static void end_join(uint32_t joiner)
{
    const mz__thread *t = &mz__w.threads[joiner];
    bool eager = joiner != 0 || mz__w.eager_join_count == MZ__EAGER_JOINS;
    for (size_t i = 0; i < mz__w.eager_join_count && !eager; i++)
        eager = mz__w.eager_joins[i] == t->pc;
    if (eager)
        mz__wake(joiner);
    else
        mz__w.state.put_off |= mz_threads_of(joiner); /* saved with the step */
}

void mz__was_put_off_wrongly(mz__thread *t)
{
    t->put_off = false;
    if (mz__w.eager_join_count < MZ__EAGER_JOINS)
        mz__w.eager_joins[mz__w.eager_join_count++] = t->put_off_at;
    mz__learned();
}

/* It is gone: who uses it now races with that. Where races are no errors, what races is an event. */
static void abandon_stack(const mz__thread *t)
{
    uintptr_t from = mz__w.stack_shared_from[t->number];
    for (uintptr_t word = from; mz__w.tolerates_races && word < t->stack_top; word += 8)
        if (mz__shadow_of(word)->more & MZ__WORD_IS_EVENT)
            mz__last_access(word, 8);
    if (from < t->stack_top)
        mz__access(from, t->stack_top - from, true, false, mz__caller.pc);
}

void mz__finish_thread(void)
{
    mz__has_read_all();
    mz__thread *t = mz__w.current;
    if (t->section > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "thread %u ends inside an atomic section", t->number);
    if (t->held_last)
        mz__warn_of_kept_locks();
    if (mz__w.stack_is_shared[t->number])
        abandon_stack(t);
    mz__w.current->returned = true;
    if (mz__w.current->joiner)
        end_join(mz__w.current->joiner - 1);
    mz__stop(MZ__FINISHED);
}

static uint32_t number_of_child(void)
{
    uint32_t parent = mz__w.current ? mz__me() : UINT32_MAX,
             child = mz__w.current ? mz__rarely(mz__w.current)->children++ : 0;
    uint32_t number = 0;
    while (number < mz__w.birth_count &&
           (mz__w.births[number].parent != parent || mz__w.births[number].child != child))
        number++;
    if (number == mz__w.birth_count && number < MZ_MAX_THREADS) {
        mz__w.births[mz__w.birth_count].parent = parent;
        mz__w.births[mz__w.birth_count++].child = child;
    }
    return number;
}

enum { FRESH = 4096, GARBAGE = 0xa5 }; /* nothing that somebody could rely on, or an object that is ready */

uint32_t mz__create_thread(void *(*start)(void *), void *argument, bool detached, uintptr_t pc)
{
    uint32_t number = number_of_child();
    if (number == MZ_MAX_THREADS && mz__w.flight)
        mz__w.flight->too_many_threads = true;
    if (number == MZ_MAX_THREADS)
        mz__give_up(pc, "the program has more than %d threads", MZ_MAX_THREADS);
    if (number >= mz__w.base.thread_capacity)
        mz__learned();
    mz__thread *t = &mz__w.threads[number];
    mz__w.main_alone_in = mz__w.main_last_in = 0;
    mz__save_record(t);
    memset(&t->sp, 0, offsetof(mz__thread, pending.accesses) - offsetof(mz__thread, sp));
    t->number = number;
    t->stack_top = mz__stack_top(number);
    if (mz__w.state.thread_count <= number) /* saved with the step */
        mz__w.state.thread_count = number + 1;
    t->life = MZ__ALIVE;
    mz__save(&t->clock, sizeof t->clock);
    mz__save(&t->fenced, sizeof t->fenced);
    mz__save(&t->unfenced, sizeof t->unfenced);
    memset(&t->clock, 0, sizeof t->clock);
    memset(&t->fenced, 0, sizeof t->fenced);
    memset(&t->unfenced, 0, sizeof t->unfenced);
    mz__rare *rare = mz__rarely(t);
    *rare = (mz__rare){.saved_in = rare->saved_in, .start = start, .argument = argument};
    t->detached = detached;
    rare->created_by = pc;
    rare->random_state = 1;
    rare->blocked = mz__w.current ? mz__w.current->rare.blocked : 0;
    rare->rounding = mz__w.current ? mz__w.current->rare.rounding : 0; /* to the nearest: where that begins */
    if (mz__w.current) {
        mz__is_noticed(mz__w.current);
        mz__order_threads(mz__me(), number);
        t->knows_others = false;
        mz__inherit_causes(t, mz__w.current);
        t->joined = mz__w.current->joined; /* it begins after them, too: see begin_choice() */
    }
    t->clock.of[number] = 1;
    if (mz__w.memory.tls_bytes > 0) {
        void *block = (void *)mz__tls_block(number);
        mz__touch(block, mz__w.memory.tls_bytes);
        memset(block, 0, mz__w.memory.tls_bytes);
        memcpy(block, mz__w.memory.tls_image, mz__w.memory.tls_image_bytes);
    }
    /* its stack is the same each time it begins, also where nothing has been written yet */
    mz__save((void *)(t->stack_top - FRESH), FRESH);
    memset((void *)(t->stack_top - FRESH), GARBAGE, FRESH);
    rare->hook_stack_now = (char *)&t->sp;
    t->saved_in = mz__trail_now.serial; /* there is nothing to go back to */
    t->saved_top = t->stack_top;
    t->hashed_to = UINTPTR_MAX;
    t->body_sp = t->stack_top;
    t->sp = mz__fiber((void *)t->stack_top, thread_main);
    mz__wake(number);
    return number;
}
