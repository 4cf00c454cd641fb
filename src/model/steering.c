#include "model/steering.h"

typedef struct marking {
    mz_program *program;
    bool changed;
} marking;

/* The expression is evaluated; `steers`: its value decides about something. */
static void mark(marking *m, const mz_expression *e, bool steers)
{
    if (!e)
        return;
    switch (e->kind) {
    case MZ_EXPR_VARIABLE:
        mark(m, e->left, true);
        if (steers && e->variable->storage == MZ_LOCAL && !e->variable->steers) {
            m->program->variables[e->variable->number]->steers = true;
            m->changed = true;
        }
        return;
    case MZ_EXPR_DIVIDE:
    case MZ_EXPR_MODULO:
        mark(m, e->left, steers);
        mark(m, e->right, true); /* it fails if that is zero */
        return;
    case MZ_EXPR_AND:
    case MZ_EXPR_OR:
        mark(m, e->left, true); /* is the right side evaluated? */
        mark(m, e->right, steers);
        return;
    case MZ_EXPR_CAS:
        mark(m, e->target, steers);
        mark(m, e->left, true); /* does it write? */
        mark(m, e->right, steers);
        return;
    case MZ_EXPR_CHOOSE:
        mark(m, e->left, true);
        mark(m, e->right, true);
        return;
    default:
        mark(m, e->left, steers);
        mark(m, e->right, steers);
    }
}

/* A target is written, not evaluated: only its index is. */
static void mark_target(marking *m, const mz_expression *target)
{
    if (target)
        mark(m, target->left, true);
}

static bool steers_by_kind(const mz_statement *s)
{
    return s->kind != MZ_STMT_ASSIGN && s->kind != MZ_STMT_CAS &&
           !(s->kind == MZ_STMT_IF && !s->has_branches);
}

static void mark_statements(marking *m, const mz_statement *s)
{
    for (; s; s = s->next) {
        bool steers = steers_by_kind(s) ||
                      (s->target && s->target->variable->storage == MZ_LOCAL && s->target->variable->steers);
        mark_target(m, s->target);
        mark(m, s->value, steers);
        mark_statements(m, s->body);
        mark_statements(m, s->otherwise);
    }
}

void mz__find_steering(mz_program *program)
{
    marking m = {program, true};
    while (m.changed) {
        m.changed = false;
        for (uint32_t i = 0; i < program->process_count; i++)
            mark_statements(&m, program->processes[i]);
    }
}

/* A compare-and-swap of a local variable inside the expression leaves something behind as well. */
static bool leaves_something(const mz_expression *e)
{
    return e && ((e->kind == MZ_EXPR_CAS && e->target->variable->storage == MZ_LOCAL) ||
                 leaves_something(e->left) || leaves_something(e->right) || leaves_something(e->target));
}

bool mz__is_steering(const mz_statement *s)
{
    bool sets_steering = s->target && s->target->variable->storage == MZ_LOCAL && s->target->variable->steers;
    return steers_by_kind(s) || sets_steering || leaves_something(s->value);
}
