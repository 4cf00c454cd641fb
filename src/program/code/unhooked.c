/* Which accesses of the machine code does no hook announce?
 *
 * A hook is called with an address before the access. As long as no other function is called, nothing is
 * jumped to, and no hook of ours has come between, an access to the same address (values.c) of no
 * more bytes is the one that was announced. All others are found here:
 *  - what compilers leave out: operands of intrinsics, results of calls that go straight into memory, structs
 *    that are passed by value, builtins that are written out, what is wider than 16 bytes;
 *  - what the program has written in assembly itself. There, simple loads and stores of general registers,
 * and what the processor locks, are meant as atomic operations.
 *
 * Not announced is what nobody can notice: constants, and the function's own frame, as long as none of its
 * addresses gets out of sight. If one does, hooks for the frame ask first whether threads know anything of
 * each other's stacks at all. (gcc tells about variables whose address is known, but for results of calls and
 * structs that are passed on; clang forgets parts of them.)
 *
 * What cannot be announced is refused by name. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const size_t NO_STATEMENT = SIZE_MAX;

/* A hook has announced this. */
typedef struct announcement {
    mz__value address;
    int64_t size;
    bool reads, writes;
    bool of_table; /* the address of a table of virtual functions */
    /* Of a write: something is read between the hook and the write. gcc tells so of copies (`a = b`) and of
     * bit-fields. Where races are no errors, others may come in between, so the hook is no announcement then:
     * accesses have hooks of their own, in the order of the code. Elsewhere it is one, and these are passed
     * over. */
    bool is_early, is_performed;
    bool is_over; /* as an announcement where the order matters: other hooks have been called since */
    size_t statement;
} announcement;

typedef struct finder {
    mz__code *code;
    mz__decoder *decoder;
    mz__values *values;
    mz__findings *out;
    mz__frame *frame;
    announcement *announced;
    size_t count, capacity;
    mz__instruction *instructions; /* of the function; size 0: not known */
    size_t instruction_capacity, first, end;
    uint32_t *live; /* before each of them */
    bool *early;    /* of each: a hook that comes too soon */
    size_t live_capacity, early_capacity;
    uint8_t left_behind; /* the size of a load that an atomic one may have left behind it; 0: none */
    bool escapes;        /* others may know the frame of this function */
    bool has_escaped;    /* so it was the last time */
    bool is_reached;     /* somebody comes there, as far as is known */
    bool falls;          /* what comes next may follow on what comes before */
    bool looks;          /* findings are noted; otherwise only whether it escapes is found out */
} finder;

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* ---- hooks ----------------------------------------------------------------------------------------------
 */

static void announce(finder *f, mz__value address, int64_t size, bool reads, bool writes)
{
    f->announced = mz_grow(f->announced, &f->capacity, f->count + 1, sizeof *f->announced);
    f->announced[f->count++] = (announcement){
        .address = address, .size = size, .reads = reads, .writes = writes, .statement = NO_STATEMENT};
}

static void find(finder *f, size_t statement, mz__finding_kind kind, uint8_t uses, const mz__instruction *i);

static void note_write_hook(finder *f, size_t statement, int64_t told)
{
    announcement *a = &f->announced[f->count - 1];
    a->statement = statement;
    a->is_early = a->is_over = f->early[statement - f->first];
    if (!a->is_early)
        return;
    mz__instruction call = f->instructions[statement - f->first];
    call.number = told;
    find(f, statement, MZ__FOUND_EARLY, 0, &call);
}

/* Something is read that is not the function's own: whatever was announced to be written and is not yet
 * written was announced too soon. */
static void note_reading(finder *f)
{
    for (size_t n = 0; n < f->count; n++) {
        announcement *a = &f->announced[n];
        if (a->statement == NO_STATEMENT || a->is_performed)
            continue;
        a->is_early = a->is_over = true;
        f->early[a->statement - f->first] = true;
    }
}

