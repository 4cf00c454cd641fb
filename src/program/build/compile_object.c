/* Reading objects, archives and linked programs: who made them, what was noted, what is undefined. The files
 * may be anything; every offset is checked before it is followed. */
#include <ar.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "program/build/compile_internal.h"
#include "program/build/constructors.h"
#include "program/build/functions_cxx.h"

typedef struct bytes {
    const char *start;
    size_t length;
} bytes;

static bytes part(bytes whole, uint64_t offset, uint64_t length)
{
    if (offset > whole.length || length > whole.length - offset)
        return (bytes){NULL, 0};
    return (bytes){whole.start + offset, (size_t)length};
}

static bool read_header(bytes file, Elf64_Ehdr *header)
{
    if (file.length < sizeof *header || memcmp(file.start, ELFMAG, SELFMAG) != 0 ||
        file.start[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(header, file.start, sizeof *header);
    return true;
}

static bool read_section(bytes file, const Elf64_Ehdr *header, uint64_t index, Elf64_Shdr *section)
{
    bytes at = index < header->e_shnum
                   ? part(file, header->e_shoff + index * sizeof *section, sizeof *section)
                   : (bytes){NULL, 0};
    if (at.start)
        memcpy(section, at.start, sizeof *section);
    return at.start != NULL;
}

/* A terminated string of a string table; "" if there is none. */
static const char *string_at(bytes table, uint64_t offset)
{
    if (offset >= table.length || !memchr(table.start + offset, 0, table.length - offset))
        return "";
    return table.start + offset;
}

static bytes section_named(bytes file, const char *name)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    if (!read_header(file, &header) || !read_section(file, &header, header.e_shstrndx, &names))
        return (bytes){NULL, 0};
    bytes table = part(file, names.sh_offset, names.sh_size);
    for (uint64_t i = 0; read_section(file, &header, i, &section); i++)
        if (strcmp(string_at(table, section.sh_name), name) == 0)
            return part(file, section.sh_offset, section.sh_size);
    return (bytes){NULL, 0};
}

/* Made by `mazurka cc` of this version? */
static bool is_ours(bytes file)
{
    static const char first[] = "mazurka\t" MZ_NOTE_VERSION "\n";
    bytes notes = section_named(file, MZ_NOTE_SECTION);
    return notes.length >= sizeof first - 1 && memcmp(notes.start, first, sizeof first - 1) == 0;
}

static bool is_archive(bytes file)
{
    return file.length >= SARMAG && memcmp(file.start, ARMAG, SARMAG) == 0;
}

/* The members of an archive, one after the other; *at is 0 at first. */
static bool next_member(bytes file, size_t *at, struct ar_hdr *header, bytes *member)
{
    *at = *at ? *at : SARMAG;
    if (!part(file, *at, sizeof *header).start)
        return false;
    memcpy(header, file.start + *at, sizeof *header);
    char digits[sizeof header->ar_size + 1] = {0};
    memcpy(digits, header->ar_size, sizeof header->ar_size);
    size_t length = strtoul(digits, NULL, 10);
    *member = part(file, *at + sizeof *header, length);
    *at += sizeof *header + length + (length & 1);
    return member->start != NULL;
}

/* Members that are not ours; those that are no objects (the symbol index, long names) do not matter. */
static bool find_foreign_member(bytes file, mz_text *name)
{
    size_t at = 0;
    struct ar_hdr header;
    Elf64_Ehdr elf;
    for (bytes member; next_member(file, &at, &header, &member);)
        if (read_header(member, &elf) && !is_ours(member)) {
            mz_text_add(name, "%.*s", (int)strcspn(header.ar_name, "/ "), header.ar_name);
            return true;
        }
    return false;
}

/* A file that was cut off has lost its end. */
static bool is_whole_object(bytes file, const Elf64_Ehdr *header)
{
    return header->e_shoff == 0 ||
           part(file, header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize).start;
}

static bool is_whole_archive(bytes file)
{
    size_t at = SARMAG;
    struct ar_hdr header;
    bytes member;
    while (at < file.length)
        if (!next_member(file, &at, &header, &member))
            return false;
    return true;
}

mz_object_kind mz__object_kind(const char *path, mz_text *foreign_member, bool *foreign)
{
    mz_text text = {0};
    mz_object_kind kind = MZ_OBJECT_OTHER;
    Elf64_Ehdr header;
    *foreign = false;
    if (mz_file_read(path, MZ_FILE_ANY_SIZE, &text)) {
        bytes file = {mz_text_string(&text), text.length};
        if (is_archive(file) && is_whole_archive(file)) {
            kind = MZ_OBJECT_ARCHIVE;
            *foreign = find_foreign_member(file, foreign_member);
        } else if (read_header(file, &header) && is_whole_object(file, &header)) {
            kind = header.e_type == ET_REL ? MZ_OBJECT_OBJECT : MZ_OBJECT_PROGRAM;
            *foreign = !is_ours(file) && !section_named(file, MZ_CHECKED_SECTION).start;
        }
    }
    mz_text_release(&text);
    return kind;
}

bool mz__object_section(const mz_text *file, const char *name, mz_text *contents)
{
    bytes section = section_named((bytes){mz_text_string(file), file->length}, name);
    if (section.start)
        mz_text_add_bytes(contents, section.start, section.length);
    return section.start != NULL;
}

void mz__object_notes(const mz_text *file, mz_text *notes)
{
    mz__object_section(file, MZ_NOTE_SECTION, notes);
}

static bool find_symbols(bytes file, uint32_t type, bytes *symbols, bytes *names)
{
    Elf64_Ehdr header;
    Elf64_Shdr section, strings;
    if (!read_header(file, &header))
        return false;
    for (uint64_t i = 0; read_section(file, &header, i, &section); i++)
        if (section.sh_type == type && read_section(file, &header, section.sh_link, &strings)) {
            *symbols = part(file, section.sh_offset, section.sh_size);
            *names = part(file, strings.sh_offset, strings.sh_size);
            return symbols->start && names->start;
        }
    return false;
}

/* The symbols of the dynamic symbol table, one after the other. */
typedef struct symbol_reader {
    bytes symbols, names;
    Elf64_Sym symbol;
    const char *name; /* of the symbol */
} symbol_reader;

static bool next_symbol(const mz_text *file, size_t *cursor, symbol_reader *r)
{
    if (!r->symbols.start &&
        !find_symbols((bytes){mz_text_string(file), file->length}, SHT_DYNSYM, &r->symbols, &r->names))
        return false;
    if ((*cursor + 1) * sizeof r->symbol > r->symbols.length)
        return false;
    memcpy(&r->symbol, r->symbols.start + *cursor * sizeof r->symbol, sizeof r->symbol);
    ++*cursor;
    r->name = string_at(r->names, r->symbol.st_name);
    return true;
}

const char *mz__object_unknown(const mz_text *file, size_t *cursor, bool *has_main)
{
    for (symbol_reader r = {0}; next_symbol(file, cursor, &r);) {
        if (r.symbol.st_shndx != SHN_UNDEF) {
            *has_main |= strcmp(r.name, "main") == 0;
            continue;
        }
        bool absent = ELF64_ST_BIND(r.symbol.st_info) == STB_WEAK && !dlsym(RTLD_DEFAULT, r.name);
        if (*r.name && !absent && !mz__name_is_known(r.name, strlen(r.name)))
            return r.name;
    }
    return NULL;
}

const char *mz__object_function(const mz_text *file, size_t *cursor)
{
    for (symbol_reader r = {0}; next_symbol(file, cursor, &r);)
        if (*r.name && r.symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(r.symbol.st_info) == STT_FUNC)
            return r.name;
    return NULL;
}

void mz__object_exports(const char *path, void (*tell)(void *whom, const char *name), void *whom)
{
    mz_text text = {0};
    size_t cursor = 0;
    mz_file_read(path, MZ_FILE_ANY_SIZE, &text);
    for (symbol_reader r = {0}; next_symbol(&text, &cursor, &r);)
        if (*r.name && r.symbol.st_shndx != SHN_UNDEF)
            tell(whom, r.name);
    mz_text_release(&text);
}

bool mz__object_has(const mz_text *file, const char *prefix, const char *name, bool defined)
{
    size_t cursor = 0, length = strlen(prefix);
    for (symbol_reader r = {0}; next_symbol(file, &cursor, &r);)
        if ((r.symbol.st_shndx != SHN_UNDEF) == defined && strncmp(r.name, prefix, length) == 0 &&
            strcmp(r.name + length, name) == 0)
            return true;
    return false;
}

const char *mz__object_own_new(const mz_text *file)
{
    static const char *const names[] = {
#define MZ_X(name) #name,
        MZ_CXX_MODELLED(MZ_X)
#undef MZ_X
    };
    size_t cursor = 0;
    for (symbol_reader r = {0}; next_symbol(file, &cursor, &r);)
        for (size_t k = 0; k < MZ_LENGTH(names) && r.symbol.st_shndx != SHN_UNDEF; k++)
            if (strcmp(r.name, names[k]) == 0)
                return r.name;
    return NULL;
}

/* Can other files of the same link refer to it? In what is linked that cannot be told any more: names that
 * were hidden are as local there as those of static functions. */
static bool may_be_common(const Elf64_Sym *symbol, bool linked)
{
    return symbol->st_shndx != SHN_UNDEF && (linked || ELF64_ST_BIND(symbol->st_info) != STB_LOCAL);
}

static void tell_definitions(bytes file, void (*tell)(void *, const char *), void *whom)
{
    bytes symbols, names;
    Elf64_Ehdr header;
    Elf64_Sym symbol;
    /* of a library that is only there when the program runs, nothing is linked */
    if (!read_header(file, &header) || (header.e_type == ET_DYN && !is_ours(file)) ||
        !find_symbols(file, SHT_SYMTAB, &symbols, &names))
        return;
    for (size_t at = 0; at + sizeof symbol <= symbols.length; at += sizeof symbol) {
        memcpy(&symbol, symbols.start + at, sizeof symbol);
        if (may_be_common(&symbol, header.e_type == ET_DYN))
            tell(whom, string_at(names, symbol.st_name));
    }
}

void mz__object_definitions(const char *path, void (*tell)(void *whom, const char *name), void *whom)
{
    mz_text text = {0};
    struct ar_hdr header;
    size_t at = 0;
    mz_file_read(path, MZ_FILE_ANY_SIZE, &text);
    bytes file = {mz_text_string(&text), text.length};
    if (!is_archive(file))
        tell_definitions(file, tell, whom);
    else
        for (bytes member; next_member(file, &at, &header, &member);)
            tell_definitions(member, tell, whom);
    mz_text_release(&text);
}

/* ---- which program it is --------------------------------------------------------------------------------
 *
 * Of what is loaded. The rest (symbols, information for debuggers) names directories and temporary files, and
 * a build identifier is made of all that. */

static bool is_loaded(const Elf64_Shdr *section)
{
    return (section->sh_flags & SHF_ALLOC) && section->sh_type != SHT_NOTE;
}

static mz_hash hash_of_sections(bytes file)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    mz_hash hash = mz_hash_start(1);
    for (uint64_t i = 0; read_header(file, &header) && read_section(file, &header, i, &section); i++) {
        if (!is_loaded(&section))
            continue;
        bytes contents =
            section.sh_type == SHT_NOBITS ? (bytes){NULL, 0} : part(file, section.sh_offset, section.sh_size);
        hash = mz_hash_add(mz_hash_add(hash, section.sh_flags), section.sh_size);
        hash = mz_hash_add_bytes(hash, contents.start, contents.length);
    }
    return hash;
}

