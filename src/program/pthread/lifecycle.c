/* How threads begin and end. */
#include <stddef.h>
#include <string.h>

#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/order/happens_before.h"
#include "program/pthread/endings.h"
#include "program/pthread/lifecycle.h"
#include "program/runtime/simple_sections.h"
#include "program/world/causes.h"
#include "program/world/control.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static void thread_main(void)
{
    mz__thread *t = mz__w.current;
    void *result = t->cold.start(t->cold.argument);
    if (result != t->cold.result)
        mz__cold_of(t)->result = result;
    mz__end_thread();
}

static uint32_t number_of_child(void)
{
    uint32_t parent = mz__w.current ? mz__me() : UINT32_MAX,
             child = mz__w.current ? mz__cold_of(mz__w.current)->children++ : 0;
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
    if (MZ_UNLIKELY(mz__w.most_events > 0) && number > mz__w.most_events) { /* creating one is no event */
        mz__w.has_left_threads = true;
        mz__give_up(pc, "the program has more than %llu threads", (unsigned long long)mz__w.most_events);
    }
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
    mz__cold *cold = mz__cold_of(t);
    *cold = (mz__cold){.saved_in = cold->saved_in, .start = start, .argument = argument};
    t->detached = detached;
    cold->created_by = mz__w.current ? mz__call_in_program() : pc;
    cold->random_state = 1;
    cold->blocked = mz__w.current ? mz__w.current->cold.blocked : 0;
    cold->control = mz__w.current && mz__w.control_used ? mz__control_now() : (mz__control){0};
    if (mz__w.current) {
        mz__not_in_simple_section();
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
    cold->hook_stack_now = (char *)&t->sp;
    t->saved_in = mz__trail_now.serial; /* there is nothing to go back to */
    t->saved_top = t->stack_top;
    t->hashed_to = UINTPTR_MAX;
    t->body_sp = t->stack_top;
    t->sp = mz__fiber((void *)t->stack_top, thread_main);
    mz__wake(number);
    return number;
}
