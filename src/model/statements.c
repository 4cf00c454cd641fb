/* Statements. The words of the superset (assert, assume, await, lock, unlock, atomic, skip, fence, cas,
 * indexer) are keywords only where a statement of theirs can stand: a variable of that name still works. */
#include <string.h>

#include "model/parser_internal.h"

/* Where a statement starts: what is needed for its text and position once it has been parsed. */
typedef struct start {
    size_t offset;
    int64_t repetition;
} start;

static start begin(mz_parser *p)
{
    p->operators = 0;
    return (start){p->token.start, mz_lexer_repetition(&p->lexer)};
}

static mz_statement *new_statement(mz_parser *p, mz_statement_kind kind, start s)
{
    if (++p->statements > MZ_MAX_STATEMENTS)
        mz_lexer_fail(&p->lexer, s.offset, "more than %d statements", MZ_MAX_STATEMENTS);
    mz_statement *statement = mz_arena_allocate(&p->program->arena, sizeof *statement);
    statement->kind = kind;
    statement->offset = s.offset;
    statement->position = mz_lexer_position(&p->lexer, s.offset);
    statement->text = "";
    return statement;
}

/* The statement's text reaches up to the token before the current one. */
static void set_text(mz_parser *p, mz_statement *statement, start s)
{
    mz_text text = {0};
    mz_lexer_excerpt(&p->lexer, s.offset, p->previous_end, s.repetition, &text);
    statement->text = mz_arena_copy(&p->program->arena, mz_text_string(&text), text.length);
    mz_text_release(&text);
}

static mz_statement *parse_block(mz_parser *p)
{
    mz__expect(p, MZ_TOKEN_LEFT_BRACE, "to open a block");
    mz_statement *body = mz__parse_statements(p);
    mz__expect(p, MZ_TOKEN_RIGHT_BRACE, "or a statement in this block");
    return body;
}

static mz_statement *parse_if(mz_parser *p, start s)
{
    mz__advance(p);
    mz_statement *statement = new_statement(p, MZ_STMT_IF, s);
    statement->value = mz__parse_expression(p);
    set_text(p, statement, s);
    bool then = mz__is_name(&p->token, "then");
    if (then)
        mz__advance(p);
    if (!then && p->token.kind != MZ_TOKEN_LEFT_BRACE)
        return statement; /* a read */
    statement->has_branches = true;
    statement->body = parse_block(p);
    if (mz__is_name(&p->token, "else")) {
        mz__advance(p);
        start other = begin(p);
        if (mz__is_name(&p->token, "if")) {
            if (++p->nesting > MZ_MAX_NESTING) {
                mz_lexer_fail(&p->lexer, other.offset, "nested too deeply (more than %d levels)",
                              MZ_MAX_NESTING);
                return statement;
            }
            statement->otherwise = parse_if(p, other);
            p->nesting--;
        } else {
            statement->otherwise = parse_block(p);
        }
    }
    return statement;
}

static mz_statement *parse_while(mz_parser *p, start s)
{
    mz__advance(p);
    mz_statement *statement = new_statement(p, MZ_STMT_WHILE, s);
    bool outer = p->in_atomic_loop;
    p->in_atomic_loop = p->in_atomic;
    statement->value = mz__parse_expression(p);
    set_text(p, statement, s);
    statement->has_branches = true;
    statement->body = parse_block(p);
    p->in_atomic_loop = outer;
    return statement;
}

static void check_waiting(mz_parser *p, const mz_statement *statement)
{
    if (p->error->set)
        return;
    const char *word = statement->kind == MZ_STMT_AWAIT  ? "await"
                       : statement->kind == MZ_STMT_LOCK ? "lock"
                                                         : "unlock";
    const mz_expression *e = statement->value ? statement->value : statement->target;
    if (p->in_atomic && statement->kind != MZ_STMT_UNLOCK) {
        mz_lexer_fail(&p->lexer, statement->offset,
                      "%s cannot stand inside atomic { … }: it would have to wait half-way", word);
        mz_error_set_hint(p->error, "put it before the block");
    } else if (statement->target ? statement->target->variable->storage != MZ_SHARED : !e->reads_shared) {
        mz_lexer_fail(&p->lexer, statement->target ? e->offset : statement->offset,
                      "%s needs a shared variable", word);
        mz_error_set_hint(p->error, "only another process can change what %s waits for", word);
    } else if (e->has_cas || e->has_choose) {
        mz_lexer_fail(&p->lexer, e->offset, "%s cannot contain cas or choose", word);
    }
}

