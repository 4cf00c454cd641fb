/* Hooks for what the machine code accesses unannounced (program/code/unhooked.c): calls that are put into the
 * assembly text before it, and change nothing that it could notice. */
#include "program/build/compile_internal.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/code/code.h"
#include "wire/written.h"

static const char *const registers[] = {"%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi",
                                        "%r8",  "%r9",  "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"};

/* Around a call all is saved that it may change and that holds something (program/code/liveness.c): below
 * what a function may have put there without moving its stack pointer, the flags, the registers, and all of
 * the processor's others (xsave, whose room is 2,688 bytes at most for the components asked for; eight words
 * of it have to be zero). Numbers on the processor's stack of them (x87) would be in the way of whoever runs
 * next: that is emptied (emms). The place of a register that holds nothing is zero. */
enum { PUSHED = 128 + 10 * 8, SAVED_RAX = 64, SAVED_RCX = 56, SAVED_RDX = 48, FLAGS = 0x202 };
static const uint8_t saved[] = {MZ__RAX, MZ__RCX, MZ__RDX, MZ__RSI, MZ__RDI, 8, 9, 10, 11};
/* What lies there from before is wiped out: it may be another thing in each execution, and would make two of
 * one state, which is known by the whole stack (spin.c). The old stack pointer is at STACK_BEFORE, or, where
 * there is nothing but that, at the top. */
enum { STACK_BEFORE = 2688 };
static const char move_far[] =
    "\tmovq\t%rsp, %r11\n\tsubq\t$2816, %rsp\n\tandq\t$-64, %rsp\n"
    "\tmovq\t%rdi, %r10\n\tmovq\t%rcx, %r9\n\tmovq\t%rsp, %rdi\n\tmovq\t%r11, %rcx\n"
    "\tsubq\t%rsp, %rcx\n\tshrq\t$3, %rcx\n\txorl\t%eax, %eax\n\trep stosq\n"
    "\tmovq\t%r10, %rdi\n\tmovq\t%r9, %rcx\n\tmovq\t%r11, 2688(%rsp)\n";
static const char move_near[] =
    "\tmovq\t%rsp, %r11\n\tmovq\t$0, -8(%rsp)\n\tsubq\t$16, %rsp\n\tandq\t$-16, %rsp\n"
    "\tmovq\t$0, 8(%rsp)\n\tmovq\t%r11, (%rsp)\n";
static const char save_others[] =
    "\tmovq\t%rdx, %r10\n\txorl\t%eax, %eax\n\txorl\t%edx, %edx\n"
    "\tmovq\t%rax, 512(%rsp)\n\tmovq\t%rax, 520(%rsp)\n\tmovq\t%rax, 528(%rsp)\n"
    "\tmovq\t%rax, 536(%rsp)\n\tmovq\t%rax, 544(%rsp)\n\tmovq\t%rax, 552(%rsp)\n"
    "\tmovq\t%rax, 560(%rsp)\n\tmovq\t%rax, 568(%rsp)\n"
    "\tmovl\t$0xe7, %eax\n\txsave64\t(%rsp)\n\temms\n\tmovq\t%r10, %rdx\n";
static const char restore_others[] = "\tmovl\t$0xe7, %eax\n\txorl\t%edx, %edx\n\txrstor64\t(%rsp)\n";
/* What was there is wiped out: states in which stacks differ in what nobody uses would be different ones. */
static const char move_back[] =
    "\tmovq\t2688(%rsp), %r8\n\tmovq\t%r8, %rcx\n\tmovq\t%rsp, %rdi\n\tsubq\t%rdi, %rcx\n"
    "\tshrq\t$3, %rcx\n\txorl\t%eax, %eax\n\trep stosq\n\tmovq\t%r8, %rsp\n";
