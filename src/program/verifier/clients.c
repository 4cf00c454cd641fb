/* Clients of a library (machine/history.h): the driver that is compiled behind the library asks here which
 * operation is next, and tells what it returned. Neither is an event: the order of calls in real time is
 * found from the events between which they lie (client/linearize.c). */
#include <stdio.h>
#include <string.h>

#include "machine/history.h"
#include "program/program.h"
#include "program/runtime/for_the_program.h"
#include "program/world/coverage.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static mz_client client;                        /* what is run */
static mz_history history;                      /* of the execution at hand; on the trail */
static uint32_t current[MZ_CLIENT_THREADS + 1]; /* call of the thread, from 1; on the trail */
static uint32_t begun[MZ_CLIENT_THREADS + 1];   /* how many; on the trail */
static mz_text problem;                         /* why there is nothing to check */

/* What the driver calls the type of a result: build/compile_driver.c. */
enum { BYTES, BOOLEAN, CHARACTER, SIGNED, UNSIGNED, FLOATING, STRING, POINTER };

void mz_native_set_client(mz_machine *machine, const mz_client *what)
{
    (void)machine;
    client = *what;
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
    mz__save(call, sizeof *call);
    *call = (mz_client_call){.thread = t,
                             .runs_in = mz__w.current->number,
                             .operation = client.operations[t][begun[t]],
                             .before = mz__w.current->events};
    begun[t]++;
    current[t] = ++history.count;
    cover_call(t, history.count, call->operation);
    return (int)call->operation;
}

/* Where it lies is not the same alone as beside others; what is compared is whether there is something. */
static void add_pointer(uintptr_t address, char *out, size_t size)
{
    const mz__memory *m = &mz__w.memory;
    if (address == 0)
        snprintf(out, size, "NULL");
    else if (address - m->image < m->image_end - m->image)
        snprintf(out, size, "&static+%#zx", (size_t)(address - m->image));
    else
        snprintf(out, size, "a pointer");
}

static uint64_t fingerprint(const void *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void add_string(const char *text, char *out, size_t size)
{
    size_t length = text ? mz__string_length(text) : 0;
    if (!text)
        snprintf(out, size, "NULL");
    else if (length + 3 <= size / 2)
        snprintf(out, size, "\"%s\"", text);
    else
        snprintf(out, size, "\"%.12s…\" (%zu, %08x)", text, length, (unsigned)fingerprint(text, length));
}

static void add_bytes(const unsigned char *bytes, size_t count, char *out, size_t size)
{
    if (count > 12) {
        snprintf(out, size, "%zu bytes (%016llx)", count, (unsigned long long)fingerprint(bytes, count));
        return;
    }
    for (size_t i = 0; i < count && 2 * i + 3 < size; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static int64_t signed_value(const void *value, size_t size)
{
    int64_t number = 0;
    memcpy(&number, value, size);
    unsigned unused = 64 - 8 * (unsigned)size;
    return (int64_t)((uint64_t)number << unused) >> unused;
}

static void add_value(int kind, const void *value, size_t size, char *out, size_t room)
{
    uint64_t number = 0;
    if (size <= sizeof number)
        memcpy(&number, value, size);
    if (size > sizeof number && kind != FLOATING)
        kind = BYTES;
    switch (kind) {
    case BOOLEAN:
        snprintf(out, room, "%s", number ? "true" : "false");
        break;
    case CHARACTER:
        snprintf(out, room, number >= ' ' && number < 127 ? "'%c'" : "'\\%o'", (int)number);
        break;
    case SIGNED:
        snprintf(out, room, "%lld", (long long)signed_value(value, size));
        break;
    case UNSIGNED:
        snprintf(out, room, "%llu", (unsigned long long)number);
        break;
    case FLOATING:
        if (size == sizeof(float))
            snprintf(out, room, "%.9g", (double)*(const float *)value);
        else if (size == sizeof(double))
            snprintf(out, room, "%.17g", *(const double *)value);
        else
            snprintf(out, room, "%.21Lg", *(const long double *)value);
        break;
    case STRING:
        add_string((const char *)(uintptr_t)number, out, room);
        break;
    case POINTER:
        add_pointer((uintptr_t)number, out, room);
        break;
    default:
        add_bytes(value, size, out, room);
    }
}

MZ__HOOK(void, mz_client_result, int thread, int kind, const void *value, unsigned long size)
{
    mz_client_call *call = &history.calls[current[thread] - 1];
    size_t length = strlen(call->result);
    mz__save(call->result, sizeof call->result);
    if (length > 0 && length + 3 < sizeof call->result)
        length += (size_t)snprintf(call->result + length, sizeof call->result - length, ", ");
    if (length + 3 < sizeof call->result)
        add_value(kind, value, size, call->result + length, sizeof call->result - length);
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
