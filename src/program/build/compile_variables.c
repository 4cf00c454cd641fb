/* Room behind the program's variables, in the compiler's assembly text: who runs over the end of an array
 * should not come straight to the next variable (memory_errors.c reports it). A variable keeps its name, size
 * and alignment; where it lies is nothing a program may rely on.
 *
 * Left alone are scalars, which are seldom overrun and are better off close together; sections that the
 * program has named itself, since it may take them for one array; and files in which the compiler itself
 * counts on what lies next to what (section anchors). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/build/compile_internal.h"

enum { SCALAR = 8, WIDEST = 256, LONGEST_NAME = 1024 };

typedef struct padder {
    mz_text *out;
    bool in_block;             /* between #APP and #NO_APP: the program's own assembly */
    bool pads;                 /* this section */
    char suffix[LONGEST_NAME]; /* .data.NAME: that name; "" for the common ones */
    char name[LONGEST_NAME];   /* of the variable that is being defined; "" if none is */
    bool has_data;             /* some of it has been seen */
    size_t size;
    char local[LONGEST_NAME]; /* of the last .local */
    unsigned unnamed;
} padder;

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* A quarter of the variable's size, in whole words of 16 bytes: what is small, as a lock, stays in one line
 * of the cache with what it belongs to. */
static size_t room_behind(size_t size)
{
    size_t room = (size / 4 + 15) & ~(size_t)15;
    return size <= SCALAR ? 0 : room < WIDEST ? room : WIDEST;
}

/* ".size name, 40": remembered till the variable is defined, or it has just been. */
static void note_size(padder *p, const char *text)
{
    char name[LONGEST_NAME];
    size_t size;
    if (sscanf(text, ".size %1023[^, \t], %zu", name, &size) == 2 && !p->name[0])
        p->size = size;
}

static void enter_section(padder *p, const char *text)
{
    char name[LONGEST_NAME] = "";
    if (begins(text, ".section"))
        sscanf(text, ".section %1023[^, \t]", name);
    else
        sscanf(text, "%1023s", name);
    p->suffix[0] = 0;
    p->pads = strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0 || strcmp(name, ".data.rel") == 0 ||
              strcmp(name, ".data.rel.local") == 0;
    static const char *const of_one[] = {".data.rel.local.", ".data.rel.", ".data.", ".bss."};
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one && !p->pads; i++)
        if (begins(name, of_one[i]) && !begins(name, ".data.rel.ro")) {
            snprintf(p->suffix, sizeof p->suffix, "%s", name + strlen(of_one[i]));
            p->pads = true;
        }
}

static bool changes_section(const char *text)
{
    static const char *const words[] = {".section",     ".text",       ".data",    ".bss",
                                        ".pushsection", ".popsection", ".previous"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (begins(text, words[i]) && (!text[length] || strchr(" \t", text[length])))
            return true;
    }
    return false;
}

static bool is_data(const char *text)
{
    static const char *const words[] = {".zero",   ".byte",   ".value", ".short", ".long",  ".quad",
                                        ".string", ".ascii",  ".asciz", ".2byte", ".4byte", ".8byte",
                                        ".octa",   ".xword",  ".word",  ".hword", ".skip",  ".space",
                                        ".float",  ".double", ".fill",  ".dword"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (begins(text, words[i]) && text[length] && strchr(" \t", text[length]))
            return true;
    }
    return false;
}

/* Directives behind which a variable is complete. Behind any other that is no data nothing is put: it may be
 * in the middle. */
static bool ends_data(const char *text)
{
    static const char *const words[] = {
        ".size",     ".globl",     ".global", ".local",   ".comm", ".section", ".text",       ".data",
        ".bss",      ".align",     ".balign", ".p2align", ".type", ".weak",    ".set",        ".hidden",
        ".internal", ".protected", ".ident",  ".file",    ".loc",  ".addrsig", ".pushsection"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(text, words[i]))
            return true;
    return false;
}

