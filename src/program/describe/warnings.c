/* What is suspicious, but has not gone wrong. Warnings are collected over all executions, each once: so only
 * the question whether one is new belongs to the inner loop. */
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "program/describe/names.h"
#include "program/describe/warnings.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

bool mz__is_new_warning(mz_warning_kind kind, uintptr_t place, uintptr_t other_place)
{
    mz_hash key = mz_hash_add(mz_hash_add(mz_hash_start((uint64_t)kind), place), other_place);
    return mz_hash_set_add(&mz__w.known_warnings, key);
}

size_t mz__names_of_place(uintptr_t pc, mz_suppression_name *names)
{
    mz_code_place place;
    if (!pc || !mz_symbols_code(mz__w.symbols, pc - 1, &place))
        return 0;
    const char *slash = place.file ? strrchr(place.file, '/') : NULL;
    names[0] = (mz_suppression_name){.name = place.function};
    names[1] = (mz_suppression_name){.name = place.file, .line = place.line};
    names[2] = (mz_suppression_name){.name = slash ? slash + 1 : place.file, .line = place.line};
    return MZ__NAMES_OF_PLACE;
}

void mz__warn(mz_warning_kind kind, uintptr_t pc, const char *format, ...)
{
    va_list arguments;
    mz_text message = {0};
    va_start(arguments, format);
    mz_text_add_list(&message, format, arguments);
    va_end(arguments);
    mz_warning warning = {.kind = kind, .message = mz_copy_string(mz_text_string(&message))};
    mz_text_release(&message);
    mz__position_in_program(pc, &warning.position);
    mz__w.warnings =
        mz_grow(mz__w.warnings, &mz__w.warning_capacity, mz__w.warning_count + 1, sizeof *mz__w.warnings);
    mz__w.warnings[mz__w.warning_count++] = warning;
}
