#include "oracle/generate_c.h"

#include <stdio.h>

#include "oracle/generate_c_parts.h"

bool generate_c_many_threads;

uint32_t below(generator *g, uint32_t bound)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = g->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) % bound);
}

static void line(generator *g, const char *text)
{
    mz_text_add_repeated(g->out, "  ", g->depth + 1);
    mz_text_add(g->out, "%s\n", text);
}

enum { LONGEST = 512 };

static void add_names(const generator *g, const char *format, uint32_t a, uint32_t b, char named[LONGEST])
{
    char made[LONGEST / 2];
    snprintf(made, sizeof made, format, a, b);
    size_t n = 0;
    for (const char *c = made; *c && n + 24 < LONGEST; c++) {
        if (*c == '@')
            n += (size_t)snprintf(named + n, LONGEST - n, "p%u_", g->index);
        else
            named[n++] = *c;
    }
    named[n] = 0;
}

void add(generator *g, const char *format, uint32_t a, uint32_t b)
{
    char named[LONGEST];
    add_names(g, format, a, b, named);
    line(g, named);
}

void add_outside(generator *g, const char *format, uint32_t a, uint32_t b)
{
    char named[LONGEST];
    add_names(g, format, a, b, named);
    mz_text_add(g->out, "%s\n", named);
}

static void statements(generator *g, uint32_t most);

static void block(generator *g, const char *head, uint32_t a, uint32_t b, uint32_t most)
{
    add(g, head, a, b);
    g->depth++;
    statements(g, most);
    g->depth--;
    line(g, "}");
}

static bool has(const generator *g, uint32_t feature)
{
    return g->flavour & feature;
}

/* Of several operations, or of one that has many outcomes: it stands for two statements, so that what is made
 * of it can still be enumerated. */
static void count_twice(generator *g)
{
    g->budget -= g->budget > 0;
}

static void atomic_statement(generator *g)
{
    uint32_t v = below(g, 2), k = below(g, 3);
    switch (below(g, 8)) {
    case 0:
    case 1:
        add(g, "r = atomic_load(&@v[%u]);", v, 0);
        break;
    case 2:
    case 3:
        add(g, "atomic_store(&@v[%u], %u);", v, k);
        break;
    case 4:
        add(g,
            (const char *const[]){"r = atomic_fetch_add(&@v[%u], %u);", "atomic_fetch_add(&@v[%u], %u);",
                                  "atomic_fetch_sub_explicit(&@v[%u], %u, memory_order_relaxed);",
                                  "atomic_fetch_or(&@v[%u], %u);"}[(2 * v + k) % 4],
            v, 1);
        break;
    case 5:
        add(g, "e = %u; r = atomic_compare_exchange_strong(&@v[%u], &e, 2);", below(g, 2), v);
        break;
    case 6:
        add(g, "r = atomic_exchange(&@v[%u], %u);", v, k);
        break;
    default:
        add(g, "atomic_store(&@v[%u], r + %u);", v, k);
    }
}

static void lock_statement(generator *g)
{
    uint32_t m = below(g, 2);
    if (below(g, 5) == 0) {
        add(g,
            below(g, 2) ? "if (pthread_mutex_trylock(&@m[%u]) == 0) {"
                        : "if (pthread_mutex_timedlock(&@m[%u], &soon) == 0) {",
            m, 0);
        g->depth++;
        statements(g, 1);
        add(g, "pthread_mutex_unlock(&@m[%u]);", m, 0);
        g->depth--;
        line(g, "}");
        return;
    }
    add(g, "pthread_mutex_lock(&@m[%u]);", m, 0);
    if (has(g, PLAIN) && below(g, 2))
        add(g,
            below(g, 4) ? "r = @plain[%u]++;" : "r = atomic_compare_exchange_strong(&@v[0], &@plain[%u], 1);",
            m, 0);
    else
        statements(g, 1);
    if (below(g, 12) > 0)
        add(g, "pthread_mutex_unlock(&@m[%u]);", m, 0);
}

