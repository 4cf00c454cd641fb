/* Where the machine code of each line of an assembly text is.
 *
 * A copy of the text gets a label of ours before every instruction and is assembled; the labels' addresses
 * tell which bytes are whose, whatever the assembler has put between them. Nobody else has to understand the
 * text: what an instruction does is read from its bytes (operands.c).
 *
 * In the program's own assembly several statements may stand in one line; they get lines of their own, so
 * that something can be put between them. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

#define LABEL "mz__statement_"

typedef struct mz__relocation {
    uint32_t section;
    uint64_t offset;
    uint32_t type, symbol;
    int64_t addend;
    bool is_constant;
    const char *name;
} mz__relocation;

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_one_of(const char *text, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(text, words[i], length) == 0)
            return true;
    return false;
}

/* ---- one statement per line -----------------------------------------------------------------------------
 */

/* Prefixes that may be written as statements of their own: they belong to the next one. */
static bool is_prefix(const char *text, size_t length)
{
    static const char *const words[] = {"lock",   "rep",   "repe",    "repz",     "repne",   "repnz",
                                        "data16", "rex64", "notrack", "xacquire", "xrelease"};
    return is_one_of(text, length, words, MZ_LENGTH(words));
}

static void add_statement_line(mz_text *out, const char *text, size_t length, bool *joined)
{
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    if (length == 0)
        return;
    mz_text_add(out, *joined ? " " : "\t");
    mz_text_add_bytes(out, text, length);
    *joined = is_prefix(text, length);
    if (!*joined)
        mz_text_add_bytes(out, "\n", 1);
}

/* "1: lock; xaddl %eax, (%rdx)  # comment": the label, and the statements, each in its line. */
static void split_line(mz_text *out, const char *line, bool *joined)
{
    const char *text = line + strspn(line, " \t");
    if (*text == '#') { /* gcc says there where the piece was written */
        mz_text_add(out, "%s\n", line);
        return;
    }
    bool quoted = false;
    for (const char *end = text; *text; text = *end ? end + (*end != '#') : end) {
        text += strspn(text, " \t;");
        size_t label = strcspn(text, ": \t;#,\"(%$");
        if (label > 0 && text[label] == ':') {
            mz_text_add(out, "%.*s:\n", (int)label, text);
            end = text + label;
            continue;
        }
        for (end = text; *end && (quoted || !strchr(";#", *end)); end++)
            quoted ^= *end == '"';
        add_statement_line(out, text, (size_t)(end - text), joined);
        if (*end == '#')
            break;
    }
}

static void split_written(mz_text *text)
{
    mz_text out = {0};
    bool written = false, joined = false;
    for (char *line = text->bytes, *next; line && *line; line = next) {
        char *stop = strchr(line, '\n');
        next = stop ? stop + 1 : NULL;
        if (stop)
            *stop = 0;
        const char *start = line + strspn(line, " \t");
        bool marks = begins(start, "#APP") || begins(start, "#NO_APP");
        if (marks)
            written = start[1] == 'A';
        if (written && !marks)
            split_line(&out, line, &joined);
        else
            mz_text_add(&out, "%s\n", line);
    }
    mz_text_release(text);
    *text = out;
}

/* ---- labels ---------------------------------------------------------------------------------------------
 */

/* A label of the text. */
typedef struct text_label {
    const char *name;
    size_t length;
    uint32_t statement; /* before which it stands */
    bool is_mentioned;  /* elsewhere than in a jump */
} text_label;

typedef struct labeller {
    mz__code *code;
    mz_text *out;
    text_label *labels; /* open addressing */
    size_t label_count, bucket_count;
    uint32_t *jumps; /* of each statement: the bucket of its label, plus 1 */
    size_t jump_capacity;
    uint32_t *waiting; /* labels before the next statement */
    size_t waiting_count, waiting_capacity;
    bool in_prefix;  /* which stands in a line of its own, as clang has them in thread-local accesses */
    bool in_numbers; /* code that is written down as numbers, in several lines */
    bool written, in_debug, begins, is_part, is_entered, is_unknown;
    unsigned depth; /* of .macro, .rept, … */
} labeller;

