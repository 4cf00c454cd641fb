#include "oracle/twin_program.h"

#include <stdio.h>
#include <string.h>

/* ---- as C ------------------------------------------------------------------------------------------------
 */

static const char *name_of(uint32_t variable)
{
    static const char *const names[] = {"@v[0]", "@v[1]", "@u.large", "@u.small[0]", "@u.small[1]"};
    return names[variable];
}

static bool is_on_variable(twin_code code)
{
    return code >= TWIN_LOAD && code <= TWIN_XOR;
}

static void add_named(const char *text, uint32_t index, mz_text *out)
{
    for (; *text; text++) {
        if (*text == '@')
            mz_text_add(out, "w%u_", index);
        else
            mz_text_add(out, "%c", *text);
    }
}

static void write_instruction(const twin_instruction *i, uint32_t index, uint32_t target, mz_text *out)
{
    static const char *const texts[] = {
#define X(constant, text) text,
        TWIN_INSTRUCTIONS(X)
#undef X
    };
    char line[160];
    mz_text_add(out, "  ");
    if (i->code == TWIN_IF) {
        mz_text_add(out, "if (r != %d)\n    goto l%u;\n", i->value, target);
        return;
    }
    if (i->code == TWIN_FORBID) {
        mz_text_add(out, "assert(r != %d);\n", i->value);
        return;
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
    if (is_on_variable(i->code))
        snprintf(line, sizeof line, texts[i->code], name_of(i->place), i->value);
    else
        snprintf(line, sizeof line, texts[i->code], i->place, i->value);
#pragma GCC diagnostic pop
    add_named(line, index, out);
    mz_text_add(out, strncmp(line, "r = ", 4) == 0 ? " k = (k * 3 + r) & 15;\n" : "\n");
}

static void write_thread_as_c(const twin_program *p, uint32_t index, uint32_t thread, mz_text *out)
{
    const twin_instruction *code = p->code[thread];
    mz_text_add(out, "static void *w%u_t%u(void *a)\n{\n  int r = 0, k = 0;\n", index, thread);
    for (uint32_t at = 0; at <= p->length[thread]; at++) {
        bool is_target = false;
        for (uint32_t i = 0; i < at; i++)
            is_target |= code[i].code == TWIN_IF && i + 1 + code[i].skipped == at;
        if (is_target)
            mz_text_add(out, "l%u:\n", at);
        if (at < p->length[thread])
            write_instruction(&code[at], index, at + 1 + code[at].skipped, out);
    }
    mz_text_add(out, "  w%u_seen[%u] = k;\n  return a;\n}\n", index, thread);
}

void twin_write_head(mz_text *out)
{
    mz_text_add(out, "#define twin_cas(x, k) ({ __typeof__((void)0, *(x)) e = 0; "
                     "(int)atomic_compare_exchange_strong(x, &e, k); })\n"
                     "static void twin_end(unsigned all)\n{\n");
    for (uint32_t outcome = 0; outcome < TWIN_OUTCOMES; outcome++)
        mz_text_add(out, "  if (all == %u)\n    assert(!\"outcome %u\");\n", outcome, outcome);
    mz_text_add(out, "}\n");
}

uint32_t twin_outcome(const uint32_t variables[TWIN_VARIABLES], const int32_t data[TWIN_DATA],
                      const int32_t seen[TWIN_THREADS])
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < 3; i++)
        all = all * 31 + variables[i];
    for (uint32_t i = 0; i < TWIN_DATA; i++)
        all = all * 31 + (uint32_t)data[i];
    for (uint32_t i = 0; i < TWIN_THREADS; i++)
        all = all * 31 + (uint32_t)seen[i];
    return all % TWIN_OUTCOMES;
}

