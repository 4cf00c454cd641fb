/* Random dlang programs: small enough to enumerate, made of the shapes that break textbook algorithms. */
#ifndef MZ_ORACLE_GENERATE_H
#define MZ_ORACLE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* A statement: a line of text, with a block (and an else block) if it has any. */
typedef struct oracle_statement {
    char head[128];
    bool has_body, has_else;
    bool removed;   /* by the shrinker */
    bool unwrapped; /* its body stands in its place */
    struct oracle_statement *body, *otherwise, *next;
} oracle_statement;

typedef struct oracle_program {
    uint32_t thread_count, cells;
    oracle_statement *threads[4];
    bool removed[4];
    oracle_statement *all[256]; /* every statement, for the shrinker */
    uint32_t statement_count;
} oracle_program;

oracle_program *oracle_generate(uint64_t seed);
/* The same, but several processes have the same text. */
oracle_program *oracle_generate_alike(uint64_t seed);
void oracle_program_destroy(oracle_program *program);
void oracle_write(const oracle_program *program, mz_text *out);

#endif
