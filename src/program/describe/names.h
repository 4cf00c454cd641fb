/* Names for addresses and places of a program (names.c). */
#ifndef MZ_PROGRAM_DESCRIBE_NAMES_H
#define MZ_PROGRAM_DESCRIBE_NAMES_H

#include "program/symbols/symbols.h"
#include "program/world/world.h"

void mz__name_data(uintptr_t address, size_t size, mz_text *out, mz_value_type *kind);
/* A number of so many bytes, copied from the program or in it. */
void mz__add_value(const void *bytes, uint32_t size, mz_value_type kind, mz_text *out);
/* What a pointer with this value points to: "node#1.3", "&queue.head", "&worker". */
void mz__name_target(uintptr_t target, size_t size, mz_text *out);
/* A synchronisation object as a whole: "queue.lock". */
void mz__name_object(uintptr_t address, mz_text *out);
void mz__position_of(uintptr_t pc, mz_position *position);
/* The same, where it is in the program itself, if it is a part of a library that was inlined into it. */
void mz__position_in_program(uintptr_t pc, mz_position *position);
/* Adds a place such as " (locked at queue.c:12)", if it is known. */
void mz__add_place(mz_text *out, const char *prefix, uintptr_t pc);
/* Where the program is that calls us: in its own code, not in that of its library (C++). */
uintptr_t mz__find_call_in_program(void);
static inline uintptr_t mz__call_in_program(void)
{
    return MZ_UNLIKELY(mz__w.has_exceptions) ? mz__find_call_in_program() : mz__caller.pc;
}
/* The same for where the running thread fails: in the program's own code, if the place is one of a library
 * that it has called. */
void mz__position_of_failure(uintptr_t pc, mz_position *position);
/* Where the running thread is: "put() queue.c:12 < worker() queue.c:30". */
/* The calls of --entry and of clients stand in functions of these names. */
bool mz__is_generated(const char *function);
/* Headers of the system and of the compiler, and parts of the libraries of our own making. */
bool mz__is_of_library(const char *file);
void mz__add_stack(mz_text *out);
/* Where the thread waits for its turn: in the program's own code, if that is in a library. */
uintptr_t mz__call_of_thread(const mz__thread *thread);
void mz__position_of_thread(const mz__thread *thread, mz_position *position);

#endif
