#include "oracle/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { LOCKS = 2 };

/* What a program is mostly made of; each program mixes some of these. */
enum shape {
    PLAIN,    /* constant cells */
    INDIRECT, /* cells chosen by a local */
    NESTED,   /* cells chosen by shared cells */
    SWAP,     /* compare-and-swap */
    BRANCH,   /* if, short circuit */
    LOOP,     /* bounded loops */
    LOCK,     /* critical sections, nested in either order */
    WAIT,     /* await */
    ASSUME,
    CHOOSE,
    ATOMIC,
    FAIL, /* assertions, divisions, indices, unlocks that may go wrong */
    SHAPES
};

typedef struct generator {
    uint64_t state;
    oracle_program *program;
    uint32_t weights[SHAPES];
    bool swaps_first; /* the first cell is read and compared and swapped only, the others are not swapped */
    uint32_t budget;  /* statements left for this thread */
    bool in_atomic;
    bool complex_waits; /* guards over several or moving locations */
} generator;

static uint32_t below(generator *g, uint32_t n)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mz_mix64(g->state) % n);
}

static oracle_statement *new_statement(generator *g)
{
    oracle_statement *s = mz_allocate_zeroed(1, sizeof *s);
    g->program->all[g->program->statement_count++] = s;
    return s;
}

/* A shared cell, as the program's shapes have it. */
static void add_cell(generator *g, char *out, size_t size)
{
    uint32_t cells = g->program->cells;
    if (g->weights[NESTED] && below(g, 3) == 0)
        snprintf(out, size, "x[x[%u] %% %u]", below(g, cells), cells);
    else if (g->weights[INDIRECT] && below(g, 3) == 0)
        snprintf(out, size, "x[(r + %u) %% %u]", below(g, 2), cells);
    else
        snprintf(out, size, "x[%u]", below(g, cells));
}

static oracle_statement *make_statement(generator *g, uint32_t depth);

static oracle_statement *make_block(generator *g, uint32_t depth, uint32_t most)
{
    oracle_statement *first = NULL, **end = &first;
    uint32_t count = 1 + below(g, most);
    while (count-- > 0 && g->budget > 0) {
        *end = make_statement(g, depth);
        while (*end)
            end = &(*end)->next;
    }
    return first;
}

static oracle_statement *make_plain(generator *g, oracle_statement *s)
{
    char a[40], b[40];
    add_cell(g, a, sizeof a);
    add_cell(g, b, sizeof b);
    uint32_t kind = below(g, g->weights[FAIL] ? 8 : 6);
    if (g->swaps_first && kind < 3)
        snprintf(a, sizeof a, "x[%u]", 1 + below(g, g->program->cells - 1));
    switch (kind) {
    case 0:
        snprintf(s->head, sizeof s->head, "%s := %u", a, below(g, 3));
        break;
    case 6: /* these stop half-way if the index is not 0 */
        snprintf(s->head, sizeof s->head, "%s := c[%s]", a, b);
        break;
    case 7:
        snprintf(s->head, sizeof s->head, "k[%s] := %s", a, b);
        break;
    case 1:
        snprintf(s->head, sizeof s->head, "%s := %s", a, b);
        break;
    case 2:
        if (below(g, 3)) { /* sums and products of a cell with itself: they commute */
            static const char *const updates[] = {"%s := %s + 1", "%s := %s + r", "%s := %s * 2"};
            snprintf(s->head, sizeof s->head, updates[below(g, 3)], a, a);
        } else {
            snprintf(s->head, sizeof s->head, "%s := %s + 1", a, b);
        }
        break;
    case 3:
        snprintf(s->head, sizeof s->head, "if %s == %u", a, below(g, 2));
        break;
    case 4:
        snprintf(s->head, sizeof s->head, "r := %s", a);
        break;
    default:
        snprintf(s->head, sizeof s->head, "r := %s + %s", a, b);
    }
    return s;
}

