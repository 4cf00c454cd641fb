/* The parts of the symbols, and what they share:
 *   symbols.c           opening, closing, questions
 *   symbols_elf.c       the ELF symbol table
 *   symbols_index.c     debug information: functions, lines, static variables
 *   symbols_type.c      debug information: types, members
 *   symbols_value.c     debug information: the parts of a value
 *   symbols_parameters.c  debug information: parameters
 *   symbols_pointers.c    debug information: what pointers point to
 *   symbols_location.c  debug information: frames, locals
 *   symbols_expressions.c  … location expressions
 * They ask each other for addresses as they are in the file: without the bias. */
#ifndef MZ_PROGRAM_SYMBOLS_SYMBOLS_INTERNAL_H
#define MZ_PROGRAM_SYMBOLS_SYMBOLS_INTERNAL_H

#include "program/symbols/symbols.h"

#ifdef MZ_HAVE_LIBDW
#include <elfutils/libdw.h>
#endif

typedef enum mz__symbol_class {
    MZ__SYMBOL_CODE,
    MZ__SYMBOL_DATA,
    MZ__SYMBOL_THREAD_LOCAL,
    MZ__SYMBOL_CLASSES
} mz__symbol_class;

/* One line of the ELF symbol table. */
typedef struct mz__symbol {
    uint64_t start, size;
    const char *name; /* in the image */
} mz__symbol;

typedef struct mz__symbol_list {
    mz__symbol *items; /* by address */
    size_t count, capacity;
} mz__symbol_list;

/* What was asked once is asked often, and the strings have to live somewhere. */
typedef struct mz__known_place {
    uintptr_t address; /* with the bias */
    char *function;    /* owned */
    mz_code_place place;
} mz__known_place;

typedef struct mz__debug_info mz__debug_info;

struct mz_symbols {
    uintptr_t bias;
    char *image; /* the whole file; NULL if there is none */
    size_t image_size;
    bool symbols_read, debug_read;
    mz__symbol_list symbols[MZ__SYMBOL_CLASSES];
    mz__debug_info *debug;   /* NULL if there is none */
    mz__known_place *places; /* by address */
    size_t place_count, place_capacity;
};

/* ---- The ELF symbol table ---- */

/* NULL if there is none. */
const mz__symbol *mz__symbols_find_symbol(mz_symbols *symbols, mz__symbol_class class, uint64_t address);
/* Appends `symbol` or `symbol+offset`. */
bool mz__symbols_name_by_symbol(mz_symbols *symbols, mz__symbol_class class, uint64_t address, mz_text *out);

/* ---- Debug information; without libdw there is none, and these find nothing ---- */

void mz__symbols_close_debug(mz__debug_info *debug);
/* Appends the name of the function; sets the rest of *place. */
bool mz__symbols_find_code(mz_symbols *symbols, uint64_t pc, mz_text *function, mz_code_place *place);
/* The place of the call of the function that was inlined there (mz_symbols_inlined_call). */
bool mz__symbols_find_inlined_call(mz_symbols *symbols, uint64_t pc, size_t level, mz_code_place *place);
/* As mz_symbols_data and mz_symbols_thread_local. */
bool mz__symbols_find_data(mz_symbols *symbols, mz__symbol_class class, uint64_t address, size_t size,
                           mz_text *out, mz_value_type *kind);

#ifdef MZ_HAVE_LIBDW

/* How deep types and scopes are followed: debug information may be damaged. */
enum { MZ__MAX_DEPTH = 24, MZ__MAX_SCOPES = 64 };

/* A function has one of these for each range of its code. */
typedef struct mz__code_range {
    Dwarf_Addr low, high;
    Dwarf_Die function;
    Dwarf_Die unit; /* the one with the lines */
} mz__code_range;

/* clang splits a static struct into its members: then a variable has one of these for each piece. */
typedef struct mz__variable {
    Dwarf_Addr start;
    uint64_t size;   /* 0 = unknown */
    uint64_t offset; /* of the piece in the variable */
    char *name;      /* with its scopes; NULL until it is asked for */
    Dwarf_Die die;
} mz__variable;

typedef struct mz__variable_list {
    mz__variable *items; /* by address */
    size_t count, capacity;
} mz__variable_list;

struct mz__debug_info {
    Elf *elf;
    Dwarf *dwarf;              /* NULL without debug information; there may be frames all the same */
    Dwarf_CFI *eh_frames;      /* owned; from .eh_frame */
    Dwarf_CFI *dbg_frames;     /* libdw's; from .debug_frame */
    mz__code_range *functions; /* by address */
    size_t function_count, function_capacity;
    mz__variable_list globals, thread_locals;
    mz_pointer *pointers; /* of the globals, once they were asked for */
    size_t pointer_count, pointer_capacity;
    bool has_pointers;
};