static const char move_back_near[] = "\tmovq\t(%rsp), %r8\n\tmovq\t$0, (%rsp)\n\tmovq\t%r8, %rsp\n";
static const char after_hook[] =
    "\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n"
    "\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n\tpopq\t%rax\n"
    "\tpopfq\n\tleaq\t128(%rsp), %rsp\n"
    "\tmovq\t$0, -136(%rsp)\n\tmovq\t$0, -144(%rsp)\n\tmovq\t$0, -152(%rsp)\n\tmovq\t$0, -160(%rsp)\n"
    "\tmovq\t$0, -168(%rsp)\n\tmovq\t$0, -176(%rsp)\n\tmovq\t$0, -184(%rsp)\n\tmovq\t$0, -192(%rsp)\n"
    "\tmovq\t$0, -200(%rsp)\n\tmovq\t$0, -208(%rsp)\n";

typedef struct writer {
    mz_text out;
    const mz__code *code;
    unsigned labels;
} writer;

static void add_before(writer *w, const mz__finding *f)
{
    mz_text_add(&w->out, "\tleaq\t-128(%%rsp), %%rsp\n");
    enum { CARRY = 1, ZERO = 0x40, DIRECTION = 0x400 };
    uint32_t flags = f->holding & MZ__FLAGS;
    if (flags)
        mz_text_add(&w->out, "\tpushfq\n");
    if (flags && !(flags & MZ__OTHER_FLAGS))
        mz_text_add(&w->out, "\tandq\t$%d, (%%rsp)\n",
                    FLAGS | DIRECTION | (flags & MZ__CARRY ? CARRY : 0) | (flags & MZ__ZERO ? ZERO : 0));
    if (!flags)
        mz_text_add(&w->out, "\tpushq\t$%d\n", FLAGS);
    mz_text_add(&w->out, "\tcld\n"); /* as every function expects */
    for (size_t n = 0; n < MZ_LENGTH(saved); n++)
        mz_text_add(&w->out, "\tpushq\t%s\n", f->holding >> saved[n] & 1 ? registers[saved[n]] : "$0");
}

/* Arguments are in rdi, rsi, rdx, rcx, r8. `inner`: what is to be done while the results are still there. */
static void add_call_alone(writer *w, const mz__finding *f, const char *name, const char *inner)
{
    bool others = f->holding & MZ__VECTORS;
    mz_text_add(&w->out, "%s%s\tcall\t%s@PLT\n%s%s%s", others ? move_far : move_near,
                others ? save_others : "", name, inner, others ? restore_others : "",
                others ? move_back : move_back_near);
}

static void add_call(writer *w, const mz__finding *f, const char *name)
{
    add_call_alone(w, f, name, "");
    mz_text_add(&w->out, "%s", after_hook);
}

/* ---- addresses ------------------------------------------------------------------------------------------
 */

/* The operand of the text that ends with a parenthesis, where the code has a place that the linker fills in.
 */
static void add_written_operand(writer *w, const mz__statement *s)
{
    const char *line = w->code->text.bytes + s->at, *end = line + s->length, *close = NULL, *start;
    for (const char *at = line; at < end && !close; at++)
        if (*at == '(' && (at < line + 3 || strncmp(at - 3, "%st", 3) != 0))
            close = memchr(at, ')', (size_t)(end - at));
    if (!close) {
        mz_text_add(&w->out, "unknown");
        return;
    }
    for (start = close; *start != '('; start--)
        ;
    while (start > line && !strchr(" \t,*", start[-1]))
        start--;
    mz_text_add_bytes(&w->out, start, (size_t)(close + 1 - start));
}