static void condition_statement(generator *g)
{
    uint32_t c = below(g, 2);
    count_twice(g);
    switch (below(g, 6)) {
    case 5:
        add(g, "pthread_mutex_lock(&@m[0]);", 0, 0);
        add(g,
            (const char *const[]){
                "while (@flag == 0) r = pthread_cond_timedwait(&@c[%u], &@m[0], &soon) != 0;",
                "r = 0; while (@flag == 0 && r == 0) r = pthread_cond_timedwait(&@c[%u], &@m[0], &soon) != "
                "0;",
                "if (@flag == 0) r = pthread_cond_timedwait(&@c[%u], &@m[0], &soon) != 0;"}[below(g, 3)],
            c, 0);
        add(g, "pthread_mutex_unlock(&@m[0]);", 0, 0);
        break;
    case 4:
        add(g,
            "for (int polled = 0; !polled;) { pthread_mutex_lock(&@m[0]); polled = @flag > 0; "
            "pthread_mutex_unlock(&@m[0]); }",
            0, 0);
        break;
    case 0:
        add(g, "pthread_mutex_lock(&@m[0]);", 0, 0);
        add(g,
            below(g, 4) ? "while (@flag == 0) pthread_cond_wait(&@c[%u], &@m[0]);"
                        : "if (@flag == 0) pthread_cond_wait(&@c[%u], &@m[0]);",
            c, 0);
        if (below(g, 2))
            add(g, "@flag--;", 0, 0);
        add(g, "pthread_mutex_unlock(&@m[0]);", 0, 0);
        break;
    case 1:
        add(g, "pthread_mutex_lock(&@m[0]);", 0, 0);
        add(g, "@flag++;", 0, 0);
        add(g, below(g, 3) ? "pthread_cond_signal(&@c[%u]);" : "pthread_cond_broadcast(&@c[%u]);", c, 0);
        add(g, "pthread_mutex_unlock(&@m[0]);", 0, 0);
        break;
    case 2:
        add(g, "pthread_mutex_lock(&@m[0]);", 0, 0);
        add(g, "@flag++;", 0, 0);
        add(g, "pthread_mutex_unlock(&@m[0]);", 0, 0);
        add(g, below(g, 2) ? "pthread_cond_signal(&@c[%u]);" : "pthread_cond_broadcast(&@c[%u]);", c, 0);
        break;
    default:
        add(g, "pthread_cond_signal(&@c[%u]);", c, 0);
    }
}

static void rw_statement(generator *g)
{
    bool writes = below(g, 2);
    count_twice(g);
    switch (below(g, 6)) {
    case 0:
        add(g, "if (pthread_rwlock_tryrdlock(&@rw) == 0) { r++; pthread_rwlock_unlock(&@rw); }", 0, 0);
        return;
    case 1:
        add(g, "if (pthread_rwlock_timedwrlock(&@rw, &soon) == 0) { r++; pthread_rwlock_unlock(&@rw); }", 0,
            0);
        return;
    default:
        add(g, writes ? "pthread_rwlock_wrlock(&@rw);" : "pthread_rwlock_rdlock(&@rw);", 0, 0);
    }
    if (has(g, PLAIN) && below(g, 2))
        add(g, writes ? "@plain[2]++;" : "r = @plain[2];", 0, 0);
    else
        statements(g, 1);
    add(g, "pthread_rwlock_unlock(&@rw);", 0, 0);
}

/* Now and then until a choice will do; but not where each is an input, of which a plan wants to know how many
 * there are. */
static void choice_statement(generator *g)
{
    uint32_t v = below(g, 2);
    if (g->inputs || g->late_inputs || below(g, 4) > 0)
        add(g, "r = mz_choose(0, %u);", 1 + below(g, 2), 0);
    else if (below(g, 2))
        add(g, "do r = mz_choose(0, 2); while (r == atomic_load(&@v[%u]));", v, 0);
    else
        add(g, "do r = mz_choose(0, 2); while (r == 0 && !atomic_load(&@v[%u]));", v, 0);
}