/* Labels that only the debugger and the unwinder know. */
static bool is_for_debugger(const char *label)
{
    static const char *const words[] = {".LVL",   ".LFB",    ".LFE",        ".LBE",   ".LBI", ".LFSB",
                                        ".Ltmp",  ".Lfunc_", ".LHOT",       ".LCOLD", ".LEH", ".Letext",
                                        ".Ltext", ".LVU",    ".Lexception", ".Lcfi"};
    for (size_t i = 0; i < MZ_LENGTH(words); i++)
        if (begins(label, words[i]))
            return true;
    bool block = begins(label, ".LBB"); /* of gcc .LBB12, of clang .LBB1_2, to which it jumps */
    return block && !memchr(label, '_', strcspn(label, ":"));
}

static size_t bucket_of(const text_label *labels, size_t count, const char *name, size_t length)
{
    size_t at = (size_t)mz_hash_add_bytes(mz_hash_start(0), name, length).low & (count - 1);
    while (labels[at].name && (labels[at].length != length || memcmp(labels[at].name, name, length) != 0))
        at = (at + 1) & (count - 1);
    return at;
}

/* One bucket for every label that there can be: every one is followed by a colon. */
static void make_buckets(labeller *l)
{
    size_t colons = 0;
    for (const char *at = l->code->text.bytes; at && (at = strstr(at, ".L")); at++)
        colons++;
    for (l->bucket_count = 16; l->bucket_count < 2 * colons + 2;)
        l->bucket_count *= 2;
    l->labels = mz_allocate_zeroed(l->bucket_count, sizeof *l->labels);
}

static uint32_t find_label(labeller *l, const char *name, size_t length)
{
    size_t at = bucket_of(l->labels, l->bucket_count, name, length);
    if (!l->labels[at].name)
        l->labels[at] = (text_label){.name = name, .length = length};
    return (uint32_t)at;
}

static size_t label_length(const char *text)
{
    size_t length = 0;
    while (text[length] &&
           (strchr("._$", text[length]) || (text[length] >= '0' && text[length] <= '9') ||
            (text[length] >= 'a' && text[length] <= 'z') || (text[length] >= 'A' && text[length] <= 'Z')))
        length++;
    return length;
}

/* Labels that the line names: of a jump one is where it goes. */
static void note_mentions(labeller *l, const char *text, bool jumps)
{
    for (const char *at = strstr(text, ".L"); at; at = strstr(at, ".L")) {
        size_t length = label_length(at);
        uint32_t bucket = find_label(l, at, length);
        if (jumps)
            l->jumps[l->code->count - 1] = bucket + 1;
        else
            l->labels[bucket].is_mentioned = true;
        at += length;
    }
}

static void note_label(labeller *l, const char *line)
{
    if (!l->written && *line != '.' && !begins(line, LABEL))
        l->begins = true, l->is_part = memmem(line, strcspn(line, ":"), ".cold", 5);
    if (is_for_debugger(line))
        return;
    l->is_entered = true;
    if (!begins(line, ".L")) {
        l->is_unknown = true;
        return;
    }
    l->waiting = mz_grow(l->waiting, &l->waiting_capacity, l->waiting_count + 1, sizeof *l->waiting);
    l->waiting[l->waiting_count++] = find_label(l, line, label_length(line));
}

