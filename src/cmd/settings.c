#include "cmd/settings.h"

#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "safe/verify/first_trace_choice.h"
#include "safe/plan/symbolic.h"
#include "algo/lazy/smt.h"
#include "program/build/compile.h"

enum { DEFAULT_DEPTH_OF_PLANS = 4000000 };

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
    X(entry, "entry", 0, "F[,G]", "run these functions, or calls 'f(q, 1)', as threads instead of main")     \
    X(entry_setup, "entry-setup", 0, "F", "call this before them; 'q = f(4)' names what it returns")         \
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
    X(heap_reuse, "heap-reuse", 0, "[K]",                                                                    \
      "malloc may return memory that was freed, K times in each thread (default: once)")                     \
    X(patience, "patience", 0, "TIME",                                                                       \
      "a loop that does nothing others notice for so long is endless (default: 3s)")                         \
    X(nondet, "nondet", 0, "LO..HI",                                                                         \
      "values of __VERIFIER_nondet_int and the like (default: -1..2, or more)")                              \
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
    X(boundary_states, "boundary-states", 0, "N",                                                            \
      "stop if there are more states at loop boundaries (default: 4000)")                                    \
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
    X(first_trace, "first-trace", 0, "RULE",                                                                 \
      "how to choose the trace that verification begins with (default: auto): see below")                    \
    X(minimise, "minimise", 0, NULL,                                                                         \
      "leave out every constraint, wherever it stands, without which the rest can be verified")              \
    X(tune, "tune", 0, NULL,                                                                                 \
      "choose it by running the program under some: it runs many times, its output hidden")                  \
    X(overhead, "overhead", 0, "PERCENT",                                                                    \
      "verify until the program is at most so much slower, as found by running it: 10%")                     \
    X(waive, "waive", 0, "KIND[,KIND]",                                                                      \
      "the plan is to hold also where these are others than now: arguments, environment, …: see below")      \
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
    case OPTION_heap_reuse:
    case OPTION_entry:
    case OPTION_entry_setup:
    case OPTION_entry_finally:
        return purpose != MZ_TO_PLAN;
    case OPTION_output:
    case OPTION_budget:
    case OPTION_traces:
    case OPTION_constraints:
    case OPTION_first_trace:
    case OPTION_minimise:
    case OPTION_tune:
    case OPTION_overhead:
    case OPTION_waive:
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
                "  mazurka check queue.c test.c -Iinclude -DN=3 -std=c11 -O2 -lm\n"
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
    if (purpose == MZ_TO_PLAN) {
        mz_first_trace_help(out);
        mz_text_add(out, "\nkinds for --waive:\n");
        for (int kind = 0; kind < MZ_PREMISE_KIND_COUNT; kind++)
            mz_text_add(out, "  %-13s %s\n", mz_premise_name((mz_premise_kind)kind),
                        mz_premise_words((mz_premise_kind)kind));
    }
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
/* Up to the next comma that is in no parentheses and no quotes: push(q, 1),pop(q) are two. */
static size_t part_length(const char *list)
{
    size_t at = 0;
    int depth = 0;
    for (char quote = 0; list[at] && (list[at] != ',' || depth > 0 || quote); at++) {
        if (quote ? list[at] == quote : list[at] == '"' || list[at] == '\'')
            quote = quote ? 0 : list[at];
        else if (!quote)
            depth += strchr("([{", list[at]) ? 1 : strchr(")]}", list[at]) ? -1 : 0;
        if (list[at] == '\\' && list[at + 1])
            at++;
    }
    return at;
}

static void for_each_part(const char *list, void (*each)(mz_settings *, const char *, mz_error *),
                          mz_settings *s, mz_error *error)
{
    while (!error->set) {
        size_t length = part_length(list);
        char *part = mz_copy_bytes(list, length);
        each(s, part, error);
        mz_release(part);
        if (!list[length])
            break;
        list += length + 1;
    }
}

static void add_algorithm(mz_settings *s, const char *name, mz_error *error)
{
    const mz_algorithm *algorithm = mz_find_algorithm(name);
    if (algorithm) {
        mz_settings_use_algorithm(s, algorithm);
        return;
    }
    mz_error_set(error, (mz_position){0}, "option -a: unknown algorithm '%s'", name);
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        mz_text_add(&names, "%s%s", i ? ", " : "", mz_algorithms[i]->name);
    mz_error_set_hint(error, "there are: %s", mz_text_string(&names));
    mz_text_release(&names);
}

