/* Statements in which what counts is what is an event, and what orders what: sections that only read, plain
 * reads of what was written atomically, objects that are destroyed while others use them. */
#include "oracle/generate_c_parts.h"

/* Memory orders, and messages that may or may not be ordered by them. */
void order_statement(generator *g)
{
    uint32_t v = below(g, 2), k = below(g, 3);
    switch (below(g, 6)) {
    case 0:
        add(g, "atomic_store_explicit(&@v[%u], %u, memory_order_relaxed);", v, k);
        break;
    case 1:
        add(g, "atomic_store_explicit(&@v[%u], %u, memory_order_release);", v, k);
        break;
    case 2:
        add(g, "r = atomic_load_explicit(&@v[%u], memory_order_relaxed);", v, 0);
        break;
    case 3:
        add(g, "r = atomic_load_explicit(&@v[%u], memory_order_acquire);", v, 0);
        break;
    case 4:
        add(g,
            below(g, 2) ? "atomic_thread_fence(memory_order_release);"
                        : "atomic_thread_fence(memory_order_acquire);",
            0, 0);
        break;
    default: /* a message, if it is one */
        add(g, below(g, 2) ? "@racy[%u] = 1;" : "if (r) r = @racy[%u];", v, 0);
    }
}

/* One that writes nothing, beside a message of which it may seem to be the sign. */
static void reading_section(generator *g)
{
    uint32_t a = below(g, 2), b = below(g, 2);
    bool tells = below(g, 3) == 0;
    if (tells)
        add(g, "@racy[%u] = 1;", b, 0);
    add(g,
        (const char *const[]){
            "__VERIFIER_atomic_begin(); r = @q[%u]; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); r = @q[0] + @q[1]; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); r = atomic_load(&@v[%u]); __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); if (@q[%u] == 7) @q[0] = 1; __VERIFIER_atomic_end();",
            "r = __VERIFIER_atomic_look_@(%u);"}[below(g, 5)],
        a, 0);
    if (!tells && below(g, 2))
        add(g, "r = @racy[%u];", b, 0);
}

void section_statement(generator *g)
{
    uint32_t a = below(g, 2), b = below(g, 2);
    if (below(g, 4) == 0) {
        reading_section(g);
        return;
    }
    switch (below(g, (g->flavour & CHOICES) ? 17 : 11)) {
    case 0:
        add(g, "__VERIFIER_atomic_begin(); @q[%u] = @q[%u] + 1; __VERIFIER_atomic_end();", a, b);
        break;
    case 1:
        add(g, "__VERIFIER_atomic_begin(); r = @q[@q[%u] & 1]; __VERIFIER_atomic_end();", a, b);
        break;
    case 2:
        add(g, "__VERIFIER_atomic_begin(); if (@q[%u]) @q[%u] = 0; __VERIFIER_atomic_end();", a, b);
        break;
    case 3:
        add(g, "__VERIFIER_atomic_take_@(%u);", a, b);
        break;
    case 4: /* polling */
        add(g,
            "for (int polled = 0; !polled;) { __VERIFIER_atomic_begin(); polled = @q[%u] > %u; "
            "__VERIFIER_atomic_end(); }",
            a, b);
        break;
    case 5:
        add(g,
            "for (int polled = 0; !polled;) { __VERIFIER_atomic_begin(); if (@q[%u] > 0) { @q[%u]--; polled "
            "= 1; "
            "} __VERIFIER_atomic_end(); }",
            a, b);
        break;
    case 6: /* what it writes is there already */
        add(g,
            "do { __VERIFIER_atomic_begin(); r = @q[%u]; @q[%u] = 1; __VERIFIER_atomic_end(); } while (r == "
            "1);",
            a, a);
        break;
    case 7: /* in two sections */
        add(g,
            "for (r = 0; !r;) { __VERIFIER_atomic_begin(); r = @q[%u] > 0; __VERIFIER_atomic_end(); "
            "if (!r) r = __VERIFIER_atomic_look_@(%u); }",
            a, b);
        break;
    case 8: /* atomic operations, of which some do not happen */
        add(g,
            "__VERIFIER_atomic_begin(); e = 1; @q[%u]++; atomic_compare_exchange_strong(&@v[%u], &e, 2); "
            "__VERIFIER_atomic_end();",
            a, b);
        break;
    case 9:
        add(g,
            "__VERIFIER_atomic_begin(); e = 0; r = atomic_compare_exchange_weak(&@v[%u], &e, 1) ? "
            "0 : atomic_load(&@v[%u]); __VERIFIER_atomic_end();",
            a, b);
        break;
    case 10:
        add(g,
            "__VERIFIER_atomic_begin(); r = atomic_fetch_add(&@v[%u], 1) + @q[%u]; __VERIFIER_atomic_end();",
            a, b);
        break;
    case 11:
        add(g, "__VERIFIER_atomic_begin(); @q[%u] = mz_choose(0, %u); __VERIFIER_atomic_end();", a, 1 + b);
        break;
    case 12:
        add(g, "__VERIFIER_atomic_begin(); if (@q[%u]) r = mz_choose(0, %u); __VERIFIER_atomic_end();", a,
            1 + b);
        break;
    case 13:
        add(g, "__VERIFIER_atomic_begin(); r = mz_choose(0, @q[%u] & 1); __VERIFIER_atomic_end();", a, b);
        break;
    case 14:
        add(g, "__VERIFIER_atomic_begin(); @q[mz_choose(0, 1)] += mz_choose(%u, 2); __VERIFIER_atomic_end();",
            b, 0);
        break;
    case 15:
        add(g, "__VERIFIER_atomic_pick_@(%u);", a, 0);
        break;
    default:
        add(g,
            "__VERIFIER_atomic_begin(); __VERIFIER_assume(@q[mz_choose(0, 1)] == %u); @q[%u]++; "
            "__VERIFIER_atomic_end();",
            a, b);
    }
}

