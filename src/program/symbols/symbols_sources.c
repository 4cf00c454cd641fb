/* The files that a program was compiled from, from the debug information. */
#include "program/symbols/symbols_internal.h"

#include <string.h>

#ifdef MZ_HAVE_LIBDW

#include <dwarf.h>

/* What the system has brought along is not changed between a check and its replay. */
static bool is_of_program(const char *file)
{
    return file && file[0] != '<' && !strchr(file, '\n') && strncmp(file, "/usr/", strlen("/usr/")) != 0;
}

static void add_files(Dwarf_Die *unit, mz_text *out)
{
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const char *file = mz__symbols_file_as_given(unit, dwarf_filesrc(files, i, NULL, NULL));
        if (is_of_program(file))
            mz_text_add(out, "%s\n", file);
    }
}

void mz_symbols_sources(mz_symbols *symbols, mz_text *out)
{
    mz__debug_info *debug = mz__symbols_debug(symbols);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    while (debug && debug->dwarf && dwarf_get_units(debug->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
        if (type == DW_UT_compile || type == DW_UT_partial || type == DW_UT_skeleton)
            add_files(&die, out);
}

#else

void mz_symbols_sources(mz_symbols *symbols, mz_text *out)
{
    (void)symbols;
    (void)out;
}

#endif