static oracle_statement *make_swap(generator *g, oracle_statement *s)
{
    char a[40], b[40];
    add_cell(g, a, sizeof a);
    add_cell(g, b, sizeof b);
    const char *expected = below(g, 3) == 0 ? b : below(g, 2) ? "1" : "0";
    if (g->swaps_first) {
        snprintf(a, sizeof a, "x[0]");
        expected = below(g, 2) ? "1" : "0";
    }
    switch (below(g, 5)) {
    case 0:
        snprintf(s->head, sizeof s->head, "cas(%s, %s, %u)", a, expected, 1 + below(g, 2));
        break;
    case 3: /* of a local variable, with an effect on where the rest goes */
        snprintf(s->head, sizeof s->head, "r := cas(n, 0, 1) + x[n %% %u]", g->program->cells);
        break;
    case 4:
        snprintf(s->head, sizeof s->head, "if cas(n, %s, 1) == 1", a);
        break;
    case 1:
        snprintf(s->head, sizeof s->head, "r := cas(%s, %s, %u)", a, expected, 1 + below(g, 2));
        break;
    default:
        snprintf(s->head, sizeof s->head, "if cas(%s, %s, %u) == 1", a, expected, 1 + below(g, 2));
    }
    return s;
}

static oracle_statement *make_branch(generator *g, oracle_statement *s, uint32_t depth)
{
    char a[40], b[40];
    add_cell(g, a, sizeof a);
    add_cell(g, b, sizeof b);
    uint32_t p = below(g, 2), q = below(g, 2); /* drawn here: the order of arguments is the compiler's */
    switch (below(g, 4)) {
    case 0:
        snprintf(s->head, sizeof s->head, "if %s == %u && %s != %u", a, p, b, q);
        break;
    case 1:
        snprintf(s->head, sizeof s->head, "if %s > %u || %s == %u", a, p, b, q);
        break;
    default:
        snprintf(s->head, sizeof s->head, "if %s == %u", a, below(g, 2));
    }
    s->has_body = true;
    s->body = make_block(g, depth + 1, 2);
    if (below(g, 3) == 0) {
        s->has_else = true;
        s->otherwise = make_block(g, depth + 1, 2);
    }
    return s;
}

static oracle_statement *make_loop(generator *g, oracle_statement *s, uint32_t depth)
{
    char a[40];
    add_cell(g, a, sizeof a);
    oracle_statement *count = new_statement(g);
    snprintf(count->head, sizeof count->head, "n := n + 1");
    snprintf(s->head, sizeof s->head, below(g, 2) ? "while n < 2 && %s == 0" : "while %s == 0 && n < 2", a);
    s->has_body = true;
    if (below(g, 2))
        s->body = make_block(g, depth + 1, 1);
    count->next = s->body;
    s->body = count;
    return s;
}

static oracle_statement *make_critical_section(generator *g, oracle_statement *s, uint32_t depth)
{
    uint32_t lock = below(g, LOCKS);
    oracle_statement *unlock = new_statement(g);
    snprintf(s->head, sizeof s->head, "lock m[%u]", lock);
    snprintf(unlock->head, sizeof unlock->head, "unlock m[%u]", lock);
    if (g->complex_waits && below(g, 4) == 0)
        snprintf(s->head, sizeof s->head, "lock m[x[0] %% %u]", LOCKS);
    else if (below(g, 6) == 0)
        snprintf(s->head, sizeof s->head, "lock m[(r + %u) %% %u]", lock, LOCKS);
    oracle_statement *inside = below(g, 4) ? make_block(g, depth + 1, 2) : NULL;
    oracle_statement *last = s;
    last->next = inside;
    while (last->next)
        last = last->next;
    if (below(g, 12) == 0 && g->weights[FAIL])
        return s; /* forgotten */
    last->next = unlock;
    return s;
}

static oracle_statement *make_wait(generator *g, oracle_statement *s, const char *word)
{
    char a[40], b[40];
    bool simple = strcmp(word, "await") == 0 && !g->complex_waits;
    if (simple) {
        snprintf(a, sizeof a, "x[%u]", below(g, g->program->cells));
        if (g->weights[INDIRECT] && below(g, 3) == 0)
            snprintf(a, sizeof a, "x[r %% %u]", g->program->cells);
    } else {
        add_cell(g, a, sizeof a);
    }
    add_cell(g, b, sizeof b);
    uint32_t p = below(g, 3), q = below(g, 3); /* drawn here: the order of arguments is the compiler's */
    if (!simple && below(g, 2))
        snprintf(s->head, sizeof s->head, "%s %s == %u && %s != %u", word, a, p % 2, b, q);
    else
        snprintf(s->head, sizeof s->head, "%s %s %s %u", word, a, p ? "==" : "!=", q);
    return s;
}

