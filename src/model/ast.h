/* A dlang program as a tree. Everything lives in the tree's arena. */
#ifndef MZ_MODEL_AST_H
#define MZ_MODEL_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef enum mz_storage { MZ_SHARED, MZ_LOCAL, MZ_CONST } mz_storage;

typedef struct mz_variable {
    const char *name;
    mz_storage storage;
    uint32_t length;
    int64_t *initial; /* [length] */
    uint32_t base;    /* shared: number of its first location */
    uint32_t number;  /* in the program */
    bool steers;      /* local: it decides where a process goes on or what it touches */
} mz_variable;

typedef struct mz_parameter {
    const char *name;
    bool has_value;
    int64_t value;
} mz_parameter;

typedef enum mz_expression_kind {
    MZ_EXPR_NUMBER,
    MZ_EXPR_VARIABLE, /* variable[left], left NULL for a variable of one cell */
    MZ_EXPR_NEGATE,
    MZ_EXPR_NOT,
    MZ_EXPR_ADD,
    MZ_EXPR_SUBTRACT,
    MZ_EXPR_MULTIPLY,
    MZ_EXPR_DIVIDE,
    MZ_EXPR_MODULO,
    MZ_EXPR_LESS,
    MZ_EXPR_GREATER,
    MZ_EXPR_LESS_EQUAL,
    MZ_EXPR_GREATER_EQUAL,
    MZ_EXPR_EQUAL,
    MZ_EXPR_NOT_EQUAL,
    MZ_EXPR_AND,
    MZ_EXPR_OR,
    MZ_EXPR_CAS,    /* compare-and-swap of `target`: if it is `left` make it `right`; 1 or 0 */
    MZ_EXPR_CHOOSE, /* any of left … right */
} mz_expression_kind;

typedef struct mz_expression {
    mz_expression_kind kind;
    size_t offset; /* in the source */
    int64_t number;
    const mz_variable *variable;
    struct mz_expression *left, *right, *target;
    /* What evaluating it involves, itself included. */
    bool reads_shared, reads_local, has_cas, has_choose;
    uint32_t choice_slot; /* where the compiler keeps a hoisted choice */
} mz_expression;

typedef enum mz_statement_kind {
    MZ_STMT_ASSIGN, /* target := value */
    MZ_STMT_CAS,    /* value, a compare-and-swap whose result is not used */
    MZ_STMT_IF,     /* value; without branches it is a read */
    MZ_STMT_WHILE,
    MZ_STMT_ASSERT,
    MZ_STMT_ASSUME,
    MZ_STMT_AWAIT,
    MZ_STMT_LOCK,
    MZ_STMT_UNLOCK,
    MZ_STMT_ATOMIC,
    MZ_STMT_SKIP,
    MZ_STMT_FENCE,
} mz_statement_kind;

typedef struct mz_statement {
    mz_statement_kind kind;
    mz_position position;
    size_t offset;
    const char *text; /* as in the source, $ replaced: for reports */
    mz_expression *target, *value;
    struct mz_statement *body, *otherwise; /* first statements of the branches */
    bool has_branches;
    struct mz_statement *next;
} mz_statement;

typedef struct mz_program {
    mz_arena arena;
    const char *file;
    const char *name;
    mz_parameter *parameters;
    size_t parameter_count, parameter_capacity;
    mz_variable **variables;
    size_t variable_count, variable_capacity;
    mz_statement **processes; /* first statement of each, may be NULL */
    uint32_t process_count;
    size_t process_capacity;
    uint32_t location_count;
    mz_text warnings;
} mz_program;

#endif
