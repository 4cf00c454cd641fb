/* What an instruction does, from its bytes (capstone): which memory it reads and writes, and what becomes of
 * the general registers.
 *
 * Capstone 4 is asked for operands, their order and their sizes; whether an operand is read or written it
 * does not always know. In the order of the processor's manual what is written stands first, and what follows
 * is read; the exceptions are the lists below. An instruction it does not know, or one that is in none of the
 * lists and does something else, is refused by its name, not guessed. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

struct mz__decoder {
    csh handle;
    cs_insn *instruction;
};

mz__decoder *mz__decoder_new(void)
{
    mz__decoder *d = mz_allocate_zeroed(1, sizeof *d);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &d->handle) != CS_ERR_OK)
        return d;
    cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
    d->instruction = cs_malloc(d->handle);
    return d;
}

void mz__decoder_release(mz__decoder *d)
{
    if (d->instruction)
        cs_free(d->instruction, 1);
    if (d->handle)
        cs_close(&d->handle);
    mz_release(d);
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool ends(const char *text, const char *word)
{
    size_t length = strlen(text), wanted = strlen(word);
    return length >= wanted && strcmp(text + length - wanted, word) == 0;
}

/* Is the name in the list? A word that ends in * stands for all that begin like it. */
static bool is_among(const char *name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]);
        if (words[i][length - 1] == '*' ? strncmp(name, words[i], length - 1) == 0
                                        : strcmp(name, words[i]) == 0)
            return true;
    }
    return false;
}
#define IS_AMONG(name, list) is_among(name, list, MZ_LENGTH(list))

/* An operand that looks like memory, and is not accessed. */
static const char *const without_access[] = {"lea", "nop", "prefetch*", "clflush*", "clwb", "cldemote"};
/* What only reads its first operand. */
static const char *const readers[] = {
    "cmp",  "test",    "bt",       "push",   "call",  "jmp",   "mul",   "imul",   "div",   "idiv",
    "fld",  "fild",    "fadd",     "fiadd",  "fsub",  "fsubr", "fisub", "fisubr", "fmul",  "fimul",
    "fdiv", "fdivr",   "fidiv",    "fidivr", "fcom",  "fcomp", "ficom", "ficomp", "fldcw", "fldenv",
    "fbld", "ldmxcsr", "vldmxcsr", "cmpsb",  "cmpsw", "cmpsd", "cmpsq", "lcall",  "ljmp"};
/* What writes its first operand without reading it. */
static const char *const writers[] = {"mov*",      "vmov*",     "pextr*",    "vpextr*",   "extractps",
                                      "vextract*", "vcvtps2ph", "vpmov*",    "set*",      "kmov*",
                                      "pop",       "fst*",      "fist*",     "fnst*",     "stmxcsr",
                                      "vstmxcsr",  "stos*",     "vmaskmov*", "vpmaskmov*"};
/* What the system does, what does not do the same when it is repeated, what saves more than can be told. */
static const char *const refused[] = {
    "syscall",    "sysenter",    "sysret",    "sysexit",     "int",       "into",       "in",
    "out",        "ins*",        "outs*",     "xbegin",      "xend",      "xabort",     "xtest",
    "rdrand",     "rdseed",      "rdpid",     "rdpmc",       "rdmsr",     "wrmsr",      "hlt",
    "std",        "fxsave*",     "fxrstor*",  "xsave*",      "xrstor*",   "fnsave",     "frstor",
    "wrfsbase",   "wrgsbase",    "rdfsbase",  "rdgsbase",    "monitor*",  "mwait*",     "xlatb",
    "enter",      "cli",         "sti",       "lds",         "les",       "lfs",        "lgs",
    "lss",        "vpscatter*",  "vscatter*", "vpcompress*", "vpexpand*", "vcompress*", "vexpand*",
    "vgatherpf*", "vscatterpf*", "movdir*",   "enqcmd*",     "ptwrite",   "sidt",       "sgdt",
    "lidt",       "lgdt",        "insertq",   "extrq",       "invlpg",    "wbinvd",     "vmcall",
    "vmmcall",    "lodsb",       "lodsw",     "lodsd",       "lodsq",     "int1",       "iretq",
    "iretd",      "lcall",       "ljmp"};

