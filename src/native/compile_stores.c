/* Stores that the compiler announces to nobody, in its assembly text: they get the call of a hook before
 * them.
 *
 * Compilers leave some out: gcc the result of a call that is stored straight into memory (s = f() where s is
 * a struct) and the builtins of memset and the like that it writes out, clang what is wider than 16 bytes or
 * a long double. A race there would not be found. Worse, what is not saved before it is changed is not taken
 * back, and what is checked next begins with what the last execution has left behind.
 *
 * Which stores are announced? The call of the hook stands before its store, and the store cannot be moved
 * across another call: for all the compiler knows, that may look at it. So between two calls, or a place that
 * is jumped to, and the next one, as many bytes are announced as the hook has said. If more are stored there,
 * nobody can tell which they are, and all are announced, some of them again, which does no harm. What a
 * function stores in its own frame concerns nobody else, but for the struct that a call returns into a
 * variable there, whose address others may have.
 *
 * A store whose size cannot be told is taken for inline assembly, which the verdict names as an assumption.
 * This is for x86-64; on other processors nothing is done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "native/compile_internal.h"

#if defined __x86_64__

enum { MOST_OPERANDS = 4, UNKNOWN = 0 };
#define ANY_NUMBER (SIZE_MAX / 2)

/* Its parts, each with a zero behind it. */
typedef struct instruction {
    const char *word; /* without a prefix rep */
    const char *operands[MOST_OPERANDS];
    size_t count;
    bool repeated;
} instruction;

/* A store at the line that begins there. */
typedef struct store {
    size_t at;
    size_t bytes; /* UNKNOWN, or of one if it is repeated */
    bool repeated;
    char *operand;
} store;

typedef struct announcer {
    store *stores; /* from `first` on since the last call, before that those that are to be announced */
    size_t count, first, capacity;
    size_t announced, stored; /* bytes since the last call */
    size_t second;            /* argument of the next call, if it is a number; otherwise ANY_NUMBER */
    mz_text line;             /* the current one, taken apart */
    bool has_frame;           /* %rbp is the function's frame */
    bool has_result;          /* the last call was one that may have returned something */
    bool in_block;            /* between #APP and #NO_APP: the program's own assembly */
} announcer;

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool begins_with_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(text, words[i]))
            return true;
    return false;
}

/* ---- reading an instruction -----------------------------------------------------------------------------
 */

/* The word at the beginning ends here; returns what follows. */
static char *end_word(char *text)
{
    text += strcspn(text, " \t;#");
    char *next = text + strspn(text, " \t;");
    *text = 0;
    return next;
}

/* "8(%rax,%rbx,4), %rdi": at the commas outside of parentheses. */
static void split_operands(instruction *i, char *text)
{
    int depth = 0;
    text[strcspn(text, "#;")] = 0;
    for (char *next = text; *text && i->count < MOST_OPERANDS; text = next) {
        i->operands[i->count++] = text;
        for (; *next && (*next != ',' || depth > 0); next++)
            depth += (*next == '(') - (*next == ')');
        if (*next)
            *next++ = 0;
        next += strspn(next, " \t");
        text[strcspn(text, " \t")] = 0;
    }
}

static instruction read_instruction(char *text)
{
    instruction i = {.word = text};
    text = end_word(text);
    if (begins(i.word, "rep")) {
        i.repeated = true;
        i.word = text;
        text = end_word(text);
    }
    split_operands(&i, text);
    return i;
}

static const char *last_operand(const instruction *i)
{
    return i->count > 0 ? i->operands[i->count - 1] : "";
}

/* stos, and movs of strings: to where %rdi points, %rcx times if they are repeated. */
static bool is_of_strings(const instruction *i)
{
    bool names_it = begins(i->word, "stos") || (begins(i->word, "movs") && strlen(i->word) == 5);
    return names_it && (i->count == 0 || strstr(last_operand(i), "%es:"));
}

/* maskmovq, maskmovdqu: to where %rdi points, whatever the operands are. */
static bool is_masked_move(const instruction *i)
{
    return begins(i->word, "maskmov") || begins(i->word, "vmaskmovdqu");
}

