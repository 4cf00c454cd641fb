/* What C++ programs ask of the checker. The rest of their library is compiled into them (cxx/). */
#include <stddef.h>

#include "program/cxx/cxx.h"
#include "program/libc/libc.h"

/* ---- new and delete --------------------------------------------------------------------------------------
 */

static void *allocate(size_t bytes, size_t alignment, mz__family family, bool may_fail)
{
    void *block = mz__allocate(bytes, alignment);
    if (block)
        mz__heap_set_family(block, family);
    else if (!may_fail)
        mz__give_up(mz__caller.pc, "there is no room for a block of %zu bytes", bytes);
    return block;
}

/* With its size, which the compiler takes from the type of what is deleted. */
static void release_sized(void *block, size_t bytes, mz__family family)
{
    size_t size = mz__heap_size(block);
    bool matches = mz__heap_is_of_family(block, family); /* otherwise that is what is wrong with it */
    if (block && size != 0 && size != bytes && matches)
        mz__fail(MZ_FAIL_MEMORY, mz__caller.pc,
                 "an object of %zu bytes is deleted as one of %zu: its type is another one", size, bytes);
    mz__free(block, family);
}

MZ__HOOK(void *, __wrap__Znwm, size_t bytes)
{
    return allocate(bytes, 16, MZ__BY_NEW, false);
}

MZ__HOOK(void *, __wrap__Znam, size_t bytes)
{
    return allocate(bytes, 16, MZ__BY_NEW_ARRAY, false);
}

MZ__HOOK(void *, __wrap__ZnwmRKSt9nothrow_t, size_t bytes, const void *nothrow)
{
    (void)nothrow;
    return allocate(bytes, 16, MZ__BY_NEW, true);
}

MZ__HOOK(void *, __wrap__ZnamRKSt9nothrow_t, size_t bytes, const void *nothrow)
{
    (void)nothrow;
    return allocate(bytes, 16, MZ__BY_NEW_ARRAY, true);
}

MZ__HOOK(void *, __wrap__ZnwmSt11align_val_t, size_t bytes, size_t alignment)
{
    return allocate(bytes, alignment, MZ__BY_NEW, false);
}

MZ__HOOK(void *, __wrap__ZnamSt11align_val_t, size_t bytes, size_t alignment)
{
    return allocate(bytes, alignment, MZ__BY_NEW_ARRAY, false);
}

MZ__HOOK(void, __wrap__ZdlPv, void *block)
{
    mz__free(block, MZ__BY_NEW);
}

MZ__HOOK(void, __wrap__ZdaPv, void *block)
{
    mz__free(block, MZ__BY_NEW_ARRAY);
}

MZ__HOOK(void, __wrap__ZdlPvm, void *block, size_t bytes)
{
    release_sized(block, bytes, MZ__BY_NEW);
}

MZ__HOOK(void, __wrap__ZdaPvm, void *block, size_t bytes)
{
    release_sized(block, bytes, MZ__BY_NEW_ARRAY);
}

MZ__HOOK(void, __wrap__ZdlPvSt11align_val_t, void *block, size_t alignment)
{
    (void)alignment;
    mz__free(block, MZ__BY_NEW);
}

MZ__HOOK(void, __wrap__ZdaPvSt11align_val_t, void *block, size_t alignment)
{
    (void)alignment;
    mz__free(block, MZ__BY_NEW_ARRAY);
}

MZ__HOOK(void, __wrap__ZdlPvmSt11align_val_t, void *block, size_t bytes, size_t alignment)
{
    (void)alignment;
    release_sized(block, bytes, MZ__BY_NEW);
}

MZ__HOOK(void, __wrap__ZdaPvmSt11align_val_t, void *block, size_t bytes, size_t alignment)
{
    (void)alignment;
    release_sized(block, bytes, MZ__BY_NEW_ARRAY);
}

MZ__HOOK(void, __wrap__ZdlPvRKSt9nothrow_t, void *block, const void *nothrow)
{
    (void)nothrow;
    mz__free(block, MZ__BY_NEW);
}

MZ__HOOK(void, __wrap__ZdaPvRKSt9nothrow_t, void *block, const void *nothrow)
{
    (void)nothrow;
    mz__free(block, MZ__BY_NEW_ARRAY);
}

/* ---- the end of objects ----------------------------------------------------------------------------------
 */

static void (*end_of_program)(void), (*end_of_thread)(void); /* set once, by a constructor */

MZ__HOOK(void, __mazurka_at_end, void (*of_program)(void), void (*of_thread)(void))
{
    end_of_program = of_program;
    end_of_thread = of_thread;
}

void mz__end_static_objects(void)
{
    if (end_of_program)
        mz__call_program(end_of_program);
}

void mz__end_thread_objects(void)
{
    if (end_of_thread)
        mz__call_program(end_of_thread);
}

/* ---- standard streams -------------------------------------------------------------------------------------
 */

/* Their state may be used by several threads at a time, by the language's own words: it is no race. */
MZ__HOOK(void, __mazurka_store, void *to, const void *from, size_t bytes)
{
    mz__before_write((uintptr_t)to, bytes);
    memcpy(to, from, bytes);
}

/* ---- exceptions ------------------------------------------------------------------------------------------
 */

MZ__HOOK(void, __mazurka_uncaught, const void *pc, const char *type, const char *what)
{
    uintptr_t place = pc ? (uintptr_t)pc : mz__call_in_program();
    if (!type)
        mz__fail(MZ_FAIL_CRASH, place, "%s", what ? what : "std::terminate() is called");
    else if (what)
        mz__fail(MZ_FAIL_CRASH, place, "uncaught exception of type %s: %s", type, what);
    else
        mz__fail(MZ_FAIL_CRASH, place, "uncaught exception of type %s", type);
}