static mz_statement *parse_locking(mz_parser *p, mz_statement_kind kind, start s)
{
    mz_statement *statement = new_statement(p, kind, s);
    mz_token name = p->token;
    if (name.kind != MZ_TOKEN_NAME) {
        mz__unexpected(p, "the variable that is the lock");
        return statement;
    }
    mz__advance(p);
    statement->target = mz__parse_target(p, &name);
    if (!p->error->set && statement->target->kind != MZ_EXPR_VARIABLE)
        mz__unknown_name(p, &name);
    check_waiting(p, statement);
    return statement;
}

static mz_statement *parse_condition(mz_parser *p, mz_statement_kind kind, start s)
{
    mz_statement *statement = new_statement(p, kind, s);
    statement->value = mz__parse_expression(p);
    if (kind == MZ_STMT_AWAIT)
        check_waiting(p, statement);
    return statement;
}

static mz_statement *parse_atomic(mz_parser *p, start s)
{
    mz_statement *statement = new_statement(p, MZ_STMT_ATOMIC, s);
    bool outer = p->in_atomic;
    p->in_atomic = true;
    statement->body = parse_block(p);
    p->in_atomic = outer;
    return statement;
}

static mz_statement *assignment(mz_parser *p, start s, mz_expression *target, mz_expression *value)
{
    mz_statement *statement = new_statement(p, MZ_STMT_ASSIGN, s);
    statement->target = target;
    statement->value = value;
    return statement;
}

/* name = variable   (an argument of indexer) */
static mz_expression *parse_argument(mz_parser *p, const char *name, bool target)
{
    if (!mz__is_name(&p->token, name)) {
        mz_text expected = {0};
        mz_text_add(&expected, "%s=… in indexer(max=, size=, m=, w=, h=, target=, nprocs=)", name);
        mz__unexpected(p, mz_text_string(&expected));
        mz_text_release(&expected);
        return mz__number(p, p->token.start, 0);
    }
    mz__advance(p);
    mz__expect(p, MZ_TOKEN_IS, "after the argument's name");
    mz_token variable = p->token;
    mz_expression *e;
    if (target && variable.kind == MZ_TOKEN_NAME) {
        mz__advance(p);
        e = mz__parse_target(p, &variable);
    } else if (target) {
        mz__unexpected(p, "a variable");
        e = mz__number(p, variable.start, 0);
    } else {
        e = mz__parse_expression(p);
    }
    if (strcmp(name, "nprocs") != 0)
        mz__expect(p, MZ_TOKEN_COMMA, "between the arguments of indexer");
    return e;
}

/* indexer(max=A, size=S, m=M, w=W, h=H, target=T, nprocs=K) is the thread of listing 6.2:
 *     while M < A {
 *         M := M + 1   W := M * K + pid   H := (W * 7) % S
 *         while cas(T, 0, W) == 0 { H := (H + 1) % S }
 *     }
 * With M, W, H local each compare-and-swap is one event and there is no other. */
static mz_statement *parse_indexer(mz_parser *p, start s)
{
    mz__expect(p, MZ_TOKEN_LEFT_PAREN, "after indexer");
    mz_expression *max = parse_argument(p, "max", false), *size = parse_argument(p, "size", false);
    mz_expression *m = parse_argument(p, "m", true), *w = parse_argument(p, "w", true);
    mz_expression *h = parse_argument(p, "h", true), *target = parse_argument(p, "target", true);
    mz_expression *nprocs = parse_argument(p, "nprocs", false);
    mz__expect(p, MZ_TOKEN_RIGHT_PAREN, "after the arguments of indexer");
    if (p->error->set)
        return new_statement(p, MZ_STMT_SKIP, s);
    size_t at = s.offset;
    mz_expression *pid = mz__number(p, at, p->program->process_count);
    mz_statement *outer = new_statement(p, MZ_STMT_WHILE, s), *probe = new_statement(p, MZ_STMT_WHILE, s);
    outer->value = mz__binary(p, MZ_EXPR_LESS, at, m, max);
    outer->has_branches = probe->has_branches = true;
    outer->body = assignment(p, s, m, mz__binary(p, MZ_EXPR_ADD, at, m, mz__number(p, at, 1)));
    mz_statement *message = assignment(
        p, s, w, mz__binary(p, MZ_EXPR_ADD, at, mz__binary(p, MZ_EXPR_MULTIPLY, at, m, nprocs), pid));
    mz_expression *hashed = mz__binary(p, MZ_EXPR_MULTIPLY, at, w, mz__number(p, at, 7));
    mz_statement *hash = assignment(p, s, h, mz__binary(p, MZ_EXPR_MODULO, at, hashed, size));
    probe->value = mz__binary(p, MZ_EXPR_EQUAL, at, mz__cas(p, at, target, mz__number(p, at, 0), w),
                              mz__number(p, at, 0));
    mz_expression *next = mz__binary(p, MZ_EXPR_ADD, at, h, mz__number(p, at, 1));
    probe->body = assignment(p, s, h, mz__binary(p, MZ_EXPR_MODULO, at, next, size));
    outer->body->next = message;
    message->next = hash;
    hash->next = probe;
    mz_statement *parts[] = {outer, outer->body, message, hash, probe, probe->body};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        set_text(p, parts[i], s);
    return outer;
}

