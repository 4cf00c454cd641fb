#include "program/world/fiber.h"

__attribute__((used, visibility("hidden"))) mz__registers mz__caller;
__attribute__((used, visibility("hidden"))) struct mz__local mz__local;
__attribute__((used, visibility("hidden"))) char *mz__hook_stack;
__attribute__((used, visibility("hidden"))) void *mz__scheduler_sp;
__attribute__((used, visibility("hidden"))) char mz__clears_hook_stack;

#if defined(__x86_64__)
/* Hooks of operations are called here, on the hook stack, where the program's stack pointer stands on top;
 * and fibers are entered here. After a fiber was entered, the processor knows nothing of the call by which
 * the program came to the hook: back to it with a jump, which leaves what it does know in place. From 3 on,
 * which is seldom: 4 KiB of what earlier hooks have left below are cleared. */
__attribute__((used, visibility("hidden"))) char mz__was_entered;
__asm__(".text\n.p2align 4\n.globl mz__call_hook\n.hidden mz__call_hook\n.type mz__call_hook,@function\n"
        "mz__call_hook:\ncmpb $0, mz__clears_hook_stack(%rip)\njne 3f\n2:\n"
        "call *%rax\npopq %rsp\nmovq (%rsp), %rcx\nxorl %esi, %esi\nxorl %edi, %edi\n"
        "xorl %r8d, %r8d\nxorl %r9d, %r9d\ncmpb $0, mz__was_entered(%rip)\njne 1f\nret\n"
        "1:\nmovb $0, mz__was_entered(%rip)\npopq %rcx\njmp *%rcx\n"
        "3:\npushq %rax\npushq %rdi\npushq %rcx\nleaq -4096(%rsp), %rdi\nmovl $512, %ecx\nxorl %eax, %eax\n"
        "cld\nrep stosq\npopq %rcx\npopq %rdi\npopq %rax\njmp 2b\n"
        ".size mz__call_hook, .-mz__call_hook\n");

/* Nothing of the scheduler's registers is to be seen in a fresh fiber: it begins the same way every time. */
void mz__fiber_begin(void);
__asm__(".text\n.globl mz__fiber_begin\n.hidden mz__fiber_begin\n.type "
        "mz__fiber_begin,@function\nmz__fiber_begin:\n"
        "addq $8, %rsp\npopq %rax\nxorl %ebx, %ebx\nxorl %r12d, %r12d\nxorl %r13d, %r13d\nxorl %r14d, "
        "%r14d\nxorl %r15d, %r15d\n"
        "jmp *%rax\n.size mz__fiber_begin, .-mz__fiber_begin\n");

void *mz__fiber(void *stack_top, void (*start)(void))
{
    uintptr_t *sp = (uintptr_t *)((uintptr_t)stack_top & ~(uintptr_t)15);
    *--sp =
        0; /* start() sees a stack as after a call: its frame is aligned, and its return address is none */
    *--sp = (uintptr_t)start;
    *--sp = 0; /* rbp */
    *--sp = (uintptr_t)mz__fiber_begin;
    return sp;
}

void *mz__landing(void *stack_top, void (*start)(void))
{
    uintptr_t *sp = (uintptr_t *)((uintptr_t)stack_top & ~(uintptr_t)15);
    *--sp = 0; /* as after a call */
    *--sp = 0; /* rbp */
    *--sp = (uintptr_t)start;
    return sp;
}
#else
#define SAVE_REGISTERS                                                                                       \
    "sub sp, sp, 160\nstp x19, x20, [sp]\nstp x21, x22, [sp, 16]\nstp x23, x24, [sp, 32]\n"                  \
    "stp x25, x26, [sp, 48]\nstp x27, x28, [sp, 64]\nstp x29, x30, [sp, 80]\n"                               \
    "stp d8, d9, [sp, 96]\nstp d10, d11, [sp, 112]\nstp d12, d13, [sp, 128]\nstp d14, d15, [sp, 144]\n"      \
    "mov x2, sp\nstr x2, [x0]\n"
#define RESTORE_REGISTERS                                                                                    \
    "ldp x19, x20, [sp]\nldp x21, x22, [sp, 16]\nldp x23, x24, [sp, 32]\n"                                   \
    "ldp x25, x26, [sp, 48]\nldp x27, x28, [sp, 64]\nldp x29, x30, [sp, 80]\n"                               \
    "ldp d8, d9, [sp, 96]\nldp d10, d11, [sp, 112]\nldp d12, d13, [sp, 128]\nldp d14, d15, [sp, 144]\n"      \
    "add sp, sp, 160\nret\n"

__asm__(".text\n.globl mz__switch\n.hidden mz__switch\n.type mz__switch,%function\n"
        "mz__switch:\n" SAVE_REGISTERS "mov sp, x1\n" RESTORE_REGISTERS ".size mz__switch, .-mz__switch\n");
__asm__(".text\n.globl mz__call_as_left\n.hidden mz__call_as_left\n.type mz__call_as_left,%function\n"
        "mz__call_as_left:\n" SAVE_REGISTERS "blr x1\n" RESTORE_REGISTERS
        ".size mz__call_as_left, .-mz__call_as_left\n");

void *mz__fiber(void *stack_top, void (*start)(void))
{
    uintptr_t *sp = (uintptr_t *)((uintptr_t)stack_top & ~(uintptr_t)15) - 20;
    for (int i = 0; i < 20; i++)
        sp[i] = 0;
    sp[11] = (uintptr_t)start; /* x30 */
    return sp;
}

void *mz__landing(void *stack_top, void (*start)(void))
{
    return mz__fiber(stack_top, start);
}
#endif
