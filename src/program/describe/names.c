/* Names for addresses and places of a real program, from its debug information (symbols.h) and from what we
 * know of its threads and its heap. */
#include <inttypes.h>
#include <string.h>

#include "program/describe/frames.h"
#include "program/describe/heap_names.h"
#include "program/describe/names.h"
#include "program/memory/heap.h"
#include "program/symbols/symbols.h"
#include "program/world/named_locations.h"
#include "program/world/world.h"

static mz_position position_of_place(const mz_code_place *place)
{
    return (mz_position){.file = place->file, .line = place->line, .column = place->column};
}

void mz__position_of(uintptr_t pc, mz_position *position)
{
    mz_code_place place;
    *position = (mz_position){0};
    if (pc && mz_symbols_code(mz__w.symbols, pc - 1, &place))
        *position = position_of_place(&place);
}

/* Headers of the system and of the compiler, and parts of the libraries of our own making (c/, cxx/). */
bool mz__is_of_library(const char *file)
{
    return *file == '<' || strncmp(file, "/usr/include/", 13) == 0 || strstr(file, "/include/c++/") ||
           strstr(file, "/lib/gcc/");
}

/* Where this code is in the program itself, if it is a part of a library that was inlined into it. */
static bool leave_library(uintptr_t pc, mz_position *position)
{
    mz_code_place call;
    for (size_t level = 0; position->file && mz__is_of_library(position->file); level++) {
        if (!mz_symbols_inlined_call(mz__w.symbols, pc - 1, level, &call))
            return false;
        *position = position_of_place(&call);
    }
    return true;
}

void mz__position_in_program(uintptr_t pc, mz_position *position)
{
    mz__position_of(pc, position);
    mz_position place = *position;
    if (leave_library(pc, &place) && place.file)
        *position = place;
}

/* ---- calls of a library ---------------------------------------------------------------------------------
 *
 * That a lock is taken, or a block allocated, is of interest later, when the frames are gone, and only
 * seldom. So it must cost little to find the call in the program from which it comes. What a frame of a
 * library looks like follows from the place in it, most often: where it does not (alloca), what is found
 * there is usually no place that is known, and then the frames are looked at one by one. */

typedef struct known_frame {
    uintptr_t pc;
    size_t
        bytes; /* up to that of the caller, where the return address lies below; 0: not known, or elsewhere */
    bool of_library;
} known_frame;

enum { KNOWN_FRAMES = 1024, MOST_FRAMES = 64 };

static known_frame known_frames[KNOWN_FRAMES];

static known_frame *known_at(uintptr_t pc)
{
    return &known_frames[mz_mix64(pc) % KNOWN_FRAMES];
}

static uintptr_t return_address_below(uintptr_t sp)
{
    return *(const uintptr_t *)(sp - sizeof(uintptr_t));
}

/* Frame by frame, from the innermost one; which it is if no frame is known that is not of a library. */
static uintptr_t call_in_program(mz_frame frame)
{
    uintptr_t innermost = frame.pc;
    mz_frame caller;
    for (int depth = 0; depth < MOST_FRAMES; depth++, frame = caller) {
        mz_position place;
        mz__position_of(frame.pc, &place);
        known_frame *known = known_at(frame.pc);
        *known = (known_frame){.pc = frame.pc, .of_library = !leave_library(frame.pc, &place)};
        if (!known->of_library)
            return frame.pc;
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        if (return_address_below(caller.sp) == caller.pc)
            known->bytes = caller.sp - frame.sp;
    }
    return innermost;
}

uintptr_t mz__find_call_in_program(void)
{
    uintptr_t pc = mz__caller.pc, sp = mz__caller.sp, top = mz__w.current ? mz__w.current->stack_top : 0;
    for (int depth = 0; depth < MOST_FRAMES; depth++) {
        const known_frame *known = known_at(pc);
        if (!pc || known->pc != pc || (known->of_library && (known->bytes == 0 || sp + known->bytes > top)))
            return call_in_program(mz__frame_of_caller());
        if (!known->of_library)
            return pc;
        sp += known->bytes;
        pc = return_address_below(sp);
    }
    return mz__caller.pc;
}

/* ---- failures, variables --------------------------------------------------------------------------------
 */

