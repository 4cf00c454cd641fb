/* Types: how large they are, what kind of value they hold, and how the expression is spelled that leads to
 * some of the bytes of a variable. */
#include "program/symbols/symbols_internal.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

/* ---- Types ---- */

/* Without typedefs and qualifiers: they say nothing about the layout. */
bool mz__symbols_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die named;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &named) &&
           dwarf_peel_type(&named, type) == 0;
}

static bool unsigned_attribute(Dwarf_Die *die, unsigned name, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0)
        return false;
    *value = word;
    return true;
}

bool mz__symbols_flag_attribute(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    bool value = false;
    return dwarf_attr(die, name, &attribute) && dwarf_formflag(&attribute, &value) == 0 && value;
}

/* 0 if unknown, or known only while running. Bounds are read as unsigned, because most forms do not say:
 * signed, an array of 200 would be one of -56. */
static uint64_t length_of_dimension(Dwarf_Die *subrange)
{
    uint64_t count, lower = 0, upper;
    if (unsigned_attribute(subrange, DW_AT_count, &count))
        return count <= INT64_MAX ? count : 0;
    if (!unsigned_attribute(subrange, DW_AT_upper_bound, &upper))
        return 0;
    unsigned_attribute(subrange, DW_AT_lower_bound, &lower);
    if (upper > INT64_MAX || upper == UINT32_MAX) /* -1: of an array of length 0 */
        return 0;
    return upper >= lower ? upper - lower + 1 : 0;
}

bool mz__symbols_read_shape(Dwarf_Die *array, mz__array_shape *shape, unsigned depth)
{
    Dwarf_Die child;
    shape->dimensions = 0;
    if (!mz__symbols_type_of(array, &shape->element) ||
        !mz__symbols_size_of_type(&shape->element, &shape->element_size, depth + 1) ||
        shape->element_size == 0 || dwarf_child(array, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_subrange_type && shape->dimensions < MZ__MAX_DIMENSIONS)
            shape->counts[shape->dimensions++] = length_of_dimension(&child);
    } while (dwarf_siblingof(&child, &child) == 0);
    uint64_t stride = shape->element_size;
    for (size_t i = shape->dimensions; i-- > 0;) {
        shape->strides[i] = stride;
        if (i > 0 && (shape->counts[i] == 0 || __builtin_mul_overflow(stride, shape->counts[i], &stride)))
            return false; /* only the first dimension may be open */
    }
    return shape->dimensions > 0;
}

static bool is_reference(int tag)
{
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
           tag == DW_TAG_rvalue_reference_type || tag == DW_TAG_unspecified_type; /* decltype(nullptr) */
}

bool mz__symbols_size_of_type(Dwarf_Die *type, uint64_t *size, unsigned depth)
{
    mz__array_shape shape;
    int tag = dwarf_tag(type);
    if (depth > MZ__MAX_DEPTH)
        return false;
    if (unsigned_attribute(type, DW_AT_byte_size, size))
        return true;
    *size = sizeof(void *);
    if (tag != DW_TAG_array_type)
        return is_reference(tag);
    return mz__symbols_read_shape(type, &shape, depth) && shape.counts[0] > 0 &&
           !__builtin_mul_overflow(shape.counts[0], shape.strides[0], size);
}

static mz_value_kind kind_of_base(Dwarf_Die *type)
{
    uint64_t encoding = 0;
    const char *name = dwarf_diename(type);
    unsigned_attribute(type, DW_AT_encoding, &encoding);
    switch (encoding) {
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char: /* int8_t and uint8_t are numbers, char is text */
        if (name && strcmp(name, "char") == 0)
            return MZ_VALUE_CHAR;
        return encoding == DW_ATE_signed_char ? MZ_VALUE_SIGNED : MZ_VALUE_UNSIGNED;
    case DW_ATE_signed:
        return MZ_VALUE_SIGNED;
    case DW_ATE_unsigned:
        return MZ_VALUE_UNSIGNED;
    case DW_ATE_UTF:
        return MZ_VALUE_CHAR;
    case DW_ATE_boolean:
        return MZ_VALUE_BOOL;
    case DW_ATE_float:
        return MZ_VALUE_FLOAT;
    case DW_ATE_address:
        return MZ_VALUE_POINTER;
    default:
        return MZ_VALUE_UNKNOWN;
    }
}

mz_value_kind mz__symbols_kind_of_type(Dwarf_Die *type)
{
    Dwarf_Die underlying;
    int tag = dwarf_tag(type);
    if (is_reference(tag))
        return MZ_VALUE_POINTER;
    if (tag == DW_TAG_base_type)
        return kind_of_base(type);
    if (tag != DW_TAG_enumeration_type)
        return MZ_VALUE_UNKNOWN;
    if (mz__symbols_type_of(type, &underlying) && dwarf_tag(&underlying) == DW_TAG_base_type)
        return kind_of_base(&underlying);
    return MZ_VALUE_UNSIGNED;
}

