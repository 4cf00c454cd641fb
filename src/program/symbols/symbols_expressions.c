/* DWARF's location expressions: where something is, computed from a frame. */
#include "program/symbols/symbols_internal.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>

enum { MAX_OPERANDS = 16 };

typedef struct operands {
    uint64_t items[MAX_OPERANDS];
    size_t count;
} operands;

static bool push(operands *stack, uint64_t value)
{
    if (stack->count == MAX_OPERANDS)
        return false;
    stack->items[stack->count++] = value;
    return true;
}

static bool push_if(operands *stack, bool known, uint64_t value)
{
    return known && push(stack, value);
}

int mz__symbols_preserved(uint64_t number)
{
#if defined(__x86_64__)
    enum { RBX = 3, RBP = 6, R12 = 12 };
    return number == RBX                       ? 0
           : number == RBP                     ? 1
           : number >= R12 && number < R12 + 4 ? (int)(number - R12) + 2
                                               : -1;
#else
    enum { X19 = 19 };
    return number >= X19 && number < X19 + MZ_PRESERVED ? (int)(number - X19) : -1;
#endif
}

static bool push_register(operands *stack, const mz__frame_values *frame, uint64_t number, uint64_t offset)
{
    if (!frame)
        return false;
    if (number == (uint64_t)MZ__REGISTER_SP)
        return push_if(stack, frame->sp_known, frame->sp + offset);
    if (number == (uint64_t)MZ__REGISTER_FP)
        return push_if(stack, frame->fp_known, frame->fp + offset);
    int index = mz__symbols_preserved(number);
    return index >= 0 && frame->frame && frame->frame->preserved_known >> index & 1 &&
           push(stack, frame->frame->preserved[index] + offset);
}

/* Operands that stand in a table of the unit. */
static bool push_indirect(operands *stack, Dwarf_Attribute *attribute, const Dwarf_Op *op)
{
    Dwarf_Attribute operand;
    Dwarf_Addr value = 0;
    return attribute && dwarf_getlocation_attr(attribute, op, &operand) == 0 &&
           dwarf_formaddr(&operand, &value) == 0 && push(stack, value);
}

bool mz__symbols_read_word(uint64_t address, uint64_t *value)
{
    if (address < 4096 || address % sizeof(uintptr_t) != 0)
        return false;
    *value = *(const volatile uintptr_t *)(uintptr_t)address;
    return true;
}

static bool binary_operation(operands *stack, unsigned atom)
{
    if (stack->count < 2)
        return false;
    uint64_t right = stack->items[--stack->count];
    uint64_t *top = &stack->items[stack->count - 1];
    switch (atom) {
    case DW_OP_plus:
        *top += right;
        return true;
    case DW_OP_minus:
        *top -= right;
        return true;
    case DW_OP_mul:
        *top *= right;
        return true;
    case DW_OP_and:
        *top &= right;
        return true;
    case DW_OP_shl:
        *top = right < 64 ? *top << right : 0;
        return true;
    case DW_OP_ge:
        *top = (int64_t)*top >= (int64_t)right;
        return true;
    default:
        return false;
    }
}

/* One operation; false for those that compilers do not use for the places of variables and frames. */
static bool step(operands *stack, Dwarf_Attribute *attribute, const Dwarf_Op *op,
                 const mz__frame_values *frame, mz__location_kind *kind)
{
    unsigned atom = op->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        return push(stack, atom - DW_OP_lit0);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return push_register(stack, frame, atom - DW_OP_breg0, op->number);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
        *kind = MZ__LOCATION_REGISTER;
        return push_register(stack, frame, atom - DW_OP_reg0, 0);
    }
    if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
        return push(stack, op->number);
    switch (atom) {
    case DW_OP_nop:
        return true;
    case DW_OP_addr:
        return push(stack, op->number);
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
    case DW_OP_constx:
    case DW_OP_GNU_const_index:
        return push_indirect(stack, attribute, op);
    case DW_OP_bregx:
        return push_register(stack, frame, op->number, op->number2);
    case DW_OP_regx:
        *kind = MZ__LOCATION_REGISTER;
        return push_register(stack, frame, op->number, 0);
    case DW_OP_fbreg:
        return frame && push_if(stack, frame->base_known, frame->base + op->number);
    case DW_OP_call_frame_cfa:
        return frame && push_if(stack, frame->cfa_known, frame->cfa);
    case DW_OP_plus_uconst:
        return stack->count > 0 && push(stack, op->number) && binary_operation(stack, DW_OP_plus);
    case DW_OP_deref: /* only of the frame's own slots: a static place needs none */
        return frame && stack->count > 0 &&
               mz__symbols_read_word(stack->items[stack->count - 1], &stack->items[stack->count - 1]);
    case DW_OP_form_tls_address:
    case DW_OP_GNU_push_tls_address:
        *kind = MZ__LOCATION_THREAD_LOCAL;
        return stack->count > 0;
    case DW_OP_stack_value:
        *kind = MZ__LOCATION_VALUE;
        return stack->count > 0;
    default:
        return binary_operation(stack, atom);
    }
}

bool mz__symbols_evaluate(Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t count,
                          const mz__frame_values *frame, mz__location_kind *kind, uint64_t *result)
{
    operands stack = {.count = 0};
    *kind = MZ__LOCATION_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (*kind != MZ__LOCATION_MEMORY || !step(&stack, attribute, &ops[i], frame, kind))
            return false; /* nothing follows a place that is not memory */
    if (stack.count == 0)
        return false;
    *result = stack.items[stack.count - 1];
    return true;
}

#endif
