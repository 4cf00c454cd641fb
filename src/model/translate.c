/* From the tree to flat code. A statement that touches shared variables becomes one operation (EVENT …
 * DONE); everything else is local work between operations. Choices are made as local work before the
 * operation whose statement contains them. */
#include <string.h>

#include "base/memory.h"
#include "model/bytecode.h"
#include "model/footprint.h"
#include "model/steering.h"

typedef struct compiler {
    mz_program *program;
    mz_code *code;
    uint32_t *local_base; /* [variable]: first cell in the current process, or UINT32_MAX */
    mz_process_code *process;
    mz_position position;
    uint32_t stack, deepest;
    bool in_atomic;
} compiler;

static const int stack_effects[] = {
#define MZ_X(name, effect) effect,
    MZ_OPCODES(MZ_X)
#undef MZ_X
};

static uint32_t emit(compiler *c, mz_opcode opcode, uint32_t a, uint32_t b)
{
    mz_code *code = c->code;
    code->instructions =
        mz_grow(code->instructions, &code->capacity, code->count + 1, sizeof *code->instructions);
    code->positions =
        mz_grow(code->positions, &code->position_capacity, code->count + 1, sizeof *code->positions);
    code->instructions[code->count] = (mz_instruction){.code = opcode, .a = a, .b = b};
    code->positions[code->count] = c->position;
    c->stack = (uint32_t)((int)c->stack + stack_effects[opcode]);
    if (c->stack > c->deepest)
        c->deepest = c->stack;
    return (uint32_t)code->count++;
}

static void land(compiler *c, uint32_t jump)
{
    c->code->instructions[jump].a = (uint32_t)c->code->count;
}

static uint32_t add_number(mz_code *code, int64_t value)
{
    for (size_t i = code->number_count; i-- > 0 && code->number_count - i < 16;)
        if (code->numbers[i] == value)
            return (uint32_t)i;
    code->numbers =
        mz_grow(code->numbers, &code->number_capacity, code->number_count + 1, sizeof *code->numbers);
    code->numbers[code->number_count] = value;
    return (uint32_t)code->number_count++;
}

static uint32_t add_const_cells(mz_code *code, const mz_variable *v)
{
    code->numbers =
        mz_grow(code->numbers, &code->number_capacity, code->number_count + v->length, sizeof *code->numbers);
    uint32_t first = (uint32_t)code->number_count;
    for (uint32_t i = 0; i < v->length; i++)
        code->numbers[code->number_count++] = v->initial[i];
    return first;
}

static uint32_t add_local_cells(compiler *c, uint32_t count, const int64_t *initial)
{
    mz_code *code = c->code;
    code->local_initials = mz_grow(code->local_initials, &code->local_initial_capacity,
                                   code->local_initial_count + count, sizeof *code->local_initials);
    for (uint32_t i = 0; i < count; i++)
        code->local_initials[code->local_initial_count++] = initial ? initial[i] : 0;
    uint32_t first = c->process->local_count;
    c->process->local_count += count;
    return first;
}

/* Locals and constants get cells in the processes that use them only. */
static uint32_t base_of(compiler *c, const mz_variable *v)
{
    if (v->storage == MZ_SHARED)
        return v->base;
    uint32_t *base = &c->local_base[v->number];
    if (*base == UINT32_MAX)
        *base =
            v->storage == MZ_LOCAL ? add_local_cells(c, v->length, v->initial) : add_const_cells(c->code, v);
    return *base;
}

/* An instruction that takes its cell of the variable from the stack. */
static void emit_indexed(compiler *c, mz_opcode opcode, const mz_variable *v)
{
    uint32_t at = emit(c, opcode, base_of(c, v), v->length);
    c->code->instructions[at].variable = v->number;
}

static void emit_number(compiler *c, int64_t value)
{
    emit(c, MZ_CODE_NUMBER, add_number(c->code, value), 0);
}

static void compile_expression(compiler *c, const mz_expression *e);

static void compile_index(compiler *c, const mz_expression *access)
{
    if (access->left)
        compile_expression(c, access->left);
    else
        emit_number(c, 0);
}

static void compile_load(compiler *c, const mz_expression *e)
{
    static const mz_opcode plain[] = {MZ_CODE_LOAD_SHARED, MZ_CODE_LOAD_LOCAL, MZ_CODE_NUMBER};
    static const mz_opcode indexed[] = {MZ_CODE_LOAD_SHARED_AT, MZ_CODE_LOAD_LOCAL_AT, MZ_CODE_LOAD_CONST_AT};
    const mz_variable *v = e->variable;
    uint32_t cell;
    if (mz__has_fixed_cell(e, &cell)) {
        emit(c, plain[v->storage], base_of(c, v) + cell, 0);
    } else {
        compile_index(c, e);
        emit_indexed(c, indexed[v->storage], v);
    }
}

