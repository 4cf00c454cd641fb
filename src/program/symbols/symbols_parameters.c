/* The parameters of a function, from the debug information. */
#include "program/symbols/symbols_internal.h"

#include <string.h>

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>

static bool is_called(Dwarf_Die *function, const char *symbol)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute)
                           ? dwarf_formstring(&attribute)
                           : dwarf_diename(function);
    return name && strcmp(name, symbol) == 0;
}

/* A pointer to anything. */
static bool is_void_pointer(Dwarf_Die *parameter)
{
    Dwarf_Die type, target;
    return mz__symbols_type_of(parameter, &type) && dwarf_tag(&type) == DW_TAG_pointer_type &&
           !mz__symbols_type_of(&type, &target);
}

static void add_parameters(Dwarf_Die *function, mz_parameters *out)
{
    Dwarf_Die child;
    for (int more = dwarf_child(function, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            continue;
        const char *name = dwarf_diename(&child);
        out->is_void_pointer = out->count == 0 && is_void_pointer(&child);
        mz_text_add(&out->names, "%s%s", out->count ? ", " : "", name ? name : "…");
        out->count++;
    }
}

bool mz_symbols_parameters(mz_symbols *symbols, const char *symbol, mz_parameters *out)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    for (size_t i = 0; debug && i < debug->function_count; i++)
        if (is_called(&debug->functions[i].function, symbol)) {
            add_parameters(&debug->functions[i].function, out);
            return true;
        }
    return false;
}

#else

bool mz_symbols_parameters(mz_symbols *symbols, const char *symbol, mz_parameters *out)
{
    (void)symbols;
    (void)symbol;
    (void)out;
    return false;
}

#endif
