#include "oracle/generate_reuse.h"

typedef struct generator {
    uint64_t state;
    uint32_t index, bits; /* how many results the thread has */
    const char *allocate, *release;
    mz_text *out;
} generator;

enum { SLOTS = 2, MOST_BITS = 2 };

static uint32_t below(generator *g, uint32_t bound)
{
    g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(g->state >> 33) % bound;
}

void generate_reuse_head(uint32_t reuses, mz_text *out)
{
    mz_text_add(out, "enum { REUSES = %u, THREADS = 4, BLOCKS = 8 };\n", reuses);
    mz_text_add(out, "static char pool[THREADS][BLOCKS];\n"
                     "static enum { NEW, USED, FREED } state[THREADS][BLOCKS];\n"
                     "static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;\n"
                     "static _Thread_local int me, own, reused;\n"
                     "static int freed_count(void)\n{\n  int n = 0;\n  for (int i = 0; i < THREADS * BLOCKS; "
                     "i++)\n    n += state[0][i] == FREED;\n  return n;\n}\n"
                     "static void *pool_allocate(void)\n{\n  int i;\n  pthread_mutex_lock(&pool_lock);\n"
                     "  int chosen = reused < REUSES ? mz_choose(0, freed_count()) : 0;\n"
                     "  if (chosen == 0)\n    i = me * BLOCKS + own++;\n  else\n"
                     "    for (i = 0, reused++; chosen -= state[0][i] == FREED; i++)\n      ;\n"
                     "  state[0][i] = USED;\n  pthread_mutex_unlock(&pool_lock);\n  return &pool[0][i];\n}\n"
                     "static void pool_release(void *block)\n{\n  if (!block)\n    return;\n"
                     "  pthread_mutex_lock(&pool_lock);\n  state[0][(char *)block - pool[0]] = FREED;\n"
                     "  pthread_mutex_unlock(&pool_lock);\n}\n\n");
}

static void statement(generator *g)
{
    uint32_t slot = below(g, SLOTS);
    switch (below(g, 8)) {
    case 0:
    case 1:
        mz_text_add(g->out, "  %s(atomic_exchange(&p%u_at[%u], %s));\n", g->release, g->index, slot,
                    g->allocate);
        return;
    case 2:
        mz_text_add(g->out, "  %s(atomic_exchange(&p%u_at[%u], 0));\n", g->release, g->index, slot);
        return;
    case 3:
        mz_text_add(g->out, "  seen = atomic_load(&p%u_at[%u]);\n", g->index, slot);
        return;
    case 4:
        mz_text_add(g->out, "  %s(own_one);\n  own_one = %s;\n", g->release, g->allocate);
        return;
    case 5: /* what was not there before */
        mz_text_add(g->out, "  if (!atomic_load(&p%u_at[%u]))\n    %s(atomic_exchange(&p%u_at[%u], %s));\n",
                    g->index, slot, g->release, g->index, slot, g->allocate);
        return;
    default:
        break;
    }
    if (g->bits == MOST_BITS)
        return;
    uint32_t bit = 1u << g->bits++;
    if (below(g, 2))
        mz_text_add(g->out, "  r |= seen && atomic_load(&p%u_at[%u]) == seen ? %u : 0;\n", g->index, slot,
                    bit);
    else if (below(g, 2))
        mz_text_add(g->out, "  r |= own_one && own_one == seen ? %u : 0;\n", bit);
    else
        mz_text_add(g->out,
                    "  expected = seen;\n  if (seen && atomic_compare_exchange_strong(&p%u_at[%u], "
                    "&expected, 0)) {\n    r |= %u;\n    %s(seen);\n  }\n",
                    g->index, slot, bit, g->release);
}

static void thread_function(generator *g, uint32_t thread, uint32_t most)
{
    mz_text_add(g->out,
                "static void *p%u_t%u(void *a)\n{\n  me = %u;\n  long r = 0;\n  void *seen = "
                "atomic_load(&p%u_at[%u]), *expected = 0, *own_one = 0;\n",
                g->index, thread, thread + 1, g->index, below(g, SLOTS));
    g->bits = 0;
    for (uint32_t count = 1 + below(g, most); count > 0; count--)
        statement(g);
    if (g->bits == 0)
        mz_text_add(g->out, "  r |= seen && atomic_load(&p%u_at[%u]) == seen;\n", g->index, below(g, SLOTS));
    mz_text_add(g->out, "  (void)a, (void)expected, (void)own_one;\n  return (void *)r;\n}\n");
}

void generate_reuse_program(uint64_t seed, uint32_t index, bool model, mz_text *out)
{
    generator g = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 7,
                   .index = index,
                   .allocate = model ? "pool_allocate()" : "malloc(1)",
                   .release = model ? "pool_release" : "free",
                   .out = out};
    for (int i = 0; i < 8; i++)
        below(&g, 2);
    uint32_t threads = 2 + (below(&g, 16) == 0);
    mz_text_add(out, "static _Atomic(void *) p%u_at[%d];\n", index, SLOTS);
    for (uint32_t t = 0; t < threads; t++)
        thread_function(&g, t, threads == 2 ? 3 - t : 1);
    mz_text_add(out, "static int p%u_main(void)\n{\n  pthread_t t[3];\n  void *r[3] = {0};\n", index);
    mz_text_add(out, "  atomic_store(&p%u_at[0], %s);\n", index, g.allocate);
    for (uint32_t t = 0; t < threads; t++)
        mz_text_add(out, "  pthread_create(&t[%u], 0, p%u_t%u, 0);\n", t, index, t);
    for (uint32_t t = 0; t < threads; t++)
        mz_text_add(out, "  pthread_join(t[%u], &r[%u]);\n", t, t);
    mz_text_add(out, "  long all = (long)r[0] + 4 * (long)r[1] + 16 * (long)r[2];\n");
    for (uint32_t outcome = 0; outcome < (threads == 2 ? 16 : 64); outcome++)
        mz_text_add(out, "  if (all == %u)\n    assert(!\"outcome %u\");\n", outcome, outcome);
    mz_text_add(out, "  return 0;\n}\n\n");
}
