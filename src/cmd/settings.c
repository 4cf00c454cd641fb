#include "cmd/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "explore/smt.h"
#include "native/compile.h"

enum { DEFAULT_DEPTH = 100000, DEFAULT_DEPTH_OF_PLANS = 4000000 };

const mz_algorithm *const mz_default_algorithm = &mz_algorithm_optimal;

/* identifier, name, letter, argument, help */
#define OPTIONS(X)                                                                                           \
    X(algorithm, "algorithm", 'a', "NAME[,NAME]",                                                            \
      "how to explore: see 'mazurka algorithms' (default: optimal)")                                         \
    X(define, "define", 'D', "NAME=VALUE", "give a model's parameter a value; define a macro")               \
    X(include, "include", 'I', "DIR", "look for the program's headers there, too")                           \
    X(cc, "cc", 0, "COMPILER", "the program's compiler (default: gcc)")                                      \
    X(cflags, "cflags", 0, "FLAGS", "more options for the compiler")                                         \
    X(ldflags, "ldflags", 0, "FLAGS", "more options for linking")                                            \
    X(allow, "allow", 0, "CALL[,CALL]",                                                                      \
      "call these functions of the library itself, unseen, or pass over assembly (asm)")                     \
    X(entry, "entry", 0, "F[,G]", "run these functions as threads instead of main: for libraries")           \
    X(entry_setup, "entry-setup", 0, "F", "call this function before them")                                  \
    X(entry_finally, "entry-finally", 0, "F", "call this function when they have ended")                     \
    X(check, "check", 0, "KIND[,KIND]|all", "what counts as an error; 'default' is a kind, too: see below")  \
    X(leaks, "leaks", 0, NULL, "memory that nobody can free any more is an error, too")                      \
    X(uninitialised, "uninitialised", 0, NULL, "so is a read of heap memory that was never written")         \
    X(races, "races", 0, "error|report|ignore",                                                              \
      "data races: an error (default), a warning, or neither; what races is then explored")                  \
    X(suppressions, "suppressions", 0, "FILE", "what is known and not to be reported, with reasons")         \
    X(plain_accesses, "plain-accesses", 0, "local|events|unchecked",                                         \
      "those that are not atomic: no scheduling points (default), all are, not even looked at")              \
    X(main_exit, "main-exit", 0, "end|join",                                                                 \
      "return of main ends the program (default), or lets threads end")                                      \
    X(unroll, "unroll", 0, "[FILE:LINE:]K",                                                                  \
      "follow a thread K times through the same operation (of that line), not further")                      \
    X(spurious, "spurious", 0, NULL, "condition waits may return without a signal, once in each thread")     \
    X(patience, "patience", 0, "TIME",                                                                       \
      "a loop that does nothing others notice for so long is endless (default: 3s)")                         \
    X(nondet, "nondet", 0, "LO..HI", "values of __VERIFIER_nondet_int and the like (default: -1..2)")        \
    X(all_errors, "all-errors", 0, NULL, "go on after the first error and report each once")                 \
    X(stateful, "stateful", 0, NULL, "prune states that were visited before (full, dpor)")                   \
    X(sleep, "sleep", 0, NULL, "with sleep sets (dpor)")                                                     \
    X(dependency, "dependency", 0, "access|object",                                                          \
      "what depends: conflicting accesses, or any two on one object (dpor)")                                 \
    X(sections, "sections", 0, "adaptive|all",                                                               \
      "plan a section only if it is the whole program (default), or all (eager)")                            \
    X(lazy, "lazy", 0, "branching|visited",                                                                  \
      "plan up to the first change (default), or remember the calls made (lazy)")                            \
    X(solver, "solver", 0, "linear|smt", "solve constraints by linear extension (default) or Z3 (lazy)")     \
    X(preemptions, "preemptions", 0, "K",                                                                    \
      "only executions with at most K preemptions, first those with 0, then 1, … (bounded)")                 \
    X(depth, "depth", 0, "N", "follow each execution for N events only (full, dpor, source, bounded)")       \
    X(timeout, "timeout", 0, "TIME", "stop after this time: 30s, 5m, 1h")                                    \
    X(max_traces, "max-traces", 0, "N", "stop after N traces")                                               \
    X(max_events, "max-events", 0, "N", "stop after N events altogether")                                    \
    X(max_depth, "max-depth", 0, "N", "stop if one execution has more than N events (default: 100000)")      \
    X(max_memory, "max-memory", 0, "SIZE", "stop when the process is this large: 512M, 4G")                  \
    X(trace, "trace", 0, "FILE|none",                                                                        \
      "where to write the counterexample (default: the program's name with .mzt)")                           \
    X(output, "output", 'o', "FILE", "where to write the plan")                                              \
    X(budget, "budget", 0, "TIME", "verify for so long (default: 10s)")                                      \
    X(traces, "traces", 0, "N", "verify N traces")                                                           \
    X(constraints, "constraints", 0, "K", "verify until at most K constraints are left")                     \
    X(json, "json", 0, NULL, "print the result as JSON on standard output")                                  \
    X(quiet, "quiet", 'q', NULL, "no progress line")                                                         \
    X(help, "help", 'h', NULL, "this text")