/* Waits, and each round does something to what is, most often, nobody else's: the first one changes it, or it
 * depends on what was there before. */
static void busy_loop(generator *g)
{
    uint32_t v = below(g, 2), k = below(g, 2);
    if (below(g, 3) == 0)
        add(g, "atomic_store(&@busy[0], atomic_load(&@v[%u]));", below(g, 2), 0);
    add(g,
        (const char *const[]){
            "while (atomic_load(&@v[%u]) == %u) atomic_fetch_or(&@busy[0], 1);",
            "while (atomic_load(&@v[%u]) == %u) atomic_store(&@busy[0], 2);",
            "while (atomic_load(&@v[%u]) == %u) atomic_exchange(&@busy[1], 1);",
            "while (atomic_load(&@v[%u]) == %u) atomic_flag_test_and_set(&@mark);",
            "while (atomic_load(&@v[%u]) == %u) @racy[0] = 1;",
            "while (atomic_load(&@v[%u]) == %u) { @racy[1] = 2; @racy[0] = 1; }",
            "while ((@racy[1] = atomic_load(&@v[%u])) == %u) ;",
            "while (atomic_load(&@v[%u]) == %u) sem_trywait(&@token);",
            "errno = 0; while (atomic_load(&@v[%u]) == %u) close(-1); assert(errno == 0);",
            "while (atomic_load(&@v[%u]) == %u) assert(atomic_load(&@busy[0]) != 1);"}[below(g, 10)],
        v, k);
}

static void busy_seen_by_main(generator *g)
{
    add(g,
        (const char *const[]){"assert(atomic_load(&@busy[%u]) != %u);", "assert(@racy[%u] != %u);",
                              "assert(!atomic_flag_test_and_set(&@mark));",
                              "assert(sem_trywait(&@token) == 0);"}[below(g, 4)],
        below(g, 2), 1 + below(g, 2));
}

/* By a plain access: of what somebody may be waiting for. */
static void plain_change(generator *g)
{
    add(g,
        (const char *const[]){"*(volatile int *)&@v[%u] = %u;", "*(volatile int *)&@spin = %u;",
                              "*(volatile int *)&@spin = 0;", "memset(&@s, 0, sizeof @s);",
                              "@q[%u] = %u;"}[below(g, 5)],
        below(g, 2), below(g, 2));
}

void busy_statement(generator *g)
{
    uint32_t v = below(g, 2);
    switch (below(g, 5)) {
    case 0: /* so that some see it in between */
    case 1:
        add(g, "atomic_store(&@v[%u], 1); atomic_store(&@v[%u], 0);", v, v);
        break;
    case 2:
        plain_change(g);
        break;
    case 3:
        add(g, "while (atomic_load(&@v[%u]) == 1) ;", v, 0);
        add(g, "assert(r != 0);", 0, 0);
        break;
    default:
        busy_loop(g);
        add(g, below(g, 3) ? "assert(atomic_load(&@busy[%u]) != %u);" : "r = @racy[%u]; assert(r != %u);",
            below(g, 2), 1 + below(g, 2));
    }
}

