/* Expressions: C's precedence and arithmetic, folded where constant. */
#include "model/arithmetic.h"
#include "model/parser_internal.h"

static mz_expression *new_expression(mz_parser *p, mz_expression_kind kind, size_t offset)
{
    mz_expression *e = mz_arena_allocate(&p->program->arena, sizeof *e);
    e->kind = kind;
    e->offset = offset;
    return e;
}

mz_expression *mz__number(mz_parser *p, size_t offset, int64_t value)
{
    mz_expression *e = new_expression(p, MZ_EXPR_NUMBER, offset);
    e->number = value;
    return e;
}

static void inherit(mz_expression *e, const mz_expression *part)
{
    if (!part)
        return;
    e->reads_shared |= part->reads_shared;
    e->reads_local |= part->reads_local;
    e->has_cas |= part->has_cas;
    e->has_choose |= part->has_choose;
}

static bool is_constant(const mz_expression *e)
{
    return e->kind == MZ_EXPR_NUMBER;
}

mz_expression *mz__binary(mz_parser *p, mz_expression_kind kind, size_t offset, mz_expression *left,
                          mz_expression *right)
{
    if ((kind == MZ_EXPR_DIVIDE || kind == MZ_EXPR_MODULO) && is_constant(right) && right->number == 0) {
        mz_lexer_fail(&p->lexer, right->offset, "division by zero");
        return right;
    }
    if (is_constant(left) && is_constant(right))
        return mz__number(p, offset, mz_evaluate(kind, left->number, right->number));
    if (++p->operators > MZ_MAX_OPERATORS)
        mz_lexer_fail(&p->lexer, offset, "more than %d operators in one statement", MZ_MAX_OPERATORS);
    mz_expression *e = new_expression(p, kind, offset);
    e->left = left;
    e->right = right;
    inherit(e, left);
    inherit(e, right);
    return e;
}

static mz_expression *unary(mz_parser *p, mz_expression_kind kind, size_t offset, mz_expression *operand)
{
    if (is_constant(operand))
        return mz__number(p, offset, mz_evaluate(kind, operand->number, 0));
    mz_expression *e = new_expression(p, kind, offset);
    e->left = operand;
    inherit(e, operand);
    return e;
}

mz_expression *mz__cas(mz_parser *p, size_t offset, mz_expression *target, mz_expression *expected,
                       mz_expression *desired)
{
    mz_expression *e = new_expression(p, MZ_EXPR_CAS, offset);
    e->target = target;
    e->left = expected;
    e->right = desired;
    e->has_cas = true;
    inherit(e, target);
    inherit(e, expected);
    inherit(e, desired);
    return e;
}

/* name or name[index]; a cell of a constant becomes its number. */
static mz_expression *variable_access(mz_parser *p, const mz_token *name)
{
    const mz_variable *v = mz__find_variable(p, name->text, name->length);
    if (!v) {
        mz__unknown_name(p, name);
        return mz__number(p, name->start, 0);
    }
    mz_expression *e = new_expression(p, MZ_EXPR_VARIABLE, name->start);
    e->variable = v;
    if (p->token.kind == MZ_TOKEN_LEFT_BRACKET) {
        mz__advance(p);
        e->left = mz__parse_expression(p);
        mz__expect(p, MZ_TOKEN_RIGHT_BRACKET, "after the index");
    } else if (v->length != 1) {
        mz_lexer_fail(&p->lexer, name->start, "'%s' has %u cells: which one? expected '[' and an index",
                      v->name, v->length);
    }
    if (p->error->set)
        return mz__number(p, name->start, 0);
    if (e->left && is_constant(e->left) && (e->left->number < 0 || e->left->number >= v->length)) {
        mz_lexer_fail(&p->lexer, e->left->offset, "index %lld is outside '%s'", (long long)e->left->number,
                      v->name);
        if (v->length > 0)
            mz_error_set_hint(p->error, "its cells are %s[0] … %s[%u]", v->name, v->name, v->length - 1);
        else
            mz_error_set_hint(p->error, "it has no cells");
        return mz__number(p, name->start, 0);
    }
    inherit(e, e->left);
    e->reads_shared |= v->storage == MZ_SHARED;
    e->reads_local |= v->storage == MZ_LOCAL;
    if (v->storage == MZ_CONST && (!e->left || is_constant(e->left)))
        return mz__number(p, name->start, v->initial[e->left ? e->left->number : 0]);
    return e;
}

mz_expression *mz__parse_target(mz_parser *p, const mz_token *name)
{
    const mz_variable *v = mz__find_variable(p, name->text, name->length);
    if (v && v->storage == MZ_CONST)
        mz_lexer_fail(&p->lexer, name->start, "'%s' is a constant and cannot change", v->name);
    else if (!v && mz__find_parameter(p, name->text, name->length))
        mz_lexer_fail(&p->lexer, name->start, "'%s' is a parameter and cannot change", name->text);
    return variable_access(p, name);
}

