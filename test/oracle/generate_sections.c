/* Programs whose threads do little else than to lock, to look at plain data and to change some, and to
 * unlock: sections of one mutex that conflict and that do not, and everything that keeps a section from being
 * simple (runtime/simple_sections.c): others inside of it, trylock, conditions, atomic operations, choices,
 * loops that poll, ends without an unlock; data of several mutexes, or of none. What the threads have seen,
 * and what is there in the end, is the outcome. */
#include "oracle/generate_sections.h"

#include "base/hash.h"

typedef struct generator {
    uint64_t state;
    uint32_t index, threads, thread, oddities;
    mz_text *out;
} generator;

static uint32_t below(generator *g, uint32_t limit)
{
    g->state = mz_mix64(g->state + UINT64_C(0x9e3779b97f4a7c15));
    return (uint32_t)(g->state >> 33) % limit;
}

/* Most data belong to one mutex: x[0], x[1] to m[0]; x[2] to m[1]; x[3] is only read. */
static uint32_t datum(generator *g, uint32_t mutex)
{
    return mutex ? 2 : below(g, 2);
}

static void access(generator *g, uint32_t mutex)
{
    uint32_t i = g->index, x = datum(g, mutex), k = 1 + below(g, 2);
    switch (below(g, 9)) {
    case 0:
    case 1:
        mz_text_add(g->out, "  r = (r * 2 + p%u_x[%u]) & 3;\n", i, x);
        break;
    case 2:
        mz_text_add(g->out, "  p%u_x[%u] = %u;\n", i, x, k);
        break;
    case 3:
        mz_text_add(g->out, "  p%u_x[%u]++;\n", i, x);
        break;
    case 4:
        mz_text_add(g->out, "  if (p%u_x[%u])\n    p%u_own[%u]++;\n", i, x, i, g->thread);
        break;
    case 5:
        mz_text_add(g->out, "  if (p%u_x[%u] == %u)\n    p%u_x[%u] = 3;\n", i, x, k, i, datum(g, mutex));
        break;
    case 6:
        mz_text_add(g->out, "  p%u_x[p%u_x[%u] & 1 ? %u : %u]++;\n", i, i, x, x, datum(g, mutex));
        break;
    case 7:
        mz_text_add(g->out, "  r = (r + p%u_x[3]) & 3;\n", i);
        break;
    default:
        mz_text_add(g->out, "  p%u_own[%u]++;\n", i, g->thread);
    }
}

/* What a simple section does not do, and data of another mutex. */
static void oddity(generator *g, uint32_t mutex)
{
    uint32_t i = g->index;
    switch (below(g, 10)) {
    case 0:
        mz_text_add(g->out, "  atomic_fetch_add(&p%u_v, 1);\n", i);
        break;
    case 1:
        mz_text_add(g->out, "  r = (r + atomic_load(&p%u_v)) & 3;\n", i);
        break;
    case 2:
    case 3:
        mz_text_add(g->out, "  pthread_mutex_lock(&p%u_m[%u]);\n  p%u_x[2]++;\n", i, 1 - mutex, i);
        mz_text_add(g->out, "  pthread_mutex_unlock(&p%u_m[%u]);\n", i, 1 - mutex);
        break;
    case 4:
        access(g, 1 - mutex);
        break;
    case 5:
        mz_text_add(g->out, "  if (pthread_mutex_trylock(&p%u_m[%u]) == 0) {\n  r = 1;\n", i, 1 - mutex);
        mz_text_add(g->out, "  pthread_mutex_unlock(&p%u_m[%u]);\n  }\n", i, 1 - mutex);
        break;
    case 6:
        mz_text_add(g->out, "  r = mz_choose(0, 1);\n");
        break;
    case 7:
        mz_text_add(g->out, "  if (p%u_x[%u] == 2)\n    assert(p%u_x[%u] == r);\n", i, datum(g, mutex), i,
                    datum(g, mutex));
        break;
    case 8:
        mz_text_add(g->out, "  pthread_cond_signal(&p%u_c);\n", i);
        break;
    default:
        mz_text_add(g->out, "  sem_post(&p%u_s);\n", i);
    }
}