/* ---- Spelling what lies at an offset in a value of a type ---- */

/* How far the spelling has come. */
typedef struct spelling {
    mz_text *out;
    mz_value_kind kind;
    mz_type type;       /* of what was spelled; 0: not one whole thing */
    uint64_t unspelled; /* bytes from the start of what is spelled to the start of the current type */
    bool quiet;         /* inside the implementation's own members */
} spelling;

static bool spell_type(Dwarf_Die *type, mz__span bytes, spelling *so_far, unsigned depth);

static bool within(mz__span bytes, uint64_t offset, uint64_t size)
{
    return bytes.offset >= offset && bytes.offset - offset < size &&
           bytes.size <= size - (bytes.offset - offset);
}

static void finish(mz__span bytes, spelling *so_far)
{
    so_far->kind = MZ_VALUE_UNKNOWN;
    so_far->type = 0;
    if (so_far->unspelled + bytes.offset > 0)
        mz_text_add(so_far->out, "+%" PRIu64, so_far->unspelled + bytes.offset);
}

static bool is_reserved(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

static void shorten(mz_text *text, size_t length)
{
    text->length = length;
    if (text->bytes)
        text->bytes[length] = '\0';
}

/* A constant, or in old DWARF the expression "plus that constant". */
static bool member_offset(Dwarf_Die *die, uint64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    *offset = 0;
    if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attribute))
        return true; /* of a union, or a bit-field */
    if (unsigned_attribute(die, DW_AT_data_member_location, offset))
        return true;
    if (dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1 || ops[0].atom != DW_OP_plus_uconst)
        return false; /* a virtual base: only the object knows */
    *offset = ops[0].number;
    return true;
}

/* DWARF 4 counts from the first bit of the struct; before, from the last bit of the storage unit. */
static bool read_bitfield(mz__member *m, uint64_t bits)
{
    uint64_t first = m->offset * 8, storage = m->size, from_last;
    m->bitfield = true;
    if (!unsigned_attribute(&m->die, DW_AT_data_bit_offset, &first) &&
        unsigned_attribute(&m->die, DW_AT_bit_offset, &from_last)) {
        unsigned_attribute(&m->die, DW_AT_byte_size, &storage);
        first = (m->offset + storage) * 8 - from_last - bits;
    }
    m->first_bit = (uint32_t)(first % 8);
    m->bits = (uint32_t)bits;
    m->offset = first / 8;
    m->size = (first + bits + 7) / 8 - m->offset;
    return bits > 0;
}

bool mz__symbols_read_member(Dwarf_Die *die, mz__member *m, unsigned depth)
{
    uint64_t bits;
    int tag = dwarf_tag(die);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
        return false;
    if (mz__symbols_flag_attribute(die, DW_AT_declaration) || mz__symbols_flag_attribute(die, DW_AT_external))
        return false; /* a static member is not in the object */
    *m = (mz__member){.die = *die, .name = tag == DW_TAG_member ? dwarf_diename(die) : NULL};
    if (!member_offset(die, &m->offset) || !mz__symbols_type_of(die, &m->type))
        return false;
    m->bounded = mz__symbols_size_of_type(&m->type, &m->size, depth);
    if (!m->bounded && dwarf_tag(&m->type) != DW_TAG_array_type)
        return false;
    return !unsigned_attribute(die, DW_AT_bit_size, &bits) || read_bitfield(m, bits);
}

static bool holds(const mz__member *m, mz__span bytes)
{
    return m->bounded ? within(bytes, m->offset, m->size) : bytes.offset >= m->offset;
}

static bool spell_member(mz__member *m, mz__span bytes, spelling *so_far, unsigned depth)
{
    so_far->quiet = so_far->quiet || (m->name && is_reserved(m->name));
    if (!m->name || so_far->quiet) {
        so_far->unspelled += m->offset;
    } else {
        mz_text_add(so_far->out, ".%s", m->name);
        so_far->unspelled = 0;
    }
    return spell_type(&m->type, (mz__span){bytes.offset - m->offset, bytes.size}, so_far, depth + 1);
}

/* The first member that fits exactly; else the first that contains the bytes, to be spelled as far as it
 * goes. Flexible arrays come last, because anything behind them would fit. */
static bool spell_some_member(Dwarf_Die *type, mz__span bytes, bool bounded, spelling *so_far, bool *exact,
                              unsigned depth)
{
    Dwarf_Die child;
    mz__member m, first;
    bool found = false;
    const spelling start = *so_far;
    size_t length = start.out->length;
    if (dwarf_child(type, &child) != 0)
        return false;
    do {
        if (!mz__symbols_read_member(&child, &m, depth) || m.bitfield || m.bounded != bounded ||
            !holds(&m, bytes))
            continue;
        *exact = spell_member(&m, bytes, so_far, depth);
        if (*exact)
            return true;
        shorten(start.out, length);
        *so_far = start;
        if (!found)
            first = m;
        found = true;
    } while (dwarf_siblingof(&child, &child) == 0);
    if (found)
        spell_member(&first, bytes, so_far, depth);
    return found;
}

