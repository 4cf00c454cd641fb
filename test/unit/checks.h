/* Whole checks of models written inside a test. */
#ifndef TEST_UNIT_CHECKS_H
#define TEST_UNIT_CHECKS_H

#include "algo/algorithm.h"
#include "machine/identity.h"
#include "models.h"
#include "search/search.h"

typedef struct checked {
    mz_model *model;
    mz_machine *machine;
    mz_search search;
    /* Counted by observe() at the leaves. */
    uint64_t leaves[MZ_LEAF_CUT + 1];
    mz_hash_set traces; /* of those that are not cut short */
    uint64_t repeated;
} checked;

static inline void observe(void *context, mz_search *search, mz_leaf leaf)
{
    checked *c = context;
    assert_ptr_equal(search, &c->search);
    c->leaves[leaf]++;
    if (leaf != MZ_LEAF_BLOCKED && leaf != MZ_LEAF_VISITED && leaf != MZ_LEAF_CUT)
        c->repeated += !mz_hash_set_add(&c->traces, mz_identity(search->execution));
}

static inline checked *prepare(const char *source, const mz_search_options *options)
{
    checked *c = test_calloc(1, sizeof *c);
    mz_search_options all = options ? *options : (mz_search_options){0};
    if (!all.checks)
        all.checks = MZ_FAILURES_ALL;
    c->model = parse_model(source);
    c->machine = mz_model_machine(c->model, MZ_MEMORY_SC);
    mz_search_init(&c->search, c->machine, &all);
    return c;
}

static inline checked *check(const char *source, const mz_algorithm *algorithm,
                             const mz_search_options *options)
{
    checked *c = prepare(source, options);
    algorithm->run(&c->search);
    return c;
}

static inline checked *check_observed(const char *source, const mz_algorithm *algorithm,
                                      const mz_search_options *options)
{
    checked *c = prepare(source, options);
    c->search.observe = observe;
    c->search.observe_context = c;
    algorithm->run(&c->search);
    return c;
}

static inline void finish(checked *c)
{
    mz_search_release(&c->search);
    c->machine->class->destroy(c->machine);
    mz_model_destroy(c->model);
    mz_hash_set_release(&c->traces);
    test_free(c);
}

static inline void assert_verdict(const checked *c, mz_verdict verdict)
{
    if (mz_search_verdict(&c->search) != verdict)
        fail_msg("verdict %d, not %d: %s", mz_search_verdict(&c->search), verdict,
                 mz_text_string(&c->search.reason));
}

static inline void assert_incomplete(checked *c, const char *reason)
{
    assert_verdict(c, MZ_INCOMPLETE);
    assert_contains(mz_text_string(&c->search.reason), reason);
    finish(c);
}

#endif
