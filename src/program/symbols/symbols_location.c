/* Where things are in the frames of a stack: the frames themselves, and the local variables in them. */
#include "program/symbols/symbols_internal.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>

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
        (kind == MZ__LOCATION_MEMORY && !mz__symbols_read_word(result, &result)))
        return false;
    *value = (uintptr_t)result;
    return true;
}

static Dwarf_Frame *rules_of(mz_symbols *symbols, const mz_frame *frame, mz__frame_values *values)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    Dwarf_Frame *rules = debug ? frame_at(debug, frame->pc - 1 - symbols->bias) : NULL;
    *values = (mz__frame_values){
        .sp_known = true, .fp_known = true, .sp = frame->sp, .fp = frame->fp, .frame = frame};
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

static void restore_preserved(Dwarf_Frame *rules, const mz__frame_values *values, const mz_frame *frame,
                              mz_frame *caller)
{
    for (int number = 0; number < 32; number++) {
        int i = mz__symbols_preserved((uint64_t)number);
        if (i >= 0 && restore(rules, number, values, frame->preserved_known >> i & 1, frame->preserved[i],
                              &caller->preserved[i]))
            caller->preserved_known |= 1u << i;
    }
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
    if (found && !restore(rules, MZ__REGISTER_FP, &values, true, frame->fp, &fp))
        fp = 0;
    *caller = (mz_frame){.pc = pc, .sp = values.cfa, .fp = fp};
    if (found)
        restore_preserved(rules, &values, frame, caller);
    free(rules);
    if (!found)
        return false;
    mz_symbols_frame(symbols, caller);
    return true;
}

static bool is_near(int64_t distance)
{
    return distance > -(1 << 20) && distance < 1 << 20;
}

/* sp or fp, and a number. */
static bool find_cfa_rule(Dwarf_Frame *rules, mz_frame_rule *out)
{
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_cfa(rules, &ops, &count) != 0 || count != 1 || ops[0].atom != DW_OP_bregx ||
        (ops[0].number != (uint64_t)MZ__REGISTER_SP && ops[0].number != (uint64_t)MZ__REGISTER_FP) ||
        !is_near((int64_t)ops[0].number2))
        return false;
    out->from_fp = ops[0].number == (uint64_t)MZ__REGISTER_FP;
    out->cfa = (int32_t)(int64_t)ops[0].number2;
    return true;
}

/* It is as in the function, or stands at a distance of the cfa. */
static bool find_fp_rule(Dwarf_Frame *rules, mz_frame_rule *out)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    if (dwarf_frame_register(rules, MZ__REGISTER_FP, memory, &ops, &count) != 0)
        return false;
    out->keeps_fp = count == 0 && !ops;
    if (out->keeps_fp)
        return true;
    bool stands = count == 2 && ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_plus_uconst &&
                  is_near((int64_t)ops[1].number);
    out->fp = stands ? (int32_t)(int64_t)ops[1].number : 0;
    return stands;
}

mz_frame_rule mz_symbols_frame_rule(mz_symbols *symbols, uintptr_t pc)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    Dwarf_Frame *rules = debug ? frame_at(debug, pc - 1 - symbols->bias) : NULL;
    mz_frame_rule rule = {0};
    rule.is_known = rules && find_cfa_rule(rules, &rule) && find_fp_rule(rules, &rule);
    free(rules);
    return rule;
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
        ops[0].number == (uint64_t)MZ__REGISTER_SP) {
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

static void visit_block(Dwarf_Die *block, Dwarf_Addr pc, const mz__frame_values *values,
                        mz__visit_local *each, void *context)
{
    Dwarf_Die child;
    mz__location_kind place;
    uint64_t where;
    if (dwarf_child(block, &child) != 0)
        return;
    do {
        int tag = dwarf_tag(&child);
        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && dwarf_diename(&child) &&
            evaluate_at(&child, DW_AT_location, pc, values, &place, &where) &&
            place != MZ__LOCATION_THREAD_LOCAL)
            each(context, &child, place == MZ__LOCATION_MEMORY, where);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* Inner scopes first. */
void mz__symbols_for_each_local(mz_symbols *symbols, uint64_t pc, mz__frame_values *values,
                                mz__visit_local *each, void *context)
{
    Dwarf_Die blocks[MZ__MAX_SCOPES];
    mz__debug_info *debug = mz__symbols_debug(symbols);
    mz__code_range *range = debug ? mz__symbols_find_function(debug, pc) : NULL;
    if (!range)
        return;
    find_stack_pointer(debug, pc, values);
    find_frame_base(&range->function, pc, values);
    for (size_t count = mz__symbols_find_blocks(range, pc, blocks); count > 0; count--)
        visit_block(&blocks[count - 1], pc, values, each, context);
}

typedef struct wanted {
    uintptr_t address;
    size_t size;
    mz_text *out;
    mz_value_type *kind;
    bool found;
} wanted;

static void name_if_wanted(void *context, Dwarf_Die *variable, bool in_memory, uint64_t start)
{
    wanted *w = context;
    Dwarf_Die type;
    uint64_t size;
    if (w->found || !in_memory || !mz__symbols_type_of(variable, &type) ||
        !mz__symbols_size_of_type(&type, &size, 0) || w->address < start || w->address - start >= size)
        return;
    w->found = true;
    mz_text_add(w->out, "%s", dwarf_diename(variable));
    mz__symbols_spell_variable(variable, (mz__span){w->address - start, w->size}, w->out, w->kind);
}

bool mz_symbols_local(mz_symbols *symbols, uintptr_t pc, uintptr_t cfa, uintptr_t frame_pointer,
                      uintptr_t address, size_t size, mz_text *out, mz_value_type *kind)
{
    wanted w = {.address = address, .size = size, .out = out, .kind = kind};
    mz__frame_values values = {.fp_known = true, .fp = frame_pointer, .cfa_known = true, .cfa = cfa};
    *kind = (mz_value_type){0};
    mz__symbols_for_each_local(symbols, pc - symbols->bias, &values, name_if_wanted, &w);
    return w.found;
}

#endif