static void note_writing(finder *f, mz__value address)
{
    for (size_t n = 0; n < f->count; n++) {
        announcement *a = &f->announced[n];
        if (a->address.node == address.node && address.offset >= a->address.offset &&
            address.offset < a->address.offset + a->size)
            a->is_performed = true;
    }
}

/* __tsan_unaligned_read8, __tsan_write_range, …: which bytes does it announce? */
static void note_hook(finder *f, size_t statement, const char *name)
{
    mz__value address = mz__values_register(f->values, MZ__RDI),
              second = mz__values_register(f->values, MZ__RSI);
    const char *read = strstr(name, "read"), *write = strstr(name, "write"), *range = strstr(name, "_range");
    const char *last = write ? write + 5 : read ? read + 4 : "";
    int64_t size =
        range ? (mz__value_is_number(f->values, second) ? second.offset : 0) : strtol(last, NULL, 10);
    if (begins(name, "__tsan_vptr_")) {
        size = 8;
        write = strstr(name, "update");
    }
    if (size > 0)
        announce(f, address, size, read, write);
    if (begins(name, "__tsan_vptr_read"))
        f->announced[f->count - 1].of_table = true;
    else if (size > 0 && write && !read && !begins(name, "__tsan_vptr_"))
        note_write_hook(f, statement, range ? 0 : size);
}

/* What it loads points to a table of virtual functions, which are constants. */
static bool loads_table(finder *f, const mz__instruction *i, const mz__reference *r)
{
    if (i->effect != MZ__LOADS || i->target_size != 8)
        return false;
    mz__value address = mz__values_address(f->values, &i->uses[0], r);
    for (size_t n = 0; n < f->count; n++)
        if (f->announced[n].of_table && f->announced[n].address.node == address.node &&
            f->announced[n].address.offset == address.offset)
            return true;
    return false;
}

/* Hooks before plain accesses, and at the beginning and the end of functions. Between one of them and its
 * access others may be called. */
static bool is_hook(const char *name)
{
    return begins(name, "__tsan_") && !begins(name, "__tsan_atomic");
}

/* clang leaves the load that it has replaced by a call behind that; nobody uses what it loads. The address is
 * not always known to be the same: it may come from the stack, where a call before could have changed it. */
static void note_atomic_load(finder *f, const char *name)
{
    long bits = strtol(name + strlen("__tsan_atomic"), NULL, 10);
    f->count = 0;
    if (!strstr(name, "_load"))
        return;
    announce(f, mz__values_register(f->values, MZ__RDI), bits / 8, true, false);
    f->left_behind = (uint8_t)(bits / 8);
}

/* The first load of that size behind it, of what nobody uses. */
static bool is_left_behind(finder *f, size_t statement, const mz__instruction *i)
{
    bool is_load = f->left_behind > 0 && i->effect == MZ__LOADS && i->use_count == 1 && !i->uses[0].writes &&
                   i->uses[0].kind == MZ__USES_BYTES && i->uses[0].size == f->left_behind &&
                   i->target < MZ__GENERAL && statement + 1 < f->end;
    if (!is_load || mz__is_read_after(f->code, statement, f->first, f->end, f->instructions, f->live))
        return false;
    f->left_behind = 0;
    return true;
}

static void step_call(finder *f, size_t statement, const mz__instruction *i, const mz__reference *r)
{
    bool of_locals = strcmp(r->name, "__tls_get_addr") == 0;
    mz__value local = mz__values_register(f->values, MZ__RDI);
    f->left_behind = 0;
    if (is_hook(r->name))
        note_hook(f, statement, r->name);
    else if (begins(r->name, "__tsan_atomic"))
        note_atomic_load(f, r->name);
    else if (!of_locals)
        f->count = 0;
    mz__values_step(f->values, i, r, of_locals || begins(r->name, "__tsan_"));
    if (of_locals)
        mz__values_set(f->values, MZ__RAX, local);
}

/* ---- accesses -------------------------------------------------------------------------------------------
 */