static oracle_statement *make_choice(generator *g, oracle_statement *s)
{
    char a[40];
    add_cell(g, a, sizeof a);
    switch (below(g, 3)) {
    case 0:
        snprintf(s->head, sizeof s->head, "%s := choose(0, 1)", a);
        break;
    case 1:
        snprintf(s->head, sizeof s->head, g->in_atomic ? "r := choose(0, 1)" : "r := choose(0, r + 1)");
        break;
    default:
        snprintf(s->head, sizeof s->head, "x[choose(0, %u)] := 1", g->program->cells - 1);
    }
    return s;
}

static oracle_statement *make_failure(generator *g, oracle_statement *s)
{
    char a[40], b[40];
    add_cell(g, a, sizeof a);
    add_cell(g, b, sizeof b);
    uint32_t p = below(g, 2), q = below(g, 2); /* drawn here: the order of arguments is the compiler's */
    switch (below(g, g->in_atomic ? 7 : 9)) {
    case 0:
        snprintf(s->head, sizeof s->head, "%s := 2 / %s", a, b);
        break;
    case 6:
        snprintf(s->head, sizeof s->head, "%s := (%s != 0 && 1 / r == 0)", a, b);
        break;
    case 7:
        snprintf(s->head, sizeof s->head, "lock m[r + 1]");
        break;
    case 8:
        snprintf(s->head, sizeof s->head, "await r == 0 && x[%u] == %u", below(g, g->program->cells), q);
        break;
    case 1:
        snprintf(s->head, sizeof s->head, "x[%s + %u] := 1", b, below(g, 2));
        break;
    case 2:
        snprintf(s->head, sizeof s->head, "unlock m[%u]", below(g, LOCKS));
        break;
    case 3:
        snprintf(s->head, sizeof s->head, "assert r < 2");
        break;
    default:
        snprintf(s->head, sizeof s->head, "assert %s %s %u", a, p ? "<" : "!=", 1 + q);
    }
    return s;
}

static enum shape pick_shape(generator *g, uint32_t depth)
{
    uint32_t total = 0;
    for (int i = 0; i < SHAPES; i++)
        total += g->weights[i];
    uint32_t at = below(g, total);
    enum shape shape = PLAIN;
    for (int i = 0; i < SHAPES; i++) {
        if (at < g->weights[i]) {
            shape = (enum shape)i;
            break;
        }
        at -= g->weights[i];
    }
    bool nests = shape == BRANCH || shape == LOOP || shape == LOCK || shape == ATOMIC;
    bool waits = shape == LOCK || shape == WAIT;
    if ((nests && depth >= 2) || (g->in_atomic && (waits || shape == ATOMIC || shape == LOOP)))
        return PLAIN;
    return shape;
}

static oracle_statement *make_statement(generator *g, uint32_t depth)
{
    g->budget--;
    oracle_statement *s = new_statement(g);
    switch (pick_shape(g, depth)) {
    case SWAP:
        return make_swap(g, s);
    case BRANCH:
        return make_branch(g, s, depth);
    case LOOP:
        return make_loop(g, s, depth);
    case LOCK:
        return make_critical_section(g, s, depth);
    case WAIT:
        return make_wait(g, s, "await");
    case ASSUME:
        return make_wait(g, s, "assume");
    case CHOOSE:
        return make_choice(g, s);
    case FAIL:
        return make_failure(g, s);
    case ATOMIC:
        snprintf(s->head, sizeof s->head, "atomic");
        s->has_body = true;
        g->in_atomic = true;
        s->body = make_block(g, depth + 1, 3);
        g->in_atomic = false;
        return s;
    default:
        return make_plain(g, s);
    }
}

/* ---- late inputs -------------------------------------------------------------------------------------
 *
 * Some thread reads an input before its first operation, when others may be at work, and which orders go
 * wrong depends on it: there are constraint sets for some of its values, and other ones, or none, for others.
 */

static oracle_statement *new_line(generator *g, const char *format, uint32_t a, uint32_t b)
{
    oracle_statement *s = new_statement(g);
    snprintf(s->head, sizeof s->head, format, a, b);
    return s;
}