/* Its address into rdi; `pushed` bytes lie between rsp as it was and as it is. */
static void add_address(writer *w, const mz__finding *f, const mz__use *u, int pushed)
{
    const mz__statement *s = &w->code->statements[f->statement];
    mz__reference r = mz__code_reference(w->code, s, f->instruction.size);
    int64_t offset = u->offset + (u->base == MZ__RSP ? pushed : 0);
    bool is_text = u->base == MZ__RIP || r.kind != MZ__REFERS_TO_NOTHING;
    if (!is_text && u->base >= MZ__GENERAL && u->index >= MZ__GENERAL) {
        mz_text_add(&w->out, "\tmovq\t$%lld, %%rdi\n", (long long)offset);
        return;
    }
    mz_text_add(&w->out, "\tleaq\t");
    if (is_text)
        add_written_operand(w, s);
    else if (u->index < MZ__GENERAL)
        mz_text_add(&w->out, "%lld(%s,%s,%u)", (long long)offset,
                    u->base < MZ__GENERAL ? registers[u->base] : "", registers[u->index], u->scale);
    else
        mz_text_add(&w->out, "%lld(%s)", (long long)offset, registers[u->base]);
    mz_text_add(&w->out, ", %%rdi\n");
}

/* ---- plain accesses -------------------------------------------------------------------------------------
 */

static void add_bytes_hook(writer *w, const mz__finding *f, const mz__use *u, const char *hook)
{
    add_before(w, f);
    add_address(w, f, u, PUSHED);
    if (u->kind == MZ__USES_REPEATED)
        mz_text_add(&w->out, "\timulq\t$%u, %%rcx, %%rsi\n", u->size);
    else
        mz_text_add(&w->out, "\tmovl\t$%u, %%esi\n", u->size);
    add_call(w, f, hook);
}

/* The bits of the mask into a register. */
static void add_mask(writer *w, const mz__use *u, const char *narrow, const char *wide)
{
    if (u->is_mask_k)
        mz_text_add(&w->out, u->lanes > 16 ? "\tkmovq\t%%k%u, %s\n" : "\tkmovw\t%%k%u, %s\n", u->mask,
                    u->lanes > 16 ? wide : narrow);
    else if (u->size == 1)
        mz_text_add(&w->out, "\tpmovmskb\t%%xmm%u, %s\n", u->mask, narrow);
    else
        mz_text_add(&w->out, "\tvmovmskp%c\t%%%cmm%u, %s\n", u->size == 8 ? 'd' : 's',
                    u->lanes * u->size > 16 ? 'y' : 'x', u->mask, narrow);
}

static void add_lanes_hook(writer *w, const mz__finding *f, const mz__use *u)
{
    add_before(w, f);
    add_address(w, f, u, PUSHED);
    add_mask(w, u, "%edx", "%rdx");
    mz_text_add(&w->out, "\tmovl\t$%u, %%esi\n", u->size | (unsigned)u->writes << 8);
    add_call(w, f, "__tsan_lanes");
}

/* The places are in a vector: it is put on the stack. */
static void add_gathered_hook(writer *w, const mz__finding *f, const mz__use *u)
{
    enum { ROOM = 64 };
    char letter = u->vector_size == 64 ? 'z' : u->vector_size == 32 ? 'y' : 'x';
    add_before(w, f);
    mz_text_add(&w->out, "\tsubq\t$%d, %%rsp\n\tvmovdqu%s\t%%%cmm%u, (%%rsp)\n", ROOM,
                letter == 'z' || u->indices > 15 ? "64" : "", letter, u->indices);
    add_address(w, f, u, PUSHED + ROOM);
    add_mask(w, u, "%ecx", "%rcx");
    mz_text_add(&w->out, "\tmovq\t%%rsp, %%rdx\n\tmovl\t$%u, %%esi\n",
                u->size | (unsigned)u->index_size << 8 | (unsigned)(u->scale ? u->scale : 1) << 16 |
                    (unsigned)u->lanes << 24);
    add_call_alone(w, f, "__tsan_gathered", "");
    for (int at = 0; at < ROOM; at += 8)
        mz_text_add(&w->out, "\tmovq\t$0, %d(%%rsp)\n", at);
    mz_text_add(&w->out, "\taddq\t$%d, %%rsp\n%s", ROOM, after_hook);
}

