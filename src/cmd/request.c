/* From words to a request. */
#include "cmd/request.h"

#include "cmd/request_clients.h"

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
