/* `mazurka clients`: a library is checked with all small clients, which are generated. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "client/header.h"
#include "cmd/check.h"
#include "cmd/command.h"
#include "cmd/manual/examples.h"
#include "cmd/print.h"
#include "cmd/request/request.h"
#include "cmd/request/request_clients.h"
#include "session/clients/clients.h"

static void print_help(void)
{
    mz_text text = {0};
    mz_command_line line = {0};
    mz_client_request nothing = {0};
    mz_text_add(&text,
                "usage: mazurka clients [options] FILE.c … --op=CALL … [--setup=C] [--finally=C]\n\n"
                "Checks a library: generates all small clients of its operations, the smallest first, and\n"
                "explores every interleaving of each. What calls return has to be explained by some order\n"
                "of the calls, one after the other (linearizability). See doc/libraries.md.\n\noptions:\n");
    mz_request_offer_clients(&nothing, &line);
    mz_options_help(&line, &text);
    mz_add_with_examples(
        "  and those of 'mazurka check': -D, -I, --cc, --check, --timeout, -j, --json, …\n\n"
        "examples:\n"
        "  mazurka clients @examples/library/queue.c --clients=@examples/library/queue.clients\n"
        "  mazurka clients @examples/library/queue.c --setup='queue *q = queue_new(2)' \\\n"
        "    --op='push(q, {1,2})' --op='pop(q)' --finally='queue_free(q)'\n\n"
        "exit codes: 0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete, 4 internal "
        "error\n",
        &text);
    mz_print_help(stdout, mz_text_string(&text));
    mz_options_release(&line);
    mz_text_release(&text);
}

/* ---- what was asked for ---------------------------------------------------------------------------------
 */

/* How many orders of its calls the largest client has must be few enough to look at them all. */
static void check_size(const mz_description *d, bool any_order, mz_error *error)
{
    enum { MOST_ORDERS = 50000 };
    double orders = 1;
    uint32_t calls = d->most_threads * d->most_length, placed = 0;
    if (d->most_calls > 0 && d->most_calls < calls)
        calls = d->most_calls;
    for (uint32_t t = 0; t < d->most_threads && placed < calls; t++)
        for (uint32_t i = 1; i <= d->most_length && placed < calls; i++)
            orders = orders * ++placed / (any_order ? 1 : i);
    if (orders > MOST_ORDERS || calls > MZ_CLIENT_CALLS) {
        mz_error_set(error, (mz_position){0}, "clients with %u calls have too many orders to compare with",
                     calls);
        mz_error_set_hint(error, "--calls=8, or fewer --threads, or a smaller --length");
    }
}

/* Executions that such an algorithm takes for the same are of different traces, and differ in real time
 * beyond what the judge looks at. */
static void refuse_algorithm(const char *name, mz_error *error)
{
    mz_error_set(error, (mz_position){0}, "the algorithm '%s' does not tell who was done before whom", name);
    mz_error_set_hint(error, "another one, or --criterion=none, which does not compare results");
}

static void complete(mz_client_request *r, mz_settings *s, mz_error *error)
{
    mz_description *d = &r->description;
    for (size_t i = 0; i < s->file_count && d->count == 0; i++)
        mz_request_read_annotations(r, s->files[i], error);
    if (error->set)
        return;
    s->entry_setup = r->setup ? r->setup : r->setups.length ? mz_text_string(&r->setups) : NULL;
    s->entry_finally = r->finally ? r->finally : r->finals.length ? mz_text_string(&r->finals) : NULL;
    if (d->count == 0) {
        mz_error_set(error, (mz_position){0}, "there is no operation that clients could call");
        mz_error_set_hint(error, "for example --setup='queue *q = queue_new(2)' --op='push(q, {1,2})' "
                                 "--op='pop(q)'");
        return;
    }
    if (s->entries.count > 0 || !s->native) {
        mz_error_set(error, (mz_position){0}, "%s",
                     s->native ? "option --entry is for check: here threads are generated"
                               : "clients are for libraries in C or C++, not for models");
        return;
    }
    s->specification = r->specification;
    s->progress = r->progress;
    s->coverage = r->coverage || r->lcov;
    if (s->coverage && s->checkpoint)
        mz_error_set(error, (mz_position){0},
                     "options --coverage and --checkpoint do not go together: what was covered is not saved");
#ifndef __x86_64__
    if (s->coverage)
        mz_error_set(error, (mz_position){0}, "options --coverage and --lcov are for x86-64");
#endif
    /* Alone the library is right by definition; not if something else says what is right. */
    d->least_threads = d->most_threads ? d->least_threads : r->specification ? 1 : 2;
    d->most_threads = d->most_threads ? d->most_threads : 3;
    d->least_length = d->most_length ? d->least_length : 1;
    d->most_length = d->most_length ? d->most_length : 3;
    uint32_t least = d->least_threads * d->least_length;
    d->most_calls = r->most_calls > 0 ? (uint32_t)r->most_calls : least > 5 ? least : 5;
    bool judged = !r->criterion || strcmp(r->criterion, "none") != 0;
    s->criterion = !judged || !r->criterion || strcmp(r->criterion, "linearizable") == 0 ? MZ_LINEARIZABLE
                   : strcmp(r->criterion, "sequential") == 0                             ? MZ_SEQUENTIAL
                                                                                         : MZ_QUIESCENT;
    for (size_t i = 0; i < s->algorithm_count && judged; i++)
        if (s->algorithms[i]->equivalence == MZ_OBSERVATION || s->algorithms[i]->equivalence == MZ_GRAPH)
            refuse_algorithm(s->algorithms[i]->name, error);
    if (judged) /* nor does a graph: what calls return is judged of interleavings */
        s->search.memory = MZ_MEMORY_SC;
    s->out_of_order = (uint32_t)r->out_of_order;
    s->search.checks |= judged ? 1u << MZ_FAIL_HISTORY : 0;
    s->search.checks |= s->entry_finally ? 1u << MZ_FAIL_LEAK : 0;
    mz_words_add_list(&s->operations, (const char *const *)d->texts.items, d->texts.count);
    mz_words_add_list(&s->relaxed, (const char *const *)r->relaxed.items, r->relaxed.count);
    mz_words_add_list(&s->blocking, (const char *const *)r->blocking.items, r->blocking.count);
    s->client_threads = d->most_threads;
    check_size(d, s->criterion == MZ_QUIESCENT || s->out_of_order > 0, error);
}

