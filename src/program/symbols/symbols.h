/* Names for the addresses of a loaded shared object: functions and lines, variables and their members, and
 * the frames of a stack. With elfutils' libdw (MZ_HAVE_LIBDW) from the debug information; without it, or
 * where a program has none, from the ELF symbol table: then names are `symbol` or `symbol+offset`, and there
 * are no lines, locals and frames.
 *
 * Nothing here fails: a question without an answer returns false and leaves the text as it was. One
 * mz_symbols is for one thread at a time. */
#ifndef MZ_PROGRAM_SYMBOLS_SYMBOLS_H
#define MZ_PROGRAM_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef struct mz_symbols mz_symbols;

/* path: the shared object; bias: what the loader added to its addresses (link_map's l_addr). Only maps the
 * file, which may be deleted afterwards; what it says is read at the first question. */
mz_symbols *mz_symbols_open(const char *path, uintptr_t bias);
void mz_symbols_close(mz_symbols *symbols);

/* The strings live as long as the symbols. */
typedef struct mz_code_place {
    const char *function;  /* the innermost one if functions were inlined; C++: with its scopes */
    const char *file;      /* as it was given to the compiler; NULL if unknown */
    uint32_t line, column; /* 1-based; 0 if unknown */
} mz_code_place;

/* Where a code address is. For a return address pass address - 1. */
bool mz_symbols_code(mz_symbols *symbols, uintptr_t address, mz_code_place *place);

/* Where the function is called that was inlined there: the innermost one at level 0, the one around it at
 * level 1, and so on; false beyond the last. The function's name is not looked for. */
bool mz_symbols_inlined_call(mz_symbols *symbols, uintptr_t address, size_t level, mz_code_place *place);

typedef enum mz_value_kind {
    MZ_VALUE_UNKNOWN, /* not one whole scalar */
    MZ_VALUE_SIGNED,
    MZ_VALUE_UNSIGNED,
    MZ_VALUE_BOOL,
    MZ_VALUE_CHAR, /* char itself; signed and unsigned char are small numbers (int8_t, uint8_t) */
    MZ_VALUE_POINTER,
    MZ_VALUE_FLOAT
} mz_value_kind;

/* A type of the program; 0: none that is known. */
typedef uint64_t mz_type;

typedef struct mz_value_type {
    mz_value_kind kind;
    mz_type type;
} mz_value_type;

/* Appends the variable with static storage that contains `address`, as the expression that reaches what
 * `size` bytes there are: "queue.slots[2].value", "matrix[1][2]", "function::name" for the static of a
 * function, "space::name" in C++. A size of 0 means the innermost member, whatever its size.
 *   - a union takes its first member of that size; anonymous members and base classes are not spelled;
 *   - neither are members whose names belong to the implementation (__x, _X): a std::atomic or a mutex is one
 *     thing to the program;
 *   - bit-fields that share the bytes are spelled "flags.first..last";
 *   - what lies in no member is "name+12", in bytes. */
bool mz_symbols_data(mz_symbols *symbols, uintptr_t address, size_t size, mz_text *out, mz_value_type *kind);

/* The same for a thread-local variable: offset in the module's block of them. */
bool mz_symbols_thread_local(mz_symbols *symbols, size_t offset, size_t size, mz_text *out,
                             mz_value_type *kind);

/* The same for a variable or parameter of the function that contains pc (for a return address pass
 * address - 1), inner scopes first, in the frame with this canonical frame address and frame pointer. */
bool mz_symbols_local(mz_symbols *symbols, uintptr_t pc, uintptr_t cfa, uintptr_t frame_pointer,
                      uintptr_t address, size_t size, mz_text *out, mz_value_type *kind);

#if defined(__x86_64__)
enum { MZ_PRESERVED = 6 };
#else
enum { MZ_PRESERVED = 11 };
#endif

/* A frame of a stack in this process. */
typedef struct mz_frame {
    uintptr_t
        pc; /* where it continues, a return address (for an address that is about to run, pass it + 1) */
    uintptr_t sp;  /* x86-64: rsp, AArch64: sp; as they are when it continues */
    uintptr_t fp;  /* x86-64: rbp, AArch64: x29 */
    uintptr_t cfa; /* canonical frame address: the stack pointer before it was called */
    /* Registers that calls preserve, where they are known: x86-64: rbx, rbp, r12 … r15; AArch64: x19 … x29.
     */
    uintptr_t preserved[MZ_PRESERVED];
    uint32_t preserved_known; /* 1 << index */
} mz_frame;

/* ---- what pointers point to ---- */