/* Read at the first call; NULL if there is none. */
mz__debug_info *mz__symbols_debug(mz_symbols *symbols);

/* The name of a file as the compiler of the unit was given it. */
const char *mz__symbols_file_as_given(Dwarf_Die *unit, const char *file);

/* NULL if pc is in none. */
mz__code_range *mz__symbols_find_function(mz__debug_info *debug, Dwarf_Addr pc);
/* The blocks around pc, outermost first: the function itself. Returns how many there are. */
size_t mz__symbols_find_blocks(const mz__code_range *range, Dwarf_Addr pc, Dwarf_Die blocks[MZ__MAX_SCOPES]);

/* ---- Location expressions ---- */

typedef enum mz__location_kind {
    MZ__LOCATION_MEMORY,
    MZ__LOCATION_THREAD_LOCAL,
    MZ__LOCATION_REGISTER, /* the result is what the register contains */
    MZ__LOCATION_VALUE
} mz__location_kind;

/* What an expression may refer to; NULL instead of it for static addresses only. */
typedef struct mz__frame_values {
    bool sp_known, fp_known, cfa_known, base_known;
    uintptr_t sp, fp, cfa, base;
    const mz_frame *frame; /* with the other registers; NULL: they are not known */
} mz__frame_values;

/* DWARF's numbers for the two registers that locate frames. */
#if defined(__x86_64__)
enum { MZ__REGISTER_FP = 6, MZ__REGISTER_SP = 7 };
#elif defined(__aarch64__)
enum { MZ__REGISTER_FP = 29, MZ__REGISTER_SP = 31 };
#else
enum { MZ__REGISTER_FP = -1, MZ__REGISTER_SP = -1 };
#endif

/* Where a register is among those of a frame that calls preserve; -1: it is none of them. */
int mz__symbols_preserved(uint64_t number);

/* attribute: where the operations come from, for operands in a table of the unit; may be NULL. False for
 * what cannot be computed. */
bool mz__symbols_read_word(uint64_t address, uint64_t *value);
bool mz__symbols_evaluate(Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t count,
                          const mz__frame_values *frame, mz__location_kind *kind, uint64_t *result);

/* ---- Types ---- */

/* The bytes to name, from the start of the current type. */
typedef struct mz__span {
    uint64_t offset, size;
} mz__span;

/* The type of a variable or member, without typedefs and qualifiers: they say nothing about the layout. */
bool mz__symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* An array: its element, and the lengths of its dimensions (0 = not known: a flexible array member). */
enum { MZ__MAX_DIMENSIONS = 8 };
typedef struct mz__array_shape {
    Dwarf_Die element;
    uint64_t element_size;
    uint64_t counts[MZ__MAX_DIMENSIONS];
    uint64_t strides[MZ__MAX_DIMENSIONS]; /* bytes from one index to the next; never 0 */
    size_t dimensions;
} mz__array_shape;
bool mz__symbols_read_shape(Dwarf_Die *array, mz__array_shape *shape, unsigned depth);

/* A member of a record, or a class on which it is based. */
typedef struct mz__member {
    Dwarf_Die die, type;
    const char *name;
    uint64_t offset, size;
    bool bounded;             /* else a flexible array: it reaches as far as one asks */
    bool bitfield;            /* offset and size are then the bytes it touches */
    uint32_t first_bit, bits; /* of those */
} mz__member;
/* False if it is none that lies in the object. */
bool mz__symbols_read_member(Dwarf_Die *die, mz__member *member, unsigned depth);
mz_value_kind mz__symbols_kind_of_type(Dwarf_Die *type);
/* depth: how many types contain this one; 0 for that of a variable. */
bool mz__symbols_size_of_type(Dwarf_Die *type, uint64_t *size, unsigned depth);
bool mz__symbols_flag_attribute(Dwarf_Die *die, unsigned name);
/* Every variable of the function that contains pc: its address, or its value if it is in a register. */
typedef void mz__visit_local(void *context, Dwarf_Die *variable, bool in_memory, uint64_t where);
void mz__symbols_for_each_local(mz_symbols *symbols, uint64_t pc, mz__frame_values *values,
                                mz__visit_local *each, void *context);
void mz__symbols_spell_type(Dwarf_Die *type, mz__span bytes, mz_text *out, mz_value_type *kind);
/* Appends what follows the variable's name to reach these bytes of it. */
void mz__symbols_spell_variable(Dwarf_Die *die, mz__span bytes, mz_text *out, mz_value_type *kind);

#endif

#endif
