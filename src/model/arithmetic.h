/* The arithmetic of dlang, for folding constants and for running: 64 bits, wraps around, / and % as in C. */
#ifndef MZ_MODEL_ARITHMETIC_H
#define MZ_MODEL_ARITHMETIC_H

#include "model/ast.h"

/* Not for division by zero: whoever divides checks first. */
static inline int64_t mz_evaluate(mz_expression_kind kind, int64_t left, int64_t right)
{
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    switch (kind) {
    case MZ_EXPR_NEGATE:
        return (int64_t)(0 - a);
    case MZ_EXPR_NOT:
        return left == 0;
    case MZ_EXPR_ADD:
        return (int64_t)(a + b);
    case MZ_EXPR_SUBTRACT:
        return (int64_t)(a - b);
    case MZ_EXPR_MULTIPLY:
        return (int64_t)(a * b);
    case MZ_EXPR_DIVIDE:
        return right == -1 ? (int64_t)(0 - a) : left / right;
    case MZ_EXPR_MODULO:
        return right == -1 ? 0 : left % right;
    case MZ_EXPR_LESS:
        return left < right;
    case MZ_EXPR_GREATER:
        return left > right;
    case MZ_EXPR_LESS_EQUAL:
        return left <= right;
    case MZ_EXPR_GREATER_EQUAL:
        return left >= right;
    case MZ_EXPR_EQUAL:
        return left == right;
    case MZ_EXPR_NOT_EQUAL:
        return left != right;
    case MZ_EXPR_AND:
        return left != 0 && right != 0;
    case MZ_EXPR_OR:
        return left != 0 || right != 0;
    default:
        return 0;
    }
}

#endif
