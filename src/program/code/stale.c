/* What a function leaves in its frame and in registers, and does not read any more.
 *
 * A thread that comes back to where it was is found by comparing its state (program/loops). A variable of the
 * last round whose value nobody will read again must not make a difference: before operations in loops, what
 * is dead is set to zero. Dead is what is written, on every way from there, before it is read.
 *
 * That is known of functions that keep their frame to themselves (values.c), and whose ways are all
 * known: nothing is jumped to from outside, as handlers of exceptions and longjmp do. Only what the function
 * stores itself is touched, not what it pushes. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Four bytes of the frame each, from the highest address down; what lies further down is always alive. */
enum { PIECE = 4, PIECES = 128 };

typedef struct pieces {
    uint64_t words[PIECES / 64];
} pieces;

/* What a statement does to the frame. */
typedef struct frame_use {
    pieces reads, writes;
    uint8_t base; /* a register that leads to the frame; MZ__NO_REGISTER: none */
    int64_t base_offset;
    bool is_operation;
} frame_use;

struct mz__frame {
    frame_use *uses;
    size_t use_capacity;
    pieces *alive; /* before each statement */
    size_t alive_capacity;
    mz__value
        entry; /* where pieces are counted from: rbp, if that is the frame; where the stack was at first */
    mz__value stack; /* where the stack was: what is told by that is no variable, if there is a base */
    pieces stored, pushed;
    bool is_followed, has_base;
};

mz__frame *mz__frame_new(void)
{
    return mz_allocate_zeroed(1, sizeof(mz__frame));
}

void mz__frame_release(mz__frame *frame)
{
    mz_release(frame->uses);
    mz_release(frame->alive);
    mz_release(frame);
}

void mz__frame_begin(mz__frame *frame, mz__values *values, size_t statements)
{
    frame->uses = mz_grow(frame->uses, &frame->use_capacity, statements, sizeof *frame->uses);
    frame->alive = mz_grow(frame->alive, &frame->alive_capacity, statements, sizeof *frame->alive);
    memset(frame->uses, 0, statements * sizeof *frame->uses);
    mz__value stack = mz__values_register(values, MZ__RSP), base = mz__values_register(values, MZ__RBP);
    frame->has_base = mz__value_is_frame(values, base);
    frame->entry = frame->has_base ? base : stack;
    frame->stack = stack;
    frame->stored = frame->pushed = (pieces){{0}};
    frame->is_followed = true;
}

/* ---- what a statement does ------------------------------------------------------------------------------
 */

/* Bytes [from, to) relative to where the stack was: those pieces that lie in it as a whole, or in part. */
static void add_pieces(pieces *set, int64_t from, int64_t to, bool whole)
{
    for (int64_t piece = 0; piece < PIECES; piece++) {
        int64_t low = -PIECE * (piece + 1), high = low + PIECE;
        if (whole ? from <= low && high <= to : from < high && low < to)
            set->words[piece / 64] |= UINT64_C(1) << piece % 64;
    }
}

