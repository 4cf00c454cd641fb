/* What the parts of a request mean together, and which do not go together. */
#include <string.h>

#include "cmd/request/request.h"
#include "session/settings/environment.h"

enum { SECONDS_OF_FUZZ = 30 };

static bool is_model(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".dlang") == 0 || strcmp(dot, ".d") == 0);
}

static void refuse_for_models(const char *option, mz_error *error)
{
    mz_error_set(error, (mz_position){0}, "option %s is for programs in C or C++, not for models", option);
}

/* Every option is for what is to be done. Is it also for what that is done to? */
static void check_subject(const mz_settings *s, const mz_command_line *line, mz_error *error)
{
    for (size_t i = 0; i < line->count; i++) {
        const mz_option *option = line->offers[i].option;
        if (s->native || !line->offers[i].given || !(option->audience & MZ_NOT_FOR_MODELS))
            continue;
        mz_text name = {0};
        mz_text_add(&name, option->letter ? "-%c" : "--", option->letter);
        mz_text_add(&name, "%s", option->letter ? "" : option->name);
        refuse_for_models(mz_text_string(&name), error);
        mz_text_release(&name);
    }
    for (size_t i = 0; !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.items[i], "-D", 2) != 0)
            refuse_for_models("--cflags", error);
    if (!s->native && s->link_flags.count > 0)
        refuse_for_models("--ldflags", error);
    if (!s->native && s->arguments.count > 0)
        refuse_for_models("--", error);
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
}

/* ---- algorithms -----------------------------------------------------------------------------------------
 */

static bool is_of_algorithms(const mz_option *option)
{
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (mz_algorithm_takes(mz_algorithms[i], option))
            return true;
    return false;
}

static bool takes_all(const mz_algorithm *algorithm, const mz_command_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        const mz_option *option = line->offers[i].option;
        if (line->offers[i].given && is_of_algorithms(option) && !mz_algorithm_takes(algorithm, option))
            return false;
    }
    return true;
}

/* An option may ask for an algorithm; if several do, rather for one that takes them all. */
static const mz_algorithm *chosen_by_options(const mz_command_line *line)
{
    const mz_algorithm *chosen = NULL;
    for (size_t i = 0; i < mz_algorithm_count; i++) {
        const mz_algorithm *a = mz_algorithms[i];
        if (a->chosen_by && mz_options_given(line, a->chosen_by) && (!chosen || takes_all(a, line)))
            chosen = a;
    }
    return chosen ? chosen : mz_default_algorithm;
}

/* Without -a: check has a favourite, an estimate compares what does the same work. */
static void use_default_algorithms(mz_request *request, const mz_command_line *line)
{
    mz_settings *s = &request->plan.check;
    s->algorithm_is_default = true;
    if (request->purpose == MZ_FOR_CHECK)
        mz_settings_use_algorithm(s, chosen_by_options(line));
    else if (request->purpose == MZ_FOR_FUZZ)
        mz_settings_use_algorithm(s, mz_sampling_algorithm);
    else if (request->purpose != MZ_FOR_ESTIMATE)
        mz_settings_use_algorithm(s, mz_plan_algorithm);
    for (size_t i = 0; request->purpose == MZ_FOR_ESTIMATE && i < mz_algorithm_count; i++) {
        const mz_algorithm *a = mz_algorithms[i];
        if (a->equivalence == MZ_MAZURKIEWICZ && !a->in_levels && !a->samples)
            mz_settings_use_algorithm(s, a);
    }
}

/* "a, b", each between `before` and `after`. */
static void add_takers(const mz_option *option, const char *before, const char *after, mz_text *out)
{
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (mz_algorithm_takes(mz_algorithms[i], option))
            mz_text_add(out, "%s%s%s%s", out->length ? ", " : "", before, mz_algorithms[i]->name, after);
}

