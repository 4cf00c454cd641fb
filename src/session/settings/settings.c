/* Single settings, from their texts: for options, and for what stands in a counterexample's file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "session/settings/settings.h"
#include "wire/nondet.h"

enum { DEFAULT_DEPTH = 100000, DEFAULT_BOUNDARY_STATES = 4000 };

void mz_settings_add_file(mz_settings *s, const char *file)
{
    s->files = mz_grow(s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files);
    s->files[s->file_count++] = file;
}

void mz_settings_use_algorithm(mz_settings *s, const mz_algorithm *algorithm)
{
    s->algorithms =
        mz_grow(s->algorithms, &s->algorithm_capacity, s->algorithm_count + 1, sizeof *s->algorithms);
    s->algorithms[s->algorithm_count++] = algorithm;
}

void mz_settings_add_check(mz_settings *s, const char *name, mz_error *error)
{
    if (strcmp(name, "all") == 0 || strcmp(name, "default") == 0) {
        s->search.checks |= name[0] == 'a' ? MZ_FAILURES_ALL : s->default_checks;
        return;
    }
    mz_text names = {0};
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++) {
        const char *check = mz_failure_check_name((mz_failure_kind)kind);
        if (strcmp(name, check) == 0)
            s->search.checks |= 1u << kind;
        mz_text_add(&names, "%s, ", check);
        if (strcmp(name, check) == 0) {
            mz_text_release(&names);
            return;
        }
    }
    mz_error_set(error, (mz_position){0}, "option --check: unknown kind '%s'", name);
    mz_error_set_hint(error, "there are: %sdefault, all", mz_text_string(&names));
    mz_text_release(&names);
}

void mz_settings_change_relation(mz_settings *s, const char *word, mz_error *error)
{
    if (mz_relation_change(&s->search.relation, word))
        return;
    mz_text names = {0};
    for (int i = 0; i < MZ_REFINEMENT_COUNT; i++)
        mz_text_add(&names, ", -%s", mz_refinement_name(i));
    mz_error_set(error, (mz_position){0}, "option --relation: unknown '%s'", word);
    mz_error_set_hint(error, "there are: published%s; published,+%s", mz_text_string(&names),
                      mz_refinement_name(0));
    mz_text_release(&names);
}

void mz_settings_set_plain_accesses(mz_settings *s, const char *way, mz_error *error)
{
    static const char *const names[] = {
#define MZ_X(constant, name) name,
        MZ_PLAIN_ACCESSES(MZ_X)
#undef MZ_X
    };
    int i = 0;
    while (i < MZ_PLAIN_WAYS && strcmp(names[i], way) != 0)
        i++;
    if (i < MZ_PLAIN_WAYS) {
        s->plain_accesses = (mz_plain_accesses)i;
        return;
    }
    mz_error_set(error, (mz_position){0}, "option --plain-accesses: unknown '%s'", way);
    mz_error_set_hint(error, "there are: local, events, unchecked");
}

void mz_settings_set_reuses(mz_settings *s, const char *text, mz_error *error)
{
    s->reuses = 1;
    if (text && mz_parse_small("heap-reuse", text, &s->reuses, error) && s->reuses == 0)
        mz_error_set(error, (mz_position){0}, "option --heap-reuse: at least once, or leave it out");
}

void mz_settings_set_nondet(mz_settings *s, const char *text, mz_error *error)
{
    long long low = 0, high = 0;
    char rest;
    if (sscanf(text, "%lld..%lld%c", &low, &high, &rest) != 2 || low > high) {
        mz_error_set(error, (mz_position){0}, "option --nondet: '%s' is not LO..HI", text);
        mz_error_set_hint(error, "for example --nondet=-1..2");
    }
    s->nondet_low = low;
    s->nondet_high = high;
    s->has_nondet = true;
}

void mz_settings_add_entry(mz_settings *s, const char *name, mz_error *error)
{
    enum { MOST = 60 }; /* threads, and there may be more in them */
    if (!*name || s->entries.count == MOST)
        mz_error_set(error, (mz_position){0}, "option --entry: %s",
                     *name ? "these are too many functions" : "a function has no name");
    else
        mz_words_add(&s->entries, name);
}

