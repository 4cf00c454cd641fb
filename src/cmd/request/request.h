/* What a command line asks for: check, estimate, plan and run have their options in common. */
#ifndef MZ_CMD_REQUEST_REQUEST_H
#define MZ_CMD_REQUEST_REQUEST_H

#include "report/formats.h"
#include "safe/run/run_request.h"
#include "safe/verify/plan_settings.h"

typedef struct mz_request {
    uint32_t purpose; /* MZ_FOR_CHECK, … */
    bool help;
    mz_outputs outputs;                /* of a check, for programs */
    bool json;                         /* the same of the others */
    mz_plan_settings plan;             /* plan.check: what every one of them is told */
    const char *races;                 /* --races; NULL: as --check says */
    struct mz_client_request *clients; /* of `mazurka clients`; NULL: it is another command */
    const char *lcov_output;           /* where what was covered goes, of clients; NULL: nowhere */
    const char *client_output;         /* where the client that fails goes; NULL: nowhere */
    mz_run_request run;                /* run.output: where a plan goes */
} mz_request;

/* *error set if the words are wrong. */
void mz_request_parse(mz_request *request, uint32_t purpose, int argc, char **argv, mz_error *error);
void mz_request_release(mz_request *request);
/* The same with what `mazurka clients` has in addition. */
void mz_request_parse_clients(mz_request *request, struct mz_client_request *clients, int argc, char **argv,
                              mz_error *error);
/* Of a command line for a check, what is no option (before "--"), what is behind it, and the options with
 * their values, which are not looked at further than that. */
typedef struct mz_request_words {
    mz_words names, arguments, options;
    bool help, quiet;
    mz_outputs outputs;
} mz_request_words;
void mz_request_split(mz_request_words *words, int argc, char **argv, mz_error *error);
void mz_request_words_release(mz_request_words *words);
/* Is there an option for a check of that name? `closest` is the one that is meant perhaps, or NULL. */
const mz_option *mz_request_find_option(const char *name, const char **closest);
/* For --help, on standard output. */
void mz_request_help(uint32_t purpose);

/* What an option does, with the algorithms that it goes with. */
void mz_request_option_help(const mz_option *option, mz_text *out);

/* ---- parts ----------------------------------------------------------------------------------------------
 */

/* All that can be given for the purpose of the request. */
void mz_request_offer(mz_request *request, mz_command_line *line);
/* When all are there: what was not said, and *error set if they do not go together. */
void mz_request_complete(mz_request *request, const mz_command_line *line, mz_error *error);

/* -O2, -Wall, -lm, -isystem, …: options of the compiler. How many words were taken; 0: it is none. */
int mz_request_take_compiler_option(mz_settings *settings, const char *word, const char *next,
                                    mz_error *error);

#endif
