#include "native/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#ifdef MZ_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#endif

typedef enum symbol_class { SYMBOL_CODE, SYMBOL_DATA, SYMBOL_THREAD_LOCAL, SYMBOL_CLASSES } symbol_class;

/* One line of the ELF symbol table. */
typedef struct symbol {
    uint64_t start, size;
    const char *name; /* in the image */
} symbol;

typedef struct symbol_list {
    symbol *items; /* by address */
    size_t count, capacity;
} symbol_list;

/* What was asked once is asked often, and the strings have to live somewhere. */
typedef struct known_place {
    uintptr_t address;
    char *function; /* owned */
    mz_code_place place;
} known_place;

typedef struct debug_info debug_info;

struct mz_symbols {
    uintptr_t bias;
    char *image; /* the whole file; NULL if there is none */
    size_t image_size;
    bool symbols_read, debug_read;
    symbol_list symbols[SYMBOL_CLASSES];
    debug_info *debug;   /* NULL if there is none */
    known_place *places; /* by address */
    size_t place_count, place_capacity;
};

/* ---- The ELF symbol table. The file may be anything: nothing in it is trusted. ---- */

static bool read_image(const mz_symbols *symbols, uint64_t offset, void *to, size_t size)
{
    if (offset > symbols->image_size || size > symbols->image_size - offset)
        return false;
    memcpy(to, symbols->image + offset, size);
    return true;
}

static bool is_native_elf(const ElfW(Ehdr) * header)
{
    unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == class &&
           header->e_ident[EI_DATA] == (first ? ELFDATA2LSB : ELFDATA2MSB) &&
           header->e_shentsize == sizeof(ElfW(Shdr));
}

static bool read_section(const mz_symbols *symbols, const ElfW(Ehdr) * header, size_t index,
                         ElfW(Shdr) * section)
{
    return index < header->e_shnum && header->e_shoff <= symbols->image_size &&
           read_image(symbols, header->e_shoff + index * sizeof *section, section, sizeof *section);
}

static bool find_section(const mz_symbols *symbols, const ElfW(Ehdr) * header, uint32_t type,
                         ElfW(Shdr) * section)
{
    for (size_t i = 0; read_section(symbols, header, i, section); i++)
        if (section->sh_type == type)
            return true;
    return false;
}

static bool class_of_symbol(unsigned type, symbol_class *class)
{
    switch (type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        *class = SYMBOL_CODE;
        return true;
    case STT_OBJECT:
    case STT_COMMON:
        *class = SYMBOL_DATA;
        return true;
    case STT_TLS:
        *class = SYMBOL_THREAD_LOCAL;
        return true;
    default:
        return false;
    }
}

static void add_symbol(mz_symbols *symbols, const ElfW(Sym) * entry, const ElfW(Shdr) * names)
{
    symbol_class class;
    if (entry->st_shndx == SHN_UNDEF || entry->st_name >= names->sh_size ||
        !class_of_symbol(ELF64_ST_TYPE(entry->st_info), &class))
        return;
    const char *name = symbols->image + names->sh_offset + entry->st_name;
    symbol_list *list = &symbols->symbols[class];
    if (!*name)
        return;
    list->items = mz_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = (symbol){entry->st_value, entry->st_size, name};
}

static int compare_symbols(const void *left, const void *right)
{
    const symbol *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return strcmp(b->name, a->name); /* searched from the end: of two names the first in the alphabet */
}

/* Strings must end within their section, or reading one could leave the image. */
static bool ends_terminated(const mz_symbols *symbols, const ElfW(Shdr) * names)
{
    char last = 1;
    return names->sh_type == SHT_STRTAB && names->sh_size > 0 && names->sh_offset <= symbols->image_size &&
           names->sh_size <= symbols->image_size &&
           read_image(symbols, names->sh_offset + names->sh_size - 1, &last, 1) && !last;
}

static void read_symbols(mz_symbols *symbols)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) table, names;
    ElfW(Sym) entry;
    if (symbols->symbols_read)
        return;
    symbols->symbols_read = true;
    if (!read_image(symbols, 0, &header, sizeof header) || !is_native_elf(&header))
        return;
    if (!find_section(symbols, &header, SHT_SYMTAB, &table) &&
        !find_section(symbols, &header, SHT_DYNSYM, &table)) /* what is left of a stripped object */
        return;
    if (!read_section(symbols, &header, table.sh_link, &names) || !ends_terminated(symbols, &names) ||
        table.sh_offset > symbols->image_size)
        return;
    for (size_t at = 0; at + sizeof entry <= table.sh_size; at += sizeof entry) {
        if (!read_image(symbols, table.sh_offset + at, &entry, sizeof entry))
            break;
        add_symbol(symbols, &entry, &names);
    }
    for (size_t i = 0; i < SYMBOL_CLASSES; i++)
        if (symbols->symbols[i].count > 0)
            qsort(symbols->symbols[i].items, symbols->symbols[i].count, sizeof(symbol), compare_symbols);
}