/* "push(q, 1); pop(q) || pop(q)" */
static void print_list(const mz_clients *clients, const mz_words *operations)
{
    for (size_t i = 0; i < clients->count; i++) {
        const mz_client *c = &clients->list[i];
        printf("%zu: ", i + 1);
        for (uint32_t t = 1; t <= c->threads; t++)
            for (uint32_t k = 0; k < c->length[t]; k++)
                printf("%s%s", k ? "; " : t > 1 ? " || " : "", operations->items[c->operations[t][k]]);
        printf("\n");
    }
}

static int run(const char *command, mz_client_request *r, mz_request *request, char **argv, mz_error *error)
{
    mz_settings *s = &request->plan.check;
    mz_client_plan plan = {.description = &r->description, .first = r->first > 0 ? r->first - 1 : 0};
    int code = MZ_EXIT_SAFE;
    complete(r, s, error);
    if (!error->set)
        mz_clients_enumerate(&r->description, &plan.clients, error);
    if (!error->set && r->list) {
        print_list(&plan.clients, &s->operations);
    } else if (!error->set) {
        s->clients = &plan;
        request->client_output = r->output;
        request->lcov_output = r->lcov;
        code = mz_check_and_print(command, request, argv, error);
    }
    mz_clients_release(&plan.clients);
    return code;
}

/* For --clients, on standard output. */
static void propose(const char *header, mz_error *error)
{
    mz_text text = {0}, description = {0};
    if (mz_file_read_text(header, 1 << 24, "a header", &text, error))
        mz_header_propose(header, mz_text_string(&text), &description, error);
    fputs(mz_text_string(&description), stdout);
    mz_text_release(&text);
    mz_text_release(&description);
}

int mz_clients_and_print(const char *command, int count, char **words, char **argv,
                         const mz_checkpoint *saved, const char *path, mz_error *error)
{
    mz_request request;
    mz_client_request clients = {0};
    int code = MZ_EXIT_SAFE;
    mz_request_parse_clients(&request, &clients, count, words, error);
    mz_settings *s = &request.plan.check;
    for (int i = 1; i < count; i++)
        mz_words_add(&s->command, words[i]);
    s->resumed = saved;
    s->checkpoint = saved ? path : s->checkpoint;
    if (clients.header && !request.help) {
        mz_error_release(error); /* nothing else is needed */
        propose(clients.header, error);
    } else if (!error->set && request.help)
        print_help();
    else if (!error->set)
        code = run(command, &clients, &request, argv, error);
    mz_request_release(&request);
    mz_description_release(&clients.description);
    mz_words_release(&clients.relaxed);
    mz_words_release(&clients.blocking);
    mz_text_release(&clients.setups);
    mz_text_release(&clients.finals);
    return code;
}

int mz_command_clients(int argc, char **argv)
{
    mz_error error = {0};
    int code = mz_clients_and_print("clients", argc, argv, argv - 1, NULL, NULL, &error);
    return mz_print_error("clients", &error) ? MZ_EXIT_USAGE : code;
}