/* How many bytes, at most; 0: that is not known. */
static int64_t bytes_of(finder *f, const mz__use *u)
{
    mz__value times = mz__values_register(f->values, MZ__RCX);
    if (u->kind == MZ__USES_BYTES)
        return u->size;
    return u->kind == MZ__USES_REPEATED && mz__value_is_number(f->values, times) ? times.offset * u->size : 0;
}

/* A hook for a write that comes too soon tells of what is read there, too: a bit-field's unit. */
static bool tells(const announcement *a, bool writes, bool exactly)
{
    if (exactly && a->is_over)
        return false;
    return writes ? a->writes : a->reads || a->is_early;
}

static bool is_announced(finder *f, mz__value address, int64_t size, bool writes, bool exactly)
{
    for (size_t i = 0; i < f->count; i++) {
        const announcement *a = &f->announced[i];
        if (a->address.node == address.node && a->address.offset <= address.offset &&
            address.offset + size <= a->address.offset + a->size && tells(a, writes, exactly))
            return true;
    }
    return false;
}

static bool is_known(finder *f, const mz__use *u, mz__value address, bool exactly)
{
    int64_t size = bytes_of(f, u);
    return size > 0 && (!u->reads || is_announced(f, address, size, false, exactly)) &&
           (!u->writes || is_announced(f, address, size, true, exactly));
}

/* Nobody can notice it. */
static bool is_private(finder *f, const mz__use *u, mz__value address, const mz__reference *r)
{
    if (u->base == MZ__RIP && r->kind == MZ__REFERS_BY_TABLE)
        return true;
    if (mz__value_is_constant(f->values, address) && !u->writes)
        return true;
    return mz__value_is_frame(f->values, address) &&
           (!f->escapes || (mz__value_is_return(f->values, address) && u->size == 8 && !u->writes));
}

static void find(finder *f, size_t statement, mz__finding_kind kind, uint8_t uses, const mz__instruction *i)
{
    if (!f->looks)
        return;
    mz__findings *out = f->out;
    out->items = mz_grow(out->items, &out->capacity, out->count + 1, sizeof *out->items);
    out->items[out->count++] =
        (mz__finding){.statement = statement,
                      .kind = kind,
                      .uses = uses,
                      .instruction = *i,
                      .holding = f->live[statement - f->first] & ~mz__values_garbage(f->values)};
    if (kind != MZ__FOUND_REFUSED && kind != MZ__FOUND_IN_FRAME && kind != MZ__FOUND_EARLY)
        f->count = 0; /* what was announced before it may be over when its hook returns */
}

/* The same, perhaps only where the order matters and hooks that come too soon do not count. */
static void find_with_order(finder *f, size_t statement, mz__finding_kind kind, uint8_t uses,
                            const mz__instruction *i, bool is_exact)
{
    size_t count = f->count;
    find(f, statement, kind, uses, i);
    if (!is_exact)
        return;
    f->count = count;
    if (f->looks)
        f->out->items[f->out->count - 1].is_exact = true;
    for (size_t n = 0; n < count; n++)
        f->announced[n].is_over = true;
}

static void note_order(finder *f, const mz__instruction *i, const mz__reference *r)
{
    for (uint8_t n = 0; n < i->use_count; n++) {
        mz__value address = mz__values_address(f->values, &i->uses[n], r);
        if (i->uses[n].reads && !mz__value_is_frame(f->values, address) &&
            !is_private(f, &i->uses[n], address, r))
            note_reading(f);
    }
    for (uint8_t n = 0; n < i->use_count; n++)
        if (i->uses[n].writes)
            note_writing(f, mz__values_address(f->values, &i->uses[n], r));
}

/* movs, which reads and writes at once: nothing can be put between the two. */
static bool copies_string(const finder *f, const mz__statement *s, const mz__instruction *i)
{
    const char *line = f->code->text.bytes + s->at;
    bool is_string = i->use_count == 2 && begins(i->name, "movs") && i->effect == MZ__CHANGES;
    return is_string && memmem(line, s->length, "movs", 4);
}

