/* Loops whose rounds may come to nothing, and loops that take back what they have changed. */
#include "oracle/generate_c_parts.h"

/* Rounds that may come to nothing: several reads, stale variables, retries, pointers, two values of one
 * place, assertions and plain reads on the way. */
void round_statement(generator *g)
{
    static const char *const statements[] = {
        "while (atomic_load(&@v[%u]) != atomic_load(&@v[%u])) ;",
        "for (;;) { int a = atomic_load(&@v[%u]); if (a != %u) break; r = a; }",
        "for (int a = 0, b = 0; a + b < 1;) { a = atomic_load(&@v[%u]); b = atomic_load(&@v[%u]); }",
        "for (int o = atomic_load(&@v[%u]); !atomic_compare_exchange_strong(&@v[%u], &o, o + 1);) ;",
        "for (;;) { int o = atomic_load(&@v[%u]); if (o != %u && atomic_compare_exchange_strong(&@v[0], &o, "
        "1)) "
        "break; }",
        "for (atomic_int *p = &@v[%u]; atomic_load(p) == %u;) p = p == &@v[0] ? &@v[1] : &@v[0];",
        ("for (int a, b;;) { a = atomic_load(&@v[%u]); b = atomic_load(&@v[%u]); assert(a != 2 || b != 1); "
         "if (a + b > 0) break; }"),
        "while (!atomic_load(&@v[%u])) if (@racy[%u] == 3) break;",
        "for (int a = 0, b = 1; a != b;) { a = atomic_load(&@v[%u]); b = atomic_load(&@v[0]) + 0 * %u; }",
        "for (int n = 0; atomic_load(&@v[%u]) == %u; n = !n) r = n;",
    };
    uint32_t a = below(g, 2), b = below(g, 2);
    add(g, statements[below(g, sizeof statements / sizeof *statements)], a, b);
}

/* Rounds that write: an attempt that fails and is taken back, with a result that somebody looks at or not; a
 * look at something under a spin lock, which is let go again; a change that is there for a moment. */
void undone_statement(generator *g)
{
    static const char *const statements[] = {
        ("for (int k = 0; !k;) { while (atomic_exchange(&@spin, 1)) ; k = atomic_load(&@v[%u]) != %u; "
         "atomic_store(&@spin, 0); }"),
        "for (atomic_int *p = &@v[%u]; atomic_fetch_add(p, 1) != %u;) atomic_fetch_sub(p, 1);",
        "for (atomic_int *p = &@v[%u]; atomic_fetch_sub(p, 2) < %u;) if (atomic_fetch_add(p, 2) == 7) break;",
        ("for (;;) { int o = 0; if (!atomic_compare_exchange_strong(&@spin, &o, 1)) continue; "
         "int k = atomic_load(&@v[%u]); atomic_store(&@spin, 0); if (k != %u) break; }"),
        ("for (int k = 0; !k;) { atomic_fetch_xor(&@spin, 2); k = atomic_load(&@v[%u]) != %u; "
         "atomic_fetch_xor(&@spin, 2); }"),
    };
    uint32_t a = below(g, 2), b = below(g, 2);
    add(g, statements[below(g, sizeof statements / sizeof *statements)], a, b);
}