static void futex_statement(generator *g)
{
    static const char *const statements[] = {
        "r = syscall(SYS_futex, &@word, FUTEX_WAIT, %u, 0, 0, 0) == 0;",
        "r = syscall(SYS_futex, &@word, FUTEX_WAIT, %u, &soon, 0, 0) == 0;",
        "while (@word == %u) syscall(SYS_futex, &@word, FUTEX_WAIT, 0, &soon, 0, 0);",
        "@word = %u;",
        "@word++; syscall(SYS_futex, &@word, FUTEX_WAKE, 1 + %u);",
        "r = syscall(SYS_futex, &@word, FUTEX_WAKE, 1 + %u) == 1;",
    };
    add(g, statements[below(g, sizeof statements / sizeof *statements)], below(g, 2), 0);
}

static void spin_statement(generator *g)
{
    uint32_t v = below(g, 2);
    count_twice(g);
    if (below(g, 3) <= (g->seed % 16 == 4)) {
        busy_statement(g);
        return;
    }
    switch (below(g, 8)) {
    case 7:
        undone_statement(g);
        break;
    case 6:
        own_mutex_statement(g);
        break;
    case 0:
        add(g, "while (atomic_load(&@v[%u]) == %u) ;", v, 0);
        break;
    case 1:
        add(g, "while (atomic_exchange(&@spin, 1)) ;", 0, 0);
        statements(g, 1);
        add(g, "atomic_store(&@spin, 0);", 0, 0);
        break;
    case 2:
        add(g, "do e = 0; while (!atomic_compare_exchange_strong(&@spin, &e, 1));", 0, 0);
        statements(g, 1);
        add(g, "atomic_store(&@spin, 0);", 0, 0);
        break;
    case 3:
    case 4:
        round_statement(g);
        break;
    default:
        add(g, "while (atomic_load(&@v[0]) == 1 && atomic_load(&@v[1]) == %u) ;", below(g, 2), 0);
    }
}

static void special_statement(generator *g)
{
    uint32_t kinds[FEATURES + 3], count = 0;
    for (uint32_t feature = OBSERVED; feature <= DESTRUCTION; feature *= 2)
        if (has(g, feature)) /* twice as likely */
            kinds[count++] = feature;
    for (uint32_t feature = LOCKS; feature <= ENDS; feature *= 2)
        if (has(g, feature))
            kinds[count++] = feature;
    switch (count ? kinds[below(g, count)] : 0) {
    case LOCKS:
        lock_statement(g);
        break;
    case CONDITIONS:
        condition_statement(g);
        break;
    case SEMAPHORES:
        add(g,
            (const char *const[]){"sem_wait(&@s);", "sem_post(&@s);", "r = sem_trywait(&@s) == 0;",
                                  "r = sem_timedwait(&@s, &soon) == 0;", "pthread_testcancel();",
                                  "if (write(1, \"\", 0))\n    r = 1;"}[below(g, 6)],
            0, 0);
        break;
    case RW_LOCKS:
        rw_statement(g);
        break;
    case SPINS:
        if (g->seed % 16 == 4 || below(g, 4))
            spin_statement(g);
        else
            futex_statement(g);
        break;
    case SECTIONS:
        section_statement(g);
        break;
    case PLAIN:
        add(g, below(g, 2) ? "r = @racy[%u];" : "@racy[%u] = r + 1;", below(g, 2), 0);
        break;
    case BARRIER:
        add(g, "pthread_barrier_wait(&@b);", 0, 0);
        if (below(g, 3) == 0)
            add(g, "r = mz_choose(0, 1);", 0, 0);
        break;
    case CHOICES:
        choice_statement(g);
        break;
    case FAILURES:
        add(g, "assert(r != %u);", below(g, 3), 0);
        break;
    case ONCE:
        add(g, "pthread_once(&@once, @init);", 0, 0);
        break;
    case SIZES:
        add(g,
            (const char *const[]){"r = atomic_load(&@u.small[%u]);", "atomic_store(&@u.small[%u], 1);",
                                  "r = (int)atomic_load(&@u.large);",
                                  "atomic_fetch_add(&@u.large, 1);"}[below(g, 4)],
            below(g, 2), 0);
        break;
    case BLOCKS:
        block_statement(g);
        break;
    case POINTERS:
        add(g,
            (const char *const[]){"atomic_store(&@at[%u], malloc(1));", "atomic_store(&@at[%u], 0);",
                                  "free(atomic_exchange(&@at[%u], 0));",
                                  "r = atomic_load(&@at[%u]) != 0;"}[below(g, 4)],
            below(g, 2), 0);
        break;
    case ORDERS:
        order_statement(g);
        break;
    case OBSERVED:
        count_twice(g);
        observed_statement(g);
        break;
    case DESTRUCTION:
        if (g->threads > 2)
            count_twice(g);
        destruction_statement(g);
        break;
    case ENDS:
        frame_statement(g);
        break;
    default:
        atomic_statement(g);
    }
}