static void look_at_uses(finder *f, size_t statement, const mz__instruction *i, const mz__reference *r)
{
    const mz__statement *s = &f->code->statements[statement];
    uint8_t found = 0, exact = 0;
    bool in_frame = true, is_unclear = false, copies = copies_string(f, s, i);
    bool told = !s->is_written; /* no compiler tells of these: if the same was announced, that was another */
    if (told && is_left_behind(f, statement, i))
        return;
    note_order(f, i, r);
    for (uint8_t n = 0; n < i->use_count; n++) {
        mz__value address = mz__values_address(f->values, &i->uses[n], r);
        bool private = is_private(f, &i->uses[n], address, r);
        copies &= !private;
        if (private || (told && is_known(f, &i->uses[n], address, true)))
            continue;
        exact |= (uint8_t)(1U << n);
        if (told && is_known(f, &i->uses[n], address, false))
            continue;
        found |= (uint8_t)(1U << n);
        in_frame &= mz__value_is_frame(f->values, address);
        is_unclear |= i->uses[n].has_segment || i->uses[n].is_guessed;
    }
    bool atomic = s->is_written && (i->role == MZ__IS_LOAD || i->role == MZ__IS_STORE);
    if (!found && i->is_locked)
        find(f, statement, MZ__FOUND_FENCE, 0, i); /* on its own frame: a usual way to write one */
    else if (is_unclear)
        find(f, statement, MZ__FOUND_REFUSED, found, i);
    else if (copies && exact)
        find_with_order(f, statement, MZ__FOUND_COPY, exact, i, !found);
    else if (found && (atomic || i->role == MZ__IS_UPDATE))
        find(f, statement, MZ__FOUND_ATOMIC, found, i);
    else if (exact)
        find_with_order(f, statement, found && in_frame ? MZ__FOUND_IN_FRAME : MZ__FOUND_ACCESS, exact, i,
                        !found);
}

