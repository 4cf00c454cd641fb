#include "native/fiber.h"

__attribute__((visibility("hidden"))) mz__registers mz__caller;
__attribute__((visibility("hidden"))) char *mz__hook_stack;

#if defined(__x86_64__)
/* Nothing of the scheduler's registers is to be seen in a fresh fiber: it begins the same way every time. */
void mz__fiber_begin(void);
__asm__(
    ".text\n.globl mz__fiber_begin\n.hidden mz__fiber_begin\n.type "
    "mz__fiber_begin,@function\nmz__fiber_begin:\n"
    "popq %rax\nxorl %ebx, %ebx\nxorl %r12d, %r12d\nxorl %r13d, %r13d\nxorl %r14d, %r14d\nxorl %r15d, %r15d\n"
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
#else
__asm__(".text\n.globl mz__switch\n.hidden mz__switch\n.type mz__switch,%function\nmz__switch:\n"
        "sub sp, sp, 160\nstp x19, x20, [sp]\nstp x21, x22, [sp, 16]\nstp x23, x24, [sp, 32]\n"
        "stp x25, x26, [sp, 48]\nstp x27, x28, [sp, 64]\nstp x29, x30, [sp, 80]\n"
        "stp d8, d9, [sp, 96]\nstp d10, d11, [sp, 112]\nstp d12, d13, [sp, 128]\nstp d14, d15, [sp, 144]\n"
        "mov x2, sp\nstr x2, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp]\nldp x21, x22, [sp, 16]\nldp x23, x24, [sp, 32]\n"
        "ldp x25, x26, [sp, 48]\nldp x27, x28, [sp, 64]\nldp x29, x30, [sp, 80]\n"
        "ldp d8, d9, [sp, 96]\nldp d10, d11, [sp, 112]\nldp d12, d13, [sp, 128]\nldp d14, d15, [sp, 144]\n"
        "add sp, sp, 160\nret\n.size mz__switch, .-mz__switch\n");

void *mz__fiber(void *stack_top, void (*start)(void))
{
    uintptr_t *sp = (uintptr_t *)((uintptr_t)stack_top & ~(uintptr_t)15) - 20;
    for (int i = 0; i < 20; i++)
        sp[i] = 0;
    sp[11] = (uintptr_t)start; /* x30 */
    return sp;
}
#endif
