/* A little language of threads with loads, stores, updates and fences of every order, branches, assumptions,
 * mutexes and semaphores: random programs of it, and how a thread of one goes from event to event. What is in
 * memory is told by whoever asks: the machine (machine.c) and the reference (reference.c) have different
 * opinions of that. */
#ifndef TEST_ORACLE_WEAK_PROGRAM_H
#define TEST_ORACLE_WEAK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_THREADS = 4, MOST_CODE = 24, MOST_REGISTERS = 12, MOST_LOCATIONS = 6, FIRST_MUTEX = 4 };

typedef enum weak_opcode {
    WEAK_LOAD,
    WEAK_STORE,
    WEAK_ADD,
    WEAK_EXCHANGE,
    WEAK_CAS,
    WEAK_FENCE,
    WEAK_LOCK,
    WEAK_UNLOCK,
    WEAK_WAIT, /* for a semaphore, which begins with 0 */
    WEAK_TRY,
    WEAK_POST,
    WEAK_CHOOSE, /* a register gets 0 or 1 */
    WEAK_ASSUME, /* the register is not the number */
    WEAK_SKIP_IF /* over `skip` instructions if the register is the number; if negated, if it is not */
} weak_opcode;

typedef struct weak_instruction {
    weak_opcode opcode;
    uint8_t target; /* register */
    uint8_t location, order, failure_order;
    int8_t source; /* register, or -1: what is written is that and `number` */
    int8_t number, expected;
    uint8_t skip;
    bool negated;
} weak_instruction;

typedef struct weak_program {
    uint32_t threads, lengths[MOST_THREADS];
    weak_instruction code[MOST_THREADS][MOST_CODE];
} weak_program;

typedef enum weak_status { WEAK_RUNS, WEAK_ENDED, WEAK_PRUNED } weak_status;

typedef struct weak_thread {
    uint8_t at;
    bool in_update; /* the read of an update has happened, the write has not */
    int8_t written; /* by that */
    weak_status status;
    int8_t registers[MOST_REGISTERS];
} weak_thread;

typedef struct weak_label {
    char kind; /* 'R', 'W', 'F', 'C': a choice follows, which is no event */
    uint8_t location, order, failure_order;
    int8_t value;
    bool update, conditional, mutex;
    bool semaphore, waits; /* all operations on semaphores are updates, also those that change nothing */
} weak_label;

/* Over what is local, up to the next event: false if there is none. */
bool weak_next(const weak_program *program, uint32_t number, weak_thread *thread, weak_label *label);
/* The event happens; a read reads this value, a choice is it. Of an update: does it write? */
bool weak_happens(const weak_program *program, uint32_t number, weak_thread *thread, int8_t value);

typedef enum weak_kind {
    WEAK_MIXED,
    WEAK_LITMUS,
    WEAK_CYCLE,
    WEAK_LOCKS,
    WEAK_SEQ_CST,
    WEAK_CHOICES,
    WEAK_SEMAPHORES,
    WEAK_KINDS
} weak_kind;
extern const char *const weak_kind_names[];
void weak_generate(uint64_t seed, weak_kind kind, weak_program *program);
void weak_print(const weak_program *program, FILE *out);
/* The same program in C (as_c.c). */
void weak_write_c(const weak_program *program, FILE *out);

#endif