/* Two have stored it, and said so under a mutex: which of them was the last? */
void observed_statement(generator *g)
{
    switch (below(g, 9)) {
    case 0:
    case 1:
    case 7:
        add(g, "atomic_store(&@last, %u);", 1 + below(g, 2), 0);
        add(g, "pthread_mutex_lock(&@m[1]); @stored++; pthread_mutex_unlock(&@m[1]);", 0, 0);
        break;
    case 2:
    case 8:
        add(g, "__VERIFIER_atomic_begin(); @last = %u; __VERIFIER_atomic_end();", 1 + below(g, 2), 0);
        add(g, "pthread_mutex_lock(&@m[1]); @stored++; pthread_mutex_unlock(&@m[1]);", 0, 0);
        break;
    case 3:
        add(g,
            "pthread_mutex_lock(&@m[1]); if (@stored == 2) r = *(const int *)&@last; "
            "pthread_mutex_unlock(&@m[1]);",
            0, 0);
        add(g, "assert(r != %u);", 1 + below(g, 2), 0);
        break;
    case 4:
        add(g,
            "pthread_mutex_lock(&@m[1]); if (@stored == 2) *(int *)&@last = %u; "
            "pthread_mutex_unlock(&@m[1]);",
            below(g, 3), 0);
        break;
    case 5:
        add(g, "r = *(const volatile int *)&@v[%u];", below(g, 2), 0);
        break;
    default:
        add(g, "r = memcmp(&@v[%u], &@one, sizeof @one) == 0;", below(g, 2), 0);
    }
}

/* … when it has joined them. */
void observed_by_main(generator *g)
{
    uint32_t v = below(g, 2), k = 1 + below(g, 2);
    if ((g->flavour & SPINS) && below(g, 2))
        busy_seen_by_main(g);
    if (g->flavour & OBSERVED) {
        add(g, "assert(*(const volatile int *)&@last != %u);", k, 0);
        return;
    }
    switch (below(g, 4)) {
    case 0:
        add(g, "assert(*(const volatile int *)&@v[%u] != %u);", v, k);
        break;
    case 1:
        add(g, "assert(memcmp(&@v[%u], &@one, sizeof @one) != 0);", v, k);
        break;
    case 2:
        add(g, "assert(@q[%u] != %u);", v, k);
        break;
    default:
        add(g, "if (*(const volatile int *)&@v[%u] == %u) { @v[0] = 0; assert(@q[1] != 1); }", v, k);
    }
}

/* Whether a write comes in time decides how far its thread goes; where races are no errors, all of this is to
 * be seen. */
void block_statement(generator *g)
{
    static const char *const ways[] = {
        "@block[%u] = %u;", "@block[%u] = %u;",           "@block[0] = %u; @block[1] = %u;",
        "r = @block[%u];",  "if (r == %u) free(@block);", "if (@block[%u] == %u) free(@block);",
        "free(@block);"};
    add(g, ways[below(g, sizeof ways / sizeof *ways)], below(g, 2), below(g, 2));
}

