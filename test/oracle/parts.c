#include "oracle/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "machine/identity.h"
#include "search/frontier.h"

/* What searches have visited. */
typedef struct visited {
    mz_text identity; /* of the execution at hand */
    string_set traces, blocked, problems;
    uint64_t complete, repeated, executions;
    uint64_t pause_after;
    int how;
    mz_equivalence equivalence;
    bool begins_again; /* the machine has learned something */
} visited;

/* As bytes: so many are written that formats would take most of the time. */
static void add_number(mz_text *out, uint32_t number)
{
    mz_text_add_bytes(out, (const char *)&number, sizeof number);
}

/* Who reads from which write, thread by thread. */
static void write_reads(const mz_execution *x, mz_text *out)
{
    for (size_t i = 0; i < x->initial_choices; i++)
        mz_text_add(out, "!%lld ", (long long)x->choices[i].value);
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++) {
        add_number(out, x->thread_length[thread]);
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            const mz_event *event = &x->events[mz_position_of(x, thread, index)];
            add_number(out, event->access_count);
            add_number(out, event->choice_count);
            for (uint32_t a = 0; a < event->access_count; a++) {
                const mz_access_record *record = &x->records[event->first_access + a];
                const mz_event *from = record->previous_write == MZ_NONE || !(record->access.kind & MZ_READ)
                                           ? NULL
                                           : &x->events[x->records[record->previous_write].event];
                add_number(out, record->access.location);
                add_number(out, record->access.kind);
                add_number(out, from ? from->thread : 0);
                add_number(out, from ? from->index : 0);
            }
            for (uint32_t i = 0; i < event->choice_count; i++)
                mz_text_add(out, " !%lld", (long long)x->choices[event->first_choice + i].value);
        }
    }
}

static void observe(void *context, mz_search *s, mz_leaf leaf)
{
    visited *v = context;
    mz_text *identity = &v->identity;
    mz_text_clear(identity);
    if (v->equivalence == MZ_OBSERVATION)
        write_reads(s->execution, identity);
    else
        mz_identity_write(s->execution, identity);
    for (size_t i = 0; v->equivalence == MZ_INTERLEAVING && i < s->execution->length; i++)
        add_number(identity, s->execution->events[i].thread);
    if (leaf == MZ_LEAF_BLOCKED || leaf == MZ_LEAF_VISITED) {
        string_set_add(&v->blocked, mz_text_string(identity), identity->length);
    } else {
        mz_text_add_bytes(identity, "pruned", leaf == MZ_LEAF_PRUNED ? strlen("pruned") : 0);
        v->complete++;
        v->repeated += !string_set_add(&v->traces, mz_text_string(identity), identity->length);
    }
    if (++v->executions == v->pause_after)
        s->pause = v->how;
}

static void forget(visited *v)
{
    string_set_release(&v->traces);
    string_set_release(&v->blocked);
    string_set_release(&v->problems);
    v->traces = v->blocked = v->problems = (string_set){0};
    v->complete = v->repeated = 0;
}

static void note_problems(visited *v, const mz_search *s)
{
    for (size_t i = 0; i < s->problem_count; i++) {
        const mz_failure *failure = &s->problems[i].failure;
        mz_text name = {0};
        mz_text_add(&name, "%d %u %u", (int)failure->kind, failure->position.line, failure->position.column);
        string_set_add(&v->problems, mz_text_string(&name), name.length);
        mz_text_release(&name);
    }
}

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return mz_mix64(*random) % below;
}

static size_t missing(const string_set *from, const string_set *in)
{
    size_t count = 0;
    for (size_t i = 0; i < from->capacity; i++)
        count += from->strings[i] && !string_set_has(in, from->strings[i], from->lengths[i]);
    return count;
}

/* The frontier, written and read; and damaged in between, at a place that is drawn: refused. */
static bool write_and_read(mz_frontier *f, uint64_t *random, parts_tally *t, mz_text *wrong)
{
    mz_bytes bytes = {0};
    mz_frontier copy, damaged;
    mz_frontier_write(f, &bytes);
    mz_byte_reader r = {.data = bytes.data, .length = bytes.length};
    bool good = mz_frontier_read(&r, &copy) && r.at == bytes.length && copy.count == f->count;
    if (!good)
        mz_text_add(wrong, "  the frontier is not read back\n");
    size_t at = draw(random, bytes.length);
    bytes.data[at] ^= (uint8_t)(1 + draw(random, 255));
    r = (mz_byte_reader){.data = bytes.data, .length = bytes.length};
    if (mz_frontier_read(&r, &damaged)) {
        mz_text_add(wrong, "  a damaged frontier is read\n");
        mz_frontier_release(&damaged);
    }
    r = (mz_byte_reader){.data = bytes.data, .length = at};
    if (mz_frontier_read(&r, &damaged)) {
        mz_text_add(wrong, "  half a frontier is read\n");
        mz_frontier_release(&damaged);
    }
    t->damaged += 2;
    mz_bytes_release(&bytes);
    if (good) {
        mz_frontier_release(f);
        *f = copy;
    }
    return good;
}

/* One item in a search of its own, which may be interrupted again: the later, the more items there were.
 * Large programs would be cut into thousands of items otherwise, which show nothing that dozens do not. */
