/* The names that other checkers have for what a program can say (wire/foreign.h), when it is run. Weak: what
 * the program defines itself is kept. */
#include <stddef.h>
#include <stdint.h>

#include "wire/foreign.h"
#include "wire/nondet.h"

void __VERIFIER_assume(int holds);
void __VERIFIER_assert(int holds);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#define DEFINE(T, name, ...)                                                                                 \
    __attribute__((weak)) T name(__VA_ARGS__);                                                               \
    T name(__VA_ARGS__)

#define ASSUME(name)                                                                                         \
    DEFINE(void, name, int holds)                                                                            \
    {                                                                                                        \
        __VERIFIER_assume(holds);                                                                            \
    }
MZ_FOREIGN_ASSUME(ASSUME)

#define ASSERT(name)                                                                                         \
    DEFINE(void, name, int holds)                                                                            \
    {                                                                                                        \
        __VERIFIER_assert(holds);                                                                            \
    }
MZ_FOREIGN_ASSERT(ASSERT)
MZ_FOREIGN_ASSERT_TEXT(ASSERT)

#define BEGIN(name)                                                                                          \
    DEFINE(void, name, void)                                                                                 \
    {                                                                                                        \
        __VERIFIER_atomic_begin();                                                                           \
    }
MZ_FOREIGN_ATOMIC_BEGIN(BEGIN)

#define END(name)                                                                                            \
    DEFINE(void, name, void)                                                                                 \
    {                                                                                                        \
        __VERIFIER_atomic_end();                                                                             \
    }
MZ_FOREIGN_ATOMIC_END(END)

#define HINT(name)                                                                                           \
    DEFINE(void, name, void)                                                                                 \
    {                                                                                                        \
    }
MZ_FOREIGN_HINTS(HINT)

#define DECLARE(T, name, has_negative) T __VERIFIER_nondet_##name(void);
#define DECLARE_BOOL(name)             DECLARE(_Bool, name, false)
MZ_NONDET(DECLARE)
MZ_NONDET_BOOL(DECLARE_BOOL)
DECLARE(void *, pointer, false)

#define NONDET(T, name, meaning)                                                                             \
    DEFINE(T, name, void)                                                                                    \
    {                                                                                                        \
        return __VERIFIER_nondet_##meaning();                                                                \
    }
MZ_FOREIGN_NONDET(NONDET)