/* K, or FILE:LINE:K. */
void mz_settings_add_unroll(mz_settings *s, const char *text, mz_error *error)
{
    const char *last = strrchr(text, ':');
    uint64_t count = 0;
    if (!mz_parse_count("unroll", last ? last + 1 : text, &count, error))
        return;
    uint32_t most = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    if (!last) {
        s->unroll = most;
        return;
    }
    char *place = mz_copy_bytes(text, (size_t)(last - text)), *colon = strrchr(place, ':');
    char *end = colon;
    unsigned long line = colon && colon[1] >= '0' && colon[1] <= '9' ? strtoul(colon + 1, &end, 10) : 0;
    if (!colon || colon == place || *end || line == 0 || line > UINT32_MAX) {
        mz_error_set(error, (mz_position){0}, "option --unroll: '%s' is not FILE:LINE:K", text);
        mz_error_set_hint(error, "for example --unroll=queue.c:42:3");
        mz_release(place);
        return;
    }
    *colon = '\0';
    s->unroll_places = mz_grow(s->unroll_places, &s->unroll_place_capacity, s->unroll_place_count + 1,
                               sizeof *s->unroll_places);
    s->unroll_places[s->unroll_place_count++] = (mz_unroll_place){place, (uint32_t)line, most};
}

/* For models: NAME=NUMBER. */
void mz_settings_define(mz_settings *s, const char *text, mz_error *error)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    errno = 0;
    long long value = equals ? strtoll(equals + 1, &end, 10) : 0;
    if (!equals || equals == text || end == equals + 1 || *end || errno) {
        mz_error_set(error, (mz_position){0}, "option -D: '%s' is not NAME=NUMBER", text);
        mz_error_set_hint(error, "for example -DN=12");
        return;
    }
    s->definitions =
        mz_grow(s->definitions, &s->definition_capacity, s->definition_count + 1, sizeof *s->definitions);
    s->definitions[s->definition_count++] =
        (mz_definition){.name = mz_copy_bytes(text, (size_t)(equals - text)), .value = value};
}

void mz_settings_init(mz_settings *s)
{
    *s = (mz_settings){
        .default_checks = MZ_FAILURES_DEFAULT, .nondet_low = MZ_NONDET_LOW, .nondet_high = MZ_NONDET_HIGH};
    s->jobs = 1;
    s->checkpoint_every = 60;
    s->search.limits.depth = DEFAULT_DEPTH;
    s->search.boundary_states = DEFAULT_BOUNDARY_STATES;
}

void mz_settings_release(mz_settings *s)
{
    mz_words_release(&s->command);
    for (size_t i = 0; i < s->definition_count; i++)
        mz_release((char *)(uintptr_t)s->definitions[i].name);
    mz_release(s->definitions);
    for (size_t i = 0; i < s->unroll_place_count; i++)
        mz_release((char *)(uintptr_t)s->unroll_places[i].file);
    mz_release(s->unroll_places);
    mz_words_release(&s->what);
    mz_words_release(&s->compile_flags);
    mz_words_release(&s->link_flags);
    mz_words_release(&s->arguments);
    mz_words_release(&s->allowed);
    mz_words_release(&s->world);
    mz_suppressions_release(&s->suppressions);
    mz_words_release(&s->entries);
    mz_words_release(&s->operations);
    mz_words_release(&s->relaxed);
    mz_words_release(&s->blocking);
    mz_release(s->algorithms);
    mz_release(s->files);
}

bool mz_settings_weak_memory(const mz_settings *s)
{
    bool weak = s->search.memory == MZ_MEMORY_TSO || s->search.memory == MZ_MEMORY_RC11;
    for (size_t i = 0; i < s->algorithm_count; i++)
        weak |= s->algorithms[i]->weak_memory;
    return weak;
}

const char *mz_settings_against_weak_memory(const mz_settings *s)
{
    const struct {
        bool given;
        const char *option;
    } all[] = {
        {s->report_races, "--races=report"},
        {s->suppressions.count > 0, "suppressions"},
        {s->plain_accesses != MZ_PLAIN_IS_LOCAL, "--plain-accesses"},
        {s->volatile_is_atomic, "--volatile=atomic"},
        {s->reuses > 0, "--heap-reuse"},
        {s->spurious, "--spurious"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given)
            return all[i].option;
    return NULL;
}
