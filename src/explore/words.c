#include "explore/words.h"

bool mz_words_are_all(const mz_search *s, const mz_section *c)
{
    const mz_status *status = s->machine->status;
    return c->start == 0 && c->count == s->execution->length && mz_section_is_planned(c) &&
           s->open_count == 0 && s->execution->choice_count == 0 && !s->options.stateful && !s->stop &&
           !(status->ready | status->blocked | status->failed | status->pruned);
}

static void return_to(mz_search *s, uint32_t depth)
{
    const mz_machine_class *class = s->machine->class;
    if (class->restore)
        class->restore(s->machine, s->snapshots + (size_t)depth * s->machine->snapshot_bytes);
    else
        class->rewind(s->machine, depth);
}

/* With the event in the execution, for who wants to see it. */
static bool step_openly(mz_search *s, uint32_t thread)
{
    mz_machine *machine = s->machine;
    mz_operation executed;
    mz_choices_prescribe(&s->choices, NULL, 0);
    if (!mz_threads_has(machine->status->ready, thread) ||
        machine->class->step(machine, thread, &s->choices, &executed) != MZ_STEP_DONE)
        return false;
    mz_execution_push(s->execution, thread, &executed, &s->choices);
    return s->choices.count == 0;
}

static void cut_execution(mz_search *s, size_t length)
{
    while (s->execution->length > length)
        mz_execution_pop(s->execution);
}

static bool run_openly(mz_search *s, const uint32_t *threads, uint32_t from, uint32_t to)
{
    cut_execution(s, from);
    for (uint32_t i = from; i < to; i++)
        if (!step_openly(s, threads[i]))
            return false;
    return true;
}

static bool run(mz_search *s, const uint32_t *threads, uint32_t from, uint32_t to)
{
    if (s->observe)
        return run_openly(s, threads, from, to);
    mz_choices_prescribe(&s->choices, NULL, 0);
    return s->machine->class->run(s->machine, threads + from, to - from, &s->choices) == to - from &&
           s->choices.count == 0;
}

/* Run the word from where it differs from the one before, and keep the states to which a later one returns.
 */
static bool run_word(mz_search *s, const mz_section *c, const uint32_t *threads, uint32_t shared)
{
    const mz_machine *machine = s->machine;
    uint32_t from = shared;
    return_to(s, shared);
    for (uint32_t at = shared + 1; at < c->count && machine->class->save; at++) {
        if (!c->words.nodes[at].children)
            continue;
        if (!run(s, threads, from, at))
            return false;
        machine->class->save(machine, s->snapshots + (size_t)at * machine->snapshot_bytes);
        from = at;
    }
    if (!run(s, threads, from, (uint32_t)c->count))
        return false;
    const mz_status *status = machine->status;
    return !(status->ready | status->blocked | status->failed | status->pruned);
}

static void count_word(mz_search *s, mz_section *c, uint32_t events)
{
    const mz_limits *limits = &s->options.limits;
    s->statistics.traces++;
    s->statistics.executions++;
    mz_section_visit(c, s);
    s->statistics.events += events - 1;
    mz_search_count_event(s);
    if (s->observe)
        s->observe(s->observe_context, s, MZ_LEAF_COMPLETE);
    if (limits->traces > 0 && s->statistics.traces >= limits->traces)
        mz_search_stop(s, "the limit of %llu traces was reached (--max-traces)",
                       (unsigned long long)limits->traces);
}

static void show_first_word(mz_search *s, const mz_section *c)
{
    return_to(s, 0);
    cut_execution(s, 0);
    for (uint32_t i = 0; i < c->count; i++)
        step_openly(s, c->members[i].thread);
}

bool mz_run_words(mz_search *s, mz_section *c, uint32_t *word)
{
    uint32_t shared;
    bool differs = false;
    mz_least_words_start(&c->words, &c->system);
    mz_least_words_next(&c->words, &shared); /* the first one has been explored */
    s->machine_depth = SIZE_MAX;
    while (!s->stop && !differs && mz_least_words_next(&c->words, &shared)) {
        for (uint32_t i = shared; i < c->count; i++)
            word[i] = c->thread_of[c->system.threads[c->words.word[i]]];
        differs = !run_word(s, c, word, shared);
        if (s->machine->begin_again)
            s->stop = s->begin_again = true;
        else if (!differs)
            count_word(s, c, (uint32_t)c->count - shared);
    }
    s->execution->dependency_checks += c->words.dependency_checks;
    c->words.dependency_checks = 0;
    if (s->observe) /* the search goes on from the first word */
        show_first_word(s, c);
    return differs && !s->stop;
}