MZ_DEFINE_OPTIONS(OPTIONS);

/* What it is good for; the rest would have no effect. */
static bool is_for(mz_purpose purpose, int id)
{
    switch ((enum option_id)id) {
    case OPTION_stateful:
    case OPTION_preemptions:
    case OPTION_depth:
    case OPTION_all_errors:
        return purpose == MZ_TO_CHECK;
    case OPTION_max_traces:
        return purpose == MZ_TO_CHECK;
    case OPTION_max_events:
    case OPTION_trace:
    case OPTION_quiet:
        return purpose != MZ_TO_ESTIMATE;
    case OPTION_sleep:
    case OPTION_dependency:
    case OPTION_sections:
    case OPTION_lazy:
    case OPTION_solver:
    case OPTION_timeout:
    case OPTION_spurious:
    case OPTION_entry:
    case OPTION_entry_setup:
    case OPTION_entry_finally:
        return purpose != MZ_TO_PLAN;
    case OPTION_output:
    case OPTION_budget:
    case OPTION_traces:
    case OPTION_constraints:
        return purpose == MZ_TO_PLAN;
    default:
        return true;
    }
}

/* Where an option means something else than in a check. */
static const char *other_help(mz_purpose purpose, int id)
{
    if (purpose == MZ_TO_ESTIMATE && id == OPTION_algorithm)
        return "which ones (default: all that explore traces)";
    if (purpose == MZ_TO_ESTIMATE && id == OPTION_timeout)
        return "how long to try: 500ms, 10s (default: 2s)";
    if (purpose == MZ_TO_PLAN && id == OPTION_algorithm)
        return "source: there is no other one for this";
    if (purpose == MZ_TO_PLAN && id == OPTION_max_depth)
        return "stop if one execution has more than N events (default: 4000000)";
    if (purpose == MZ_TO_PLAN && id == OPTION_check)
        return "what counts as an error (default: all but data races)";
    return NULL;
}

static size_t options_for(mz_purpose purpose, mz_option *options)
{
    size_t count = 0;
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!is_for(purpose, id))
            continue;
        options[count] = option_table[id];
        if (other_help(purpose, id))
            options[count].help = other_help(purpose, id);
        count++;
    }
    return count;
}

static const char plan_note[] =
    "usage: mazurka plan [options] FILE.c … -o PLAN.mzs [-- arguments of the program]\n\n"
    "Verifies schedules of a program for a while and writes down which of them are safe: a plan, within "
    "which\n"
    "'mazurka run --plan=PLAN.mzs' keeps the program. The more is verified, the fewer constraints are left. "
    "Data\n"
    "races are no errors here: what races is kept in a verified order.\n\n"
    "options:\n";

