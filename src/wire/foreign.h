/* What programs written for other checkers (CBMC, ESBMC, GenMC, Goblint, CSeq) say to these, and what that
 * means here. A program that defines such a name itself keeps its own: then it means what stands there. */
#ifndef MZ_WIRE_FOREIGN_H
#define MZ_WIRE_FOREIGN_H

/* void NAME(int holds) */
#define MZ_FOREIGN_ASSUME(X) X(__CPROVER_assume) X(__ESBMC_assume) X(__CSEQ_assume) X(__goblint_assume)
#define MZ_FOREIGN_ASSERT(X) X(__CSEQ_assert) X(__goblint_check) X(__goblint_assert)

/* void NAME(int holds, const char *text) */
#define MZ_FOREIGN_ASSERT_TEXT(X)                                                                            \
    X(__CPROVER_assert) X(__ESBMC_assert) X(__CPROVER_precondition) X(__CPROVER_postcondition)

/* void NAME(void) */
#define MZ_FOREIGN_ATOMIC_BEGIN(X) X(__CPROVER_atomic_begin) X(__ESBMC_atomic_begin) X(__CSEQ_atomic_begin)
#define MZ_FOREIGN_ATOMIC_END(X)   X(__CPROVER_atomic_end) X(__ESBMC_atomic_end) X(__CSEQ_atomic_end)

/* Hints, which change nothing in what the program does: where loops wait (they are recognised anyway), how
 * often a loop is to be followed (until it ends, or as --unroll says), what to tell apart or cover. */
#define MZ_FOREIGN_HINTS(X)                                                                                  \
    X(__VERIFIER_loop_begin)                                                                                 \
    X(__VERIFIER_loop_bound)                                                                                 \
    X(__VERIFIER_spin_start)                                                                                 \
    X(__VERIFIER_spin_end)                                                                                   \
    X(__VERIFIER_potential_spin_end)                                                                         \
    X(__goblint_split_begin)                                                                                 \
    X(__goblint_split_end)                                                                                   \
    X(__goblint_commit)                                                                                      \
    X(__goblint_globalize)                                                                                   \
    X(__goblint_assume_join)                                                                                 \
    X(__goblint_bounded)                                                                                     \
    X(__ESBMC_yield)                                                                                         \
    X(__ESBMC_cover)                                                                                         \
    X(__ESBMC_unroll)                                                                                        \
    X(__CPROVER_cover)                                                                                       \
    X(__CPROVER_input)                                                                                       \
    X(__CPROVER_output)

/* TYPE NAME(void), as __VERIFIER_nondet_MEANING */
#define MZ_FOREIGN_NONDET_OF(X, prefix)                                                                      \
    X(int, prefix##int, int)                                                                                 \
    X(unsigned, prefix##uint, uint)                                                                          \
    X(unsigned, prefix##unsigned, unsigned)                                                                  \
    X(unsigned, prefix##unsigned_int, unsigned_int)                                                          \
    X(_Bool, prefix##bool, _Bool)                                                                            \
    X(_Bool, prefix##_Bool, _Bool)                                                                           \
    X(char, prefix##char, char)                                                                              \
    X(signed char, prefix##schar, schar)                                                                     \
    X(unsigned char, prefix##uchar, uchar)                                                                   \
    X(unsigned char, prefix##unsigned_char, unsigned_char)                                                   \
    X(short, prefix##short, short)                                                                           \
    X(unsigned short, prefix##ushort, ushort)                                                                \
    X(unsigned short, prefix##unsigned_short, ushort)                                                        \
    X(long, prefix##long, long)                                                                              \
    X(unsigned long, prefix##ulong, ulong)                                                                   \
    X(unsigned long, prefix##unsigned_long, ulong)                                                           \
    X(long long, prefix##longlong, longlong)                                                                 \
    X(unsigned long long, prefix##ulonglong, ulonglong)                                                      \
    X(float, prefix##float, float)                                                                           \
    X(double, prefix##double, double)                                                                        \
    X(void *, prefix##pointer, pointer)                                                                      \
    X(size_t, prefix##size_t, size_t)                                                                        \
    X(uint8_t, prefix##uint8_t, u8)                                                                          \
    X(uint16_t, prefix##uint16_t, u16)                                                                       \
    X(uint32_t, prefix##uint32_t, u32)                                                                       \
    X(uint64_t, prefix##uint64_t, u64)                                                                       \
    X(int8_t, prefix##int8_t, s8)                                                                            \
    X(int16_t, prefix##int16_t, s16)                                                                         \
    X(int32_t, prefix##int32_t, s32)                                                                         \
    X(int64_t, prefix##int64_t, s64)
#define MZ_FOREIGN_NONDET(X)                                                                                 \
    MZ_FOREIGN_NONDET_OF(X, nondet_)                                                                         \
    MZ_FOREIGN_NONDET_OF(X, __CPROVER_nondet_)                                                               \
    MZ_FOREIGN_NONDET_OF(X, __ESBMC_nondet_)                                                                 \
    MZ_FOREIGN_NONDET_OF(X, __CSEQ_nondet_)

/* All names but the last ones, which are one argument of three. */
#define MZ_FOREIGN(X)                                                                                        \
    MZ_FOREIGN_ASSUME(X)                                                                                     \
    MZ_FOREIGN_ASSERT(X)                                                                                     \
    MZ_FOREIGN_ASSERT_TEXT(X)                                                                                \
    MZ_FOREIGN_ATOMIC_BEGIN(X) MZ_FOREIGN_ATOMIC_END(X) MZ_FOREIGN_HINTS(X)

#endif
