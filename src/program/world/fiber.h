/* Fibers: every thread of the program runs on a stack of its own inside one thread of the checker. A switch
 * saves the registers that a call must preserve and takes a few nanoseconds. */
#ifndef MZ_PROGRAM_WORLD_FIBER_H
#define MZ_PROGRAM_WORLD_FIBER_H

#include <stdint.h>

/* Entering a fiber: save where we are in *from, go on at `to`. Leaving it is the same the other way round.
 *
 * A processor predicts returns by the calls it has seen, which a switch turns upside down: every return after
 * it comes as a surprise, and costs as much as forty instructions. So both are part of their caller's code
 * and have no return of their own. And a fiber that is entered is on its way out of a hook, most often, to
 * the program: it is entered by a *call* whose return address is just where the hook will return to
 * (mz__call_hook in fiber.c), and from there it jumps. */
#if defined(__x86_64__)
#define MZ__ALL_REGISTERS                                                                                    \
    "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",        \
        "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",    \
        "xmm12", "xmm13", "xmm14", "xmm15"

/* Leaves the frame pointer and where to go on (the label 1) on the old stack; takes both from the new one,
 * the latter into rax. */
#define MZ__CHANGE_STACKS                                                                                    \
    "pushq %%rbp\n\tleaq 1f(%%rip), %%rax\n\tpushq %%rax\n\tmovq %%rsp, (%0)\n\t"                            \
    "movq %1, %%rsp\n\tpopq %%rax\n\tpopq %%rbp\n\t"