bool mz_compiled_hash(const mz_compiled *compiled, mz_text *out, mz_error *error)
{
    mz_text text = {0};
    bool read = mz_file_read(compiled->library, MZ_FILE_ANY_SIZE, &text);
    mz_hash hash = hash_of_sections((bytes){mz_text_string(&text), text.length});
    if (read)
        mz_text_add(out, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
    else
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read: %s", compiled->library, strerror(errno));
    mz_text_release(&text);
    return read;
}

bool mz_compiled_compares_addresses(const mz_compiled *compiled)
{
    static const char name[] = "_M_disjunct"; /* does what is inserted lie in the string itself? */
    mz_text text = {0};
    bool does = !mz_file_read(compiled->library, MZ_FILE_ANY_SIZE, &text) ||
                memmem(text.bytes, text.length, name, sizeof name - 1);
    mz_text_release(&text);
    return does;
}

/* ---- constructors: see constructors.h ------------------------------------------------------------------ */

static void hide_constructors(char *dynamic, size_t length)
{
    Elf64_Dyn entry;
    for (size_t at = 0; at + sizeof entry <= length; at += sizeof entry) {
        memcpy(&entry, dynamic + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            return;
        if (entry.d_tag == DT_INIT_ARRAY)
            entry.d_tag = MZ__DEFERRED_ARRAY;
        else if (entry.d_tag == DT_INIT_ARRAYSZ)
            entry.d_tag = MZ__DEFERRED_BYTES;
        memcpy(dynamic + at, &entry, sizeof entry);
    }
}

bool mz__defer_constructors(const char *path, mz_error *error)
{
    mz_text text = {0};
    if (!mz_file_read(path, MZ_FILE_ANY_SIZE, &text)) {
        mz_error_set(error, (mz_position){0}, "'%s' cannot be read: %s", path, strerror(errno));
        return false;
    }
    bytes dynamic = section_named((bytes){mz_text_string(&text), text.length}, ".dynamic");
    if (dynamic.start)
        hide_constructors(text.bytes + (dynamic.start - text.bytes), dynamic.length);
    bool good = mz__write_file(path, text.bytes, text.length, error);
    mz_text_release(&text);
    return good;
}