static void section(generator *g)
{
    uint32_t mutex = below(g, 4) == 0;
    mz_text_add(g->out, "  pthread_mutex_lock(&p%u_m[%u]);\n", g->index, mutex);
    for (uint32_t count = 1 + (below(g, 3) == 0); count > 0; count--)
        access(g, mutex);
    if (below(g, 16) < g->oddities)
        oddity(g, mutex);
    if (below(g, 40) >= g->oddities)
        mz_text_add(g->out, "  pthread_mutex_unlock(&p%u_m[%u]);\n", g->index, mutex);
}

/* Between sections. */
static void outside(generator *g)
{
    uint32_t i = g->index;
    switch (below(g, 8)) {
    case 0:
        mz_text_add(g->out, "  atomic_fetch_add(&p%u_v, 1);\n", i);
        break;
    case 1:
        mz_text_add(g->out, "  r = (r + atomic_load(&p%u_v)) & 3;\n", i);
        break;
    case 2:
        access(g, 0);
        break;
    case 3:
        mz_text_add(g->out, "  if (pthread_mutex_trylock(&p%u_m[0]) == 0) {\n", i);
        access(g, 0);
        mz_text_add(g->out, "  pthread_mutex_unlock(&p%u_m[0]);\n  }\n", i);
        break;
    case 4:
        mz_text_add(g->out, "  for (int seen = 0; !seen;) {\n  pthread_mutex_lock(&p%u_m[0]);\n", i);
        mz_text_add(g->out, "  seen = p%u_x[0] > 0;\n  pthread_mutex_unlock(&p%u_m[0]);\n  }\n", i, i);
        break;
    case 5:
        mz_text_add(g->out, "  pthread_mutex_lock(&p%u_m[0]);\n  if (!p%u_x[0])\n", i, i);
        mz_text_add(g->out, "    pthread_cond_wait(&p%u_c, &p%u_m[0]);\n", i, i);
        mz_text_add(g->out, "  pthread_mutex_unlock(&p%u_m[0]);\n", i);
        break;
    default:
        mz_text_add(g->out, "  r = (r + 1) & 3;\n");
    }
}

static void thread_function(generator *g)
{
    uint32_t sections = g->threads == 2 ? 1 + below(g, 3) : 1 + (below(g, 4) == 0);
    mz_text_add(g->out, "static void *p%u_t%u(void *a)\n{\n  int r = 0;\n", g->index, g->thread);
    for (uint32_t i = 0; i < sections; i++) {
        if (below(g, 12) < g->oddities)
            outside(g);
        section(g);
    }
    mz_text_add(g->out, "  p%u_seen[%u] = r;\n  return a;\n}\n", g->index, g->thread);
}

void generate_sections_program(uint64_t seed, uint32_t index, mz_text *out)
{
    generator g = {.state = mz_mix64(seed), .index = index, .out = out};
    g.threads = 2 + below(&g, 2);
    g.oddities = below(&g, 2) * below(&g, 6);
    mz_text_add(out,
                "static pthread_mutex_t p%u_m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n",
                index);
    mz_text_add(out, "static pthread_cond_t p%u_c = PTHREAD_COND_INITIALIZER;\nstatic sem_t p%u_s;\n", index,
                index);
    mz_text_add(out, "static atomic_int p%u_v;\nstatic int p%u_x[4], p%u_own[4], p%u_seen[4];\n", index,
                index, index, index);
    for (g.thread = 0; g.thread < g.threads; g.thread++)
        thread_function(&g);
    mz_text_add(
        out, "static int p%u_main(void)\n{\n  pthread_t t[4];\n  p%u_x[3] = 1;\n  sem_init(&p%u_s, 0, 0);\n",
        index, index, index);
    for (uint32_t t = 0; t < g.threads; t++)
        mz_text_add(out, "  pthread_create(&t[%u], 0, p%u_t%u, 0);\n", t, index, t);
    for (uint32_t t = 0; t < g.threads; t++)
        mz_text_add(out, "  pthread_join(t[%u], 0);\n", t);
    mz_text_add(out, "  unsigned all = atomic_load(&p%u_v) & 1;\n  for (int i = 0; i < 4; i++)\n", index);
    mz_text_add(out, "    all = all * 31 + p%u_x[i] * 9 + p%u_own[i] * 3 + p%u_seen[i];\n  all %%= 48;\n",
                index, index, index);
    for (uint32_t outcome = 0; outcome < 48; outcome++)
        mz_text_add(out, "  if (all == %u)\n    assert(!\"outcome %u\");\n", outcome, outcome);
    mz_text_add(out, "  return 0;\n}\n\n");
}