void mz__add_place(mz_text *out, const char *prefix, uintptr_t pc)
{
    mz_position place;
    mz__position_in_program(pc, &place);
    if (place.file)
        mz_text_add(out, " (%s%s:%u)", prefix, place.file, place.line);
}

/* What the program calls of a library says little to its author. */
static void position_in_program(mz_frame frame, mz_position *position)
{
    mz__position_in_program(call_in_program(frame), position);
    if (!position->file)
        mz__position_of(frame.pc, position);
}

void mz__position_of_failure(uintptr_t pc, mz_position *position)
{
    if (mz__w.current && pc == mz__caller.pc)
        position_in_program(mz__frame_of_caller(), position);
    else
        mz__position_in_program(pc, position);
}

/* The frames of a thread that waits for its turn, innermost first, with the variable of one of them that lies
 * at the address. */
static bool name_local(uint32_t thread, uintptr_t address, size_t size, mz_text *out, mz_value_type *kind)
{
    const mz__thread *t = &mz__w.threads[thread];
    mz_frame frame = mz__frame_of(t), caller;
    if (t->life != MZ__ALIVE || !t->pc)
        return false;
    for (int depth = 0; depth < MOST_FRAMES && mz_symbols_frame(mz__w.symbols, &frame); depth++) {
        if (mz_symbols_local(mz__w.symbols, frame.pc - 1, frame.cfa, frame.fp, address, size, out, kind))
            return true;
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
    return false;
}

/* The end of the arguments of a template that begin here; NULL: it is something else, as in operator<. */
static const char *end_of_arguments(const char *name, const char *begin)
{
    size_t depth = 0;
    if (begin - name >= 8 && strncmp(begin - 8, "operator", 8) == 0)
        return NULL;
    for (const char *at = begin; *at; at++) {
        depth += *at == '<';
        if (*at == '>' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Of what is long, the arguments of templates are what says least. */
static void add_function(const char *name, mz_text *out)
{
    enum { LONG = 80 };
    if (strlen(name) <= LONG) {
        mz_text_add(out, "%s()", name);
        return;
    }
    for (const char *at = name, *end; *at; at = end) {
        const char *arguments = *at == '<' ? end_of_arguments(name, at) : NULL;
        end = arguments ? arguments : at + 1 + strcspn(at + 1, "<");
        if (arguments)
            mz_text_add(out, "<…>");
        else
            mz_text_add(out, "%.*s", (int)(end - at), at);
    }
    mz_text_add(out, "()");
}

bool mz__is_generated(const char *function)
{
    return function && (strncmp(function, "mz_entry_", 9) == 0 || strncmp(function, "mz_op_", 6) == 0);
}

/* Of a library the innermost frame only, if that is where the thread is. */
void mz__add_stack(mz_text *out)
{
    enum { MOST = 6 };
    mz_frame frame = mz__frame_of_caller(), caller;
    mz_code_place place;
    int shown = 0;
    bool skipped = false;
    for (int depth = 0; depth < MOST_FRAMES && shown < MOST; depth++) {
        if (!mz_symbols_code(mz__w.symbols, frame.pc - 1, &place))
            break;
        if (depth > 0 && mz__is_generated(place.function))
            break;
        if (depth > 0 && place.file && mz__is_of_library(place.file)) {
            skipped = true;
        } else {
            mz_text_add(out, "%s", !shown++ ? "" : skipped ? " < … < " : " < ");
            add_function(place.function ? place.function : "?", out);
            if (place.file)
                mz_text_add(out, " %s:%u", place.file, place.line);
            skipped = false;
        }
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
}

static void name_stack(uintptr_t address, size_t size, mz_text *out, mz_value_type *kind)
{
    uint32_t thread = (uint32_t)((address - MZ__ARENA - MZ__HEAPS) / MZ__STACK_BYTES);
    uintptr_t tls = mz__tls_block(thread);
    if (address >= tls) {
        if (!mz_symbols_thread_local(mz__w.symbols, address - tls, size, out, kind))
            mz_text_add(out, "thread-local variable");
        mz_text_add(out, " of thread %u", thread);
        return;
    }
    if (!name_local(thread, address, size, out, kind))
        mz_text_add(out, "a local variable");
    mz_text_add(out, " of thread %u", thread);
}

static void name_block(uintptr_t address, size_t size, const mz__block *block, mz_text *out,
                       mz_value_type *kind)
{
    mz_position place;
    if (block->start == mz__w.libc_variables) {
        mz_text_add(out, "a variable of the C library");
        return;
    }
    if (address - block->start < block->size && mz__name_in_block(block, address, size, out, kind))
        return;
    mz__position_in_program(block->allocated_by, &place);
    if (place.file)
        mz_text_add(out, "block %u.%u (%s:%u)", block->thread, block->number, place.file, place.line);
    else
        mz_text_add(out, "block %u.%u", block->thread, block->number);
    if (address > block->start)
        mz_text_add(out, "+%zu", (size_t)(address - block->start));
}

void mz__name_data(uintptr_t address, size_t size, mz_text *out, mz_value_type *kind)
{
    mz__block block;
    *kind = (mz_value_type){0};
    if (address - MZ__ARENA < MZ__HEAPS && mz__heap_find(address, &block))
        name_block(address, size, &block, out, kind);
    else if (address - MZ__ARENA < MZ__ARENA_BYTES && address - MZ__ARENA >= MZ__HEAPS)
        name_stack(address, size, out, kind);
    else if (!mz_symbols_data(mz__w.symbols, address, size, out, kind))
        mz_text_add(out, "address %#lx", (unsigned long)address);
}

uintptr_t mz__call_of_thread(const mz__thread *t)
{
    return call_in_program(mz__frame_of(t));
}

void mz__position_of_thread(const mz__thread *t, mz_position *position)
{
    position_in_program(mz__frame_of(t), position);
}

/* Who waits for the change of an atomic variable of C++ waits in a place for that, which knows the variable:
 * __waiting_place of cxx/linked/atomic_wait.h begins like this, and is aligned to so many bytes. NULL: the
 * name is not that of such a place, or it knows several. */
static const void *variable_of_place(const char *name, uintptr_t address)
{
    static const char places[] = "std::__detail::__waiting_places[";
    enum { ALIGNMENT = 128 };
    const struct {
        const void *variable;
        bool mixed;
    } *place = (const void *)(address & ~(uintptr_t)(ALIGNMENT - 1));
    if (strncmp(name, places, sizeof places - 1) != 0)
        return NULL;
    return place->mixed ? NULL : place->variable;
}

/* Objects are named as a whole: "queue.lock", not its first member. */
void mz__name_object(uintptr_t address, mz_text *out)
{
    static const char *const inner[] = {".__data.__lock", ".__data", ".__wseq", ".__lock"};
    mz_value_type kind;
    mz_text name = {0};
    address = MZ__BLOCK_OF_NAME(address);
    mz__name_data(address, 4, &name, &kind);
    const void *variable = variable_of_place(mz_text_string(&name), address);
    if (variable) {
        mz_text_clear(&name);
        mz_text_add(&name, "a notification of ");
        mz__name_data((uintptr_t)variable, 1, &name, &kind);
    }
    size_t length = name.length;
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        const char *found = strstr(mz_text_string(&name), inner[i]);
        if (found && (size_t)(found - name.bytes) < length)
            length = (size_t)(found - name.bytes);
    }
    mz_text_add(out, "%.*s", (int)length, mz_text_string(&name));
    mz_text_release(&name);
}

static void take_pointed_to(void *context, const mz_pointer *pointer)
{
    *(mz_type *)context = pointer->type;
}

/* Of what a pointer of this type points to: "&nodes[0]", not its first member; 1 if it is not known. */
static size_t size_of_target(mz_type pointer)
{
    mz_type target = {0};
    uint64_t size = 0;
    mz_symbols_pointers_in(mz__w.symbols, pointer, 0, sizeof(void *), take_pointed_to, &target);
    return mz_symbols_type_is_record(mz__w.symbols, target) &&
                   mz_symbols_type_size(mz__w.symbols, target, &size)
               ? (size_t)size
               : 1;
}

/* What a pointer points to: a block by its name, all else as C writes it. */
void mz__name_target(uintptr_t target, size_t size, mz_text *out)
{
    mz__block block;
    mz_value_type ignored;
    mz_code_place place;
    if (target - MZ__ARENA < MZ__HEAPS && mz__heap_find(target, &block) && block.start == target &&
        target != mz__w.libc_variables && mz__name_block(&block, out)) {
        if (block.freed_by)
            mz_text_add(out, " (freed)");
    } else if (mz__shadow_of(target)) {
        mz_text_add(out, "&");
        mz__name_data(target, size, out, &ignored);
    } else if (mz_symbols_code(mz__w.symbols, target, &place) && place.function) {
        mz_text_add(out, "&%s", place.function);
    } else {
        mz_text_add(out, "%#lx", (unsigned long)target);
    }
}

/* A number that is the address of a block, with marks in its last bits: "node | 1". */
static bool add_marked_pointer(uint64_t number, mz_text *out)
{
    enum { MARKS = 7 };
    mz__block block;
    uintptr_t target = number & ~(uint64_t)MARKS;
    if (target - MZ__ARENA >= MZ__HEAPS || !mz__heap_find(target, &block) || block.start != target)
        return false;
    mz__name_target(target, 1, out);
    if (number & MARKS)
        mz_text_add(out, " | %u", (unsigned)(number & MARKS));
    return true;
}

static void add_number(const void *bytes, uint32_t size, mz_value_type type, mz_text *out)
{
    uint64_t raw = 0;
    memcpy(&raw, bytes, size < 8 ? size : 8);
    uint32_t bits = size < 8 ? size * 8 : 64;
    int64_t number = (int64_t)(raw << (64 - bits)) >> (64 - bits);
    if (mz_symbols_enumerator(mz__w.symbols, type.type, type.kind == MZ_VALUE_SIGNED ? number : (int64_t)raw,
                              out))
        return;
    if (type.kind == MZ_VALUE_POINTER && raw == 0)
        mz_text_add(out, "NULL");
    else if (type.kind == MZ_VALUE_POINTER)
        mz__name_target(raw, size_of_target(type.type), out);
    else if (type.kind == MZ_VALUE_BOOL)
        mz_text_add(out, "%s", raw ? "true" : "false");
    else if (size == sizeof(uintptr_t) && add_marked_pointer(raw, out))
        return;
    else if (type.kind == MZ_VALUE_UNSIGNED)
        mz_text_add(out, "%" PRIu64, raw);
    else
        mz_text_add(out, "%" PRId64, number);
}

/* A pair of words is most often a pointer and a counter: "{head = node#0.1, tag = 3}". */
static bool add_fields(const void *bytes, mz_value_type type, mz_text *out)
{
    mz_text fields = {0};
    enum { WHOLE = 16 };
    for (uint32_t at = 0; at < WHOLE;) {
        uint32_t size = 8;
        mz_text name = {0};
        mz_value_type field = {0};
        for (; size > 0; size /= 2) {
            mz_text_clear(&name);
            mz_symbols_member(mz__w.symbols, type.type, at, size, &name, &field);
            if (field.kind != MZ_VALUE_UNKNOWN && at % size == 0)
                break;
        }
        if (size > 0) {
            mz_text_add(&fields, "%s%s = ", fields.length ? ", " : "", mz_text_string(&name) + 1);
            add_number((const char *)bytes + at, size, field, &fields);
        }
        at += size > 0 ? size : 1;
        mz_text_release(&name);
    }
    if (fields.length > 0)
        mz_text_add(out, "{%s}", mz_text_string(&fields));
    bool any = fields.length > 0;
    mz_text_release(&fields);
    return any;
}

void mz__add_value(const void *bytes, uint32_t size, mz_value_type type, mz_text *out)
{
    if (size == 16 && mz_symbols_type_is_record(mz__w.symbols, type.type) && add_fields(bytes, type, out))
        return;
    if (size == 16)
        mz_text_add(out, "%#" PRIx64 "'%016" PRIx64, ((const uint64_t *)bytes)[1],
                    ((const uint64_t *)bytes)[0]);
    else if (type.kind == MZ_VALUE_FLOAT && size == 8)
        mz_text_add(out, "%g", *(const double *)bytes);
    else if (type.kind == MZ_VALUE_FLOAT && size == 4)
        mz_text_add(out, "%g", (double)*(const float *)bytes);
    else
        add_number(bytes, size, type, out);
}