static const symbol *find_symbol(mz_symbols *symbols, symbol_class class, uint64_t address)
{
    read_symbols(symbols);
    const symbol_list *list = &symbols->symbols[class];
    for (size_t i = list->count; i > 0; i--) {
        const symbol *s = &list->items[i - 1];
        if (s->start <= address && (address - s->start < s->size || address == s->start))
            return s;
    }
    return NULL;
}

static bool name_by_symbol(mz_symbols *symbols, symbol_class class, uint64_t address, mz_text *out)
{
    const symbol *found = find_symbol(symbols, class, address);
    if (!found)
        return false;
    mz_text_add(out, "%s", found->name);
    if (address > found->start)
        mz_text_add(out, "+%" PRIu64, address - found->start);
    return true;
}

#ifdef MZ_HAVE_LIBDW

/* ---- Debug information: an index of functions and variables, made at the first question. ---- */

/* DWARF's numbers for the two registers that locate frames. */
#if defined(__x86_64__)
enum { REGISTER_FP = 6, REGISTER_SP = 7 };
#elif defined(__aarch64__)
enum { REGISTER_FP = 29, REGISTER_SP = 31 };
#else
enum { REGISTER_FP = -1, REGISTER_SP = -1 };
#endif

enum { MAX_DEPTH = 24, MAX_SCOPES = 64, MAX_DIMENSIONS = 8, MAX_OPERANDS = 16 };

/* A function has one of these for each range of its code. */
typedef struct code_range {
    Dwarf_Addr low, high;
    Dwarf_Die function;
    Dwarf_Die unit; /* the one with the lines */
} code_range;

/* clang splits a static struct into its members: then a variable has one of these for each piece. */
typedef struct variable {
    Dwarf_Addr start;
    uint64_t size;   /* 0 = unknown */
    uint64_t offset; /* of the piece in the variable */
    char *name;      /* with its scopes; NULL until it is asked for */
    Dwarf_Die die;
} variable;

typedef struct variable_list {
    variable *items; /* by address */
    size_t count, capacity;
} variable_list;

struct debug_info {
    Elf *elf;
    Dwarf *dwarf;          /* NULL without debug information; there may be frames all the same */
    Dwarf_CFI *eh_frames;  /* owned; from .eh_frame */
    Dwarf_CFI *dbg_frames; /* libdw's; from .debug_frame */
    code_range *functions; /* by address */
    size_t function_count, function_capacity;
    variable_list globals, thread_locals;
};

/* ---- Location expressions ---- */

typedef enum location_kind {
    LOCATION_MEMORY,
    LOCATION_THREAD_LOCAL,
    LOCATION_REGISTER, /* the result is what the register contains */
    LOCATION_VALUE
} location_kind;

/* What an expression may refer to; NULL instead of it for static addresses only. */
typedef struct frame_values {
    bool sp_known, fp_known, cfa_known, base_known;
    uintptr_t sp, fp, cfa, base;
} frame_values;

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

static bool push_register(operands *stack, const frame_values *frame, uint64_t number, uint64_t offset)
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
static bool step(operands *stack, Dwarf_Attribute *attribute, const Dwarf_Op *op, const frame_values *frame,
                 location_kind *kind)
{
    unsigned atom = op->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        return push(stack, atom - DW_OP_lit0);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return push_register(stack, frame, atom - DW_OP_breg0, op->number);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
        *kind = LOCATION_REGISTER;
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
        *kind = LOCATION_REGISTER;
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
        *kind = LOCATION_THREAD_LOCAL;
        return stack->count > 0;
    case DW_OP_stack_value:
        *kind = LOCATION_VALUE;
        return stack->count > 0;
    default:
        return binary_operation(stack, atom);
    }
}

static bool evaluate(Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t count, const frame_values *frame,
                     location_kind *kind, uint64_t *result)
{
    operands stack = {.count = 0};
    *kind = LOCATION_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (*kind != LOCATION_MEMORY || !step(&stack, attribute, &ops[i], frame, kind))
            return false; /* nothing follows a place that is not memory */
    if (stack.count == 0)
        return false;
    *result = stack.items[stack.count - 1];
    return true;
}

/* ---- Types ---- */

/* An array: its element, and the lengths of its dimensions (0 = not known: a flexible array member). */
typedef struct array_shape {
    Dwarf_Die element;
    uint64_t element_size;
    uint64_t counts[MAX_DIMENSIONS];
    uint64_t strides[MAX_DIMENSIONS]; /* bytes from one index to the next; never 0 */
    size_t dimensions;
} array_shape;

