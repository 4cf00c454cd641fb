/* The options of check, fuzz, estimate, plan and run: one row each. Those of single algorithms stand in their
 * files (algo/), and are offered between the others. */
#include <string.h>

#include "base/memory.h"
#include "cmd/request.h"
#include "safe/verify/first_trace_choice.h"
#include "wire/symbolic_format.h"

/* ---- what takes more than storing a value ---------------------------------------------------------------
 */

#define SETTER(name) static void name(void *target, const char *value, mz_error *error)

static mz_settings *check_of(void *target)
{
    return &((mz_request *)target)->plan.check;
}

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

/* Call `each` for every part of a list a,b,c. */
static void for_each_part(const char *list, void (*each)(void *, const char *, mz_error *), void *target,
                          mz_error *error)
{
    while (!error->set) {
        size_t length = part_length(list);
        char *part = mz_copy_bytes(list, length);
        each(target, part, error);
        mz_release(part);
        if (!list[length])
            break;
        list += length + 1;
    }
}

SETTER(add_algorithm)
{
    const mz_algorithm *algorithm = mz_find_algorithm(value);
    if (algorithm) {
        mz_settings_use_algorithm(check_of(target), algorithm);
        return;
    }
    mz_error_set(error, (mz_position){0}, "option -a: unknown algorithm '%s'", value);
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        mz_text_add(&names, "%s%s", i ? ", " : "", mz_algorithms[i]->name);
    mz_error_set_hint(error, "there are: %s", mz_text_string(&names));
    mz_text_release(&names);
}

SETTER(add_algorithms)
{
    for_each_part(value, add_algorithm, target, error);
}

SETTER(accept_bounded)
{
    mz_parse_word("accept", value, "bounded", error);
    check_of(target)->accepts_bounded = true;
}

SETTER(set_strategy)
{
    mz_parse_word("strategy", value, "random|bursts|pct|uniform|coverage|mix", error);
    if (!error->set)
        mz_settings_use_algorithm(check_of(target), mz_find_algorithm(value));
}

SETTER(define)
{
    (void)error;
    mz_words_add_prefixed(&check_of(target)->compile_flags, "-D", value);
}

SETTER(include)
{
    (void)error;
    mz_words_add_prefixed(&check_of(target)->compile_flags, "-I", value);
}

/* As a shell would split it. */
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

SETTER(add_cflags)
{
    add_flags(&check_of(target)->compile_flags, "cflags", value, error);
}

SETTER(add_ldflags)
{
    add_flags(&check_of(target)->link_flags, "ldflags", value, error);
}

SETTER(allow)
{
    const char *never = mz_never_allowed(value);
    if (never && !mz_is_modelled(value)) {
        mz_error_set(error, (mz_position){0}, "option --allow: '%s' cannot be let through: %s", value, never);
        mz_error_set_hint(error, "--allow is for functions of libraries that keep to themselves");
    } else if (mz_is_modelled(value)) {
        mz_error_set(error, (mz_position){0}, "option --allow: '%s' is checked anyway", value);
        mz_error_set_hint(error, "--allow is for functions that a program is refused for");
    } else if (!*value) {
        mz_error_set(error, (mz_position){0}, "option --allow: there is no name");
        mz_error_set_hint(error, "for example --allow=crc32,asm");
    } else {
        mz_words_add(&check_of(target)->allowed, value);
    }
}

SETTER(allow_all)
{
    for_each_part(value, allow, target, error);
}

SETTER(add_entry)
{
    mz_settings_add_entry(check_of(target), value, error);
}

SETTER(add_entries)
{
    for_each_part(value, add_entry, target, error);
}

SETTER(add_check)
{
    mz_settings_add_check(check_of(target), value, error);
}

SETTER(add_checks)
{
    for_each_part(value, add_check, target, error);
}

SETTER(change_relation)
{
    mz_settings_change_relation(check_of(target), value, error);
}

SETTER(set_memory)
{
    mz_parse_word("memory", value, "auto|sc|tso|rc11", error);
    for (int m = 0; m <= MZ_MEMORY_RC11; m++)
        if (strcmp(value, mz_memory_name((mz_memory)m)) == 0)
            check_of(target)->search.memory = (mz_memory)m;
}