/* repe cmps, repne scas: how far they come depends on what they read. */
static void add_strings_hook(writer *w, const mz__finding *f)
{
    const mz__instruction *i = &f->instruction;
    bool scans = i->name[0] == 's';
    add_before(w, f);
    mz_text_add(&w->out, "\tmovq\t%%rcx, %%rdx\n\tmovq\t%%rax, %%r8\n\tmovl\t$%u, %%ecx\n",
                i->uses[0].size | (i->until_equal ? MZ__REPEAT_UNTIL_EQUAL << 8 : 0) |
                    (scans ? MZ__REPEAT_SCAN << 8 : 0));
    add_call(w, f, "__tsan_strings");
}

/* Hooks for what is read, written, or both. */
typedef struct hook_names {
    const char *read, *write, *update;
} hook_names;

static const hook_names usual = {"__tsan_read_range", "__tsan_write_range", "__tsan_update_range"},
                        of_frames = {"__tsan_frame_read", "__tsan_frame_write", "__tsan_frame_update"};

static void add_use_hook(writer *w, const mz__finding *f, const mz__use *u, const hook_names *names)
{
    if (u->kind == MZ__USES_LANES) {
        add_lanes_hook(w, f, u);
    } else if (u->kind == MZ__USES_GATHERED) {
        add_gathered_hook(w, f, u);
    } else {
        bool updates = u->reads && u->writes && u->kind == MZ__USES_BYTES;
        if (updates)
            add_bytes_hook(w, f, u, names->update);
        if (u->reads && !updates)
            add_bytes_hook(w, f, u, names->read);
        if (u->writes && !updates)
            add_bytes_hook(w, f, u, names->write);
    }
}

static void add_access_hooks(writer *w, const mz__finding *f, const hook_names *names)
{
    const mz__instruction *i = &f->instruction;
    bool compares = i->is_repeated && (strncmp(i->name, "cmps", 4) == 0 || strncmp(i->name, "scas", 4) == 0);
    if (compares)
        add_strings_hook(w, f);
    for (uint8_t n = 0; n < i->use_count && !compares; n++)
        if (f->uses >> n & 1)
            add_use_hook(w, f, &i->uses[n], names);
}

/* Only if that byte of the checker's is set: it asks for exact orders (`is_exact`); threads know something of
 * each other's stacks. */
static void add_hooks_if(writer *w, const mz__finding *f, const char *flag, const hook_names *names)
{
    unsigned label = w->labels++;
    mz_text_add(&w->out,
                "\tleaq\t-128(%%rsp), %%rsp\n\tpushfq\n\tpushq\t%%rax\n"
                "\tmovq\t%s@GOTPCREL(%%rip), %%rax\n\tcmpb\t$0, (%%rax)\n\tpopq\t%%rax\n"
                "\tje\t.Lmz__private%u\n\tpopfq\n\tleaq\t128(%%rsp), %%rsp\n",
                flag, label);
    add_access_hooks(w, f, names);
    mz_text_add(&w->out,
                "\tjmp\t.Lmz__told%u\n.Lmz__private%u:\n\tpopfq\n\tleaq\t128(%%rsp), %%rsp\n"
                ".Lmz__told%u:\n\tmovq\t$0, -136(%%rsp)\n\tmovq\t$0, -144(%%rsp)\n",
                label, label, label);
}

/* ---- the program's own operations -----------------------------------------------------------------------
 */

static mz__written_operation operation_of(const mz__instruction *i)
{
    static const char *const names[] = {"",
#define MZ_X(name) #name,
                                        MZ__WRITTEN_OPERATIONS(MZ_X)
#undef MZ_X
    };
    if (strcmp(i->name, "xadd") == 0)
        return MZ__WRITTEN_add;
    if (strcmp(i->name, "cmpxchg16b") == 0)
        return MZ__WRITTEN_cmpxchg;
    for (size_t n = 1; n < MZ_LENGTH(names); n++)
        if (strcmp(names[n], i->name) == 0 && !i->source_is_high)
            return (mz__written_operation)n;
    return MZ__WRITTEN_other;
}

