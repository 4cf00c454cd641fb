#include "session/worker.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/processors.h"
#include "program/coverage.h"
#include "session/clients/crew.h"
#include "session/learn.h"
#include "session/process/wide.h"
#include "session/result.h"
#include "session/saving.h"
#include "session/stages.h"
#include "session/story/story.h"
#include "session/widen.h"

typedef struct worker {
    mz_pool_program pool;
    struct flights *flights;
    mz_saving saving;
    const mz_check_job *job;
    mz_shared *shared;
    mz_machine *machine;
    mz_settings settings;          /* as they are found to be needed */
    mz_result *result;             /* it refers to itself, and stays where it is */
    mz_text tried;                 /* ranges of numbers */
    const mz_algorithm *algorithm; /* for which the machine is prepared, and for which memory model */
    mz_memory memory;
    bool looks_shortly, refused;
} worker;

double mz_check_deadline(const mz_check_job *j)
{
    double limit = j->settings->search.limits.seconds;
    return limit > 0 ? j->begun + limit : 0;
}

/* ---- searching ------------------------------------------------------------------------------------------
 */

/* Without a time limit a program in which threads are left again and again would be searched for ever. */
enum { MOST_STUCK = 300 };

/* With more threads than there is room for, another program is to take over (wide.h). A short look first: a
 * loop that creates threads without end has its bug among the first of them, most often. */
enum { EVENTS_BEFORE_WIDE = 50000 };

static void look_shortly(mz_limits *limits)
{
    if (limits->events == 0 || limits->events > EVENTS_BEFORE_WIDE)
        limits->events = EVENTS_BEFORE_WIDE;
    limits->seconds = limits->seconds > 0 ? limits->seconds / 5 : 5;
}

/* Was something asked for that the search over graphs does not know? */
static bool keeps_from_memory(const mz_settings *s)
{
    bool races = !(s->search.checks & 1u << MZ_FAIL_RACE); /* which are no errors */
    bool in_parts = s->checkpoint || (s->resumed && !s->home) || s->tasks > 0;
    return races || in_parts || mz_settings_against_weak_memory(s);
}

/* --memory=auto: only where nothing else is asked for. */
static bool may_find_memory(const mz_settings *s, const mz_algorithm *algorithm)
{
    bool can = algorithm->grows_graphs || (s->algorithm_is_default && algorithm == mz_default_algorithm);
    return s->search.memory == MZ_MEMORY_AUTO && can && !keeps_from_memory(s) && !s->keeps_spin_rounds;
}

/* The model that is explored: MZ_MEMORY_AUTO is sequential consistency. */
static mz_memory memory_for(const mz_check_job *j, const mz_machine *machine)
{
    bool found = machine->weaker_orders && !machine->beyond_weak && !machine->has_boundaries &&
                 may_find_memory(j->settings, j->algorithm);
    return found ? MZ_MEMORY_RC11 : j->settings->search.memory;
}

/* Not every algorithm can tell when it has seen enough of a program that does not end. NULL: the one that was
 * asked for cannot. */
static const mz_algorithm *algorithm_for(const mz_check_job *j, const mz_machine *machine)
{
    if (memory_for(j, machine) == MZ_MEMORY_RC11 && j->algorithm == mz_default_algorithm)
        return &mz_algorithm_graph;
    if (!machine->has_boundaries || j->algorithm->closes_loops)
        return j->algorithm;
    return j->settings->algorithm_is_default ? mz_default_algorithm_for(machine) : NULL;
}

static void refuse_boundaries(const mz_algorithm *algorithm, mz_shared *shared)
{
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (mz_algorithms[i]->closes_loops)
            mz_text_add(&names, "%s%s", names.length > 0 ? ", " : "", mz_algorithms[i]->name);
    snprintf(shared->message, sizeof shared->message,
             "the algorithm '%s' cannot follow a program with mz_loop_boundary(); these can: %s",
             algorithm->name, mz_text_string(&names));
    mz_text_release(&names);
}

/* Was the machine prepared for something else? */
static bool prepare_for(worker *w, const mz_algorithm *algorithm)
{
    mz_memory memory = memory_for(w->job, w->machine);
    bool others = algorithm != w->algorithm || memory != w->memory;
    w->algorithm = algorithm;
    w->memory = memory;
    if (others)
        mz_algorithm_prepare(algorithm, w->machine, w->settings.search.relation, memory);
    return others;
}

/* One search; true if it is to be done again: the machine has learned something, or numbers are to come from
 * a wider range. */