/* ---- registers ------------------------------------------------------------------------------------------
 */

typedef struct general {
    uint8_t number, size;
    bool is_high;
} general;

#define FAMILY(number, r, e, w, l)                                                                           \
    case X86_REG_##r:                                                                                        \
        return (general){number, 8, false};                                                                  \
    case X86_REG_##e:                                                                                        \
        return (general){number, 4, false};                                                                  \
    case X86_REG_##w:                                                                                        \
        return (general){number, 2, false};                                                                  \
    case X86_REG_##l:                                                                                        \
        return (general){number, 1, false};
#define HIGH(n, h)                                                                                           \
    case X86_REG_##h:                                                                                        \
        return (general){n, 1, true};

static general general_of(unsigned name)
{
    switch (name) {
        FAMILY(0, RAX, EAX, AX, AL)
        FAMILY(1, RCX, ECX, CX, CL)
        FAMILY(2, RDX, EDX, DX, DL)
        FAMILY(3, RBX, EBX, BX, BL)
        FAMILY(4, RSP, ESP, SP, SPL)
        FAMILY(5, RBP, EBP, BP, BPL)
        FAMILY(6, RSI, ESI, SI, SIL)
        FAMILY(7, RDI, EDI, DI, DIL)
        FAMILY(8, R8, R8D, R8W, R8B)
        FAMILY(9, R9, R9D, R9W, R9B)
        FAMILY(10, R10, R10D, R10W, R10B)
        FAMILY(11, R11, R11D, R11W, R11B)
        FAMILY(12, R12, R12D, R12W, R12B)
        FAMILY(13, R13, R13D, R13W, R13B)
        FAMILY(14, R14, R14D, R14W, R14B)
        FAMILY(15, R15, R15D, R15W, R15B)
        HIGH(0, AH)
        HIGH(1, CH)
        HIGH(2, DH)
        HIGH(3, BH)
    case X86_REG_RIP:
        return (general){MZ__RIP, 8, false};
    default:
        return (general){MZ__NO_REGISTER, 0, false};
    }
}

static bool is_vector(unsigned name)
{
    return (name >= X86_REG_XMM0 && name <= X86_REG_XMM31) ||
           (name >= X86_REG_YMM0 && name <= X86_REG_YMM31) ||
           (name >= X86_REG_ZMM0 && name <= X86_REG_ZMM31) || (name >= X86_REG_MM0 && name <= X86_REG_MM7) ||
           (name >= X86_REG_K0 && name <= X86_REG_K7) || (name >= X86_REG_ST0 && name <= X86_REG_ST7);
}

static uint8_t vector_number(unsigned name)
{
    if (name >= X86_REG_XMM0 && name <= X86_REG_XMM31)
        return (uint8_t)(name - X86_REG_XMM0);
    if (name >= X86_REG_YMM0 && name <= X86_REG_YMM31)
        return (uint8_t)(name - X86_REG_YMM0);
    if (name >= X86_REG_ZMM0 && name <= X86_REG_ZMM31)
        return (uint8_t)(name - X86_REG_ZMM0);
    return MZ__NO_REGISTER;
}

static uint8_t vector_size(unsigned name)
{
    return name >= X86_REG_ZMM0 && name <= X86_REG_ZMM31   ? 64
           : name >= X86_REG_YMM0 && name <= X86_REG_YMM31 ? 32
                                                           : 16;
}

/* ---- memory ---------------------------------------------------------------------------------------------
 */

static bool is_mask(const cs_x86_op *o)
{
    return o->type == X86_OP_REG && o->reg >= X86_REG_K0 && o->reg <= X86_REG_K7;
}

