/* From words to a request. */
#include "cmd/request/request.h"

#include <string.h>

#include "base/memory.h"
#include "cmd/request/request_clients.h"

enum { DEFAULT_DEPTH_OF_PLANS = 4000000 };

static void take_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    mz_settings *s = &((mz_request *)context)->plan.check;
    (void)error;
    if (after_dashes)
        mz_words_add(&s->arguments, word);
    else
        mz_settings_add_file(s, word);
}

static int take_other(void *context, const char *word, const char *next, mz_error *error)
{
    return mz_request_take_compiler_option(&((mz_request *)context)->plan.check, word, next, error);
}

static void parse(mz_request *request, int argc, char **argv, mz_error *error)
{
    uint32_t purpose = request->purpose;
    mz_settings *s = &request->plan.check;
    mz_command_line line = {.context = request, .word = take_word, .other = take_other};
    mz_settings_init(s);
    s->fuzzes = purpose == MZ_FOR_FUZZ;
    s->search.scouts = purpose == MZ_FOR_CHECK;
    /* Plans name orders that a running program keeps: those of the published relation. */
    s->search.relation =
        purpose & (MZ_FOR_CHECK | MZ_FOR_FUZZ | MZ_FOR_ESTIMATE) ? MZ_RELATION_FINEST : MZ_RELATION_PUBLISHED;
    if (purpose &
        (MZ_FOR_PLAN | MZ_FOR_RUN)) { /* one execution is worth something, and races are kept in order */
        s->search.limits.depth = DEFAULT_DEPTH_OF_PLANS;
        s->default_checks &= ~(1u << MZ_FAIL_RACE);
    }
    if (purpose == MZ_FOR_CHECK) {
        line.kept = &s->what;
        line.kept_for = MZ_FOR_FUZZ;
    }
    mz_request_offer(request, &line);
    if (request->clients)
        mz_request_offer_clients(request->clients, &line);
    mz_options_parse(&line, argc, argv, error);
    if (!error->set && !request->help)
        mz_request_complete(request, &line, error);
    mz_options_release(&line);
}

static void split_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    mz_request_words *words = context;
    (void)error;
    mz_words_add(after_dashes ? &words->arguments : &words->names, word);
}

/* Of the compiler: how many words it takes, and nothing else. */
static int split_other(void *context, const char *word, const char *next, mz_error *error)
{
    mz_settings scratch = {0};
    (void)context;
    int taken = mz_request_take_compiler_option(&scratch, word, next, error);
    mz_settings_release(&scratch);
    return taken;
}

void mz_request_split(mz_request_words *words, int argc, char **argv, mz_error *error)
{
    mz_request scratch = {.purpose = MZ_FOR_CHECK};
    *words = (mz_request_words){0};
    mz_command_line line = {.context = words,
                            .word = split_word,
                            .other = split_other,
                            .kept = &words->options,
                            .kept_for = MZ_FOR_CHECK,
                            .kept_without_words = true};
    mz_settings_init(&scratch.plan.check);
    mz_request_offer(&scratch, &line);
    mz_options_parse(&line, argc, argv, error);
    words->help = scratch.help;
    words->quiet = scratch.plan.check.quiet;
    words->outputs = scratch.outputs;
    mz_options_release(&line);
    mz_request_release(&scratch);
}

void mz_request_words_release(mz_request_words *words)
{
    mz_words_release(&words->names);
    mz_words_release(&words->arguments);
    mz_words_release(&words->options);
}

const mz_option *mz_request_find_option(const char *name, const char **closest)
{
    mz_request scratch = {.purpose = MZ_FOR_CHECK};
    mz_command_line line = {0};
    const mz_option *found = NULL;
    mz_request_offer(&scratch, &line);
    const char **names = mz_allocate(line.count * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < line.count; i++) {
        if (strcmp(line.offers[i].option->name, name) == 0)
            found = line.offers[i].option;
        if (line.offers[i].option->type != MZ_OPTION_GONE)
            names[count++] = line.offers[i].option->name;
    }
    *closest = mz_closest_name(name, names, count);
    mz_release(names);
    mz_options_release(&line);
    return found;
}

void mz_request_parse(mz_request *request, uint32_t purpose, int argc, char **argv, mz_error *error)
{
    *request = (mz_request){.purpose = purpose};
    parse(request, argc, argv, error);
}

void mz_request_parse_clients(mz_request *request, struct mz_client_request *clients, int argc, char **argv,
                              mz_error *error)
{
    *request = (mz_request){.purpose = MZ_FOR_CHECK, .clients = clients};
    parse(request, argc, argv, error);
}

void mz_request_release(mz_request *request)
{
    mz_words_release(&request->run.given);
    mz_settings_release(&request->plan.check);
}