static void note_statement(labeller *l, size_t at, size_t length)
{
    mz__code *code = l->code;
    for (size_t i = 0; i < l->waiting_count; i++)
        l->labels[l->waiting[i]].statement = (uint32_t)code->count;
    l->waiting_count = 0;
    l->jumps = mz_grow(l->jumps, &l->jump_capacity, code->count + 1, sizeof *l->jumps);
    l->jumps[code->count] = 0;
    code->statements = mz_grow(code->statements, &code->capacity, code->count + 1, sizeof *code->statements);
    mz_text_add(l->out, LABEL "%zu:\n", code->count);
    code->statements[code->count++] = (mz__statement){.at = at,
                                                      .length = length,
                                                      .is_written = l->written,
                                                      .begins = l->begins,
                                                      .is_part = l->is_part,
                                                      .is_entered = l->is_entered || l->begins,
                                                      .is_unknown = l->is_unknown || l->begins};
    l->begins = l->is_entered = l->is_unknown = false;
}

/* Directives of the program's own assembly that make no code. */
static bool makes_no_code(const char *directive)
{
    static const char *const words[] = {
        ".loc",   ".file",   ".section", ".pushsection", ".popsection", ".previous", ".text",
        ".align", ".balign", ".p2align", ".globl",       ".global",     ".type",     ".size",
        ".set",   ".hidden", ".weak",    ".local",       ".protected",  ".internal", ".subsection",
        ".data",  ".bss",    ".comm",    ".ident",       ".equ",        ".symver",   ".att_syntax"};
    size_t length = strcspn(directive, " \t,");
    return begins(directive, ".cfi") || is_one_of(directive, length, words, MZ_LENGTH(words));
}

/* What the debugger is told is left out: it takes long to assemble. */
static bool is_left_out(labeller *l, const char *text)
{
    if (begins(text, ".section") || begins(text, ".text") || begins(text, ".data") || begins(text, ".bss")) {
        size_t name = strcspn(text, " \t");
        l->in_debug = begins(text + name + strspn(text + name, " \t"), ".debug");
    }
    return l->in_debug || begins(text, ".loc ") || begins(text, ".loc\t") || begins(text, ".cfi") ||
           begins(text, ".file");
}

/* What is written once and assembled several times cannot be labelled. */
static void note_repetition(labeller *l, const char *text)
{
    static const char *const opening[] = {".macro", ".rept", ".irp", ".irpc"};
    static const char *const closing[] = {".endm", ".endr"};
    size_t length = strcspn(text, " \t,");
    if (is_one_of(text, length, opening, MZ_LENGTH(opening)))
        l->depth++;
    else if (l->depth > 0 && is_one_of(text, length, closing, MZ_LENGTH(closing)))
        l->depth--;
}

static void label_line(labeller *l, const char *line, size_t at)
{
    const char *text = line + strspn(line, " \t");
    size_t label = strcspn(line, ": \t#\"");
    bool is_statement = false;
    if (begins(text, "#APP") || begins(text, "#NO_APP")) {
        l->written = text[1] == 'A';
        l->in_numbers = false;
        return;
    }
    if (!*text || *text == '#' || is_left_out(l, text))
        return;
    if (l->depth == 0 && text == line && line[label] == ':')
        note_label(l, line);
    else if (l->depth > 0)
        ;
    else if ((*text == '.' && l->in_numbers) || l->in_prefix)
        ; /* a part of the instruction, perhaps */
    else if (*text != '.' || (l->written && !makes_no_code(text)))
        note_statement(l, at, strlen(line)), is_statement = true;
    bool is_label = text == line && line[label] == ':';
    size_t word = strcspn(text, " \t\r");
    l->in_prefix = is_prefix(text, word) && !text[word + strspn(text + word, " \t\r")];
    l->in_numbers = *text == '.' && !is_label && l->written && !makes_no_code(text);
    if (!is_label)
        note_mentions(l, text, is_statement && (*text == 'j' || begins(text, "loop")));
    note_repetition(l, text);
    mz_text_add(l->out, "%s\n", line);
}