/* The size stands before the definition (gcc) or behind it (clang). */
static void end_variable(padder *p, const char *text)
{
    char name[LONGEST_NAME];
    size_t size = p->size;
    if (sscanf(text, ".size %1023[^, \t], %zu", name, &size) == 2 && strcmp(name, p->name) != 0)
        size = p->size;
    if (room_behind(size) > 0 && ends_data(text))
        mz_text_add(p->out, "\t.zero\t%zu\n", room_behind(size));
    p->name[0] = 0;
    p->size = 0;
}

/* A line while a variable is being defined. Between its label and its data may stand others, which mean the
 * same place. */
static void continue_variable(padder *p, const char *text, bool is_label)
{
    if (is_data(text))
        p->has_data = true;
    else if (*text && *text != '#' && (p->has_data || !is_label))
        end_variable(p, p->has_data && !is_label ? text : "");
}

/* A label in the first column. Variables without a name of their own get one, so that they are no gap. */
static void begin_variable(padder *p, const char *line, size_t length)
{
    if (!p->pads || p->name[0])
        return;
    if (begins(line, ".L"))
        mz_text_add(p->out, "__mazurka_unnamed_%u:\n", p->unnamed++);
    else if (length < LONGEST_NAME && (!p->suffix[0] || strcmp(p->suffix, line) == 0))
        snprintf(p->name, sizeof p->name, "%.*s", (int)length, line), p->has_data = false;
}

/* ".local x" and ".comm x,40,32": the same as a variable in .bss, where there can be room behind it. */
static bool define_local(padder *p, const char *text)
{
    char name[LONGEST_NAME];
    size_t size, alignment;
    if (sscanf(text, ".comm %1023[^, \t],%zu,%zu", name, &size, &alignment) != 3 ||
        strcmp(name, p->local) != 0 || room_behind(size) == 0)
        return false;
    mz_text_add(
        p->out,
        "\t.pushsection\t.bss\n\t.balign\t%zu\n\t.type\t%s, %%object\n\t.size\t%s, %zu\n%s:\n\t.zero\t%zu\n"
        "\t.popsection\n",
        alignment, name, name, size, name, size + room_behind(size));
    return true;
}

static size_t label_length(const char *line)
{
    size_t length = strcspn(line, ": \t\"#");
    return line[length] == ':' ? length : 0;
}

/* Appends the line, and what it needs around it. */
static void pad_line(padder *p, char *line)
{
    const char *text = line + strspn(line, " \t");
    if (begins(text, "#APP") || begins(text, "//APP"))
        p->in_block = true;
    else if (begins(text, "#NO_APP") || begins(text, "//NO_APP"))
        p->in_block = false;
    size_t label = p->in_block ? 0 : label_length(line);
    if (!p->in_block && p->name[0])
        continue_variable(p, text, label > 0);
    if (p->in_block || label == 0) {
        if (!p->in_block && changes_section(text))
            enter_section(p, text);
        else if (!p->in_block && begins(text, ".size"))
            note_size(p, text);
        else if (begins(text, ".local"))
            sscanf(text, ".local %1023s", p->local);
        if (!p->in_block && begins(text, ".comm") && define_local(p, text))
            return;
    }
    mz_text_add_bytes(p->out, line, strlen(line));
    mz_text_add_bytes(p->out, "\n", 1);
    if (label > 0) {
        line[label] = 0;
        begin_variable(p, line, label);
        line[label] = ':';
    }
}

void mz__pad_variables(mz_text *text)
{
    mz_text out = {0};
    padder p = {.out = &out};
    if (strstr(mz_text_string(text), ".LANCHOR"))
        return;
    for (char *line = text->bytes, *next; line && *line; line = next) {
        char *stop = strchr(line, '\n');
        next = stop ? stop + 1 : line + strlen(line);
        if (stop)
            *stop = 0;
        pad_line(&p, line);
    }
    mz_text_release(text);
    *text = out;
}
