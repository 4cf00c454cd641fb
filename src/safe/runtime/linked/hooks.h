/* What gcc calls before plain accesses and instead of atomic operations, for programs that are run: compiled
 * at the beginning of each of their sources.
 *
 * A function that the compiler has compiled already changes just the registers that it names here
 * (-fipa-ra), not all that a call may change. So what a loop computes stays in registers across these calls,
 * also if a call is taken out later (compile_program.c): code with hooks is as fast as without. They are
 * defined under the names that the compiler itself uses (__builtin_…), and come first (no_reorder).
 *
 * An atomic operation counts, as mz__begin() does (runtime.h), and happens at once, unless there is something
 * to be done about it. Then a function of the runtime does both; it keeps all other registers
 * (runtime_kept.c). A stub has no frame, so it leaves the bytes below the stack pointer alone that the
 * compiler may use without one.
 *
 * MZ_COUNTS_ACCESSES: plain accesses count, too. A store that others may race with is in memory before the
 * thread's next operation: that one, whatever it is, finds that there is something to be done. */
#if defined __x86_64__ && !defined __ILP32__ && !defined __clang__
#ifdef __cplusplus
extern "C" {
#endif

#pragma push_macro("no_sanitize") /* the check takes such attributes away from the program */
#undef no_sanitize
#define MZ_STUB __attribute__((noinline, no_reorder, no_sanitize("thread"), visibility("hidden")))

/* runtime.h: `count`, and behind it `next`. With a register for the base: processors then see sooner that it
 * is the word which was written last. */
#define MZ_COUNT(base)                                                                                       \
    "movq $mz__self@tpoff, %%" base "\n\tmovq %%fs:(%%" base "), %%rax\n\tincq %%rax\n\t"                   \
    "movq %%rax, %%fs:(%%" base ")\n\tcmpq %%fs:8(%%" base "), %%rax\n\tjae 8f\n5:\t"
#define MZ_OR_ELSE(name)                                                                                     \
    "\n9:\n\t.pushsection .text.unlikely\n"                                                                  \
    "8:\tsubq $128, %%rsp\n\tcall mz__settle_store\n\tjb 6f\n\tcall mz__kept_" #name                       \
    "\n\taddq $128, %%rsp\n\tjmp 9b\n6:\taddq $128, %%rsp\n\tjmp 5b\n\t.popsection"

#ifdef MZ_COUNTS_ACCESSES
/* runtime.h: `following` becomes what `next` was, and that is now. */
#define MZ_STORE                                                                                             \
    "cmpb $0, mz__needs_fences(%%rip)\n\tje 9f\n\tmovq %%fs:8(%%rdx), %%rax\n\tmovq %%rax, %%fs:16(%%rdx)\n\t"  \
    "movq %%fs:(%%rdx), %%rax\n\tmovq %%rax, %%fs:8(%%rdx)\n\tmovb $1, %%fs:24(%%rdx)"
#define MZ_ACCESS(name, then, argument)                                                                      \
    __asm__ volatile(MZ_COUNT("rdx") then MZ_OR_ELSE(name) : : argument : "rax", "rdx", "memory", "cc")
#else
#define MZ_STORE                        ""
#define MZ_ACCESS(name, then, argument) __asm__ volatile("" : : argument)
#endif

#define MZ_PLAIN(name, then)                                                                                 \
    MZ_STUB void __builtin___tsan_##name(void *p)                                                            \
    {                                                                                                        \
        MZ_ACCESS(name, then, "D"(p));                                                                       \
    }
#define MZ_RANGE(name, then)                                                                                 \
    MZ_STUB void __builtin___tsan_##name(void *p, __PTRDIFF_TYPE__ size)                                     \
    {                                                                                                        \
        (void)size;                                                                                          \
        MZ_ACCESS(name, then, "D"(p));                                                                       \
    }
MZ_PLAIN(read1, "")
MZ_PLAIN(read2, "")
MZ_PLAIN(read4, "")
MZ_PLAIN(read8, "")
MZ_PLAIN(read16, "")
MZ_PLAIN(write1, MZ_STORE)
MZ_PLAIN(write2, MZ_STORE)
MZ_PLAIN(write4, MZ_STORE)
MZ_PLAIN(write8, MZ_STORE)
MZ_PLAIN(write16, MZ_STORE)
MZ_RANGE(read_range, "")
MZ_RANGE(write_range, MZ_STORE)

/* %b1, %w1, %k1, %q1: as many bytes of an operand as there are bits. */
#define MZ_ATOMICS(bits, T, size)                                                                            \
    MZ_STUB T __builtin___tsan_atomic##bits##_load(const volatile void *p, int order)                        \
    {                                                                                                        \
        T value;                                                                                             \
        (void)order;                                                                                         \
        __asm__ volatile(MZ_COUNT("rdx") "mov (%1), %" size "0" MZ_OR_ELSE(atomic##bits##_load)                     \
                         : "=a"(value)                                                                       \
                         : "D"(p)                                                                            \
                         : "rdx", "memory", "cc");                                                           \
        return value;                                                                                        \
    }                                                                                                        \
    MZ_STUB void __builtin___tsan_atomic##bits##_store(volatile void *p, T value, int order)                 \
    {                                                                                                        \
        (void)order;                                                                                         \
        __asm__ volatile(MZ_COUNT("rdx") "xchg %" size "0, (%1)" MZ_OR_ELSE(atomic##bits##_store)                   \
                         : "+S"(value)                                                                       \
                         : "D"(p)                                                                            \
                         : "rax", "rdx", "memory", "cc");                                                           \
    }                                                                                                        \
    MZ_UPDATE(bits, T, size, exchange, "mov %" size "3, %" size "0\n\txchg %" size "0, (%2)")                \
    MZ_UPDATE(bits, T, size, fetch_add, "mov %" size "3, %" size "0\n\tlock xadd %" size "0, (%2)")          \
    MZ_UPDATE(bits, T, size, fetch_sub,                                                                      \
              "mov %" size "3, %" size "0\n\tneg %" size "0\n\tlock xadd %" size "0, (%2)")                  \
    MZ_UPDATE(bits, T, size, fetch_and, MZ_RETRY(size, "and"))                                               \
    MZ_UPDATE(bits, T, size, fetch_or, MZ_RETRY(size, "or"))                                                 \
    MZ_UPDATE(bits, T, size, fetch_xor, MZ_RETRY(size, "xor"))                                               \
    MZ_COMPARE_EXCHANGE(bits, T, size, strong)                                                               \
    MZ_COMPARE_EXCHANGE(bits, T, size, weak)

#define MZ_UPDATE(bits, T, size, name, instructions)                                                         \
    MZ_STUB T __builtin___tsan_atomic##bits##_##name(volatile void *p, T operand, int order)                 \
    {                                                                                                        \
        T old, scratch;                                                                                      \
        (void)order;                                                                                         \
        __asm__ volatile(MZ_COUNT("rdx") instructions MZ_OR_ELSE(atomic##bits##_##name)                             \
                         : "=&a"(old), "=&d"(scratch)                                                        \
                         : "D"(p), "S"(operand)                                                              \
                         : "memory", "cc");                                                                  \
        return old;                                                                                          \
    }

#define MZ_RETRY(size, operation)                                                                            \
    "mov (%2), %" size "0\n7:\tmov %" size "0, %" size "1\n\t" operation " %" size "3, %" size "1\n\t"       \
    "lock cmpxchg %" size "1, (%2)\n\tjne 7b"

/* The old value if it is another one: as C has it, where `expected` points to. */
#define MZ_COMPARE_EXCHANGE(bits, T, size, strength)                                                         \
    MZ_STUB _Bool __builtin___tsan_atomic##bits##_compare_exchange_##strength(                               \
        volatile void *p, void *expected, T desired, int order, int failure_order)                           \
    {                                                                                                        \
        int same;                                                                                            \
        (void)order;                                                                                         \
        (void)failure_order;                                                                                 \
        __asm__ volatile(MZ_COUNT("rcx") "mov (%2), %" size "0\n\tlock cmpxchg %" size "3, (%1)\n\tje 7f\n\t"       \
                                  "mov %" size "0, (%2)\n7:\tsete %%al\n\tmovzbl %%al, %%eax"                \
                                  MZ_OR_ELSE(atomic##bits##_compare_exchange_##strength)                     \
                         : "=a"(same)                                                                        \
                         : "D"(p), "S"(expected), "d"(desired)                                               \
                         : "rcx", "memory", "cc");                                                                  \
        return same != 0;                                                                                    \
    }
#ifdef __cplusplus
#define _Bool bool
#endif

MZ_ATOMICS(8, unsigned char, "b")
MZ_ATOMICS(16, unsigned short, "w")
MZ_ATOMICS(32, unsigned, "k")
MZ_ATOMICS(64, unsigned long, "q")

#pragma pop_macro("no_sanitize")
#undef MZ_STUB
#undef MZ_COUNT
#undef MZ_OR_ELSE
#undef MZ_COUNTS_ACCESSES
#undef MZ_STORE
#undef MZ_ACCESS
#undef MZ_PLAIN
#undef MZ_RANGE
#undef MZ_ATOMICS
#undef MZ_UPDATE
#undef MZ_RETRY
#undef MZ_COMPARE_EXCHANGE
#ifdef __cplusplus
#undef _Bool
}
#endif
#endif