/* cas(target, expected, desired); '(' is the current token. */
mz_expression *mz__parse_cas(mz_parser *p, size_t offset)
{
    mz__advance(p);
    mz_token name = p->token;
    if (name.kind != MZ_TOKEN_NAME)
        mz__unexpected(p, "the variable to compare and swap");
    else
        mz__advance(p);
    mz_expression *target = mz__parse_target(p, &name);
    mz__expect(p, MZ_TOKEN_COMMA, "in cas(target, expected, new)");
    mz_expression *expected = mz__parse_expression(p);
    mz__expect(p, MZ_TOKEN_COMMA, "in cas(target, expected, new)");
    mz_expression *desired = mz__parse_expression(p);
    mz__expect(p, MZ_TOKEN_RIGHT_PAREN, "after cas(target, expected, new)");
    return mz__cas(p, offset, target, expected, desired);
}

/* choose(low, high): made before the statement starts, so its bounds cannot be shared. */
static mz_expression *parse_choose(mz_parser *p, size_t offset)
{
    mz__advance(p);
    mz_expression *e = new_expression(p, MZ_EXPR_CHOOSE, offset);
    e->left = mz__parse_expression(p);
    mz__expect(p, MZ_TOKEN_COMMA, "in choose(low, high)");
    e->right = mz__parse_expression(p);
    mz__expect(p, MZ_TOKEN_RIGHT_PAREN, "after choose(low, high)");
    if (p->error->set)
        return e;
    inherit(e, e->left);
    inherit(e, e->right);
    if (e->reads_shared || e->has_cas) {
        mz_lexer_fail(&p->lexer, offset, "the bounds of choose must not be shared");
        mz_error_set_hint(p->error, "copy the shared value into a local variable first");
    } else if (e->has_choose) {
        mz_lexer_fail(&p->lexer, offset, "choose inside choose: keep the first choice in a local variable");
    } else if (p->in_atomic && (e->reads_local || p->in_atomic_loop)) {
        mz_lexer_fail(&p->lexer, offset,
                      "inside atomic { … } choose needs constant bounds and no loop around it");
        mz_error_set_hint(p->error, "choose before the block and keep the value in a local variable");
    } else if (!p->in_process) {
        mz_lexer_fail(&p->lexer, offset, "choose belongs into a process");
    } else if (is_constant(e->left) && is_constant(e->right) && e->left->number > e->right->number) {
        mz_lexer_fail(&p->lexer, offset, "choose(%lld, %lld): there is nothing to choose from",
                      (long long)e->left->number, (long long)e->right->number);
    }
    e->has_choose = true;
    return e;
}

static mz_expression *parse_name(mz_parser *p)
{
    mz_token name = p->token;
    if (mz__is_reserved(&name)) {
        mz__unexpected(p, "an expression");
        return mz__number(p, name.start, 0);
    }
    mz__advance(p);
    if (p->token.kind == MZ_TOKEN_LEFT_PAREN && mz__is_name(&name, "cas"))
        return mz__parse_cas(p, name.start);
    if (p->token.kind == MZ_TOKEN_LEFT_PAREN && mz__is_name(&name, "choose"))
        return parse_choose(p, name.start);
    if (mz__find_variable(p, name.text, name.length))
        return variable_access(p, &name);
    const mz_parameter *parameter = mz__find_parameter(p, name.text, name.length);
    if (parameter)
        return mz__number(p, name.start, parameter->value);
    if (mz__is_name(&name, "true") || mz__is_name(&name, "false"))
        return mz__number(p, name.start, name.text[0] == 't');
    if (mz__is_name(&name, "pid") && p->in_process)
        return mz__number(p, name.start, p->program->process_count);
    mz__unknown_name(p, &name);
    return mz__number(p, name.start, 0);
}

static mz_expression *parse_unary(mz_parser *p)
{
    size_t offset = p->token.start;
    mz_expression *e;
    if (++p->nesting > MZ_MAX_NESTING) {
        mz_lexer_fail(&p->lexer, offset, "nested too deeply (more than %d levels)", MZ_MAX_NESTING);
        p->token.kind = MZ_TOKEN_END;
    }
    switch (p->token.kind) {
    case MZ_TOKEN_NUMBER:
        e = mz__number(p, offset, p->token.value);
        mz__advance(p);
        break;
    case MZ_TOKEN_NAME:
        e = parse_name(p);
        break;
    case MZ_TOKEN_MINUS:
        mz__advance(p);
        e = unary(p, MZ_EXPR_NEGATE, offset, parse_unary(p));
        break;
    case MZ_TOKEN_NOT:
        mz__advance(p);
        e = unary(p, MZ_EXPR_NOT, offset, parse_unary(p));
        break;
    case MZ_TOKEN_LEFT_PAREN:
        mz__advance(p);
        e = mz__parse_expression(p);
        mz__expect(p, MZ_TOKEN_RIGHT_PAREN, "to close '('");
        break;
    default:
        mz__unexpected(p, "an expression");
        e = mz__number(p, offset, 0);
    }
    p->nesting--;
    return e;
}

