/* The numbers that a program compares others with, from its machine code. Beside such a number a program may
 * behave differently, and nondeterministic ones come from a small range: it is worth to try the others, too
 * (session/widen.c). Nothing is concluded from there being none. */
#include "program/program.h"
#include "program/world/world.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <capstone/capstone.h>

static bool is_new(const int64_t *numbers, size_t count, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return false;
    return true;
}

/* x - c is compared with 0 as well, and constants of 64 bits are in a register by then. */
static bool compares(const cs_insn *instruction)
{
    return instruction->id == X86_INS_CMP || instruction->id == X86_INS_SUB ||
           instruction->id == X86_INS_MOVABS;
}

size_t mz_native_compared_numbers(const mz_machine *machine, int64_t *numbers, size_t most)
{
    (void)machine;
    const mz__memory *m = &mz__w.memory;
    const uint8_t *at = (const uint8_t *)m->code;
    size_t left = m->code_end - m->code, count = 0;
    uint64_t address = m->code;
    csh handle;
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
        return 0;
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    cs_option(handle, CS_OPT_SKIPDATA, CS_OPT_ON);
    cs_insn *instruction = cs_malloc(handle);
    while (count < most && cs_disasm_iter(handle, &at, &left, &address, instruction)) {
        if (!compares(instruction))
            continue;
        const cs_x86 *x = &instruction->detail->x86;
        const cs_x86_op *last = &x->operands[x->op_count - 1];
        bool of_stack = x->operands[0].type == X86_OP_REG && x->operands[0].reg == X86_REG_RSP;
        if (x->op_count == 2 && last->type == X86_OP_IMM && !of_stack && is_new(numbers, count, last->imm))
            numbers[count++] = last->imm;
    }
    cs_free(instruction, 1);
    cs_close(&handle);
    return count;
}

#else

size_t mz_native_compared_numbers(const mz_machine *machine, int64_t *numbers, size_t most)
{
    (void)machine, (void)numbers, (void)most;
    return 0;
}

#endif