/* One object of a program: what uses it, and what ends it or begins it anew. */
enum { MOST_WAYS = 5 };
static const struct object {
    const char *uses[MOST_WAYS], *ends[MOST_WAYS];
} OBJECTS[] = {
    {{"r = pthread_mutex_lock(&@dm); if (r == 0) pthread_mutex_unlock(&@dm);",
      "r = pthread_mutex_trylock(&@dm) == 0; if (r) pthread_mutex_unlock(&@dm);",
      "r = pthread_mutex_timedlock(&@dm, &soon) == 0; if (r) pthread_mutex_unlock(&@dm);"},
     {"pthread_mutex_destroy(&@dm);", "pthread_mutex_destroy(&@dm);", "pthread_mutex_init(&@dm, 0);"}},
    {{"r = pthread_mutex_unlock(&@dchecked) != 0;",
      "if (pthread_mutex_lock(&@dchecked) == 0) pthread_mutex_unlock(&@dchecked);"},
     {"pthread_mutex_destroy(&@dchecked);"}},
    {{"pthread_cond_signal(&@dc);", "pthread_cond_broadcast(&@dc);",
      "pthread_mutex_lock(&@m[0]); r = pthread_cond_timedwait(&@dc, &@m[0], &soon) != 0; "
      "pthread_mutex_unlock(&@m[0]);"},
     {"pthread_cond_destroy(&@dc);", "pthread_cond_destroy(&@dc);", "pthread_cond_init(&@dc, 0);"}},
    {{"pthread_rwlock_rdlock(&@drw); pthread_rwlock_unlock(&@drw);",
      "pthread_rwlock_wrlock(&@drw); pthread_rwlock_unlock(&@drw);",
      "r = pthread_rwlock_trywrlock(&@drw) == 0; if (r) pthread_rwlock_unlock(&@drw);"},
     {"pthread_rwlock_destroy(&@drw);", "pthread_rwlock_destroy(&@drw);", "pthread_rwlock_init(&@drw, 0);"}},
    {{"pthread_spin_lock(&@ds); pthread_spin_unlock(&@ds);",
      "r = pthread_spin_trylock(&@ds) == 0; if (r) pthread_spin_unlock(&@ds);"},
     {"pthread_spin_destroy(&@ds);", "pthread_spin_init(&@ds, 0);"}},
    {{"r = pthread_barrier_wait(&@db) != 0;"},
     {"pthread_barrier_destroy(&@db);", "pthread_barrier_init(&@db, 0, 1);"}},
    {{"r = sem_trywait(&@dsem) == 0;", "sem_post(&@dsem);", "sem_getvalue(&@dsem, &r);",
      "atomic_fetch_add(&@v[0], 1); sem_wait(&@dsem);"},
     {"sem_destroy(&@dsem);", "sem_init(&@dsem, 0, 1);"}},
    {{"r = pthread_getspecific(@dkey) != 0;", "r = pthread_setspecific(@dkey, &@dkey);"},
     {"pthread_key_delete(@dkey);"}},
    {{"r = pthread_mutex_trylock(&@dblock->m) == 0;",
      "pthread_mutex_lock(&@dblock->m); pthread_mutex_unlock(&@dblock->m);"},
     {"free(@dblock);", "if (r == 0) free(@dblock);"}},
    /* who was signalled still needs the mutex */
    {{"pthread_mutex_lock(&@dm); if (!@flag) pthread_cond_wait(&@dc, &@dm); pthread_mutex_unlock(&@dm);",
      "pthread_mutex_lock(&@dm); if (!@flag) r = pthread_cond_timedwait(&@dc, &@dm, &soon) != 0; "
      "pthread_mutex_unlock(&@dm);"},
     {"pthread_mutex_lock(&@dm); @flag = 1; pthread_cond_signal(&@dc); pthread_mutex_unlock(&@dm); "
      "pthread_mutex_destroy(&@dm);",
      "pthread_mutex_lock(&@dm); @flag = 1; pthread_cond_broadcast(&@dc); pthread_mutex_unlock(&@dm);",
      "pthread_cond_signal(&@dc); r = pthread_mutex_trylock(&@dm) == 0; if (r) pthread_mutex_unlock(&@dm);",
      "r = pthread_mutex_destroy(&@dm) == 0;", "pthread_cond_signal(&@dc);"}},
    {{"r = atomic_load(&@dblock->a);", "r = atomic_fetch_add(&@dblock->a, 1);", "sem_post(&@dblock->s);",
      "atomic_store(&@dblock->a, 2);"},
     {"free(@dblock);", "if (r == 0) free(@dblock);"}},
};

static void one_of(generator *g, const char *const *ways)
{
    uint32_t count = 0;
    while (count < MOST_WAYS && ways[count])
        count++;
    add(g, ways[below(g, count)], 0, 0);
}

void destruction_statement(generator *g)
{
    const struct object *o = &OBJECTS[g->seed / 8 % (sizeof OBJECTS / sizeof *OBJECTS)];
    one_of(g, below(g, 5) < 3 ? o->uses : o->ends);
    if (below(g, 2) == 0) /* it has come so far */
        add(g, "assert(r != %u);", below(g, 2), 0);
}

void declare_for_order(generator *g)
{
    add_outside(g, "static atomic_int @last; static int @stored; static const int @one = 1;", 0, 0);
    add_outside(g, "static atomic_int @busy[2]; static atomic_flag @mark; static sem_t @token;", 0, 0);
    add_outside(g, "static pthread_mutex_t @dm, @dchecked; static pthread_cond_t @dc;", 0, 0);
    add_outside(g,
                "static pthread_rwlock_t @drw; static pthread_spinlock_t @ds; static pthread_barrier_t @db;",
                0, 0);
    add_outside(g, "static sem_t @dsem; static pthread_key_t @dkey;", 0, 0);
    add_outside(g, "static struct { atomic_int a; sem_t s; pthread_mutex_t m; } *@dblock;", 0, 0);
}

void initialise_for_order(generator *g)
{
    if (g->flavour & SPINS)
        add(g, "sem_init(&@token, 0, 1);", 0, 0);
    if (!(g->flavour & DESTRUCTION))
        return;
    add(g, "pthread_mutexattr_t checked; pthread_mutexattr_init(&checked);", 0, 0);
    add(g, "pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);", 0, 0);
    add(g,
        "pthread_mutex_init(&@dm, 0); pthread_mutex_init(&@dchecked, &checked); pthread_cond_init(&@dc, 0);",
        0, 0);
    add(g, "pthread_rwlock_init(&@drw, 0); pthread_spin_init(&@ds, 0); pthread_barrier_init(&@db, 0, 1);", 0,
        0);
    add(g, "sem_init(&@dsem, 0, 1); pthread_key_create(&@dkey, 0); @dblock = malloc(sizeof *@dblock);", 0, 0);
    add(g, "pthread_mutex_init(&@dblock->m, 0); sem_init(&@dblock->s, 0, 0); atomic_init(&@dblock->a, 0);", 0,
        0);
}
