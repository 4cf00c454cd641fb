/* The machine code of an assembly text, and what is found out from it (x86-64, with capstone). */
#ifndef MZ_PROGRAM_CODE_CODE_H
#define MZ_PROGRAM_CODE_CODE_H

#include <stdint.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- code.c: from text to code ------------------------------------------------------------------
 */

typedef enum mz__reference_kind {
    MZ__REFERS_TO_NOTHING,
    MZ__REFERS_DIRECTLY, /* target: the place itself */
    MZ__REFERS_BY_TABLE, /* the table of addresses has the address of the target */
    MZ__REFERS_TO_LOCAL, /* to what tells where a thread has the target */
    MZ__REFERS_OTHERWISE,
} mz__reference_kind;

/* A relocation within an instruction. */
typedef struct mz__reference {
    mz__reference_kind kind;
    uint32_t symbol;
    int64_t addend;   /* as if the place were to be written there, not relative to anything */
    bool is_constant; /* the target lies where nobody can write */
    const char *name; /* of the symbol; "" for sections */
} mz__reference;

/* An instruction of the text, or a statement of the program's own assembly. */
typedef struct mz__statement {
    size_t at, length; /* its line, without the end */
    bool is_written;   /* by the program itself: inline assembly */
    bool begins;       /* a function begins here, */
    bool is_part;      /* or a part of one that stands elsewhere */
    bool is_entered;   /* there is a label before it to which may be jumped, */
    bool is_unknown;   /* and from where is not known */
    uint32_t target;   /* to which statement of its function it jumps; 0: none that is known */
    const uint8_t *bytes;
    size_t size; /* of the code up to the next statement; 0: it makes none */
    size_t most; /* that can be read */
    uint32_t section;
    uint64_t offset;
} mz__statement;

typedef struct mz__code {
    mz_text text; /* one statement per line */
    mz__statement *statements;
    size_t count, capacity;
    struct mz__relocation *relocations; /* sorted by section and offset */
    size_t relocation_count, relocation_capacity;
    mz_text object;
} mz__code;

/* Take the text and find its statements; *labelled is to be assembled. */
void mz__code_begin(mz__code *code, mz_text *text, mz_text *labelled);
/* Find their code in what it was assembled to. */
bool mz__code_read(mz__code *code, const char *object);
void mz__code_release(mz__code *code);
/* What the bytes from there on refer to. */
mz__reference mz__code_reference(const mz__code *code, const mz__statement *s, size_t size);

/* ---- operands.c: what an instruction does --------------------------------------------------------
 */

/* The general registers by their numbers in the code: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … */
enum { MZ__RAX, MZ__RCX, MZ__RDX, MZ__RBX, MZ__RSP, MZ__RBP, MZ__RSI, MZ__RDI, MZ__GENERAL = 16 };
enum { MZ__RIP = 32, MZ__NO_REGISTER = 255 };
/* In sets of registers: all that are not general, and the flags. */
enum {
    MZ__VECTORS = 1 << 16,
    MZ__CARRY = 1 << 17, /* flags: two that are often asked for alone, */
    MZ__ZERO = 1 << 18,
    MZ__OTHER_FLAGS = 1 << 19, /* and the others */
    MZ__FLAGS = MZ__CARRY | MZ__ZERO | MZ__OTHER_FLAGS,
    MZ__ALL_REGISTERS = (1 << 20) - 1
};
/* Those that a function may change. */
enum { MZ__LOST_BY_CALLS = 0x0fc7 | MZ__VECTORS | MZ__FLAGS };

typedef enum mz__use_kind {
    MZ__USES_BYTES,
    MZ__USES_REPEATED, /* rcx times so many bytes; of rep cmps and scas at most */
    MZ__USES_LANES,    /* elements that a mask selects */
    MZ__USES_GATHERED, /* elements whose places a vector tells */
    MZ__USES_BITS,     /* of a string of bits, which one a register tells */
} mz__use_kind;

