/* What a search has found, as bytes: from one process to another, and in files. */
#include <string.h>

#include "base/memory.h"
#include "pool/harvest.h"

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

static void read_text(mz_byte_reader *r, mz_text *text)
{
    char *string = mz_read_string(r);
    if (string)
        mz_text_add(text, "%s", string);
    mz_release(string);
}

static void write_position(const mz_position *position, mz_bytes *out)
{
    mz_bytes_add_string(out, position->file);
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
    mz_bytes_add_string(out, mz_text_string(&failure->message));
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
    mz_bytes_add_string(out, choice->name);
}

static void read_choice(mz_byte_reader *r, mz_choice *choice, mz_arena *names)
{
    choice->value = mz_read_signed(r);
    choice->low = mz_read_signed(r);
    choice->high = mz_read_signed(r);
    choice->place = (uintptr_t)mz_read_number(r);
    choice->name = read_name(r, names);
}

/* What the program calls its threads. */
static void write_threads(const mz_problem *problem, mz_bytes *out)
{
    mz_bytes_add_number(out, problem->thread_count);
    for (uint32_t t = 0; t < problem->thread_count; t++)
        mz_bytes_add_string(out, problem->threads[t]);
}

static void write_step(const mz_witness_step *step, mz_bytes *out)
{
    mz_bytes_add_number(out, step->thread);
    mz_bytes_add_string(out, step->text);
    mz_bytes_add_string(out, step->effect);
    mz_bytes_add_string(out, step->values);
    write_position(&step->position, out);
    mz_bytes_add_number(out, step->first_choice);
    mz_bytes_add_number(out, step->choice_count);
}

static void read_step(mz_byte_reader *r, mz_witness_step *step, size_t choices, mz_arena *names)
{
    step->thread = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    step->text = mz_read_string(r);
    step->effect = mz_read_string(r);
    step->values = mz_read_string(r);
    step->position = read_position(r, names);
    step->first_choice = mz_read_number_to(r, choices);
    step->choice_count = mz_read_number_to(r, choices - step->first_choice);
}

static void read_threads(mz_byte_reader *r, mz_problem *problem)
{
    problem->thread_count = (uint32_t)mz_read_count(r);
    problem->threads = mz_allocate_zeroed(problem->thread_count, sizeof *problem->threads);
    for (uint32_t t = 0; t < problem->thread_count; t++)
        problem->threads[t] = mz_read_string(r);
}

static void write_moment(const mz_moment *moment, mz_bytes *out)
{
    mz_bytes_add_number(out, moment->after);
    mz_bytes_add_number(out, moment->is_end);
    mz_bytes_add_number(out, moment->thread);
    mz_bytes_add_string(out, moment->text);
    mz_bytes_add_string(out, moment->effect);
    write_position(&moment->position, out);
}

static void read_moment(mz_byte_reader *r, mz_moment *moment, size_t steps, mz_arena *names)
{
    moment->after = mz_read_number_to(r, steps);
    moment->is_end = mz_read_number_to(r, 1);
    moment->thread = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    moment->text = mz_read_string(r);
    moment->effect = mz_read_string(r);
    moment->position = read_position(r, names);
}

/* What is to be seen beside the steps. (With which step it was decided is found out at the very end.) */
static void write_surroundings(const mz_problem *problem, mz_bytes *out)
{
    write_threads(problem, out);
    mz_bytes_add_number(out, problem->moment_count);
    for (size_t i = 0; i < problem->moment_count; i++)
        write_moment(&problem->moments[i], out);
    mz_bytes_add_number(out, problem->link_count);
    for (size_t i = 0; i < problem->link_count; i++) {
        mz_bytes_add_number(out, problem->links[i].from);
        mz_bytes_add_number(out, problem->links[i].to);
    }
}

static void read_surroundings(mz_byte_reader *r, mz_problem *problem, mz_arena *names)
{
    read_threads(r, problem);
    problem->moment_count = problem->moment_capacity = mz_read_count(r);
    problem->moments = mz_allocate_zeroed(problem->moment_count, sizeof *problem->moments);
    for (size_t i = 0; i < problem->moment_count && !r->failed; i++)
        read_moment(r, &problem->moments[i], problem->step_count, names);
    problem->link_count = mz_read_count(r);
    problem->links = mz_allocate_zeroed(problem->link_count, sizeof *problem->links);
    for (size_t i = 0; i < problem->link_count && !r->failed; i++) {
        problem->links[i].from = (uint32_t)mz_read_number_to(r, UINT32_MAX);
        problem->links[i].to = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    }
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
    write_surroundings(problem, out);
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
    read_surroundings(r, problem, names);
}

/* One bit for each: they stand in the same order where they are read. */
static uint64_t flags_of(const mz_harvest *h)
{
    const bool flags[] = {h->stopped,        h->incomplete, h->gave_up,      h->pruned_at_end, h->is_finer,
                          h->internal_error, h->lost,       h->unasked.more, h->narrowed};
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        bits |= (uint64_t)flags[i] << i;
    return bits;
}

static void set_flags(mz_harvest *h, uint64_t bits)
{
    bool *const flags[] = {&h->stopped,       &h->incomplete,   &h->gave_up,
                           &h->pruned_at_end, &h->is_finer,     &h->internal_error,
                           &h->lost,          &h->unasked.more, &h->narrowed};
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
    mz_bytes_add_number(out, h->refined);
    mz_bytes_add_string(out, mz_text_string(&h->reason));
    mz_bytes_add_number(out, h->problem_count);
    for (size_t i = 0; i < h->problem_count; i++)
        write_problem(&h->problems[i], out);
    mz_bytes_add_number(out, h->unasked.count);
    for (size_t i = 0; i < h->unasked.count; i++)
        write_failure(&h->unasked.failures[i], out);
    mz_bytes_add_string(out, mz_text_string(&h->found_by));
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
    set_flags(h, mz_read_number_to(r, 511));
    h->refined = (mz_relation)mz_read_number_to(r, MZ_RELATION_FINEST);
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