/* What follows the wait for others at once: a choice, a thread, or what anybody does. */
static void statement_after_wait(generator *g)
{
    switch (below(g, 6)) {
    case 0:
    case 1:
        add(g, "r = mz_choose(0, %u);", 1 + below(g, 2), 0);
        break;
    case 2:
        add(g, "if (mz_choose(0, 1)) atomic_store(&@v[%u], %u);", below(g, 2), 1 + below(g, 2));
        break;
    case 3:
        add(g, "pthread_create(&child, 0, @late, 0);", 0, 0);
        break;
    default:
        statements(g, 1);
    }
}

static void join_statement(generator *g)
{
    switch (below(g, 8)) {
    case 0:
        add(g, "r = pthread_tryjoin_np(child, 0);", 0, 0);
        break;
    case 1:
        add(g, "if (pthread_timedjoin_np(child, 0, &soon)) pthread_join(child, 0);", 0, 0);
        break;
    case 2:
        break;
    default:
        add(g, "pthread_join(child, 0);", 0, 0);
    }
}

/* Inputs multiply what there is, and the statements of these take several operations each. */
static bool is_large_anyway(const generator *g)
{
    return g->children > 1 || (g->inputs && has(g, OBSERVED | DESTRUCTION | CHILDREN));
}

static bool may_create_child(generator *g)
{
    if (!has(g, CHILDREN) || below(g, 2) == 0)
        return false;
    return g->children == 0 || (!g->inputs && !has(g, OBSERVED | DESTRUCTION) && below(g, 4) == 0);
}

/* A thread creates another one that does what it does itself, or what one before it does. */
static void create_child(generator *g, uint32_t function)
{
    g->children++;
    line(g, "if (!a) {");
    g->depth++;
    add(g, "pthread_create(&child, 0, @t%u, (void *)1);", function, 0);
    if (below(g, 2))
        atomic_statement(g);
    join_statement(g);
    statement_after_wait(g);
    g->depth--;
    line(g, "}");
}

/* What depends on the inputs: which variable, and whether at all. */
static void input_statement(generator *g)
{
    uint32_t which = below(g, 2);
    if (g->depth < 2 && below(g, 2))
        block(g, which ? "if (@in[0] == @in[1]) {" : "if (@in[%u] == %u) {", below(g, 2), below(g, 3), 2);
    else
        add(g,
            below(g, 2) ? "r = atomic_fetch_add(&@v[@in[%u] & 1], 1);" : "r = atomic_load(&@v[@in[%u] & 1]);",
            which, 0);
}

static void statements(generator *g, uint32_t most)
{
    uint32_t count = 1 + below(g, most);
    for (uint32_t i = 0; i < count && g->budget > 0; i++) {
        g->budget--;
        uint32_t dice = g->focus + below(g, 10 - g->focus);
        if (g->inputs && below(g, 3) == 0)
            input_statement(g);
        else if (dice == 0 && g->depth < 2)
            block(g, "if (r == %u) {", below(g, 2), 0, 2);
        else if (dice < 5)
            atomic_statement(g);
        else
            special_statement(g);
    }
}

void generate_c_head(mz_text *out)
{
    mz_text_add(out, "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include "
                     "<pthread.h>\n#include <time.h>\n#include "
                     "<semaphore.h>\n#include <stdatomic.h>\n"
                     "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include "
                     "<unistd.h>\n#include <linux/futex.h>\n#include <sys/syscall.h>\nint "
                     "mz_choose(int, int);\nint "
                     "mz_input_int(const char *, int, int);\n"
                     "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\nvoid "
                     "__VERIFIER_assume(int);\nstatic const struct timespec soon = {1};\n");
}

