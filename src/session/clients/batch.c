#include "session/clients/batch.h"

#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/learn.h"

/* ---- exploring ------------------------------------------------------------------------------------------
 */

/* Whatever becomes of this process, it is known which client it was. */
static void announce(const mz_client_plan *p, mz_client_host *host, size_t index)
{
    mz_text word = {0};
    mz_client_word(&p->client, &word);
    host->shared->client = index;
    host->shared->client_word = mz_share_text(host->shared, mz_text_string(&word));
    mz_text_release(&word);
}

static mz_batch_end check_one(mz_batch *batch, mz_client_host *host, size_t index)
{
    mz_client_plan *p = host->settings->clients;
    mz_error error = {0};
    mz_text left = {0};
    mz_clients_take(p, &p->clients.list[index], &error);
    if (error.set) {
        mz_share_refusal(host->shared, &error);
        mz_error_release(&error);
        return MZ_BATCH_REFUSED;
    }
    announce(p, host, index);
    mz_learn(host->machine, mz_native_prepare, false, host->search, host->worker);
    if (*host->refused)
        return MZ_BATCH_REFUSED;
    mz_native_incomplete(host->machine, &left); /* the next client forgets it */
    mz_tally one = mz_tally_of(index + 1, host->result, mz_text_string(&left));
    mz_tally_add(one.checked ? &batch->tally : &batch->stopped, &one);
    mz_text_release(&left);
    mz_tally_release(&one);
    bool stops = batch->stopped.open > 0 || host->result->search.is_late || mz_interrupted;
    return host->result->report.verdict == MZ_UNSAFE ? MZ_BATCH_FAILED
           : stops                                   ? MZ_BATCH_STOPPED
                                                     : MZ_BATCH_DONE;
}

void mz_batch_check(mz_batch *batch, mz_client_host *host)
{
    batch->end = MZ_BATCH_DONE;
    for (size_t i = batch->tally.checked; i < batch->count && batch->end == MZ_BATCH_DONE; i++)
        batch->end = check_one(batch, host, batch->first + i);
}

/* ---- the client that fails ------------------------------------------------------------------------------
 */

/* Which process has found it does not matter: the judge is asked again, in this one. The report points into
 * the problem, so that a copy is replayed. */
static void judge_again(mz_client_host *host)
{
    const mz_problem *found = &host->result->search.problems[0];
    mz_problem copy = {.failure = {.kind = found->failure.kind},
                       .steps = mz_allocate_zeroed(found->step_count, sizeof *copy.steps),
                       .step_count = found->step_count,
                       .choices = found->choices,
                       .choice_count = found->choice_count,
                       .initial_choices = found->initial_choices};
    mz_text ignored = {0};
    size_t done;
    for (size_t i = 0; i < copy.step_count; i++)
        copy.steps[i] = (mz_witness_step){.thread = found->steps[i].thread,
                                          .first_choice = found->steps[i].first_choice,
                                          .choice_count = found->steps[i].choice_count};
    mz_witness_replay(&copy, host->machine, &done, &ignored);
}

void mz_batch_tell_failure(const mz_client_plan *p, mz_client_host *host)
{
    const mz_settings *s = host->settings;
    mz_report *r = &host->result->report;
    mz_text program = {0};
    if (r->error_count == 0)
        return;
    bool is_history = r->errors[0].kind == MZ_FAIL_HISTORY;
    if (is_history)
        judge_again(host);
    mz_client_program(
        &p->client,
        &(mz_client_source){.files = s->files,
                            .file_count = s->file_count,
                            .flags = mz_words_list(&s->compile_flags),
                            .flag_count = s->compile_flags.count,
                            .setup = s->entry_setup,
                            .finally = s->entry_finally,
                            .operations = &s->operations,
                            .waits = is_history && !mz_sequential_completes(&p->sequential, &p->client),
                            .why = r->errors[0].message,
                            .history = is_history && !p->in_any_order ? &p->wrong : NULL},
        &program);
    r->client = mz_text_string(&program);
    r->calls = mz_client_calls(&p->client);
    r->history = is_history ? mz_text_string(&p->picture) : NULL;
    r->calls_json = is_history ? mz_text_string(&p->calls_json) : NULL;
}

