/* Clients of a library (machine/history.h): the driver that is compiled behind the library asks here which
 * operation is next, and tells what it returned. Neither is an event: the order of calls in real time is
 * found from the events between which they lie (client/linearize.c). */
#include <string.h>

#include "machine/history.h"
#include "program/program.h"
#include "program/runtime/for_the_program.h"
#include "program/verifier/results.h"
#include "program/world/coverage.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static mz_client client;                        /* what is run */
static mz_history history;                      /* of the execution at hand; on the trail */
static uint32_t current[MZ_CLIENT_THREADS + 1]; /* call of the thread, from 1; on the trail */
static uint32_t begun[MZ_CLIENT_THREADS + 1];   /* how many; on the trail */
static mz_text problem;                         /* why there is nothing to check */

void mz_native_set_client(mz_machine *machine, const mz_client *what)
{
    (void)machine;
    client = *what;
    mz__learn_result_types();
    mz__w.argument_count = (int)what->threads + 2;
    mz__w.restarts = 0;
}

const mz_history *mz_native_history(const mz_machine *machine)
{
    (void)machine;
    return &history;
}

bool mz_native_waits_for_lock(const mz_machine *machine, uint32_t thread)
{
    (void)machine;
    mz__guard guard = mz__w.threads[thread].pending.guard;
    return guard == MZ__MUTEX_FREE || guard == MZ__SPIN_FREE || guard == MZ__READABLE ||
           guard == MZ__WRITABLE;
}

const char *mz_native_client_problem(const mz_machine *machine)
{
    (void)machine;
    return problem.length > 0 ? mz_text_string(&problem) : NULL;
}

static void end_call(uint32_t thread)
{
    if (current[thread] == 0)
        return;
    mz_client_call *call = &history.calls[current[thread] - 1];
    MZ__SAVE(call->after);
    MZ__SAVE(call->returned);
    call->after = mz__w.current->events;
    call->returned = true;
    if (mz__w.covering) {
        MZ__SAVE(mz__w.covering->call[mz__w.current->number]);
        mz__w.covering->call[mz__w.current->number] = 0;
    }
}

/* --coverage counts only what threads do beside each other. */
static void cover_call(uint32_t thread, uint32_t number, uint32_t operation)
{
    mz__covering *c = mz__w.covering;
    if (!c || thread == 0)
        return;
    MZ__SAVE(c->call[mz__w.current->number]);
    MZ__SAVE(c->operation[number]);
    c->call[mz__w.current->number] = number;
    c->operation[number] = operation;
}

/* Its number; -1: the thread has done all. Calls are progress: who does the same again does not spin. */
MZ__HOOK(int, mz_client_next, int thread)
{
    uint32_t t = (uint32_t)thread;
    end_call(t);
    mz__made_progress();
    MZ__SAVE(current[t]);
    MZ__SAVE(begun[t]);
    current[t] = 0;
    if (begun[t] >= client.length[t])
        return -1;
    MZ__SAVE(history.count);
    mz_client_call *call = &history.calls[history.count];
    mz__save(call, offsetof(mz_client_call, result) + sizeof(uint64_t)); /* that ends the text */
    call->thread = t;
    call->runs_in = mz__w.current->number;
    call->operation = client.operations[t][begun[t]];
    call->before = mz__w.current->events;
    call->after = 0;
    call->returned = false;
    call->result[0] = '\0';
    begun[t]++;
    current[t] = ++history.count;
    cover_call(t, history.count, call->operation);
    return (int)call->operation;
}

MZ__HOOK(void, mz_client_result, int thread, int kind, const void *value, unsigned long size,
         const void *typed)
{
    mz_client_call *call = &history.calls[current[thread] - 1];
    mz__save(call->result, sizeof call->result);
    mz__add_result((mz__result_kind)kind, value, size, typed, call->result);
}

/* What the setup has made, if it is a pointer, must be something. */
MZ__HOOK(void, mz_client_made, const void *const *pointer, const char *name)
{
    if (*pointer)
        return;
    mz_text_clear(&problem);
    mz_text_add(&problem, "%s is NULL after the setup", name);
    mz__prune();
}
