#include "cmd/run_request.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "safe/verify/verify.h"
#include "search/limits.h"
#include "wire/symbolic_format.h"

/* identifier, name, argument, help */
#define OPTIONS(X)                                                                                           \
    X(plan, "plan", "FILE|none", "keep to this plan ('mazurka plan'), or to none, and verify nothing")       \
    X(on_divergence, "on-divergence", "stop|warn",                                                           \
      "when the program does what was not verified: end it there (default), or go on without constraints")   \
    X(keep_prefix, "keep-prefix", NULL,                                                                      \
      "if a bug is found, keep to the prefix that excludes it: look for no smaller set of constraints")      \
    X(status, "status", NULL, "say on standard error how far the verification is, not only on a terminal")   \
    X(record, "record", "FILE", "write down in which order the operations happened")                         \
    X(jitter, "jitter", "SEED", "delay operations at random")                                                \
    X(quarantine, "quarantine", "SIZE",                                                                      \
      "keep so much freed memory from being used again, as was verified: 16M (default), 1G; 0: none")        \
    X(repeat, "repeat", "N",                                                                                 \
      "run it N times with its output hidden (10 s each), and say how it ended, how often; what it says on " \
      "standard error is shown for the first run that ends so")                                              \
    X(inputs, "inputs", "random|all|NAME=VALUE[,…]",                                                         \
      "inputs that are not given otherwise: at random, one valuation after the other, or this one")

enum option_id {
#define MZ_X(id, name, argument, help) OPTION_##id,
    OPTIONS(MZ_X)
#undef MZ_X
        OPTION_COUNT
};

static const mz_option option_table[] = {
#define MZ_X(id, name, argument, help) {name, 0, argument, help, OPTION_##id},
    OPTIONS(MZ_X)
#undef MZ_X
};

static void take_input(mz_run_request *q, const char *part, mz_error *error)
{
    const char *equals = strchr(part, '=');
    if (strcmp(part, "random") == 0) {
        q->inputs = MZ_INPUTS_AT_RANDOM;
    } else if (strcmp(part, "all") == 0) {
        q->inputs = MZ_INPUTS_ALL;
    } else if (equals && mz_is_input_name(part, (uint64_t)(equals - part))) {
        mz_words_add(&q->given, part);
    } else {
        mz_error_set(error, (mz_position){0}, "option --inputs: unknown '%s'", part);
        mz_error_set_hint(error, "there are: random, all, NAME=VALUE");
    }
}

static void take_inputs(mz_run_request *q, const char *list, mz_error *error)
{
    size_t length;
    for (; !error->set; list += length + 1) {
        length = strcspn(list, ",");
        char *part = mz_copy_bytes(list, length);
        take_input(q, part, error);
        mz_release(part);
        if (!list[length])
            break;
    }
}

static void apply_option(mz_run_request *q, enum option_id id, const char *value, mz_error *error)
{
    switch (id) {
    case OPTION_plan:
        q->plan = value;
        break;
    case OPTION_on_divergence:
        q->warns = strcmp(value, "warn") == 0;
        if (!q->warns && strcmp(value, "stop") != 0) {
            mz_error_set(error, (mz_position){0}, "option --on-divergence: unknown '%s'", value);
            mz_error_set_hint(error, "there are: stop, warn");
        }
        break;
    case OPTION_keep_prefix:
        q->keeps_prefix = true;
        break;
    case OPTION_status:
        q->status = true;
        break;
    case OPTION_record:
        q->record = value;
        break;
    case OPTION_jitter:
        q->jitter = value;
        break;
    case OPTION_quarantine:
        q->has_quarantine =
            strcmp(value, "0") == 0 || mz_parse_size("quarantine", value, &q->quarantine, error);
        break;
    case OPTION_repeat:
        if (mz_parse_count("repeat", value, &q->repeat, error) && q->repeat == 0)
            mz_error_set(error, (mz_position){0}, "option --repeat: 0 times is never");
        break;
    case OPTION_inputs:
        take_inputs(q, value, error);
        break;
    case OPTION_COUNT:
        break;
    }
}

/* Is the word one of our options? *words: how many belong to it. */
static bool take_own_option(mz_run_request *q, int left, char **word, int *words, mz_error *error)
{
    *words = 1;
    for (int id = 0; id < OPTION_COUNT; id++) {
        size_t length = strlen(option_table[id].name);
        if (strncmp(*word, "--", 2) != 0 || strncmp(*word + 2, option_table[id].name, length) != 0)
            continue;
        const char *rest = *word + 2 + length, *value = NULL;
        if (*rest != 0 && *rest != '=')
            continue;
        if (option_table[id].argument && *rest == 0 && left > 1) {
            value = word[1];
            *words = 2;
        } else if (*rest == '=') {
            value = rest + 1;
        }
        if (!option_table[id].argument != !value)
            mz_error_set(error, (mz_position){0}, "option --%s %s", option_table[id].name,
                         value ? "takes no value" : "needs a value");
        else
            apply_option(q, (enum option_id)id, value, error);
        return true;
    }
    return false;
}

/* Ours are taken out; the rest is what 'mazurka plan' understands. */
void mz_run_request_parse(mz_run_request *q, int argc, char **argv, mz_error *error)
{
    char **rest = mz_allocate_zeroed((size_t)argc + 1, sizeof *rest);
    int count = 0, words;
    bool over = false;
    for (int i = 0; i < argc && !error->set; i += words) {
        words = 1;
        over |= strcmp(argv[i], "--") == 0;
        if (over || !take_own_option(q, argc - i, argv + i, &words, error))
            rest[count++] = argv[i];
    }
    if (!error->set)
        mz_settings_parse(&q->settings, MZ_TO_PLAN, count, rest, error);
    if (!error->set && !q->settings.help)
        mz_verify_settings(&q->settings, error);
    if (!error->set && q->settings.minimise && q->keeps_prefix)
        mz_error_set(error, (mz_position){0}, "option --keep-prefix: --minimise asks for the opposite");
    if (!error->set && q->settings.output && q->plan)
        mz_error_set(error, (mz_position){0},
                     "option -o: with --plan nothing is verified, and there is no new plan");
    q->settings.minimise = !q->keeps_prefix;
    q->settings.run = MZ_RUN_PLAIN;
    mz_release(rest);
}

void mz_run_print_help(void)
{
    mz_text text = {0};
    mz_text_add(&text, "usage: mazurka run [options] FILE.c … [-- arguments of the program]\n"
                       "       mazurka run --plan=FILE.mzs [options] PROGRAM [-- arguments]\n\n"
                       "Runs a program (sources, or what 'mazurka cc' has linked) so that only verified "
                       "schedules happen.\n"
                       "It starts as soon as one complete execution is verified; verification goes on beside "
                       "it and\n"
                       "removes constraints while it runs. If a bug is found, what excludes it stays in "
                       "force.\n\noptions:\n");
    mz_options_help(option_table, OPTION_COUNT, &text);
    mz_text_add(&text, "  and those of 'mazurka plan' for compiling and verifying (-D, -I, --cc, --cflags, "
                       "--ldflags, --check, …)\n\n"
                       "exit code: the program's (70 if it was stopped because it did what was not "
                       "verified); without a\n"
                       "verified execution as of 'mazurka check'\n");
    fputs(mz_text_string(&text), stdout);
    mz_text_release(&text);
}