/* "chan": of a typedef, or else of the struct. */
bool mz_symbols_type_name(mz_symbols *symbols, mz_type type, mz_text *out);
bool mz_symbols_type_size(mz_symbols *symbols, mz_type type, uint64_t *size);
/* A struct, class or union. */
bool mz_symbols_type_is_record(mz_symbols *symbols, mz_type type);
/* One whose last member is an array without bounds: an object of it is as long as its memory. */
bool mz_symbols_type_is_open(mz_symbols *symbols, mz_type type);
/* Appends what follows the name of a value of this type to reach `size` bytes of it: ".slots[2].value". */
void mz_symbols_member(mz_symbols *symbols, mz_type type, uint64_t offset, size_t size, mz_text *out,
                       mz_value_type *value);
/* The constant of an enumeration that has this value. */
bool mz_symbols_enumerator(mz_symbols *symbols, mz_type type, int64_t value, mz_text *out);

/* A value as text: what stands before each of its parts, and behind the last one. Padding is no part. */
typedef struct mz_value_part {
    char *before;
    uint64_t offset, size;    /* bytes of the value */
    uint32_t first_bit, bits; /* of those, if it is a bit-field; otherwise bits = 0 */
    mz_value_kind kind;       /* unknown: as bytes */
    mz_type type;
    bool is_text; /* an array of char, up to its first zero */
} mz_value_part;

typedef struct mz_value_form {
    mz_value_part *parts;
    size_t count, capacity;
    char *after;
} mz_value_form;

/* "{.count = ", 4 bytes, ", .name = ", 8 bytes, "}". False if the type is not known, or has too many parts.
 */
bool mz_symbols_value_form(mz_symbols *symbols, mz_type type, mz_value_form *form);
void mz_value_form_release(mz_value_form *form);

typedef struct mz_pointer {
    uintptr_t at;         /* where it is; 0: in a register */
    uintptr_t value;      /* of a register */
    const char *variable; /* of a function, which it is or is in; NULL: of static storage, or in a block */
    mz_type type;         /* what it points to */
} mz_pointer;

typedef void mz_pointer_visit(void *context, const mz_pointer *pointer);
/* Of variables with static storage; of a function's variables in a frame (its cfa is set); of a value of this
 * type, or an array of them, of so many bytes. Nothing is read there. */
void mz_symbols_global_pointers(mz_symbols *symbols, mz_pointer_visit *visit, void *context);
void mz_symbols_local_pointers(mz_symbols *symbols, const mz_frame *frame, mz_pointer_visit *visit,
                               void *context);
void mz_symbols_pointers_in(mz_symbols *symbols, mz_type type, uintptr_t address, size_t size,
                            mz_pointer_visit *visit, void *context);

/* The parts of the sections of variables (.data, .bss) that belong to no symbol. A symbol without a size
 * reaches up to the next one. None if there is no symbol table. */
void mz_symbols_for_each_gap(mz_symbols *symbols, void (*gap)(uintptr_t begin, uintptr_t end));

/* Where the section of this name lies; false if there is none. */
bool mz_symbols_section(mz_symbols *symbols, const char *name, uintptr_t *begin, uintptr_t *end);

typedef struct mz_parameters {
    mz_text names; /* "q, value" */
    size_t count;
    bool is_void_pointer; /* there is one, a void * */
} mz_parameters;

/* The files that the program was compiled from, but for those of the system, a line each; some more than
 * once. */
void mz_symbols_sources(mz_symbols *symbols, mz_text *out);

/* Those of a function by its symbol. *out is zeroed before, and its text to be released. */
bool mz_symbols_parameters(mz_symbols *symbols, const char *symbol, mz_parameters *out);

/* Is there any type with bit-fields? Yes, if that is not known. */
bool mz_symbols_has_bit_fields(mz_symbols *symbols);

/* Appends the name that the variable with static storage has in the symbol table, and the offset in it:
 * "queue+8". False if more than one variable is called so. */
bool mz_symbols_variable(mz_symbols *symbols, uintptr_t address, mz_text *out);

/* Sets cfa; pc, sp and fp are given. False outside the shared object, with cfa = 0. */
bool mz_symbols_frame(mz_symbols *symbols, mz_frame *frame);
/* One frame up (the frame's cfa need not be set). False when there is none. The caller may be outside the
 * shared object: then its cfa is 0, and the next call returns false. Reads the stack directly, so that sp and
 * fp have to be the true ones. */
bool mz_symbols_caller(mz_symbols *symbols, const mz_frame *frame, mz_frame *caller);

/* The same for whoever asks at every call, about a place that does not change: where the frame of a function
 * is, counted from sp or fp, while it stands at this return address; and where it has put the fp of its
 * caller. */
typedef struct mz_frame_rule {
    bool is_known, from_fp, keeps_fp;
    int32_t cfa, fp; /* cfa: from sp or fp; fp: from the cfa */
} mz_frame_rule;
mz_frame_rule mz_symbols_frame_rule(mz_symbols *symbols, uintptr_t pc);

#endif