/* Where in the frame; false if it is not in the frame at all. */
static bool is_in_frame(mz__frame *frame, mz__values *values, mz__value value, int64_t *offset)
{
    if (!mz__value_is_frame(values, value) || (frame->has_base && value.node == frame->stack.node))
        return false;
    *offset = value.offset - frame->entry.offset;
    frame->is_followed &= value.node == frame->entry.node;
    return true;
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Hooks that are only told of an access. */
static bool is_announcement(const char *name)
{
    return begins(name, "__tsan_read") || begins(name, "__tsan_write") || begins(name, "__tsan_unaligned") ||
           begins(name, "__tsan_volatile") || begins(name, "__tsan_func") || begins(name, "__tsan_early") ||
           begins(name, "__tsan_update");
}

static bool returns_twice(const char *name)
{
    return strstr(name, "setjmp") || strstr(name, "context") || strstr(name, "fork");
}

static void note_call(mz__frame *frame, frame_use *use, mz__values *values, const char *name)
{
    static const uint8_t arguments[] = {MZ__RDI, MZ__RSI, MZ__RDX, MZ__RCX, 8, 9};
    int64_t offset, size = begins(name, "__tsan_atomic") ? strtol(name + 13, NULL, 10) / 8 : 0;
    bool tells = is_announcement(name);
    frame->is_followed &= !returns_twice(name);
    /* The linker knows a call of __tls_get_addr by the instructions before it: nothing may come in between.
     */
    use->is_operation = !begins(name, "__tsan_func") && strcmp(name, "__tls_get_addr") != 0 &&
                        !(tells && mz__value_is_frame(values, mz__values_register(values, MZ__RDI)));
    for (size_t n = 0; n < MZ_LENGTH(arguments) && !tells; n++) {
        if (!is_in_frame(frame, values, mz__values_register(values, arguments[n]), &offset))
            continue;
        frame->is_followed &= size > 0;
        add_pieces(&use->reads, offset, offset + size, false);
    }
    if (begins(name, "__tsan_"))
        return;
    enum { ARGUMENTS = 256 }; /* on the stack */
    if (is_in_frame(frame, values, mz__values_register(values, MZ__RSP), &offset))
        add_pieces(&use->reads, offset, offset + ARGUMENTS, false);
}

static void note_use(mz__frame *frame, frame_use *use, mz__values *values, const mz__use *u,
                     const mz__reference *reference)
{
    int64_t offset;
    if (!is_in_frame(frame, values, mz__values_address(values, u, reference), &offset))
        return;
    frame->is_followed &= u->kind == MZ__USES_BYTES && !u->is_guessed;
    if (u->reads)
        add_pieces(&use->reads, offset, offset + u->size, false);
    if (u->writes) {
        add_pieces(&use->writes, offset, offset + u->size, true);
        add_pieces(&frame->stored, offset, offset + u->size, true);
    }
}

static void note_base(mz__frame *frame, frame_use *use, mz__values *values)
{
    static const uint8_t bases[] = {MZ__RBP, MZ__RSP};
    use->base = MZ__NO_REGISTER;
    for (size_t n = 0; n < 2 && use->base == MZ__NO_REGISTER; n++) {
        mz__value value = mz__values_register(values, bases[n]);
        if (value.node == frame->entry.node) {
            use->base = bases[n];
            use->base_offset = value.offset - frame->entry.offset;
        }
    }
}

void mz__frame_note(mz__frame *frame, size_t at, mz__values *values, const mz__statement *s,
                    const mz__instruction *i, const mz__reference *reference)
{
    frame_use *use = &frame->uses[at];
    int64_t offset;
    *use = (frame_use){.base = MZ__NO_REGISTER};
    bool leaves = i->effect == MZ__JUMPS && !s->target;
    frame->is_followed &=
        (at == 0 || !s->is_unknown) && !s->is_written &&
        !(leaves && (strcmp(i->name, "jmp") != 0 || reference->kind == MZ__REFERS_TO_NOTHING));
    for (uint8_t n = 0; n < i->use_count; n++) {
        if (i->effect != MZ__ADDRESSES)
            note_use(frame, use, values, &i->uses[n], reference);
        else
            is_in_frame(frame, values, mz__values_address(values, &i->uses[n], reference), &offset);
    }
    if (i->effect == MZ__PUSHES || i->effect == MZ__POPS) {
        if (is_in_frame(frame, values, mz__values_register(values, MZ__RSP), &offset))
            add_pieces(&frame->pushed, i->effect == MZ__PUSHES ? offset - 8 : offset,
                       i->effect == MZ__PUSHES ? offset : offset + 8, false);
    } else if (i->effect == MZ__CALLS) {
        note_base(frame, use, values);
        note_call(frame, use, values, reference->name);
    }
}

/* ---- what is dead ---------------------------------------------------------------------------------------
 */

static bool goes_on(const mz__instruction *i)
{
    return i->effect != MZ__RETURNS && strcmp(i->name, "jmp") != 0;
}

static pieces behind(const mz__frame *frame, const mz__code *code, size_t n, size_t first, size_t end,
                     const mz__instruction *i)
{
    pieces set = {{0}};
    uint32_t target = code->statements[n].target;
    for (size_t w = 0; w < MZ_LENGTH(set.words); w++) {
        if (goes_on(i) && n + 1 < end)
            set.words[w] |= frame->alive[n + 1 - first].words[w];
        if (i->effect == MZ__JUMPS && target >= first && target < end && target)
            set.words[w] |= frame->alive[target - first].words[w];
    }
    return set;
}

static void find_alive(mz__frame *frame, const mz__code *code, size_t first, size_t end,
                       const mz__instruction *instructions)
{
    memset(frame->alive, 0, (end - first) * sizeof *frame->alive);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = end; n-- > first;) {
            const frame_use *use = &frame->uses[n - first];
            pieces set = behind(frame, code, n, first, end, &instructions[n - first]);
            for (size_t w = 0; w < MZ_LENGTH(set.words); w++)
                set.words[w] = (set.words[w] & ~use->writes.words[w]) | use->reads.words[w];
            changed |= memcmp(&set, &frame->alive[n - first], sizeof set) != 0;
            frame->alive[n - first] = set;
        }
    }
}

/* Something behind it jumps back to it, or before it. */
static size_t end_of_loops(const mz__code *code, size_t n, size_t first, size_t end)
{
    for (size_t last = end; last-- > n;) {
        uint32_t target = code->statements[last].target;
        if (target && target >= first && target <= n)
            return last + 1;
    }
    return n;
}

bool mz__frame_stale(mz__frame *frame, const mz__code *code, size_t first, size_t end,
                     const mz__instruction *instructions, const uint32_t *live, mz__findings *out)
{
    enum { KEPT = 1 << MZ__RBX | 0xf000 };
    for (size_t n = first; n < end && frame->is_followed; n++) /* what was not decoded, or is jumped to */
        frame->is_followed = (instructions[n - first].size > 0 || code->statements[n].size == 0) &&
                             (n == first || !code->statements[n].is_unknown);
    if (!frame->is_followed)
        return false;
    find_alive(frame, code, first, end, instructions);
    bool found = false;
    for (size_t n = first; n + 1 < end; n++) {
        const frame_use *use = &frame->uses[n - first];
        const mz__instruction *i = &instructions[n - first];
        if (!use->is_operation || use->base == MZ__NO_REGISTER || end_of_loops(code, n, first, end) == n)
            continue;
        mz__finding stale = {.statement = n, .kind = MZ__FOUND_STALE, .instruction = *i};
        for (size_t w = 0; w < MZ_LENGTH(stale.stale); w++)
            stale.stale[w] = frame->stored.words[w] & ~frame->pushed.words[w] & ~use->reads.words[w] &
                             ~frame->alive[n + 1 - first].words[w];
        stale.holding = KEPT & ~live[n + 1 - first] & ~i->needed;
        stale.base = use->base;
        stale.base_offset = use->base_offset;
        if (!(stale.stale[0] | stale.stale[1] | stale.holding))
            continue;
        out->items = mz_grow(out->items, &out->capacity, out->count + 1, sizeof *out->items);
        out->items[out->count++] = stale;
        found = true;
    }
    return found;
}
#endif