SETTER(change_relations)
{
    for_each_part(value, change_relation, target, error);
}

SETTER(set_races)
{
    ((mz_request *)target)->races = value;
    mz_parse_word("races", value, "error|report|ignore", error);
}

SETTER(suppress)
{
    mz_suppressions_add(&check_of(target)->suppressions, value, "--suppress", 0, error);
}

SETTER(set_plain_accesses)
{
    mz_settings_set_plain_accesses(check_of(target), value, error);
}

SETTER(add_unroll)
{
    mz_settings_add_unroll(check_of(target), value, error);
}

SETTER(set_reuses)
{
    mz_settings_set_reuses(check_of(target), value, error);
}

SETTER(set_nondet)
{
    mz_settings_set_nondet(check_of(target), value, error);
}

SETTER(set_constraints)
{
    mz_plan_settings *plan = &((mz_request *)target)->plan;
    plan->has_constraints = true;
    if (strcmp(value, "0") != 0)
        mz_parse_count("constraints", value, &plan->constraints, error);
}

SETTER(set_first_trace)
{
    mz_first_trace_parse(value, &((mz_request *)target)->plan.first_trace, error);
}

SETTER(set_overhead)
{
    mz_plan_settings *plan = &((mz_request *)target)->plan;
    plan->has_overhead = mz_parse_percent("overhead", value, &plan->overhead, error);
}

SETTER(waive)
{
    mz_plan_settings_waive(&((mz_request *)target)->plan, value, error);
}

SETTER(set_on_divergence)
{
    ((mz_request *)target)->run.on_divergence =
        (mz_on_divergence)mz_parse_word("on-divergence", value, MZ_ON_DIVERGENCE_WORDS, error);
}

SETTER(set_quarantine)
{
    mz_run_request *request = &((mz_request *)target)->run;
    request->has_quarantine =
        strcmp(value, "0") == 0 || mz_parse_size("quarantine", value, &request->quarantine, error);
}

SETTER(add_input)
{
    mz_run_request *request = &((mz_request *)target)->run;
    const char *equals = strchr(value, '=');
    if (strcmp(value, "random") == 0) {
        request->inputs = MZ_INPUTS_AT_RANDOM;
    } else if (strcmp(value, "all") == 0) {
        request->inputs = MZ_INPUTS_ALL;
    } else if (equals && mz_is_input_name(value, (uint64_t)(equals - value))) {
        mz_words_add(&request->given, value);
    } else {
        mz_error_set(error, (mz_position){0}, "option --inputs: unknown '%s'", value);
        mz_error_set_hint(error, "there are: random, all, NAME=VALUE");
    }
}

SETTER(add_inputs)
{
    for_each_part(value, add_input, target, error);
}

