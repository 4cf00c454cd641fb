#include "oracle/weak/program.h"

#include <string.h>

#include "base/hash.h"
#include "machine/memory.h"

/* ---- how a thread goes on ----------------------------------------------------------------------------- */

static bool is_local(const weak_instruction *i)
{
    return i->opcode == WEAK_ASSUME || i->opcode == WEAK_SKIP_IF;
}

static void run_local(const weak_instruction *i, weak_thread *t)
{
    bool equal = t->registers[i->target] == i->number;
    t->at++;
    if (i->opcode == WEAK_ASSUME && equal)
        t->status = WEAK_PRUNED;
    if (i->opcode == WEAK_SKIP_IF && equal != i->negated)
        t->at = (uint8_t)(t->at + i->skip);
}

static int8_t operand(const weak_instruction *i, const weak_thread *t)
{
    return (int8_t)(i->number + (i->source >= 0 ? t->registers[i->source] : 0));
}

bool weak_next(const weak_program *p, uint32_t number, weak_thread *t, weak_label *label)
{
    while (t->status == WEAK_RUNS && t->at < p->lengths[number] && is_local(&p->code[number][t->at]))
        run_local(&p->code[number][t->at], t);
    if (t->status == WEAK_RUNS && t->at >= p->lengths[number])
        t->status = WEAK_ENDED;
    if (t->status != WEAK_RUNS)
        return false;
    const weak_instruction *i = &p->code[number][t->at];
    weak_opcode o = i->opcode;
    *label = (weak_label){.location = i->location, .order = i->order, .failure_order = i->failure_order};
    if (o == WEAK_LOCK || o == WEAK_UNLOCK)
        label->order = o == WEAK_LOCK ? MZ_ACQUIRE : MZ_RELEASE;
    label->semaphore = o == WEAK_WAIT || o == WEAK_TRY || o == WEAK_POST;
    label->waits = o == WEAK_WAIT;
    label->mutex = o == WEAK_LOCK || o == WEAK_UNLOCK;
    if (label->semaphore)
        label->order = o == WEAK_POST ? MZ_RELEASE : MZ_ACQUIRE;
    if (label->semaphore)
        label->failure_order = MZ_RELAXED;
    label->update =
        label->semaphore || o == WEAK_ADD || o == WEAK_EXCHANGE || o == WEAK_CAS || o == WEAK_LOCK;
    label->conditional = o == WEAK_CAS;
    label->kind = o == WEAK_FENCE                       ? 'F'
                  : o == WEAK_CHOOSE                    ? 'C'
                  : o == WEAK_STORE || o == WEAK_UNLOCK ? 'W'
                                                        : 'R';
    if (t->in_update)
        label->kind = 'W';
    if (label->kind == 'W')
        label->value = t->in_update ? t->written : o == WEAK_UNLOCK ? 0 : operand(i, t);
    return true;
}

bool weak_happens(const weak_program *p, uint32_t number, weak_thread *t, int8_t value)
{
    const weak_instruction *i = &p->code[number][t->at];
    bool writes = false;
    if (!t->in_update) {
        bool semaphore = i->opcode == WEAK_WAIT || i->opcode == WEAK_TRY || i->opcode == WEAK_POST;
        int8_t change = (int8_t)(i->opcode == WEAK_POST ? 1 : value > 0 ? -1 : 0);
        writes = semaphore || i->opcode == WEAK_ADD || i->opcode == WEAK_EXCHANGE || i->opcode == WEAK_LOCK ||
                 (i->opcode == WEAK_CAS && value == i->expected);
        t->written = (int8_t)(i->opcode == WEAK_ADD    ? operand(i, t) + value
                              : i->opcode == WEAK_LOCK ? 1
                              : semaphore              ? value + change
                                                       : operand(i, t));
        if (i->opcode == WEAK_TRY)
            t->registers[i->target] = value > 0;
        else if (!semaphore && i->opcode != WEAK_STORE && i->opcode != WEAK_FENCE && i->opcode != WEAK_UNLOCK)
            t->registers[i->target] = value;
    }
    t->in_update = writes;
    if (!writes)
        t->at++;
    return writes;
}