static bool search(void *context)
{
    worker *w = context;
    mz_limits *limits = &w->settings.search.limits;
    if (w->result->search.machine)
        mz_result_release(w->result); /* of the search before */
    *w->result = (mz_result){0};
    mz_share_ground(w->machine, w->shared);
    const mz_algorithm *algorithm = algorithm_for(w->job, w->machine);
    if (!algorithm) {
        refuse_boundaries(w->job->algorithm, w->shared);
        w->refused = true;
        return false;
    }
    if (prepare_for(w, algorithm)) /* other things are events, which has to be learned anew */
        return true;
    limits->seconds_before = mz_seconds_now() - w->job->begun;
    if (w->shared->flight.too_many_threads && MZ_MAX_THREADS < MZ_WIDE_THREADS && !w->looks_shortly) {
        w->looks_shortly = true;
        look_shortly(limits);
    }
    w->settings.pool_program = &w->pool;
    w->saving.settings = &w->settings;
    w->settings.saving = &w->saving;
    mz_result_run(w->result, w->machine, &w->settings, w->settings.files[0], algorithm);
    return w->result->search.begin_again ||
           (mz_search_pruned_all(&w->result->search) &&
            mz_widen_nondet(&w->settings, w->machine, algorithm, w->job->begun, &w->tried));
}

/* Once more from the checkpoint; if that has taught something, from the beginning. */
static bool search_on(void *context)
{
    worker *w = context;
    bool again = search(w);
    w->settings.resumed = NULL;
    return again;
}

/* A bug that few events of every thread are enough for, in a program whose threads are long. */
static bool found_in_stages(worker *w)
{
    mz_share_ground(w->machine, w->shared);
    const mz_algorithm *algorithm = algorithm_for(w->job, w->machine);
    if (algorithm)
        prepare_for(w, algorithm);
    if (!algorithm || !mz_search_in_stages(&w->settings, w->machine, algorithm, w->job->begun, w->result))
        return false;
    mz_share_ground(w->machine, w->shared);
    return true;
}

/* A bug with numbers that the program compares with, though not with those of the range. */
static bool found_beside_numbers(worker *w)
{
    mz_result *found = mz_allocate_zeroed(1, sizeof *found);
    const mz_algorithm *algorithm = algorithm_for(w->job, w->machine);
    if (!algorithm || !mz_search_compared(&w->settings, w->machine, algorithm, w->job->begun, found))
        return false;
    if (w->result->search.machine) /* there was a search before */
        mz_result_release(w->result);
    w->result = found;
    mz_share_ground(w->machine, w->shared);
    return true;
}

/* Samples have no end of their own: the numbers come first. Otherwise they come when all else is safe. */
static void search_all(worker *w, bool is_prepared)
{
    bool samples = w->job->algorithm->samples;
    if (samples && found_beside_numbers(w))
        return;
    is_prepared &= !samples;
    mz_learn(w->machine, mz_native_prepare, is_prepared, search, w);
    if (!w->refused && w->result->report.verdict == MZ_SAFE)
        found_beside_numbers(w);
}

/* ---- several processes ----------------------------------------------------------------------------------
 * Each has a flight of its own: where it was when it was last heard of. */

typedef struct flights {
    mz_flight flight, stuck_way;
    uint64_t pulse; /* when its processor time was last looked at */
    double last_sign;
} flights;

/* Address space for as many as there can be; memory is taken as it is used. */
static flights *flights_of(worker *w)
{
    size_t size = MZ_POOL_MOST_WORKERS * sizeof(flights);
    if (!w->flights)
        w->flights =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return w->flights == MAP_FAILED ? NULL : w->flights;
}

static void before_workers(void *context)
{
    flights_of(context);
}

static void begin_worker(void *context, uint32_t number)
{
    worker *w = context;
    flights *own = flights_of(w);
    if (!own)
        _exit(MZ_EXIT_INTERNAL);
    own[number].flight.steps = own[number].stuck_way.steps = 0;
    mz_native_record(w->machine, &own[number].flight);
    mz_native_go_on(w->machine, &own[number].stuck_way);
}

static void succeed(void *context)
{
    worker *w = context;
    mz_native_record(w->machine, &w->shared->flight);
    mz_native_go_on(w->machine, &w->shared->stuck_way);
}

static void testify(void *context, mz_bytes *out)
{
    const worker *w = context;
    mz_native_testify(w->machine, out);
}

static bool hear(void *context, uint32_t number, mz_byte_reader *testimony)
{
    worker *w = context;
    bool is_first = !mz_native_stuck(w->machine);
    bool heard = mz_native_hear(w->machine, testimony);
    if (number == MZ_POOL_NOBODY)
        return heard;
    if (is_first && mz_native_stuck(w->machine))
        w->shared->stuck_way = w->flights[number].stuck_way;
    w->shared->flight.too_many_threads |= w->flights[number].flight.too_many_threads;
    w->shared->flight.pulse++;
    return heard;
}

