#include "pool/harvest.h"

#include <string.h>

#include "base/memory.h"

void mz_harvest_release(mz_harvest *h)
{
    for (size_t i = 0; i < h->problem_count; i++)
        mz_problem_release(&h->problems[i]);
    mz_release(h->problems);
    mz_unasked_release(&h->unasked);
    mz_text_release(&h->reason);
    mz_text_release(&h->found_by);
    mz_hash_set_release(&h->traces);
    *h = (mz_harvest){0};
}

/* ---- from searches, and back ----------------------------------------------------------------------------
 */

void mz_harvest_take(mz_harvest *h, mz_search *s)
{
    *h = (mz_harvest){.statistics = s->statistics,
                      .stuck = s->stuck,
                      .stopped = s->stop,
                      .incomplete = s->incomplete,
                      .gave_up = s->gave_up,
                      .pruned_at_end = s->pruned_at_end,
                      .is_finer = s->is_finer,
                      .internal_error = s->internal_error,
                      .reason = s->reason,
                      .found_by = s->found_by,
                      .problems = s->problems,
                      .problem_count = s->problem_count,
                      .problem_capacity = s->problem_capacity,
                      .unasked = s->unasked,
                      .traces = s->visited};
    h->statistics.events -= s->passed_events;
    h->statistics.dependency_checks -= s->passed_checks;
    s->reason = s->found_by = (mz_text){0};
    s->visited = (mz_hash_set){0};
    s->problems = NULL;
    s->problem_count = s->problem_capacity = 0;
    s->unasked = (mz_unasked){0};
}

void mz_harvest_goes_on(mz_harvest *h)
{
    h->stopped = h->incomplete = false;
    mz_text_clear(&h->reason);
}

void mz_harvest_give(mz_harvest *h, mz_search *s)
{
    mz_harvest old;
    mz_harvest_take(&old, s);
    mz_harvest_release(&old);
    s->statistics = h->statistics;
    s->passed_events = s->passed_checks = 0;
    s->stuck = h->stuck;
    s->stop = h->stopped;
    s->incomplete = h->incomplete;
    s->gave_up = h->gave_up;
    s->pruned_at_end = h->pruned_at_end;
    s->is_finer = h->is_finer;
    s->internal_error = h->internal_error;
    s->reason = h->reason;
    s->found_by = h->found_by;
    s->visited = h->traces;
    s->problems = h->problems;
    s->problem_count = h->problem_count;
    s->problem_capacity = h->problem_capacity;
    s->unasked = h->unasked;
    *h = (mz_harvest){0};
}

/* ---- one after the other --------------------------------------------------------------------------------
 */

/* An error is told once, as it was found first. */
static void add_problem(mz_harvest *h, mz_problem *problem)
{
    for (size_t i = 0; i < h->problem_count; i++)
        if (mz_failure_repeated(&h->problems[i].failure, &problem->failure)) {
            h->problems[i].occurrences += problem->occurrences;
            mz_problem_release(problem);
            return;
        }
    h->problems = mz_grow(h->problems, &h->problem_capacity, h->problem_count + 1, sizeof *h->problems);
    h->problems[h->problem_count++] = *problem;
}

static void add_unasked(mz_unasked *u, mz_failure *failure)
{
    for (size_t i = 0; i < u->count; i++)
        if (mz_failure_same(&u->failures[i], failure)) {
            mz_failure_release(failure);
            return;
        }
    if (u->count < MZ_MOST_UNASKED) {
        u->failures[u->count++] = *failure;
    } else {
        u->more = true;
        mz_failure_release(failure);
    }
}

/* Those that were met before are repeated ones. */
static void add_traces(mz_harvest *h, const mz_hash_set *later)
{
    uint64_t again = 0;
    if (h->traces.count == 0 && later->count == 0)
        return;
    for (const mz_hash *trace = NULL; (trace = mz_map_next(later, sizeof *trace, trace));)
        again += !mz_hash_set_add(&h->traces, *trace);
    h->statistics.traces -= again;
    h->statistics.repeated += again;
}

