#include "algo/sections/words.h"

#include "algo/sections/sections.h"
#include "base/memory.h"

static bool all_have_finished(const mz_search *s)
{
    const mz_status *status = s->machine->status;
    return !mz_threads_any(status->ready | status->blocked | status->failed | status->pruned);
}

/* ---- the first word --------------------------------------------------------------------------------- */

static void arrive(mz_search *s, size_t depth)
{
    const mz_machine *machine = s->machine;
    size_t bytes = machine->snapshot_bytes;
    s->nodes = mz_grow(s->nodes, &s->node_capacity, depth + 1, sizeof *s->nodes);
    s->nodes[depth] = (mz_node){.enabled = machine->status->ready};
    if (!machine->class->save || !mz_search_has_room(s, (depth + 1) * bytes))
        return;
    s->snapshots = mz_grow(s->snapshots, &s->snapshot_capacity, (depth + 1) * bytes, 1);
    machine->class->save(machine, s->snapshots + depth * bytes);
}

static void return_to(mz_search *s, size_t depth)
{
    const mz_machine_class *class = s->machine->class;
    if (class->restore)
        class->restore(s->machine, s->snapshots + depth * s->machine->snapshot_bytes);
    else
        class->rewind(s->machine, depth);
}

static bool step(mz_search *s, uint32_t thread)
{
    mz_machine *machine = s->machine;
    mz_operation executed;
    mz_choices_prescribe(&s->choices, NULL, 0);
    if (!mz_threads_has(machine->status->ready, thread) ||
        machine->class->step(machine, thread, &s->choices, &executed) != MZ_STEP_DONE ||
        s->choices.count > 0 || machine->begin_again)
        return false;
    mz_execution_push(s->execution, thread, &executed, &s->choices);
    return true;
}

/* Is the whole program a section? */
static bool run_first_word(mz_search *s, mz_section *c, bool short_section)
{
    mz_machine *machine = s->machine;
    mz_choices_prescribe(&s->choices, NULL, 0);
    if (machine->class->reset(machine, &s->choices) != MZ_STEP_DONE || s->choices.count > 0 ||
        machine->begin_again)
        return false;
    mz_execution_restart(s->execution, &s->choices);
    mz_section_begin(c, s, MZ_ALL_THREADS, short_section);
    arrive(s, 0);
    for (size_t depth = 0; mz_threads_any(machine->status->ready) && !s->stop; depth++) {
        uint32_t thread = mz_section_next(c, machine->status->ready);
        if (thread == MZ_NONE || depth + 1 == s->options.limits.depth || !step(s, thread) ||
            !mz_section_admit(c, s))
            return false;
        mz_search_count_events(s, 1);
        arrive(s, depth + 1);
    }
    return all_have_finished(s) && !s->stop;
}

/* ---- the others ------------------------------------------------------------------------------------- */

/* With the events in the execution, for who wants to see them. */
static bool run_openly(mz_search *s, const uint32_t *threads, uint32_t from, uint32_t to)
{
    while (s->execution->length > from)
        mz_execution_pop(s->execution);
    for (uint32_t i = from; i < to; i++)
        if (!step(s, threads[i]))
            return false;
    return true;
}

static bool run(mz_search *s, bool openly, const uint32_t *threads, uint32_t from, uint32_t to)
{
    if (openly)
        return run_openly(s, threads, from, to);
    mz_choices_prescribe(&s->choices, NULL, 0);
    return mz_machine_run(s->machine, threads + from, to - from, &s->choices) == to - from &&
           s->choices.count == 0;
}

/* Run the word from where it differs from the one before, and keep the states to which a later one returns.
 */
static bool run_word(mz_search *s, const mz_section *c, bool openly, const uint32_t *threads, uint32_t shared)
{
    const mz_machine *machine = s->machine;
    uint32_t from = shared;
    return_to(s, shared);
    for (uint32_t at = shared + 1; at < c->count && machine->class->save; at++) {
        if (!c->words.nodes[at].children)
            continue;
        if (!run(s, openly, threads, from, at))
            return false;
        machine->class->save(machine, s->snapshots + at * machine->snapshot_bytes);
        from = at;
    }
    return run(s, openly, threads, from, (uint32_t)c->count) && !machine->begin_again && all_have_finished(s);
}

static void count_trace(mz_search *s, mz_section *c)
{
    s->statistics.traces++;
    s->statistics.executions++;
    mz_section_visit(c, s);
    if (s->observe)
        s->observe(s->observe_context, s, MZ_LEAF_COMPLETE);
}

/* ---- items of the frontier ------------------------------------------------------------------------------
 */

static uint32_t thread_at(const mz_section *c, uint32_t event)
{
    return c->thread_of[c->system.threads[event]];
}

/* The words that begin with so many letters of the word at hand, and then with this event. */
static void put_words(mz_search *s, const mz_section *c, uint32_t shared, uint32_t event)
{
    mz_work_item item = {.form = MZ_ITEM_WORD};
    for (uint32_t i = 0; i < shared; i++)
        mz_schedule_add(&item.prefix, thread_at(c, c->words.word[i]), NULL, 0);
    mz_schedule_add(&item.prefix, thread_at(c, event), NULL, 0);
    mz_frontier_put(s->frontier, &item);
}

static void hand_out(mz_search *s, mz_section *c, bool all)
{
    size_t before = s->frontier->count;
    for (uint32_t at = 0; at < c->words.length && (all || s->frontier->count == before); at++)
        for (uint64_t *left = &c->words.nodes[at].children; *left; *left &= *left - 1)
            put_words(s, c, at, c->words.event[__builtin_ctzll(*left)]);
}