/* The first two cells are 0, and written once: what is asked of them holds before, or after. */
static oracle_statement *make_late_check(generator *g)
{
    static const char *const checks[] = {"assert x[%u] == 0", "assert x[%u] != 0",
                                         "assert x[(r + %u) %% 2] == 0", "assert x[(r + %u) %% 2] != 0"};
    uint32_t kind = below(g, 4);
    oracle_statement *s = new_line(g, checks[kind], below(g, 2), 0);
    if (kind > 1 || below(g, 4) == 0)
        return s;
    oracle_statement *branch = new_line(g, "if r == %u", below(g, 2), 0);
    branch->has_body = true;
    branch->body = s;
    return branch;
}

static oracle_statement *make_late_statement(generator *g, bool writer, uint32_t number)
{
    uint32_t last = g->program->cells - 1;
    if (writer && number < 2)
        return new_line(g, below(g, 4) ? "x[%u] := 1" : "x[(r + %u) %% 2] := 1", number, 0);
    switch (writer ? 0 : below(g, 5)) {
    case 0:
        return last > 1 ? new_line(g, "x[%u] := r + %u", last, below(g, 2))
                        : new_line(g, "n := n + x[%u]", below(g, 2), 0);
    case 1:
        return new_line(g, "n := n + x[%u]", below(g, last + 1), 0);
    default:
        return make_late_check(g);
    }
}

static void make_late_program(generator *g)
{
    g->program->thread_count = 2 + (below(g, 3) > 0);
    uint32_t threads = g->program->thread_count, writer = below(g, threads),
             reader = (writer + 1 + below(g, threads - 1)) % threads;
    for (uint32_t t = 0; t < threads; t++) {
        oracle_statement **end = &g->program->threads[t];
        if (t == reader || below(g, 4) == 0) {
            *end = new_line(g, "r := choose(0, %u)", 1 + below(g, 2), 0);
            end = &(*end)->next;
        }
        uint32_t count = (t == writer ? 2 : 1) + below(g, 2);
        for (uint32_t i = 0; i < count; i++, end = &(*end)->next)
            *end = make_late_statement(g, t == writer, i);
    }
}

/* ---- sums that somebody waits for --------------------------------------------------------------------- */

static oracle_statement *make_summing_statement(generator *g)
{
    uint32_t cell = below(g, g->program->cells);
    switch (below(g, 6)) {
    case 0:
    case 1:
        return new_line(g, "await x[%u] == %u", cell, below(g, 3));
    case 2:
        return new_line(g, "x[%u] := n + %u", cell, below(g, 2));
    case 3:
        return new_line(g, "n := x[%u]", cell, 0);
    default:
        return new_line(g, "x[%u] := x[%u] + 1", cell, cell);
    }
}

static void make_summing_program(generator *g)
{
    for (uint32_t t = 0; t < g->program->thread_count; t++) {
        oracle_statement **end = &g->program->threads[t];
        for (uint32_t count = 1 + below(g, 3); count > 0; count--, end = &(*end)->next)
            *end = make_summing_statement(g);
    }
}

oracle_program *oracle_generate(uint64_t seed)
{
    generator g = {.state = seed * UINT64_C(0x632be59bd9b4e019)};
    g.program = mz_allocate_zeroed(1, sizeof *g.program);
    g.program->thread_count = 2 + below(&g, 3);
    g.program->cells = 2 + below(&g, 2);
    g.weights[PLAIN] = 3;
    for (int i = 1; i < SHAPES; i++) /* three or four shapes a program */
        if (below(&g, SHAPES) < 4)
            g.weights[i] = 1 + below(&g, 3);
    uint32_t profile = below(&g, 5);
    if (profile == 1) { /* cells that move, statements that may fail half-way */
        memset(g.weights, 0, sizeof g.weights);
        g.weights[PLAIN] = 4;
        g.weights[NESTED] = 1; /* in effect a third of all cells */
        g.weights[SWAP] = below(&g, 2);
        g.weights[FAIL] = 2 * below(&g, 3);
        g.weights[ATOMIC] = below(&g, 2);
    }
    if (profile == 0) { /* locks and little else */
        memset(g.weights, 0, sizeof g.weights);
        g.weights[LOCK] = 4;
        g.weights[PLAIN] = 1;
        g.weights[WAIT] = below(&g, 2);
    }
    if (profile == 2 && below(&g, 2)) { /* what is swapped beside what is written */
        memset(g.weights, 0, sizeof g.weights);
        g.swaps_first = true;
        g.weights[PLAIN] = 4;
        g.weights[SWAP] = 3;
        g.weights[LOCK] = below(&g, 2);
        g.weights[WAIT] = below(&g, 2);
    }
    if (profile == 3 && below(&g, 2)) { /* inputs on the way, and what they make fail */
        memset(g.weights, 0, sizeof g.weights);
        g.weights[PLAIN] = 3;
        g.weights[CHOOSE] = 2;
        g.weights[BRANCH] = 1 + below(&g, 2);
        g.weights[FAIL] = below(&g, 3);
        g.weights[LOCK] = below(&g, 2);
    }
    g.complex_waits = below(&g, 6) == 0;
    if (profile == 4 && seed % 2) { /* what moves, and what waits for several cells, beside plain writes */
        memset(g.weights, 0, sizeof g.weights);
        g.weights[PLAIN] = 5;
        g.weights[NESTED] = below(&g, 2);
        g.weights[BRANCH] = 1 + below(&g, 2);
        g.weights[ATOMIC] = below(&g, 3);
        g.weights[WAIT] = below(&g, 3);
        g.weights[LOCK] = below(&g, 2);
        g.complex_waits = true;
    }
    if (seed % 8 == 5) {
        make_late_program(&g);
        return g.program;
    }
    if (seed % 16 == 11) {
        make_summing_program(&g);
        return g.program;
    }
    for (uint32_t t = 0; t < g.program->thread_count; t++) {
        uint32_t most = g.program->thread_count == 2 ? 6 : g.program->thread_count == 3 ? 4 : 3;
        g.budget = 1 + below(&g, most);
        g.program->threads[t] = make_block(&g, 0, g.budget);
    }
    return g.program;
}

