/* --coverage: code that remembers which blocks of it have run, and which way its branches went.
 *
 * The assembly text is changed last, when nobody looks at its instructions any more. At the beginning of
 * every block, and on both ways of every conditional jump, a byte is set:
 *
 *     movb $1, .Lmz_covered+7(%rip)
 *
 * That changes neither a register nor a flag, so that it may stand between any two instructions. The way on
 * which a jump is taken leads through a place of its own, behind the function. The bytes lie in a section of
 * their own, which the checker keeps out of the program's state: what has run stays known when steps are
 * taken back.
 *
 * A table says what the bytes mean: a line of the source, or one of the two ways of its n-th branch. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "program/cover/instrument.h"
#include "wire/covered.h"

typedef struct branches_of_line {
    uint32_t file, line, count;
} branches_of_line;

typedef struct coverage {
    mz_text out, table, names;
    char **files; /* by the compiler's number; NULL: not yet known */
    size_t file_count, file_capacity;
    branches_of_line *branches;
    size_t branch_line_count, branch_line_capacity;
    uint32_t bytes, jumps;    /* so far */
    uint32_t file, line;      /* of what comes next */
    uint32_t block;           /* byte of the block; UINT32_MAX: none has begun */
    uint32_t noted_line;      /* of the block: the last one that was noted */
    bool was_code;            /* that section, before .pushsection */
    bool is_code, is_written; /* the section; by the program's own assembly */
    bool begins;              /* a block does, with the next instruction */
} coverage;

/* ---- writing --------------------------------------------------------------------------------------------
 */

static void add_mark(coverage *c, uint32_t byte)
{
    mz_text_add(&c->out, "\tmovb\t$1, .Lmz_covered+%u(%%rip)\n", byte);
}

static void add_meaning(coverage *c, uint32_t byte, mz_covered_kind kind, uint32_t branch)
{
    mz_text_add(&c->table, "\t.long\t.Lmz_covered+%u-., %u, .Lmz_covered_file_%u-., %u, %u\n", byte, c->line,
                c->file, (unsigned)kind, branch);
}

static bool is_known_place(const coverage *c)
{
    return c->line > 0 && c->file < c->file_count && c->files[c->file];
}

/* Which of the branches of its line is it? */
static uint32_t number_of_branch(coverage *c)
{
    for (size_t i = 0; i < c->branch_line_count; i++)
        if (c->branches[i].file == c->file && c->branches[i].line == c->line)
            return c->branches[i].count++;
    c->branches =
        mz_grow(c->branches, &c->branch_line_capacity, c->branch_line_count + 1, sizeof *c->branches);
    c->branches[c->branch_line_count++] = (branches_of_line){c->file, c->line, 1};
    return 0;
}

static void begin_block(coverage *c)
{
    c->begins = false;
    c->block = c->bytes++;
    c->noted_line = 0;
    add_mark(c, c->block);
}

/* `jne .L5`: both ways. */
static void add_jump(coverage *c, const char *line, size_t length, const char *target)
{
    uint32_t taken = c->bytes++, number = c->jumps++;
    int to_target = (int)(target - line), rest = (int)(length - (size_t)to_target);
    mz_text_add(&c->out, "%.*s.Lmz_taken_%u\n", to_target, line, number);
    mz_text_add(&c->out, "\t.subsection 1\n.Lmz_taken_%u:\n", number);
    add_mark(c, taken);
    mz_text_add(&c->out, "\tjmp\t%.*s\n\t.subsection 0\n", rest, target);
    begin_block(c);
    if (!is_known_place(c))
        return;
    uint32_t branch = number_of_branch(c);
    add_meaning(c, c->block, MZ_COVERED_NOT_TAKEN, branch);
    add_meaning(c, taken, MZ_COVERED_TAKEN, branch);
}

/* ---- reading --------------------------------------------------------------------------------------------
 */

static bool begins_with(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && isspace((unsigned char)line[length]);
}

/* `.file 3 "folder" "name"`: the last two parts are one path. */
static void note_file(coverage *c, const char *line, size_t length)
{
    char *end;
    unsigned long number = strtoul(line + 5, &end, 10);
    const char *limit = line + length, *open = memchr(end, '"', (size_t)(limit - end));
    if (end == line + 5 || number > 100000 || !open)
        return;
    const char *close = memchr(open + 1, '"', (size_t)(limit - open - 1));
    const char *second = close ? memchr(close + 1, '"', (size_t)(limit - close - 1)) : NULL;
    const char *last = second ? memchr(second + 1, '"', (size_t)(limit - second - 1)) : NULL;
    mz_text path = {0};
    if (!close)
        return;
    if (last && second[1] != '/')
        mz_text_add(&path, "%.*s/%.*s", (int)(close - open - 1), open + 1, (int)(last - second - 1),
                    second + 1);
    else if (last)
        mz_text_add_bytes(&path, second + 1, (size_t)(last - second - 1));
    else
        mz_text_add_bytes(&path, open + 1, (size_t)(close - open - 1));
    while (c->file_count <= number) {
        c->files = mz_grow(c->files, &c->file_capacity, c->file_count + 1, sizeof *c->files);
        c->files[c->file_count++] = NULL;
    }
    if (!c->files[number]) {
        c->files[number] = mz_copy_string(mz_text_string(&path));
        mz_text_add(&c->names, ".Lmz_covered_file_%lu:\t.asciz\t\"%s\"\n", number, mz_text_string(&path));
    }
    mz_text_release(&path);
}

