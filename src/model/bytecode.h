/* The flat code that the virtual machine runs, one sequence per process. */
#ifndef MZ_MODEL_BYTECODE_H
#define MZ_MODEL_BYTECODE_H

#include "base/error.h"
#include "machine/machine.h"
#include "model/ast.h"

/* Opcode, stack effect. a and b are the instruction's operands. */
#define MZ_OPCODES(X)                                                                                        \
    X(NUMBER, +1)         /* push numbers[a] */                                                              \
    X(LOAD_LOCAL, +1)     /* push local a */                                                                 \
    X(LOAD_LOCAL_AT, 0)   /* pop i; push local a + i, i < b */                                               \
    X(LOAD_CONST_AT, 0)   /* pop i; push numbers[a + i], i < b */                                            \
    X(LOAD_SHARED, +1)    /* push location a */                                                              \
    X(LOAD_SHARED_AT, 0)  /* pop i; push location a + i, i < b */                                            \
    X(STORE_LOCAL, -1)    /* pop value */                                                                    \
    X(STORE_LOCAL_AT, -2) /* pop value, i */                                                                 \
    X(STORE_SHARED, -1)                                                                                      \
    X(STORE_SHARED_AT, -2)                                                                                   \
    X(CAS_LOCAL_AT, -2) /* pop desired, expected, i; push success */                                         \
    X(CAS_SHARED_AT, -2)                                                                                     \
    X(BINARY, -1)   /* pop right, left; push left <kind a> right */                                          \
    X(DIVISION, -1) /* as BINARY, for / and % */                                                             \
    X(UNARY, 0)                                                                                              \
    X(TRUTH, 0)          /* pop v; push v != 0 */                                                            \
    X(JUMP, 0)           /* to a */                                                                          \
    X(JUMP_IF_ZERO, -1)  /* pop v */                                                                         \
    X(AND_ELSE_JUMP, -1) /* pop v; if v == 0 push 0 and jump to a */                                         \
    X(OR_ELSE_JUMP, -1)  /* pop v; if v != 0 push 1 and jump to a */                                         \
    X(POP, -1)                                                                                               \
    X(CHOOSE, -2) /* pop high, low; local a := a choice */                                                   \
    X(ASSERT, -1) /* pop v; fail with texts[a] if 0 */                                                       \
    X(ASSUME, -1) /* pop v; stop the thread if 0 */                                                          \
    X(LOCK, -1)   /* pop i; take lock a + i, i < b; as a guard: push whether it is free */                   \
    X(UNLOCK, -1) /* pop i */                                                                                \
    X(EVENT, 0)   /* an operation starts here: operations[a]; the thread waits for its turn */               \
    X(DONE, 0)    /* the operation has made its last access */                                               \
    X(FINISH, 0)  /* the process ends */

typedef enum mz_opcode {
#define MZ_X(name, effect) MZ_CODE_##name,
    MZ_OPCODES(MZ_X)
#undef MZ_X
} mz_opcode;

typedef struct mz_instruction {
    mz_opcode code;
    uint32_t a, b;
    uint32_t variable; /* that an index is into, for messages */
} mz_instruction;

/* What is known of an operation before the program runs. */
typedef struct mz_static_operation {
    mz_operation
        told;    /* as machine.h tells it, but for what it touches and comes after: copied at every event */
    bool fixed;  /* the footprint is the same whenever it happens */
    bool drains; /* with store buffers: its own is empty before, and it acts on memory */
    bool stores; /* with store buffers: it may put something into its own */
    bool transaction; /* may read what it wrote, or fail after it wrote: needs undoing */
    uint32_t first_access, access_count;
    uint32_t class;          /* of its only access (machine.h), if classes are told; 0: none */
    uint32_t refined_access; /* fixed: its accesses as they are then */
    const char *text;
    mz_position position;
} mz_static_operation;

typedef struct mz_process_code {
    uint32_t start;       /* first instruction */
    uint32_t local_count; /* cells */
    uint32_t first_initial;
} mz_process_code;

typedef struct mz_code {
    mz_instruction *instructions;
    mz_position *positions; /* of each instruction */
    size_t count, capacity, position_capacity;
    int64_t *numbers;
    size_t number_count, number_capacity;
    const char **texts;
    size_t text_count, text_capacity;
    mz_static_operation *operations;
    size_t operation_count, operation_capacity;
    mz_access *accesses; /* of fixed footprints */
    size_t access_count, access_capacity;
    mz_process_code *processes;
    uint32_t process_count;
    int64_t *local_initials; /* process after process */
    size_t local_initial_count, local_initial_capacity;
    uint32_t shared_count;
    bool complex_blocking;
    bool has_buffers; /* compiled for store buffers (buffers.h) */
    uint32_t stack_needed;
} mz_code;

/* The program must outlive the code: names and texts are its. For store buffers: statements that write
 * write nothing but their buffer. */
mz_code *mz_compile(mz_program *program, bool buffers);
void mz_code_destroy(mz_code *code);

#endif
