/* Opening and closing, and the questions: debug information is asked first, the symbol table where it has no
 * answer. */
#include "program/symbols/symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/symbols/symbols_internal.h"

#ifndef MZ_HAVE_LIBDW

/* ---- Without libdw there is no debug information ---- */

void mz__symbols_close_debug(mz__debug_info *debug)
{
    (void)debug;
}

bool mz__symbols_find_code(mz_symbols *symbols, uint64_t pc, mz_text *function, mz_code_place *place)
{
    (void)symbols, (void)pc, (void)function, (void)place;
    return false;
}

bool mz__symbols_find_data(mz_symbols *symbols, mz__symbol_class class, uint64_t address, size_t size,
                           mz_text *out, mz_value_type *kind)
{
    (void)symbols, (void)class, (void)address, (void)size, (void)out, (void)kind;
    return false;
}

bool mz_symbols_has_bit_fields(mz_symbols *symbols)
{
    (void)symbols;
    return true;
}

bool mz_symbols_local(mz_symbols *symbols, uintptr_t pc, uintptr_t cfa, uintptr_t frame_pointer,
                      uintptr_t address, size_t size, mz_text *out, mz_value_type *kind)
{
    (void)symbols, (void)pc, (void)cfa, (void)frame_pointer, (void)address, (void)size, (void)out;
    *kind = (mz_value_type){0};
    return false;
}

bool mz_symbols_frame(mz_symbols *symbols, mz_frame *frame)
{
    (void)symbols;
    frame->cfa = 0;
    return false;
}

bool mz_symbols_caller(mz_symbols *symbols, const mz_frame *frame, mz_frame *caller)
{
    (void)symbols, (void)frame, (void)caller;
    return false;
}

mz_frame_rule mz_symbols_frame_rule(mz_symbols *symbols, uintptr_t pc)
{
    (void)symbols, (void)pc;
    return (mz_frame_rule){0};
}

#endif

/* ---- Questions ---- */

static void map_file(mz_symbols *symbols, const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        /* Writable and private, because libelf takes a char *: it may do with its copy what it likes. */
        void *image = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            symbols->image = image;
            symbols->image_size = (size_t)status.st_size;
        }
    }
    close(file);
}

mz_symbols *mz_symbols_open(const char *path, uintptr_t bias)
{
    mz_symbols *symbols = mz_allocate_zeroed(1, sizeof *symbols);
    symbols->bias = bias;
    map_file(symbols, path);
    return symbols;
}

void mz_symbols_close(mz_symbols *symbols)
{
    if (!symbols)
        return;
    mz__symbols_close_debug(symbols->debug);
    for (size_t i = 0; i < MZ__SYMBOL_CLASSES; i++)
        mz_release(symbols->symbols[i].items);
    for (size_t i = 0; i < symbols->place_count; i++)
        mz_release(symbols->places[i].function);
    mz_release(symbols->places);
    if (symbols->image)
        munmap(symbols->image, symbols->image_size);
    mz_release(symbols);
}

/* Where in the known places an address is, or belongs. */
static size_t place_index(const mz_symbols *symbols, uintptr_t address)
{
    size_t low = 0, high = symbols->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remember(mz_symbols *symbols, size_t index, uintptr_t address, const mz_text *function,
                     mz_code_place *place)
{
    symbols->places =
        mz_grow(symbols->places, &symbols->place_capacity, symbols->place_count + 1, sizeof *symbols->places);
    memmove(symbols->places + index + 1, symbols->places + index,
            (symbols->place_count - index) * sizeof *symbols->places);
    symbols->place_count++;
    char *copy = mz_copy_string(mz_text_string(function));
    place->function = copy;
    symbols->places[index] = (mz__known_place){address, copy, *place};
}

bool mz_symbols_code(mz_symbols *symbols, uintptr_t address, mz_code_place *place)
{
    size_t index = place_index(symbols, address);
    if (index < symbols->place_count && symbols->places[index].address == address) {
        *place = symbols->places[index].place;
        return true;
    }
    mz_text function = {0};
    *place = (mz_code_place){0};
    bool found = mz__symbols_find_code(symbols, address - symbols->bias, &function, place) ||
                 mz__symbols_name_by_symbol(symbols, MZ__SYMBOL_CODE, address - symbols->bias, &function);
    if (found)
        remember(symbols, index, address, &function, place);
    mz_text_release(&function);
    return found;
}

bool mz_symbols_inlined_call(mz_symbols *symbols, uintptr_t address, size_t level, mz_code_place *place)
{
    *place = (mz_code_place){0};
    return mz__symbols_find_inlined_call(symbols, address - symbols->bias, level, place);
}

bool mz_symbols_data(mz_symbols *symbols, uintptr_t address, size_t size, mz_text *out, mz_value_type *kind)
{
    uint64_t at = address - symbols->bias;
    *kind = (mz_value_type){0};
    return mz__symbols_find_data(symbols, MZ__SYMBOL_DATA, at, size, out, kind) ||
           mz__symbols_name_by_symbol(symbols, MZ__SYMBOL_DATA, at, out);
}

bool mz_symbols_thread_local(mz_symbols *symbols, size_t offset, size_t size, mz_text *out,
                             mz_value_type *kind)
{
    *kind = (mz_value_type){0};
    return mz__symbols_find_data(symbols, MZ__SYMBOL_THREAD_LOCAL, offset, size, out, kind) ||
           mz__symbols_name_by_symbol(symbols, MZ__SYMBOL_THREAD_LOCAL, offset, out);
}
