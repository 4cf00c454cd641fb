/* A little program in C, so that the search over graphs of real programs can be compared with the axioms,
 * too. */
#include "machine/memory.h"
#include "oracle/weak/program.h"

static const char *const orders[] = {"",
                                     "memory_order_relaxed",
                                     "memory_order_acquire",
                                     "memory_order_release",
                                     "memory_order_acq_rel",
                                     "memory_order_seq_cst"};

static void write_operand(const weak_instruction *i, FILE *out)
{
    fprintf(out, "%d", i->number);
    if (i->source >= 0)
        fprintf(out, " + r[%d]", i->source);
}

static void write_instruction(const weak_instruction *i, uint32_t at, FILE *out)
{
    const char *order = orders[i->order];
    fprintf(out, "l%u:\n    ", at);
    switch (i->opcode) {
    case WEAK_LOAD:
        fprintf(out, "r[%u] = atomic_load_explicit(&x%u, %s);\n", i->target, i->location, order);
        break;
    case WEAK_STORE:
        fprintf(out, "atomic_store_explicit(&x%u, ", i->location);
        write_operand(i, out);
        fprintf(out, ", %s);\n", order);
        break;
    case WEAK_ADD:
    case WEAK_EXCHANGE:
        fprintf(out, "r[%u] = atomic_%s_explicit(&x%u, ", i->target,
                i->opcode == WEAK_ADD ? "fetch_add" : "exchange", i->location);
        write_operand(i, out);
        fprintf(out, ", %s);\n", order);
        break;
    case WEAK_CAS:
        fprintf(out, "e = %d;\n    atomic_compare_exchange_strong_explicit(&x%u, &e, ", i->expected,
                i->location);
        write_operand(i, out);
        fprintf(out, ", %s, %s);\n    r[%u] = e;\n", order, orders[i->failure_order], i->target);
        break;
    case WEAK_FENCE:
        fprintf(out, "atomic_thread_fence(%s);\n", order);
        break;
    case WEAK_LOCK:
        fprintf(out, "pthread_mutex_lock(&m%u);\n    r[%u] = 0;\n", i->location, i->target);
        break;
    case WEAK_UNLOCK:
        fprintf(out, "pthread_mutex_unlock(&m%u);\n", i->location);
        break;
    case WEAK_WAIT:
        fprintf(out, "sem_wait(&s%u);\n", i->location);
        break;
    case WEAK_TRY:
        fprintf(out, "r[%u] = sem_trywait(&s%u) == 0;\n", i->target, i->location);
        break;
    case WEAK_POST:
        fprintf(out, "sem_post(&s%u);\n", i->location);
        break;
    case WEAK_CHOOSE:
        fprintf(out, "r[%u] = __VERIFIER_nondet_bool();\n", i->target);
        break;
    case WEAK_ASSUME:
        fprintf(out, "__VERIFIER_assume(r[%u] != %d);\n", i->target, i->number);
        break;
    case WEAK_SKIP_IF:
        fprintf(out, "if (r[%u] %s %d)\n        goto l%u;\n", i->target, i->negated ? "!=" : "==", i->number,
                at + 1 + i->skip);
        break;
    }
}

void weak_write_c(const weak_program *p, FILE *out)
{
    fprintf(out,
            "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n\n"
            "void __VERIFIER_assume(int);\nbool __VERIFIER_nondet_bool(void);\n");
    for (int x = 0; x < FIRST_MUTEX; x++)
        fprintf(out, "atomic_int x%d;\n", x);
    for (int m = FIRST_MUTEX; m < MOST_LOCATIONS; m++)
        fprintf(out, "pthread_mutex_t m%d = PTHREAD_MUTEX_INITIALIZER;\nsem_t s%d;\n", m, m);
    for (uint32_t t = 0; t < p->threads; t++) {
        fprintf(out, "\nstatic void *thread%u(void *u)\n{\n    int r[%d] = {0}, e = 0;\n    (void)e;\n", t,
                MOST_REGISTERS);
        for (uint32_t k = 0; k < p->lengths[t]; k++)
            write_instruction(&p->code[t][k], k, out);
        fprintf(out, "l%u:\n    (void)r;\n    return u;\n}\n", p->lengths[t]);
    }
    fprintf(out, "\nint main(void)\n{\n    pthread_t t[%u];\n", p->threads);
    for (int m = FIRST_MUTEX; m < MOST_LOCATIONS; m++)
        fprintf(out, "    sem_init(&s%d, 0, 0);\n", m);
    for (uint32_t t = 0; t < p->threads; t++)
        fprintf(out, "    pthread_create(&t[%u], 0, thread%u, 0);\n", t, t);
    fprintf(out, "    for (int i = 0; i < %u; i++)\n        pthread_join(t[i], 0);\n}\n", p->threads);
}