/* Does it write the last operand, which lies in memory? */
static bool writes_memory(const instruction *i)
{
    static const char *const readers[] = {"cmp",   "test",  "call",  "jmp",      "push",    "nop",
                                          "mul",   "imul",  "div",   "idiv",     "fld",     "fild",
                                          "fadd",  "fsub",  "fmul",  "fdiv",     "fcom",    "fiad",
                                          "fisub", "fimul", "fidiv", "prefetch", "ldmxcsr", "ficom"};
    const char *operand = last_operand(i);
    bool only_reads =
        begins_with_one_of(i->word, readers, sizeof readers / sizeof *readers) && !begins(i->word, "cmpxchg");
    bool looks_at_bits = begins(i->word, "bt") && !strchr("src", i->word[2]);
    return strchr(operand, '(') && *operand != '*' && !begins(operand, "%st(") && !only_reads &&
           !looks_at_bits;
}

static size_t bytes_of_letter(char letter)
{
    static const char letters[] = "bwlq";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (size_t)1 << (found - letters) : UNKNOWN;
}

/* What is stored is (part of) a vector register. */
static size_t bytes_of_vector(const instruction *i, size_t whole)
{
    const char *word = i->word + (i->word[0] == 'v');
    static const char *const wholes[] = {"movdq", "movap", "movup", "movnt", "lddqu"};
    static const char *const halves[] = {"movsd", "movlp", "movhp", "movq"};
    static const char *const quarters[] = {"movss", "movd", "extractps", "pextrd"};
    if (begins_with_one_of(word, wholes, sizeof wholes / sizeof *wholes))
        return whole;
    if (begins(word, "extract") && strstr(word, "128"))
        return 16;
    if (begins_with_one_of(word, halves, sizeof halves / sizeof *halves) || begins(word, "pextrq"))
        return 8;
    if (begins_with_one_of(word, quarters, sizeof quarters / sizeof *quarters))
        return 4;
    return begins(word, "pextrw") ? 2 : begins(word, "pextrb") ? 1 : UNKNOWN;
}

static size_t bytes_of_register(const char *name)
{
    size_t length = strlen(name);
    bool is_numbered = begins(name, "%r") && name[2] >= '0' && name[2] <= '9';
    if (is_numbered && strchr("dwb", name[length - 1]))
        return name[length - 1] == 'd' ? 4 : name[length - 1] == 'w' ? 2 : 1;
    if (is_numbered || begins(name, "%r"))
        return 8;
    if (begins(name, "%e"))
        return 4;
    return name[length - 1] == 'l' || name[length - 1] == 'h' ? 1 : 2;
}

/* fstps, fstpl, fstpt, fistpl: a long double has ten bytes, control and status words have two. */
static size_t bytes_of_float(const char *word)
{
    bool of_integer = begins(word, "fist");
    if (strstr(word, "cw") || strstr(word, "sw"))
        return 2;
    if (!of_integer && !begins(word, "fst"))
        return UNKNOWN;
    switch (word[strlen(word) - 1]) {
    case 's':
        return of_integer ? 2 : 4;
    case 'l':
        return of_integer && !strstr(word, "ll") ? 4 : 8;
    case 't':
        return 10;
    default:
        return UNKNOWN;
    }
}

static size_t bytes_stored(const instruction *i)
{
    if (strchr(last_operand(i), '{') || strstr(i->word, "maskmov")) /* perhaps not all of it */
        return UNKNOWN;
    const char *from = i->count > 1 ? i->operands[i->count - 2] : "";
    if (begins(from, "%zmm"))
        return bytes_of_vector(i, 64);
    if (begins(from, "%ymm"))
        return bytes_of_vector(i, 32);
    if (begins(from, "%xmm"))
        return bytes_of_vector(i, 16);
    if (i->word[0] == 'f')
        return bytes_of_float(i->word);
    if (begins(i->word, "set"))
        return 1;
    if (begins(i->word, "stmxcsr"))
        return 4;
    size_t bytes = bytes_of_letter(i->word[strlen(i->word) - 1]);
    return bytes == UNKNOWN && *from == '%' ? bytes_of_register(from) : bytes;
}

/* ---- which are announced --------------------------------------------------------------------------------
 */

/* Behind a call, or at a place that is jumped to: what has been stored since the last one is known. */
static void end_segment(announcer *a)
{
    while (a->stored <= a->announced && a->count > a->first)
        mz_release(a->stores[--a->count].operand);
    a->first = a->count;
    a->announced = a->stored = 0;
    a->has_result = false;
}

/* __tsan_write4, __tsan_unaligned_write8, __tsan_write_range: how many bytes are announced? The last one says
 * it with its second argument. */