static const char estimate_note[] =
    "usage: mazurka estimate [options] FILE.c … [-- arguments of the program]\n"
    "       mazurka estimate [options] FILE.dlang …\n\n"
    "Says how many traces and executions 'mazurka check' would explore with each algorithm, and for how\n"
    "long. Small explorations are done to their end, and then the numbers are exact; others are sampled.\n\n"
    "options:\n";

static const char options_note[] =
    "usage: mazurka check [options] FILE.c … [-- arguments of the program]\n"
    "       mazurka check [options] FILE.dlang …\n\n"
    "Explores every interleaving that matters of a program in C or C++ with pthreads (sources, objects and\n"
    "archives made with 'mazurka cc'), or of each model in dlang (doc/dlang.md), and says whether it is "
    "safe,\n"
    "or shows how it fails.\n\noptions:\n";

static void add_check_examples(mz_text *out)
{
    mz_text_add(out,
                "\nexamples:\n"
                "  mazurka check queue.c test.c -Iinclude -DN=3 --cflags='-std=c11 -O2'\n"
                "  mazurka check bench/models/bank.dlang\n"
                "  mazurka check bench/models/ring.dlang -DN=12 --json\n"
                "  mazurka check -a full,source bench/models/last_zero.dlang -DN=4\n"
                "  mazurka check --check=deadlocks --timeout=60s bench/models/dining.dlang\n\n"
                "exit codes: 0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete (a limit was\n"
                "reached), 4 internal error; with several checks the gravest: 1 before 3 before 0\n");
}

void mz_settings_help(mz_purpose purpose, mz_text *out)
{
    mz_option options[OPTION_COUNT];
    mz_text_add(out, "%s",
                purpose == MZ_TO_ESTIMATE ? estimate_note
                : purpose == MZ_TO_PLAN   ? plan_note
                                          : options_note);
    mz_options_help(options, options_for(purpose, options), out);
    mz_text_add(out, "\nkinds of errors for --check:\n");
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        mz_text_add(out, "  %-13s %s\n", mz_failure_check_name((mz_failure_kind)kind),
                    mz_failure_description((mz_failure_kind)kind));
    if (purpose == MZ_TO_ESTIMATE)
        mz_text_add(out, "\nexample:\n"
                         "  mazurka estimate bench/models/ring.dlang -DN=25\n\n"
                         "exit codes: 0 done, 2 wrong usage or input, 4 internal error\n");
    else if (purpose == MZ_TO_PLAN)
        mz_text_add(
            out, "\nexample:\n"
                 "  mazurka plan bank.c -o bank.mzs --budget=30s\n\n"
                 "exit codes: 0 a plan was written, 1 every execution fails, 2 wrong usage or input, 3 no\n"
                 "plan that could be enforced was found within the limits, 4 internal error\n");
    else
        add_check_examples(out);
}

/* Call `each` for every part of a list a,b,c. */
static void for_each_part(const char *list, void (*each)(mz_settings *, const char *, mz_error *),
                          mz_settings *s, mz_error *error)
{
    while (!error->set) {
        size_t length = strcspn(list, ",");
        char *part = mz_copy_bytes(list, length);
        each(s, part, error);
        mz_release(part);
        if (!list[length])
            break;
        list += length + 1;
    }
}

static void use_algorithm(mz_settings *s, const mz_algorithm *algorithm)
{
    s->algorithms =
        mz_grow(s->algorithms, &s->algorithm_capacity, s->algorithm_count + 1, sizeof *s->algorithms);
    s->algorithms[s->algorithm_count++] = algorithm;
}

static void add_algorithm(mz_settings *s, const char *name, mz_error *error)
{
    const mz_algorithm *algorithm = mz_find_algorithm(name);
    if (algorithm) {
        use_algorithm(s, algorithm);
        return;
    }
    mz_error_set(error, (mz_position){0}, "option -a: unknown algorithm '%s'", name);
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        mz_text_add(&names, "%s%s", i ? ", " : "", mz_algorithms[i]->name);
    mz_error_set_hint(error, "there are: %s", mz_text_string(&names));
    mz_text_release(&names);
}

