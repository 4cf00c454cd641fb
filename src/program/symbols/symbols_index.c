/* What the debug information says of functions and static variables: an index by address, made at the first
 * question, and the answers from it. */
#include "program/symbols/symbols_internal.h"

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Names with their scopes ---- */

/* From an instance to what it is an instance of: that stands in the scopes of the source. */
static void find_declaration(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    for (unsigned i = 0; i < MZ__MAX_DEPTH; i++)
        if ((!dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
             !dwarf_attr(die, DW_AT_specification, &attribute)) ||
            !dwarf_formref_die(&attribute, die))
            return;
}

static bool is_named_scope(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
        return dwarf_diename(die) &&
               !mz__symbols_flag_attribute(die, DW_AT_export_symbols); /* not inline ones */
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
    if (depth < MZ__MAX_DEPTH && find_scope(&die, &scope)) {
        add_qualified(out, &scope, depth + 1);
        mz_text_add(out, "::");
    }
    mz_text_add(out, "%s", name ? name : "?");
}

/* ---- The index ---- */

static void add_variable(mz__variable_list *list, mz__variable new)
{
    list->items = mz_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = new;
}

static void index_place(mz__debug_info *debug, Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t count,
                        mz__variable new)
{
    mz__location_kind kind;
    if (!mz__symbols_evaluate(attribute, ops, count, NULL, &kind, &new.start))
        return;
    if (kind == MZ__LOCATION_THREAD_LOCAL)
        add_variable(&debug->thread_locals, new);
    else if (kind == MZ__LOCATION_MEMORY && new.start > 0) /* 0: the linker has thrown it away */
        add_variable(&debug->globals, new);
}

static void index_variable(mz__debug_info *debug, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    Dwarf_Die type;
    size_t count, first = 0;
    mz__variable new = {.die = *die};
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
    if (!mz__symbols_type_of(die, &type) || !mz__symbols_size_of_type(&type, &new.size, 0))
        new.size = 0;
    index_place(debug, &attribute, ops, count, new);
}

static void index_function(mz__debug_info *debug, Dwarf_Die *die, const Dwarf_Die *unit)
{
    Dwarf_Addr base, low, high;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
        if (low == 0 || low >= high)
            continue; /* thrown away, too */
        debug->functions = mz_grow(debug->functions, &debug->function_capacity, debug->function_count + 1,
                                   sizeof *debug->functions);
        debug->functions[debug->function_count++] = (mz__code_range){low, high, *die, *unit};
    }
}

static void index_children(mz__debug_info *debug, Dwarf_Die *parent, const Dwarf_Die *unit, unsigned depth)
{
    Dwarf_Die child;
    if (depth > MZ__MAX_SCOPES || dwarf_child(parent, &child) != 0)
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
    const mz__code_range *a = left, *b = right;
    return (a->low > b->low) - (a->low < b->low);
}

/* Searched from the end: of several at one place the first of the file. */
static int compare_variables(const void *left, const void *right)
{
    const mz__variable *a = left, *b = right;
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

static void index_units(mz__debug_info *debug)
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
    sort(debug->globals.items, debug->globals.count, sizeof(mz__variable), compare_variables);
    sort(debug->thread_locals.items, debug->thread_locals.count, sizeof(mz__variable), compare_variables);
}

mz__debug_info *mz__symbols_debug(mz_symbols *symbols)
{
    if (symbols->debug_read || !symbols->image)
        return symbols->debug;
    symbols->debug_read = true;
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(symbols->image, symbols->image_size);
    if (!elf)
        return NULL;
    mz__debug_info *debug = mz_allocate_zeroed(1, sizeof *debug);
    debug->elf = elf;
    debug->eh_frames = dwarf_getcfi_elf(elf);
    debug->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (debug->dwarf) {
        debug->dbg_frames = dwarf_getcfi(debug->dwarf);
        index_units(debug);
    }
    return symbols->debug = debug;
}

static void release_variables(mz__variable_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        mz_release(list->items[i].name);
    mz_release(list->items);
}

void mz__symbols_close_debug(mz__debug_info *debug)
{
    if (!debug)
        return;
    mz_release(debug->functions);
    release_variables(&debug->globals);
    mz_release(debug->pointers);
    release_variables(&debug->thread_locals);
    dwarf_cfi_end(debug->eh_frames);
    dwarf_end(debug->dwarf);
    elf_end(debug->elf);
    mz_release(debug);
}

/* ---- Code ---- */

mz__code_range *mz__symbols_find_function(mz__debug_info *debug, Dwarf_Addr pc)
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
size_t mz__symbols_find_blocks(const mz__code_range *range, Dwarf_Addr pc, Dwarf_Die blocks[MZ__MAX_SCOPES])
{
    size_t count = 1;
    blocks[0] = range->function;
    while (count < MZ__MAX_SCOPES && find_block(&blocks[count - 1], pc, &blocks[count]))
        count++;
    return count;
}

/* libdw makes names absolute. The user knows the file by the name that the compiler was given: if that was
 * relative, what the compiler's directory adds goes away. */