/* Which jumps lead where. Into another function, or a part of one, from there nothing is known. */
static void find_targets(labeller *l)
{
    mz__code *code = l->code;
    uint32_t *functions = mz_allocate_zeroed(code->count + 1, sizeof *functions);
    for (size_t i = 0; i < code->count; i++)
        functions[i] = (i > 0 ? functions[i - 1] : 0) + code->statements[i].begins;
    for (size_t i = 0; i < l->bucket_count; i++)
        if (l->labels[i].is_mentioned && l->labels[i].statement < code->count)
            code->statements[l->labels[i].statement].is_unknown = true;
    for (size_t i = 0; i < code->count; i++) {
        uint32_t target = l->jumps[i] ? l->labels[l->jumps[i] - 1].statement : 0;
        if (target > 0 && functions[target] != functions[i])
            code->statements[target].is_unknown = true;
        else
            code->statements[i].target = target;
    }
    mz_release(functions);
}

void mz__code_begin(mz__code *code, mz_text *text, mz_text *labelled)
{
    labeller l = {.code = code, .out = labelled};
    mz_text_string(text); /* ends with a zero */
    split_written(text);
    code->text = *text;
    *text = (mz_text){0};
    make_buckets(&l);
    for (char *line = code->text.bytes, *next; line && *line; line = next) {
        char *stop = strchr(line, '\n');
        next = stop ? stop + 1 : NULL;
        if (stop)
            *stop = 0;
        label_line(&l, line, (size_t)(line - code->text.bytes));
        if (stop)
            *stop = '\n';
    }
    if (code->count > 0)
        find_targets(&l);
    mz_release(l.labels);
    mz_release(l.jumps);
    mz_release(l.waiting);
}

/* ---- the object -----------------------------------------------------------------------------------------
 */

typedef struct object {
    const char *bytes;
    size_t length;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names, *section_names;
    size_t names_length;
} object;

static bool lies_within(const object *o, uint64_t offset, uint64_t length)
{
    return offset <= o->length && length <= o->length - offset;
}

static bool open_object(const mz_text *file, object *o)
{
    *o = (object){.bytes = file->bytes, .length = file->length, .header = (const void *)file->bytes};
    if (file->length < sizeof *o->header || memcmp(file->bytes, ELFMAG, SELFMAG) != 0 ||
        !lies_within(o, o->header->e_shoff, (uint64_t)o->header->e_shnum * sizeof *o->sections))
        return false;
    o->sections = (const void *)(o->bytes + o->header->e_shoff);
    for (size_t i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_NOBITS && !lies_within(o, s->sh_offset, s->sh_size))
            return false;
        if (s->sh_type == SHT_SYMTAB && s->sh_link < o->header->e_shnum) {
            o->symbols = (const void *)(o->bytes + s->sh_offset);
            o->symbol_count = s->sh_size / sizeof *o->symbols;
            o->names = o->bytes + o->sections[s->sh_link].sh_offset;
            o->names_length = o->sections[s->sh_link].sh_size;
        }
    }
    if (o->header->e_shstrndx < o->header->e_shnum)
        o->section_names = o->bytes + o->sections[o->header->e_shstrndx].sh_offset;
    return o->symbols && o->section_names;
}

static const char *name_of(const object *o, const Elf64_Sym *symbol)
{
    return symbol->st_name < o->names_length ? o->names + symbol->st_name : "";
}

static bool is_constant(const object *o, const Elf64_Sym *symbol)
{
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= o->header->e_shnum)
        return false;
    const Elf64_Shdr *s = &o->sections[symbol->st_shndx];
    const char *name = o->section_names + s->sh_name; /* those are written by the loader alone */
    return (s->sh_flags & SHF_ALLOC) && (!(s->sh_flags & SHF_WRITE) || begins(name, ".data.rel.ro"));
}