static bool is_stuck(void *context, uint32_t number, pid_t process)
{
    worker *w = context;
    flights *f = &w->flights[number];
    w->shared->flight.pulse++; /* we are not */
    return mz_is_without_life(process, f->flight.pulse, &f->pulse, &f->last_sign);
}

static void end_like(void *context, uint32_t number, bool was_stuck)
{
    worker *w = context;
    bool too_many_threads = w->shared->flight.too_many_threads;
    w->shared->flight = w->flights[number].flight;
    w->shared->flight.too_many_threads |= too_many_threads;
    w->shared->was_stuck = was_stuck;
}

/* A thread that was left, and more threads than there is room for: the supervisor looks at the flight. */
static bool is_for_home(void *context)
{
    const worker *w = context;
    return mz_native_stuck(w->machine) || w->shared->flight.too_many_threads;
}

static void begin(worker *w)
{
    mz_limits *limits = &w->settings.search.limits;
    w->algorithm = w->job->algorithm;
    w->memory = w->settings.search.memory;
    mz_algorithm_prepare(w->algorithm, w->machine, w->settings.search.relation, w->memory);
    w->machine->is_told_of_orders = may_find_memory(&w->settings, w->algorithm);
    mz_native_record(w->machine, &w->shared->flight);
    mz_native_go_on(w->machine, &w->shared->stuck_way);
    mz_native_set_deadline(w->machine, mz_check_deadline(w->job));
    mz_native_limit_steps(w->machine, limits->depth);
    if (limits->seconds == 0)
        limits->stuck = MOST_STUCK;
    limits->longest = limits->depth;
    limits->depth *= 2; /* the others may go on */
}

/* ---- what came of it ------------------------------------------------------------------------------------
 */

/* What happened in all executions, unless one of them is told anyway. */
static void note_executions(mz_result *result, mz_machine *machine, bool complete)
{
    static const char *lines[MZ_NATIVE_NOTES + 1];
    static uint8_t statuses[256];
    mz_report *r = &result->report;
    r->exit_statuses = statuses;
    r->exit_status_count = mz_native_exit_statuses(machine, statuses);
    if (r->error_count > 0)
        return;
    bool alone = r->thread_count <= 1, apart = result->search.statistics.events == 0;
    r->notes = lines;
    bool safe = r->verdict == MZ_SAFE;
    r->note_count = mz_native_notes(machine, safe && complete, lines);
    if (safe && (alone || apart))
        lines[r->note_count++] = alone ? "only one thread ran: there was nothing to interleave"
                                       : "no two threads used the same memory at the same time: there was "
                                         "nothing to interleave";
}

/* Executions were cut: not all is verified. */
static void note_cut(worker *w, const mz_text *cut)
{
    mz_report *r = &w->result->report;
    mz_text *reason = &w->result->search.reason;
    bool unsafe = r->verdict == MZ_UNSAFE;
    if (cut->length == 0 || (unsafe && !w->settings.search.all_errors))
        return;
    r->bounded = false;
    if (!unsafe) /* otherwise there may be more errors than were found */
        r->verdict = MZ_INCOMPLETE;
    r->share_done = 0;
    if (strstr(mz_text_string(cut), mz_text_string(reason)))
        mz_text_clear(reason); /* it is told once more */
    mz_text_add(reason, "%s%s", reason->length > 0 ? "; " : "", mz_text_string(cut));
}

static void report(worker *w)
{
    mz_report *r = &w->result->report;
    const mz_client_plan *clients = w->settings.clients;
    size_t most = MZ_NATIVE_ASSUMPTIONS + w->settings.suppressions.count + MZ_CLIENT_ASSUMPTIONS;
    const char **lines = mz_allocate(most * sizeof *lines);
    mz_text *reason = &w->result->search.reason, cut = {0};
    if (w->result->search.is_vacuous)
        mz_text_add(reason, "%s", mz_text_string(&w->tried));
    w->shared->nondet_low = w->settings.nondet_low;
    w->shared->nondet_high = w->settings.nondet_high;
    r->warnings = mz_native_warnings(w->machine, &r->warning_count);
    r->assumption_count = mz_native_assumptions(w->machine, lines, most);
    for (size_t i = 0; clients && i < clients->assumption_count; i++)
        lines[r->assumption_count++] = clients->assumptions[i];
    r->assumptions = lines;
    r->numbers = mz_native_numbers(w->machine);
    mz_native_incomplete(w->machine, &cut);
    note_executions(w->result, w->machine, cut.length == 0);
    note_cut(w, &cut);
    r->reason = mz_text_string(reason);
    w->shared->gave_up = w->result->search.gave_up;
    bool worth_telling = w->shared->stuck_way.steps <= MZ_MOST_STEPS_TOLD;
    if (mz_native_stuck(w->machine) && worth_telling && r->verdict == MZ_INCOMPLETE)
        w->shared->stuck = mz_share_text(w->shared, mz_native_stuck(w->machine));
    mz_share_report(w->shared, r);
}

