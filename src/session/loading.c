/* From the settings and a compiled program to a machine, in a worker. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "session/program.h"

static mz_race_treatment races(const mz_settings *s)
{
    /* What is known of weak memory is known of programs without races: one that was not asked for ends the
     * execution, and is told. */
    return mz_settings_weak_memory(s) || s->search.checks & (1u << MZ_FAIL_RACE) ? MZ_RACES_ARE_ERRORS
           : s->report_races                                                     ? MZ_RACES_ARE_REPORTED
                                                                                 : MZ_RACES_ARE_IGNORED;
}

/* A copy: how often each was used is counted in it. */
static mz_suppressions *shared_suppressions(const mz_settings *s)
{
    if (s->suppressions.count == 0)
        return NULL;
    mz_suppressions *copy = mz_allocate(sizeof *copy);
    *copy = s->suppressions;
    return copy;
}

/* A thread that gets nowhere is to leave time for the others. */
static double patience_of(const mz_settings *s)
{
    double limit = s->search.limits.seconds;
    return s->patience > 0 ? s->patience : limit > 0 && limit < 12 ? limit / 4 : 3;
}

mz_machine *mz_native_load(const mz_settings *s, const mz_compiled *compiled, mz_shared *shared)
{
    char **arguments = mz_allocate_zeroed(s->arguments.count + 2, sizeof *arguments);
    arguments[0] = mz_copy_string(s->files[0]);
    for (size_t i = 0; i < s->arguments.count; i++)
        arguments[i + 1] = mz_copy_string(s->arguments.items[i]);
    mz_native_options options = {.library = compiled->library,
                                 .argument_count = (int)s->arguments.count + 1,
                                 .arguments = arguments,
                                 .entries = compiled->entries,
                                 .entry_count = compiled->entry_count,
                                 .entry_calls = s->entries.items,
                                 .entry_call_count = s->entries.count,
                                 .checks = s->search.checks,
                                 .races = races(s),
                                 .suppressions = shared_suppressions(s),
                                 .plain_accesses = s->plain_accesses,
                                 .join_at_exit = s->join_at_exit,
                                 .all_errors = s->search.all_errors,
                                 .unroll = s->unroll,
                                 .unroll_places = s->unroll_places,
                                 .unroll_place_count = s->unroll_place_count,
                                 .spurious = s->spurious,
                                 .volatile_is_atomic = s->volatile_is_atomic,
                                 .reuses = s->reuses,
                                 .patience = patience_of(s),
                                 .memory = s->search.limits.memory,
                                 .keeps_spin_rounds = s->keeps_spin_rounds,
                                 .nondet_low = s->nondet_low,
                                 .nondet_high = s->nondet_high,
                                 .inline_assembly = compiled->inline_assembly,
                                 .executable_stack = compiled->executable_stack,
                                 .by_clang = strstr(compiled->compiler_version, "clang"),
                                 .by_gcc = strstr(compiled->compiler_version, "GCC"),
                                 .optimised = compiled->optimised,
                                 .entries_with_null = compiled->entries_with_null,
                                 .allowed = compiled->allowed,
                                 .world = &s->world,
                                 .orders = s->orders};
    mz_error error = {0};
    mz_text text = {0};
    mz_client client = {0};
    snprintf(shared->message, sizeof shared->message, "%s",
             "the program crashes while it is loaded, before the checker can watch it: does a resolver of an "
             "indirect function (attribute ifunc) use variables?");
    mz_machine *machine = mz_native_create(&options, &error);
    if (machine && s->operations.count > 0 && (!s->client || mz_client_of_word(s->client, &client)))
        mz_native_set_client(machine, &client);
    if (!machine)
        mz_error_print(&error, &text);
    snprintf(shared->message, sizeof shared->message, "%s", mz_text_string(&text));
    mz_text_release(&text);
    return machine;
}

void mz_share_sources(const mz_machine *machine, mz_shared *shared)
{
    mz_text sources = {0};
    mz_native_sources(machine, &sources);
    shared->sources = mz_share_text(shared, mz_text_string(&sources));
    mz_text_release(&sources);
}

void mz_share_ground(const mz_machine *machine, mz_shared *shared)
{
    mz_text threads = {0}, places = {0};
    mz_native_thread_paths(machine, &threads);
    mz_native_knowledge(machine, &places);
    shared->threads = mz_share_text(shared, mz_text_string(&threads));
    shared->places = mz_share_text(shared, mz_text_string(&places));
}