static mz__use memory_of(const mz__instruction *i, const cs_x86_op *o, bool first)
{
    mz__use u = {.base = general_of(o->mem.base).number,
                 .index = general_of(o->mem.index).number,
                 .scale = (uint8_t)o->mem.scale,
                 .offset = o->mem.disp,
                 .size = strcmp(i->name, "fnstsw") == 0 ? 2
                         : ends(i->name, "env")         ? 28
                                                        : o->size,
                 .has_segment = o->mem.segment == X86_REG_FS || o->mem.segment == X86_REG_GS,
                 .mask = MZ__NO_REGISTER};
    u.reads = !first || !IS_AMONG(i->name, writers);
    u.writes = first && !IS_AMONG(i->name, readers);
    return u;
}

/* vmaskmovps, vpmaskmovd: the mask is the second operand. maskmovdqu: the bytes at rdi, by the last one. */
static void use_masked_move(mz__instruction *i, const cs_x86 *x)
{
    mz__use *u = &i->uses[0];
    bool bytes = strstr(i->name, "maskmovdqu") || strcmp(i->name, "maskmovq") == 0;
    if (bytes) {
        *u = (mz__use){.writes = true, .base = MZ__RDI, .index = MZ__NO_REGISTER, .size = 1, .lanes = 16};
        i->use_count = 1;
    } else {
        u->lanes = (uint8_t)(u->size / (ends(i->name, "q") || ends(i->name, "pd") ? 8 : 4));
        u->size /= u->lanes;
    }
    u->kind = MZ__USES_LANES;
    u->mask = vector_number(x->operands[1].reg);
    if (u->mask == MZ__NO_REGISTER)
        i->role = MZ__IS_REFUSED;
}

static void use_gathered(mz__instruction *i, const cs_x86 *x)
{
    mz__use *u = &i->uses[0];
    bool by_k = is_mask(&x->operands[1]);
    const cs_x86_op *memory = &x->operands[by_k ? 2 : 1], *mask = &x->operands[by_k ? 1 : 2];
    if (memory->type != X86_OP_MEM || mask->type != X86_OP_REG || i->use_count != 1) {
        i->role = MZ__IS_REFUSED;
        return;
    }
    u->kind = MZ__USES_GATHERED;
    u->reads = true;
    u->writes = false;
    u->is_mask_k = by_k;
    u->mask = by_k ? (uint8_t)(mask->reg - X86_REG_K0) : vector_number(mask->reg);
    u->indices = vector_number(memory->mem.index);
    u->vector_size = vector_size(memory->mem.index);
    u->index = MZ__NO_REGISTER;
    u->size = ends(i->name, "q") || ends(i->name, "pd") ? 8 : 4;
    u->index_size = strstr(i->name, "gatherq") ? 8 : 4;
    uint8_t values = (uint8_t)(x->operands[0].size / u->size),
            places = (uint8_t)(u->vector_size / u->index_size);
    u->lanes = values < places ? values : places;
    if (u->mask == MZ__NO_REGISTER || u->indices == MZ__NO_REGISTER)
        i->role = MZ__IS_REFUSED;
}

/* Of AVX-512: moves of elements that a mask register selects. */
static void use_selected(mz__instruction *i, const cs_x86 *x, uint8_t k)
{
    static const struct {
        const char *ending;
        uint8_t size;
    } elements[] = {{"u8", 1},  {"u16", 2}, {"u32", 4}, {"u64", 8}, {"a32", 4},
                    {"a64", 8}, {"ups", 4}, {"aps", 4}, {"upd", 8}, {"apd", 8}};
    mz__use *u = &i->uses[0];
    uint8_t size = 0;
    for (size_t n = 0; n < MZ_LENGTH(elements) && begins(i->name, "vmov"); n++)
        size = ends(i->name, elements[n].ending) ? elements[n].size : size;
    (void)x;
    if (size == 0 || i->use_count != 1) {
        i->role = MZ__IS_REFUSED;
        return;
    }
    u->kind = MZ__USES_LANES;
    u->lanes = (uint8_t)(u->size / size);
    u->size = size;
    u->is_mask_k = true;
    u->mask = k;
}

