/* The compiler's assembly text is where things can be seen and done that no flag offers:
 *  - what no hook announces gets one, or is noted (unhooked.c, from the machine code). Where that
 *    cannot be found out (other processors), inline assembly, which compilers put between #APP and #NO_APP,
 * is looked at as text: unless it is harmless, it is noted;
 *  - the program's own versions of replaced functions are renamed, so that all calls, also those within the
 *    same file, become references to ours;
 *  - the line of the first call to a function that is not ours is noted, for a message that points at it;
 *  - variables get room behind them (compile_variables.c). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile.h"
#include "program/build/compile_internal.h"
#include "program/build/functions.h"
#include "program/build/functions_cxx.h"

typedef struct slice {
    const char *start;
    size_t length;
} slice;

typedef struct slices {
    slice *items;
    size_t count, capacity;
} slices;

typedef struct mz_assembly {
    slices defined; /* labels */
    slices renamed; /* those of them that are replaced */
    slices called;
    char **files; /* by their .file number */
    size_t file_count, file_capacity;
    unsigned long file, line, column; /* of the last .loc */
    slice function;                   /* none: length 0 */
    bool in_block, block_noted;       /* between #APP and #NO_APP */
    bool is_seen;                     /* what it accesses was found in the machine code */
    char here[4096];                  /* the current directory */
    mz_text notes, out;
    slice compiler;
} mz_assembly;

#define MZ_X(name)             {#name, sizeof #name - 1},
#define MZ_Y(T, name, meaning) MZ_X(name)
static const slice replaced_names[] = {MZ_RUNTIME_REPLACED(MZ_X)};
static const slice known_names[] = {
    MZ_RUNTIME_NAMES(MZ_X) MZ_FOREIGN(MZ_X) MZ_FOREIGN_NONDET(MZ_Y) MZ_MODELLED(MZ_X) MZ_HARMLESS(MZ_X)
        MZ_CXX_MODELLED(MZ_X) MZ_CXX_HARMLESS(MZ_X)
    /* What compilers and linkers refer to on their own account: unwinding tables and the like. */
    MZ_X(_GLOBAL_OFFSET_TABLE_) MZ_X(__gcc_personality_v0) MZ_X(__stack_chk_guard)};
#undef MZ_Y
#undef MZ_X

static bool same(slice a, const char *start, size_t length)
{
    return a.length == length && memcmp(a.start, start, length) == 0;
}

static bool among(const slice *list, size_t count, const char *start, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (same(list[i], start, length))
            return true;
    return false;
}

static bool begins(slice text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length && memcmp(text.start, word, length) == 0;
}

bool mz__name_is_replaced(const char *name, size_t length)
{
    return among(replaced_names, sizeof replaced_names / sizeof *replaced_names, name, length);
}

bool mz__name_is_known(const char *name, size_t length)
{
    slice text = {name, length};
    if (begins(text, "__tsan_") || begins(text, "_ZTI") || begins(text, "_ZTVN10__cxxabiv1"))
        return true;
    if (begins(text, "__wrap_")) {
        name += 7;
        length -= 7;
    }
    return among(known_names, sizeof known_names / sizeof *known_names, name, length);
}

bool mz_is_modelled(const char *name)
{
    return mz__name_is_known(name, strlen(name));
}

static void push(slices *list, slice item)
{
    list->items = mz_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = item;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

static size_t name_length(const char *text, const char *end)
{
    size_t length = 0;
    while (text + length < end && is_name_char(text[length]))
        length++;
    return length;
}

static slice trimmed(slice text)
{
    while (text.length > 0 && (*text.start == ' ' || *text.start == '\t'))
        text.start++, text.length--;
    while (text.length > 0 && strchr(" \t\r", text.start[text.length - 1]))
        text.length--;
    return text;
}

static bool next_line(const char **at, const char *end, slice *line)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *line = (slice){*at, (size_t)((stop ? stop : end) - *at)};
    *at = stop ? stop + 1 : end;
    return true;
}

/* The label a line defines, or nothing. */
static slice label_of(slice line)
{
    size_t length = name_length(line.start, line.start + line.length);
    bool label = length > 0 && length < line.length && line.start[length] == ':' && *line.start != '.';
    return (slice){line.start, label ? length : 0};
}

static void find_labels(mz_assembly *a, const mz_text *text)
{
    const char *at = text->bytes, *end = text->bytes + text->length;
    for (slice line; next_line(&at, end, &line);) {
        slice label = label_of(line);
        if (label.length == 0)
            continue;
        push(&a->defined, label);
        if (mz__name_is_replaced(label.start, label.length))
            push(&a->renamed, label);
    }
}