/* ---- random programs ---------------------------------------------------------------------------------- */

typedef struct generator {
    uint64_t state;
    weak_program *program;
    weak_kind kind;
    uint32_t thread, locations, registers, style;
} generator;

static uint32_t draw(generator *g, uint32_t below)
{
    g->state = mz_mix64(g->state) + 1;
    return (uint32_t)(g->state >> 20) % below;
}

static uint8_t draw_order(generator *g, const char *among)
{
    static const uint8_t orders[] = {
        ['r'] = MZ_RELAXED, ['a'] = MZ_ACQUIRE, ['l'] = MZ_RELEASE, ['b'] = MZ_ACQ_REL, ['s'] = MZ_SEQ_CST};
    if (g->kind == WEAK_SEQ_CST || (g->kind == WEAK_CYCLE && g->style == 0))
        return MZ_SEQ_CST;
    return orders[(unsigned char)among[draw(g, (uint32_t)strlen(among))]];
}

static weak_instruction *emit(generator *g, weak_opcode opcode)
{
    weak_instruction *i = &g->program->code[g->thread][g->program->lengths[g->thread]++];
    *i = (weak_instruction){.opcode = opcode, .source = -1};
    return i;
}

static uint8_t new_register(generator *g)
{
    return (uint8_t)(g->registers < MOST_REGISTERS ? g->registers++ : draw(g, MOST_REGISTERS));
}

static uint8_t order_of_failure(uint8_t order)
{
    return order == MZ_SEQ_CST                          ? MZ_SEQ_CST
           : order == MZ_ACQUIRE || order == MZ_ACQ_REL ? MZ_ACQUIRE
                                                        : MZ_RELAXED;
}

static void access(generator *g, uint8_t location)
{
    uint32_t what = draw(g, g->kind == WEAK_LITMUS ? 75 : 100);
    weak_instruction *i;
    if (what < 34) {
        i = emit(g, WEAK_LOAD);
        i->order = draw_order(g, "rass");
    } else if (what < 68) {
        i = emit(g, WEAK_STORE);
        i->order = draw_order(g, "rlss");
        i->number = (int8_t)(1 + draw(g, 2));
        if (g->registers > 0 && draw(g, 5) == 0)
            i->source = (int8_t)draw(g, g->registers);
    } else if (what < 75) {
        emit(g, WEAK_FENCE)->order = draw_order(g, "albss");
        return;
    } else {
        i = emit(g, what < 84 ? WEAK_ADD : what < 90 ? WEAK_EXCHANGE : WEAK_CAS);
        i->order = draw_order(g, "ralbss");
        i->failure_order = order_of_failure(i->order);
        i->number = (int8_t)(1 + draw(g, 2));
        i->expected = (int8_t)draw(g, 3);
    }
    i->location = location;
    if (i->opcode != WEAK_STORE)
        i->target = new_register(g);
}

static void any_access(generator *g)
{
    access(g, (uint8_t)draw(g, g->locations));
}

static void critical_section(generator *g)
{
    uint32_t both = draw(g, 7) == 0, first = draw(g, 2);
    emit(g, WEAK_LOCK)->location = (uint8_t)(FIRST_MUTEX + first);
    if (both)
        emit(g, WEAK_LOCK)->location = (uint8_t)(FIRST_MUTEX + 1 - first);
    for (uint32_t n = draw(g, 3); n > 0; n--)
        any_access(g);
    if (both)
        emit(g, WEAK_UNLOCK)->location = (uint8_t)(FIRST_MUTEX + 1 - first);
    emit(g, WEAK_UNLOCK)->location = (uint8_t)(FIRST_MUTEX + first);
}

static void use_semaphore(generator *g)
{
    uint32_t what = draw(g, 10);
    weak_instruction *i = emit(g, what < 4 ? WEAK_WAIT : what < 6 ? WEAK_TRY : WEAK_POST);
    i->location = (uint8_t)(FIRST_MUTEX + (draw(g, 4) == 0));
    if (i->opcode == WEAK_TRY)
        i->target = new_register(g);
}