/* rep movs, stos, cmps, scas. */
static void use_string(mz__instruction *i)
{
    for (uint8_t n = 0; n < i->use_count; n++) {
        mz__use *u = &i->uses[n];
        u->has_segment = false;
        if (i->is_repeated)
            u->kind = MZ__USES_REPEATED;
    }
    if (begins(i->name, "movs")) { /* what is written, what is read */
        i->uses[0].writes = i->uses[1].reads = true;
        i->uses[0].reads = i->uses[1].writes = false;
    }
    i->changed |= 1U << MZ__RCX | 1U << MZ__RSI | 1U << MZ__RDI;
    i->effect = MZ__CHANGES;
}

static bool is_of_strings(const mz__instruction *i, const cs_x86 *x)
{
    static const char *const names[] = {"movsb", "movsw", "movsd", "movsq", "stosb", "stosw",
                                        "stosd", "stosq", "cmpsb", "cmpsw", "cmpsd", "cmpsq",
                                        "scasb", "scasw", "scasd", "scasq"};
    bool vectors = x->op_count > 0 &&
                   ((x->operands[0].type == X86_OP_REG && is_vector(x->operands[0].reg)) ||
                    (x->op_count > 1 && x->operands[1].type == X86_OP_REG && is_vector(x->operands[1].reg)));
    return !vectors && IS_AMONG(i->name, names);
}

static void find_uses(mz__instruction *i, const cs_x86 *x)
{
    uint8_t k = 0;
    for (uint8_t n = 0; n < x->op_count && i->use_count < 2; n++) {
        if (x->operands[n].type == X86_OP_MEM)
            i->uses[i->use_count++] = memory_of(i, &x->operands[n], n == 0);
        if (n > 0 && is_mask(&x->operands[n]) && !begins(i->name, "k"))
            k = (uint8_t)(x->operands[n].reg - X86_REG_K0);
    }
    if (strstr(i->name, "maskmov"))
        use_masked_move(i, x);
    else if (strstr(i->name, "gather"))
        use_gathered(i, x);
    else if (k > 0 && i->use_count > 0)
        use_selected(i, x, k);
    else if (is_of_strings(i, x))
        use_string(i);
    bool of_bits = i->name[0] == 'b' && i->name[1] == 't' && i->use_count == 1;
    if (of_bits && x->op_count == 2 && x->operands[1].type == X86_OP_REG)
        i->uses[0].kind = MZ__USES_BITS;
}

/* ---- general registers ----------------------------------------------------------------------------------
 */

static void find_registers(mz__instruction *i, const cs_x86 *x, const cs_detail *detail)
{
    static const char *const keep[] = {"cmp", "test", "bt", "push", "nop", "j*"};
    for (uint8_t n = 0; n < x->op_count; n++) {
        if (x->operands[n].type == X86_OP_REG) {
            general g = general_of(x->operands[n].reg);
            if (g.number < MZ__GENERAL)
                i->mentioned |= 1U << g.number;
            i->is_vector |= is_vector(x->operands[n].reg);
        }
    }
    if (IS_AMONG(i->name, keep))
        return;
    i->changed |= i->mentioned;
    for (uint8_t n = 0; n < detail->regs_write_count; n++) {
        general g = general_of(detail->regs_write[n]);
        if (g.number < MZ__GENERAL)
            i->changed |= 1U << g.number;
    }
}

/* In instructions that are no vector's, and that nothing more is known of. */
static const uint32_t often_implied = 1U << MZ__RAX | 1U << MZ__RCX | 1U << MZ__RDX;

static const char *const pure[] = {"add", "sub", "and",  "or",     "xor",   "shl",   "sal",
                                   "shr", "sar", "imul", "movsxd", "movzx", "movsx", "neg",
                                   "not", "inc", "dec",  "mov",    "movabs"};