static void compile_expression(compiler *c, const mz_expression *e)
{
    uint32_t jump;
    switch (e->kind) {
    case MZ_EXPR_NUMBER:
        emit_number(c, e->number);
        break;
    case MZ_EXPR_VARIABLE:
        compile_load(c, e);
        break;
    case MZ_EXPR_CHOOSE:
        emit(c, MZ_CODE_LOAD_LOCAL, e->choice_slot, 0);
        break;
    case MZ_EXPR_CAS:
        compile_index(c, e->target);
        compile_expression(c, e->left);
        compile_expression(c, e->right);
        emit_indexed(c,
                     e->target->variable->storage == MZ_SHARED ? MZ_CODE_CAS_SHARED_AT : MZ_CODE_CAS_LOCAL_AT,
                     e->target->variable);
        break;
    case MZ_EXPR_AND:
    case MZ_EXPR_OR:
        compile_expression(c, e->left);
        jump = emit(c, e->kind == MZ_EXPR_AND ? MZ_CODE_AND_ELSE_JUMP : MZ_CODE_OR_ELSE_JUMP, 0, 0);
        compile_expression(c, e->right);
        emit(c, MZ_CODE_TRUTH, 0, 0);
        land(c, jump);
        break;
    case MZ_EXPR_NEGATE:
    case MZ_EXPR_NOT:
        compile_expression(c, e->left);
        emit(c, MZ_CODE_UNARY, e->kind, 0);
        break;
    default:
        compile_expression(c, e->left);
        compile_expression(c, e->right);
        emit(c, e->kind == MZ_EXPR_DIVIDE || e->kind == MZ_EXPR_MODULO ? MZ_CODE_DIVISION : MZ_CODE_BINARY,
             e->kind, 0);
    }
}

static mz_operation_kind kind_of(const mz_statement *s, const mz_footprint *f)
{
    switch (s->kind) {
    case MZ_STMT_LOCK:
        return MZ_OP_LOCK;
    case MZ_STMT_UNLOCK:
        return MZ_OP_UNLOCK;
    case MZ_STMT_AWAIT:
        return MZ_OP_AWAIT;
    case MZ_STMT_ATOMIC:
        return MZ_OP_ATOMIC;
    case MZ_STMT_FENCE:
        return MZ_OP_FENCE;
    default:
        return f->writes && f->reads ? MZ_OP_UPDATE : f->writes ? MZ_OP_WRITE : MZ_OP_READ;
    }
}

/* Make the choices of an expression, each into a cell of its own. */
static void hoist_choices(compiler *c, mz_expression *e)
{
    if (!e || !e->has_choose)
        return;
    if (e->kind == MZ_EXPR_CHOOSE) {
        compile_expression(c, e->left);
        compile_expression(c, e->right);
        e->choice_slot = add_local_cells(c, 1, NULL);
        emit(c, MZ_CODE_CHOOSE, e->choice_slot, 0);
        return;
    }
    hoist_choices(c, e->target);
    hoist_choices(c, e->left);
    hoist_choices(c, e->right);
}

/* Those of a statement; of an atomic block (and what is in it) all at once. */
static void hoist_choices_of(compiler *c, const mz_statement *s, bool inside)
{
    hoist_choices(c, s->target);
    hoist_choices(c, s->value);
    if (!inside && s->kind != MZ_STMT_ATOMIC)
        return;
    for (const mz_statement *part = s->body; part; part = part->next)
        hoist_choices_of(c, part, true);
    for (const mz_statement *part = s->otherwise; part; part = part->next)
        hoist_choices_of(c, part, true);
}

/* Fixed accesses stand there twice: as they are, and with the class. */
static void add_class(mz_code *code, mz_static_operation *operation, const mz_statement *s)
{
    operation->class = code->has_buffers ? 0 : mz__class_of(s); /* an addition is no update then */
    operation->refined_access = operation->first_access;
    if (!operation->fixed || !operation->class)
        return;
    operation->refined_access = (uint32_t)code->access_count;
    code->accesses =
        mz_grow(code->accesses, &code->access_capacity, code->access_count + 1, sizeof *code->accesses);
    code->accesses[code->access_count++] =
        (mz_access){code->accesses[operation->first_access].location, MZ_READ | MZ_WRITE | operation->class};
}