/* The hook only says what is next. Then the instruction itself happens, with registers and flags as they are
 * meant. Its operand, and what a compare-exchange expects, are told. */
static void add_atomic_hook(writer *w, const mz__finding *f)
{
    const mz__instruction *i = &f->instruction;
    unsigned role = i->role == MZ__IS_LOAD    ? MZ__WRITTEN_LOAD
                    : i->role == MZ__IS_STORE ? MZ__WRITTEN_STORE
                                              : MZ__WRITTEN_UPDATE;
    add_before(w, f);
    if (i->source < MZ__GENERAL)
        mz_text_add(&w->out, "\tpushq\t%s\n", registers[i->source]);
    else
        mz_text_add(&w->out, "\tpushq\t$%lld\n", (long long)(int32_t)i->number);
    mz_text_add(&w->out, "\tpushq\t%%rax\n\tpushq\t%%rdx\n");
    add_address(w, f, &i->uses[0], PUSHED + 24);
    mz_text_add(&w->out, "\tpopq\t%%r8\n\tpopq\t%%rcx\n\tpopq\t%%rdx\n\tmovl\t$%u, %%esi\n",
                i->uses[0].size | role << 8 | (unsigned)operation_of(i) << 16);
    add_call(w, f, "__tsan_written");
}

static void add_fence(writer *w, const mz__finding *f)
{
    enum { SEQ_CST = 5 };
    add_before(w, f);
    mz_text_add(&w->out, "\tmovl\t$%d, %%edi\n", f->instruction.is_locked ? SEQ_CST : f->instruction.order);
    add_call(w, f, "__tsan_atomic_thread_fence");
}

/* Instead of the compiler's. */
static void add_early_hook(writer *w, const mz__finding *f)
{
    if (f->instruction.number > 0)
        mz_text_add(&w->out, "\tmovl\t$%d, %%esi\n", (int)f->instruction.number);
    mz_text_add(&w->out, "\tcall\t__tsan_early_write@PLT\n");
}

/* Instead of movs: the hook copies. */
static void add_copy(writer *w, const mz__finding *f)
{
    const mz__instruction *i = &f->instruction;
    unsigned size = i->uses[0].size;
    add_before(w, f);
    if (i->is_repeated)
        mz_text_add(&w->out, "\timulq\t$%u, %%rcx, %%rdx\n", size);
    else
        mz_text_add(&w->out, "\tmovl\t$%u, %%edx\n", size);
    mz_text_add(&w->out, "\tmovl\t$%u, %%ecx\n", size | (unsigned)f->is_exact << 8);
    add_call(w, f, "__tsan_copied");
    if (i->is_repeated)
        mz_text_add(&w->out,
                    "\tleaq\t(%%rsi,%%rcx,%u), %%rsi\n\tleaq\t(%%rdi,%%rcx,%u), %%rdi\n\tmovl\t$0, %%ecx\n",
                    size, size);
    else
        mz_text_add(&w->out, "\tleaq\t%u(%%rsi), %%rsi\n\tleaq\t%u(%%rdi), %%rdi\n", size, size);
}

/* Instead of rdtsc and rdtscp. */
static void add_clock(writer *w, const mz__finding *f)
{
    mz_text inner = {0};
    mz_text_add(&inner,
                "\tmovq\t%d(%%rsp), %%r8\n\tmovl\t%%eax, %%ecx\n\tmovq\t%%rcx, %d(%%r8)\n"
                "\tshrq\t$32, %%rax\n\tmovq\t%%rax, %d(%%r8)\n",
                f->holding & MZ__VECTORS ? STACK_BEFORE : 0, SAVED_RAX, SAVED_RDX);
    if (strcmp(f->instruction.name, "rdtscp") == 0)
        mz_text_add(&inner, "\tmovq\t$0, %d(%%r8)\n", SAVED_RCX);
    add_before(w, f);
    add_call_alone(w, f, "__tsan_clock", mz_text_string(&inner));
    mz_text_add(&w->out, "%s", after_hook);
    mz_text_release(&inner);
}