/* Memory that an instruction reads or writes. */
typedef struct mz__use {
    mz__use_kind kind;
    bool reads, writes, has_segment;
    bool is_guessed; /* how many bytes it reads is not known */
    uint8_t base, index, scale;
    int64_t offset;
    uint32_t size; /* of an element, where there are several */
    uint8_t lanes; /* how many elements */
    uint8_t mask;  /* register: of vectors, or k if is_mask_k */
    bool is_mask_k;
    uint8_t indices, index_size, vector_size; /* the vector with the places, and of what width it is */
} mz__use;

/* What it does to the general registers. */
typedef enum mz__effect {
    MZ__CHANGES,   /* those of `changed` have unknown values */
    MZ__COPIES,    /* target = source */
    MZ__ADDS,      /* target += number */
    MZ__ADDRESSES, /* target = address of uses[0], which it does not access */
    MZ__COMPUTES,  /* target = f(itself, source, number) */
    MZ__LOADS,     /* target = uses[0] */
    MZ__STORES,    /* uses[0] = source, or number */
    MZ__PUSHES,
    MZ__POPS,
    MZ__CALLS,
    MZ__JUMPS,
    MZ__RETURNS,
} mz__effect;

typedef enum mz__role {
    MZ__IS_PLAIN,
    MZ__IS_LOAD, /* as atomic operations, where the program has written them itself */
    MZ__IS_STORE,
    MZ__IS_UPDATE,
    MZ__IS_FENCE,
    MZ__IS_CLOCK,
    MZ__IS_REFUSED, /* it cannot be seen, or not repeated */
} mz__role;

typedef struct mz__instruction {
    uint32_t id;
    char name[24];
    size_t size;
    bool is_locked, is_repeated, until_equal, is_vector;
    mz__role role;
    mz__effect effect;
    mz__use uses[2];
    uint8_t use_count;
    uint32_t mentioned, changed; /* sets of general registers */
    uint32_t needed,
        replaced;           /* those, MZ__VECTORS, MZ__FLAGS: what it may read, what it writes as a whole */
    uint8_t target, source; /* MZ__NO_REGISTER: none, or a number */
    uint8_t target_size, source_size;
    bool source_is_high; /* ah */
    int64_t number;      /* of a jump: how far it goes from its own beginning */
    int order;           /* of a fence */
} mz__instruction;

typedef struct mz__decoder mz__decoder;
mz__decoder *mz__decoder_new(void);
void mz__decoder_release(mz__decoder *decoder);
/* False: it is none that is known. */
bool mz__decode(mz__decoder *decoder, const uint8_t *bytes, size_t length, mz__instruction *out);

/* encoded.c: vector instructions that capstone 4 does not know, by the rules of their encoding. */
bool mz__decode_encoded(const uint8_t *bytes, size_t length, mz__instruction *out);

/* ---- values.c: which registers hold the same -----------------------------------------------------
 */

/* A number that is not known, and what is added to it. The same node is the same number, as long as none is
 * forgotten. */
typedef struct mz__value {
    uint32_t node;
    int64_t offset;
} mz__value;

typedef struct mz__values mz__values;
mz__values *mz__values_new(void);
void mz__values_release(mz__values *v);
/* A function begins. `framed`: rbp is its frame from beginning to end. */
void mz__values_begin(mz__values *v, bool framed);
/* The same once more, with what was found out: true if something has changed since the last time. `escapes`:
 * others may know what is in its frame. */
bool mz__values_again(mz__values *v, bool escapes);
/* The next statement, by its number. If it is jumped to: behind the one before it, which may have been the
 * end; from places that are known, or not. False: nobody has come there yet. */