/* They wait in a buffer. */
static void forget_writes(mz_code *code, mz_footprint *f)
{
    size_t kept = f->first_access;
    for (size_t i = f->first_access; i < code->access_count; i++)
        if (code->accesses[i].kind & MZ_READ)
            code->accesses[kept++] = (mz_access){code->accesses[i].location, MZ_READ};
    code->access_count = kept;
}

/* Open an operation if the statement is one; true if it needs DONE after its last access. */
static bool begin_operation(compiler *c, const mz_statement *s)
{
    bool fence = s->kind == MZ_STMT_FENCE && c->code->has_buffers;
    if (c->in_atomic || !(mz__touches_shared(s) || fence))
        return false;
    mz_code *code = c->code;
    mz_footprint f = mz__footprint(code, s);
    bool drains = s->kind == MZ_STMT_ATOMIC || s->kind == MZ_STMT_LOCK || fence || f.has_cas;
    bool stores = code->has_buffers && f.writes && !drains;
    if (stores)
        forget_writes(code, &f);
    code->operations = mz_grow(code->operations, &code->operation_capacity, code->operation_count + 1,
                               sizeof *code->operations);
    mz_operation_kind kind = kind_of(s, &f);
    bool blocking = kind == MZ_OP_LOCK || kind == MZ_OP_AWAIT;
    bool condition = s->kind == MZ_STMT_ASSERT || s->kind == MZ_STMT_ASSUME;
    code->complex_blocking |= blocking && (f.dynamic || f.sites != 1);
    code->operations[code->operation_count] = (mz_static_operation){
        .told = {.kind = kind,
                 .blocking = blocking,
                 .branching = s->has_branches,
                 .steering = mz__is_steering(s),
                 .dynamic = f.dynamic,
                 .conditional = f.sites == 1 && !stores && (f.has_cas || kind == MZ_OP_UNLOCK)},
        .drains = drains,
        .stores = stores,
        .transaction = s->kind == MZ_STMT_ATOMIC || (f.has_cas && (f.sites > 1 || f.may_fail || condition)) ||
                       (f.has_local_cas && !f.fixed),
        .fixed = f.fixed,
        .first_access = f.first_access,
        .access_count = f.fixed ? (uint32_t)code->access_count - f.first_access : 0,
        .text = s->text,
        .position = s->position,
    };
    if (!f.fixed)
        code->access_count = f.first_access;
    add_class(code, &code->operations[code->operation_count], s);
    emit(c, MZ_CODE_EVENT, (uint32_t)code->operation_count++, 0);
    return !f.fixed || blocking || s->kind == MZ_STMT_ATOMIC;
}

static void end_operation(compiler *c, bool needs_done)
{
    if (needs_done)
        emit(c, MZ_CODE_DONE, 0, 0);
}

static void compile_statements(compiler *c, const mz_statement *s);

static void compile_store(compiler *c, const mz_statement *s)
{
    const mz_variable *v = s->target->variable;
    bool shared = v->storage == MZ_SHARED;
    uint32_t cell;
    if (mz__has_fixed_cell(s->target, &cell)) {
        compile_expression(c, s->value);
        emit(c, shared ? MZ_CODE_STORE_SHARED : MZ_CODE_STORE_LOCAL, base_of(c, v) + cell, 0);
    } else {
        compile_index(c, s->target);
        compile_expression(c, s->value);
        emit_indexed(c, shared ? MZ_CODE_STORE_SHARED_AT : MZ_CODE_STORE_LOCAL_AT, v);
    }
}

static uint32_t add_text(mz_code *code, const char *text)
{
    code->texts = mz_grow(code->texts, &code->text_capacity, code->text_count + 1, sizeof *code->texts);
    code->texts[code->text_count] = text;
    return (uint32_t)code->text_count++;
}

static void compile_if(compiler *c, const mz_statement *s, bool needs_done)
{
    bool is_operation = !c->in_atomic && mz__touches_shared(s);
    if (!s->has_branches && is_operation && !needs_done && !s->value->has_cas) /* a local one has an effect */
        return; /* the footprint is fixed and nobody asks for the value: reading is all there is to it */
    compile_expression(c, s->value);
    end_operation(c, needs_done);
    if (!s->has_branches) {
        emit(c, MZ_CODE_POP, 0, 0);
        return;
    }
    uint32_t to_else = emit(c, MZ_CODE_JUMP_IF_ZERO, 0, 0);
    compile_statements(c, s->body);
    if (s->otherwise) {
        c->position = s->position;
        uint32_t to_end = emit(c, MZ_CODE_JUMP, 0, 0);
        land(c, to_else);
        compile_statements(c, s->otherwise);
        land(c, to_end);
    } else {
        land(c, to_else);
    }
}