static inline __attribute__((always_inline)) void mz__enter(void **from, void *to)
{
    __asm__ volatile(MZ__CHANGE_STACKS "movb $1, mz__was_entered(%%rip)\n\t"
                                       "jmp mz__call_hook\n"
                                       "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : MZ__ALL_REGISTERS);
}

static inline __attribute__((always_inline)) void mz__leave(void **from, void *to)
{
    __asm__ volatile(MZ__CHANGE_STACKS "jmp *%%rax\n"
                                       "1:\n\t"
                                       "addq $8, %%rsp" /* the return address of the call in mz__call_hook */
                     : "+D"(from), "+S"(to)
                     :
                     : MZ__ALL_REGISTERS);
}

/* Calls a function in the fiber, with where it is in *from as if it had been left. Returns again whenever it
 * is entered there. */
static inline __attribute__((always_inline)) void mz__call_as_left(void **from, void (*function)(void))
{
    __asm__ volatile("pushq %%rbp\n\tleaq 1f(%%rip), %%rax\n\tpushq %%rax\n\tmovq %%rsp, (%0)\n\t"
                     "movq %%rsp, %%rbx\n\tandq $-16, %%rsp\n\tcall *%1\n\t"
                     "leaq 8(%%rbx), %%rsp\n"
                     "1:\n\t"
                     "addq $8, %%rsp"
                     : "+D"(from), "+S"(function)
                     :
                     : MZ__ALL_REGISTERS);
}

/* Nobody will enter it again. */
static inline __attribute__((always_inline, noreturn)) void mz__leave_for_good(void *to)
{
    __asm__ volatile("movq %0, %%rsp\n\tpopq %%rax\n\tpopq %%rbp\n\tjmp *%%rax" : : "S"(to) : "memory");
    __builtin_unreachable();
}
#else
void mz__switch(void **from, void *to);
static inline void mz__enter(void **from, void *to)
{
    mz__switch(from, to);
}
static inline void mz__leave(void **from, void *to)
{
    mz__switch(from, to);
}
void mz__call_as_left(void **from, void (*function)(void));
static inline __attribute__((noreturn)) void mz__leave_for_good(void *to)
{
    void *nowhere;
    mz__switch(&nowhere, to);
    __builtin_unreachable();
}
#endif

extern void *mz__scheduler_sp; /* where to leave to */

/* Defines the function NAME: it calls BEFORE with its arguments, enters the fiber whose stack pointer that
 * returns (unless it is NULL), and when the fiber is left, calls AFTER, whose result is its own. It goes back
 * to its caller with a jump: the last call that the processor has seen is the program's, of the hook in which
 * the fiber was left. */
#if defined(__x86_64__)
#define MZ__THROUGH_FIBER(name, before, after)                                                               \
    __asm__(".text\n.p2align 4\n.globl " #name "\n.hidden " #name "\n.type " #name ",@function\n" #name      \
            ":\n"                                                                                            \
            "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\nsubq $8, %rsp\n"        \
            "call " #before "\ntestq %rax, %rax\nje 1f\n"                                                    \
            "leaq 1f(%rip), %rcx\npushq %rbp\npushq %rcx\nmovq %rsp, mz__scheduler_sp(%rip)\n"               \
            "movq %rax, %rsp\npopq %rax\npopq %rbp\nmovb $1, mz__was_entered(%rip)\njmp mz__call_hook\n"     \
            "1:\ncall " #after "\naddq $8, %rsp\n"                                                           \
            "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\npopq %rcx\njmp *%rcx\n"       \
            ".size " #name ", .-" #name "\n");
#endif

/* A stack on which the first switch calls start(); it must never return. */
void *mz__fiber(void *stack_top, void (*start)(void));
/* The same for one that is left to, as the scheduler's is. */
void *mz__landing(void *stack_top, void (*start)(void));

/* The registers that the program had when it called one of our hooks: with its stack they are the whole local
 * state of the calling thread, which is what tells a spinning loop from one that makes progress. */
typedef struct mz__registers {
#if defined(__x86_64__)
    uintptr_t preserved[6]; /* rbx, rbp, r12 … r15 */
#elif defined(__aarch64__)
    uintptr_t preserved[11]; /* x19 … x29 */
#else
#error "Mazurka runs programs on x86-64 and AArch64"
#endif
    uintptr_t sp; /* of the caller, at the call */
    uintptr_t pc; /* return address */
} mz__registers;

#if defined(__x86_64__)
enum { MZ__FRAME_POINTER = 1 };
#else
enum { MZ__FRAME_POINTER = 10 };
#endif

extern mz__registers mz__caller;

/* What the running thread has on its own stack, from the frame of the running function up to `end`, is nobody
 * else's business, and saved with it; 0: nothing is. Plain accesses to it are counted, like all others. */
extern struct mz__local {
    uintptr_t end;
    uint32_t accesses;
} mz__local;

/* Hooks run on a stack of their own, beside that of the program: what lies on a program's stack, also in the
 * parts that are not in use, is then a function of what the program has done, and can be compared. Where the
 * next hook's stack begins. */
extern char *mz__hook_stack;
/* What earlier hooks have left on that stack is cleared before an operation: where states are compared, it
 * must not tell in which order others did what they did. */
extern char mz__clears_hook_stack;
#define MZ__HOOK_STACK_BYTES 0x40000

/* Call a function with the stack pointer there. */
static inline void mz__call_on(uintptr_t sp, void (*function)(void))
{
#if defined(__x86_64__)
    __asm__ volatile("movq %%rsp, %%r12\n\tmovq %0, %%rsp\n\tcall *%1\n\tmovq %%r12, %%rsp"
                     : "+D"(sp), "+S"(function)
                     :
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "memory", "cc", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15");
#else
    register uintptr_t x0 __asm__("x0") = sp;
    register void (*x1)(void) __asm__("x1") = function;
    __asm__ volatile("mov x19, sp\n\tmov sp, x0\n\tblr x1\n\tmov sp, x19"
                     : "+r"(x0), "+r"(x1)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                       "x15", "x16", "x17", "x18", "x19", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4",
                       "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
                       "v26", "v27", "v28", "v29", "v30", "v31");
#endif
}

/* Defines the hook NAME, which notes the caller's registers and goes on to the function mz__hook_NAME that
 * follows. All arguments must be in registers. */
#if defined(__x86_64__)
/* Registers without a meaning for the caller: what we leave there could get into its state all the same, by
 * an instruction that changes the lowest byte only. */
#define MZ__LEAVE_NOTHING                                                                                    \
    "xorl %ecx, %ecx\nxorl %edx, %edx\nxorl %esi, %esi\nxorl %edi, %edi\nxorl %r8d, %r8d\nxorl %r9d, %r9d\n"
#define MZ__ENTRY(name)                                                                                      \
    MZ__ENTRY_BY(name, "", "call mz__hook_" #name "\npopq %rsp\n" MZ__LEAVE_NOTHING "ret\n")
/* Of an access to the bytes at its first argument: one to what is local is only counted. */
#define MZ__ENTRY_ACCESS(name, bytes)                                                                        \
    MZ__ENTRY_BY(name,                                                                                       \
                 "leaq 8(%rsp), %r10\nleaq " #bytes "(%rdi), %r11\ncmpq %r10, %rdi\njb 1f\n"                 \
                 "cmpq mz__local(%rip), %r11\nja 1f\naddl $1, mz__local+8(%rip)\nret\n1:\n",                 \
                 "call mz__hook_" #name "\npopq %rsp\n" MZ__LEAVE_NOTHING "ret\n")
/* In a hook that is most often left and entered again before it returns. */
#define MZ__ENTRY_LEFT(name)                                                                                 \
    MZ__ENTRY_BY(name, "", "leaq mz__hook_" #name "(%rip), %rax\njmp mz__call_hook\n")
#define MZ__ENTRY_BY(name, start, call)                                                                      \
    __asm__(".text\n.p2align 4\n.globl " #name "\n.type " #name ",@function\n" #name ":\n" start             \
            "movq %rbx, mz__caller(%rip)\nmovq %rbp, mz__caller+8(%rip)\n"                                   \
            "movq %r12, mz__caller+16(%rip)\nmovq %r13, mz__caller+24(%rip)\n"                               \
            "movq %r14, mz__caller+32(%rip)\nmovq %r15, mz__caller+40(%rip)\n"                               \
            "leaq 8(%rsp), %r10\nmovq %r10, mz__caller+48(%rip)\n"                                           \
            "movq (%rsp), %r11\nmovq %r11, mz__caller+56(%rip)\n"                                            \
            "movq mz__hook_stack(%rip), %r11\nmovq %r11, %rax\nsubq %rsp, %rax\n"                            \
            "cmpq $0x40000, %rax\njb mz__hook_" #name "\n"                                                   \
            "movq %rsp, %r10\nmovq %r11, %rsp\npushq %r10\npushq %r10\n" call ".size " #name ", .-" #name    \
            "\n");
#else
#define MZ__ENTRY_LEFT(name)          MZ__ENTRY(name)
#define MZ__ENTRY_ACCESS(name, bytes) MZ__ENTRY(name)
#define MZ__ENTRY(name)                                                                                      \
    __asm__(".text\n.p2align 4\n.globl " #name "\n.type " #name ",%function\n" #name ":\n"                   \
            "adrp x16, mz__caller\nadd x16, x16, :lo12:mz__caller\n"                                         \
            "stp x19, x20, [x16]\nstp x21, x22, [x16, 16]\nstp x23, x24, [x16, 32]\n"                        \
            "stp x25, x26, [x16, 48]\nstp x27, x28, [x16, 64]\nstr x29, [x16, 80]\n"                         \
            "mov x17, sp\nstp x17, x30, [x16, 88]\n"                                                         \
            "adrp x16, mz__hook_stack\nldr x16, [x16, :lo12:mz__hook_stack]\n"                               \
            "sub x15, x16, x17\nmov x14, 0x40000\ncmp x15, x14\nb.lo mz__hook_" #name "\n"                   \
            "mov sp, x16\nstp x17, x30, [sp, -16]!\n"                                                        \
            "bl mz__hook_" #name "\nldp x17, x30, [sp], 16\nmov sp, x17\nret\n"                              \
            ".size " #name ", .-" #name "\n");
#endif

#define MZ__HOOK(result, name, ...) MZ__HOOK_WITH(MZ__ENTRY, result, name, __VA_ARGS__)
/* Of an operation on shared state. */
#define MZ__OPERATION(result, name, ...) MZ__HOOK_WITH(MZ__ENTRY_LEFT, result, name, __VA_ARGS__)
#define MZ__HOOK_WITH(entry, result, name, ...)                                                              \
    entry(name) __attribute__((used, visibility("hidden"))) result mz__hook_##name(__VA_ARGS__);             \
    result mz__hook_##name(__VA_ARGS__)
/* Before a plain access to so many bytes. */
#define MZ__ACCESS(name, bytes)                                                                              \
    MZ__ENTRY_ACCESS(name, bytes)                                                                            \
    __attribute__((used, visibility("hidden"))) void mz__hook_##name(uintptr_t address);                     \
    void mz__hook_##name(uintptr_t address)

/* A function of the C library that always succeeds and of which nobody notices anything. */
#define MZ__WITHOUT_EFFECT(name)                                                                             \
    int __wrap_##name(void);                                                                                 \
    int __wrap_##name(void)                                                                                  \
    {                                                                                                        \
        return 0;                                                                                            \
    }

#endif