/* Of two operands at most, the first of which is a general register. */
static void find_computation(mz__instruction *i, const cs_x86 *x)
{
    const cs_x86_op *a = &x->operands[0], *b = x->op_count > 1 ? &x->operands[1] : NULL;
    general target = general_of(a->reg);
    bool moves = begins(i->name, "mov");
    if (x->op_count == 0 || x->op_count > 2 || a->type != X86_OP_REG || target.number >= MZ__GENERAL ||
        target.size < 4 || !IS_AMONG(i->name, pure) || i->is_vector)
        return;
    i->target = target.number;
    i->target_size = target.size;
    if (b && b->type == X86_OP_MEM) {
        i->effect = moves ? MZ__LOADS : MZ__CHANGES;
        return;
    }
    i->effect = MZ__COMPUTES;
    if (b && b->type == X86_OP_REG) {
        general source = general_of(b->reg);
        i->source = source.number;
        i->source_size = source.size;
        i->source_is_high = source.is_high;
        if (strcmp(i->name, "mov") == 0 && target.size == 8)
            i->effect = MZ__COPIES;
    } else if (b) {
        i->number = b->imm;
    } else {
        i->number = strcmp(i->name, "dec") == 0 ? -1 : 1;
    }
    bool adds = strcmp(i->name, "add") == 0 || strcmp(i->name, "sub") == 0 || strcmp(i->name, "inc") == 0 ||
                strcmp(i->name, "dec") == 0;
    if (adds && target.size == 8 && i->source == MZ__NO_REGISTER) {
        i->effect = MZ__ADDS;
        i->number = strcmp(i->name, "sub") == 0 ? -i->number : i->number;
    }
}

/* cltq is movslq %eax, %rax. */
static void find_extension(mz__instruction *i)
{
    if (strcmp(i->name, "cdqe") != 0)
        return;
    snprintf(i->name, sizeof i->name, "movsxd");
    i->id = X86_INS_MOVSXD;
    i->target = i->source = MZ__RAX;
    i->target_size = 8;
    i->source_size = 4;
    i->effect = MZ__COMPUTES;
}

static void find_store(mz__instruction *i, const cs_x86 *x)
{
    if (strcmp(i->name, "mov") != 0 || x->op_count != 2 || x->operands[0].type != X86_OP_MEM || i->is_vector)
        return;
    i->effect = MZ__STORES;
    i->changed = 0;
    if (x->operands[1].type == X86_OP_REG) {
        general source = general_of(x->operands[1].reg);
        i->source = source.number;
        i->source_size = source.size;
        i->source_is_high = source.is_high;
        i->effect = source.number < MZ__GENERAL ? MZ__STORES : MZ__CHANGES;
    } else {
        i->number = x->operands[1].imm;
    }
}

static void find_effect(mz__instruction *i, const cs_x86 *x)
{
    if (strcmp(i->name, "call") == 0) {
        i->effect = MZ__CALLS;
    } else if (i->name[0] == 'j' || begins(i->name, "loop")) {
        i->effect = MZ__JUMPS;
        i->number = x->op_count == 1 && x->operands[0].type == X86_OP_IMM ? x->operands[0].imm : 0;
        i->changed |= i->name[0] == 'l' ? 1U << MZ__RCX : 0;
    } else if (begins(i->name, "ret") || strcmp(i->name, "ud2") == 0) {
        i->effect = MZ__RETURNS;
    } else if (strcmp(i->name, "push") == 0 || begins(i->name, "pushf")) {
        i->effect = MZ__PUSHES;
    } else if (strcmp(i->name, "pop") == 0 || begins(i->name, "popf")) {
        i->effect = MZ__POPS;
        i->target = x->op_count ? general_of(x->operands[0].reg).number : MZ__NO_REGISTER;
    } else if (strcmp(i->name, "leave") == 0) {
        i->changed = 1U << MZ__RSP | 1U << MZ__RBP;
    } else if (strcmp(i->name, "lea") == 0) {
        general target = general_of(x->operands[0].reg);
        i->target = target.number;
        i->effect = target.size == 8 && i->use_count == 1 ? MZ__ADDRESSES : MZ__CHANGES;
    } else {
        find_store(i, x);
        find_extension(i);
        if (i->effect == MZ__CHANGES)
            find_computation(i, x);
        if (i->effect == MZ__CHANGES && !i->is_vector && i->changed)
            i->changed |= often_implied;
    }
}