void mz__values_next(mz__values *v, uint32_t statement);
bool mz__values_enter(mz__values *v, bool falls, bool is_unknown, uint32_t live);
bool mz__values_is_reached(const mz__values *v, uint32_t statement); /* has anybody come there? */
/* It may go on there, where these registers may be read. */
void mz__values_leave_to(mz__values *v, uint32_t statement, uint32_t live);
void mz__values_leave(mz__values *v); /* to where it is not known */
mz__value mz__values_register(mz__values *v, uint8_t number);
void mz__values_set(mz__values *v, uint8_t number, mz__value value);
void mz__value_set_constant(mz__values *v, uint8_t number); /* an address where nobody writes */
mz__value mz__values_address(mz__values *v, const mz__use *use, const mz__reference *reference);
bool mz__value_is_frame(const mz__values *v, mz__value value);
bool mz__value_is_return(const mz__values *v, mz__value value);   /* where the function returns to */
bool mz__value_is_constant(const mz__values *v, mz__value value); /* an address where nobody writes */
bool mz__value_is_number(const mz__values *v, mz__value value);
/* What it does to registers and frame. A call is `quiet` if it keeps to itself what it is told, as hooks do.
 */
void mz__values_step(mz__values *v, const mz__instruction *i, const mz__reference *reference, bool quiet);
/* Registers in which the last call may have left anything, and nobody expects anything. */
uint32_t mz__values_garbage(const mz__values *v);
/* An address in the frame has got somewhere where it is not followed. */
bool mz__values_escaped(const mz__values *v);

/* ---- unhooked.c: what nobody announces -----------------------------------------------------------
 */

/* liveness.c: which registers may be read before they are written, before each of the statements. */
void mz__find_live(const mz__code *code, size_t first, size_t end, const mz__instruction *instructions,
                   uint32_t *live);
/* May anybody read what a statement leaves in its target? Of calls only what they can have been told. */
bool mz__is_read_after(const mz__code *code, size_t statement, size_t first, size_t end,
                       const mz__instruction *instructions, const uint32_t *live);

/* stale.c: what a function does to its frame, statement by statement, and what of it is dead. */
typedef struct mz__frame mz__frame;
mz__frame *mz__frame_new(void);
void mz__frame_release(mz__frame *frame);
void mz__frame_begin(mz__frame *frame, mz__values *values, size_t statements);
/* A statement, before what it does to values is known to these; `at`: which one of the function. */
void mz__frame_note(mz__frame *frame, size_t at, mz__values *values, const mz__statement *statement,
                    const mz__instruction *instruction, const mz__reference *reference);

typedef enum mz__finding_kind {
    MZ__FOUND_ACCESS,   /* plain */
    MZ__FOUND_IN_FRAME, /* plain, to what others may know of the function's own frame */
    MZ__FOUND_ATOMIC,   /* of the program's own assembly */
    MZ__FOUND_FENCE,
    MZ__FOUND_CLOCK,
    MZ__FOUND_CONTROL,    /* how the processor calculates is set, or looked at */
    MZ__FOUND_SHORT_JUMP, /* which hooks may make too long */
    MZ__FOUND_EARLY,   /* a hook for a write before which something is read; instruction.number: bytes, 0 if
                          they are told */
    MZ__FOUND_COPY,    /* movs */
    MZ__FOUND_STALE,   /* a call, at which these registers (`holding`) and pieces of the frame are dead */
    MZ__FOUND_REFUSED, /* it cannot be checked */
} mz__finding_kind;

typedef struct mz__finding {
    size_t statement;
    mz__finding_kind kind;
    uint8_t uses;        /* set of those that are to be announced */
    bool is_exact;       /* only where the order of accesses matters: an early hook has told it */
    uint32_t holding;    /* set of registers that hold something of the program's */
    uint64_t stale[2];   /* four bytes each, from where the stack was when the function began down */
    uint8_t base;        /* the register that leads there, */
    int64_t base_offset; /* and how far away it points */
    mz__instruction instruction;
} mz__finding;

typedef struct mz__findings {
    mz__finding *items;
    size_t count, capacity;
} mz__findings;

void mz__find_accesses(mz__code *code, mz__findings *out);
/* False if there is nothing. `live`: registers, before each statement. */
bool mz__frame_stale(mz__frame *frame, const mz__code *code, size_t first, size_t end,
                     const mz__instruction *instructions, const uint32_t *live, mz__findings *out);

#endif
