#include "oracle/twin_program.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

/* ---- random programs ------------------------------------------------------------------------------------
 */

enum {
    ABOUT_VARIABLES = 1,
    ABOUT_BYTES = 2,
    ABOUT_RWLOCKS = 4,
    ABOUT_SEMAPHORES = 8,
    ABOUT_MUTEXES = 16,
    ABOUT_CONDITIONS = 32,
    ABOUT_DATA = 64, /* outside of sections */
    ABOUT_BARRIERS = 128
};

typedef struct writer {
    twin_program *p;
    uint64_t seed, drawn;
    uint32_t thread, about, budget, depth;
    uint32_t held_mutexes, held_rwlocks;
    bool tidy; /* nothing in sections but plain accesses */
} writer;

static uint32_t below(writer *w, uint32_t end)
{
    return (uint32_t)(mz_mix64(w->seed + UINT64_C(0x9e3779b97f4a7c15) * ++w->drawn) >> 20) % end;
}

static uint32_t add(writer *w, twin_code code, uint32_t place, int32_t value)
{
    uint32_t at = w->p->length[w->thread];
    if (at < TWIN_LONGEST)
        w->p->code[w->thread][w->p->length[w->thread]++] = (twin_instruction){code, place, value, 0};
    return at;
}

static bool has_room(const writer *w)
{
    enum { MOST_AT_ONCE = 8 };
    return w->budget > 0 && w->p->length[w->thread] + MOST_AT_ONCE < TWIN_LONGEST;
}

static void something(writer *w);

/* What follows happens only if the register has the value. */
static uint32_t begin_if(writer *w, int32_t value)
{
    return add(w, TWIN_IF, 0, value);
}

static void end_if(writer *w, uint32_t at)
{
    w->p->code[w->thread][at].skipped = w->p->length[w->thread] - at - 1;
}

static void look_at_register(writer *w)
{
    uint32_t dice = below(w, 5);
    if (dice == 0) {
        add(w, TWIN_FORBID, 0, (int32_t)below(w, 4));
    } else if (dice < 3 && has_room(w) && w->depth < 3) {
        uint32_t at = begin_if(w, (int32_t)below(w, 3));
        something(w);
        end_if(w, at);
    }
}

static void on_variable(writer *w)
{
    static const twin_code codes[] = {TWIN_LOAD, TWIN_LOAD, TWIN_STORE,    TWIN_ADD,       TWIN_ADD, TWIN_ADD,
                                      TWIN_SUB,  TWIN_OR,   TWIN_OR,       TWIN_AND,       TWIN_XOR, TWIN_XOR,
                                      TWIN_CAS,  TWIN_ADD,  TWIN_EXCHANGE, TWIN_FETCH_ADD, TWIN_ADD};
    twin_code code = codes[below(w, sizeof codes / sizeof *codes)];
    if (w->p->is_model && (code == TWIN_AND || code == TWIN_XOR))
        code = TWIN_OR;
    uint32_t place = w->about & ABOUT_BYTES ? TWIN_LARGE + below(w, 3) : TWIN_V0 + below(w, 2);
    add(w, code, place, 1 + (int32_t)below(w, 2));
    w->budget--;
    if (code == TWIN_LOAD || code == TWIN_CAS || code == TWIN_FETCH_ADD || code == TWIN_EXCHANGE)
        look_at_register(w);
}

/* For a section: of two operations, if there are many threads. */
static void spend(writer *w)
{
    w->budget -= w->p->threads > 2 && w->budget > 1 ? 2 : 1;
}

/* Most data belong to one mutex. */
static void on_data(writer *w, uint32_t mutex)
{
    static const twin_code codes[] = {TWIN_PLAIN_LOAD, TWIN_PLAIN_LOAD, TWIN_PLAIN_STORE, TWIN_PLAIN_ADD};
    twin_code code = codes[below(w, sizeof codes / sizeof *codes)];
    uint32_t x = below(w, 8) == 0 ? below(w, TWIN_DATA) : mutex == 0 ? below(w, 2) : 2;
    add(w, code, x, 1 + (int32_t)below(w, 2));
    if (code == TWIN_PLAIN_LOAD && below(w, 3) == 0)
        look_at_register(w);
}

static void inside(writer *w, uint32_t mutex)
{
    for (uint32_t count = w->tidy ? 1 + below(w, 2) : below(w, 3); count > 0; count--)
        on_data(w, mutex);
    if (!w->tidy && has_room(w) && below(w, 4) == 0)
        something(w);
}

static void section(writer *w)
{
    uint32_t mutex = below(w, 3) == 0;
    if (w->held_mutexes & 1u << mutex)
        return;
    bool tries = !w->tidy && !w->p->is_model && below(w, 6) == 0;
    w->held_mutexes |= 1u << mutex;
    spend(w);
    add(w, tries ? TWIN_TRYLOCK : TWIN_LOCK, mutex, 0);
    uint32_t at = tries ? begin_if(w, 1) : 0;
    if ((w->about & ABOUT_CONDITIONS) && mutex == 0 && below(w, 2)) {
        if (below(w, 2)) {
            add(w, TWIN_PLAIN_LOAD, mutex, 0);
            uint32_t waits = begin_if(w, 0);
            add(w, TWIN_COND_WAIT, mutex, 0);
            end_if(w, waits);
        } else {
            add(w, TWIN_PLAIN_STORE, mutex, 1);
            add(w, below(w, 3) ? TWIN_SIGNAL : TWIN_BROADCAST, 0, 0);
        }
    }
    inside(w, mutex);
    bool gives_back = w->tidy || below(w, 30) > 0; /* otherwise it is not to lock it again */
    if (gives_back)
        add(w, TWIN_UNLOCK, mutex, 0);
    if (tries)
        end_if(w, at);
    if (gives_back)
        w->held_mutexes &= ~(1u << mutex);
}