static void refuse_algorithm(const mz_algorithm *algorithm, const mz_option *option, mz_error *error)
{
    mz_text after = {0}, hint = {0};
    mz_text_add(&after, " --%s%s%s", option->name, option->argument ? "=" : "",
                option->argument ? option->argument : "");
    add_takers(option, "-a ", mz_text_string(&after), &hint);
    mz_error_set(error, (mz_position){0}, "option --%s does not go with the algorithm '%s'", option->name,
                 algorithm->name);
    mz_error_set_hint(error, "%s", mz_text_string(&hint));
    mz_text_release(&after);
    mz_text_release(&hint);
}

/* An option of one algorithm without that algorithm is a mistake. */
static void refuse_all(const mz_option *option, uint32_t purpose, mz_error *error)
{
    mz_text names = {0}, hint = {0};
    add_takers(option, "", "", &names);
    add_takers(option, purpose == MZ_FOR_FUZZ ? "--strategy=" : "add -a ", "", &hint);
    mz_error_set(error, (mz_position){0}, "option --%s goes with the algorithm%s %s only", option->name,
                 strchr(mz_text_string(&names), ',') ? "s" : "", mz_text_string(&names));
    mz_error_set_hint(error, "%s", mz_text_string(&hint));
    mz_text_release(&names);
    mz_text_release(&hint);
}

static void check_algorithms(const mz_settings *s, const mz_command_line *line, uint32_t purpose,
                             mz_error *error)
{
    for (size_t i = 0; i < line->count; i++) {
        const mz_option *option = line->offers[i].option;
        size_t takers = 0;
        if (!line->offers[i].given || !is_of_algorithms(option))
            continue;
        for (size_t a = 0; a < s->algorithm_count; a++) {
            bool takes = mz_algorithm_takes(s->algorithms[a], option);
            takers += takes;
            if (!takes && option->audience & MZ_FOR_EVERY_ALGORITHM)
                refuse_algorithm(s->algorithms[a], option, error);
        }
        if (takers == 0)
            refuse_all(option, purpose, error);
    }
}

/* Models under TSO have store buffers, which are threads to the algorithms: a read does not read what was
 * written last to its location. */
static void choose_by_buffers(const mz_settings *s, mz_error *error)
{
    for (size_t i = 0; i < s->algorithm_count; i++)
        if (s->algorithms[i]->reads_the_last) {
            mz_error_set(error, (mz_position){0}, "option --memory=tso does not go with the algorithm '%s'",
                         s->algorithms[i]->name);
            mz_error_set_hint(error, "leave out -a, or say --memory=sc");
        }
}

/* Of programs, other models than sequential consistency are explored by one algorithm. */
static void choose_by_memory(mz_settings *s, uint32_t purpose, mz_error *error)
{
    mz_memory memory = s->search.memory;
    if (memory != MZ_MEMORY_TSO && memory != MZ_MEMORY_RC11)
        return;
    uint32_t explores = MZ_FOR_CHECK | MZ_FOR_ESTIMATE | MZ_FOR_FUZZ;
    if (!s->native && memory == MZ_MEMORY_TSO && (purpose & explores)) {
        choose_by_buffers(s, error);
        return;
    }
    if (!(purpose & explores) || !s->native) {
        mz_error_set(error, (mz_position){0}, "option --memory=%s is for checks of C programs",
                     mz_memory_name(memory));
        if (!s->native && memory == MZ_MEMORY_RC11)
            mz_error_set_hint(error, "a model has no memory orders: it knows sc and tso");
        return;
    }
    if (s->algorithm_is_default && purpose != MZ_FOR_FUZZ &&
        (purpose == MZ_FOR_ESTIMATE || s->algorithms[0] == mz_default_algorithm)) {
        s->algorithms[0] = &mz_algorithm_graph;
        s->algorithm_count = 1;
    }
    for (size_t i = 0; i < s->algorithm_count; i++)
        if (!s->algorithms[i]->weak_memory && !s->algorithms[i]->grows_graphs) {
            mz_error_set(error, (mz_position){0}, "option --memory=%s does not go with the algorithm '%s'",
                         mz_memory_name(memory), s->algorithms[i]->name);
            mz_error_set_hint(error, "leave out %s, or say --memory=sc",
                              purpose == MZ_FOR_FUZZ ? "--strategy" : "-a");
        }
}