void mz_settings_add_check(mz_settings *s, const char *name, mz_error *error)
{
    if (strcmp(name, "all") == 0 || strcmp(name, "default") == 0) {
        s->search.checks |= name[0] == 'a' ? MZ_FAILURES_ALL : MZ_FAILURES_DEFAULT;
        return;
    }
    mz_text names = {0};
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++) {
        const char *check = mz_failure_check_name((mz_failure_kind)kind);
        if (strcmp(name, check) == 0)
            s->search.checks |= 1u << kind;
        mz_text_add(&names, "%s, ", check);
        if (strcmp(name, check) == 0) {
            mz_text_release(&names);
            return;
        }
    }
    mz_error_set(error, (mz_position){0}, "option --check: unknown kind '%s'", name);
    mz_error_set_hint(error, "there are: %sdefault, all", mz_text_string(&names));
    mz_text_release(&names);
}

void mz_words_add(mz_words *words, const char *word)
{
    words->words = mz_grow(words->words, &words->capacity, words->count + 1, sizeof *words->words);
    words->words[words->count++] = mz_copy_string(word);
}

static void add_prefixed(mz_words *words, const char *prefix, const char *word)
{
    mz_text text = {0};
    mz_text_add(&text, "%s%s", prefix, word);
    mz_words_add(words, mz_text_string(&text));
    mz_text_release(&text);
}

static void add_flags(mz_words *words, const char *option, const char *text, mz_error *error)
{
    char **parts;
    size_t count;
    if (!mz_split_words(text, &parts, &count)) {
        mz_error_set(error, (mz_position){0}, "option --%s: a quote is not closed", option);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        mz_words_add(words, parts[i]);
        mz_release(parts[i]);
    }
    mz_release(parts);
}

void mz_words_release(mz_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        mz_release((char *)(uintptr_t)words->words[i]);
    mz_release(words->words);
}

void mz_settings_set_plain_accesses(mz_settings *s, const char *way, mz_error *error)
{
    static const char *const names[] = {
#define MZ_X(constant, name) name,
        MZ_PLAIN_ACCESSES(MZ_X)
#undef MZ_X
    };
    int i = 0;
    while (i < MZ_PLAIN_WAYS && strcmp(names[i], way) != 0)
        i++;
    if (i < MZ_PLAIN_WAYS) {
        s->plain_accesses = (mz_plain_accesses)i;
        return;
    }
    mz_error_set(error, (mz_position){0}, "option --plain-accesses: unknown '%s'", way);
    mz_error_set_hint(error, "there are: local, events, unchecked");
}

void mz_settings_set_nondet(mz_settings *s, const char *text, mz_error *error)
{
    long long low = 0, high = 0;
    char rest;
    if (sscanf(text, "%lld..%lld%c", &low, &high, &rest) != 2 || low > high) {
        mz_error_set(error, (mz_position){0}, "option --nondet: '%s' is not LO..HI", text);
        mz_error_set_hint(error, "for example --nondet=-1..2");
    }
    s->nondet_low = low;
    s->nondet_high = high;
}

void mz_settings_add_entry(mz_settings *s, const char *name, mz_error *error)
{
    enum { MOST = 60 }; /* threads, and there may be more in them */
    if (!*name || s->entries.count == MOST)
        mz_error_set(error, (mz_position){0}, "option --entry: %s",
                     *name ? "these are too many functions" : "a function has no name");
    else
        mz_words_add(&s->entries, name);
}

