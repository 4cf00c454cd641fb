#include "safe/verify/plan_settings.h"

#include <string.h>

#include "safe/plan/symbolic.h"

static bool waive(mz_plan_settings *s, const char *kind, size_t length)
{
    for (int k = 0; k < MZ_PREMISE_KIND_COUNT; k++) {
        const char *name = mz_premise_name((mz_premise_kind)k);
        if (strlen(name) == length && memcmp(name, kind, length) == 0) {
            s->waived |= 1u << k;
            return true;
        }
    }
    return false;
}

void mz_plan_settings_waive(mz_plan_settings *s, const char *kinds, mz_error *error)
{
    mz_text hint = {0};
    while (!error->set) {
        size_t length = strcspn(kinds, ",");
        if (!waive(s, kinds, length)) {
            mz_error_set(error, (mz_position){0}, "option --waive: unknown '%.*s'", (int)length, kinds);
            for (int k = 0; k < MZ_PREMISE_KIND_COUNT; k++)
                mz_text_add(&hint, "%s%s", k ? ", " : "there are: ", mz_premise_name((mz_premise_kind)k));
            mz_error_set_hint(error, "%s", mz_text_string(&hint));
        }
        if (!kinds[length])
            break;
        kinds += length + 1;
    }
    mz_text_release(&hint);
}

/* Which can, in words. */
static void refuse_algorithm(const mz_algorithm *algorithm, mz_error *error)
{
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (mz_algorithms[i]->makes_plans)
            mz_text_add(&names, "%s%s", names.length ? " and " : "", mz_algorithms[i]->name);
    mz_error_set(error, (mz_position){0}, "option -a: plans are made with the algorithms %s, not with '%s'",
                 mz_text_string(&names), algorithm->name);
    mz_error_set_hint(error, "what a finished part of the search says about a prefix is known of these only");
    mz_text_release(&names);
}

void mz_plan_settings_complete(mz_plan_settings *settings, mz_error *error)
{
    mz_settings *s = &settings->check;
    const mz_algorithm *algorithm = s->algorithms[0];
    bool chooses = settings->first_trace != MZ_FIRST_AUTO || settings->tune;
    if (!algorithm->makes_plans)
        refuse_algorithm(algorithm, error);
    else if (s->algorithm_count > 1)
        mz_error_set(error, (mz_position){0}, "option -a: a plan is made with one algorithm");
    else if (!algorithm->takes_first_trace && chooses)
        mz_error_set(error, (mz_position){0}, "option --%s: %s begins with a trace of its own",
                     settings->tune ? "tune" : "first-trace", algorithm->name);
    if (!error->set && !s->native)
        mz_error_set(error, (mz_position){.file = s->files[0]},
                     "a model cannot be run: plans are for programs");
    s->search.all_errors = true;
}