/* A word has been run. */
static void pause_if_asked(mz_search *s, mz_section *c)
{
    if (!s->frontier || (!s->pause && !s->stop) || s->begin_again)
        return;
    s->stop |= s->pause == MZ_PAUSE_DISSOLVE;
    s->has_dissolved = s->stop;
    size_t before = s->frontier->count;
    hand_out(s, c, s->stop);
    s->pause = MZ_PAUSE_NOT;
    if (s->after_split && !s->stop && s->frontier->count > before)
        s->after_split(s->split_context, s);
}

/* There was no word to be run any more, but one has been found: it waits, too. */
static void put_word_at_hand(mz_search *s, mz_section *c)
{
    if (!s->frontier)
        return;
    put_words(s, c, (uint32_t)c->count - 1, c->words.word[c->count - 1]);
    hand_out(s, c, true);
    s->has_dissolved = true;
}

/* Only the words that begin like the item. False if none does. */
static bool restrict_words(const mz_search *s, mz_section *c)
{
    const mz_schedule *beginning = &s->item->prefix;
    if (beginning->length > c->count || beginning->initial_choices > 0)
        return false;
    for (size_t i = 0; i < beginning->length; i++) {
        mz_threads children = mz_least_words_children(&c->words);
        uint32_t rank = c->rank[beginning->threads[i]];
        if (rank >= c->rank_count || c->thread_of[rank] != beginning->threads[i] ||
            !mz_threads_has(children, rank))
            return false;
        mz_least_words_down(&c->words, rank);
    }
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------------------
 */

/* Run all words; false if one does not go to its end as the first did. */
static bool run_words(mz_search *s, mz_section *c, bool openly)
{
    uint32_t shared, threads[MZ_MOST_LETTERS];
    bool is_part = mz_search_is_part(s);
    /* The machine has been used for something else, and cannot go back to the word before. */
    bool lost = is_part;
    if (!mz_section_is_planned(c)) { /* the first one is the only one */
        if (openly || !s->observe)
            count_trace(s, c);
        return true;
    }
    mz_least_words_start(&c->words, &c->system);
    if (is_part && !restrict_words(s, c)) {
        mz_frontier_refuse(s, "no word of the section begins like this");
        return true;
    }
    while (!s->stop && mz_least_words_next(&c->words, &shared)) {
        if (mz_search_has_enough(s)) {
            put_word_at_hand(s, c);
            break;
        }
        for (uint32_t i = lost ? 0 : shared; i < c->count; i++)
            threads[i] = thread_at(c, c->words.word[i]);
        if (!run_word(s, c, openly, threads, lost ? 0 : shared))
            return false;
        lost = false;
        s->statistics.events += (uint32_t)c->count - shared - 1;
        mz_search_count_events(s, 1);
        if (openly || !s->observe)
            count_trace(s, c);
        if (s->sampling_due > 0) {
            mz_search_sample_meanwhile(s);
            lost = s->machine->class->rewind;
        }
        pause_if_asked(s, c);
    }
    s->execution->dependency_checks += c->words.dependency_checks;
    return true;
}

static bool explore(mz_search *s, mz_section *c, bool short_section)
{
    if (!run_first_word(s, c, short_section))
        return false;
    if (s->machine->class->rewind) { /* a real program: does it do the same when it is repeated? */
        s->machine_depth = s->execution->length;
        mz_search_repeat(s);
        s->machine_depth = SIZE_MAX;
    }
    mz_section_close(c);
    s->statistics.sections = 1;
    if (s->observe && !s->frontier && !run_words(s, c, false))
        return false; /* nobody has seen any */
    return run_words(s, c, s->observe);
}

/* Stopped before the first word was run. */
static void put_item_back(mz_search *s)
{
    mz_work_item copy = {.form = mz_search_form(s), .whole = !mz_search_is_part(s)};
    if (s->item)
        mz_schedule_copy_part(&copy.prefix, &s->item->prefix, s->item->prefix.length);
    mz_frontier_put(s->frontier, &copy);
    s->has_dissolved = true;
}

/* Not as the first word did, or there is no first one. If others may have seen words, these are void. */
static bool give_up(mz_search *s, mz_item_form otherwise)
{
    bool is_void = s->frontier && (s->statistics.traces > 0 || mz_search_form(s) == MZ_ITEM_WORD);
    mz_search_restart(s);
    if (is_void)
        mz_frontier_next_epoch(s->frontier, otherwise);
    return is_void;
}

bool mz_explore_words(mz_search *s, bool short_section, mz_item_form otherwise)
{
    if (s->options.limits.events > 0 && mz_search_form(s) != MZ_ITEM_WORD)
        return false; /* words are not counted event by event */
    if (s->machine->judge && mz_search_form(s) != MZ_ITEM_WORD)
        return false; /* who is to be asked at the end of each */
    mz_section *section = mz_allocate_zeroed(1, sizeof *section);
    s->execution = mz_execution_create(s->machine, s->observe);
    s->machine_depth = SIZE_MAX;
    bool explored = explore(s, section, short_section);
    if (explored)
        mz_section_leave(section, s);
    mz_section_release(section);
    mz_release(section);
    s->statistics.dependency_checks = s->execution->dependency_checks;
    s->begin_again = s->machine->begin_again;
    s->stop |= s->begin_again;
    if (s->stop && !explored && s->frontier && !s->begin_again)
        put_item_back(s);
    return explored || s->stop || give_up(s, otherwise);
}