static void compile_statement(compiler *c, const mz_statement *s)
{
    c->position = s->position;
    uint32_t loop = (uint32_t)c->code->count;
    if (!c->in_atomic)
        hoist_choices_of(c, s, false);
    bool needs_done = begin_operation(c, s);
    switch (s->kind) {
    case MZ_STMT_ASSIGN:
        compile_store(c, s);
        end_operation(c, needs_done);
        break;
    case MZ_STMT_CAS:
        compile_expression(c, s->value);
        end_operation(c, needs_done);
        emit(c, MZ_CODE_POP, 0, 0);
        break;
    case MZ_STMT_IF:
        compile_if(c, s, needs_done);
        break;
    case MZ_STMT_WHILE: {
        compile_expression(c, s->value);
        end_operation(c, needs_done);
        uint32_t to_end = emit(c, MZ_CODE_JUMP_IF_ZERO, 0, 0);
        compile_statements(c, s->body);
        c->position = s->position;
        emit(c, MZ_CODE_JUMP, loop, 0);
        land(c, to_end);
        break;
    }
    case MZ_STMT_ASSERT:
    case MZ_STMT_ASSUME:
        compile_expression(c, s->value);
        emit(c, s->kind == MZ_STMT_ASSERT ? MZ_CODE_ASSERT : MZ_CODE_ASSUME, add_text(c->code, s->text), 0);
        end_operation(c, needs_done);
        break;
    case MZ_STMT_AWAIT:
        compile_expression(c, s->value);
        end_operation(c, needs_done);
        emit(c, MZ_CODE_POP, 0, 0);
        break;
    case MZ_STMT_LOCK:
    case MZ_STMT_UNLOCK:
        compile_index(c, s->target);
        emit_indexed(c, s->kind == MZ_STMT_LOCK ? MZ_CODE_LOCK : MZ_CODE_UNLOCK, s->target->variable);
        end_operation(c, needs_done);
        break;
    case MZ_STMT_ATOMIC: {
        bool outer = c->in_atomic;
        c->in_atomic = true;
        compile_statements(c, s->body);
        c->in_atomic = outer;
        end_operation(c, needs_done);
        break;
    }
    case MZ_STMT_SKIP:
    case MZ_STMT_FENCE:
        break;
    }
}

static void compile_statements(compiler *c, const mz_statement *s)
{
    for (; s; s = s->next)
        compile_statement(c, s);
}

static void compile_process(compiler *c, uint32_t number)
{
    for (size_t i = 0; i < c->program->variable_count; i++)
        c->local_base[i] = UINT32_MAX;
    c->process = &c->code->processes[number];
    c->process->start = (uint32_t)c->code->count;
    c->process->first_initial = (uint32_t)c->code->local_initial_count;
    c->stack = 0;
    compile_statements(c, c->program->processes[number]);
    emit(c, MZ_CODE_FINISH, 0, 0);
}

/* Shared variables get the locations; only they count. */
static void number_locations(mz_program *program)
{
    program->location_count = 0;
    for (size_t i = 0; i < program->variable_count; i++) {
        mz_variable *v = program->variables[i];
        if (v->storage != MZ_SHARED)
            continue;
        v->base = program->location_count;
        program->location_count += v->length;
    }
}

mz_code *mz_compile(mz_program *program, bool buffers)
{
    number_locations(program);
    mz__find_steering(program);
    mz_code *code = mz_allocate_zeroed(1, sizeof *code);
    code->process_count = program->process_count;
    code->has_buffers = buffers;
    code->shared_count = program->location_count;
    code->processes = mz_allocate_zeroed(program->process_count, sizeof *code->processes);
    compiler c = {.program = program, .code = code};
    c.local_base = mz_allocate(program->variable_count * sizeof *c.local_base);
    for (uint32_t i = 0; i < program->process_count; i++)
        compile_process(&c, i);
    code->stack_needed = c.deepest;
    mz_release(c.local_base);
    return code;
}

void mz_code_destroy(mz_code *code)
{
    if (!code)
        return;
    mz_release(code->instructions);
    mz_release(code->positions);
    mz_release(code->numbers);
    mz_release(code->texts);
    mz_release(code->operations);
    mz_release(code->accesses);
    mz_release(code->processes);
    mz_release(code->local_initials);
    mz_release(code);
}