static size_t bytes_of_hook(const char *name, size_t second)
{
    const char *write = begins(name, "__tsan_") ? strstr(name, "write") : NULL;
    if (begins(name, "__tsan_vptr_update"))
        return sizeof(void *);
    return !write ? 0 : begins(write, "write_range") ? second : strtoul(write + 5, NULL, 10);
}

/* Calls that may stand between a hook and its store: the one for what is read, where a struct is copied; and
 * that for where a thread-local variable lies. */
static bool stands_between(const char *name)
{
    return begins(name, "__tsan_read") || begins(name, "__tsan_unaligned_read") ||
           begins(name, "__tsan_volatile_read") || begins(name, "__tls_get_addr");
}

static void note_call(announcer *a, const char *name)
{
    if (stands_between(name)) {
        a->second = ANY_NUMBER;
        return;
    }
    end_segment(a);
    a->announced = bytes_of_hook(name, a->second);
    a->has_result = !begins(name, "__tsan_");
    a->second = ANY_NUMBER;
}

static void note_store(announcer *a, size_t at, const instruction *i)
{
    a->stores = mz_grow(a->stores, &a->capacity, a->count + 1, sizeof *a->stores);
    store *s = &a->stores[a->count++];
    *s = (store){.at = at,
                 .bytes = bytes_stored(i),
                 .repeated = i->repeated,
                 .operand = mz_copy_string(is_of_strings(i) ? "(%rdi)" : last_operand(i))};
    a->stored += i->repeated || s->bytes == UNKNOWN ? 1 : s->bytes;
}

/* Is it a register in which functions return what is small, or through which what is large is copied? */
static bool may_be_result(const char *from)
{
    static const char *const names[] = {"%rax", "%eax", "%ax", "%al", "%rdx", "%edx", "%xmm", "%ymm"};
    return begins_with_one_of(from, names, sizeof names / sizeof *names);
}

static void look_at_instruction(announcer *a, const char *text, size_t at)
{
    a->line.length = 0;
    mz_text_add_bytes(&a->line, text, strlen(text) + 1);
    instruction i = read_instruction(a->line.bytes);
    const char *operand = last_operand(&i);
    if (begins(i.word, "call")) {
        note_call(a, operand);
    } else if (begins(i.word, "mov") && i.count == 2 && strcmp(i.operands[0], "%rsp") == 0 &&
               strcmp(operand, "%rbp") == 0) {
        a->has_frame = true;
    } else if (begins(i.word, "mov") && i.count == 2 && *i.operands[0] == '$' &&
               (strcmp(operand, "%esi") == 0 || strcmp(operand, "%rsi") == 0)) {
        a->second = strtoul(i.operands[0] + 1, NULL, 0);
    } else if (is_of_strings(&i) || is_masked_move(&i)) {
        note_store(a, at, &i);
    } else if (writes_memory(&i)) {
        bool in_frame = strstr(operand, "%rsp") || (a->has_frame && strstr(operand, "%rbp"));
        if (!in_frame || (a->has_result && may_be_result(i.operands[0])))
            note_store(a, at, &i);
    }
}

/* .L12: (gcc) and .LBB1_2: (clang) are jumped to; others that begin like this are for the debugger. Those
 * without a dot begin a function. */
static void look_at_label(announcer *a, const char *line)
{
    bool is_place = begins(line, ".L") && line[2] >= '0' && line[2] <= '9';
    bool is_block = begins(line, ".LBB") && memchr(line, '_', strcspn(line, ":"));
    if (*line != '.')
        a->has_frame = false;
    if (*line != '.' || is_place || is_block)
        end_segment(a);
}

static void find_stores(announcer *a, char *bytes)
{
    for (char *line = bytes, *next; line && *line; line = next) {
        char *stop = strchr(line, '\n');
        next = stop ? stop + 1 : NULL;
        if (stop)
            *stop = 0;
        const char *text = line + strspn(line, " \t");
        if (begins(text, "#APP") || begins(text, "#NO_APP"))
            a->in_block = text[1] == 'A';
        else if (a->in_block || !*text || *text == '#')
            ;
        else if (text == line)
            look_at_label(a, line);
        else if (*text != '.')
            look_at_instruction(a, text, (size_t)(line - bytes));
        if (stop)
            *stop = '\n';
    }
    end_segment(a);
}

/* ---- announcing -----------------------------------------------------------------------------------------
 */

