/* The ELF symbol table: what there is to say where there is no debug information. The file may be anything:
 * nothing in it is trusted. */
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/symbols/symbols_internal.h"

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

static bool class_of_symbol(unsigned type, mz__symbol_class *class)
{
    switch (type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        *class = MZ__SYMBOL_CODE;
        return true;
    case STT_OBJECT:
    case STT_COMMON:
        *class = MZ__SYMBOL_DATA;
        return true;
    case STT_TLS:
        *class = MZ__SYMBOL_THREAD_LOCAL;
        return true;
    default:
        return false;
    }
}

static void add_symbol(mz_symbols *symbols, const ElfW(Sym) * entry, const ElfW(Shdr) * names)
{
    mz__symbol_class class;
    if (entry->st_shndx == SHN_UNDEF || entry->st_name >= names->sh_size ||
        !class_of_symbol(ELF64_ST_TYPE(entry->st_info), &class))
        return;
    const char *name = symbols->image + names->sh_offset + entry->st_name;
    mz__symbol_list *list = &symbols->symbols[class];
    if (!*name)
        return;
    list->items = mz_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = (mz__symbol){entry->st_value, entry->st_size, name};
}

static int compare_symbols(const void *left, const void *right)
{
    const mz__symbol *a = left, *b = right;
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

static bool read_header(const mz_symbols *symbols, ElfW(Ehdr) * header)
{
    return read_image(symbols, 0, header, sizeof *header) && is_native_elf(header);
}

static void read_symbols(mz_symbols *symbols)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) table, names;
    ElfW(Sym) entry;
    if (symbols->symbols_read)
        return;
    symbols->symbols_read = true;
    if (!read_header(symbols, &header))
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
    for (size_t i = 0; i < MZ__SYMBOL_CLASSES; i++)
        if (symbols->symbols[i].count > 0)
            qsort(symbols->symbols[i].items, symbols->symbols[i].count, sizeof(mz__symbol), compare_symbols);
}

const mz__symbol *mz__symbols_find_symbol(mz_symbols *symbols, mz__symbol_class class, uint64_t address)
{
    read_symbols(symbols);
    const mz__symbol_list *list = &symbols->symbols[class];
    for (size_t i = list->count; i > 0; i--) {
        const mz__symbol *s = &list->items[i - 1];
        if (s->start <= address && (address - s->start < s->size || address == s->start))
            return s;
    }
    return NULL;
}

static bool is_unique(const mz__symbol_list *list, const mz__symbol *symbol)
{
    for (size_t i = 0; i < list->count; i++)
        if (&list->items[i] != symbol && strcmp(list->items[i].name, symbol->name) == 0)
            return false;
    return true;
}

bool mz_symbols_variable(mz_symbols *symbols, uintptr_t address, mz_text *out)
{
    const mz__symbol *found = mz__symbols_find_symbol(symbols, MZ__SYMBOL_DATA, address - symbols->bias);
    if (!found || !is_unique(&symbols->symbols[MZ__SYMBOL_DATA], found))
        return false;
    mz_text_add(out, "%s+%" PRIu64, found->name, address - symbols->bias - found->start);
    return true;
}

bool mz__symbols_name_by_symbol(mz_symbols *symbols, mz__symbol_class class, uint64_t address, mz_text *out)
{
    const mz__symbol *found = mz__symbols_find_symbol(symbols, class, address);
    if (!found)
        return false;
    mz_text_add(out, "%s", found->name);
    if (address > found->start)
        mz_text_add(out, "+%" PRIu64, address - found->start);
    return true;
}

/* ---- Between symbols ---- */

typedef struct extent {
    uint64_t start, size;
} extent;

typedef struct extents {
    extent *items;
    size_t count, capacity;
} extents;

static int compare_extents(const void *left, const void *right)
{
    const extent *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

/* The variables in one section, and whatever else has a name there. */
static void collect_extents(const mz_symbols *symbols, const ElfW(Shdr) * table, size_t section,
                            extents *found)
{
    ElfW(Sym) entry;
    for (size_t at = 0; at + sizeof entry <= table->sh_size; at += sizeof entry) {
        if (!read_image(symbols, table->sh_offset + at, &entry, sizeof entry))
            break;
        unsigned type = ELF64_ST_TYPE(entry.st_info);
        if (entry.st_shndx != section || type == STT_SECTION || type == STT_FILE)
            continue;
        found->items = mz_grow(found->items, &found->capacity, found->count + 1, sizeof *found->items);
        found->items[found->count++] = (extent){entry.st_value, entry.st_size};
    }
    if (found->count > 0)
        qsort(found->items, found->count, sizeof *found->items, compare_extents);
}

static void tell_gaps(const mz_symbols *symbols, const ElfW(Shdr) * section, const extents *found,
                      void (*gap)(uintptr_t begin, uintptr_t end))
{
    uint64_t covered = section->sh_addr, end = section->sh_addr + section->sh_size;
    for (size_t i = 0; i < found->count; i++) {
        const extent *e = &found->items[i];
        if (e->start > covered)
            gap(symbols->bias + covered, symbols->bias + (e->start < end ? e->start : end));
        uint64_t reach = e->start + e->size;
        if (e->size == 0) /* its end is not known */
            reach = i + 1 < found->count ? e[1].start : end;
        covered = reach > covered ? reach : covered;
    }
    if (covered < end)
        gap(symbols->bias + covered, symbols->bias + end);
}

bool mz_symbols_section(mz_symbols *symbols, const char *name, uintptr_t *begin, uintptr_t *end)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) names, section;
    if (!read_header(symbols, &header) || !read_section(symbols, &header, header.e_shstrndx, &names) ||
        !ends_terminated(symbols, &names))
        return false;
    for (size_t i = 0; read_section(symbols, &header, i, &section); i++)
        if (section.sh_name < names.sh_size && (section.sh_flags & SHF_ALLOC) &&
            strcmp(symbols->image + names.sh_offset + section.sh_name, name) == 0) {
            *begin = symbols->bias + section.sh_addr;
            *end = *begin + section.sh_size;
            return true;
        }
    return false;
}

static bool holds_variables(const mz_symbols *symbols, const ElfW(Shdr) * names, const ElfW(Shdr) * section)
{
    if (section->sh_name >= names->sh_size || !ends_terminated(symbols, names))
        return false;
    const char *name = symbols->image + names->sh_offset + section->sh_name;
    return strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0;
}

void mz_symbols_for_each_gap(mz_symbols *symbols, void (*gap)(uintptr_t begin, uintptr_t end))
{
    ElfW(Ehdr) header;
    ElfW(Shdr) table, names, section;
    if (!read_header(symbols, &header) || !find_section(symbols, &header, SHT_SYMTAB, &table) ||
        !read_section(symbols, &header, header.e_shstrndx, &names))
        return;
    for (size_t i = 0; read_section(symbols, &header, i, &section); i++) {
        extents found = {0};
        if (!holds_variables(symbols, &names, &section))
            continue;
        collect_extents(symbols, &table, i, &found);
        tell_gaps(symbols, &section, &found, gap);
        mz_release(found.items);
    }
}
