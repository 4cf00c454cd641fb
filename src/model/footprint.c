#include "model/footprint.h"

#include "base/memory.h"

bool mz__has_fixed_cell(const mz_expression *e, uint32_t *cell)
{
    *cell = e->left ? (uint32_t)e->left->number : 0;
    return !e->left || e->left->kind == MZ_EXPR_NUMBER;
}

static void add_fixed_access(mz_footprint *f, uint32_t location, uint32_t kind)
{
    mz_code *code = f->code;
    for (size_t i = f->first_access; i < code->access_count; i++)
        if (code->accesses[i].location == location) {
            if (code->accesses[i].kind != MZ_WRITE) /* else it reads what it has written itself */
                code->accesses[i].kind |= kind;
            return;
        }
    code->accesses =
        mz_grow(code->accesses, &code->access_capacity, code->access_count + 1, sizeof *code->accesses);
    code->accesses[code->access_count++] = (mz_access){location, kind};
}

static void visit_expression(mz_footprint *f, const mz_expression *e);

static void visit_access(mz_footprint *f, const mz_expression *e, uint32_t kind)
{
    uint32_t cell;
    if (e->left)
        visit_expression(f, e->left);
    if (!mz__has_fixed_cell(e, &cell)) {
        f->may_fail = true;
        f->fixed = false;
        f->dynamic |= e->left->reads_shared; /* a wrong index ends the operation before its other accesses */
    }
    if (e->variable->storage != MZ_SHARED)
        return;
    f->sites++;
    f->reads |= (kind & MZ_READ) != 0;
    f->writes |= (kind & MZ_WRITE) != 0;
    if (mz__has_fixed_cell(e, &cell))
        add_fixed_access(f, e->variable->base + cell, kind);
}

static void visit_expression(mz_footprint *f, const mz_expression *e)
{
    bool may_fail;
    switch (e->kind) {
    case MZ_EXPR_NUMBER:
    case MZ_EXPR_CHOOSE:
        return;
    case MZ_EXPR_VARIABLE:
        visit_access(f, e, MZ_READ);
        return;
    case MZ_EXPR_CAS:
        visit_access(f, e->target, MZ_READ | MZ_WRITE);
        visit_expression(f, e->left);
        visit_expression(f, e->right);
        if (e->target->variable->storage == MZ_SHARED) {
            f->has_cas = true;
            f->fixed = false;  /* it writes only if it succeeds, */
            f->dynamic = true; /* which depends on what it reads */
        } else {
            f->has_local_cas = true;
        }
        return;
    case MZ_EXPR_AND:
    case MZ_EXPR_OR: /* the right side is evaluated only if need be */
        visit_expression(f, e->left);
        may_fail = f->may_fail;
        f->may_fail = false;
        visit_expression(f, e->right);
        if (e->right->reads_shared ||
            f->may_fail) { /* failing ends the operation before its other accesses */
            f->fixed = false;
            f->dynamic |= e->left->reads_shared;
        }
        f->may_fail |= may_fail;
        return;
    case MZ_EXPR_DIVIDE:
    case MZ_EXPR_MODULO:
        if (e->right->kind != MZ_EXPR_NUMBER) { /* may fail, and then writes nothing */
            f->may_fail = true;
            f->fixed = false;
            f->dynamic |= e->right->reads_shared;
        }
        __attribute__((fallthrough));
    default:
        visit_expression(f, e->left);
        if (e->right)
            visit_expression(f, e->right);
    }
}

static bool any_touches_shared(const mz_statement *s)
{
    for (; s; s = s->next)
        if (mz__touches_shared(s) || (s->kind != MZ_STMT_ATOMIC && any_touches_shared(s->body)) ||
            any_touches_shared(s->otherwise))
            return true;
    return false;
}

bool mz__touches_shared(const mz_statement *s)
{
    if (s->kind == MZ_STMT_ATOMIC)
        return any_touches_shared(s->body);
    return (s->target && s->target->reads_shared) || (s->value && s->value->reads_shared);
}

/* Everything inside an atomic block; where it goes may depend on what it reads. */
static void visit_block(mz_footprint *f, const mz_statement *s)
{
    for (; s; s = s->next) {
        if (s->value)
            visit_expression(f, s->value);
        if (s->target)
            visit_access(f, s->target, s->kind == MZ_STMT_UNLOCK ? MZ_READ | MZ_WRITE : MZ_WRITE);
        bool may_stop = s->kind == MZ_STMT_ASSERT || s->kind == MZ_STMT_ASSUME || s->kind == MZ_STMT_UNLOCK;
        if (s->has_branches || may_stop) {
            f->fixed = false;
            f->dynamic = true;
        }
        visit_block(f, s->body);
        visit_block(f, s->otherwise);
    }
}

/* Surely the same number, if both are evaluated at once. */
static bool is_same(const mz_expression *a, const mz_expression *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->number == b->number && a->variable == b->variable && !a->has_choose &&
           !a->has_cas && is_same(a->left, b->left) && is_same(a->right, b->right);
}

/* Is it `target` <operator> something that no other process has to do with? */
static bool continues(const mz_expression *target, const mz_expression *same, const mz_expression *other)
{
    bool own_index = !target->left || !target->left->reads_shared;
    return same->kind == MZ_EXPR_VARIABLE && own_index && is_same(target, same) && !other->reads_shared &&
           !other->has_cas;
}

uint32_t mz__class_of(const mz_statement *s)
{
    enum { SUM = 1, PRODUCT };
    if (s->kind != MZ_STMT_ASSIGN || s->target->variable->storage != MZ_SHARED)
        return 0;
    const mz_expression *value = s->value;
    bool sums = value->kind == MZ_EXPR_ADD || value->kind == MZ_EXPR_SUBTRACT;
    if (!sums && value->kind != MZ_EXPR_MULTIPLY)
        return 0;
    bool from_left = continues(s->target, value->left, value->right);
    bool from_right = value->kind != MZ_EXPR_SUBTRACT && continues(s->target, value->right, value->left);
    return !from_left && !from_right ? 0 : (sums ? SUM : PRODUCT) * MZ_CLASS;
}

mz_footprint mz__footprint(mz_code *code, const mz_statement *s)
{
    mz_footprint f = {.code = code, .fixed = true, .first_access = (uint32_t)code->access_count};
    if (s->kind == MZ_STMT_ATOMIC) {
        visit_block(&f, s->body);
        f.dynamic |= !f.fixed; /* a local that an address depends on may have been read in the block */
        return f;
    }
    if (s->value)
        visit_expression(&f, s->value);
    if (s->target)
        visit_access(&f, s->target, s->kind == MZ_STMT_ASSIGN ? MZ_WRITE : MZ_READ | MZ_WRITE);
    if (s->kind == MZ_STMT_UNLOCK)
        f.fixed = false;                      /* writes only if the lock is held */
    f.dynamic |= f.has_local_cas && !f.fixed; /* what it leaves in the local may depend on what was read */
    if (f.sites == 1)
        f.dynamic = false; /* one location, wherever it is: only whether it is written can vary; and who
                              writes what it reads conflicts with all who touch it (search/races.c) */
    return f;
}