/* K, or FILE:LINE:K. */
void mz_settings_add_unroll(mz_settings *s, const char *text, mz_error *error)
{
    const char *last = strrchr(text, ':');
    uint64_t count = 0;
    if (!mz_parse_count("unroll", last ? last + 1 : text, &count, error))
        return;
    uint32_t most = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    if (!last) {
        s->unroll = most;
        return;
    }
    char *place = mz_copy_bytes(text, (size_t)(last - text)), *colon = strrchr(place, ':');
    char *end = colon;
    unsigned long line = colon && colon[1] >= '0' && colon[1] <= '9' ? strtoul(colon + 1, &end, 10) : 0;
    if (!colon || colon == place || *end || line == 0 || line > UINT32_MAX) {
        mz_error_set(error, (mz_position){0}, "option --unroll: '%s' is not FILE:LINE:K", text);
        mz_error_set_hint(error, "for example --unroll=queue.c:42:3");
        mz_release(place);
        return;
    }
    *colon = '\0';
    s->unroll_places = mz_grow(s->unroll_places, &s->unroll_place_capacity, s->unroll_place_count + 1,
                               sizeof *s->unroll_places);
    s->unroll_places[s->unroll_place_count++] = (mz_unroll_place){place, (uint32_t)line, most};
}

/* For models: NAME=NUMBER. */
void mz_settings_define(mz_settings *s, const char *text, mz_error *error)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    errno = 0;
    long long value = equals ? strtoll(equals + 1, &end, 10) : 0;
    if (!equals || equals == text || end == equals + 1 || *end || errno) {
        mz_error_set(error, (mz_position){0}, "option -D: '%s' is not NAME=NUMBER", text);
        mz_error_set_hint(error, "for example -DN=12");
        return;
    }
    s->definitions =
        mz_grow(s->definitions, &s->definition_capacity, s->definition_count + 1, sizeof *s->definitions);
    s->definitions[s->definition_count++] =
        (mz_definition){.name = mz_copy_bytes(text, (size_t)(equals - text)), .value = value};
}

static void add_allowed(mz_settings *s, const char *name, mz_error *error)
{
    if (mz_is_modelled(name)) {
        mz_error_set(error, (mz_position){0}, "option --allow: '%s' is checked anyway", name);
        mz_error_set_hint(error, "--allow is for functions that a program is refused for");
    } else if (!*name) {
        mz_error_set(error, (mz_position){0}, "option --allow: there is no name");
        mz_error_set_hint(error, "for example --allow=fork,asm");
    } else {
        mz_words_add(&s->allowed, name);
    }
}

static void set_solver(mz_settings *s, const char *name, mz_error *error)
{
    s->search.smt = strcmp(name, "smt") == 0;
    if (strcmp(name, "linear") != 0 && !s->search.smt) {
        mz_error_set(error, (mz_position){0}, "option --solver: unknown solver '%s'", name);
        mz_error_set_hint(error, "there are: linear, smt");
    } else if (s->search.smt && !mz_smt_is_available()) {
        mz_error_set(error, (mz_position){0}, "option --solver=smt: Z3 is not there");
        mz_error_set_hint(error, "install libz3-dev and build again, or use --solver=linear");
    }
}