/* In the program's own assembly: it leaves the function, and nobody knows what happens there. */
static bool leaves(const mz__instruction *i, const mz__reference *r)
{
    bool elsewhere = i->use_count > 0 || i->mentioned || r->kind != MZ__REFERS_TO_NOTHING;
    return i->effect == MZ__CALLS || (i->effect == MZ__JUMPS && elsewhere);
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

/* In the program's own assembly: it jumps to a label, or by a number of bytes (`.+4`, `1f+3`), which would
 * not be the same with hooks on the way. */
static bool jumps_to_label(const finder *f, const mz__statement *s)
{
    const char *line = f->code->text.bytes + s->at, *end = line + s->length, *last = end;
    while (last > line && !strchr(" \t,*", last[-1]))
        last--;
    size_t digits = 0, length = (size_t)(end - last);
    for (size_t n = 0; n < length; n++)
        if (!is_name_char(last[n]))
            return false;
    while (digits < length && last[digits] >= '0' && last[digits] <= '9')
        digits++;
    bool local = digits > 0 && digits + 1 == length && (last[digits] == 'b' || last[digits] == 'f');
    bool here = length == 1 && *last == '.';
    return length > 0 && !here && (digits == 0 || local);
}

/* There is no long form of these. */
static bool is_short(const mz__instruction *i)
{
    size_t length = strlen(i->name);
    return begins(i->name, "loop") || (length > 2 && strcmp(i->name + length - 3, "cxz") == 0);
}

static void step_jump(finder *f, const mz__statement *s)
{
    if (s->target)
        mz__values_leave_to(f->values, s->target,
                            s->target >= f->first && s->target < f->end ? f->live[s->target - f->first]
                                                                        : MZ__ALL_REGISTERS);
    else
        mz__values_leave(f->values);
}

/* It sets or asks how the processor calculates. (Compilers set the rounding of the older unit for a moment,
 * to turn its numbers into integers.) */
static bool is_of_control(const mz__statement *s, const mz__instruction *i)
{
    static const char *const older[] = {"fldcw", "fldenv", "frstor", "fninit", "fxrstor", "xrstor"};
    bool found = strcmp(i->name + (*i->name == 'v'), "ldmxcsr") == 0 ||
                 strcmp(i->name + (*i->name == 'v'), "stmxcsr") == 0;
    for (size_t n = 0; n < MZ_LENGTH(older) && s->is_written && !found; n++)
        found = begins(i->name, older[n]);
    return found;
}

static void look_at_instruction(finder *f, size_t statement, const mz__instruction *i, const mz__reference *r)
{
    const mz__statement *s = &f->code->statements[statement];
    bool jumps = i->effect == MZ__JUMPS;
    if (f->looks)
        mz__frame_note(f->frame, statement - f->first, f->values, s, i, r);
    if (is_of_control(s, i))
        find(f, statement, MZ__FOUND_CONTROL, 0, i);
    if (i->role == MZ__IS_REFUSED || (s->is_written && (leaves(i, r) || (jumps && !jumps_to_label(f, s)))))
        find(f, statement, MZ__FOUND_REFUSED, 0, i);
    else if (jumps && is_short(i))
        find(f, statement, MZ__FOUND_SHORT_JUMP, 0, i);
    else if (i->role == MZ__IS_CLOCK)
        find(f, statement, MZ__FOUND_CLOCK, 0, i);
    else if (i->role == MZ__IS_FENCE)
        find(f, statement, MZ__FOUND_FENCE, 0, i);
    else if (i->effect != MZ__ADDRESSES)
        look_at_uses(f, statement, i, r);
    if (i->effect == MZ__CALLS)
        step_call(f, statement, i, r);
    else if (loads_table(f, i, r))
        mz__value_set_constant(f->values, i->target);
    else
        mz__values_step(f->values, i, r, false);
    if (i->effect == MZ__JUMPS)
        step_jump(f, s);
    f->falls = i->effect != MZ__RETURNS && strcmp(i->name, "jmp") != 0;
}

/* A statement that makes several instructions (a macro, numbers): nothing can be put between them. */
static bool is_simple(finder *f, const mz__statement *s)
{
    size_t at = 0, touching = 0, count = 0;
    mz__instruction i;
    for (; at < s->size && mz__decode(f->decoder, s->bytes + at, s->size - at, &i); at += i.size) {
        if (strcmp(i.name, "nop") == 0)
            continue;
        count++;
        touching += i.use_count > 0 || i.role != MZ__IS_PLAIN || i.effect == MZ__CALLS;
    }
    return at >= s->size && (count <= 1 || touching == 0);
}

static void look_at_statement(finder *f, size_t statement)
{
    const mz__statement *s = &f->code->statements[statement];
    const mz__instruction *i = &f->instructions[statement - f->first];
    mz__values_next(f->values, (uint32_t)statement);
    if (s->is_entered && statement > f->first) {
        f->is_reached = mz__values_enter(f->values, f->falls && f->is_reached, s->is_unknown,
                                         f->live[statement - f->first]);
        f->count = 0;
        f->falls = true;
    }
    if (s->size == 0 || !f->is_reached)
        return;
    if (i->size == 0) {
        find(f, statement, MZ__FOUND_REFUSED, 0, i);
        mz__values_enter(f->values, true, true, MZ__ALL_REGISTERS);
        return;
    }
    mz__reference r = mz__code_reference(f->code, s, i->size);
    look_at_instruction(f, statement, i, &r);
}

/* ---- functions ------------------------------------------------------------------------------------------
 */

static void decode_function(finder *f, size_t first, size_t end)
{
    f->first = first;
    f->end = end;
    f->instructions =
        mz_grow(f->instructions, &f->instruction_capacity, end - first, sizeof *f->instructions);
    for (size_t n = first; n < end; n++) {
        const mz__statement *s = &f->code->statements[n];
        mz__instruction *i = &f->instructions[n - first];
        if (s->size == 0 || (s->is_written && !is_simple(f, s)) ||
            !mz__decode(f->decoder, s->bytes, s->size, i))
            *i = (mz__instruction){.size = 0};
    }
    f->live = mz_grow(f->live, &f->live_capacity, end - first, sizeof *f->live);
    f->early = mz_grow(f->early, &f->early_capacity, end - first, sizeof *f->early);
    memset(f->early, 0, (end - first) * sizeof *f->early);
    f->end = end;
    mz__find_live(f->code, first, end, f->instructions, f->live);
}

/* Is rbp the frame from beginning to end: set from rsp once, restored at the end, and never anything else? */
static bool is_framed(const finder *f, size_t count)
{
    bool framed = false;
    for (size_t n = 0; n < count; n++) {
        const mz__instruction *i = &f->instructions[n];
        if (i->target == MZ__RBP && i->effect == MZ__COPIES && i->source == MZ__RSP)
            framed = true;
        else if ((i->changed >> MZ__RBP & 1) && i->effect != MZ__POPS && strcmp(i->name, "leave") != 0)
            return false;
    }
    return framed;
}

static void look_at_all(finder *f, size_t first, size_t end, bool looks)
{
    f->looks = looks;
    f->count = 0;
    f->falls = f->is_reached = true;
    for (size_t n = first; n < end; n++)
        look_at_statement(f, n);
    f->has_escaped = mz__values_escaped(f->values);
}

/* Until nothing more is found out about what registers hold at places that are jumped to: each of them
 * changes twice at most. Returns whether an address of the frame gets out of sight. */
static bool find_out(finder *f, size_t first, size_t end, bool escapes)
{
    mz__values_begin(f->values, is_framed(f, end - first));
    do {
        f->escapes = escapes;
        look_at_all(f, first, end, false);
    } while (mz__values_again(f->values, escapes));
    /* what another part of the function does is not looked at */
    return f->code->statements[first].is_part || f->has_escaped;
}

/* Where nobody comes, as far as is known, somebody may come all the same. */
static bool find_unreached(finder *f, size_t first, size_t end)
{
    bool found = false;
    for (size_t n = first; n < end; n++) {
        mz__statement *s = &f->code->statements[n];
        if (!s->is_entered || n == first || s->is_unknown || mz__values_is_reached(f->values, (uint32_t)n))
            continue;
        s->is_unknown = found = true;
    }
    return found;
}

/* Both parts are in the order of the statements: so is then the whole. What is dead at a call, the second
 * part, comes before what else is found there. */
static void merge_findings(mz__finding *items, size_t middle, size_t count)
{
    mz__finding *first = mz_allocate(middle * sizeof *first + 1);
    if (middle > 0)
        memcpy(first, items, middle * sizeof *first);
    for (size_t to = 0, a = 0, b = middle; a < middle; to++)
        items[to] = b < count && items[b].statement <= first[a].statement ? items[b++] : first[a++];
    mz_release(first);
}

/* Then once more, to find what nobody announces, and what is dead. */
static void look_at_function(finder *f, size_t first, size_t end)
{
    decode_function(f, first, end);
    bool escapes = find_out(f, first, end, true);
    while (find_unreached(f, first, end))
        escapes = find_out(f, first, end, true);
    if (!escapes)
        escapes = find_out(f, first, end, false);
    mz__values_again(f->values, escapes);
    f->escapes = escapes;
    mz__frame_begin(f->frame, f->values, end - first);
    size_t found = f->out->count;
    look_at_all(f, first, end, true);
    size_t others = f->out->count - found;
    if (!escapes && mz__frame_stale(f->frame, f->code, first, end, f->instructions, f->live, f->out))
        merge_findings(f->out->items + found, others, f->out->count - found);
}

void mz__find_accesses(mz__code *code, mz__findings *out)
{
    finder f = {.code = code,
                .decoder = mz__decoder_new(),
                .values = mz__values_new(),
                .out = out,
                .frame = mz__frame_new()};
    for (size_t first = 0, end; first < code->count; first = end) {
        for (end = first + 1; end < code->count && !code->statements[end].begins;)
            end++;
        look_at_function(&f, first, end);
    }
    mz__decoder_release(f.decoder);
    mz__values_release(f.values);
    mz__frame_release(f.frame);
    mz_release(f.announced);
    mz_release(f.instructions);
    mz_release(f.live);
    mz_release(f.early);
}
#endif