/* ---- as atomic operations -------------------------------------------------------------------------------
 */

enum { ACQUIRE = 2, RELEASE = 3, SEQ_CST = 5 };

static mz__role role_of(mz__instruction *i)
{
    static const char *const loads[] = {"mov", "movzx", "movsx", "movsxd", "movabs", "movbe"};
    const mz__use *u = &i->uses[0];
    if (IS_AMONG(i->name, refused))
        return MZ__IS_REFUSED;
    if (begins(i->name, "rdtsc"))
        return MZ__IS_CLOCK;
    if (ends(i->name, "fence")) {
        i->order = i->name[0] == 'm' ? SEQ_CST : i->name[0] == 'l' ? ACQUIRE : RELEASE;
        return MZ__IS_FENCE;
    }
    if (i->use_count != 1 || (u->kind != MZ__USES_BYTES && u->kind != MZ__USES_BITS))
        return i->role;
    if (i->is_locked || strcmp(i->name, "xchg") == 0)
        return MZ__IS_UPDATE;
    if (u->kind == MZ__USES_BITS)
        return MZ__IS_REFUSED;
    if (i->is_vector || u->size > 8 || i->effect == MZ__CALLS || i->effect == MZ__JUMPS)
        return i->role;
    if (u->reads && !u->writes &&
        (IS_AMONG(i->name, loads) || IS_AMONG(i->name, readers) || i->target != MZ__NO_REGISTER))
        return MZ__IS_LOAD;
    return u->writes && !u->reads ? MZ__IS_STORE : i->role;
}

/* What an atomic operation on memory has beside it. */
static void find_operand(mz__instruction *i, const cs_x86 *x)
{
    const cs_x86_op *b = &x->operands[1];
    if (i->use_count != 1 || x->op_count < 2 || x->operands[0].type != X86_OP_MEM)
        return;
    if (b->type == X86_OP_IMM) {
        bool of_bits = i->name[0] == 'b';
        i->number = of_bits ? b->imm & (i->uses[0].size * 8 - 1) : b->imm;
    } else if (b->type == X86_OP_REG) {
        general g = general_of(b->reg);
        i->source = g.number;
        i->source_size = g.size;
        i->source_is_high = g.is_high;
    }
}

/* The same of flags: the garbage in one that nobody reads must not count. */
static void find_flags(mz__instruction *i)
{
    static const char *const by_flags[] = {"j*",     "set*", "cmov*", "adc*", "sbb",    "rcl", "rcr",
                                           "pushf*", "lahf", "loop*", "adox", "fcmov*", "cmc"};
    static const char *const by_carry[] = {"jb",     "jae", "setb", "setae", "cmovb",
                                           "cmovae", "adc", "sbb",  "cmc"};
    static const char *const by_zero[] = {"je", "jne", "sete", "setne", "cmove", "cmovne"};
    static const char *const to_flags[] = {"cmp", "test", "add",  "sub",     "and", "or",
                                           "xor", "neg",  "imul", "cmpxchg", "xadd"};
    static const char *const to_carry[] = {"bt", "bts", "btr", "btc"};
    static const char *const not_to_carry[] = {"inc", "dec"};
    if (IS_AMONG(i->name, by_flags) && strcmp(i->name, "jmp") != 0)
        i->needed |= IS_AMONG(i->name, by_carry)  ? MZ__CARRY
                     : IS_AMONG(i->name, by_zero) ? MZ__ZERO
                                                  : MZ__FLAGS;
    else if (IS_AMONG(i->name, to_flags) && !i->is_vector)
        i->replaced |= MZ__FLAGS;
    else if (IS_AMONG(i->name, to_carry))
        i->replaced |= MZ__CARRY;
    else if (IS_AMONG(i->name, not_to_carry))
        i->replaced |= MZ__ZERO | MZ__OTHER_FLAGS;
}

/* Registers that lead to memory, or are only added up: lea has no use of memory, and reads them all the same.
 */
