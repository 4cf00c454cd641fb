/* Where things are in the frames of a stack: DWARF's location expressions, the frames themselves, and the
 * local variables in them. */
#include "program/symbols/symbols_internal.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>

/* DWARF's numbers for the two registers that locate frames. */
#if defined(__x86_64__)
enum { REGISTER_FP = 6, REGISTER_SP = 7 };
#elif defined(__aarch64__)
enum { REGISTER_FP = 29, REGISTER_SP = 31 };
#else
enum { REGISTER_FP = -1, REGISTER_SP = -1 };
#endif

enum { MAX_OPERANDS = 16 };

/* ---- Location expressions ---- */

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

static bool push_register(operands *stack, const mz__frame_values *frame, uint64_t number, uint64_t offset)
{
    if (!frame)
        return false;
    if (number == (uint64_t)REGISTER_SP)
        return push_if(stack, frame->sp_known, frame->sp + offset);
    if (number == (uint64_t)REGISTER_FP)
        return push_if(stack, frame->fp_known, frame->fp + offset);
    return false;
}

/* Operands that stand in a table of the unit. */
static bool push_indirect(operands *stack, Dwarf_Attribute *attribute, const Dwarf_Op *op)
{
    Dwarf_Attribute operand;
    Dwarf_Addr value = 0;
    return attribute && dwarf_getlocation_attr(attribute, op, &operand) == 0 &&
           dwarf_formaddr(&operand, &value) == 0 && push(stack, value);
}

static bool read_word(uint64_t address, uint64_t *value)
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
               read_word(stack->items[stack->count - 1], &stack->items[stack->count - 1]);
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

/* ---- Frames ---- */

/* The caller frees the frame, which libdw allocated. NULL if there is no information. */
static Dwarf_Frame *frame_at(mz__debug_info *debug, Dwarf_Addr pc)
{
    Dwarf_Frame *frame = NULL;
    if (debug->eh_frames && dwarf_cfi_addrframe(debug->eh_frames, pc, &frame) == 0)
        return frame;
    if (debug->dbg_frames && dwarf_cfi_addrframe(debug->dbg_frames, pc, &frame) == 0)
        return frame;
    return NULL;
}

static bool compute_cfa(Dwarf_Frame *rules, mz__frame_values *values)
{
    Dwarf_Op *ops;
    size_t count;
    mz__location_kind kind;
    uint64_t cfa;
    if (dwarf_frame_cfa(rules, &ops, &count) != 0 ||
        !mz__symbols_evaluate(NULL, ops, count, values, &kind, &cfa))
        return false;
    values->cfa = (uintptr_t)cfa;
    /* The stack grows down, and so slowly that anything else is a mistake. */
    values->cfa_known = cfa % sizeof(uintptr_t) == 0 && cfa >= values->sp && cfa - values->sp < 1u << 30;
    return values->cfa_known;
}

/* A register of the caller. False if it is lost. */
static bool restore(Dwarf_Frame *rules, int number, const mz__frame_values *values, bool same_known,
                    uintptr_t same, uintptr_t *value)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    mz__location_kind kind;
    uint64_t result;
    if (number < 0 || dwarf_frame_register(rules, number, memory, &ops, &count) != 0)
        return false;
    if (count == 0 && !ops) {
        *value = same;
        return same_known;
    }
    if (!mz__symbols_evaluate(NULL, ops, count, values, &kind, &result) ||
        (kind == MZ__LOCATION_MEMORY && !read_word(result, &result)))
        return false;
    *value = (uintptr_t)result;
    return true;
}

static Dwarf_Frame *rules_of(mz_symbols *symbols, const mz_frame *frame, mz__frame_values *values)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    Dwarf_Frame *rules = debug ? frame_at(debug, frame->pc - 1 - symbols->bias) : NULL;
    *values = (mz__frame_values){.sp_known = true, .fp_known = true, .sp = frame->sp, .fp = frame->fp};
    if (rules && !compute_cfa(rules, values)) {
        free(rules);
        rules = NULL;
    }
    return rules;
}

bool mz_symbols_frame(mz_symbols *symbols, mz_frame *frame)
{
    mz__frame_values values;
    Dwarf_Frame *rules = rules_of(symbols, frame, &values);
    frame->cfa = rules ? values.cfa : 0;
    free(rules);
    return frame->cfa != 0;
}

