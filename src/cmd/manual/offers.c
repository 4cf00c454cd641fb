/* What the commands offer whose options are those of a check, or are parsed by hand: for man pages and
 * completion. A test gives every one of them to its command. */
#include "cmd/command.h"
#include "cmd/request/request.h"
#include "cmd/request/request_clients.h"

#define OWN(...)    static const mz_option rows[] = {__VA_ARGS__}
#define OFFER(line) mz_options_offer(line, rows, sizeof rows / sizeof *rows, 0, NULL)

/* Only to be told: nobody sets what is in this request. */
static void offer_request(mz_command_line *line, uint32_t purpose)
{
    mz_request request = {.purpose = purpose};
    mz_request_offer(&request, line);
    for (size_t i = 0; i < line->count; i++)
        line->offers[i].target = NULL;
}

#define REQUEST(name, purpose)                                                                               \
    void mz_offer_##name(mz_command_line *line, void *target)                                                \
    {                                                                                                        \
        (void)target;                                                                                        \
        offer_request(line, purpose);                                                                        \
    }
REQUEST(check, MZ_FOR_CHECK)
REQUEST(fuzz, MZ_FOR_FUZZ)
REQUEST(estimate, MZ_FOR_ESTIMATE)
REQUEST(plan, MZ_FOR_PLAN)
REQUEST(run, MZ_FOR_RUN)

void mz_offer_clients(mz_command_line *line, void *target)
{
    (void)target;
    mz_client_request nothing = {0};
    mz_request_offer_clients(&nothing, line);
    offer_request(line, MZ_FOR_CHECK);
}

void mz_offer_orders(mz_command_line *line, void *target)
{
    OWN({"patch", 0, NULL, "the change of the sources on standard output, as 'patch -p0' reads it",
         .type = MZ_OPTION_SWITCH});
    (void)target;
    OFFER(line);
    offer_request(line, MZ_FOR_CHECK);
}

void mz_offer_report(mz_command_line *line, void *target)
{
    OWN({"output", 'o', "FILE", "where to write it (default: report.html)", .type = MZ_OPTION_TEXT});
    (void)target;
    OFFER(line);
    offer_request(line, MZ_FOR_CHECK);
}

void mz_offer_resume(mz_command_line *line, void *target)
{
#define MZ_X(name, help, write) {#name, 0, "[FILE]", help, .type = MZ_OPTION_TEXT},
    OWN({"jobs", 'j', "N", "search with N processes", .type = MZ_OPTION_SMALL},
        {"timeout", 0, "TIME", "stop after this time: 30s, 5m, 1h", .type = MZ_OPTION_DURATION},
        {"max-memory", 0, "SIZE", "stop when all processes together are this large", .type = MZ_OPTION_SIZE},
        {"checkpoint-every", 0, "TIME", "how often to save (default: 60s)", .type = MZ_OPTION_DURATION},
        {"trace", 0, "FILE|none", "where to write the counterexample", .type = MZ_OPTION_TEXT},
        MZ_FORMATS(MZ_X){"quiet", 'q', NULL, "no progress line", .type = MZ_OPTION_SWITCH},
        {"help", 'h', NULL, "how it is used", .type = MZ_OPTION_SWITCH});
#undef MZ_X
    (void)target;
    OFFER(line);
}

/* -n and -o have no long names. */
void mz_offer_split(mz_command_line *line, void *target)
{
    OWN({"", 'n', "N", "how many tasks", .type = MZ_OPTION_SMALL},
        {"", 'o', "DIR", "the directory for them", .type = MZ_OPTION_TEXT});
    (void)target;
    OFFER(line);
    offer_request(line, MZ_FOR_CHECK);
}

void mz_offer_merge(mz_command_line *line, void *target)
{
    OWN({"", 'o', "FILE", "where to write it (default: merged.mzc)", .type = MZ_OPTION_TEXT},
        {"help", 'h', NULL, "how it is used", .type = MZ_OPTION_SWITCH});
    (void)target;
    OFFER(line);
}

void mz_offer_cc(mz_command_line *line, void *target)
{
    OWN({"cc", 0, "COMPILER", "the compiler (default: the variable MAZURKA_CC, or gcc)",
         .type = MZ_OPTION_TEXT},
        {"plan", 0, "FILE", "the linked program keeps to this plan, which it then holds",
         .type = MZ_OPTION_TEXT},
        {"on-divergence", 0, MZ_ON_DIVERGENCE_WORDS,
         "when it leaves verified ground it ends, goes on without, or with one thread at a time",
         .type = MZ_OPTION_TEXT},
        {"without-plan", 0, "warn|free|refuse", "without a plan it says so and runs, just runs, or ends",
         .type = MZ_OPTION_TEXT},
        {"help", 0, NULL, "how it is used", .type = MZ_OPTION_SWITCH});
    (void)target;
    OFFER(line);
}

void mz_offer_algorithms(mz_command_line *line, void *target)
{
    OWN({"help", 'h', NULL, "how it is used", .type = MZ_OPTION_SWITCH});
    (void)target;
    OFFER(line);
}
