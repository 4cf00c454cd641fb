/* The same under the names that other checkers have for it (wire/foreign.h). */
#include "program/pthread/lifecycle.h"
#include "program/runtime/for_the_program.h"
#include "program/world/fiber.h"
#include "wire/foreign.h"
#include "wire/nondet.h"

void mz__hook___VERIFIER_assume(int holds);
void mz__hook___VERIFIER_atomic_begin(void);
void mz__hook___VERIFIER_atomic_end(void);

#define ASSUME(name)                                                                                         \
    MZ__HOOK(void, name, int holds)                                                                          \
    {                                                                                                        \
        mz__hook___VERIFIER_assume(holds);                                                                   \
    }
MZ_FOREIGN_ASSUME(ASSUME)

#define ASSERT(name)                                                                                         \
    MZ__HOOK(void, name, int holds)                                                                          \
    {                                                                                                        \
        if (!holds)                                                                                          \
            mz__assertion(mz__caller.pc, "%s does not hold", #name);                                         \
    }
MZ_FOREIGN_ASSERT(ASSERT)

static void assert_with_text(const char *name, int holds, const char *text)
{
    if (holds)
        return; /* nobody looks at the text */
    if (text)
        mz__string_length(text);
    mz__assertion(mz__caller.pc, "%s does not hold%s%s", name, text ? ": " : "", text ? text : "");
}

#define ASSERT_TEXT(name)                                                                                    \
    MZ__HOOK(void, name, int holds, const char *text)                                                        \
    {                                                                                                        \
        assert_with_text(#name, holds, text);                                                                \
    }
MZ_FOREIGN_ASSERT_TEXT(ASSERT_TEXT)

#define BEGIN(name)                                                                                          \
    MZ__HOOK(void, name, void)                                                                               \
    {                                                                                                        \
        mz__hook___VERIFIER_atomic_begin();                                                                  \
    }
MZ_FOREIGN_ATOMIC_BEGIN(BEGIN)

#define END(name)                                                                                            \
    MZ__HOOK(void, name, void)                                                                               \
    {                                                                                                        \
        mz__hook___VERIFIER_atomic_end();                                                                    \
    }
MZ_FOREIGN_ATOMIC_END(END)

#define HINT(name)                                                                                           \
    void name(void);                                                                                         \
    void name(void)                                                                                          \
    {                                                                                                        \
    }
MZ_FOREIGN_HINTS(HINT)

#define DECLARE(T, name, has_negative) T mz__hook___VERIFIER_nondet_##name(void);
#define DECLARE_BOOL(name)             DECLARE(_Bool, name, false)
MZ_NONDET(DECLARE)
MZ_NONDET_BOOL(DECLARE_BOOL)
DECLARE(void *, pointer, false)

#define NONDET(T, name, meaning)                                                                             \
    MZ__HOOK(T, name, void)                                                                                  \
    {                                                                                                        \
        return mz__hook___VERIFIER_nondet_##meaning();                                                       \
    }
MZ_FOREIGN_NONDET(NONDET)