const char *mz__symbols_file_as_given(Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const char *name = dwarf_diename(unit);
    size_t length = directory ? strlen(directory) : 0;
    const char *part = file ? strstr(file, "/<") : NULL;
    if (part)
        return part + 1; /* "<environment>", of our own making (c/): in no directory */
    if (!file || length == 0 || strncmp(file, directory, length) != 0 || file[length] != '/')
        return file;
    if (name && name[0] == '/' && strncmp(name, directory, length) == 0 && name[length] == '/')
        return file; /* that is how it was given; one from elsewhere was generated, and holds the given one */
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
static void find_line(mz__code_range *range, Dwarf_Addr pc, mz_code_place *place)
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
        place->file = mz__symbols_file_as_given(&range->unit, dwarf_linesrc(row, NULL, NULL));
        place->line = (uint32_t)line;
        place->column = column > 0 ? (uint32_t)column : 0;
        return;
    }
}

bool mz__symbols_find_code(mz_symbols *symbols, Dwarf_Addr pc, mz_text *function, mz_code_place *place)
{
    Dwarf_Die blocks[MZ__MAX_SCOPES];
    mz__debug_info *debug = mz__symbols_debug(symbols);
    mz__code_range *range = debug ? mz__symbols_find_function(debug, pc) : NULL;
    if (!range)
        return false;
    size_t count = mz__symbols_find_blocks(range, pc, blocks);
    while (count > 1 && dwarf_tag(&blocks[count - 1]) != DW_TAG_inlined_subroutine)
        count--;
    add_qualified(function, &blocks[count - 1], 0);
    find_line(range, pc, place);
    return true;
}

static bool attribute_number(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dwarf_formudata(dwarf_attr(die, name, &attribute), number) == 0;
}

/* Where the function is called that was inlined as this block. */
static bool find_call(mz__code_range *range, Dwarf_Die *inlined, mz_code_place *place)
{
    Dwarf_Word file, line, column = 0;
    Dwarf_Files *files;
    if (!attribute_number(inlined, DW_AT_call_file, &file) ||
        !attribute_number(inlined, DW_AT_call_line, &line) ||
        dwarf_getsrcfiles(&range->unit, &files, NULL) != 0)
        return false;
    attribute_number(inlined, DW_AT_call_column, &column);
    place->file = mz__symbols_file_as_given(&range->unit, dwarf_filesrc(files, file, NULL, NULL));
    place->line = (uint32_t)line;
    place->column = (uint32_t)column;
    return place->file != NULL;
}

bool mz__symbols_find_inlined_call(mz_symbols *symbols, Dwarf_Addr pc, size_t level, mz_code_place *place)
{
    Dwarf_Die blocks[MZ__MAX_SCOPES];
    mz__debug_info *debug = mz__symbols_debug(symbols);
    mz__code_range *range = debug ? mz__symbols_find_function(debug, pc) : NULL;
    for (size_t i = range ? mz__symbols_find_blocks(range, pc, blocks) : 0; i > 1; i--)
        if (dwarf_tag(&blocks[i - 1]) == DW_TAG_inlined_subroutine && level-- == 0)
            return find_call(range, &blocks[i - 1], place);
    return false;
}

/* ---- Variables ---- */

static mz__variable *find_variable(mz__variable_list *list, uint64_t address)
{
    for (size_t i = list->count; i > 0; i--) {
        mz__variable *v = &list->items[i - 1];
        if (v->start <= address && address - v->start < v->size)
            return v;
    }
    return NULL;
}

/* An object can be larger than its type: a flexible array member with an initializer. Its symbol knows. */
static mz__variable *find_by_symbol(mz_symbols *symbols, mz__symbol_class class, mz__variable_list *list,
                                    uint64_t address)
{
    const mz__symbol *found = mz__symbols_find_symbol(symbols, class, address);
    for (size_t i = list->count; found && i > 0; i--)
        if (list->items[i - 1].start == found->start)
            return &list->items[i - 1];
    return NULL;
}

static const char *name_of(mz__variable *v)
{
    mz_text name = {0};
    if (!v->name) {
        add_qualified(&name, &v->die, 0);
        v->name = mz_copy_string(mz_text_string(&name));
        mz_text_release(&name);
    }
    return v->name;
}

bool mz__symbols_find_data(mz_symbols *symbols, mz__symbol_class class, uint64_t address, size_t size,
                           mz_text *out, mz_value_type *kind)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    if (!debug)
        return false;
    mz__variable_list *list = class == MZ__SYMBOL_DATA ? &debug->globals : &debug->thread_locals;
    mz__variable *v = find_variable(list, address);
    if (!v)
        v = find_by_symbol(symbols, class, list, address);
    if (!v)
        return false;
    mz_text_add(out, "%s", name_of(v));
    mz__symbols_spell_variable(&v->die, (mz__span){address - v->start + v->offset, size}, out, kind);
    return true;
}

/* ---- Bit-fields ---- */

static bool contains_bit_field(Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die child;
    if (depth > MZ__MAX_SCOPES || dwarf_child(parent, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_member ? dwarf_hasattr_integrate(&child, DW_AT_bit_size)
                                 : contains_bit_field(&child, depth + 1))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

bool mz_symbols_has_bit_fields(mz_symbols *symbols)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, sub;
    uint8_t type;
    if (!debug || !debug->dwarf)
        return true;
    while (dwarf_get_units(debug->dwarf, unit, &unit, NULL, &type, &die, &sub) == 0) {
        bool elsewhere = type == DW_UT_skeleton && dwarf_tag(&sub) != DW_TAG_invalid; /* -gsplit-dwarf */
        if (contains_bit_field(elsewhere ? &sub : &die, 0))
            return true;
    }
    return false;
}

#endif