static void note_directive(coverage *c, const char *line, size_t length)
{
    static const char *const sections[] = {".data", ".bss", ".section", ".pushsection"};
    const char *at = line + strspn(line, " \t");
    if (begins_with(at, ".loc")) {
        char *end;
        c->file = (uint32_t)strtoul(at + 4, &end, 10);
        c->line = (uint32_t)strtoul(end, NULL, 10);
    } else if (begins_with(at, ".file")) {
        note_file(c, at, length - (size_t)(at - line));
    } else if (begins_with(at, ".text")) {
        c->is_code = true;
    } else if (begins_with(at, ".pushsection")) {
        c->was_code = c->is_code;
    } else if (begins_with(at, ".popsection")) {
        c->is_code = c->was_code;
    }
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (begins_with(at, sections[i]))
            c->is_code =
                strncmp(at + strlen(sections[i]) + strspn(at + strlen(sections[i]), " \t"), ".text", 5) == 0;
}

/* Of debug information, not of code to which somebody jumps. */
static bool is_mere_mark(const char *label)
{
    static const char *const marks[] = {".LVL", ".LBB", ".LBE", ".LFE", ".LM", ".Ltmp", ".Lfunc_end"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(label, marks[i], strlen(marks[i])) == 0)
            return strcmp(marks[i], ".LBB") != 0 || !strchr(label, '_') ||
                   strchr(label, '_') > strchr(label, ':');
    return false;
}

/* Where the jump goes to; NULL: it is no conditional jump. */
static const char *target_of_jump(const char *line, size_t length)
{
    const char *at = line + strspn(line, " \t");
    /* Those with a register as their condition reach only what is near. */
    if (*at != 'j' || strncmp(at, "jmp", 3) == 0 || strstr(at, "cxz") == at + 1 ||
        strstr(at, "cxz") == at + 2)
        return NULL;
    at += strcspn(at, " \t\n");
    at += strspn(at, " \t");
    return at < line + length && *at != '*' ? at : NULL;
}

static void add_instruction(coverage *c, const char *line, size_t length)
{
    const char *at = line + strspn(line, " \t"), *target = target_of_jump(line, length);
    bool is_door = strncmp(at, "endbr", 5) == 0; /* which must stand first */
    if (c->begins && !is_door)
        begin_block(c);
    if (c->block != UINT32_MAX && c->line != c->noted_line && is_known_place(c)) {
        add_meaning(c, c->block, MZ_COVERED_LINE, 0);
        c->noted_line = c->line;
    }
    if (target)
        add_jump(c, line, length, target);
    else
        mz_text_add(&c->out, "%.*s\n", (int)length, line);
}

static void add_line(coverage *c, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    bool is_label = length > 0 && !strchr(" \t#", *line) && colon;
    bool is_instruction = length > 1 && *line == '\t' && (islower((unsigned char)line[1]));
    if (strncmp(line, "#APP", 4) == 0 || strncmp(line, "#NO_APP", 7) == 0)
        c->is_written = line[1] == 'A';
    if (is_instruction && c->is_code && !c->is_written) {
        add_instruction(c, line, length);
        return;
    }
    if (!is_label)
        note_directive(c, line, length);
    else if (c->is_code && !c->is_written && !is_mere_mark(line))
        c->begins = true;
    mz_text_add(&c->out, "%.*s\n", (int)length, line);
}

static void add_sections(coverage *c)
{
    mz_text_add(&c->out,
                "\t.section\t" MZ_COVERED_BYTES ",\"aw\",@nobits\n\t.balign\t%d\n.Lmz_covered:\n\t.zero\t%u\n"
                "\t.balign\t%d\n\t.section\t" MZ_COVERED_TABLE ",\"a\",@progbits\n\t.balign\t4\n%s"
                "\t.section\t" MZ_COVERED_NAMES ",\"a\",@progbits\n%s",
                MZ_COVERED_PAGE, c->bytes, MZ_COVERED_PAGE, mz_text_string(&c->table),
                mz_text_string(&c->names));
}

bool mz_cover_assembly(const char *assembly, mz_error *error)
{
    mz_text text = {0};
    coverage c = {.block = UINT32_MAX, .is_code = true};
    mz_file_read(assembly, MZ_FILE_ANY_SIZE, &text);
    for (const char *at = mz_text_string(&text); *at;) {
        size_t length = strcspn(at, "\n");
        add_line(&c, at, length);
        at += length + (at[length] == '\n');
    }
    if (c.bytes > 0)
        add_sections(&c);
    bool good = mz_file_write(assembly, mz_text_string(&c.out), c.out.length);
    if (!good)
        mz_error_set(error, (mz_position){0}, "'%s' cannot be written", assembly);
    for (size_t i = 0; i < c.file_count; i++)
        mz_release(c.files[i]);
    mz_release(c.files);
    mz_release(c.branches);
    mz_text_release(&c.out);
    mz_text_release(&c.table);
    mz_text_release(&c.names);
    mz_text_release(&text);
    return good;
}