/* ---- in a process of its own ----------------------------------------------------------------------------
 */

static void leave(const mz_bytes *bytes, mz_shared *shared)
{
    mz_bytes *left = mz_share_bytes(shared, bytes, sizeof *bytes);
    if (left)
        left->data = mz_share_bytes(shared, bytes->data, bytes->length);
    shared->result = left && left->data ? left : NULL;
}

/* The copy of the copy. Whatever goes wrong, goes wrong again where the client is checked. */
static void run_sequences(const void *context, mz_shared *shared)
{
    const mz_batch_work *work = context;
    mz_client_plan *p = work->host->settings->clients;
    mz_error error = {0};
    mz_bytes bytes = {0};
    size_t since = p->sequential.count;
    work->host->move(work->host->worker, shared);
    for (size_t i = 0; i < work->batch->count && !error.set && p->sequential.failing_length == 0; i++)
        mz_clients_learn(p, &p->clients.list[work->batch->first + i], &p->sequential, &error);
    mz_sequential_write(&p->sequential, since, &bytes);
    leave(&bytes, shared);
}

static void learn_sequences(const mz_batch_work *work)
{
    mz_client_plan *p = work->host->settings->clients;
    pid_t process;
    mz_ending ending;
    mz_error error = {0};
    mz_shared *shared =
        mz_is_judged(work->host->settings) ? mz_start_worker(run_sequences, work, 0, &process, &error) : NULL;
    if (!shared)
        return;
    mz_finish_worker(shared, process, &ending, &error);
    const mz_bytes *told = shared->result;
    if (told) {
        mz_byte_reader reader = {.data = told->data, .length = told->length};
        mz_sequential_read(&p->sequential, &reader);
    }
    mz_text_release(&ending.words);
    mz_error_release(&error);
    mz_shared_release(shared);
}

void mz_batch_explore(const void *context, mz_shared *shared)
{
    const mz_batch_work *work = context;
    mz_client_host *host = work->host;
    mz_client_plan *p = host->settings->clients;
    mz_batch batch = *work->batch;
    mz_bytes bytes = {0};
    size_t since = p->sequential.count;
    if (p->specification)
        mz_specification_ask_as(p->specification, work->asker);
    learn_sequences(work);
    host->shared = shared;
    host->move(host->worker, shared);
    host->settings->allowed_jobs = work->allowed_jobs;
    host->settings->quiet = true;
    mz_batch_check(&batch, host);
    mz_bytes_add_number(&bytes, batch.end);
    mz_tally_write(&batch.tally, &bytes);
    mz_tally_write(&batch.stopped, &bytes);
    mz_sequential_write(&p->sequential, since, &bytes);
    mz_native_testify(host->machine, &bytes);
    if (batch.end == MZ_BATCH_FAILED) {
        mz_batch_tell_failure(p, host);
        host->finish(host->worker);
    }
    leave(&bytes, shared);
}

bool mz_batch_take(mz_batch *batch, mz_client_host *host, const mz_shared *left)
{
    const mz_bytes *told = left->result;
    if (!told)
        return false;
    mz_byte_reader r = {.data = told->data, .length = told->length};
    mz_batch_end end = (mz_batch_end)mz_read_number_to(&r, MZ_BATCH_REFUSED);
    mz_tally_read(&r, &batch->tally);
    mz_tally_read(&r, &batch->stopped);
    bool understood = !r.failed && mz_sequential_read(&host->settings->clients->sequential, &r) &&
                      mz_native_hear(host->machine, &r);
    batch->end = understood ? end : batch->end;
    return understood;
}
