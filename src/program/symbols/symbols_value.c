/* The parts of a value of some type, one after the other. What lies between them is padding: nobody has
 * written it, and it says nothing. */
#include "program/symbols/symbols_internal.h"

#include <string.h>

#include "base/memory.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>

enum { MOST_PARTS = 256 };

typedef struct builder {
    mz_value_form *form;
    mz_text before; /* of the next part */
    bool too_many;
} builder;

static void add_value(builder *b, Dwarf_Die *type, uint64_t offset, unsigned depth);

static void add_part(builder *b, mz_value_part part)
{
    mz_value_form *f = b->form;
    if (f->count == MOST_PARTS) {
        b->too_many = true;
        return;
    }
    f->parts = mz_grow(f->parts, &f->capacity, f->count + 1, sizeof *f->parts);
    part.before = mz_copy_string(mz_text_string(&b->before));
    f->parts[f->count++] = part;
    mz_text_clear(&b->before);
}

static void add_scalar(builder *b, Dwarf_Die *type, uint64_t offset, uint64_t size)
{
    mz_value_kind kind = mz__symbols_kind_of_type(type);
    add_part(b, (mz_value_part){.offset = offset, .size = size, .kind = kind, .type = dwarf_dieoffset(type)});
}

static bool has_members(Dwarf_Die *type)
{
    Dwarf_Die child;
    mz__member m;
    for (int more = dwarf_child(type, &child); more == 0; more = dwarf_siblingof(&child, &child))
        if (mz__symbols_read_member(&child, &m, 0))
            return true;
    return dwarf_tag(type) != DW_TAG_structure_type && dwarf_tag(type) != DW_TAG_class_type;
}

/* Empty classes and the pointer to a table of virtual functions tell nothing. */
static bool is_told(const mz__member *m)
{
    Dwarf_Die die = m->die, type = m->type;
    return m->bounded && m->size > 0 && has_members(&type) &&
           !mz__symbols_flag_attribute(&die, DW_AT_artificial);
}

static void add_members(builder *b, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    Dwarf_Die child;
    mz__member m;
    bool is_first = true;
    mz_text_add(&b->before, "{");
    for (int more = dwarf_child(type, &child); more == 0 && !b->too_many;
         more = dwarf_siblingof(&child, &child)) {
        if (!mz__symbols_read_member(&child, &m, depth) || !is_told(&m))
            continue;
        mz_text_add(&b->before, "%s", is_first ? "" : ", ");
        if (m.name)
            mz_text_add(&b->before, ".%s = ", m.name);
        if (m.bitfield)
            add_part(b, (mz_value_part){.offset = offset + m.offset,
                                        .size = m.size,
                                        .first_bit = m.first_bit,
                                        .bits = m.bits,
                                        .kind = mz__symbols_kind_of_type(&m.type)});
        else
            add_value(b, &m.type, offset + m.offset, depth + 1);
        is_first = false;
    }
    mz_text_add(&b->before, "}");
}

static void add_elements(builder *b, const mz__array_shape *shape, size_t dimension, uint64_t offset,
                         unsigned depth)
{
    mz__array_shape inner = *shape;
    if (dimension == shape->dimensions) {
        add_value(b, &inner.element, offset, depth + 1);
        return;
    }
    mz_text_add(&b->before, "{");
    for (uint64_t i = 0; i < shape->counts[dimension] && !b->too_many; i++) {
        mz_text_add(&b->before, "%s", i > 0 ? ", " : "");
        add_elements(b, shape, dimension + 1, offset + i * shape->strides[dimension], depth);
    }
    mz_text_add(&b->before, "}");
}

static void add_array(builder *b, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    mz__array_shape shape;
    if (!mz__symbols_read_shape(type, &shape, depth)) {
        b->too_many = true;
        return;
    }
    if (shape.dimensions == 1 && mz__symbols_kind_of_type(&shape.element) == MZ_VALUE_CHAR &&
        shape.element_size == 1)
        add_part(b, (mz_value_part){.offset = offset, .size = shape.counts[0], .is_text = true});
    else
        add_elements(b, &shape, 0, offset, depth);
}

/* Which member of a union counts nobody knows: its bytes are told. */
static void add_value(builder *b, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    uint64_t size;
    int tag = depth > MZ__MAX_DEPTH ? 0 : dwarf_tag(type);
    if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
        add_members(b, type, offset, depth);
    else if (tag == DW_TAG_array_type)
        add_array(b, type, offset, depth);
    else if (mz__symbols_size_of_type(type, &size, depth))
        add_scalar(b, type, offset, size);
    else
        b->too_many = true;
}

bool mz_symbols_value_form(mz_symbols *symbols, mz_type type, mz_value_form *form)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    builder b = {.form = form};
    Dwarf_Die die, layout;
    *form = (mz_value_form){0};
    if (!type || !debug || !debug->dwarf || !dwarf_offdie(debug->dwarf, type, &die) ||
        dwarf_peel_type(&die, &layout) != 0)
        return false;
    add_value(&b, &layout, 0, 0);
    form->after = mz_copy_string(mz_text_string(&b.before));
    mz_text_release(&b.before);
    if (b.too_many)
        mz_value_form_release(form);
    return !b.too_many;
}

#else

bool mz_symbols_value_form(mz_symbols *symbols, mz_type type, mz_value_form *form)
{
    (void)symbols, (void)type;
    *form = (mz_value_form){0};
    return false;
}

#endif

void mz_value_form_release(mz_value_form *form)
{
    for (size_t i = 0; i < form->count; i++)
        mz_release(form->parts[i].before);
    mz_release(form->parts);
    mz_release(form->after);
    *form = (mz_value_form){0};
}