/* All that a call may change is saved around it: below what a function may have put there without moving its
 * stack pointer, the flags, the registers, and all of the processor's others (xsave, whose room is 2,688
 * bytes at most for the components asked for; eight words of it have to be zero). */
enum { PUSHED = 128 + 10 * 8 };
static const char before_hook[] =
    "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n"
    "\tpushq\t%rax\n\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n\tpushq\t%rdi\n"
    "\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n\tpushq\t%r11\n";
static const char save_others[] =
    "\tmovq\t%rsp, %r8\n\tsubq\t$2816, %rsp\n\tandq\t$-64, %rsp\n"
    "\tmovq\t%r8, 2688(%rsp)\n\txorl\t%eax, %eax\n\txorl\t%edx, %edx\n"
    "\tmovq\t%rax, 512(%rsp)\n\tmovq\t%rax, 520(%rsp)\n\tmovq\t%rax, 528(%rsp)\n"
    "\tmovq\t%rax, 536(%rsp)\n\tmovq\t%rax, 544(%rsp)\n\tmovq\t%rax, 552(%rsp)\n"
    "\tmovq\t%rax, 560(%rsp)\n\tmovq\t%rax, 568(%rsp)\n"
    "\tmovl\t$0xe7, %eax\n\txsave64\t(%rsp)\n";
/* What was there is wiped out: states in which stacks differ in what nobody uses would be different ones. */
static const char after_hook[] =
    "\tmovl\t$0xe7, %eax\n\txorl\t%edx, %edx\n\txrstor64\t(%rsp)\n"
    "\tmovq\t2688(%rsp), %r8\n\tmovq\t%r8, %rcx\n\tmovq\t%rsp, %rdi\n\tsubq\t%rdi, %rcx\n"
    "\tshrq\t$3, %rcx\n\txorl\t%eax, %eax\n\trep stosq\n\tmovq\t%r8, %rsp\n"
    "\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n"
    "\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n\tpopq\t%rax\n"
    "\tpopfq\n\tleaq\t128(%rsp), %rsp\n"
    "\tmovq\t$0, -136(%rsp)\n\tmovq\t$0, -144(%rsp)\n\tmovq\t$0, -152(%rsp)\n\tmovq\t$0, -160(%rsp)\n"
    "\tmovq\t$0, -168(%rsp)\n\tmovq\t$0, -176(%rsp)\n\tmovq\t$0, -184(%rsp)\n\tmovq\t$0, -192(%rsp)\n"
    "\tmovq\t$0, -200(%rsp)\n\tmovq\t$0, -208(%rsp)\n";

static void add_hook(mz_text *out, const store *s)
{
    mz_text_add(out, "%s", before_hook);
    if (s->repeated)
        mz_text_add(out, "\timulq\t$%zu, %%rcx, %%rsi\n", s->bytes);
    else
        mz_text_add(out, "\tleaq\t%s, %%rdi\n\tmovl\t$%zu, %%esi\n", s->operand, s->bytes);
    if (strstr(s->operand, "%rsp")) /* as it was before */
        mz_text_add(out, "\taddq\t$%d, %%rdi\n", PUSHED);
    mz_text_add(out, "%s\tcall\t__tsan_write_range@PLT\n%s", save_others, after_hook);
}

void mz__announce_stores(mz_text *text)
{
    announcer a = {.second = ANY_NUMBER};
    mz_text out = {0};
    size_t copied = 0;
    mz_text_string(text); /* ends with a zero */
    find_stores(&a, text->bytes);
    for (size_t i = 0; i < a.count; i++) {
        const store *s = &a.stores[i];
        size_t length = strcspn(text->bytes + s->at, "\n");
        mz_text_add_bytes(&out, text->bytes + copied, s->at - copied);
        if (s->bytes != UNKNOWN)
            add_hook(&out, s);
        mz_text_add(&out, s->bytes != UNKNOWN ? "%.*s\n" : "#APP\n%.*s\n#NO_APP\n", (int)length,
                    text->bytes + s->at);
        copied = s->at + length + 1;
        mz_release(s->operand);
    }
    if (a.count > 0) {
        mz_text_add_bytes(&out, text->bytes + copied, text->length - copied);
        mz_text_release(text);
        *text = out;
    }
    mz_release(a.stores);
    mz_text_release(&a.line);
}
#else
void mz__announce_stores(mz_text *text)
{
    (void)text;
}
#endif