void mz_harvest_add(mz_harvest *h, mz_harvest *later)
{
#define MZ_X(field, key, label) h->statistics.field += later->statistics.field;
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    add_traces(h, &later->traces);
    h->stuck += later->stuck;
    if (!h->incomplete && later->incomplete) {
        mz_text_release(&h->reason);
        h->reason = later->reason;
        later->reason = (mz_text){0};
    }
    if (h->found_by.length == 0 && h->problem_count == 0)
        mz_text_add(&h->found_by, "%s", mz_text_string(&later->found_by));
    h->stopped |= later->stopped;
    h->incomplete |= later->incomplete;
    h->gave_up |= later->gave_up;
    h->pruned_at_end |= later->pruned_at_end;
    h->is_finer |= later->is_finer;
    h->internal_error |= later->internal_error;
    h->lost |= later->lost;
    for (size_t i = 0; i < later->problem_count; i++)
        add_problem(h, &later->problems[i]);
    later->problem_count = 0;
    for (size_t i = 0; i < later->unasked.count; i++)
        add_unasked(&h->unasked, &later->unasked.failures[i]);
    h->unasked.more |= later->unasked.more;
    later->unasked.count = 0;
    mz_harvest_release(later);
}

/* ---- as bytes -------------------------------------------------------------------------------------------
 */

static void write_text(const char *text, mz_bytes *out)
{
    size_t length = text ? strlen(text) : 0;
    mz_bytes_add_number(out, text ? length + 1 : 0);
    mz_bytes_add(out, text, length);
}

/* Of the arena; NULL if there is none. */
static const char *read_name(mz_byte_reader *r, mz_arena *names)
{
    size_t length = mz_read_count(r); /* one more than it has, and a byte follows in any case */
    if (r->failed || length == 0)
        return NULL;
    char *name = mz_arena_allocate(names, length);
    mz_read_bytes(r, name, length - 1);
    return name;
}

static char *read_string(mz_byte_reader *r)
{
    size_t length = mz_read_count(r);
    if (r->failed || length == 0)
        return NULL;
    char *string = mz_allocate_zeroed(length, 1);
    mz_read_bytes(r, string, length - 1);
    return string;
}

static void read_text(mz_byte_reader *r, mz_text *text)
{
    char *string = read_string(r);
    if (string)
        mz_text_add(text, "%s", string);
    mz_release(string);
}

static void write_position(const mz_position *position, mz_bytes *out)
{
    write_text(position->file, out);
    mz_bytes_add_number(out, position->line);
    mz_bytes_add_number(out, position->column);
}

static mz_position read_position(mz_byte_reader *r, mz_arena *names)
{
    mz_position position = {.file = read_name(r, names)};
    position.line = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    position.column = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    return position;
}

static void write_failure(const mz_failure *failure, mz_bytes *out)
{
    mz_bytes_add_number(out, failure->kind);
    mz_bytes_add_number(out, failure->thread);
    write_position(&failure->position, out);
    write_position(&failure->other, out);
    write_text(mz_text_string(&failure->message), out);
}

static void read_failure(mz_byte_reader *r, mz_failure *failure, mz_arena *names)
{
    failure->kind = (mz_failure_kind)mz_read_number_to(r, MZ_FAILURE_KIND_COUNT - 1);
    failure->thread = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    failure->position = read_position(r, names);
    failure->other = read_position(r, names);
    read_text(r, &failure->message);
}

static void write_choice(const mz_choice *choice, mz_bytes *out)
{
    mz_bytes_add_signed(out, choice->value);
    mz_bytes_add_signed(out, choice->low);
    mz_bytes_add_signed(out, choice->high);
    mz_bytes_add_number(out, choice->place);
    write_text(choice->name, out);
}

static void read_choice(mz_byte_reader *r, mz_choice *choice, mz_arena *names)
{
    choice->value = mz_read_signed(r);
    choice->low = mz_read_signed(r);
    choice->high = mz_read_signed(r);
    choice->place = (uintptr_t)mz_read_number(r);
    choice->name = read_name(r, names);
}

static void write_step(const mz_witness_step *step, mz_bytes *out)
{
    mz_bytes_add_number(out, step->thread);
    write_text(step->text, out);
    write_text(step->effect, out);
    write_position(&step->position, out);
    mz_bytes_add_number(out, step->first_choice);
    mz_bytes_add_number(out, step->choice_count);
}

static void read_step(mz_byte_reader *r, mz_witness_step *step, size_t choices, mz_arena *names)
{
    step->thread = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    step->text = read_string(r);
    step->effect = read_string(r);
    step->position = read_position(r, names);
    step->first_choice = mz_read_number_to(r, choices);
    step->choice_count = mz_read_number_to(r, choices - step->first_choice);
}