void twin_write(const twin_program *p, uint32_t index, mz_text *out)
{
    mz_text head = {0};
    mz_text_add(&head,
                "static atomic_int @v[2];\n"
                "static union { _Atomic uint16_t small[2]; _Atomic uint32_t large; } @u;\n"
                "static pthread_mutex_t @m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
                "static pthread_rwlock_t @rw[2] = {PTHREAD_RWLOCK_INITIALIZER, "
                "PTHREAD_RWLOCK_INITIALIZER};\n"
                "static pthread_cond_t @c = PTHREAD_COND_INITIALIZER;\nstatic sem_t @s;\n"
                "static pthread_barrier_t @b;\nstatic int @x[3], @seen[4];\n");
    add_named(mz_text_string(&head), index, out);
    for (uint32_t t = 0; t < p->threads; t++)
        write_thread_as_c(p, index, t, out);
    mz_text_clear(&head);
    mz_text_add(&head, "static int p%u_main(void)\n{\n  pthread_t t[4];\n  sem_init(&@s, 0, %u);\n", index,
                p->tokens);
    mz_text_add(&head, "  pthread_barrier_init(&@b, 0, %u);\n", p->arrivals_needed);
    for (uint32_t t = 0; t < p->threads; t++)
        mz_text_add(&head, "  pthread_create(&t[%u], 0, @t%u, 0);\n", t, t);
    for (uint32_t t = 0; t < p->threads; t++)
        mz_text_add(&head, "  pthread_join(t[%u], 0);\n", t);
    mz_text_add(&head,
                "  unsigned all = (unsigned)atomic_load(&@v[0]);\n"
                "  all = all * 31 + (unsigned)atomic_load(&@v[1]);\n  all = all * 31 + "
                "atomic_load(&@u.large);\n"
                "  for (int i = 0; i < 3; i++)\n    all = all * 31 + (unsigned)@x[i];\n"
                "  for (int i = 0; i < 4; i++)\n    all = all * 31 + (unsigned)@seen[i];\n  all %%= %u;\n",
                TWIN_OUTCOMES);
    mz_text_add(&head, "  twin_end(all);\n  return 0;\n}\n\n");
    add_named(mz_text_string(&head), index, out);
    mz_text_release(&head);
}

/* ---- as a model ------------------------------------------------------------------------------------------
 */

static void write_statement(const twin_instruction *i, mz_text *out)
{
    char cell[16];
    const char *keep = "  k := (k * 3 + r) % 16";
    bool is_plain = i->code >= TWIN_PLAIN_LOAD && i->code <= TWIN_PLAIN_ADD;
    snprintf(cell, sizeof cell, is_plain ? "x[%u]" : "v[%u]", i->place);
    switch (i->code) {
    case TWIN_IF:
        mz_text_add(out, "if r == %d then {\n", i->value);
        break;
    case TWIN_FORBID:
        mz_text_add(out, "assert r != %d\n", i->value);
        break;
    case TWIN_LOAD:
    case TWIN_PLAIN_LOAD:
        mz_text_add(out, "r := %s%s\n", cell, keep);
        break;
    case TWIN_STORE:
    case TWIN_PLAIN_STORE:
        mz_text_add(out, "%s := %d\n", cell, i->value);
        break;
    case TWIN_FETCH_ADD:
        mz_text_add(out, "atomic { r := %s  %s := %s + %d }%s\n", cell, cell, cell, i->value, keep);
        break;
    case TWIN_EXCHANGE:
        mz_text_add(out, "atomic { r := %s  %s := %d }%s\n", cell, cell, i->value, keep);
        break;
    case TWIN_CAS:
        mz_text_add(out, "r := cas(%s, 0, %d)%s\n", cell, i->value, keep);
        break;
    case TWIN_LOCK:
    case TWIN_UNLOCK:
        mz_text_add(out, "%s m[%u]\n", i->code == TWIN_LOCK ? "lock" : "unlock", i->place);
        break;
    default:
        mz_text_add(out, "%s := %s %s %d\n", cell, cell,
                    i->code == TWIN_OR    ? "*"
                    : i->code == TWIN_SUB ? "-"
                                          : "+",
                    i->value);
    }
}

void twin_write_model(const twin_program *p, mz_text *out)
{
    mz_text_add(out, "<%u, v 2, x %d, m %d, local r 1, local k 1>\n", p->threads, TWIN_DATA, TWIN_MUTEXES);
    for (uint32_t t = 0; t < p->threads; t++) {
        const twin_instruction *code = p->code[t];
        mz_text_add(out, "[\n");
        for (uint32_t at = 0; at <= p->length[t]; at++) {
            for (uint32_t i = 0; i < at; i++)
                if (code[i].code == TWIN_IF && i + 1 + code[i].skipped == at)
                    mz_text_add(out, "}\n");
            if (at < p->length[t])
                write_statement(&code[at], out);
        }
        mz_text_add(out, "]\n");
    }
}