/* Over a jump that may be long: `loop L` becomes `loop 1f; jmp 2f; 1: jmp L; 2:`. Neither changes flags. */
static void add_long_jump(writer *w, const mz__statement *s)
{
    const char *line = w->code->text.bytes + s->at, *to = line + s->length;
    while (to > line && !strchr(" \t", to[-1]))
        to--;
    unsigned label = w->labels++;
    mz_text_add_bytes(&w->out, line, (size_t)(to - line));
    mz_text_add(&w->out,
                ".Lmz__jumps%u\n\tjmp\t.Lmz__goes_on%u\n.Lmz__jumps%u:\n\tjmp\t%.*s\n.Lmz__goes_on%u:\n",
                label, label, label, (int)(line + s->length - to), to, label);
}

/* ---- texts ----------------------------------------------------------------------------------------------
 */

/* compile_assembly.c knows where it is. */
static void add_refusal(writer *w, const mz__statement *s)
{
    const char *text = w->code->text.bytes + s->at;
    text += strspn(text, " \t");
    mz_text_add(&w->out, MZ_REFUSED_MARK "%.*s\n", (int)strcspn(text, "\n"), text);
}

/* What is to stand before the statement; false: and instead of it. */
/* Flags are not touched. */
static void add_zeros(writer *w, const mz__finding *f)
{
    for (int piece = 0; piece < 128; piece++) {
        long long at = -4LL * (piece + 1) - f->base_offset;
        bool dead = f->stale[piece / 64] >> piece % 64 & 1;
        bool next = piece + 1 < 128 && (f->stale[(piece + 1) / 64] >> (piece + 1) % 64 & 1);
        if (dead)
            mz_text_add(&w->out, "\tmov%c\t$0, %lld(%s)\n", next ? 'q' : 'l', next ? at - 4 : at,
                        registers[f->base]);
        piece += dead && next;
    }
    for (uint32_t n = 0; n < MZ__GENERAL; n++)
        if (f->holding >> n & 1)
            mz_text_add(&w->out, "\tmovq\t$0, %s\n", registers[n]);
}

static bool add_finding(writer *w, const mz__finding *f)
{
    switch (f->kind) {
    case MZ__FOUND_ACCESS:
        if (f->is_exact)
            add_hooks_if(w, f, "__tsan_exact", &usual);
        else
            add_access_hooks(w, f, &usual);
        break;
    case MZ__FOUND_IN_FRAME:
        add_hooks_if(w, f, "__tsan_shared_frames", &of_frames);
        break;
    case MZ__FOUND_EARLY:
        add_early_hook(w, f);
        return false;
    case MZ__FOUND_COPY:
        add_copy(w, f);
        return false;
    case MZ__FOUND_ATOMIC:
        add_atomic_hook(w, f);
        break;
    case MZ__FOUND_FENCE:
        add_fence(w, f);
        break;
    case MZ__FOUND_CLOCK:
        add_clock(w, f);
        return false;
    case MZ__FOUND_CONTROL:
        add_before(w, f);
        add_call(w, f, "__tsan_control");
        break;
    case MZ__FOUND_SHORT_JUMP:
        add_long_jump(w, &w->code->statements[f->statement]);
        return false;
    case MZ__FOUND_STALE:
        add_zeros(w, f);
        break;
    case MZ__FOUND_REFUSED:
        add_refusal(w, &w->code->statements[f->statement]);
        break;
    }
    return true;
}