/* "…" in a .file line: its text, and where it ends. */
static slice quoted(const char **at, const char *end)
{
    const char *open = memchr(*at, '"', (size_t)(end - *at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close)
        return (slice){NULL, 0};
    *at = close + 1;
    return (slice){open + 1, (size_t)(close - open - 1)};
}

/* .file 1 "dir" "name", or .file 1 "name". Without the directory in which the compiler ran, and we run, the
 * source's name is what the user wrote. */
static void note_file(mz_assembly *a, slice line)
{
    const char *end = line.start + line.length, *at = line.start + 5;
    char *after;
    unsigned long number = strtoul(at, &after, 10);
    if (after == at || number > 100000)
        return;
    slice first = quoted(&at, end), second = first.start ? quoted(&at, end) : first;
    if (!first.start)
        return;
    size_t before = a->file_count;
    if (number >= before) {
        a->files = mz_grow(a->files, &a->file_capacity, number + 1, sizeof *a->files);
        a->file_count = number + 1;
        memset(a->files + before, 0, (number + 1 - before) * sizeof *a->files);
    }
    mz_text name = {0};
    if (second.length > 0 && *second.start != '/' && !same(first, a->here, strlen(a->here)))
        mz_text_add(&name, "%.*s/", (int)first.length, first.start);
    slice last = second.start ? second : first;
    mz_text_add_bytes(&name, last.start, last.length);
    mz_release(a->files[number]);
    a->files[number] = name.bytes;
}

static void note_place(mz_assembly *a, slice line)
{
    char *at;
    a->file = strtoul(line.start + 4, &at, 10);
    a->line = strtoul(at, &at, 10);
    a->column = strtoul(at, &at, 10);
}

static void add_note_of(mz_assembly *a, const char *kind, slice name, slice instruction)
{
    const char *file = a->file < a->file_count && a->files[a->file] ? a->files[a->file] : "";
    mz_text_add(&a->notes, "%s\t%s\t%lu\t%lu\t%.*s\t", kind, file, a->line, a->column, (int)name.length,
                name.start);
    for (size_t i = 0; i < instruction.length; i++)
        mz_text_add(&a->notes, "%c", instruction.start[i] == '\t' ? ' ' : instruction.start[i]);
    mz_text_add(&a->notes, "\n");
}

static void add_note(mz_assembly *a, const char *kind, slice name)
{
    add_note_of(a, kind, name, (slice){"", 0});
}

/* A hook of the program's own would take the place of the checker's, and nobody would check the accesses. */
static void note_own_hooks(mz_assembly *a)
{
    for (size_t i = 0; i < a->defined.count; i++)
        if (begins(a->defined.items[i], "__tsan_") || begins(a->defined.items[i], "__wrap_"))
            add_note(a, "own", a->defined.items[i]);
}

static bool is_one_of(slice text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (same(text, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Directives make no code, but for those that write it down as numbers. */
static bool is_code(slice directive)
{
    static const char *const words[] = {".byte", ".short", ".word", ".long", ".quad", ".inst", ".insn"};
    slice word = {directive.start, name_length(directive.start, directive.start + directive.length)};
    return is_one_of(word, words, sizeof words / sizeof *words);
}

#if defined __x86_64__
/* Registers and numbers only; a place in the same function, to jump to. */
static bool operands_are_local(slice operands)
{
    const char *at = operands.start, *end = operands.start + operands.length;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        slice operand = trimmed((slice){at, (size_t)((comma ? comma : end) - at)});
        bool is_register = begins(operand, "%") && !memchr(operand.start, ':', operand.length);
        bool is_place =
            begins(operand, ".L") || (operand.length > 1 && *operand.start >= '0' && *operand.start <= '9' &&
                                      strchr("bf", operand.start[operand.length - 1]));
        if ((!is_register && !is_place && !begins(operand, "$")) ||
            memchr(operand.start, '(', operand.length))
            return false;
        at = comma ? comma + 1 : end;
    }
    return true;
}
#else
static bool operands_are_local(slice operands)
{
    return !memchr(operands.start, '[', operands.length);
}
#endif

/* Does it neither touch memory nor change what other threads see? Waiting hints do not, and fences, since
 * executions are sequentially consistent anyway; nor what works on registers, which no other thread has. */
static bool is_harmless(slice instruction)
{
    static const char *const harmless[] = {"pause",  "nop",    "rep",    "rep nop", "rep\tnop", "yield",
                                           "mfence", "lfence", "sfence", "dmb ish", "rdtsc",    "rdtscp",
                                           "cpuid",  "cld",    "cltq",   "cqto"};
    static const char *const leaving[] = {
        "int",      "svc",        "hvc",         "smc", "bl",    "blr", "b",   "br",  "dc",  "in", "out",
        "maskmovq", "maskmovdqu", "vmaskmovdqu", "ldr", "ldrsw", "hlt", "brk", "udf", "mrs", "msr"};
    slice text = trimmed(instruction);
    if (text.length == 0 || *text.start == '#' ||
        is_one_of(text, harmless, sizeof harmless / sizeof *harmless))
        return true;
    if (*text.start == '.')
        return !is_code(text);
    slice word = {text.start, name_length(text.start, text.start + text.length)};
    slice operands = trimmed((slice){text.start + word.length, text.length - word.length});
    bool is_place = begins(operands, ":"); /* a label */
    return is_place || (operands.length > 0 && operands_are_local(operands) &&
                        !is_one_of(word, leaving, sizeof leaving / sizeof *leaving));
}

static bool line_is_harmless(slice line)
{
    const char *at = line.start, *end = line.start + line.length;
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        if (!is_harmless((slice){at, (size_t)((stop ? stop : end) - at)}))
            return false;
        at = stop ? stop + 1 : end;
    }
    return true;
}

/* A line between #APP and #NO_APP. gcc says with `# LINE "FILE" 1` where each piece was written. */
static void scan_block_line(mz_assembly *a, slice line)
{
    if (begins(line, "# ") || begins(line, "// ")) {
        unsigned long number = strtoul(strchr(line.start, ' '), NULL, 10);
        if (number > 0) {
            a->line = number;
            a->column = 1;
        }
        a->block_noted = false;
    } else if (!a->is_seen && !a->block_noted && !line_is_harmless(line)) {
        add_note(a, "asm", a->function);
        a->block_noted = true;
    }
}

/* A reference through the linkage tables, or a plain call. */
static slice referred_name(slice line)
{
    const char *end = line.start + line.length;
    const char *at = memchr(line.start, '@', line.length);
    if (at && (begins((slice){at, (size_t)(end - at)}, "@PLT") ||
               begins((slice){at, (size_t)(end - at)}, "@GOTPCREL"))) {
        const char *start = at;
        while (start > line.start && is_name_char(start[-1]))
            start--;
        return (slice){start, (size_t)(at - start)};
    }
    static const char *const calls[] = {"call\t", "callq\t", "jmp\t", "bl\t", "b\t"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (begins(line, calls[i])) {
            const char *start = line.start + strlen(calls[i]);
            return (slice){start, name_length(start, end)};
        }
    return (slice){NULL, 0};
}

/* clang for AArch64 finds thread-local variables by descriptors, through a function that nobody can wrap: all
 * threads would have those of one. */
static bool uses_descriptor(slice line)
{
    static const char word[] = ":tlsdesc:";
    for (size_t i = 0; i + sizeof word - 1 <= line.length; i++)
        if (memcmp(line.start + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

static void scan_instruction(mz_assembly *a, slice line)
{
    if (uses_descriptor(line) && !a->block_noted) {
        add_note_of(a, "asm", a->function, line);
        a->block_noted = true;
    }
    slice name = referred_name(line);
    if (name.length == 0 || *name.start == '.' || mz__name_is_known(name.start, name.length) ||
        among(a->called.items, a->called.count, name.start, name.length))
        return;
    push(&a->called, name);
    if (!among(a->defined.items, a->defined.count, name.start, name.length))
        add_note(a, "call", name);
}

/* Copy a line; names of replaced functions get a prefix. Called for labels and for directives that declare
 * symbols, never for instructions: those are to reach our version. */
static void copy_renamed(mz_assembly *a, slice line)
{
    const char *at = line.start, *end = line.start + line.length;
    while (at < end) {
        size_t length = name_length(at, end);
        if (length > 0 && among(a->renamed.items, a->renamed.count, at, length))
            mz_text_add(&a->out, "__program_");
        if (length == 0)
            length = 1;
        mz_text_add_bytes(&a->out, at, length);
        at += length;
    }
    mz_text_add_bytes(&a->out, "\n", 1);
}

static bool declares_symbols(slice directive)
{
    static const char *const words[] = {".globl", ".global", ".type",  ".size",
                                        ".weak",  ".hidden", ".local", ".protected"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(directive, words[i]))
            return true;
    return false;
}

/* clang for AArch64 begins its comments with //. */
static bool begins_block(slice text)
{
    return begins(text, "#APP") || begins(text, "//APP");
}

static bool ends_block(slice text)
{
    return begins(text, "#NO_APP") || begins(text, "//NO_APP");
}

static void scan_line(mz_assembly *a, slice line)
{
    slice text = trimmed(line);
    slice label = label_of(line);
    if (label.length > 0 && !a->in_block)
        a->function = label;
    if (begins(text, MZ_REFUSED_MARK)) {
        size_t length = strlen(MZ_REFUSED_MARK);
        add_note_of(a, "asm", a->function, (slice){text.start + length, text.length - length});
    } else if (begins_block(text) || ends_block(text)) {
        a->in_block = begins_block(text);
        a->block_noted = false;
    } else if (begins(text, ".loc") && text.length > 5 && (text.start[4] == ' ' || text.start[4] == '\t')) {
        note_place(a, text);
    } else if (a->in_block) {
        scan_block_line(a, text);
    } else if (begins(text, ".file")) {
        note_file(a, text);
    } else if (begins(text, ".ident")) {
        const char *at = text.start;
        a->compiler = quoted(&at, text.start + text.length);
    } else if (begins(text, ".size")) {
        a->function.length = 0;
    } else if (begins(text, ".section\t.note.GNU-stack,\"x\"")) { /* gcc, for nested functions */
        mz_text_add(&a->notes, "stack\texecutable\n");
    } else if (text.length > 0 && *text.start != '.' && *text.start != '#') {
        scan_instruction(a, text);
    }
    if (a->renamed.count > 0 && (label.length > 0 || declares_symbols(text))) {
        copy_renamed(a, line);
    } else {
        mz_text_add_bytes(&a->out, line.start, line.length);
        mz_text_add_bytes(&a->out, "\n", 1);
    }
}

/* libgcc.a has a __wrap_pthread_create of its own, for split stacks: a weak reference does not fetch it. */
static void append_weak_names(mz_assembly *a)
{
    if (!among(a->defined.items, a->defined.count, "pthread_create", strlen("pthread_create")))
        mz_text_add(&a->out, "\t.weak pthread_create\n");
}

static void append_notes(mz_assembly *a)
{
    mz_text_add(&a->out, "\t.section %s,\"\",@progbits\n\t.ascii \"", MZ_NOTE_SECTION);
    mz_text all = {0};
    mz_text_add(&all, "mazurka\t%s\ncompiler\t%.*s\n%s", MZ_NOTE_VERSION, (int)a->compiler.length,
                a->compiler.length ? a->compiler.start : "", mz_text_string(&a->notes));
    for (size_t i = 0; i < all.length; i++) {
        char c = all.bytes[i];
        if (c == '\n')
            mz_text_add(&a->out, "\\n\"\n\t.ascii \"");
        else if (c == '"' || c == '\\')
            mz_text_add(&a->out, "\\%c", c);
        else
            mz_text_add_bytes(&a->out, &c, 1);
    }
    mz_text_add(&a->out, "\"\n");
    mz_text_release(&all);
}

bool mz__prepare_assembly(const char *path, bool by_checker, mz_error *error)
{
    mz_text text = {0};
    mz_assembly a = {0};
    bool good = mz_file_read(path, MZ_FILE_ANY_SIZE, &text) && text.length > 0;
    if (!good) {
        mz_error_set(error, (mz_position){0}, "the compiler's output '%s' cannot be read", path);
    } else {
        if (!getcwd(a.here, sizeof a.here))
            a.here[0] = 0;
        mz__pad_variables(&text);
        a.is_seen = strncmp(mz_text_string(&text), MZ_SEEN_MARK, strlen(MZ_SEEN_MARK)) == 0;
        find_labels(&a, &text);
        if (!by_checker)
            note_own_hooks(&a);
        const char *at = text.bytes, *end = text.bytes + text.length;
        for (slice line; next_line(&at, end, &line);)
            scan_line(&a, line);
        append_weak_names(&a);
        append_notes(&a);
        good = mz__write_file(path, mz_text_string(&a.out), a.out.length, error);
    }
    for (size_t i = 0; i < a.file_count; i++)
        mz_release(a.files[i]);
    mz_release(a.files);
    mz_release(a.defined.items);
    mz_release(a.renamed.items);
    mz_release(a.called.items);
    mz_text_release(&a.notes);
    mz_text_release(&a.out);
    mz_text_release(&text);
    return good;
}
