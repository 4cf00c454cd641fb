/* Attributes of threads, mutexes and the rest. Most say how something is to be done, not what: they are kept,
 * so that a program reads what it has written, and mean nothing here. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "program/pthread/attributes.h"
#include "program/pthread/endings.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/world/noted_premises.h"
#include "program/world/world.h"

/* ---- threads ------------------------------------------------------------------------------------------ */

_Static_assert(sizeof(mz__thread_attributes) <= sizeof(pthread_attr_t), "it lives in its bytes");

enum { USUAL_STACK = 8 << 20, USUAL_GUARD = 4096 };

MZ__HOOK(int, __wrap_pthread_attr_init, mz__thread_attributes *attributes)
{
    mz__plain_access((uintptr_t)attributes, sizeof *attributes, true);
    *attributes = (mz__thread_attributes){.stack_size = USUAL_STACK, .guard_size = USUAL_GUARD};
    return 0;
}

MZ__WITHOUT_EFFECT(pthread_attr_destroy)

/* A function that writes one member, if the value is allowed, and one that reads it. */
#define SETTER(name, type, member, valid)                                                                    \
    MZ__HOOK(int, __wrap_##name, mz__thread_attributes *attributes, type value)                              \
    {                                                                                                        \
        if (!(valid))                                                                                        \
            return EINVAL;                                                                                   \
        mz__plain_access((uintptr_t)&attributes->member, sizeof attributes->member, true);                   \
        attributes->member = value;                                                                          \
        return 0;                                                                                            \
    }
/* What is usual for a new thread depends on the system's limits. */
static void note_usual(const char *member, uint64_t value)
{
    if (strcmp(member, "stack_size") == 0 && value == USUAL_STACK)
        mz__ask_about(MZ_PREMISE_SYSTEM, "stack", value);
    if (strcmp(member, "guard_size") == 0 && value == USUAL_GUARD)
        mz__ask_about(MZ_PREMISE_SYSTEM, "guard", value);
}

#define GETTER(name, type, member)                                                                           \
    MZ__HOOK(int, __wrap_##name, const mz__thread_attributes *attributes, type *value)                       \
    {                                                                                                        \
        mz__plain_access((uintptr_t)&attributes->member, sizeof attributes->member, false);                  \
        mz__plain_access((uintptr_t)value, sizeof *value, true);                                             \
        *value = attributes->member;                                                                         \
        note_usual(#member, (uint64_t)*value);                                                               \
        return 0;                                                                                            \
    }

SETTER(pthread_attr_setdetachstate, int, detach_state, value == 0 || value == PTHREAD_CREATE_DETACHED)
GETTER(pthread_attr_getdetachstate, int, detach_state)
SETTER(pthread_attr_setstacksize, size_t, stack_size, value >= (size_t)PTHREAD_STACK_MIN)
GETTER(pthread_attr_getstacksize, size_t, stack_size)
SETTER(pthread_attr_setguardsize, size_t, guard_size, true)
GETTER(pthread_attr_getguardsize, size_t, guard_size)
SETTER(pthread_attr_setscope, int, scope, value == PTHREAD_SCOPE_SYSTEM || value == PTHREAD_SCOPE_PROCESS)
GETTER(pthread_attr_getscope, int, scope)
SETTER(pthread_attr_setinheritsched, int, inherits, value == 0 || value == PTHREAD_EXPLICIT_SCHED)
GETTER(pthread_attr_getinheritsched, int, inherits)
SETTER(pthread_attr_setschedpolicy, int, policy,
       value == SCHED_OTHER || value == SCHED_FIFO || value == SCHED_RR)
GETTER(pthread_attr_getschedpolicy, int, policy)

MZ__HOOK(int, __wrap_pthread_attr_setschedparam, mz__thread_attributes *attributes,
         const struct sched_param *value)
{
    mz__plain_access((uintptr_t)value, sizeof *value, false);
    mz__plain_access((uintptr_t)&attributes->priority, sizeof attributes->priority, true);
    attributes->priority = value->sched_priority;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_attr_getschedparam, const mz__thread_attributes *attributes,
         struct sched_param *value)
{
    mz__plain_access((uintptr_t)&attributes->priority, sizeof attributes->priority, false);
    mz__plain_access((uintptr_t)value, sizeof *value, true);
    value->sched_priority = attributes->priority;
    return 0;
}

/* A name is for reports only: who is called how orders nothing. */
MZ__HOOK(int, __wrap_pthread_setname_np, pthread_t handle, const char *name)
{
    mz__thread *t = mz__thread_of(handle);
    size_t length = mz__string_length(name);
    if (length >= sizeof t->cold.name)
        return ERANGE;
    memcpy(mz__cold_of(t)->name, name, length + 1);
    return 0;
}

/* ---- scheduling: there is one scheduler, and it tries everything ----------------------------------------
 */

MZ__WITHOUT_EFFECT(pthread_setconcurrency)
MZ__WITHOUT_EFFECT(pthread_getconcurrency)
MZ__WITHOUT_EFFECT(pthread_setaffinity_np)
MZ__WITHOUT_EFFECT(pthread_attr_setaffinity_np)
MZ__WITHOUT_EFFECT(pthread_setschedparam)
MZ__WITHOUT_EFFECT(pthread_setschedprio)
MZ__WITHOUT_EFFECT(sched_setaffinity)
MZ__WITHOUT_EFFECT(sched_setscheduler)

MZ__HOOK(int, __wrap_pthread_getschedparam, pthread_t thread, int *policy, struct sched_param *value)
{
    (void)thread;
    mz__plain_access((uintptr_t)policy, sizeof *policy, true);
    mz__plain_access((uintptr_t)value, sizeof *value, true);
    mz__ask_about(MZ_PREMISE_SYSTEM, "scheduling", SCHED_OTHER);
    *policy = SCHED_OTHER;
    value->sched_priority = 0;
    return 0;
}

/* The first processor. */
static int write_affinity(size_t size, unsigned char *set)
{
    mz__plain_access((uintptr_t)set, size, true);
    memset(set, 0, size);
    if (size > 0)
        *set = 1;
    mz__ask_affinity(1);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_getaffinity_np, pthread_t thread, size_t size, unsigned char *set)
{
    (void)thread;
    return write_affinity(size, set);
}

MZ__HOOK(int, __wrap_sched_getaffinity, pid_t process, size_t size, unsigned char *set)
{
    (void)process;
    return write_affinity(size, set);
}

/* CPU_COUNT() */
MZ__HOOK(int, __wrap___sched_cpucount, size_t size, const cpu_set_t *set)
{
    mz__plain_access((uintptr_t)set, size, false);
    return __sched_cpucount(size, set);
}

/* Names are not kept: another thread could see when one is given. */
MZ__HOOK(int, __wrap_pthread_getname_np, pthread_t thread, char *name, size_t size)
{
    (void)thread;
    static const char every_name[] = "thread";
    mz__ask_about(MZ_PREMISE_SYSTEM, "names of threads", 1);
    if (size < sizeof every_name)
        return ERANGE;
    mz__plain_access((uintptr_t)name, sizeof every_name, true);
    memcpy(name, every_name, sizeof every_name);
    return 0;
}

/* No child is ever forked: fork is refused. */
MZ__HOOK(int, __wrap_pthread_atfork, void (*before)(void), void (*parent)(void), void (*child)(void))
{
    (void)before;
    (void)parent;
    (void)child;
    mz__w.forks_awaited = true;
    return 0;
}

/* ---- objects: a few bits in one word each ------------------------------------------------------------- */

#define INITIALISER(name)                                                                                    \
    MZ__HOOK(int, __wrap_##name, int32_t *attributes)                                                        \
    {                                                                                                        \
        mz__plain_access((uintptr_t)attributes, sizeof *attributes, true);                                   \
        *attributes = 0;                                                                                     \
        return 0;                                                                                            \
    }

static int set_bits(int32_t *attributes, uint32_t shift, int most, int value)
{
    if (value < 0 || value > most)
        return EINVAL;
    mz__plain_access((uintptr_t)attributes, sizeof *attributes, true);
    *attributes = (*attributes & ~(MZ__ATTRIBUTE << shift)) | value << shift;
    return 0;
}

static int get_bits(const int32_t *attributes, uint32_t shift, int *value)
{
    mz__plain_access((uintptr_t)attributes, sizeof *attributes, false);
    mz__plain_access((uintptr_t)value, sizeof *value, true);
    *value = *attributes >> shift & MZ__ATTRIBUTE;
    return 0;
}

#define BITS(setter, getter, shift, most)                                                                    \
    MZ__HOOK(int, __wrap_##setter, int32_t *attributes, int value)                                           \
    {                                                                                                        \
        return set_bits(attributes, shift, most, value);                                                     \
    }                                                                                                        \
    MZ__HOOK(int, __wrap_##getter, const int32_t *attributes, int *value)                                    \
    {                                                                                                        \
        return get_bits(attributes, shift, value);                                                           \
    }

INITIALISER(pthread_mutexattr_init)
MZ__WITHOUT_EFFECT(pthread_mutexattr_destroy)
BITS(pthread_mutexattr_settype, pthread_mutexattr_gettype, MZ__TYPE_BITS, PTHREAD_MUTEX_ADAPTIVE_NP)
BITS(pthread_mutexattr_setrobust, pthread_mutexattr_getrobust, MZ__ROBUST_BITS, PTHREAD_MUTEX_ROBUST)
BITS(pthread_mutexattr_setrobust_np, pthread_mutexattr_getrobust_np, MZ__ROBUST_BITS, PTHREAD_MUTEX_ROBUST)
BITS(pthread_mutexattr_setprotocol, pthread_mutexattr_getprotocol, MZ__PROTOCOL_BITS, PTHREAD_PRIO_PROTECT)
BITS(pthread_mutexattr_setpshared, pthread_mutexattr_getpshared, MZ__SHARED_BITS, PTHREAD_PROCESS_SHARED)

INITIALISER(pthread_condattr_init)
MZ__WITHOUT_EFFECT(pthread_condattr_destroy)
BITS(pthread_condattr_setclock, pthread_condattr_getclock, MZ__TYPE_BITS, MZ__ATTRIBUTE)
BITS(pthread_condattr_setpshared, pthread_condattr_getpshared, MZ__SHARED_BITS, PTHREAD_PROCESS_SHARED)

INITIALISER(pthread_barrierattr_init)
MZ__WITHOUT_EFFECT(pthread_barrierattr_destroy)
BITS(pthread_barrierattr_setpshared, pthread_barrierattr_getpshared, MZ__SHARED_BITS, PTHREAD_PROCESS_SHARED)

INITIALISER(pthread_rwlockattr_init)
MZ__WITHOUT_EFFECT(pthread_rwlockattr_destroy)
BITS(pthread_rwlockattr_setkind_np, pthread_rwlockattr_getkind_np, MZ__TYPE_BITS, MZ__ATTRIBUTE)
BITS(pthread_rwlockattr_setpshared, pthread_rwlockattr_getpshared, MZ__SHARED_BITS, PTHREAD_PROCESS_SHARED)