static void read_labels(mz__code *code, const object *o)
{
    for (size_t i = 0; i < o->symbol_count; i++) {
        const char *name = name_of(o, &o->symbols[i]);
        uint32_t section = o->symbols[i].st_shndx;
        if (!begins(name, LABEL) || section >= o->header->e_shnum)
            continue;
        size_t number = strtoul(name + strlen(LABEL), NULL, 10);
        const Elf64_Shdr *s = &o->sections[section];
        if (number >= code->count || s->sh_type == SHT_NOBITS || !(s->sh_flags & SHF_EXECINSTR) ||
            o->symbols[i].st_value > s->sh_size)
            continue;
        mz__statement *statement = &code->statements[number];
        statement->section = section;
        statement->offset = o->symbols[i].st_value;
        statement->most = (size_t)(s->sh_size - statement->offset);
        statement->bytes = (const uint8_t *)o->bytes + s->sh_offset + statement->offset;
    }
}

/* Up to the next one of the same section. */
static void measure(mz__code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        mz__statement *s = &code->statements[i];
        size_t next = i + 1;
        s->size = s->most;
        if (!s->is_written) /* one instruction, which ends by itself */
            continue;
        while (next < code->count && code->statements[next].section != s->section)
            next++;
        uint64_t end = next < code->count ? code->statements[next].offset : s->offset + s->most;
        s->size = s->bytes && end > s->offset ? (size_t)(end - s->offset) : 0;
    }
}

static int compare_relocations(const void *first, const void *second)
{
    const mz__relocation *a = first, *b = second;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void read_relocations(mz__code *code, const object *o)
{
    for (size_t i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_info >= o->header->e_shnum ||
            !(o->sections[s->sh_info].sh_flags & SHF_EXECINSTR))
            continue;
        const Elf64_Rela *all = (const void *)(o->bytes + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *all; k++) {
            uint32_t symbol = (uint32_t)ELF64_R_SYM(all[k].r_info);
            if (symbol >= o->symbol_count)
                continue;
            code->relocations = mz_grow(code->relocations, &code->relocation_capacity,
                                        code->relocation_count + 1, sizeof *code->relocations);
            code->relocations[code->relocation_count++] =
                (mz__relocation){.section = s->sh_info,
                                 .offset = all[k].r_offset,
                                 .type = (uint32_t)ELF64_R_TYPE(all[k].r_info),
                                 .symbol = symbol,
                                 .addend = all[k].r_addend,
                                 .is_constant = is_constant(o, &o->symbols[symbol]),
                                 .name = name_of(o, &o->symbols[symbol])};
        }
    }
    if (code->relocation_count > 0)
        qsort(code->relocations, code->relocation_count, sizeof *code->relocations, compare_relocations);
}

bool mz__code_read(mz__code *code, const char *path)
{
    object o;
    if (!mz_file_read(path, MZ_FILE_ANY_SIZE, &code->object) || !open_object(&code->object, &o))
        return false;
    read_labels(code, &o);
    measure(code);
    read_relocations(code, &o);
    return true;
}

void mz__code_release(mz__code *code)
{
    mz_release(code->statements);
    mz_release(code->relocations);
    mz_text_release(&code->text);
    mz_text_release(&code->object);
    *code = (mz__code){0};
}

static mz__reference_kind kind_of(uint32_t type)
{
    switch (type) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        return MZ__REFERS_DIRECTLY;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return MZ__REFERS_BY_TABLE;
    case R_X86_64_TLSGD:
        return MZ__REFERS_TO_LOCAL;
    default:
        return MZ__REFERS_OTHERWISE;
    }
}

mz__reference mz__code_reference(const mz__code *code, const mz__statement *s, size_t size)
{
    size_t low = 0, high = code->relocation_count;
    mz__relocation first = {.section = s->section, .offset = s->offset};
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_relocations(&code->relocations[middle], &first) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const mz__relocation *r = low < code->relocation_count ? &code->relocations[low] : NULL;
    if (!r || r->section != s->section || r->offset >= s->offset + size)
        return (mz__reference){.kind = MZ__REFERS_TO_NOTHING, .name = ""};
    return (mz__reference){.kind = kind_of(r->type),
                           .symbol = r->symbol,
                           .addend = r->addend + (int64_t)(s->offset + size - r->offset),
                           .is_constant = r->is_constant,
                           .name = r->name};
}
#endif