bool mz_symbols_caller(mz_symbols *symbols, const mz_frame *frame, mz_frame *caller)
{
    mz__frame_values values;
    uintptr_t pc = 0, fp = 0;
    Dwarf_Frame *rules = rules_of(symbols, frame, &values);
    if (!rules)
        return false;
    int return_address = dwarf_frame_info(rules, NULL, NULL, NULL);
    bool found = values.cfa > frame->sp && restore(rules, return_address, &values, false, 0, &pc) && pc > 1;
    if (found && !restore(rules, REGISTER_FP, &values, true, frame->fp, &fp))
        fp = 0;
    free(rules);
    if (!found)
        return false;
    *caller = (mz_frame){.pc = pc, .sp = values.cfa, .fp = fp};
    mz_symbols_frame(symbols, caller);
    return true;
}

/* ---- Locals ---- */

/* clang without frame pointers counts from the stack pointer, which follows from the CFA where the CFA is
 * computed from it. */
static void find_stack_pointer(mz__debug_info *debug, Dwarf_Addr pc, mz__frame_values *values)
{
    Dwarf_Op *ops;
    size_t count;
    Dwarf_Frame *rules = frame_at(debug, pc);
    if (rules && dwarf_frame_cfa(rules, &ops, &count) == 0 && count == 1 && ops[0].atom == DW_OP_bregx &&
        ops[0].number == (uint64_t)REGISTER_SP) {
        values->sp = values->cfa - ops[0].number2;
        values->sp_known = true;
    }
    free(rules);
}

static bool evaluate_at(Dwarf_Die *die, unsigned name, Dwarf_Addr pc, const mz__frame_values *values,
                        mz__location_kind *kind, uint64_t *result)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    return dwarf_attr_integrate(die, name, &attribute) &&
           dwarf_getlocation_addr(&attribute, pc, &ops, &count, 1) == 1 &&
           mz__symbols_evaluate(&attribute, ops, count, values, kind, result);
}

static void find_frame_base(Dwarf_Die *function, Dwarf_Addr pc, mz__frame_values *values)
{
    mz__location_kind kind;
    uint64_t base;
    values->base_known = evaluate_at(function, DW_AT_frame_base, pc, values, &kind, &base) &&
                         (kind == MZ__LOCATION_MEMORY || kind == MZ__LOCATION_REGISTER);
    if (values->base_known)
        values->base = (uintptr_t)base;
}

static bool find_in_block(Dwarf_Die *block, Dwarf_Addr pc, const mz__frame_values *values, uintptr_t address,
                          size_t bytes, mz_text *out, mz_value_kind *kind)
{
    Dwarf_Die child, type;
    mz__location_kind place;
    uint64_t start, size;
    if (dwarf_child(block, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        const char *name = dwarf_diename(&child);
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !name ||
            !evaluate_at(&child, DW_AT_location, pc, values, &place, &start) ||
            place != MZ__LOCATION_MEMORY || !mz__symbols_type_of(&child, &type) ||
            !mz__symbols_size_of_type(&type, &size, 0) || address < start || address - start >= size)
            continue;
        mz_text_add(out, "%s", name);
        mz__symbols_spell_variable(&child, (mz__span){address - start, bytes}, out, kind);
        return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool find_local(mz_symbols *symbols, Dwarf_Addr pc, mz__frame_values *values, uintptr_t address,
                       size_t size, mz_text *out, mz_value_kind *kind)
{
    Dwarf_Die blocks[MZ__MAX_SCOPES];
    mz__debug_info *debug = mz__symbols_debug(symbols);
    mz__code_range *range = debug ? mz__symbols_find_function(debug, pc) : NULL;
    if (!range)
        return false;
    find_stack_pointer(debug, pc, values);
    find_frame_base(&range->function, pc, values);
    for (size_t count = mz__symbols_find_blocks(range, pc, blocks); count > 0; count--)
        if (find_in_block(&blocks[count - 1], pc, values, address, size, out, kind))
            return true;
    return false;
}

bool mz_symbols_local(mz_symbols *symbols, uintptr_t pc, uintptr_t cfa, uintptr_t frame_pointer,
                      uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    mz__frame_values values = {.fp_known = true, .fp = frame_pointer, .cfa_known = true, .cfa = cfa};
    *kind = MZ_VALUE_UNKNOWN;
    return find_local(symbols, pc - symbols->bias, &values, address, size, out, kind);
}

#endif
