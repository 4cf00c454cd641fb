/* Header, declarations, processes. */
#include "model/parser.h"

#include <string.h>

#include "base/memory.h"
#include "machine/threads.h"
#include "model/parser_internal.h"

static bool equals(const char *name, const char *text, size_t length)
{
    return strncmp(name, text, length) == 0 && name[length] == '\0';
}

const mz_variable *mz__find_variable(const mz_parser *p, const char *name, size_t length)
{
    for (size_t i = 0; i < p->program->variable_count; i++)
        if (equals(p->program->variables[i]->name, name, length))
            return p->program->variables[i];
    return NULL;
}

const mz_parameter *mz__find_parameter(const mz_parser *p, const char *name, size_t length)
{
    for (size_t i = 0; i < p->program->parameter_count; i++)
        if (equals(p->program->parameters[i].name, name, length))
            return &p->program->parameters[i];
    return NULL;
}

bool mz__is_name(const mz_token *token, const char *name)
{
    return token->kind == MZ_TOKEN_NAME && strcmp(token->text, name) == 0;
}

bool mz__is_reserved(const mz_token *token)
{
    static const char *const words[] = {"local", "const", "if", "then", "else", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (mz__is_name(token, words[i]))
            return true;
    return false;
}

static bool is_known(void *context, const char *name, size_t length)
{
    const mz_parser *p = context;
    return mz__find_variable(p, name, length) || mz__find_parameter(p, name, length) ||
           equals("pid", name, length) || equals("true", name, length) || equals("false", name, length);
}

void mz__unexpected(mz_parser *p, const char *expected)
{
    const mz_token *t = &p->token;
    if (t->kind == MZ_TOKEN_NAME || t->kind == MZ_TOKEN_NUMBER)
        mz_lexer_fail(&p->lexer, t->start, "expected %s, found '%s'", expected, t->text);
    else
        mz_lexer_fail(&p->lexer, t->start, "expected %s, found %s", expected, mz_token_name(t->kind));
    p->token.kind = MZ_TOKEN_END;
}

void mz__unknown_name(mz_parser *p, const mz_token *name)
{
    if (p->error->set)
        return;
    size_t count = p->program->variable_count + p->program->parameter_count, n = 0;
    const char **names = mz_allocate((count + 1) * sizeof *names);
    for (size_t i = 0; i < p->program->variable_count; i++)
        names[n++] = p->program->variables[i]->name;
    for (size_t i = 0; i < p->program->parameter_count; i++)
        names[n++] = p->program->parameters[i].name;
    if (p->in_process && !mz__is_name(name, "pid"))
        names[n++] = "pid";
    const char *closest = mz_closest_name(name->text, names, n);
    mz_release(names);
    mz_lexer_fail(&p->lexer, name->start, "unknown name '%s'", name->text);
    if (closest)
        mz_error_set_hint(p->error, "did you mean '%s'?", closest);
    else if (mz__is_name(name, "pid"))
        mz_error_set_hint(p->error, "pid is known inside a process only, and cannot change");
    else
        mz_error_set_hint(p->error, "variables are declared in the header: < … , %s 1>", name->text);
    p->token.kind = MZ_TOKEN_END;
}

/* The count of a repetition block: looks at tokens up to the last of the count and not beyond it, because
 * what follows belongs to the block already. */
static int64_t parse_repetition_count(mz_parser *p)
{
    size_t offset = p->token.start;
    int64_t count = 0;
    if (++p->nesting > MZ_MAX_NESTING) {
        mz_lexer_fail(&p->lexer, offset, "nested too deeply (more than %d levels)", MZ_MAX_NESTING);
        return 0;
    }
    mz_lexer_next(&p->lexer, &p->token);
    const mz_parameter *parameter = mz__find_parameter(p, p->token.text, p->token.length);
    if (p->token.kind == MZ_TOKEN_NUMBER) {
        count = p->token.value;
    } else if (p->token.kind == MZ_TOKEN_NAME && parameter) {
        count = parameter->value;
    } else if (p->token.kind == MZ_TOKEN_LEFT_PAREN) {
        mz__advance(p);
        mz_expression *e = mz__parse_expression(p);
        if (p->token.kind != MZ_TOKEN_RIGHT_PAREN)
            mz__unexpected(p, "')' after the number of repetitions");
        else if (e && e->kind != MZ_EXPR_NUMBER)
            mz_lexer_fail(&p->lexer, e->offset,
                          "the number of repetitions must be known before the program runs");
        count = e ? e->number : 0;
    } else {
        mz__unexpected(p, "the number of repetitions");
    }
    p->nesting--;
    if (count < 0 || count > 1000000)
        mz_lexer_fail(&p->lexer, offset, "cannot repeat %lld times", (long long)count);
    if (!p->error->set && mz_lexer_sees_operator(&p->lexer)) {
        mz_lexer_fail(&p->lexer, p->token.end, "the number of repetitions ends here");
        mz_error_set_hint(p->error, "an expression needs parentheses: <{(N - 1) … }>");
    }
    return count;
}

void mz__advance(mz_parser *p)
{
    p->previous_end = p->token.end;
    bool declaring = p->lexer.declaring; /* also past the ends of repetition blocks */
    for (;;) {
        p->lexer.declaring = declaring;
        mz_lexer_next(&p->lexer, &p->token);
        p->lexer.declaring = false;
        if (p->token.kind == MZ_TOKEN_REPEAT_BEGIN)
            mz_lexer_begin_repetition(&p->lexer, parse_repetition_count(p));
        else if (p->token.kind == MZ_TOKEN_REPEAT_END)
            mz_lexer_end_repetition(&p->lexer);
        else
            return;
        if (p->error->set) {
            p->token.kind = MZ_TOKEN_END;
            return;
        }
    }
}

bool mz__accept(mz_parser *p, mz_token_kind kind)
{
    if (p->token.kind != kind)
        return false;
    mz__advance(p);
    return true;
}

bool mz__expect(mz_parser *p, mz_token_kind kind, const char *context)
{
    if (mz__accept(p, kind))
        return true;
    mz_text expected = {0};
    mz_text_add(&expected, "%s %s", mz_token_name(kind), context);
    mz__unexpected(p, mz_text_string(&expected));
    mz_text_release(&expected);
    return false;
}

/* The name of something new; checks that it is new. */
static const char *parse_new_name(mz_parser *p, const char *what)
{
    if (p->program->variable_count + p->program->parameter_count == MZ_MAX_NAMES)
        mz_lexer_fail(&p->lexer, p->token.start, "more than %d variables and parameters", MZ_MAX_NAMES);
    if (p->token.kind != MZ_TOKEN_NAME || mz__is_reserved(&p->token)) {
        mz__unexpected(p, what);
        return "";
    }
    if (mz__find_variable(p, p->token.text, p->token.length) ||
        mz__find_parameter(p, p->token.text, p->token.length))
        mz_lexer_fail(&p->lexer, p->token.start, "'%s' is declared twice", p->token.text);
    const char *name = mz_arena_copy(&p->program->arena, p->token.text, p->token.length);
    mz__advance(p);
    return name;
}

/* param N = 4    (or: param N, to be given with -DN=…) */
static void parse_parameter(mz_parser *p)
{
    mz_program *program = p->program;
    p->lexer.declaring = true;
    mz__advance(p);
    size_t offset = p->token.start;
    mz_parameter parameter = {.name = parse_new_name(p, "the name of a parameter")};
    if (mz__accept(p, MZ_TOKEN_IS)) {
        parameter.value = mz__parse_number(p, "the value of a parameter", INT64_MIN, INT64_MAX);
        parameter.has_value = true;
    }
    for (size_t i = 0; i < p->definition_count; i++)
        if (strcmp(p->definitions[i].name, parameter.name) == 0) {
            parameter.value = p->definitions[i].value;
            p->definitions[i].used = true;
            parameter.has_value = true;
        }
    if (!parameter.has_value && !p->error->set) {
        mz_lexer_fail(&p->lexer, offset, "parameter %s has no value", parameter.name);
        mz_error_set_hint(p->error, "give it one with -D%s=…, or a default here: param %s = 3",
                          parameter.name, parameter.name);
    }
    program->parameters = mz_grow(program->parameters, &program->parameter_capacity,
                                  program->parameter_count + 1, sizeof *program->parameters);
    program->parameters[program->parameter_count++] = parameter;
}

/* (local | const)? name length initial-values */
static void parse_declaration(mz_parser *p)
{
    mz_program *program = p->program;
    mz_variable *v = mz_arena_allocate(&program->arena, sizeof *v);
    if (mz__is_name(&p->token, "local") || mz__is_name(&p->token, "const")) {
        v->storage = p->token.text[0] == 'l' ? MZ_LOCAL : MZ_CONST;
        p->lexer.declaring = true;
        mz__advance(p);
    }
    v->name = parse_new_name(p, "a declaration: (local | const)? name length");
    size_t length_offset = p->token.start;
    v->length = (uint32_t)mz__parse_number(p, "the length of a variable", 0, MZ_MAX_LOCATIONS);
    if (program->location_count + v->length > MZ_MAX_LOCATIONS)
        mz_lexer_fail(&p->lexer, length_offset, "more than %d cells altogether", MZ_MAX_LOCATIONS);
    if (p->error->set)
        return;
    v->initial = mz_arena_allocate(&program->arena, v->length * sizeof *v->initial);
    for (uint32_t i = 0; p->token.kind == MZ_TOKEN_NUMBER || p->token.kind == MZ_TOKEN_NAME ||
                         p->token.kind == MZ_TOKEN_MINUS || p->token.kind == MZ_TOKEN_LEFT_PAREN;
         i++) {
        size_t offset = p->token.start;
        if (p->token.kind == MZ_TOKEN_MINUS && offset == p->previous_end) { /* x N-1 */
            mz__unexpected(p, "',' or '>'");
            mz_error_set_hint(p->error, "an expression needs parentheses here: (N - 1)");
            return;
        }
        int64_t value = mz__parse_number(p, "an initial value", INT64_MIN, INT64_MAX);
        if (p->error->set)
            return;
        if (i >= v->length) {
            mz_lexer_fail(&p->lexer, offset, "more initial values than '%s' has cells (%u)", v->name,
                          v->length);
            return;
        }
        v->initial[i] = value;
    }
    v->base = program->location_count;
    v->number = (uint32_t)program->variable_count;
    program->location_count += v->length;
    program->variables = mz_grow(program->variables, &program->variable_capacity, program->variable_count + 1,
                                 sizeof *program->variables);
    program->variables[program->variable_count++] = v;
}

/* < "name"? processes (, declaration)* ,? > */
static int64_t parse_header(mz_parser *p, size_t *count_offset)
{
    if (!mz__expect(p, MZ_TOKEN_LESS, "to open the header: < \"name\" processes, variable length, … >"))
        return 0;
    if (p->token.kind == MZ_TOKEN_STRING) {
        p->program->name = mz_arena_copy(&p->program->arena, p->token.text, p->token.length);
        mz__advance(p);
    }
    *count_offset = p->token.start;
    if (p->token.kind == MZ_TOKEN_NAME && !is_known(p, p->token.text, p->token.length) &&
        !mz__is_name(&p->token, "choose")) {
        mz_lexer_fail(&p->lexer, p->token.start, "unknown name '%s'", p->token.text);
        mz_error_set_hint(
            p->error, "the number of processes comes first: < 2, x 1 >; a parameter is declared before the "
                      "header: param N = 2");
        return 0;
    }
    int64_t processes = mz__parse_number(p, "the number of processes", 0, INT32_MAX);
    while (p->token.kind == MZ_TOKEN_COMMA) {
        p->lexer.declaring = true;
        mz__advance(p);
        if (p->token.kind == MZ_TOKEN_GREATER)
            break;
        parse_declaration(p);
    }
    bool operator= p->token.kind >= MZ_TOKEN_PLUS && p->token.kind <= MZ_TOKEN_MODULO;
    if (!mz__expect(p, MZ_TOKEN_GREATER, "or ',' in the header") && operator)
        mz_error_set_hint(p->error, "an expression needs parentheses here: (N + 1)");
    return processes;
}

static void parse_process(mz_parser *p)
{
    mz_program *program = p->program;
    if (program->process_count == MZ_MAX_THREADS) {
        mz_lexer_fail(&p->lexer, p->token.start, "more than %d processes", MZ_MAX_THREADS);
        p->error->too_many_threads = true;
        return;
    }
    mz__advance(p);
    mz_statement *first = mz__parse_statements(p);
    mz__expect(p, MZ_TOKEN_RIGHT_BRACKET, "or a statement in this process");
    program->processes = mz_grow(program->processes, &program->process_capacity,
                                 (size_t)program->process_count + 1, sizeof *program->processes);
    program->processes[program->process_count++] = first;
}

mz_program *mz_parse(const char *file, const char *source, size_t length, mz_definition *definitions,
                     size_t definition_count, mz_error *error)
{
    mz_parser p = {.error = error, .definitions = definitions, .definition_count = definition_count};
    p.program = mz_allocate_zeroed(1, sizeof *p.program);
    p.program->file = mz_arena_copy(&p.program->arena, file, strlen(file));
    mz_lexer_init(&p.lexer, p.program->file, source, length, error);
    p.lexer.known = is_known;
    p.lexer.context = &p;
    mz__advance(&p);
    while (mz__is_name(&p.token, "param"))
        parse_parameter(&p);
    size_t count_offset = 0;
    int64_t announced = parse_header(&p, &count_offset);
    p.in_process = true;
    while (p.token.kind == MZ_TOKEN_LEFT_BRACKET && !error->set)
        parse_process(&p);
    if (p.token.kind != MZ_TOKEN_END)
        mz__unexpected(&p, "a process '[ … ]' or the end of the file");
    if (p.lexer.depth > 0)
        mz_lexer_fail(&p.lexer, p.lexer.repetitions[0].end, "'}>' closes nothing here");
    if (!error->set && announced != p.program->process_count) {
        mz_lexer_fail(&p.lexer, count_offset, "the header announces %lld process%s, but %u %s defined",
                      (long long)announced, announced == 1 ? "" : "es", p.program->process_count,
                      p.program->process_count == 1 ? "is" : "are");
        mz_error_set_hint(error,
                          "each process is one '[ … ]'; a repetition block <{n [ … ] }> defines n of them");
    }
    mz_lexer_release(&p.lexer);
    if (error->set) {
        mz_program_destroy(p.program);
        return NULL;
    }
    return p.program;
}

void mz_program_destroy(mz_program *program)
{
    if (!program)
        return;
    mz_arena_release(&program->arena);
    mz_release(program->parameters);
    mz_release(program->variables);
    mz_release(program->processes);
    mz_text_release(&program->warnings);
    mz_release(program);
}
