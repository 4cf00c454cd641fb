/* What is at a place of the program's image, from its own symbol table: for messages only, so it is read when
 * there is one to be written. What is not found is told as a number. */
#include "safe/runtime/follow/runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file {
    const char *bytes; /* NULL: it cannot be read */
    size_t size;
} file;

static file map_own_file(void)
{
    struct stat status;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    void *bytes = MAP_FAILED;
    if (descriptor >= 0 && fstat(descriptor, &status) == 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (descriptor >= 0)
        close(descriptor);
    return bytes == MAP_FAILED ? (file){NULL, 0} : (file){bytes, (size_t)status.st_size};
}

/* A part of the file; NULL: it is not there. */
static const void *part(const file *f, uint64_t offset, uint64_t length)
{
    return offset <= f->size && length <= f->size - offset ? f->bytes + offset : NULL;
}

static const Elf64_Shdr *section(const file *f, uint64_t number)
{
    const Elf64_Ehdr *header = part(f, 0, sizeof *header);
    return header ? part(f, header->e_shoff + number * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)) : NULL;
}

/* The variable in the table that the place is a part of; *offset: which. NULL: there is none. */
static const char *find_in(const file *f, const Elf64_Shdr *table, uint64_t place, uint64_t *offset)
{
    const Elf64_Shdr *names = section(f, table->sh_link);
    const Elf64_Sym *symbols = part(f, table->sh_offset, table->sh_size);
    const char *strings = names ? part(f, names->sh_offset, names->sh_size) : NULL;
    if (!symbols || !strings || names->sh_size == 0 || strings[names->sh_size - 1] != 0)
        return NULL;
    for (uint64_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const Elf64_Sym *s = &symbols[i];
        if (ELF64_ST_TYPE(s->st_info) != STT_OBJECT || s->st_shndx == SHN_UNDEF ||
            place - s->st_value >= s->st_size || s->st_name >= names->sh_size)
            continue;
        *offset = place - s->st_value;
        return strings + s->st_name;
    }
    return NULL;
}

/* "_ZN4bank4lockE" and "_ZL4lock" are names with their lengths: "bank::lock" and "lock". Others stay as they
 * are. */
static void add_readable(mz__message *message, const char *name)
{
    mz__message readable = {.length = 0};
    const char *at = strncmp(name, "_Z", 2) == 0 ? name + 2 : "";
    at += *at == 'N';
    at += *at == 'L';
    while (*at >= '1' && *at <= '9') {
        char word[128];
        size_t length = 0;
        while (*at >= '0' && *at <= '9' && length < sizeof word)
            length = length * 10 + (size_t)(*at++ - '0');
        if (length >= sizeof word || strlen(at) < length)
            break;
        memcpy(word, at, length);
        word[length] = 0;
        mz__add_text(&readable, readable.length > 0 ? "::" : "");
        mz__add_text(&readable, word);
        at += length;
        at += *at == 'L';
    }
    bool understood = readable.length > 0 && (*at == 0 || strcmp(at, "E") == 0);
    if (understood && readable.length < sizeof readable.text) {
        readable.text[readable.length] = 0;
        name = readable.text;
    }
    mz__add_text(message, name);
}

void mz__add_place(mz__message *message, uint64_t place)
{
    if (place == MZ_PLAN_NO_PLACE)
        return;
    file f = map_own_file();
    const Elf64_Ehdr *header = f.bytes ? part(&f, 0, sizeof *header) : NULL;
    const char *name = NULL;
    uint64_t offset = place;
    for (uint64_t i = 0; header && !name && i < header->e_shnum; i++) {
        const Elf64_Shdr *table = section(&f, i);
        if (table && table->sh_type == SHT_SYMTAB)
            name = find_in(&f, table, place, &offset);
    }
    mz__add_text(message, " of ");
    if (name)
        add_readable(message, name);
    if (!name || offset > 0) {
        mz__add_text(message, "+0x");
        mz__add_digits(message, offset, 16);
    }
    if (f.bytes)
        munmap((void *)f.bytes, f.size);
}