/* ---- clients of a library -------------------------------------------------------------------------------
 */

static void move(void *context, mz_shared *shared)
{
    worker *w = context;
    w->shared = shared;
    w->flights = NULL; /* those of the process from which this one comes are no longer of interest */
    mz_native_record(w->machine, &shared->flight);
    mz_native_go_on(w->machine, &shared->stuck_way);
}

static void finish(void *context)
{
    worker *w = context;
    mz_story_tell(w->result, w->machine, mz_check_deadline(w->job));
    if (w->result->report.error_count > 0)
        mz_share_sources(w->machine, w->shared);
    report(w);
}

static void check_clients(worker *w)
{
    mz_client_host host = {.worker = w,
                           .settings = &w->settings,
                           .machine = w->machine,
                           .shared = w->shared,
                           .result = w->result,
                           .search = search,
                           .move = move,
                           .finish = finish,
                           .refused = &w->refused,
                           .deadline = mz_check_deadline(w->job)};
    mz_client_plan *p = w->settings.clients;
    if (w->settings.coverage)
        mz_native_cover(w->machine);
    if (!w->settings.resumed)
        mz_native_prepare(w->machine);
    mz_clients_begin(p, &w->settings, w->machine);
    w->refused |= mz_crew_check(&host, &w->saving);
    if (p->specification)
        mz_specification_end(p->specification);
}

/* What prepares a search does not forget what is known. */
static bool prepare_with(mz_machine *machine, const mz_bytes *lessons)
{
    mz_native_prepare(machine);
    return mz_native_set_lessons(machine, lessons);
}

/* What was learned stands in the checkpoint. False if that does not fit. */
static bool remember(worker *w)
{
    const mz_checkpoint *c = w->settings.resumed;
    if (!mz_native_set_thread_paths(w->machine, mz_text_string(&c->threads)) ||
        !mz_native_set_knowledge(w->machine, mz_text_string(&c->places)) ||
        !prepare_with(w->machine, &c->lessons)) {
        snprintf(w->shared->message, sizeof w->shared->message,
                 "%s: what was learned about the program does not fit it", c->path);
        w->refused = true;
    }
    return !w->refused;
}

/* If there is more to learn all the same, the search begins again. False if there is no checkpoint. */
static bool resumes(worker *w)
{
    if (!w->settings.resumed)
        return false;
    if (remember(w))
        mz_learn(w->machine, mz_native_prepare, true, search_on, w);
    return true;
}

/* What it allocates goes with the process. */
void mz_worker_check(const void *context, mz_shared *shared)
{
    const mz_check_job *j = context;
    worker w = {.job = j, .shared = shared, .settings = *j->settings};
    w.result = mz_allocate_zeroed(1, sizeof *w.result);
    w.pool = (mz_pool_program){&w,   before_workers, begin_worker, succeed,    testify,
                               hear, is_stuck,       end_like,     is_for_home};
    mz_error error = {0};
    uint32_t askers = j->settings->jobs > 0 ? j->settings->jobs : mz_processors(); /* and this process */
    if (w.settings.clients && !mz_clients_specify(w.settings.clients, j->settings, askers + 1, &error)) {
        mz_share_refusal(shared, &error);
        return;
    }
    w.machine = mz_native_load(j->settings, j->compiled, shared);
    if (!w.machine)
        return;
    begin(&w);
    w.saving = (mz_saving){.settings = j->settings,
                           .program = j->program,
                           .compiler = j->compiled->compiler_version,
                           .machine = w.machine,
                           .compiled = j->compiled,
                           .algorithm = j->algorithm};
    if (w.settings.clients) {
        if (!w.settings.resumed || remember(&w))
            check_clients(&w);
    } else if (!resumes(&w)) {
        bool in_stages =
            mz_prepare_and_look(w.machine, !w.settings.search.all_errors, &shared->flight.too_many_threads);
        if (!in_stages || !found_in_stages(&w))
            search_all(&w, !in_stages);
    }
    if (!w.refused)
        finish(&w);
}
