#include "algo/lazy/smt.h"

#ifdef MZ_HAVE_Z3

#include <dlfcn.h>
#include <z3.h>

#include "base/memory.h"

/* The functions of Z3 that are used. */
#define FUNCTIONS(X)                                                                                         \
    X(Z3_mk_config)                                                                                          \
    X(Z3_del_config)                                                                                         \
    X(Z3_mk_context)                                                                                         \
    X(Z3_del_context)                                                                                        \
    X(Z3_mk_simple_solver)                                                                                   \
    X(Z3_solver_inc_ref)                                                                                     \
    X(Z3_solver_dec_ref)                                                                                     \
    X(Z3_solver_push)                                                                                        \
    X(Z3_solver_pop)                                                                                         \
    X(Z3_solver_assert)                                                                                      \
    X(Z3_solver_check)                                                                                       \
    X(Z3_solver_get_model)                                                                                   \
    X(Z3_model_inc_ref)                                                                                      \
    X(Z3_model_dec_ref)                                                                                      \
    X(Z3_model_eval)                                                                                         \
    X(Z3_get_numeral_int64)                                                                                  \
    X(Z3_mk_int_sort)                                                                                        \
    X(Z3_mk_int_symbol)                                                                                      \
    X(Z3_mk_const)                                                                                           \
    X(Z3_mk_lt)

struct mz_smt {
    void *library;
#define MZ_X(name) __typeof__(name) *name;
    FUNCTIONS(MZ_X)
#undef MZ_X
    Z3_context context;
    Z3_solver solver;
    Z3_ast *places; /* of each event */
    int64_t *values;
    size_t place_capacity, value_capacity, place_count;
};

static bool load(mz_smt *smt)
{
    static const char *const names[] = {"libz3.so.4", "libz3.so"};
    for (size_t i = 0; !smt->library && i < sizeof names / sizeof *names; i++)
        smt->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    bool complete = smt->library != NULL;
#define MZ_X(name) complete = complete && (*(void **)&smt->name = dlsym(smt->library, #name)) != NULL;
    FUNCTIONS(MZ_X)
#undef MZ_X
    return complete;
}

static void unload(mz_smt *smt)
{
    if (smt->library)
        dlclose(smt->library);
}

bool mz_smt_is_available(void)
{
    mz_smt smt = {0};
    bool available = load(&smt);
    unload(&smt);
    return available;
}

mz_smt *mz_smt_create(void)
{
    mz_smt *smt = mz_allocate_zeroed(1, sizeof *smt);
    if (!load(smt)) {
        unload(smt);
        mz_release(smt);
        return NULL;
    }
    Z3_config configuration = smt->Z3_mk_config();
    smt->context = smt->Z3_mk_context(configuration);
    smt->Z3_del_config(configuration);
    smt->solver = smt->Z3_mk_simple_solver(smt->context);
    smt->Z3_solver_inc_ref(smt->context, smt->solver);
    return smt;
}

void mz_smt_destroy(mz_smt *smt)
{
    if (!smt)
        return;
    smt->Z3_solver_dec_ref(smt->context, smt->solver);
    smt->Z3_del_context(smt->context);
    unload(smt);
    mz_release(smt->places);
    mz_release(smt->values);
    mz_release(smt);
}

static void make_places(mz_smt *smt, uint32_t count)
{
    smt->places = mz_grow(smt->places, &smt->place_capacity, count, sizeof *smt->places);
    smt->values = mz_grow(smt->values, &smt->value_capacity, count, sizeof *smt->values);
    for (; smt->place_count < count; smt->place_count++)
        smt->places[smt->place_count] =
            smt->Z3_mk_const(smt->context, smt->Z3_mk_int_symbol(smt->context, (int)smt->place_count),
                             smt->Z3_mk_int_sort(smt->context));
}

static void assert_before(mz_smt *smt, uint32_t a, uint32_t b)
{
    smt->Z3_solver_assert(smt->context, smt->solver,
                          smt->Z3_mk_lt(smt->context, smt->places[a], smt->places[b]));
}

static bool read_model(mz_smt *smt, uint32_t count)
{
    bool complete = true;
    Z3_model model = smt->Z3_solver_get_model(smt->context, smt->solver);
    smt->Z3_model_inc_ref(smt->context, model);
    for (uint32_t e = 0; e < count; e++) {
        Z3_ast value;
        complete &= smt->Z3_model_eval(smt->context, model, smt->places[e], true, &value) &&
                    smt->Z3_get_numeral_int64(smt->context, value, &smt->values[e]);
    }
    smt->Z3_model_dec_ref(smt->context, model);
    return complete;
}

/* By their places; events with the same place are not ordered, and any order of them will do. */
static void sort_events(const mz_smt *smt, uint32_t count, uint32_t *word)
{
    for (uint32_t e = 0; e < count; e++) {
        uint32_t at = e;
        for (; at > 0 && smt->values[word[at - 1]] > smt->values[e]; at--)
            word[at] = word[at - 1];
        word[at] = e;
    }
}

bool mz_smt_solve(mz_smt *smt, const mz_constraints *c, uint32_t *word)
{
    make_places(smt, c->event_count);
    smt->Z3_solver_push(smt->context, smt->solver);
    for (size_t i = 0; i < c->fixed_count; i++)
        assert_before(smt, c->fixed[i].first, c->fixed[i].second);
    for (size_t i = 0; i < c->constraint_count; i++) {
        mz_constraint pair = c->constraints[i];
        bool reversed = mz_constraints_is_before(c, pair.second, pair.first);
        assert_before(smt, reversed ? pair.second : pair.first, reversed ? pair.first : pair.second);
    }
    bool solved =
        smt->Z3_solver_check(smt->context, smt->solver) == Z3_L_TRUE && read_model(smt, c->event_count);
    smt->Z3_solver_pop(smt->context, smt->solver, 1);
    if (solved)
        sort_events(smt, c->event_count, word);
    return solved;
}

#else

bool mz_smt_is_available(void)
{
    return false;
}

mz_smt *mz_smt_create(void)
{
    return NULL;
}

void mz_smt_destroy(mz_smt *smt)
{
    (void)smt;
}

bool mz_smt_solve(mz_smt *smt, const mz_constraints *constraints, uint32_t *word)
{
    (void)smt;
    (void)constraints;
    (void)word;
    return false;
}

#endif
