/* Names for addresses and places of a real program, from its debug information (symbols.h) and from what we
 * know of its threads and its heap. */
#include <string.h>

#include "native/describe.h"
#include "native/schedule.h"

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
static bool is_of_library(const char *file)
{
    return *file == '<' || strncmp(file, "/usr/include/", 13) == 0 || strstr(file, "/include/c++/") ||
           strstr(file, "/lib/gcc/");
}

/* Where this code is in the program itself, if it is a part of a library that was inlined into it. */
static bool leave_library(uintptr_t pc, mz_position *position)
{
    mz_code_place call;
    for (size_t level = 0; position->file && is_of_library(position->file); level++) {
        if (!mz_symbols_inlined_call(mz__w.symbols, pc - 1, level, &call))
            return false;
        *position = position_of_place(&call);
    }
    return true;
}

/* Where the program itself is: what it calls of a library says little to its author. In the library if no
 * frame is known that is not. */
static void position_in_program(mz_frame frame, mz_position *position)
{
    enum { MOST = 64 };
    mz__position_of(frame.pc, position);
    mz_position place = *position;
    mz_frame caller;
    for (int depth = 0; depth < MOST && !leave_library(frame.pc, &place); depth++) {
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            return;
        frame = caller;
        mz__position_of(frame.pc, &place);
    }
    if (place.file)
        *position = place;
}

static mz_frame frame_of_caller(void)
{
    return (mz_frame){
        .pc = mz__caller.pc, .sp = mz__caller.sp, .fp = mz__caller.preserved[MZ__FRAME_POINTER]};
}

static mz_frame frame_of(const mz__thread *t)
{
    return (mz_frame){.pc = t->pc, .sp = t->entry_sp, .fp = t->frame_pointer};
}

void mz__position_of_failure(uintptr_t pc, mz_position *position)
{
    if (mz__w.current && pc == mz__caller.pc)
        position_in_program(frame_of_caller(), position);
    else
        mz__position_of(pc, position);
}

/* The frames of a thread that waits for its turn, innermost first, with the variable of one of them that lies
 * at the address. */
static bool name_local(uint32_t thread, uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    const mz__thread *t = &mz__w.threads[thread];
    mz_frame frame = frame_of(t), caller;
    if (t->life != MZ__ALIVE || !t->pc)
        return false;
    for (int depth = 0; depth < 64 && mz_symbols_frame(mz__w.symbols, &frame); depth++) {
        if (mz_symbols_local(mz__w.symbols, frame.pc - 1, frame.cfa, frame.fp, address, size, out, kind))
            return true;
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
    return false;
}

/* Of a library the innermost frame only, if that is where the thread is. */
void mz__add_stack(mz_text *out)
{
    enum { MOST = 6, MOST_LOOKED_AT = 64 };
    mz_frame frame = frame_of_caller(), caller;
    mz_code_place place;
    int shown = 0;
    bool skipped = false;
    for (int depth = 0; depth < MOST_LOOKED_AT && shown < MOST; depth++) {
        if (!mz_symbols_code(mz__w.symbols, frame.pc - 1, &place))
            break;
        if (depth > 0 && place.file && is_of_library(place.file)) {
            skipped = true;
        } else {
            mz_text_add(out, "%s%s()",
                        !shown++  ? ""
                        : skipped ? " < … < "
                                  : " < ",
                        place.function ? place.function : "?");
            if (place.file)
                mz_text_add(out, " %s:%u", place.file, place.line);
            skipped = false;
        }
        if (!mz_symbols_caller(mz__w.symbols, &frame, &caller))
            break;
        frame = caller;
    }
}

static void name_stack(uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
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

static void name_block(uintptr_t address, const mz__block *block, mz_text *out)
{
    mz_position place;
    mz__position_of(block->allocated_by, &place);
    if (place.file)
        mz_text_add(out, "block %u.%u (%s:%u)", block->thread, block->number, place.file, place.line);
    else
        mz_text_add(out, "block %u.%u", block->thread, block->number);
    if (address > block->start)
        mz_text_add(out, "+%zu", (size_t)(address - block->start));
}

void mz__name_data(uintptr_t address, size_t size, mz_text *out, mz_value_kind *kind)
{
    mz__block block;
    *kind = MZ_VALUE_UNKNOWN;
    if (address - MZ__ARENA < MZ__HEAPS && mz__heap_find(address, &block))
        name_block(address, &block, out);
    else if (address - MZ__ARENA < MZ__ARENA_BYTES && address - MZ__ARENA >= MZ__HEAPS)
        name_stack(address, size, out, kind);
    else if (!mz_symbols_data(mz__w.symbols, address, size, out, kind))
        mz_text_add(out, "address %#lx", (unsigned long)address);
}

void mz__position_of_thread(const mz__thread *t, mz_position *position)
{
    position_in_program(frame_of(t), position);
}

/* Objects are named as a whole: "queue.lock", not its first member. */
void mz__name_object(uintptr_t address, mz_text *out)
{
    mz_value_kind kind;
    mz__name_data(address, 4, out, &kind);
    static const char *const inner[] = {".__data.__lock", ".__data", ".__wseq", ".__lock"};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        char *found = out->bytes ? strstr(out->bytes, inner[i]) : NULL;
        if (found) {
            out->length = (size_t)(found - out->bytes);
            *found = 0;
        }
    }
}