static bool size_of_type(Dwarf_Die *type, uint64_t *size, unsigned depth);

/* Without typedefs and qualifiers: they say nothing about the layout. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
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

static bool flag_attribute(Dwarf_Die *die, unsigned name)
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

static bool read_shape(Dwarf_Die *array, array_shape *shape, unsigned depth)
{
    Dwarf_Die child;
    shape->dimensions = 0;
    if (!type_of(array, &shape->element) || !size_of_type(&shape->element, &shape->element_size, depth + 1) ||
        shape->element_size == 0 || dwarf_child(array, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_subrange_type && shape->dimensions < MAX_DIMENSIONS)
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

static bool size_of_type(Dwarf_Die *type, uint64_t *size, unsigned depth)
{
    array_shape shape;
    int tag = dwarf_tag(type);
    if (depth > MAX_DEPTH)
        return false;
    if (unsigned_attribute(type, DW_AT_byte_size, size))
        return true;
    *size = sizeof(void *);
    if (tag != DW_TAG_array_type)
        return is_reference(tag);
    return read_shape(type, &shape, depth) && shape.counts[0] > 0 &&
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

static mz_value_kind kind_of_type(Dwarf_Die *type)
{
    Dwarf_Die underlying;
    int tag = dwarf_tag(type);
    if (is_reference(tag))
        return MZ_VALUE_POINTER;
    if (tag == DW_TAG_base_type)
        return kind_of_base(type);
    if (tag != DW_TAG_enumeration_type)
        return MZ_VALUE_UNKNOWN;
    if (type_of(type, &underlying) && dwarf_tag(&underlying) == DW_TAG_base_type)
        return kind_of_base(&underlying);
    return MZ_VALUE_UNSIGNED;
}

/* ---- Spelling what lies at an offset in a value of a type ---- */

/* How far the spelling has come. */
typedef struct spelling {
    mz_text *out;
    mz_value_kind kind;
    uint64_t unspelled; /* bytes from the start of what is spelled to the start of the current type */
    bool quiet;         /* inside the implementation's own members */
} spelling;

/* The bytes to name, from the start of the current type. */
typedef struct span {
    uint64_t offset, size;
} span;

typedef struct member {
    Dwarf_Die die, type;
    const char *name;
    uint64_t offset, size;
    bool bounded;  /* else a flexible array: it reaches as far as one asks */
    bool bitfield; /* offset and size are then the bytes it touches */
} member;

static bool spell_type(Dwarf_Die *type, span bytes, spelling *so_far, unsigned depth);

static bool within(span bytes, uint64_t offset, uint64_t size)
{
    return bytes.offset >= offset && bytes.offset - offset < size &&
           bytes.size <= size - (bytes.offset - offset);
}