static mz_statement *parse_assignment(mz_parser *p, start s, const mz_token *name)
{
    mz_expression *target = mz__parse_target(p, name);
    mz__expect(p, MZ_TOKEN_ASSIGN, "after the variable");
    mz_expression *value = mz__parse_expression(p);
    if (!p->error->set && target->kind != MZ_EXPR_VARIABLE)
        mz__unknown_name(p, name);
    return assignment(p, s, target, value);
}

/* A statement that starts with a name, which has been consumed. */
static mz_statement *parse_named(mz_parser *p, start s, const mz_token *name)
{
    if (p->token.kind == MZ_TOKEN_ASSIGN || p->token.kind == MZ_TOKEN_LEFT_BRACKET)
        return parse_assignment(p, s, name);
    if (mz__is_name(name, "assert"))
        return parse_condition(p, MZ_STMT_ASSERT, s);
    if (mz__is_name(name, "assume"))
        return parse_condition(p, MZ_STMT_ASSUME, s);
    if (mz__is_name(name, "await"))
        return parse_condition(p, MZ_STMT_AWAIT, s);
    if (mz__is_name(name, "lock"))
        return parse_locking(p, MZ_STMT_LOCK, s);
    if (mz__is_name(name, "unlock"))
        return parse_locking(p, MZ_STMT_UNLOCK, s);
    if (mz__is_name(name, "atomic"))
        return parse_atomic(p, s);
    if (mz__is_name(name, "skip"))
        return new_statement(p, MZ_STMT_SKIP, s);
    if (mz__is_name(name, "fence"))
        return new_statement(p, MZ_STMT_FENCE, s);
    if (mz__is_name(name, "indexer"))
        return parse_indexer(p, s);
    if (mz__is_name(name, "cas") && p->token.kind == MZ_TOKEN_LEFT_PAREN) {
        mz_statement *statement = new_statement(p, MZ_STMT_CAS, s);
        statement->value = mz__parse_cas(p, name->start);
        return statement;
    }
    if (mz__find_variable(p, name->text, name->length)) {
        mz__unexpected(p, "':=' after the variable");
    } else if (!p->error->set) {
        static const char *const words[] = {"if",  "while",  "assert", "assume", "await", "lock",
                                            "cas", "unlock", "atomic", "skip",   "fence", "indexer"};
        const char *closest = mz_closest_name(name->text, words, sizeof words / sizeof *words);
        mz_lexer_fail(&p->lexer, name->start, "unknown statement or variable '%s'", name->text);
        if (closest)
            mz_error_set_hint(p->error, "did you mean '%s'?", closest);
        p->token.kind = MZ_TOKEN_END;
    }
    return new_statement(p, MZ_STMT_SKIP, s);
}

static mz_statement *parse_statement(mz_parser *p)
{
    start s = begin(p);
    mz_token first = p->token;
    if (mz__is_name(&first, "if"))
        return parse_if(p, s);
    if (mz__is_name(&first, "while"))
        return parse_while(p, s);
    mz__advance(p);
    mz_statement *statement = parse_named(p, s, &first);
    if (statement->kind != MZ_STMT_WHILE)
        set_text(p, statement, s);
    return statement;
}

mz_statement *mz__parse_statements(mz_parser *p)
{
    mz_statement *first = NULL, **end = &first;
    if (++p->nesting > MZ_MAX_NESTING)
        mz_lexer_fail(&p->lexer, p->token.start, "nested too deeply (more than %d levels)", MZ_MAX_NESTING);
    for (;;) {
        while (mz__accept(p, MZ_TOKEN_SEMICOLON))
            ;
        if (p->error->set || p->token.kind != MZ_TOKEN_NAME || mz__is_name(&p->token, "else") ||
            mz__is_name(&p->token, "then"))
            break;
        *end = parse_statement(p);
        while (*end)
            end = &(*end)->next;
    }
    p->nesting--;
    return first;
}