static uint32_t registers_of_addresses(const cs_x86 *x)
{
    uint32_t set = 0;
    for (uint8_t n = 0; n < x->op_count; n++) {
        const cs_x86_op *operand = &x->operands[n];
        if (operand->type != X86_OP_MEM)
            continue;
        general base = general_of(operand->mem.base), index = general_of(operand->mem.index);
        set |= base.number < MZ__GENERAL ? 1U << base.number : 0;
        set |= index.number < MZ__GENERAL ? 1U << index.number : 0;
    }
    return set;
}

/* What it may read, and what it writes as a whole. In a doubt it reads, and does not write. */
static void find_needs(mz__instruction *i, const cs_detail *detail)
{
    static const char *const explicit[] = {"xchg", "xadd", "inc", "dec", "add", "sub", "and", "or",  "xor",
                                           "neg",  "not",  "bt",  "bts", "btr", "btc", "lea", "cmp", "test"};
    bool moves = i->effect == MZ__COPIES || i->effect == MZ__ADDRESSES || i->effect == MZ__LOADS ||
                 (i->effect == MZ__COMPUTES && i->name[0] == 'm');
    bool clears = strcmp(i->name, "xor") == 0 && i->effect == MZ__COMPUTES && i->target == i->source;
    uint32_t target = i->target < MZ__GENERAL ? 1U << i->target : 0;
    bool x87 = i->name[0] == 'f'; /* its registers are saved with those */
    i->needed = i->mentioned | (i->is_vector || x87 ? (uint32_t)MZ__VECTORS : 0);
    uint32_t addresses = registers_of_addresses(&detail->x86);
    i->needed |= addresses;
    for (uint8_t n = 0; n < i->use_count; n++)
        i->needed |= i->uses[n].mask != MZ__NO_REGISTER ? (uint32_t)MZ__VECTORS : 0;
    for (uint8_t n = 0; n < detail->regs_read_count; n++) {
        general g = general_of(detail->regs_read[n]);
        i->needed |= g.number < MZ__GENERAL ? 1U << g.number : 0;
    }
    if (i->effect == MZ__CHANGES && !i->is_vector)
        i->needed |= IS_AMONG(i->name, explicit) ? 0 : often_implied | i->changed;
    find_flags(i);
    if (moves || clears || (i->effect == MZ__POPS && target))
        i->replaced |= target;
    if (clears || ((moves || i->effect == MZ__POPS) && i->source != i->target && !(addresses & target)))
        i->needed &= ~target;
}

bool mz__decode(mz__decoder *d, const uint8_t *bytes, size_t length, mz__instruction *out)
{
    const uint8_t *at = bytes;
    size_t left = length;
    uint64_t address = 0;
    *out = (mz__instruction){.target = MZ__NO_REGISTER, .source = MZ__NO_REGISTER};
    if (!d->instruction || !cs_disasm_iter(d->handle, &at, &left, &address, d->instruction))
        return mz__decode_encoded(bytes, length, out);
    const cs_detail *detail = d->instruction->detail;
    const cs_x86 *x = &detail->x86;
    out->id = d->instruction->id;
    out->size = d->instruction->size;
    const char *name = cs_insn_name(d->handle, out->id);
    snprintf(out->name, sizeof out->name, "%s", name ? name : "?");
    out->is_locked = x->prefix[0] == X86_PREFIX_LOCK;
    out->is_repeated = x->prefix[0] == X86_PREFIX_REP || x->prefix[0] == X86_PREFIX_REPNE;
    out->until_equal = x->prefix[0] == X86_PREFIX_REPNE;
    out->is_vector = out->name[0] == 'f' || out->name[0] == 'v';
    find_registers(out, x, detail);
    find_uses(out, x);
    find_effect(out, x);
    if (IS_AMONG(out->name, without_access) && out->effect != MZ__ADDRESSES)
        out->use_count = 0;
    out->role = role_of(out);
    find_needs(out, detail);
    find_operand(out, x);
    return true;
}
#endif
