/* Statements about what ends while others know of it, the frames of functions; and about a mutex that
 * somebody polls under who has made it himself. */
#include "oracle/generate_c.h"
#include "oracle/generate_c_parts.h"

bool generate_c_without_ends;

/* Once in a thread: whether what others still point to is there depends on who has its place by then, which
 * is no order of events. (Who uses it before that is in error.) */
void frame_statement(generator *g)
{
    static const char *const uses[] = {
        "{ int *p = atomic_load(&@lent); if (p) *p = 1 + %u; }",
        "{ int *p = atomic_load(&@lent); r = p ? *p : %u; }",
        "{ int *p = atomic_exchange(&@lent, 0); if (p && *p == %u) atomic_fetch_add(&@v[0], 1); }",
    };
    static const char *const ends[] = {"@lend(%u);", "@lend_deeper(%u);", "@lend_and_fail(%u);"};
    bool lends = !g->has_lent && below(g, 2);
    g->has_lent |= lends;
    add(g, lends ? ends[below(g, 3)] : uses[below(g, 3)], below(g, 2), 0);
}

/* The one who has initialised it is the only one who uses it: a round leaves nothing behind. */
void own_mutex_statement(generator *g)
{
    add(g,
        (const char *const[]){
            "{ pthread_mutex_t own; pthread_mutex_init(&own, 0); for (int k = 0; !k;) { "
            "pthread_mutex_lock(&own); k = atomic_load(&@v[%u]) != %u; pthread_mutex_unlock(&own); } "
            "pthread_mutex_destroy(&own); }",
            "{ pthread_mutex_t *own = malloc(sizeof *own); pthread_mutex_init(own, 0); do { "
            "pthread_mutex_lock(own); r = atomic_load(&@v[%u]); pthread_mutex_unlock(own); } while (r == "
            "%u); "
            "pthread_mutex_destroy(own); free(own); }"}[below(g, 2)],
        below(g, 2), below(g, 2));
}

/* `lend` shows others a variable of its own, and hides it again or not. Who fails leaves it as it is. */
void declare_for_ends(generator *g)
{
    add_outside(g, "static _Atomic(int *) @lent;", 0, 0);
    add_outside(g,
                "static __attribute__((noinline, unused)) void @lend(int hides) { int own = 0; "
                "atomic_store(&@lent, &own); if (hides) atomic_store(&@lent, 0); }",
                0, 0);
    add_outside(g,
                "static __attribute__((noinline, unused)) void @lend_deeper(int hides) { int own[8] = {0}; "
                "atomic_store(&@lent, &own[7]); @lend(hides); if (hides) atomic_store(&@lent, 0); }",
                0, 0);
    add_outside(g,
                "static __attribute__((noinline, unused)) void @lend_and_fail(int value) { int own = "
                "atomic_load(&@v[value]); atomic_store(&@lent, &own); assert(own > 9); }",
                0, 0);
}
