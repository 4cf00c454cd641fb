/* What settings mean together, and which do not go together. */
#include <string.h>

#include "cmd/settings.h"

static bool is_model(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".dlang") == 0 || strcmp(dot, ".d") == 0);
}

/* Models, each checked by itself, or the parts of one program. */
static void check_files(mz_settings *s, mz_error *error)
{
    s->native = !is_model(s->files[0]);
    for (size_t i = 1; i < s->file_count; i++)
        if (is_model(s->files[i]) == s->native) {
            mz_error_set(error, (mz_position){.file = s->files[i]}, "%s is given together with %s",
                         s->native ? "a model" : "a part of a program", s->native ? "a program" : "models");
            mz_error_set_hint(error,
                              "a model in dlang is a file called NAME.dlang; check one thing at a time");
            return;
        }
    const char *foreign = s->native                 ? NULL
                          : s->compiler             ? "--cc"
                          : s->entries.count > 0    ? "--entry"
                          : s->link_flags.count > 0 ? "--ldflags"
                          : s->allowed.count > 0    ? "--allow"
                          : s->unroll > 0           ? "--unroll"
                          : s->unroll_place_count   ? "--unroll"
                          : s->spurious             ? "--spurious"
                          : s->reuses > 0           ? "--heap-reuse"
                          : s->patience > 0         ? "--patience"
                          : s->join_at_exit         ? "--main-exit"
                          : s->more_checks          ? "--leaks or --uninitialised"
                          : s->races                ? "--races"
                          : s->suppressions.file    ? "--suppressions"
                          : s->plain_accesses       ? "--plain-accesses"
                          : s->arguments.count > 0  ? "--"
                                                    : NULL;
    for (size_t i = 0; !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.items[i], "-D", 2) != 0)
            foreign = strncmp(s->compile_flags.items[i], "-I", 2) == 0 ? "-I" : "--cflags";
    if (foreign)
        mz_error_set(error, (mz_position){0}, "option %s is for programs in C or C++, not for models",
                     foreign);
    if (s->native && s->search.stateful)
        mz_error_set(error, (mz_position){0},
                     "option --stateful is for models: a program's states are too many to keep");
}

/* Without -a: check has a favourite, an estimate compares what does the same work. */
static void use_default_algorithms(mz_settings *s, mz_purpose purpose)
{
    s->algorithm_is_default = true;
    if (purpose == MZ_TO_CHECK)
        mz_settings_use_algorithm(s, s->search.bounds_preemptions ? &mz_algorithm_bounded
                                     : s->search.depth > 0        ? &mz_algorithm_source
                                                                  : mz_default_algorithm);
    if (purpose == MZ_TO_PLAN)
        mz_settings_use_algorithm(s, &mz_algorithm_source);
    for (size_t i = 0; purpose == MZ_TO_ESTIMATE && i < mz_algorithm_count; i++)
        if (mz_algorithms[i]->equivalence == MZ_MAZURKIEWICZ && mz_algorithms[i] != &mz_algorithm_bounded)
            mz_settings_use_algorithm(s, mz_algorithms[i]);
}

/* An option of one algorithm without that algorithm is a mistake. */
static void check_option_goes_with(const mz_settings *s, bool given, const char *option,
                                   const mz_algorithm *algorithm, mz_error *error)
{
    for (size_t i = 0; i < s->algorithm_count; i++)
        given &= s->algorithms[i] != algorithm;
    if (!given)
        return;
    mz_error_set(error, (mz_position){0}, "option --%s goes with the algorithm %s only", option,
                 algorithm->name);
    mz_error_set_hint(error, "add -a %s", algorithm->name);
}

/* Has the last word on what --check says of them. */
static void set_races(mz_settings *s)
{
    s->report_races = strcmp(s->races, "report") == 0;
    if (strcmp(s->races, "error") == 0)
        s->search.checks |= 1u << MZ_FAIL_RACE;
    else
        s->search.checks &= ~(1u << MZ_FAIL_RACE);
}

void mz_settings_check(mz_settings *s, mz_purpose purpose, mz_error *error)
{
    if (s->algorithm_count == 0)
        use_default_algorithms(s, purpose);
    if (s->file_count > 0)
        check_files(s, error);
    if (error->set)
        return;
    if (s->search.checks == 0)
        s->search.checks = MZ_FAILURES_DEFAULT & ~(purpose == MZ_TO_PLAN ? 1u << MZ_FAIL_RACE : 0);
    s->search.checks |= s->more_checks;
    if (s->races)
        set_races(s);
    if (s->plain_accesses == MZ_PLAIN_IS_UNCHECKED)
        s->search.checks &= ~(1u << MZ_FAIL_RACE | 1u << MZ_FAIL_MEMORY);
    if (s->suppressions.file && !mz_suppressions_read(&s->suppressions, s->suppressions.file, error))
        return;
    for (size_t i = 0; s->search.stateful && i < s->algorithm_count; i++)
        if (!s->algorithms[i]->can_be_stateful) {
            mz_error_set(error, (mz_position){0}, "option --stateful does not go with the algorithm '%s'",
                         s->algorithms[i]->name);
            mz_error_set_hint(error, "-a full --stateful, -a dpor --stateful");
        }
    for (size_t i = 0; s->search.depth > 0 && i < s->algorithm_count; i++)
        if (!s->algorithms[i]->can_be_cut) {
            mz_error_set(error, (mz_position){0}, "option --depth does not go with the algorithm '%s'",
                         s->algorithms[i]->name);
            mz_error_set_hint(error, "-a source --depth=N, -a bounded --depth=N");
        }
    if (s->search.stateful && s->search.sleep_sets) {
        mz_error_set(error, (mz_position){0}, "options --stateful and --sleep do not go together");
        mz_error_set_hint(error, "what sleeps would have to be part of a state; -a dpor --stateful");
    }
    if ((s->entry_setup || s->entry_finally) && s->entries.count == 0) {
        mz_error_set(error, (mz_position){0}, "option --entry-%s goes with --entry only",
                     s->entry_setup ? "setup" : "finally");
        mz_error_set_hint(error, "for example --entry=push,pop --entry-setup=init");
    }
    const mz_search_options *search = &s->search;
    check_option_goes_with(s, search->visited_calls, "lazy", &mz_algorithm_lazy, error);
    check_option_goes_with(s, search->smt, "solver", &mz_algorithm_lazy, error);
    check_option_goes_with(s, search->sleep_sets, "sleep", &mz_algorithm_dpor, error);
    check_option_goes_with(s, search->object_dependency, "dependency", &mz_algorithm_dpor, error);
    check_option_goes_with(s, search->bounds_preemptions, "preemptions", &mz_algorithm_bounded, error);
    check_option_goes_with(s, search->all_sections, "sections", &mz_algorithm_eager, error);
    if (s->file_count == 0) {
        mz_error_set(error, (mz_position){0}, "nothing to check: name a program or a model");
        const char *command = purpose == MZ_TO_ESTIMATE ? "estimate"
                              : purpose == MZ_TO_PLAN   ? "plan"
                                                        : "check";
        mz_error_set_hint(error, "mazurka %s FILE.c; mazurka %s --help says more", command, command);
        return;
    }
    for (size_t i = 0; !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.items[i], "-D", 2) == 0)
            mz_settings_define(s, s->compile_flags.items[i] + 2, error);
}