static void finish(span bytes, spelling *so_far)
{
    so_far->kind = MZ_VALUE_UNKNOWN;
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
static bool read_bitfield(member *m, uint64_t bits)
{
    uint64_t first = m->offset * 8, storage = m->size, from_last;
    m->bitfield = true;
    if (!unsigned_attribute(&m->die, DW_AT_data_bit_offset, &first) &&
        unsigned_attribute(&m->die, DW_AT_bit_offset, &from_last)) {
        unsigned_attribute(&m->die, DW_AT_byte_size, &storage);
        first = (m->offset + storage) * 8 - from_last - bits;
    }
    m->offset = first / 8;
    m->size = (first + bits + 7) / 8 - m->offset;
    return bits > 0;
}

static bool read_member(Dwarf_Die *die, member *m, unsigned depth)
{
    uint64_t bits;
    int tag = dwarf_tag(die);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
        return false;
    if (flag_attribute(die, DW_AT_declaration) || flag_attribute(die, DW_AT_external))
        return false; /* a static member is not in the object */
    *m = (member){.die = *die, .name = tag == DW_TAG_member ? dwarf_diename(die) : NULL};
    if (!member_offset(die, &m->offset) || !type_of(die, &m->type))
        return false;
    m->bounded = size_of_type(&m->type, &m->size, depth);
    if (!m->bounded && dwarf_tag(&m->type) != DW_TAG_array_type)
        return false;
    return !unsigned_attribute(die, DW_AT_bit_size, &bits) || read_bitfield(m, bits);
}

static bool holds(const member *m, span bytes)
{
    return m->bounded ? within(bytes, m->offset, m->size) : bytes.offset >= m->offset;
}

static bool spell_member(member *m, span bytes, spelling *so_far, unsigned depth)
{
    so_far->quiet = so_far->quiet || (m->name && is_reserved(m->name));
    if (!m->name || so_far->quiet) {
        so_far->unspelled += m->offset;
    } else {
        mz_text_add(so_far->out, ".%s", m->name);
        so_far->unspelled = 0;
    }
    return spell_type(&m->type, (span){bytes.offset - m->offset, bytes.size}, so_far, depth + 1);
}

/* The first member that fits exactly; else the first that contains the bytes, to be spelled as far as it
 * goes. Flexible arrays come last, because anything behind them would fit. */
static bool spell_some_member(Dwarf_Die *type, span bytes, bool bounded, spelling *so_far, bool *exact,
                              unsigned depth)
{
    Dwarf_Die child;
    member m, first;
    bool found = false;
    const spelling start = *so_far;
    size_t length = start.out->length;
    if (dwarf_child(type, &child) != 0)
        return false;
    do {
        if (!read_member(&child, &m, depth) || m.bitfield || m.bounded != bounded || !holds(&m, bytes))
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
static bool spell_bitfields(Dwarf_Die *type, span bytes, spelling *so_far, unsigned depth)
{
    Dwarf_Die child;
    member m;
    const char *first = NULL, *last = NULL;
    if (so_far->quiet || dwarf_child(type, &child) != 0)
        return false;
    do {
        if (!read_member(&child, &m, depth) || !m.name || bytes.offset >= m.offset + m.size ||
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

static bool spell_struct(Dwarf_Die *type, span bytes, spelling *so_far, unsigned depth)
{
    bool exact = false;
    uint64_t size;
    if (spell_some_member(type, bytes, true, so_far, &exact, depth))
        return exact;
    bool whole = bytes.offset == 0 && size_of_type(type, &size, depth) && size == bytes.size;
    if (!whole && (spell_bitfields(type, bytes, so_far, depth) ||
                   spell_some_member(type, bytes, false, so_far, &exact, depth)))
        return exact;
    finish(bytes, so_far);
    return whole;
}

/* Indices as long as the bytes lie within one element of the dimension. */
static bool spell_array(Dwarf_Die *type, span bytes, spelling *so_far, unsigned depth)
{
    array_shape shape;
    if (!read_shape(type, &shape, depth)) {
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
static bool spell_type(Dwarf_Die *type, span bytes, spelling *so_far, unsigned depth)
{
    uint64_t size;
    int tag = depth > MAX_DEPTH ? 0 : dwarf_tag(type);
    switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return spell_struct(type, bytes, so_far, depth);
    case DW_TAG_array_type:
        return spell_array(type, bytes, so_far, depth);
    default:
        finish(bytes, so_far);
        if (bytes.offset > 0 || !size_of_type(type, &size, depth) || (bytes.size && size != bytes.size))
            return false;
        so_far->kind = kind_of_type(type);
        return true;
    }
}

static void spell_variable(Dwarf_Die *die, span bytes, mz_text *out, mz_value_kind *kind)
{
    Dwarf_Die type;
    spelling so_far = {.out = out, .kind = MZ_VALUE_UNKNOWN};
    if (type_of(die, &type))
        spell_type(&type, bytes, &so_far, 0);
    else
        finish(bytes, &so_far);
    *kind = so_far.kind;
}

/* ---- Names with their scopes ---- */

/* From an instance to what it is an instance of: that stands in the scopes of the source. */
static void find_declaration(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    for (unsigned i = 0; i < MAX_DEPTH; i++)
        if ((!dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
             !dwarf_attr(die, DW_AT_specification, &attribute)) ||
            !dwarf_formref_die(&attribute, die))
            return;
}

static bool is_named_scope(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
        return dwarf_diename(die) && !flag_attribute(die, DW_AT_export_symbols); /* not inline ones */
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        return dwarf_diename(die) != NULL;
    default:
        return false;
    }
}

static bool find_scope(Dwarf_Die *die, Dwarf_Die *scope)
{
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes_die(die, &scopes);
    bool found = false;
    for (int i = 1; i < count && !found; i++)
        if (is_named_scope(&scopes[i])) {
            *scope = scopes[i];
            found = true;
        }
    free(scopes); /* libdw allocated it */
    return found;
}

static void add_qualified(mz_text *out, const Dwarf_Die *of, unsigned depth)
{
    Dwarf_Die die = *of, scope;
    const char *name = dwarf_diename(&die);
    find_declaration(&die);
    if (depth < MAX_DEPTH && find_scope(&die, &scope)) {
        add_qualified(out, &scope, depth + 1);
        mz_text_add(out, "::");
    }
    mz_text_add(out, "%s", name ? name : "?");
}

/* ---- The index ---- */

static void add_variable(variable_list *list, variable new)
{
    list->items = mz_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = new;
}

static void index_place(debug_info *debug, Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t count,
                        variable new)
{
    location_kind kind;
    if (!evaluate(attribute, ops, count, NULL, &kind, &new.start))
        return;
    if (kind == LOCATION_THREAD_LOCAL)
        add_variable(&debug->thread_locals, new);
    else if (kind == LOCATION_MEMORY && new.start > 0) /* 0: the linker has thrown it away */
        add_variable(&debug->globals, new);
}

static void index_variable(debug_info *debug, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    Dwarf_Die type;
    size_t count, first = 0;
    variable new = {.die = *die};
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &ops, &count) != 0 ||
        !dwarf_diename(die))
        return;
    for (size_t i = 0; i < count; i++) {
        if (ops[i].atom != DW_OP_piece)
            continue;
        new.size = ops[i].number;
        index_place(debug, &attribute, ops + first, i - first, new);
        new.offset += new.size;
        first = i + 1;
    }
    if (first > 0)
        return;
    if (!type_of(die, &type) || !size_of_type(&type, &new.size, 0))
        new.size = 0;
    index_place(debug, &attribute, ops, count, new);
}

static void index_function(debug_info *debug, Dwarf_Die *die, const Dwarf_Die *unit)
{
    Dwarf_Addr base, low, high;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
        if (low == 0 || low >= high)
            continue; /* thrown away, too */
        debug->functions = mz_grow(debug->functions, &debug->function_capacity, debug->function_count + 1,
                                   sizeof *debug->functions);
        debug->functions[debug->function_count++] = (code_range){low, high, *die, *unit};
    }
}

static void index_children(debug_info *debug, Dwarf_Die *parent, const Dwarf_Die *unit, unsigned depth)
{
    Dwarf_Die child;
    if (depth > MAX_SCOPES || dwarf_child(parent, &child) != 0)
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            index_variable(debug, &child);
            break;
        case DW_TAG_subprogram:
            index_function(debug, &child, unit);
            index_children(debug, &child, unit, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_structure_type: /* of C++: functions of local classes */
        case DW_TAG_class_type:
            index_children(debug, &child, unit, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

static int compare_ranges(const void *left, const void *right)
{
    const code_range *a = left, *b = right;
    return (a->low > b->low) - (a->low < b->low);
}

/* Searched from the end: of several at one place the first of the file. */
static int compare_variables(const void *left, const void *right)
{
    const variable *a = left, *b = right;
    Dwarf_Die first = a->die, second = b->die;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    Dwarf_Off x = dwarf_dieoffset(&first), y = dwarf_dieoffset(&second);
    return (x < y) - (x > y);
}

static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 0)
        qsort(items, count, size, compare);
}

static void index_units(debug_info *debug)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, sub;
    uint8_t type;
    while (dwarf_get_units(debug->dwarf, unit, &unit, NULL, &type, &die, &sub) == 0) {
        if (type == DW_UT_skeleton && dwarf_tag(&sub) != DW_TAG_invalid)
            index_children(debug, &sub, &die, 0); /* -gsplit-dwarf */
        else if (type == DW_UT_compile || type == DW_UT_partial)
            index_children(debug, &die, &die, 0);
    }
    sort(debug->functions, debug->function_count, sizeof *debug->functions, compare_ranges);
    sort(debug->globals.items, debug->globals.count, sizeof(variable), compare_variables);
    sort(debug->thread_locals.items, debug->thread_locals.count, sizeof(variable), compare_variables);
}

static debug_info *debug_of(mz_symbols *symbols)
{
    if (symbols->debug_read || !symbols->image)
        return symbols->debug;
    symbols->debug_read = true;
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(symbols->image, symbols->image_size);
    if (!elf)
        return NULL;
    debug_info *debug = mz_allocate_zeroed(1, sizeof *debug);
    debug->elf = elf;
    debug->eh_frames = dwarf_getcfi_elf(elf);
    debug->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (debug->dwarf) {
        debug->dbg_frames = dwarf_getcfi(debug->dwarf);
        index_units(debug);
    }
    return symbols->debug = debug;
}

static void release_variables(variable_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        mz_release(list->items[i].name);
    mz_release(list->items);
}

static void close_debug(debug_info *debug)
{
    if (!debug)
        return;
    mz_release(debug->functions);
    release_variables(&debug->globals);
    release_variables(&debug->thread_locals);
    dwarf_cfi_end(debug->eh_frames);
    dwarf_end(debug->dwarf);
    elf_end(debug->elf);
    mz_release(debug);
}

/* ---- Code ---- */

static code_range *find_function(debug_info *debug, Dwarf_Addr pc)
{
    size_t low = 0, high = debug->function_count; /* the last that starts at pc or before is below high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (debug->functions[middle].low <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && pc < debug->functions[low - 1].high ? &debug->functions[low - 1] : NULL;
}

static bool is_block(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_lexical_block:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
        return true;
    default:
        return false;
    }
}

static bool find_block(Dwarf_Die *parent, Dwarf_Addr pc, Dwarf_Die *block)
{
    if (dwarf_child(parent, block) != 0)
        return false;
    do {
        if (is_block(block) && dwarf_haspc(block, pc) > 0)
            return true;
    } while (dwarf_siblingof(block, block) == 0);
    return false;
}

/* The blocks around pc, outermost first: the function itself. (dwarf_getscopes() goes from an inlined
 * function to where it is declared; the variables are where it is called.) */
static size_t find_blocks(const code_range *range, Dwarf_Addr pc, Dwarf_Die blocks[MAX_SCOPES])
{
    size_t count = 1;
    blocks[0] = range->function;
    while (count < MAX_SCOPES && find_block(&blocks[count - 1], pc, &blocks[count]))
        count++;
    return count;
}

/* libdw makes names absolute. The user knows the file by the name that the compiler was given: if that was
 * relative, what the compiler's directory adds goes away. */
static const char *file_as_given(Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const char *name = dwarf_diename(unit);
    size_t length = directory ? strlen(directory) : 0;
    if (!file || (name && name[0] == '/') || length == 0 || strncmp(file, directory, length) != 0 ||
        file[length] != '/')
        return file;
    return file + length + 1;
}

/* The last row at or before pc. */
static size_t find_row(Dwarf_Lines *lines, size_t count, Dwarf_Addr pc)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        Dwarf_Addr address = 0;
        dwarf_lineaddr(dwarf_onesrcline(lines, middle), &address);
        if (address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Line 0 is code the compiler added: what comes before says more than nothing. */
static void find_line(code_range *range, Dwarf_Addr pc, mz_code_place *place)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(&range->unit, &lines, &count) != 0)
        return;
    for (size_t i = find_row(lines, count, pc); i > 0; i--) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i - 1);
        Dwarf_Addr address = 0;
        int line = 0, column = 0;
        bool end = true;
        dwarf_lineendsequence(row, &end);
        if (end || dwarf_lineaddr(row, &address) != 0 || address < range->low)
            return;
        if (dwarf_lineno(row, &line) != 0 || line <= 0)
            continue;
        dwarf_linecol(row, &column);
        place->file = file_as_given(&range->unit, dwarf_linesrc(row, NULL, NULL));
        place->line = (uint32_t)line;
        place->column = column > 0 ? (uint32_t)column : 0;
        return;
    }
}

static bool find_code(mz_symbols *symbols, Dwarf_Addr pc, mz_text *function, mz_code_place *place)
{
    Dwarf_Die blocks[MAX_SCOPES];
    debug_info *debug = debug_of(symbols);
    code_range *range = debug ? find_function(debug, pc) : NULL;
    if (!range)
        return false;
    size_t count = find_blocks(range, pc, blocks);
    while (count > 1 && dwarf_tag(&blocks[count - 1]) != DW_TAG_inlined_subroutine)
        count--;
    add_qualified(function, &blocks[count - 1], 0);
    find_line(range, pc, place);
    return true;
}

/* ---- Variables ---- */

static variable *find_variable(variable_list *list, uint64_t address)
{
    for (size_t i = list->count; i > 0; i--) {
        variable *v = &list->items[i - 1];
        if (v->start <= address && address - v->start < v->size)
            return v;
    }
    return NULL;
}

/* An object can be larger than its type: a flexible array member with an initializer. Its symbol knows. */
static variable *find_by_symbol(mz_symbols *symbols, symbol_class class, variable_list *list,
                                uint64_t address)
{
    const symbol *found = find_symbol(symbols, class, address);
    for (size_t i = list->count; found && i > 0; i--)
        if (list->items[i - 1].start == found->start)
            return &list->items[i - 1];
    return NULL;
}

static const char *name_of(variable *v)
{
    mz_text name = {0};
    if (!v->name) {
        add_qualified(&name, &v->die, 0);
        v->name = mz_copy_string(mz_text_string(&name));
        mz_text_release(&name);
    }
    return v->name;
}

static bool find_data(mz_symbols *symbols, symbol_class class, uint64_t address, size_t size, mz_text *out,
                      mz_value_kind *kind)
{
    debug_info *debug = debug_of(symbols);
    if (!debug)
        return false;
    variable_list *list = class == SYMBOL_DATA ? &debug->globals : &debug->thread_locals;
    variable *v = find_variable(list, address);
    if (!v)
        v = find_by_symbol(symbols, class, list, address);
    if (!v)
        return false;
    mz_text_add(out, "%s", name_of(v));
    spell_variable(&v->die, (span){address - v->start + v->offset, size}, out, kind);
    return true;
}

/* ---- Frames ---- */

/* The caller frees the frame, which libdw allocated. NULL if there is no information. */
static Dwarf_Frame *frame_at(debug_info *debug, Dwarf_Addr pc)
{
    Dwarf_Frame *frame = NULL;
    if (debug->eh_frames && dwarf_cfi_addrframe(debug->eh_frames, pc, &frame) == 0)
        return frame;
    if (debug->dbg_frames && dwarf_cfi_addrframe(debug->dbg_frames, pc, &frame) == 0)
        return frame;
    return NULL;
}

static bool compute_cfa(Dwarf_Frame *rules, frame_values *values)
{
    Dwarf_Op *ops;
    size_t count;
    location_kind kind;
    uint64_t cfa;
    if (dwarf_frame_cfa(rules, &ops, &count) != 0 || !evaluate(NULL, ops, count, values, &kind, &cfa))
        return false;
    values->cfa = (uintptr_t)cfa;
    /* The stack grows down, and so slowly that anything else is a mistake. */
    values->cfa_known = cfa % sizeof(uintptr_t) == 0 && cfa >= values->sp && cfa - values->sp < 1u << 30;
    return values->cfa_known;
}

/* A register of the caller. False if it is lost. */
static bool restore(Dwarf_Frame *rules, int number, const frame_values *values, bool same_known,
                    uintptr_t same, uintptr_t *value)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    location_kind kind;
    uint64_t result;
    if (number < 0 || dwarf_frame_register(rules, number, memory, &ops, &count) != 0)
        return false;
    if (count == 0 && !ops) {
        *value = same;
        return same_known;
    }
    if (!evaluate(NULL, ops, count, values, &kind, &result) ||
        (kind == LOCATION_MEMORY && !read_word(result, &result)))
        return false;
    *value = (uintptr_t)result;
    return true;
}