static void explore_one(mz_frontier *f, mz_machine *machine, const mz_algorithm *algorithm,
                        const mz_search_options *options, size_t so_far, uint64_t *random, visited *v,
                        parts_tally *t, mz_text *wrong)
{
    uint64_t epoch = f->epoch;
    mz_search search;
    mz_search_options own = *options;
    mz_work_item item = mz_frontier_take(f, draw(random, f->count));
    v->how = draw(random, 3) ? MZ_PAUSE_DISSOLVE : MZ_PAUSE_SPLIT;
    v->pause_after = draw(random, 4) ? v->executions + 1 + draw(random, 6 + so_far) : 0;
    if (draw(random, 4) == 0) /* in the middle of an execution; words are not counted event by event */
        own.limits.events = 1 + item.prefix.length + draw(random, 40 * (1 + so_far));
    mz_search_init(&search, machine, &own);
    search.observe = observe;
    search.observe_context = v;
    mz_frontier_explore(f, &search, algorithm->run, &item);
    if (f->refused.length > 0)
        mz_text_add(wrong, "  an item is refused: %s\n", mz_text_string(&f->refused));
    if (search.internal_error)
        mz_text_add(wrong, "  a counterexample does not replay\n");
    note_problems(v, &search);
    v->begins_again |= search.begin_again;
    if (f->epoch != epoch) {
        forget(v);
        t->epochs++;
    }
    t->items++;
    mz_search_release(&search);
    mz_work_item_release(&item);
}

static void run_in_parts(mz_machine *machine, const mz_algorithm *algorithm, const mz_search_options *options,
                         uint64_t *random, visited *v, parts_tally *t, mz_text *wrong)
{
    enum { MOST_ITEMS = 20000 };
    mz_frontier f;
    size_t before = t->items;
    mz_frontier_begin(&f);
    while (f.count > 0 && wrong->length == 0 && !f.lost && t->items - before < MOST_ITEMS) {
        explore_one(&f, machine, algorithm, options, t->items - before, random, v, t, wrong);
        if (f.count > 0 && draw(random, 4) == 0)
            write_and_read(&f, random, t, wrong);
    }
    if (f.lost)
        mz_text_add(wrong, "  it is not known what waits\n");
    if (f.count > 0 && wrong->length == 0)
        mz_text_add(wrong, "  there is no end of items\n");
    t->whole += t->items - before == 1;
    mz_frontier_release(&f);
}

static bool run_in_one_go(mz_machine *machine, const mz_algorithm *algorithm,
                          const mz_search_options *options, visited *v)
{
    mz_search search;
    mz_search_init(&search, machine, options);
    search.options.limits.events = 100000;
    search.observe = observe;
    search.observe_context = v;
    algorithm->run(&search);
    bool done = !search.stop && !search.begin_again;
    done |= options->bounds_preemptions && strstr(mz_text_string(&search.reason), "--preemptions");
    done |= options->bounds_delays && strstr(mz_text_string(&search.reason), "--delays");
    note_problems(v, &search);
    v->begins_again |= search.begin_again;
    mz_search_release(&search);
    return done;
}

static void compare(const mz_algorithm *algorithm, bool once, bool may_give_up, const visited *whole,
                    const visited *parts, mz_text *wrong)
{
    size_t missed = missing(&whole->traces, &parts->traces), more = missing(&parts->traces, &whole->traces);
    if (missed)
        mz_text_add(wrong, "  %zu of %zu traces missed\n", missed, whole->traces.count);
    if (more)
        mz_text_add(wrong, "  %zu traces that one search does not visit\n", more);
    if (once && (parts->repeated != whole->repeated || parts->complete != whole->complete))
        mz_text_add(wrong, "  %llu traces instead of %llu, %llu of them again, not %llu\n",
                    (unsigned long long)parts->complete, (unsigned long long)whole->complete,
                    (unsigned long long)parts->repeated, (unsigned long long)whole->repeated);
    if (missing(&whole->problems, &parts->problems) || missing(&parts->problems, &whole->problems))
        mz_text_add(wrong, "  other errors\n");
    /* where it gives up it is `source`, whose blocked executions depend on the order */
    if (algorithm->optimal && !may_give_up && parts->blocked.count > whole->blocked.count)
        mz_text_add(wrong, "  executions blocked\n");
}

bool parts_try(mz_machine *machine, const mz_algorithm *algorithm, const mz_search_options *options,
               uint64_t seed, parts_tally *t, mz_text *problem)
{
    visited whole = {.equivalence = algorithm->equivalence}, parts = {.equivalence = algorithm->equivalence};
    mz_text wrong = {0};
    uint64_t random = seed;
    bool once = !algorithm->repeats || options->sleep_sets, by_observation = machine->by_observation;
    bool done = run_in_one_go(machine, algorithm, options, &whole);
    if (done) {
        run_in_parts(machine, algorithm, options, &random, &parts, t, &wrong);
        t->runs++;
        t->traces += parts.complete;
    }
    machine->by_observation = by_observation;
    bool settled = !whole.begins_again && !parts.begins_again;
    if (done && settled)
        compare(algorithm, once, machine->crowd_blocking, &whole, &parts, &wrong);
    if (settled && wrong.length > 0)
        mz_text_add(problem, "%s in parts:\n%s", algorithm->name, mz_text_string(&wrong));
    forget(&whole);
    forget(&parts);
    mz_text_release(&whole.identity);
    mz_text_release(&parts.identity);
    mz_text_release(&wrong);
    return settled;
}

void parts_add(parts_tally *t, const parts_tally *more)
{
    t->runs += more->runs;
    t->items += more->items;
    t->traces += more->traces;
    t->epochs += more->epochs;
    t->whole += more->whole;
    t->damaged += more->damaged;
}

void parts_print(const parts_tally *t)
{
    printf(
        "parts: %llu searches in %llu items (%llu traces), %llu epochs void, %llu in one piece, %llu damaged "
        "bytes refused\n",
        (unsigned long long)t->runs, (unsigned long long)t->items, (unsigned long long)t->traces,
        (unsigned long long)t->epochs, (unsigned long long)t->whole, (unsigned long long)t->damaged);
}