static void reading_or_writing(writer *w)
{
    uint32_t lock = below(w, TWIN_RWLOCKS), dice = below(w, 8);
    if (w->held_rwlocks & 1u << lock)
        return;
    w->held_rwlocks |= 1u << lock;
    spend(w);
    add(w, dice == 0 ? TWIN_TRY_READ : dice < 3 ? TWIN_WRITE_LOCK : TWIN_READ_LOCK, lock, 0);
    uint32_t at = dice == 0 ? begin_if(w, 1) : 0;
    if (below(w, 3) == 0)
        add(w, dice > 0 && dice < 3 ? TWIN_PLAIN_ADD : TWIN_PLAIN_LOAD, lock, 1);
    if (has_room(w) && below(w, 3) == 0)
        something(w);
    add(w, TWIN_RW_UNLOCK, lock, 0);
    if (dice == 0)
        end_if(w, at);
    w->held_rwlocks &= ~(1u << lock);
}

static void something(writer *w)
{
    uint32_t what;
    do
        what = 1u << below(w, 7);
    while (!(w->about & what));
    w->depth++;
    switch (what) {
    case ABOUT_RWLOCKS:
        reading_or_writing(w);
        break;
    case ABOUT_SEMAPHORES: {
        uint32_t dice = below(w, 8);
        add(w, dice < 5 ? TWIN_POST : dice < 7 ? TWIN_WAIT : TWIN_TRYWAIT, 0, 0);
        w->budget--;
        break;
    }
    case ABOUT_MUTEXES:
        section(w);
        break;
    case ABOUT_CONDITIONS:
        if (below(w, 3) == 0) {
            add(w, TWIN_SIGNAL, 0, 0);
            w->budget--;
        }
        break;
    case ABOUT_DATA:
        on_data(w, below(w, 2));
        w->budget--;
        break;
    default:
        on_variable(w);
    }
    w->depth--;
}

static void write_thread(writer *w, uint32_t arrivals)
{
    static const uint32_t budgets[] = {0, 0, 5, 4, 2};
    w->budget = budgets[w->p->threads];
    for (uint32_t tries = 1 + below(w, 6); tries > 0 && has_room(w); tries--) {
        something(w);
        if (arrivals > 0 && below(w, 2)) {
            add(w, TWIN_ARRIVE, 0, 0);
            arrivals--;
        }
    }
    for (; arrivals > 0; arrivals--)
        add(w, TWIN_ARRIVE, 0, 0);
    w->p->code[w->thread][w->p->length[w->thread]] = (twin_instruction){.code = TWIN_END};
}

void twin_generate(uint64_t seed, bool is_model, twin_program *program)
{
    static const uint32_t subjects[] = {ABOUT_VARIABLES,
                                        ABOUT_BYTES,
                                        ABOUT_RWLOCKS,
                                        ABOUT_SEMAPHORES,
                                        ABOUT_MUTEXES,
                                        ABOUT_MUTEXES,
                                        ABOUT_MUTEXES | ABOUT_CONDITIONS,
                                        ABOUT_MUTEXES | ABOUT_VARIABLES,
                                        ABOUT_MUTEXES | ABOUT_DATA,
                                        ABOUT_RWLOCKS | ABOUT_VARIABLES,
                                        ABOUT_RWLOCKS | ABOUT_SEMAPHORES | ABOUT_MUTEXES,
                                        ABOUT_SEMAPHORES | ABOUT_DATA,
                                        ABOUT_VARIABLES | ABOUT_BARRIERS,
                                        ABOUT_DATA | ABOUT_BARRIERS | ABOUT_MUTEXES,
                                        ABOUT_VARIABLES | ABOUT_SEMAPHORES | ABOUT_DATA,
                                        ABOUT_VARIABLES | ABOUT_DATA};
    *program = (twin_program){.is_model = is_model};
    writer w = {.p = program, .seed = mz_mix64(seed)};
    w.about = subjects[below(&w, sizeof subjects / sizeof *subjects)];
    if (is_model)
        w.about = ABOUT_VARIABLES | (below(&w, 2) ? ABOUT_MUTEXES : 0u) | (below(&w, 2) ? ABOUT_DATA : 0u);
    program->threads = 2 + below(&w, 3);
    program->tokens = below(&w, 3);
    w.tidy = below(&w, 5) < 3;
    bool all_arrive = below(&w, 4) > 0;
    program->arrivals_needed = all_arrive ? program->threads : 2;
    uint32_t rounds = w.about & ABOUT_BARRIERS ? 1 + below(&w, 2) : 0;
    for (w.thread = 0; w.thread < program->threads; w.thread++)
        write_thread(&w, all_arrive ? rounds : rounds ? below(&w, 3) : 0);
}