#define MZ_X(name, help, write)                                                                              \
    SETTER(use_##name)                                                                                       \
    {                                                                                                        \
        mz_outputs_ask(&((mz_request *)target)->outputs, MZ_FORMAT_##name, value, error);                    \
    }
MZ_FORMATS(MZ_X)
#undef MZ_X

/* ---- the rows -------------------------------------------------------------------------------------------
 */

enum {
    CHECK = MZ_FOR_CHECK,
    FUZZ = MZ_FOR_FUZZ,
    ESTIMATE = MZ_FOR_ESTIMATE,
    PLANS = MZ_FOR_PLAN | MZ_FOR_RUN,
    RUN = MZ_FOR_RUN,
    SEARCHES = CHECK | FUZZ | ESTIMATE,
    ALL = SEARCHES | PLANS,
    PROGRAMS = MZ_NOT_FOR_MODELS,
};

#define AT(field)            offsetof(mz_request, field)
#define IN(type_, field)     .type = MZ_OPTION_##type_, .at = AT(field)
#define CHECKS(type_, field) IN(type_, plan.check.field)
#define LIMITS(type_, field) IN(type_, plan.check.search.limits.field)

/* Name, letter, argument, help; for whom; what it sets. */
static const mz_option before_algorithms[] = {
    {"algorithm", 'a', "NAME[,NAME]", "how to explore: see 'mazurka algorithms' (default: {default})", CHECK,
     .set = add_algorithms},
    {"algorithm", 'a', "NAME[,NAME]", "which ones (default: all that explore traces)", ESTIMATE,
     .set = add_algorithms},
    {"algorithm", 'a', "NAME", "one that makes plans: {plans}", PLANS, .set = add_algorithms},
    {"strategy", 0, "random|bursts|pct|uniform|coverage|mix", "how to sample (default: mix, all in turn)",
     FUZZ, .set = set_strategy},
    {"define", 'D', "NAME=VALUE", "give a model's parameter a value; define a macro", ALL, .set = define},
    {"include", 'I', "DIR", "look for the program's headers there, too", ALL | PROGRAMS, .set = include},
    {"cc", 0, "COMPILER", "the program's compiler (default: gcc)", ALL | PROGRAMS, CHECKS(TEXT, compiler)},
    {"cflags", 0, "FLAGS", "more options for the compiler", ALL | PROGRAMS, .set = add_cflags},
    {"ldflags", 0, "FLAGS", "more options for linking", ALL | PROGRAMS, .set = add_ldflags},
    {"allow", 0, "CALL[,CALL]",
     "call these functions of the library itself, unchecked, or pass over assembly (asm)", ALL | PROGRAMS,
     .set = allow_all},
    {"entry", 0, "F[,G]", "run these functions, or calls 'f(q, 1)', as threads instead of main",
     SEARCHES | PROGRAMS, .set = add_entries},
    {"entry-setup", 0, "F", "call this before them; 'q = f(4)' names what it returns", SEARCHES | PROGRAMS,
     CHECKS(TEXT, entry_setup), .needs = "entry", .hint = "for example --entry=push,pop --entry-setup=init"},
    {"entry-finally", 0, "F", "call this function when they have ended", SEARCHES | PROGRAMS,
     CHECKS(TEXT, entry_finally), .needs = "entry",
     .hint = "for example --entry=push,pop --entry-setup=init"},
    {"check", 0, "KIND[,KIND]|all", "what counts as an error; 'default' is a kind, too: see below", SEARCHES,
     .set = add_checks},
    {"check", 0, "KIND[,KIND]|all", "what counts as an error (default: all but data races)", PLANS,
     .set = add_checks},
    {"memory", 0, "auto|sc|tso|rc11",
     "the memory model: of models sc or tso, of programs by default rc11 if there are atomics weaker than "
     "seq_cst, else sc",
     SEARCHES, .set = set_memory},
    {"relation", 0, "published|-NAME[,…]",
     "what counts as the same execution: as in the papers, or without a refinement: see below", SEARCHES,
     .set = change_relations},
    {"leaks", .audience = ALL, .type = MZ_OPTION_GONE, .instead = "--check=default,leaks"},
    {"uninitialised", .audience = ALL, .type = MZ_OPTION_GONE, .instead = "--check=default,uninitialised"},
    {"races", 0, "error|report|ignore",
     "data races: an error (default), a warning, or neither; what races is then explored", ALL | PROGRAMS,
     .set = set_races},
    {"suppressions", 0, "FILE", "what is known and not to be reported, with reasons", ALL | PROGRAMS,
     CHECKS(TEXT, suppressions.file)},
    {"suppress", 0, "KIND:PATTERN # REASON", "one of them; may be given several times", ALL | PROGRAMS,
     .set = suppress},
    {"plain-accesses", 0, "local|events|unchecked",
     "those that are not atomic: no scheduling points (default), all are, not even looked at", ALL | PROGRAMS,
     .set = set_plain_accesses},
    {"volatile", 0, "plain|atomic",
     "volatile accesses: as any others (default), or atomic, as the processor has them", SEARCHES | PROGRAMS,
     CHECKS(EITHER, volatile_is_atomic)},
    {"main-exit", 0, "end|join", "return of main ends the program (default), or lets threads end",
     ALL | PROGRAMS, CHECKS(EITHER, join_at_exit)},
    {"unroll", 0, "[FILE:LINE:]K",
     "follow a thread K times through the same operation (of that line), not further", ALL | PROGRAMS,
     .set = add_unroll},
    {"spurious", 0, NULL, "condition waits may return without a signal, once in each thread",
     SEARCHES | PROGRAMS, CHECKS(SWITCH, spurious)},
    {"heap-reuse", 0, "[K]",
     "malloc may return memory that was freed, K times in each thread (default: once)", SEARCHES | PROGRAMS,
     .set = set_reuses},
    {"patience", 0, "TIME", "a loop that does nothing others notice for so long is endless (default: 3s)",
     ALL | PROGRAMS, CHECKS(DURATION, patience)},
    {"nondet", 0, "LO..HI", "values of __VERIFIER_nondet_int and the like (default: -1..2, or more)", ALL,
     .set = set_nondet},
    {"environment", 0, "FILE", "what sockets may answer: a list, or a recording (doc/services.md)",
     ALL | PROGRAMS, CHECKS(TEXT, environment)},
    {"accept", 0, "bounded", "a bound that is explored without an error is a success: exit code 0", CHECK,
     .set = accept_bounded},
    {"all-errors", 0, NULL, "go on after the first error and report each once", CHECK | FUZZ,
     CHECKS(SWITCH, search.all_errors)},
};

static const mz_option after_algorithms[] = {
    {"boundary-states", 0, "N", "stop if there are more states at loop boundaries (default: 4000)", ALL,
     CHECKS(COUNT, search.boundary_states)},
    {"timeout", 0, "TIME", "stop after this time: 30s, 5m, 1h", CHECK, LIMITS(DURATION, seconds)},
    {"timeout", 0, "TIME", "sample for so long: 30s (default), 5m, 1h", FUZZ, LIMITS(DURATION, seconds)},
    {"timeout", 0, "TIME", "how long to try: 500ms, 10s (default: 2s)", ESTIMATE, LIMITS(DURATION, seconds)},
    {"timeout", 0, "TIME", "verify for so long (default: 10s)", PLANS, LIMITS(DURATION, seconds)},
    {"budget", 0, "TIME", .audience = PLANS, .type = MZ_OPTION_GONE, .instead = "--timeout"},
    {"checkpoint", 0, "FILE", "save the search there now and then, to go on with mazurka resume FILE", CHECK,
     CHECKS(TEXT, checkpoint)},
    {"checkpoint-every", 0, "TIME", "how often (default: 60s)", CHECK, CHECKS(DURATION, checkpoint_every)},
    {"jobs", 'j', "N", "search with N processes (default: as many as there are processors)", CHECK | FUZZ,
     CHECKS(SMALL, jobs)},
    {"max-traces", 0, "N", "stop after N traces", CHECK, LIMITS(COUNT, traces)},
    {"max-traces", 0, "N", "verify N traces", PLANS, LIMITS(COUNT, traces)},
    {"traces", 0, "N", .audience = PLANS, .type = MZ_OPTION_GONE, .instead = "--max-traces"},
    {"max-events", 0, "N", "stop after N events altogether", CHECK | FUZZ | PLANS, LIMITS(COUNT, events)},
    {"max-depth", 0, "N", "stop if one execution has more than N events (default: 100000)", SEARCHES,
     LIMITS(COUNT, depth)},
    {"max-depth", 0, "N", "stop if one execution has more than N events (default: 4000000)", PLANS,
     LIMITS(COUNT, depth)},
    {"max-memory", 0, "SIZE", "stop when all processes together are this large: 512M, 4G", ALL,
     LIMITS(SIZE, memory)},
    {"trace", 0, "FILE|none", "where to write the counterexample (default: the program's name with .mzt)",
     CHECK | FUZZ | PLANS, CHECKS(TEXT, trace)},
    {"output", 'o', "FILE", "where to write the plan", PLANS, IN(TEXT, run.output)},
    {"constraints", 0, "K", "verify until at most K constraints are left", PLANS, .set = set_constraints},
    {"first-trace", 0, "RULE",
     "how to choose the trace that verification begins with (default: auto): see below", PLANS,
     .set = set_first_trace},
    {"minimise", 0, NULL,
     "leave out every constraint, wherever it stands, without which the rest can be verified", PLANS,
     IN(SWITCH, plan.minimise)},
    {"tune", 0, NULL, "choose it by running the program under some: it runs many times, its output hidden",
     PLANS, IN(SWITCH, plan.tune)},
    {"learn", 0, "FILE",
     "begin with the run that 'mazurka run --record=FILE' has written down, and its arguments", MZ_FOR_PLAN,
     IN(TEXT, plan.learn), .excludes = "first-trace", .hint = "--learn says which trace is the first"},
    {"overhead", 0, "PERCENT",
     "verify until the program is at most so much slower, as found by running it: 10%", PLANS,
     .set = set_overhead},
    {"waive", 0, "KIND[,KIND]",
     "the plan is to hold also where these are others than now: arguments, environment, …: see below", PLANS,
     .set = waive},
    {"plan", 0, "FILE|none", "keep to this plan ('mazurka plan'), or to none, and verify nothing", RUN,
     IN(TEXT, run.plan), .excludes = "output",
     .hint = "with --plan nothing is verified, and there is no new plan"},
    {"on-divergence", 0, MZ_ON_DIVERGENCE_WORDS,
     "when the program does what was not verified: end it there (default), go on without constraints, or go "
     "on "
     "with one thread at a time",
     RUN, .set = set_on_divergence},
    {"exec", 0, NULL, "become the program instead of watching it: nothing of the checker stays", RUN,
     IN(SWITCH, run.becomes), .needs = "plan", .excludes = "repeat",
     .hint = "--exec starts it once, under a plan that is there: --plan=FILE"},
    {"keep-prefix", 0, NULL,
     "if a bug is found, keep to the prefix that excludes it: look for no smaller set of constraints", RUN,
     IN(SWITCH, run.keeps_prefix), .excludes = "minimise", .hint = "--minimise asks for the opposite"},
    {"status", 0, NULL, "say on standard error how far the verification is, not only on a terminal", RUN,
     IN(SWITCH, run.status)},
    {"record", 0, "FILE", "write down in which order the operations happened", RUN, IN(TEXT, run.record),
     .excludes = "exec", .hint = "with --exec nobody is left to write it"},
    {"jitter", 0, "SEED", "delay operations at random", RUN, IN(TEXT, run.jitter)},
    {"quarantine", 0, "SIZE",
     "keep so much freed memory from being used again, as was verified: 16M (default), 1G; 0: none", RUN,
     .set = set_quarantine},
    {"repeat", 0, "N",
     "run it N times with its output hidden (10 s each), and say how it ended, how often; what it says on "
     "standard error is shown for the first run that ends so",
     RUN, IN(COUNT, run.repeat)},
    {"inputs", 0, "random|all|NAME=VALUE[,…]",
     "inputs that are not given otherwise: at random, one valuation after the other, or this one", RUN,
     .set = add_inputs},
#define MZ_X(name, help, write) {#name, 0, "[FILE]", help, CHECK | FUZZ, .set = use_##name},
    MZ_FORMATS(MZ_X)
#undef MZ_X
        {"seed", 0, "N", "another sample: 1, 2, … (default: 0)", ESTIMATE, CHECKS(COUNT, seed)},
    {"json", 0, NULL, "print the result as JSON on standard output", ESTIMATE | MZ_FOR_PLAN,
     IN(SWITCH, json)},
    {"quiet", 'q', NULL, "no progress line", CHECK | FUZZ | PLANS, CHECKS(SWITCH, quiet)},
    {"help", 'h', NULL, "this text", ALL, IN(SWITCH, help)},
};

/* An option may be taken by several algorithms. */
static bool is_offered(const mz_command_line *line, const mz_option *option)
{
    for (size_t i = 0; i < line->count; i++)
        if (line->offers[i].option == option)
            return true;
    return false;
}

void mz_request_offer(mz_request *request, mz_command_line *line)
{
    mz_options_offer(line, before_algorithms, sizeof before_algorithms / sizeof *before_algorithms,
                     request->purpose, request);
    for (size_t i = 0; i < mz_algorithm_count; i++)
        for (const mz_option *const *o = mz_algorithms[i]->options; o && *o; o++)
            if (!is_offered(line, *o))
                mz_options_offer(line, *o, 1, request->purpose, &request->plan.check.search);
    mz_options_offer(line, after_algorithms, sizeof after_algorithms / sizeof *after_algorithms,
                     request->purpose, request);
}