static Dwarf_Frame *rules_of(mz_symbols *symbols, const mz_frame *frame, frame_values *values)
{
    debug_info *debug = debug_of(symbols);
    Dwarf_Frame *rules = debug ? frame_at(debug, frame->pc - 1 - symbols->bias) : NULL;
    *values = (frame_values){.sp_known = true, .fp_known = true, .sp = frame->sp, .fp = frame->fp};
    if (rules && !compute_cfa(rules, values)) {
        free(rules);
        rules = NULL;
    }
    return rules;
}

bool mz_symbols_frame(mz_symbols *symbols, mz_frame *frame)
{
    frame_values values;
    Dwarf_Frame *rules = rules_of(symbols, frame, &values);
    frame->cfa = rules ? values.cfa : 0;
    free(rules);
    return frame->cfa != 0;
}

bool mz_symbols_caller(mz_symbols *symbols, const mz_frame *frame, mz_frame *caller)
{
    frame_values values;
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
static void find_stack_pointer(debug_info *debug, Dwarf_Addr pc, frame_values *values)
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

static bool evaluate_at(Dwarf_Die *die, unsigned name, Dwarf_Addr pc, const frame_values *values,
                        location_kind *kind, uint64_t *result)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    return dwarf_attr_integrate(die, name, &attribute) &&
           dwarf_getlocation_addr(&attribute, pc, &ops, &count, 1) == 1 &&
           evaluate(&attribute, ops, count, values, kind, result);
}