/* A program reads and writes the bytes that bit-fields share: name those it may have meant. */
static bool spell_bitfields(Dwarf_Die *type, mz__span bytes, spelling *so_far, unsigned depth)
{
    Dwarf_Die child;
    mz__member m;
    const char *first = NULL, *last = NULL;
    if (so_far->quiet || dwarf_child(type, &child) != 0)
        return false;
    do {
        if (!mz__symbols_read_member(&child, &m, depth) || !m.name || bytes.offset >= m.offset + m.size ||
            m.offset >= bytes.offset + (bytes.size ? bytes.size : 1))
            continue;
        if (!m.bitfield)
            return false; /* more than bit-fields: a copy of a part of the struct */
        first = first ? first : m.name;
        last = m.name;
    } while (dwarf_siblingof(&child, &child) == 0);
    if (!first)
        return false;
    mz_text_add(so_far->out, first == last ? ".%s" : ".%s..%s", first, last);
    so_far->kind = MZ_VALUE_UNKNOWN;
    return true;
}

static bool spell_struct(Dwarf_Die *type, mz__span bytes, spelling *so_far, unsigned depth)
{
    bool exact = false;
    uint64_t size;
    if (spell_some_member(type, bytes, true, so_far, &exact, depth))
        return exact;
    bool whole = bytes.offset == 0 && mz__symbols_size_of_type(type, &size, depth) && size == bytes.size;
    if (!whole && (spell_bitfields(type, bytes, so_far, depth) ||
                   spell_some_member(type, bytes, false, so_far, &exact, depth)))
        return exact;
    finish(bytes, so_far);
    if (whole)
        so_far->type = dwarf_dieoffset(type);
    return whole;
}

/* Indices as long as the bytes lie within one element of the dimension. */
static bool spell_array(Dwarf_Die *type, mz__span bytes, spelling *so_far, unsigned depth)
{
    mz__array_shape shape;
    if (!mz__symbols_read_shape(type, &shape, depth)) {
        finish(bytes, so_far);
        return false;
    }
    for (size_t i = 0; i < shape.dimensions; i++) {
        uint64_t stride = shape.strides[i], index = bytes.offset / stride;
        bool spans_more = bytes.size > stride;
        bool whole = bytes.offset == 0 && spans_more;
        if (whole || (shape.counts[i] > 0 && index >= shape.counts[i])) {
            finish(bytes, so_far);
            return whole && bytes.size == stride * shape.counts[i];
        }
        if (so_far->quiet) {
            so_far->unspelled += index * stride;
        } else {
            mz_text_add(so_far->out, "[%" PRIu64 "]", index);
            so_far->unspelled = 0;
        }
        bytes.offset -= index * stride;
        if (spans_more || bytes.offset + bytes.size > stride) {
            finish(bytes, so_far);
            return false;
        }
    }
    return spell_type(&shape.element, bytes, so_far, depth + 1);
}

/* Appends what leads to the bytes. True if they are exactly one member or element. */
static bool spell_type(Dwarf_Die *type, mz__span bytes, spelling *so_far, unsigned depth)
{
    uint64_t size;
    int tag = depth > MZ__MAX_DEPTH ? 0 : dwarf_tag(type);
    switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return spell_struct(type, bytes, so_far, depth);
    case DW_TAG_array_type:
        return spell_array(type, bytes, so_far, depth);
    default:
        finish(bytes, so_far);
        if (bytes.offset > 0 || !mz__symbols_size_of_type(type, &size, depth) ||
            (bytes.size && size != bytes.size))
            return false;
        so_far->kind = mz__symbols_kind_of_type(type);
        so_far->type = dwarf_dieoffset(type);
        return true;
    }
}

void mz__symbols_spell_type(Dwarf_Die *type, mz__span bytes, mz_text *out, mz_value_type *kind)
{
    spelling so_far = {.out = out, .kind = MZ_VALUE_UNKNOWN};
    spell_type(type, bytes, &so_far, 0);
    *kind = (mz_value_type){so_far.kind, so_far.type};
}

void mz__symbols_spell_variable(Dwarf_Die *die, mz__span bytes, mz_text *out, mz_value_type *kind)
{
    Dwarf_Die type;
    if (mz__symbols_type_of(die, &type)) {
        mz__symbols_spell_type(&type, bytes, out, kind);
        return;
    }
    spelling so_far = {.out = out};
    finish(bytes, &so_far);
    *kind = (mz_value_type){0};
}

#endif