static void branch(generator *g)
{
    weak_instruction *skip = emit(g, WEAK_SKIP_IF);
    uint32_t from = g->program->lengths[g->thread];
    skip->target = (uint8_t)draw(g, g->registers);
    skip->number = (int8_t)draw(g, 3);
    skip->negated = draw(g, 2);
    any_access(g);
    if (draw(g, 3) == 0)
        any_access(g);
    skip->skip = (uint8_t)(g->program->lengths[g->thread] - from);
}

static void statement(generator *g)
{
    uint32_t what = draw(g, 100);
    if ((g->kind == WEAK_LOCKS || g->kind == WEAK_SEQ_CST) && what < 45) {
        critical_section(g);
    } else if (g->kind == WEAK_SEMAPHORES && what < 60) {
        use_semaphore(g);
    } else if (g->kind == WEAK_CHOICES && what < 25) {
        emit(g, WEAK_CHOOSE)->target = new_register(g);
    } else if (g->registers > 0 && what > 84 && g->kind != WEAK_LITMUS) {
        branch(g);
    } else if (g->registers > 0 && what > 80 && g->kind != WEAK_LITMUS) {
        weak_instruction *i = emit(g, WEAK_ASSUME);
        i->target = (uint8_t)draw(g, g->registers);
        i->number = (int8_t)draw(g, 3);
    } else {
        any_access(g);
    }
}

/* Each thread accesses two neighbouring locations of a ring: SB, MP, LB, S, R, 2+2W, IRIW, WRC, …, with any
 * orders. */
static void ring(generator *g)
{
    for (uint32_t k = 0; k < 2; k++) {
        if (k && draw(g, 4) == 0)
            emit(g, WEAK_FENCE)->order = draw_order(g, "albss");
        g->locations = g->program->threads;
        access(g, (uint8_t)((g->thread + k) % g->locations));
    }
}

const char *const weak_kind_names[] = {"mixed",   "litmus",  "cycle",     "locks",
                                       "seq_cst", "choices", "semaphores"};

void weak_generate(uint64_t seed, weak_kind kind, weak_program *program)
{
    generator g = {.state = mz_mix64(seed * WEAK_KINDS + kind + 1), .program = program, .kind = kind};
    static const uint32_t threads[] = {2, 2, 3, 3, 4};
    *program = (weak_program){.threads = threads[draw(&g, 5)]};
    uint32_t locations = kind == WEAK_LITMUS ? 2 : 1 + draw(&g, 3);
    g.style = draw(&g, 3);
    for (g.thread = 0; g.thread < program->threads; g.thread++) {
        uint32_t length = program->threads == 2   ? 2 + draw(&g, 4)
                          : program->threads == 3 ? 1 + draw(&g, 4)
                                                  : 1 + draw(&g, 3);
        g.registers = 0;
        if (kind == WEAK_LOCKS || kind == WEAK_SEQ_CST)
            length = (length + 1) / 2;
        g.locations = locations;
        if (kind == WEAK_CYCLE)
            ring(&g);
        for (; length > 0 && kind != WEAK_CYCLE && program->lengths[g.thread] < MOST_CODE - 8; length--)
            statement(&g);
    }
}

void weak_print(const weak_program *p, FILE *out)
{
    static const char *const names[] = {"load",  "store",  "add",       "exchange", "cas",
                                        "fence", "lock",   "unlock",    "wait",     "try",
                                        "post",  "choose", "assume !=", "skip if"};
    static const char *const orders[] = {"", ".rlx", ".acq", ".rel", ".acq_rel", ".sc"};
    for (uint32_t t = 0; t < p->threads; t++) {
        fprintf(out, "thread %u:", t);
        for (uint32_t k = 0; k < p->lengths[t]; k++) {
            const weak_instruction *i = &p->code[t][k];
            fprintf(out, " %s%s%s x%u r%u %d", names[i->opcode], i->negated ? " not" : "", orders[i->order],
                    i->location, i->target, i->number);
            if (i->source >= 0)
                fprintf(out, "+r%d", i->source);
            if (i->opcode == WEAK_CAS)
                fprintf(out, " if %d", i->expected);
            if (i->opcode == WEAK_SKIP_IF)
                fprintf(out, " over %u", i->skip);
            fputc(';', out);
        }
        fputc('\n', out);
    }
}
