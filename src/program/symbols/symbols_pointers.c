/* The pointers of a program: where they are, and what they point to. With them memory that has no name of its
 * own gets one: a block to which a `struct chan *` points is a chan. */
#include "program/symbols/symbols_internal.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* ---- Types by number ---- */

static bool find_type(mz_symbols *symbols, mz_type type, Dwarf_Die *die)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    return type && debug && debug->dwarf && dwarf_offdie(debug->dwarf, type, die);
}

static bool find_layout(mz_symbols *symbols, mz_type type, Dwarf_Die *layout)
{
    Dwarf_Die die;
    return find_type(symbols, type, &die) && dwarf_peel_type(&die, layout) == 0;
}

static bool is_record(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool mz_symbols_type_is_record(mz_symbols *symbols, mz_type type)
{
    Dwarf_Die layout;
    return find_layout(symbols, type, &layout) && is_record(&layout);
}

bool mz_symbols_type_is_open(mz_symbols *symbols, mz_type type)
{
    Dwarf_Die layout, child;
    mz__member member;
    bool open = false;
    if (!find_layout(symbols, type, &layout) || !is_record(&layout) || dwarf_child(&layout, &child) != 0)
        return false;
    do
        open = mz__symbols_read_member(&child, &member, 0) && !member.bounded;
    while (dwarf_siblingof(&child, &child) == 0);
    return open;
}

bool mz_symbols_type_size(mz_symbols *symbols, mz_type type, uint64_t *size)
{
    Dwarf_Die layout;
    return find_layout(symbols, type, &layout) && mz__symbols_size_of_type(&layout, size, 0) && *size > 0;
}

/* The first name on the way to the layout: that of a typedef, before that of the struct. */
bool mz_symbols_type_name(mz_symbols *symbols, mz_type type, mz_text *out)
{
    Dwarf_Die die, next;
    Dwarf_Attribute attribute;
    bool known = find_type(symbols, type, &die);
    for (unsigned depth = 0; known && depth < MZ__MAX_DEPTH; depth++) {
        int tag = dwarf_tag(&die);
        bool qualifies = tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_atomic_type;
        const char *name = qualifies ? NULL : dwarf_diename(&die);
        if (name) {
            mz_text_add(out, "%s", name);
            return true;
        }
        if (!qualifies && tag != DW_TAG_typedef)
            return false;
        known = dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &next) != NULL;
        die = next;
    }
    return false;
}

void mz_symbols_member(mz_symbols *symbols, mz_type type, uint64_t offset, size_t size, mz_text *out,
                       mz_value_type *value)
{
    Dwarf_Die layout;
    *value = (mz_value_type){0};
    if (find_layout(symbols, type, &layout))
        mz__symbols_spell_type(&layout, (mz__span){offset, size}, out, value);
}

bool mz_symbols_enumerator(mz_symbols *symbols, mz_type type, int64_t value, mz_text *out)
{
    Dwarf_Die layout, child;
    if (!find_layout(symbols, type, &layout) || dwarf_tag(&layout) != DW_TAG_enumeration_type ||
        dwarf_child(&layout, &child) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword number;
        if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_attr(&child, DW_AT_const_value, &attribute) &&
            dwarf_formsdata(&attribute, &number) == 0 && number == value) {
            mz_text_add(out, "%s", dwarf_diename(&child));
            return true;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* ---- Visiting pointers ---- */

typedef struct visitor {
    mz_pointer_visit *visit;
    void *context;
    unsigned left; /* so many more, at most: an array may be long */
    const char *variable;
} visitor;

static void visit_type(visitor *v, Dwarf_Die *type, uintptr_t address, uint64_t size, unsigned depth);

static void visit_pointer(visitor *v, Dwarf_Die *type, mz_pointer pointer)
{
    Dwarf_Attribute attribute;
    Dwarf_Die target;
    if (v->left > 0 && dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &attribute), &target)) {
        v->left--;
        pointer.type = dwarf_dieoffset(&target);
        pointer.variable = v->variable;
        v->visit(v->context, &pointer);
    }
}