/* What one graph stands for is known for what the models speak of only. */
static void check_weak_memory(const mz_settings *s, mz_error *error)
{
    const char *option = mz_settings_against_weak_memory(s);
    if (error->set || !s->native || !mz_settings_weak_memory(s) || !option)
        return;
    mz_error_set(error, (mz_position){0}, "weak memory is not explored with %s", option);
    mz_error_set_hint(error, "leave it out, or say --memory=sc");
}

/* ---- the rest -------------------------------------------------------------------------------------------
 */

enum { SKETCHED = 200 }; /* executions that a page shows as a tree */

/* --races has the last word on what --check says of them. */
static void set_checks(mz_settings *s, const char *races)
{
    if (s->search.checks == 0)
        s->search.checks = s->default_checks;
    if (races) {
        s->report_races = strcmp(races, "report") == 0;
        s->search.checks &= ~(1u << MZ_FAIL_RACE);
        s->search.checks |= strcmp(races, "error") == 0 ? 1u << MZ_FAIL_RACE : 0;
    }
    if (s->plain_accesses == MZ_PLAIN_IS_UNCHECKED)
        s->search.checks &= ~(1u << MZ_FAIL_RACE | 1u << MZ_FAIL_MEMORY);
}

static void refuse_nothing(uint32_t purpose, mz_error *error)
{
    const char *command = purpose == MZ_FOR_ESTIMATE ? "estimate"
                          : purpose == MZ_FOR_CHECK  ? "check"
                          : purpose == MZ_FOR_FUZZ   ? "fuzz"
                                                     : "plan";
    mz_error_set(error, (mz_position){0}, "nothing to check: name a program or a model");
    const char *targets =
        purpose == MZ_FOR_CHECK ? "mazurka init writes a list of targets, mazurka.toml; " : "";
    mz_error_set_hint(error, "mazurka %s FILE.c; %smazurka %s --help says more", command, targets, command);
}

/* For models a definition is a number. */
static void define_parameters(mz_settings *s, mz_error *error)
{
    for (size_t i = 0; !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.items[i], "-D", 2) == 0)
            mz_settings_define(s, s->compile_flags.items[i] + 2, error);
}

void mz_request_complete(mz_request *request, const mz_command_line *line, mz_error *error)
{
    mz_settings *s = &request->plan.check;
    if (s->algorithm_count == 0)
        use_default_algorithms(request, line);
    if (s->fuzzes && s->search.limits.seconds == 0 && s->search.runs == 0)
        s->search.limits.seconds = SECONDS_OF_FUZZ;
    if (request->purpose & (MZ_FOR_CHECK | MZ_FOR_FUZZ) && !mz_options_given(line, "jobs"))
        s->jobs = 0;
    if (s->file_count > 0)
        check_files(s, error);
    if (!error->set && s->file_count > 0)
        check_subject(s, line, error);
    if (error->set)
        return;
    set_checks(s, request->races);
    s->search.sketched = request->outputs.paths[MZ_FORMAT_html] ? SKETCHED : 0;
    if (s->suppressions.file && !mz_suppressions_read(&s->suppressions, s->suppressions.file, error))
        return;
    if (s->environment && !mz_environment_read(&s->world, s->environment, error))
        return;
    choose_by_memory(s, request->purpose, error);
    check_weak_memory(s, error);
    check_algorithms(s, line, request->purpose, error);
    if (s->file_count == 0)
        refuse_nothing(request->purpose, error);
    else
        define_parameters(s, error);
    if (error->set || !(request->purpose & (MZ_FOR_PLAN | MZ_FOR_RUN)))
        return;
    mz_plan_settings_complete(&request->plan, error);
    if (request->purpose == MZ_FOR_RUN) {
        request->plan.minimise = !request->run.keeps_prefix;
        s->run = MZ_RUN_PLAIN;
    }
}
