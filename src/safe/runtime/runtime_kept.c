/* What the stubs in linked/hooks.h call where an operation is more than an instruction. The compiler knows
 * that a stub changes nothing but its result, so all registers that a function may change are kept here: the
 * general ones, and those of vectors as the processor saves them. They count by calling the ordinary hooks
 * (runtime_atomics.c, runtime_accesses.c); what a stub has counted already is taken back before. */
#include "safe/runtime/follow/runtime.h"

#if defined __x86_64__
#include <cpuid.h>

_Static_assert(offsetof(mz__self_record, count) == 0, "linked/hooks.h counts there");
_Static_assert(offsetof(mz__self_record, next) == 8, "linked/hooks.h compares with it");
_Static_assert(offsetof(mz__self_record, following) == 16, "it stands there");
_Static_assert(offsetof(mz__self_record, store) == 24 && offsetof(mz__self_record, plain) == 25,
               "so do these");

/* Of the states that the processor and the system know: x87, SSE, AVX, and the three of AVX-512. No: it has
 * no such instruction, and no more than SSE. */
uint32_t mz__kept_states;

__attribute__((constructor(101))) static void find_states(void)
{
    enum { OSXSAVE = 1u << 27, ALL = 0xe7 };
    uint32_t a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & OSXSAVE)) {
        __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        mz__kept_states = a & ALL;
    }
}

/* At the entry: the address of the function above that of the return. 2,816 bytes hold all of these states
 * where they lie on any processor. The result, if there is one, is in rax, which keeps its value otherwise.
 */
#define KEEP(name, result)                                                                                   \
    name ":\n\tpushq %rbp\n\tmovq %rsp, %rbp\n\t"                                                            \
         "pushq %rax\n\tpushq %rcx\n\tpushq %rdx\n\tpushq %rsi\n\tpushq %rdi\n\t"                            \
         "pushq %r8\n\tpushq %r9\n\tpushq %r10\n\tpushq %r11\n\tpushq %rbx\n\t"                              \
         "subq $2816, %rsp\n\tandq $-64, %rsp\n\t"                                                           \
         "movl mz__kept_states(%rip), %ebx\n\ttestl %ebx, %ebx\n\tje 1f\n\t"                                 \
         "xorl %eax, %eax\n\tmovq %rax, 512(%rsp)\n\tmovq %rax, 520(%rsp)\n\tmovq %rax, 528(%rsp)\n\t"       \
         "movq %rax, 536(%rsp)\n\tmovq %rax, 544(%rsp)\n\tmovq %rax, 552(%rsp)\n\t"                          \
         "movq %rax, 560(%rsp)\n\tmovq %rax, 568(%rsp)\n\t"                                                  \
         "pushq %rdx\n\tmovl %ebx, %eax\n\txorl %edx, %edx\n\txsave 8(%rsp)\n\tpopq %rdx\n\tjmp 2f\n"        \
         "1:\tfxsave (%rsp)\n"                                                                               \
         "2:\tdecq %fs:mz__self@tpoff\n\tcld\n\tcall *8(%rbp)\n\t" result                                    \
         "testl %ebx, %ebx\n\tje 3f\n\tmovl %ebx, %eax\n\txorl %edx, %edx\n\txrstor (%rsp)\n\tjmp 4f\n"      \
         "3:\tfxrstor (%rsp)\n"                                                                              \
         "4:\tleaq -80(%rbp), %rsp\n\tpopq %rbx\n\tpopq %r11\n\tpopq %r10\n\tpopq %r9\n\tpopq %r8\n\t"       \
         "popq %rdi\n\tpopq %rsi\n\tpopq %rdx\n\tpopq %rcx\n\tpopq %rax\n\tpopq %rbp\n\t"                    \
         "leaq 8(%rsp), %rsp\n\tret\n"

__asm__(".text\n" KEEP("mz__keep_others", "movq %rax, -8(%rbp)\n\t") KEEP("mz__keep_all", ""));

/* mz__settle() for a store and nothing else, in a stub: it changes rax only. The carry says that the
 * operation need not be looked at. (Serial running may have begun meanwhile: mz__mind_serial.) */
__asm__(".text\n\t.globl mz__settle_store\n\t.hidden mz__settle_store\nmz__settle_store:\n\t"
        "cmpw $1, %fs:mz__self@tpoff+24\n\tjne 1f\n\tmovb $0, %fs:mz__self@tpoff+24\n\t"
        "movq %fs:mz__self@tpoff+16, %rax\n\tmovq %rax, %fs:mz__self@tpoff+8\n\tlock orl $0, -64(%rsp)\n\t"
        "cmpb $0, mz__serial(%rip)\n\tjne 1f\n\tcmpq %rax, %fs:mz__self@tpoff\n\tret\n1:\tclc\n\tret\n");

/* mz__kept_NAME goes on with __tsan_NAME. Pushing the address of that changes no register. */
#define KEPT(name, how)                                                                                      \
    __asm__(".text\n\t.globl mz__kept_" #name "\n\t.hidden mz__kept_" #name "\nmz__kept_" #name ":\n\t"      \
            "pushq %rax\n\tleaq __tsan_" #name "(%rip), %rax\n\txchgq %rax, (%rsp)\n\tjmp " how "\n");

#define ATOMICS(bits)                                                                                        \
    KEPT(atomic##bits##_load, "mz__keep_others")                                                             \
    KEPT(atomic##bits##_store, "mz__keep_all")                                                               \
    KEPT(atomic##bits##_exchange, "mz__keep_others")                                                         \
    KEPT(atomic##bits##_fetch_add, "mz__keep_others")                                                        \
    KEPT(atomic##bits##_fetch_sub, "mz__keep_others")                                                        \
    KEPT(atomic##bits##_fetch_and, "mz__keep_others")                                                        \
    KEPT(atomic##bits##_fetch_or, "mz__keep_others")                                                         \
    KEPT(atomic##bits##_fetch_xor, "mz__keep_others")                                                        \
    KEPT(atomic##bits##_compare_exchange_strong, "mz__keep_others")                                          \
    KEPT(atomic##bits##_compare_exchange_weak, "mz__keep_others")

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
#define PLAIN(bytes) KEPT(read##bytes, "mz__keep_all") KEPT(write##bytes, "mz__keep_all")
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
PLAIN(_range)
#endif