static bool write_with_hooks(mz__code *code, const char *path, mz_error *error)
{
    mz__findings found = {0};
    writer w = {.code = code};
    size_t copied = 0;
    mz__find_accesses(code, &found);
    mz_text_add(&w.out, MZ_SEEN_MARK "\n");
    for (size_t n = 0; n < found.count; n++) {
        const mz__statement *s = &code->statements[found.items[n].statement];
        mz_text_add_bytes(&w.out, code->text.bytes + copied, s->at - copied);
        copied = s->at;
        if (!add_finding(&w, &found.items[n]))
            copied = s->at + s->length + 1;
    }
    mz_text_add_bytes(&w.out, code->text.bytes + copied, code->text.length - copied);
    bool good = mz__write_file(path, mz_text_string(&w.out), w.out.length, error);
    mz_text_release(&w.out);
    mz_release(found.items);
    return good;
}

/* The copy with labels beside it. */
static bool write_labelled(mz__code *code, const char *path, mz_text *labelled_path, mz_error *error)
{
    mz_text text = {0}, labelled = {0};
    bool good = mz_file_read(path, MZ_FILE_ANY_SIZE, &text) && text.length > 0;
    if (!good)
        mz_error_set(error, (mz_position){0}, "the compiler's output '%s' cannot be read", path);
    mz_text_add(labelled_path, "%s.labelled.s", path);
    if (good)
        mz__code_begin(code, &text, &labelled);
    good = good &&
           mz__write_file(mz_text_string(labelled_path), mz_text_string(&labelled), labelled.length, error);
    mz_text_release(&text);
    mz_text_release(&labelled);
    return good;
}

static void add_assembler(mz_words *words, const char *compiler, const char *from, const char *to)
{
    static const char *const flags[] = {"-c", "-w", "-x", "assembler", "-o"};
    mz_words_add(words, compiler);
    mz_words_add_list(words, flags, MZ_LENGTH(flags));
    mz_words_add(words, to);
    mz_words_add(words, from);
}

bool mz__announce_accesses(const char *compiler, const char *const *paths, size_t count,
                           const char *directory, mz_error *error)
{
    mz__code *codes = mz_allocate_zeroed(count, sizeof *codes);
    mz_job *jobs = mz_allocate_zeroed(count, sizeof *jobs);
    mz_text labelled = {0}, object = {0};
    bool good = true;
    size_t failed = 0;
    for (size_t i = 0; i < count && good; i++) {
        mz_text_clear(&labelled);
        mz_text_clear(&object);
        good = write_labelled(&codes[i], paths[i], &labelled, error);
        mz_text_add(&object, "%s.o", mz_text_string(&labelled));
        add_assembler(&jobs[i].words, compiler, mz_text_string(&labelled), mz_text_string(&object));
    }
    if (good && !mz__run_jobs(jobs, count, directory, &failed, error)) {
        mz_error_set(error, (mz_position){0}, "%s could not assemble the compiled program", compiler);
        good = false;
    }
    for (size_t i = 0; i < count && good; i++) {
        mz_text_clear(&object);
        mz_text_add(&object, "%s.labelled.s.o", paths[i]);
        good =
            mz__code_read(&codes[i], mz_text_string(&object)) && write_with_hooks(&codes[i], paths[i], error);
        if (!good && !error->set)
            mz_error_set(error, (mz_position){0}, "'%s' cannot be read", mz_text_string(&object));
    }
    for (size_t i = 0; i < count; i++) {
        mz__code_release(&codes[i]);
        mz_words_release(&jobs[i].words);
    }
    mz_text_release(&labelled);
    mz_text_release(&object);
    mz_release(codes);
    mz_release(jobs);
    return good;
}
#else
bool mz__announce_accesses(const char *compiler, const char *const *paths, size_t count,
                           const char *directory, mz_error *error)
{
    (void)compiler, (void)paths, (void)count, (void)directory, (void)error;
    return true;
}
#endif