/* The record may be smaller than what is there: its last member is then an open array. */
static void visit_members(visitor *v, Dwarf_Die *type, uintptr_t address, uint64_t size, unsigned depth)
{
    Dwarf_Die child, member;
    if (dwarf_child(type, &child) != 0)
        return;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word offset = 0;
        int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            mz__symbols_flag_attribute(&child, DW_AT_external) || !mz__symbols_type_of(&child, &member))
            continue;
        if (dwarf_attr_integrate(&child, DW_AT_data_member_location, &attribute) &&
            dwarf_formudata(&attribute, &offset) != 0)
            continue; /* a virtual base */
        if (offset < size)
            visit_type(v, &member, address + offset, size - offset, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void visit_elements(visitor *v, Dwarf_Die *type, uintptr_t address, uint64_t size, unsigned depth)
{
    Dwarf_Die element;
    uint64_t bytes, step;
    if (!mz__symbols_type_of(type, &element) || !mz__symbols_size_of_type(&element, &step, depth) || !step)
        return;
    if (!mz__symbols_size_of_type(type, &bytes, depth) || bytes > size)
        bytes = size;
    for (uint64_t at = 0; at + step <= bytes && v->left > 0; at += step) {
        unsigned before = v->left;
        visit_type(v, &element, address + at, step, depth + 1);
        if (v->left == before)
            break; /* its elements have none */
    }
}

static void visit_type(visitor *v, Dwarf_Die *type, uintptr_t address, uint64_t size, unsigned depth)
{
    int tag = dwarf_tag(type);
    if (depth > MZ__MAX_DEPTH || v->left == 0 || size == 0)
        return;
    if (tag == DW_TAG_pointer_type && size >= sizeof(void *))
        visit_pointer(v, type, (mz_pointer){.at = address});
    else if (is_record(type))
        visit_members(v, type, address, size, depth);
    else if (tag == DW_TAG_array_type)
        visit_elements(v, type, address, size, depth);
}

enum { MOST_POINTERS = 512 }; /* of one variable or block */

static void visit_variable(visitor *v, Dwarf_Die *variable, uintptr_t address)
{
    Dwarf_Die type;
    uint64_t size;
    v->left = MOST_POINTERS;
    if (mz__symbols_type_of(variable, &type) && mz__symbols_size_of_type(&type, &size, 0))
        visit_type(v, &type, address, size, 0);
}

static void keep_pointer(void *context, const mz_pointer *pointer)
{
    mz__debug_info *debug = context;
    debug->pointers =
        mz_grow(debug->pointers, &debug->pointer_capacity, debug->pointer_count + 1, sizeof *debug->pointers);
    debug->pointers[debug->pointer_count++] = *pointer;
}

/* They are the same whenever they are asked for, which is for every counterexample. */
static void find_global_pointers(const mz_symbols *symbols, mz__debug_info *debug)
{
    visitor v = {keep_pointer, debug, MOST_POINTERS, NULL};
    for (size_t i = 0; i < debug->globals.count; i++) {
        mz__variable *variable = &debug->globals.items[i];
        if (variable->offset == 0 && variable->start)
            visit_variable(&v, &variable->die, (uintptr_t)variable->start + symbols->bias);
    }
    debug->has_pointers = true;
}

void mz_symbols_global_pointers(mz_symbols *symbols, mz_pointer_visit *visit, void *context)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    if (debug && !debug->has_pointers)
        find_global_pointers(symbols, debug);
    for (size_t i = 0; debug && i < debug->pointer_count; i++)
        visit(context, &debug->pointers[i]);
}

void mz_symbols_pointers_in(mz_symbols *symbols, mz_type type, uintptr_t address, size_t size,
                            mz_pointer_visit *visit, void *context)
{
    visitor v = {visit, context, MOST_POINTERS, NULL};
    Dwarf_Die layout;
    uint64_t step;
    if (!find_layout(symbols, type, &layout) || !mz__symbols_size_of_type(&layout, &step, 0) || step == 0)
        return;
    if (size < 2 * step) {
        visit_type(&v, &layout, address, size, 0);
        return;
    }
    for (size_t at = 0; at + step <= size && v.left > 0; at += step) {
        unsigned before = v.left;
        visit_type(&v, &layout, address + at, step, 0);
        if (v.left == before)
            break;
    }
}

/* ---- Those of a frame ---- */

static void visit_local(void *context, Dwarf_Die *variable, bool in_memory, uint64_t where)
{
    visitor *v = context;
    Dwarf_Die type;
    v->left = MOST_POINTERS;
    v->variable = dwarf_diename(variable);
    if (in_memory)
        visit_variable(v, variable, (uintptr_t)where);
    else if (mz__symbols_type_of(variable, &type) && dwarf_tag(&type) == DW_TAG_pointer_type)
        visit_pointer(v, &type, (mz_pointer){.value = (uintptr_t)where});
}

void mz_symbols_local_pointers(mz_symbols *symbols, const mz_frame *frame, mz_pointer_visit *visit,
                               void *context)
{
    visitor v = {visit, context, MOST_POINTERS, NULL};
    mz__frame_values values = {
        .fp_known = true, .fp = frame->fp, .cfa_known = true, .cfa = frame->cfa, .frame = frame};
    mz__symbols_for_each_local(symbols, frame->pc - 1 - symbols->bias, &values, visit_local, &v);
}

#else

bool mz_symbols_type_is_record(mz_symbols *symbols, mz_type type)
{
    (void)symbols, (void)type;
    return false;
}

bool mz_symbols_type_is_open(mz_symbols *symbols, mz_type type)
{
    (void)symbols, (void)type;
    return false;
}

bool mz_symbols_type_size(mz_symbols *symbols, mz_type type, uint64_t *size)
{
    (void)symbols, (void)type, (void)size;
    return false;
}

bool mz_symbols_type_name(mz_symbols *symbols, mz_type type, mz_text *out)
{
    (void)symbols, (void)type, (void)out;
    return false;
}

void mz_symbols_member(mz_symbols *symbols, mz_type type, uint64_t offset, size_t size, mz_text *out,
                       mz_value_type *value)
{
    (void)symbols, (void)type, (void)offset, (void)size, (void)out;
    *value = (mz_value_type){0};
}

bool mz_symbols_enumerator(mz_symbols *symbols, mz_type type, int64_t value, mz_text *out)
{
    (void)symbols, (void)type, (void)value, (void)out;
    return false;
}

void mz_symbols_global_pointers(mz_symbols *symbols, mz_pointer_visit *visit, void *context)
{
    (void)symbols, (void)visit, (void)context;
}

void mz_symbols_pointers_in(mz_symbols *symbols, mz_type type, uintptr_t address, size_t size,
                            mz_pointer_visit *visit, void *context)
{
    (void)symbols, (void)type, (void)address, (void)size, (void)visit, (void)context;
}

void mz_symbols_local_pointers(mz_symbols *symbols, const mz_frame *frame, mz_pointer_visit *visit,
                               void *context)
{
    (void)symbols, (void)frame, (void)visit, (void)context;
}

#endif
