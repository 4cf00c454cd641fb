/* Random programs that exist twice: as C, or as a model, and as instructions of an interpreter of the
 * oracle's own (twin_reference.h). What is equivalent to what is known of the second by definition; the first
 * has to have as many traces. */
#ifndef TEST_ORACLE_TWIN_PROGRAM_H
#define TEST_ORACLE_TWIN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Constant; C, with the place as first and the value as second number ("@" stands for the program); `r` is
 * the thread's register, and all that was ever in it is part of what the thread has seen. What IF and FORBID
 * look at is local. */
#define TWIN_INSTRUCTIONS(X)                                                                                 \
    X(TWIN_END, "")                                                                                          \
    X(TWIN_IF, "")                                                                                           \
    X(TWIN_FORBID, "")                                                                                       \
    X(TWIN_LOAD, "r = (int)atomic_load(&%s);")                                                               \
    X(TWIN_STORE, "atomic_store(&%s, %d);")                                                                  \
    X(TWIN_FETCH_ADD, "r = (int)atomic_fetch_add(&%s, %d);")                                                 \
    X(TWIN_EXCHANGE, "r = (int)atomic_exchange(&%s, %d);")                                                   \
    X(TWIN_CAS, "r = twin_cas(&%s, %d);")                                                                    \
    X(TWIN_ADD, "atomic_fetch_add(&%s, %d);")                                                                \
    X(TWIN_SUB, "atomic_fetch_sub_explicit(&%s, %d, memory_order_relaxed);")                                 \
    X(TWIN_OR, "atomic_fetch_or(&%s, %d);")                                                                  \
    X(TWIN_AND, "atomic_fetch_and(&%s, %d);")                                                                \
    X(TWIN_XOR, "atomic_fetch_xor(&%s, %d);")                                                                \
    X(TWIN_PLAIN_LOAD, "r = @x[%d];")                                                                        \
    X(TWIN_PLAIN_STORE, "@x[%d] = %d;")                                                                      \
    X(TWIN_PLAIN_ADD, "@x[%d] += %d;")                                                                       \
    X(TWIN_LOCK, "pthread_mutex_lock(&@m[%d]);")                                                             \
    X(TWIN_UNLOCK, "pthread_mutex_unlock(&@m[%d]);")                                                         \
    X(TWIN_TRYLOCK, "r = pthread_mutex_trylock(&@m[%d]) == 0;")                                              \
    X(TWIN_READ_LOCK, "pthread_rwlock_rdlock(&@rw[%d]);")                                                    \
    X(TWIN_WRITE_LOCK, "pthread_rwlock_wrlock(&@rw[%d]);")                                                   \
    X(TWIN_TRY_READ, "r = pthread_rwlock_tryrdlock(&@rw[%d]) == 0;")                                         \
    X(TWIN_RW_UNLOCK, "pthread_rwlock_unlock(&@rw[%d]);")                                                    \
    X(TWIN_POST, "sem_post(&@s);")                                                                           \
    X(TWIN_WAIT, "sem_wait(&@s);")                                                                           \
    X(TWIN_TRYWAIT, "r = sem_trywait(&@s) == 0;")                                                            \
    X(TWIN_ARRIVE, "pthread_barrier_wait(&@b);")                                                             \
    X(TWIN_COND_WAIT, "pthread_cond_wait(&@c, &@m[%d]);")                                                    \
    X(TWIN_SIGNAL, "pthread_cond_signal(&@c);")                                                              \
    X(TWIN_BROADCAST, "pthread_cond_broadcast(&@c);")

typedef enum twin_code {
#define X(constant, text) constant,
    TWIN_INSTRUCTIONS(X)
#undef X
} twin_code;

enum { TWIN_THREADS = 4, TWIN_LONGEST = 24, TWIN_DATA = 3, TWIN_MUTEXES = 2, TWIN_RWLOCKS = 2 };
/* Atomic variables: two integers, and a union of one with two halves, whose bytes overlap. */
enum { TWIN_V0, TWIN_V1, TWIN_LARGE, TWIN_SMALL0, TWIN_SMALL1, TWIN_VARIABLES };

typedef struct twin_instruction {
    twin_code code;
    uint32_t place;
    int32_t value;
    uint32_t skipped; /* of IF: unless the register is `value`, so many are passed over */
} twin_instruction;

typedef struct twin_program {
    uint32_t threads, length[TWIN_THREADS];
    twin_instruction code[TWIN_THREADS][TWIN_LONGEST + 1];
    uint32_t tokens, arrivals_needed;
    bool is_model; /* then a plain access is one like others, and OR multiplies */
} twin_program;

void twin_generate(uint64_t seed, bool is_model, twin_program *program);
/* As a model of dlang. */
void twin_write_model(const twin_program *program, mz_text *out);
/* To be called by the main() of generate_c.h. Its outcomes: twin_outcome(). */
void twin_write(const twin_program *program, uint32_t index, mz_text *out);
/* Beside generate_c_head(). */
void twin_write_head(mz_text *out);

enum { TWIN_OUTCOMES = 48 };
/* What main makes of what is there in the end. */
uint32_t twin_outcome(const uint32_t variables[TWIN_VARIABLES], const int32_t data[TWIN_DATA],
                      const int32_t seen[TWIN_THREADS]);

#endif