static void find_frame_base(Dwarf_Die *function, Dwarf_Addr pc, frame_values *values)
{
    location_kind kind;
    uint64_t base;
    values->base_known = evaluate_at(function, DW_AT_frame_base, pc, values, &kind, &base) &&
                         (kind == LOCATION_MEMORY || kind == LOCATION_REGISTER);
    if (values->base_known)
        values->base = (uintptr_t)base;
}

static bool find_in_block(Dwarf_Die *block, Dwarf_Addr pc, const frame_values *values, uintptr_t address,
                          size_t bytes, mz_text *out, mz_value_kind *kind)
{
    Dwarf_Die child, type;
    location_kind place;
    uint64_t start, size;
    if (dwarf_child(block, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        const char *name = dwarf_diename(&child);
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !name ||
            !evaluate_at(&child, DW_AT_location, pc, values, &place, &start) || place != LOCATION_MEMORY ||
            !type_of(&child, &type) || !size_of_type(&type, &size, 0) || address < start ||
            address - start >= size)
            continue;
        mz_text_add(out, "%s", name);
        spell_variable(&child, (span){address - start, bytes}, out, kind);
        return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool find_local(mz_symbols *symbols, Dwarf_Addr pc, frame_values *values, uintptr_t address,
                       size_t size, mz_text *out, mz_value_kind *kind)
{
    Dwarf_Die blocks[MAX_SCOPES];
    debug_info *debug = debug_of(symbols);
    code_range *range = debug ? find_function(debug, pc) : NULL;
    if (!range)
        return false;
    find_stack_pointer(debug, pc, values);
    find_frame_base(&range->function, pc, values);
    for (size_t count = find_blocks(range, pc, blocks); count > 0; count--)
        if (find_in_block(&blocks[count - 1], pc, values, address, size, out, kind))
            return true;
    return false;
}

bool mz_symbols_local(mz_symbols *symbols, uintptr_t pc, uintptr_t cfa, uintptr_t frame_pointer,
                      uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    frame_values values = {.fp_known = true, .fp = frame_pointer, .cfa_known = true, .cfa = cfa};
    *kind = MZ_VALUE_UNKNOWN;
    return find_local(symbols, pc - symbols->bias, &values, address, size, out, kind);
}

#else /* without libdw */

static void close_debug(debug_info *debug)
{
    (void)debug;
}

static bool find_code(mz_symbols *symbols, uint64_t pc, mz_text *function, mz_code_place *place)
{
    (void)symbols, (void)pc, (void)function, (void)place;
    return false;
}

static bool find_data(mz_symbols *symbols, symbol_class class, uint64_t address, size_t size, mz_text *out,
                      mz_value_kind *kind)
{
    (void)symbols, (void)class, (void)address, (void)size, (void)out, (void)kind;
    return false;
}

bool mz_symbols_local(mz_symbols *symbols, uintptr_t pc, uintptr_t cfa, uintptr_t frame_pointer,
                      uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    (void)symbols, (void)pc, (void)cfa, (void)frame_pointer, (void)address, (void)size, (void)out;
    *kind = MZ_VALUE_UNKNOWN;
    return false;
}

bool mz_symbols_frame(mz_symbols *symbols, mz_frame *frame)
{
    (void)symbols;
    frame->cfa = 0;
    return false;
}

bool mz_symbols_caller(mz_symbols *symbols, const mz_frame *frame, mz_frame *caller)
{
    (void)symbols, (void)frame, (void)caller;
    return false;
}

#endif

/* ---- Questions ---- */

static void map_file(mz_symbols *symbols, const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        /* Writable and private, because libelf takes a char *: it may do with its copy what it likes. */
        void *image = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            symbols->image = image;
            symbols->image_size = (size_t)status.st_size;
        }
    }
    close(file);
}