/* Every other program is about something: these features, and one more. */
static void choose_focus(generator *g)
{
    /* Some statements are there only if two features come together, or are few among many. */
    static const uint32_t RARE[] = {LOCKS | PLAIN, RW_LOCKS | PLAIN, SECTIONS | CHOICES, CONDITIONS, SPINS,
                                    ORDERS};
    static const uint32_t FOCUS[16] = {[1] = DESTRUCTION | FAILURES,
                                       [2] = BLOCKS | FAILURES,
                                       [3] = ENDS,
                                       [4] = SPINS,
                                       [5] = OBSERVED,
                                       [7] = SECTIONS,
                                       [9] = DESTRUCTION | FAILURES,
                                       [13] = OBSERVED,
                                       [15] = SECTIONS};
    uint32_t focus = FOCUS[g->seed % 16];
    if (focus && !(focus == ENDS && generate_c_without_ends))
        g->flavour = focus | (focus == ENDS ? FAILURES : g->flavour & -g->flavour);
    g->focus = focus & (BLOCKS | SPINS | ENDS) ? 5 : has(g, OBSERVED | DESTRUCTION) ? 3 : 0;
    if (g->seed % 16 == 10 || g->seed % 16 == 12) {
        g->flavour = RARE[g->seed / 16 % (sizeof RARE / sizeof *RARE)];
        g->focus = 5;
    }
}