static void write_problem(const mz_problem *problem, mz_bytes *out)
{
    write_failure(&problem->failure, out);
    mz_bytes_add_number(out, problem->occurrences);
    mz_bytes_add_number(out, problem->original_steps);
    mz_bytes_add_number(out, problem->context_switches);
    mz_bytes_add_number(out, problem->unreplayed);
    mz_bytes_add_number(out, problem->choice_count);
    for (size_t i = 0; i < problem->choice_count; i++)
        write_choice(&problem->choices[i], out);
    mz_bytes_add_number(out, problem->initial_choices);
    mz_bytes_add_number(out, problem->step_count);
    for (size_t i = 0; i < problem->step_count; i++)
        write_step(&problem->steps[i], out);
}

static void read_problem(mz_byte_reader *r, mz_problem *problem, mz_arena *names)
{
    *problem = (mz_problem){0};
    read_failure(r, &problem->failure, names);
    problem->occurrences = mz_read_number(r);
    problem->original_steps = mz_read_number(r);
    problem->context_switches = mz_read_number(r);
    problem->unreplayed = mz_read_number_to(r, 1);
    problem->choice_count = mz_read_count(r);
    problem->choices = mz_allocate_zeroed(problem->choice_count, sizeof *problem->choices);
    for (size_t i = 0; i < problem->choice_count && !r->failed; i++)
        read_choice(r, &problem->choices[i], names);
    problem->initial_choices = mz_read_number_to(r, problem->choice_count);
    problem->step_count = mz_read_count(r);
    problem->steps = mz_allocate_zeroed(problem->step_count, sizeof *problem->steps);
    for (size_t i = 0; i < problem->step_count && !r->failed; i++)
        read_step(r, &problem->steps[i], problem->choice_count, names);
}

/* One bit for each: they stand in the same order where they are read. */
static uint64_t flags_of(const mz_harvest *h)
{
    const bool flags[] = {h->stopped,  h->incomplete,     h->gave_up, h->pruned_at_end,
                          h->is_finer, h->internal_error, h->lost,    h->unasked.more};
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        bits |= (uint64_t)flags[i] << i;
    return bits;
}

static void set_flags(mz_harvest *h, uint64_t bits)
{
    bool *const flags[] = {&h->stopped,  &h->incomplete,     &h->gave_up, &h->pruned_at_end,
                           &h->is_finer, &h->internal_error, &h->lost,    &h->unasked.more};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = bits >> i & 1;
}

void mz_harvest_write(const mz_harvest *h, mz_bytes *out)
{
#define MZ_X(field, key, label) mz_bytes_add_number(out, h->statistics.field);
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    mz_bytes_add_number(out, h->stuck);
    mz_bytes_add_number(out, flags_of(h));
    write_text(mz_text_string(&h->reason), out);
    mz_bytes_add_number(out, h->problem_count);
    for (size_t i = 0; i < h->problem_count; i++)
        write_problem(&h->problems[i], out);
    mz_bytes_add_number(out, h->unasked.count);
    for (size_t i = 0; i < h->unasked.count; i++)
        write_failure(&h->unasked.failures[i], out);
    write_text(mz_text_string(&h->found_by), out);
    mz_bytes_add_number(out, h->traces.count);
    for (const mz_hash *trace = NULL; (trace = mz_map_next(&h->traces, sizeof *trace, trace));)
        mz_bytes_add(out, trace, sizeof *trace);
}

bool mz_harvest_read(mz_byte_reader *r, mz_harvest *h, mz_arena *names)
{
    *h = (mz_harvest){0};
#define MZ_X(field, key, label) h->statistics.field = mz_read_number(r);
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    h->stuck = mz_read_number(r);
    set_flags(h, mz_read_number_to(r, 255));
    read_text(r, &h->reason);
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        h->problems = mz_grow(h->problems, &h->problem_capacity, h->problem_count + 1, sizeof *h->problems);
        read_problem(r, &h->problems[h->problem_count++], names);
    }
    for (size_t count = mz_read_number_to(r, MZ_MOST_UNASKED); count > 0 && !r->failed; count--) {
        h->unasked.failures[h->unasked.count] = (mz_failure){0};
        read_failure(r, &h->unasked.failures[h->unasked.count++], names);
    }
    read_text(r, &h->found_by);
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_hash trace = {0};
        mz_read_bytes(r, &trace, sizeof trace);
        mz_hash_set_add(&h->traces, trace);
    }
    if (r->failed)
        mz_harvest_release(h);
    return !r->failed;
}