mz_symbols *mz_symbols_open(const char *path, uintptr_t bias)
{
    mz_symbols *symbols = mz_allocate_zeroed(1, sizeof *symbols);
    symbols->bias = bias;
    map_file(symbols, path);
    return symbols;
}

void mz_symbols_close(mz_symbols *symbols)
{
    if (!symbols)
        return;
    close_debug(symbols->debug);
    for (size_t i = 0; i < SYMBOL_CLASSES; i++)
        mz_release(symbols->symbols[i].items);
    for (size_t i = 0; i < symbols->place_count; i++)
        mz_release(symbols->places[i].function);
    mz_release(symbols->places);
    if (symbols->image)
        munmap(symbols->image, symbols->image_size);
    mz_release(symbols);
}

/* Where in the known places an address is, or belongs. */
static size_t place_index(const mz_symbols *symbols, uintptr_t address)
{
    size_t low = 0, high = symbols->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remember(mz_symbols *symbols, size_t index, uintptr_t address, const mz_text *function,
                     mz_code_place *place)
{
    symbols->places =
        mz_grow(symbols->places, &symbols->place_capacity, symbols->place_count + 1, sizeof *symbols->places);
    memmove(symbols->places + index + 1, symbols->places + index,
            (symbols->place_count - index) * sizeof *symbols->places);
    symbols->place_count++;
    char *copy = mz_copy_string(mz_text_string(function));
    place->function = copy;
    symbols->places[index] = (known_place){address, copy, *place};
}

bool mz_symbols_code(mz_symbols *symbols, uintptr_t address, mz_code_place *place)
{
    size_t index = place_index(symbols, address);
    if (index < symbols->place_count && symbols->places[index].address == address) {
        *place = symbols->places[index].place;
        return true;
    }
    mz_text function = {0};
    *place = (mz_code_place){0};
    bool found = find_code(symbols, address - symbols->bias, &function, place) ||
                 name_by_symbol(symbols, SYMBOL_CODE, address - symbols->bias, &function);
    if (found)
        remember(symbols, index, address, &function, place);
    mz_text_release(&function);
    return found;
}

bool mz_symbols_data(mz_symbols *symbols, uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    uint64_t at = address - symbols->bias;
    *kind = MZ_VALUE_UNKNOWN;
    return find_data(symbols, SYMBOL_DATA, at, size, out, kind) ||
           name_by_symbol(symbols, SYMBOL_DATA, at, out);
}

bool mz_symbols_thread_local(mz_symbols *symbols, size_t offset, size_t size, mz_text *out,
                             mz_value_kind *kind)
{
    *kind = MZ_VALUE_UNKNOWN;
    return find_data(symbols, SYMBOL_THREAD_LOCAL, offset, size, out, kind) ||
           name_by_symbol(symbols, SYMBOL_THREAD_LOCAL, offset, out);
}