static void apply_option(mz_settings *s, int id, const char *value, mz_error *error)
{
    mz_limits *limits = &s->search.limits;
    switch ((enum option_id)id) {
    case OPTION_algorithm:
        for_each_part(value, add_algorithm, s, error);
        break;
    case OPTION_define:
        add_prefixed(&s->compile_flags, "-D", value);
        break;
    case OPTION_include:
        add_prefixed(&s->compile_flags, "-I", value);
        break;
    case OPTION_cc:
        s->compiler = value;
        break;
    case OPTION_cflags:
        add_flags(&s->compile_flags, "cflags", value, error);
        break;
    case OPTION_ldflags:
        add_flags(&s->link_flags, "ldflags", value, error);
        break;
    case OPTION_allow:
        for_each_part(value, add_allowed, s, error);
        break;
    case OPTION_races:
        s->races = value;
        if (strcmp(value, "error") != 0 && strcmp(value, "report") != 0 && strcmp(value, "ignore") != 0) {
            mz_error_set(error, (mz_position){0}, "option --races: unknown '%s'", value);
            mz_error_set_hint(error, "there are: error, report, ignore");
        }
        break;
    case OPTION_suppressions:
        s->suppressions.file = value;
        break;
    case OPTION_plain_accesses:
        mz_settings_set_plain_accesses(s, value, error);
        break;
    case OPTION_entry:
        for_each_part(value, mz_settings_add_entry, s, error);
        break;
    case OPTION_entry_setup:
        s->entry_setup = value;
        break;
    case OPTION_entry_finally:
        s->entry_finally = value;
        break;
    case OPTION_main_exit:
        s->join_at_exit = strcmp(value, "join") == 0;
        if (!s->join_at_exit && strcmp(value, "end") != 0) {
            mz_error_set(error, (mz_position){0}, "option --main-exit: unknown '%s'", value);
            mz_error_set_hint(error, "there are: end, join");
        }
        break;
    case OPTION_unroll:
        mz_settings_add_unroll(s, value, error);
        break;
    case OPTION_spurious:
        s->spurious = true;
        break;
    case OPTION_patience:
        mz_parse_duration("patience", value, &s->patience, error);
        break;
    case OPTION_nondet:
        mz_settings_set_nondet(s, value, error);
        break;
    case OPTION_check:
        for_each_part(value, mz_settings_add_check, s, error);
        break;
    case OPTION_leaks:
        s->more_checks |= 1u << MZ_FAIL_LEAK;
        break;
    case OPTION_uninitialised:
        s->more_checks |= 1u << MZ_FAIL_UNINITIALISED;
        break;
    case OPTION_all_errors:
        s->search.all_errors = true;
        break;
    case OPTION_stateful:
        s->search.stateful = true;
        break;
    case OPTION_sleep:
        s->search.sleep_sets = true;
        break;
    case OPTION_dependency:
        s->search.object_dependency = strcmp(value, "object") == 0;
        if (strcmp(value, "access") != 0 && strcmp(value, "object") != 0) {
            mz_error_set(error, (mz_position){0}, "option --dependency: unknown relation '%s'", value);
            mz_error_set_hint(error, "there are: access, object");
        }
        break;
    case OPTION_sections:
        s->search.all_sections = strcmp(value, "all") == 0;
        if (strcmp(value, "adaptive") != 0 && !s->search.all_sections) {
            mz_error_set(error, (mz_position){0}, "option --sections: unknown way '%s'", value);
            mz_error_set_hint(error, "there are: adaptive, all");
        }
        break;
    case OPTION_lazy:
        s->search.visited_calls = strcmp(value, "visited") == 0;
        if (strcmp(value, "branching") != 0 && !s->search.visited_calls) {
            mz_error_set(error, (mz_position){0}, "option --lazy: unknown way '%s'", value);
            mz_error_set_hint(error, "there are: branching, visited");
        }
        break;
    case OPTION_solver:
        set_solver(s, value, error);
        break;
    case OPTION_preemptions:
        s->search.bounds_preemptions = true;
        mz_parse_small("preemptions", value, &s->search.preemptions, error);
        break;
    case OPTION_depth:
        mz_parse_count("depth", value, &s->search.depth, error);
        break;
    case OPTION_timeout:
        mz_parse_duration("timeout", value, &limits->seconds, error);
        break;
    case OPTION_max_traces:
        mz_parse_count("max-traces", value, &limits->traces, error);
        break;
    case OPTION_max_events:
        mz_parse_count("max-events", value, &limits->events, error);
        break;
    case OPTION_max_depth:
        mz_parse_count("max-depth", value, &limits->depth, error);
        break;
    case OPTION_max_memory:
        mz_parse_size("max-memory", value, &limits->memory, error);
        break;
    case OPTION_trace:
        s->trace = value;
        break;
    case OPTION_output:
        s->output = value;
        break;
    case OPTION_budget:
        mz_parse_duration("budget", value, &limits->seconds, error);
        break;
    case OPTION_traces:
        mz_parse_count("traces", value, &limits->traces, error);
        break;
    case OPTION_constraints:
        s->has_constraints = true;
        if (strcmp(value, "0") != 0)
            mz_parse_count("constraints", value, &s->constraints, error);
        break;
    case OPTION_json:
        s->json = true;
        break;
    case OPTION_quiet:
        s->quiet = true;
        break;
    case OPTION_help:
        s->help = true;
        break;
    case OPTION_COUNT:
        break;
    }
}

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
                          : s->patience > 0         ? "--patience"
                          : s->join_at_exit         ? "--main-exit"
                          : s->more_checks          ? "--leaks or --uninitialised"
                          : s->races                ? "--races"
                          : s->suppressions.file    ? "--suppressions"
                          : s->plain_accesses       ? "--plain-accesses"
                          : s->arguments.count > 0  ? "--"
                                                    : NULL;
    for (size_t i = 0; !s->native && i < s->compile_flags.count; i++)
        if (strncmp(s->compile_flags.words[i], "-D", 2) != 0)
            foreign = strncmp(s->compile_flags.words[i], "-I", 2) == 0 ? "-I" : "--cflags";
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
    if (purpose == MZ_TO_CHECK)
        use_algorithm(s, s->search.bounds_preemptions ? &mz_algorithm_bounded
                         : s->search.depth > 0        ? &mz_algorithm_source
                                                      : mz_default_algorithm);
    if (purpose == MZ_TO_PLAN)
        use_algorithm(s, &mz_algorithm_source);
    for (size_t i = 0; purpose == MZ_TO_ESTIMATE && i < mz_algorithm_count; i++)
        if (mz_algorithms[i]->equivalence == MZ_MAZURKIEWICZ && mz_algorithms[i] != &mz_algorithm_bounded)
            use_algorithm(s, mz_algorithms[i]);
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