void generate_c_program(uint64_t seed, uint32_t index, mz_text *out)
{
    generator g = {
        .seed = seed, .state = seed * UINT64_C(0x2545f4914f6cdd1d) + 1, .index = index, .out = out};
    g.threads = 2 + (below(&g, 3) > 0);
    g.inputs = seed % 4 == 0;
    for (uint32_t i = below(&g, 3) + 1; i > 0; i--)
        g.flavour |= 1u << below(&g, FEATURES);
    if (seed % 8 == 3)
        g.flavour |= CHILDREN;
    choose_focus(&g);
    g.late_inputs = seed % 8 == 6;
    if (g.late_inputs) /* and little else, so that there is a plan */
        g.flavour = CHOICES | (g.flavour & (LOCKS | SEMAPHORES | FAILURES | PLAIN | CONDITIONS));
    if (has(&g, CHILDREN)) /* they create others, which do as much again */
        g.threads = 2;
    mz_text_add(out,
                "static atomic_int p%u_v[2], p%u_spin;\nstatic pthread_mutex_t p%u_m[2] = "
                "{PTHREAD_MUTEX_INITIALIZER, "
                "PTHREAD_MUTEX_INITIALIZER};\nstatic pthread_cond_t p%u_c[2] = {PTHREAD_COND_INITIALIZER, "
                "PTHREAD_COND_INITIALIZER};\nstatic int p%u_flag, p%u_plain[3], p%u_racy[2], p%u_q[2];\n"
                "static atomic_int p%u_word;\nstatic sem_t p%u_s;\nstatic pthread_rwlock_t p%u_rw = %s;\n",
                index, index, index, index, index, index, index, index, index, index, index,
                below(&g, 4) ? "PTHREAD_RWLOCK_INITIALIZER"
                             : "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP");
    mz_text_add(
        out,
        "static pthread_barrier_t p%u_b;\nstatic pthread_once_t p%u_once = PTHREAD_ONCE_INIT;\n"
        "static union { _Atomic uint16_t small[2]; _Atomic uint32_t large; } p%u_u;\n"
        "static void p%u_init(void) { atomic_fetch_add(&p%u_v[0], 1); }\n"
        "static void __VERIFIER_atomic_take_p%u_(int i) { __VERIFIER_assume(p%u_q[i] > 0); p%u_q[i]--; }\n"
        "static int __VERIFIER_atomic_look_p%u_(int i) { return p%u_q[i] > 1; }\n"
        "static void __VERIFIER_atomic_pick_p%u_(int i) { i ^= mz_choose(0, 1); __VERIFIER_assume(p%u_q[i] > "
        "0); "
        "p%u_q[i]--; }\n"
        "static void *p%u_late(void *a) { if (mz_choose(0, 1)) atomic_fetch_add(&p%u_v[1], 2); return a; }\n",
        index, index, index, index, index, index, index, index, index, index, index, index, index, index,
        index);
    mz_text_add(out, "static void *p%u_short(void *a) { return a; }\n", index);
    mz_text_add(out, "static int p%u_in[2], *p%u_block;\nstatic _Atomic(void *) p%u_at[2];\n", index, index,
                index);
    declare_for_order(&g);
    if (has(&g, ENDS))
        declare_for_ends(&g);
    for (uint32_t t = 0; t < g.threads; t++) {
        mz_text_add(out, "static void *p%u_t%u(void *a)\n{\n  int r = 0, e = 0;\n  pthread_t child;\n", index,
                    t);
        g.has_lent = false;
        g.budget = has(&g, CHILDREN) ? 2 : g.threads == 2 ? 5 : 3;
        statements(&g, 4);
        if (may_create_child(&g))
            create_child(&g, below(&g, t + 1));
        mz_text_add(out, "  (void)e, (void)child;\n  return (void *)(intptr_t)r;\n}\n");
    }
    mz_text_add(out, "static int p%u_main(void)\n{\n  pthread_t t[3];\n  sem_init(&p%u_s, 0, %u);\n", index,
                index, below(&g, 2));
    mz_text_add(out, "  pthread_barrier_init(&p%u_b, 0, 2);\n", index);
    initialise_for_order(&g);
    if (has(&g, BLOCKS))
        mz_text_add(out, "  p%u_block = calloc(2, sizeof(int));\n", index);
    if (g.inputs) { /* the second is not always read */
        mz_text_add(out, "  int x = p%u_in[0] = mz_input_int(\"x\", 0, %u);\n", index, 1 + below(&g, 2));
        mz_text_add(out, "  if (x != %u)\n    p%u_in[1] = mz_input_int(\"y\", 0, 1);\n", below(&g, 6), index);
    }
    for (uint32_t t = 0; t < g.threads; t++)
        mz_text_add(out, "  pthread_create(&t[%u], 0, p%u_t%u, 0);\n", t, index, t);
    if (below(&g, 6) == 0 && !is_large_anyway(&g))
        mz_text_add(out, "  pthread_cancel(t[%u]);\n", below(&g, g.threads));
    if (has(&g, DESTRUCTION) && below(&g, 2)) {
        mz_text_add(out, "  int r = 0;\n");
        destruction_statement(&g);
        mz_text_add(out, "  (void)r;\n");
    }
    uint32_t joined = below(&g, 6) ? g.threads : 1;
    for (uint32_t t = 0; t < joined; t++)
        mz_text_add(out, "  pthread_join(t[%u], 0);\n", t);
    if (below(&g, 6) == 0 && !is_large_anyway(&g))
        mz_text_add(out, "  if (mz_choose(0, 1))\n    atomic_fetch_add(&p%u_v[1], 1);\n", index);
    if (has(&g, OBSERVED | SPINS) || below(&g, 4) == 0)
        observed_by_main(&g);
    if (below(&g, 3) == 0)
        mz_text_add(out, "  assert(atomic_load(&p%u_v[0]) != 2);\n", index);
    if (below(&g, 3) == 0) /* which of the writes was the last? */
        mz_text_add(out, "  assert(atomic_load(&p%u_v[1]) != %u);\n", index, 1 + below(&g, 2));
    mz_text_add(out, "  return 0;\n}\n\n");
}

void generate_c_main(uint32_t count, mz_text *out)
{
    mz_text_add(out, "int main(int argc, char **argv)\n{\n  switch (argc > 1 ? atoi(argv[1]) : 0) {\n");
    for (uint32_t i = 0; i < count; i++)
        mz_text_add(out, "  case %u:\n    return p%u_main();\n", i, i);
    mz_text_add(out, "  }\n  return 0;\n}\n");
}