static void add_allowed(mz_settings *s, const char *name, mz_error *error)
{
    const char *never = mz_never_allowed(name);
    if (never && !mz_is_modelled(name)) {
        mz_error_set(error, (mz_position){0}, "option --allow: '%s' cannot be let through: %s", name, never);
        mz_error_set_hint(error, "--allow is for functions of libraries that keep to themselves");
    } else if (mz_is_modelled(name)) {
        mz_error_set(error, (mz_position){0}, "option --allow: '%s' is checked anyway", name);
        mz_error_set_hint(error, "--allow is for functions that a program is refused for");
    } else if (!*name) {
        mz_error_set(error, (mz_position){0}, "option --allow: there is no name");
        mz_error_set_hint(error, "for example --allow=crc32,asm");
    } else {
        mz_words_add(&s->allowed, name);
    }
}

/* Which of the words "a, b, c" it is; *error set if it is none of them. */
static int one_of(const char *option, const char *value, const char *words, mz_error *error)
{
    size_t length = strlen(value), word;
    int number = 0;
    for (const char *rest = words; *rest; rest += word + strspn(rest + word, ", "), number++) {
        word = strcspn(rest, ",");
        if (word == length && memcmp(rest, value, word) == 0)
            return number;
    }
    mz_error_set(error, (mz_position){0}, "option --%s: unknown '%s'", option, value);
    mz_error_set_hint(error, "there are: %s", words);
    return 0;
}

static void set_solver(mz_settings *s, const char *name, mz_error *error)
{
    s->search.smt = one_of("solver", name, "linear, smt", error) == 1;
    if (s->search.smt && !mz_smt_is_available()) {
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
        mz_words_add_prefixed(&s->compile_flags, "-D", value);
        break;
    case OPTION_include:
        mz_words_add_prefixed(&s->compile_flags, "-I", value);
        break;
    case OPTION_cc:
        s->compiler = value;
        break;
    case OPTION_cflags:
        mz_words_add_flags(&s->compile_flags, "cflags", value, error);
        break;
    case OPTION_ldflags:
        mz_words_add_flags(&s->link_flags, "ldflags", value, error);
        break;
    case OPTION_allow:
        for_each_part(value, add_allowed, s, error);
        break;
    case OPTION_races:
        s->races = value;
        one_of("races", value, "error, report, ignore", error);
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
        s->join_at_exit = one_of("main-exit", value, "end, join", error) == 1;
        break;
    case OPTION_unroll:
        mz_settings_add_unroll(s, value, error);
        break;
    case OPTION_spurious:
        s->spurious = true;
        break;
    case OPTION_heap_reuse:
        mz_settings_set_reuses(s, value, error);
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
        s->search.object_dependency = one_of("dependency", value, "access, object", error) == 1;
        break;
    case OPTION_sections:
        s->search.all_sections = one_of("sections", value, "adaptive, all", error) == 1;
        break;
    case OPTION_lazy:
        s->search.visited_calls = one_of("lazy", value, "branching, visited", error) == 1;
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
    case OPTION_boundary_states:
        mz_parse_count("boundary-states", value, &s->search.boundary_states, error);
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
    case OPTION_waive:
        mz_settings_waive(s, value, error);
        break;
    case OPTION_first_trace:
        mz_first_trace_parse(value, &s->first_trace, error);
        break;
    case OPTION_minimise:
        s->minimise = true;
        break;
    case OPTION_tune:
        s->tune = true;
        break;
    case OPTION_overhead:
        s->has_overhead = mz_parse_percent("overhead", value, &s->overhead, error);
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

void mz_settings_parse(mz_settings *s, mz_purpose purpose, int argc, char **argv, mz_error *error)
{
    mz_option options[OPTION_COUNT];
    mz_settings_init(s);
    s->search.scouts = purpose == MZ_TO_CHECK;
    if (purpose == MZ_TO_PLAN) /* one execution is worth something */
        s->search.limits.depth = DEFAULT_DEPTH_OF_PLANS;
    mz_option_parser parser = {.options = options,
                               .count = options_for(purpose, options),
                               .argc = argc,
                               .argv = argv,
                               .next = 1,
                               .is_other = mz_is_compiler_option};
    for (int id; !error->set && (id = mz_options_next(&parser, error)) != MZ_OPTION_END;) {
        if (id == MZ_OPTION_WORD && parser.only_words) {
            mz_words_add(&s->arguments, parser.word);
        } else if (id == MZ_OPTION_WORD) {
            s->files = mz_grow(s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files);
            s->files[s->file_count++] = parser.word;
        } else if (id == MZ_OPTION_OTHER) {
            const char *next = parser.next < argc ? argv[parser.next] : NULL;
            parser.next += mz_settings_take_compiler_option(s, parser.word, next, error);
        } else if (id >= 0) {
            apply_option(s, id, parser.value, error);
        }
    }
    if (!error->set && !s->help)
        mz_settings_check(s, purpose, error);
}