static void check_settings(mz_settings *s, mz_purpose purpose, mz_error *error)
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
        if (strncmp(s->compile_flags.words[i], "-D", 2) == 0)
            mz_settings_define(s, s->compile_flags.words[i] + 2, error);
}

void mz_settings_init(mz_settings *s)
{
    *s = (mz_settings){.nondet_low = -1, .nondet_high = 2};
    s->search.limits.depth = DEFAULT_DEPTH;
}

void mz_settings_parse(mz_settings *s, mz_purpose purpose, int argc, char **argv, mz_error *error)
{
    mz_option options[OPTION_COUNT];
    mz_settings_init(s);
    if (purpose == MZ_TO_PLAN) /* one execution is worth something */
        s->search.limits.depth = DEFAULT_DEPTH_OF_PLANS;
    mz_option_parser parser = {
        .options = options, .count = options_for(purpose, options), .argc = argc, .argv = argv, .next = 1};
    for (int id; !error->set && (id = mz_options_next(&parser, error)) != MZ_OPTION_END;) {
        if (id == MZ_OPTION_WORD && parser.only_words) {
            mz_words_add(&s->arguments, parser.word);
        } else if (id == MZ_OPTION_WORD) {
            s->files = mz_grow(s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files);
            s->files[s->file_count++] = parser.word;
        } else if (id >= 0) {
            apply_option(s, id, parser.value, error);
        }
    }
    if (!error->set && !s->help)
        check_settings(s, purpose, error);
}

void mz_settings_release(mz_settings *s)
{
    for (size_t i = 0; i < s->definition_count; i++)
        mz_release((char *)(uintptr_t)s->definitions[i].name);
    mz_release(s->definitions);
    for (size_t i = 0; i < s->unroll_place_count; i++)
        mz_release((char *)(uintptr_t)s->unroll_places[i].file);
    mz_release(s->unroll_places);
    mz_words_release(&s->compile_flags);
    mz_words_release(&s->link_flags);
    mz_words_release(&s->arguments);
    mz_words_release(&s->allowed);
    mz_suppressions_release(&s->suppressions);
    mz_words_release(&s->entries);
    mz_release(s->algorithms);
    mz_release(s->files);
}
