/* Where the variables of a program are: its symbol table. A name that is there more than once is none. */
#define _GNU_SOURCE /* memfd_create */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "safe/run/run.h"
#include "wire/plan_format.h"

typedef struct symbol {
    const char *name;
    uint64_t value;
} symbol;

struct mz_run_symbols {
    mz_text file;
    symbol *items;
    size_t count, capacity;
};

/* A part of the file; NULL: it is not there. */
static const void *part(const mz_run_symbols *s, uint64_t offset, uint64_t length)
{
    return offset <= s->file.length && length <= s->file.length - offset ? s->file.bytes + offset : NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const symbol *)a)->name, ((const symbol *)b)->name);
}

static void add_symbols(mz_run_symbols *s, const Elf64_Shdr *table, const Elf64_Shdr *names)
{
    const char *strings = part(s, names->sh_offset, names->sh_size);
    if (!strings || names->sh_size == 0 || strings[names->sh_size - 1] != 0)
        return;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym found;
        const void *bytes = part(s, table->sh_offset + at, sizeof found);
        if (!bytes)
            return;
        memcpy(&found, bytes, sizeof found);
        if (ELF64_ST_TYPE(found.st_info) != STT_OBJECT || found.st_shndx == SHN_UNDEF || found.st_size == 0 ||
            found.st_name >= names->sh_size)
            continue;
        s->items = mz_grow(s->items, &s->capacity, s->count + 1, sizeof *s->items);
        s->items[s->count++] = (symbol){strings + found.st_name, found.st_value};
    }
}

static bool find_symbols(mz_run_symbols *s)
{
    Elf64_Ehdr header;
    const void *bytes = part(s, 0, sizeof header);
    if (!bytes || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&header, bytes, sizeof header);
    for (uint64_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section, names;
        const void *at = part(s, header.e_shoff + i * sizeof section, sizeof section);
        if (!at)
            return false;
        memcpy(&section, at, sizeof section);
        const void *link = part(s, header.e_shoff + section.sh_link * sizeof names, sizeof names);
        if (section.sh_type != SHT_SYMTAB || !link)
            continue;
        memcpy(&names, link, sizeof names);
        add_symbols(s, &section, &names);
    }
    return true;
}

mz_run_symbols *mz_run_symbols_read(const char *program, mz_error *error)
{
    mz_run_symbols *s = mz_allocate_zeroed(1, sizeof *s);
    if (!mz_file_read(program, MZ_FILE_ANY_SIZE, &s->file) || !find_symbols(s)) {
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read", program);
        mz_run_symbols_release(s);
        return NULL;
    }
    if (s->count > 0)
        qsort(s->items, s->count, sizeof *s->items, compare);
    return s;
}

void mz_run_symbols_release(mz_run_symbols *s)
{
    mz_release(s->items);
    mz_text_release(&s->file);
    mz_release(s);
}

uint64_t mz_run_find_place(const void *context, const char *place)
{
    const mz_run_symbols *s = context;
    const char *plus = strrchr(place, '+');
    if (!plus || s->count == 0)
        return MZ_PLAN_NO_PLACE;
    char *name = mz_copy_bytes(place, (size_t)(plus - place));
    symbol key = {.name = name};
    const symbol *found = bsearch(&key, s->items, s->count, sizeof *s->items, compare);
    bool alone = found && (found == s->items || compare(found - 1, found) != 0) &&
                 (found + 1 == s->items + s->count || compare(found + 1, found) != 0);
    mz_release(name);
    return alone ? found->value + strtoull(plus + 1, NULL, 0) : MZ_PLAN_NO_PLACE;
}

/* ---- plans for the program ------------------------------------------------------------------------------
 */

int mz_run_make_image(const mz_symbolic_plan *symbolic, uint32_t flags, const mz_run_symbols *symbols,
                      mz_error *error)
{
    size_t bytes = mz_symbolic_image_bytes(symbolic);
    int descriptor = memfd_create("mazurka-plan", MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    if (descriptor >= 0 && ftruncate(descriptor, (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        mz_error_set(error, (mz_position){0}, "there is no memory for the plan: %s", strerror(errno));
        return -1;
    }
    mz_symbolic_image_fill(symbolic, flags, mz_run_find_place, symbols, memory);
    munmap(memory, bytes);
    return descriptor;
}