int64_t mz__parse_number(mz_parser *p, const char *what, int64_t low, int64_t high)
{
    size_t offset = p->token.start;
    if (p->token.kind != MZ_TOKEN_NUMBER && p->token.kind != MZ_TOKEN_NAME &&
        p->token.kind != MZ_TOKEN_MINUS && p->token.kind != MZ_TOKEN_LEFT_PAREN) {
        mz__unexpected(p, what);
        return 0;
    }
    mz_expression *e = parse_unary(p);
    if (p->error->set)
        return 0;
    if (!is_constant(e)) {
        mz_lexer_fail(&p->lexer, offset, "%s must be known before the program runs", what);
        return 0;
    }
    if (e->number < low || e->number > high) {
        mz_lexer_fail(&p->lexer, offset, "%s cannot be %lld", what, (long long)e->number);
        return 0;
    }
    return e->number;
}

typedef struct level {
    struct {
        mz_token_kind token;
        mz_expression_kind kind;
    } operators[6];
    size_t count;
} level;

/* From loosest to tightest. */
static const level levels[] = {
    {{{MZ_TOKEN_OR, MZ_EXPR_OR}}, 1},
    {{{MZ_TOKEN_AND, MZ_EXPR_AND}}, 1},
    {{{MZ_TOKEN_EQUAL, MZ_EXPR_EQUAL},
      {MZ_TOKEN_NOT_EQUAL, MZ_EXPR_NOT_EQUAL},
      {MZ_TOKEN_LESS, MZ_EXPR_LESS},
      {MZ_TOKEN_GREATER, MZ_EXPR_GREATER},
      {MZ_TOKEN_LESS_EQUAL, MZ_EXPR_LESS_EQUAL},
      {MZ_TOKEN_GREATER_EQUAL, MZ_EXPR_GREATER_EQUAL}},
     6},
    {{{MZ_TOKEN_PLUS, MZ_EXPR_ADD}, {MZ_TOKEN_MINUS, MZ_EXPR_SUBTRACT}}, 2},
    {{{MZ_TOKEN_TIMES, MZ_EXPR_MULTIPLY},
      {MZ_TOKEN_DIVIDE, MZ_EXPR_DIVIDE},
      {MZ_TOKEN_MODULO, MZ_EXPR_MODULO}},
     3},
};
enum { COMPARISON = 2, SUM = 3, TIGHTEST = sizeof levels / sizeof *levels };

/* The thesis's grammar gives + - * / % one precedence. Say so where the two readings differ. */
static void warn_about_precedence(mz_parser *p, size_t offset)
{
    if (p->warnings >= 8 || (p->warnings > 0 && p->last_warning == offset))
        return;
    mz_position at = mz_lexer_position(&p->lexer, offset);
    mz_text_add(&p->program->warnings,
                "%s:%u:%u: warning: read as in C, '*', '/', '%%' first; the dlang of the thesis goes from "
                "left to right. "
                "Parentheses make it plain.\n",
                at.file, at.line, at.column);
    p->warnings++;
    p->last_warning = offset;
}

static bool find_operator(const level *l, mz_token_kind token, mz_expression_kind *kind)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->operators[i].token == token) {
            *kind = l->operators[i].kind;
            return true;
        }
    return false;
}

/* *operators = how many of this level were found. */
static mz_expression *parse_level(mz_parser *p, size_t at, uint32_t *operators)
{
    *operators = 0;
    if (at == TIGHTEST)
        return parse_unary(p);
    uint32_t tighter;
    mz_expression *left = parse_level(p, at + 1, &tighter);
    mz_expression_kind kind;
    while (!p->error->set && find_operator(&levels[at], p->token.kind, &kind)) {
        size_t offset = p->token.start;
        if (at == COMPARISON && *operators > 0) {
            mz_lexer_fail(&p->lexer, offset, "comparisons do not chain: write a < b && b < c");
            break;
        }
        mz__advance(p);
        mz_expression *right = parse_level(p, at + 1, &tighter);
        if (p->error->set)
            break;
        if (at == SUM && tighter > 0)
            warn_about_precedence(p, offset);
        left = mz__binary(p, kind, offset, left, right);
        ++*operators;
    }
    return left;
}

mz_expression *mz__parse_expression(mz_parser *p)
{
    uint32_t operators;
    return parse_level(p, 0, &operators);
}