/* In some programs they are told apart all the same: by their numbers, or by who holds a lock. */
oracle_program *oracle_generate_alike(uint64_t seed)
{
    oracle_program *p = oracle_generate(seed);
    generator g = {.state = seed * UINT64_C(0x9fb21c651e98df25), .program = p};
    for (uint32_t t = 0; t < p->thread_count; t++) {
        if (t > 0 && below(&g, 3) > 0) {
            p->threads[t] = p->threads[t - 1];
            continue;
        }
        uint32_t kind = below(&g, 12);
        oracle_statement *told = kind > 1 || p->statement_count == 256 ? NULL
                                 : kind == 1                           ? new_line(&g, "r := pid", 0, 0)
                                             : new_line(&g, "n := n + m[%u]", below(&g, LOCKS), 0);
        if (!told)
            continue;
        told->next = p->threads[t];
        p->threads[t] = told;
    }
    return p;
}

void oracle_program_destroy(oracle_program *program)
{
    for (uint32_t i = 0; i < program->statement_count; i++)
        mz_release(program->all[i]);
    mz_release(program);
}

static void write_block(const oracle_statement *s, uint32_t indent, mz_text *out)
{
    for (; s; s = s->next) {
        if (s->removed)
            continue;
        if (s->unwrapped) {
            write_block(s->body, indent, out);
            continue;
        }
        mz_text_add_repeated(out, "  ", indent);
        mz_text_add(out, "%s%s\n", s->head, s->has_body ? " {" : "");
        if (!s->has_body)
            continue;
        write_block(s->body, indent + 1, out);
        mz_text_add_repeated(out, "  ", indent);
        mz_text_add(out, "}\n");
        if (s->has_else) {
            mz_text_add_repeated(out, "  ", indent);
            mz_text_add(out, "else {\n");
            write_block(s->otherwise, indent + 1, out);
            mz_text_add_repeated(out, "  ", indent);
            mz_text_add(out, "}\n");
        }
    }
}

void oracle_write(const oracle_program *p, mz_text *out)
{
    uint32_t threads = 0;
    for (uint32_t t = 0; t < p->thread_count; t++)
        threads += !p->removed[t];
    mz_text_add(out, "<%u, x %u, m %d, local r 1, local n 1, local k 1, const c 1 1>\n", threads, p->cells,
                LOCKS);
    for (uint32_t t = 0; t < p->thread_count; t++) {
        if (p->removed[t])
            continue;
        uint32_t copies = 1;
        while (t + 1 < p->thread_count && p->threads[t + 1] == p->threads[t] && !p->removed[t + 1]) {
            copies++;
            t++;
        }
        mz_text_add(out, copies > 1 ? "<{%u\n[\n" : "[\n", copies);
        write_block(p->threads[t], 1, out);
        mz_text_add(out, copies > 1 ? "]\n}>\n" : "]\n");
    }
}
