#include "session/large/advice.h"

#include <string.h>

#include "algo/options.h"
#include "base/interrupt.h"
#include "base/memory.h"

/* Shorter searches are for other purposes than to wait for. */
static const double WORTH_IT = 2;
/* For each bound: a part of the time that was spent, but no more than this. */
static const double PART = 0.05, MOST = 2;

bool mz_is_too_large(const mz_report *r, const mz_settings *s, const mz_algorithm *algorithm)
{
    double limit = s->search.limits.seconds;
    return r->verdict == MZ_INCOMPLETE && r->was_stopped && (limit > 0 ? limit : r->seconds) >= WORTH_IT &&
           !algorithm->samples && !algorithm->in_levels && !r->way && !mz_interrupted &&
           s->search.depth == 0 && !s->search.stateful && s->what.count > 0 &&
           mz_report_count_of(r, "executions") > 0;
}

/* ---- bounds ---------------------------------------------------------------------------------------------
 */

/* Further is nothing but guessing. */
enum { MOST_AHEAD = 3 };

/* A bound that can be recommended. */
typedef struct bound {
    const char *option; /* "preemptions", which is also what is counted */
    uint32_t level;
    double seconds; /* that it takes */
    bool measured;  /* otherwise it is expected to take them */
} bound;

/* The highest level that takes no longer than the user was ready to wait. Each level behind those that were
 * finished is expected to be longer than the one before it by as much as the last one was. (It is likely to
 * be less: of n steps, k can be chosen in n/k times as many ways as k - 1.) */
static bound best_level(const mz_report *r, const char *option, double patience)
{
    uint32_t done = r->levels_done;
    bound b = {.option = option};
    if (done < 2)
        return b; /* nobody knows how they grow */
    double last = r->level_seconds[done - 1], before = r->level_seconds[done - 2];
    double growth = last > 2 * before ? last / before : 2;
    b.level = done - 1;
    b.seconds = last;
    b.measured = true;
    for (int ahead = 0; ahead < MOST_AHEAD && b.seconds * growth <= patience; ahead++) {
        b.level++;
        b.seconds *= growth;
        b.measured = false;
    }
    return b;
}

static mz_settings probing(const mz_settings *s, double seconds)
{
    mz_settings t = *s;
    t.quiet = true;
    t.jobs = 1;
    t.saving = NULL;
    t.checkpoint = NULL;
    t.search.limits.seconds_before = 0;
    t.search.limits.seconds = seconds;
    t.search.limits.traces = t.search.limits.events = 0;
    t.search.bounds_preemptions = t.search.bounds_delays = false;
    return t;
}

/* ---- states ---------------------------------------------------------------------------------------------
 */

/* How much of a search over states is left cannot be said, so only one that comes to its end is recommended;
 * it may take longer than a bound. */
static const double PART_FOR_STATES = 0.2, MOST_FOR_STATES = 5;

static bool may_compare_states(const mz_report *r, const mz_settings *s)
{
    return s->algorithm_is_default && r->memory < MZ_MEMORY_TSO && !s->checkpoint && !s->resumed;
}

/* NULL: it does not come to its end. */
static const mz_report *try_states(const mz_report *r, const mz_settings *s, mz_probe *probe, void *context)
{
    const mz_report *found = NULL;
    double part = r->seconds * PART_FOR_STATES;
    mz_settings t = probing(s, part < MOST_FOR_STATES ? part : MOST_FOR_STATES);
    t.search.stateful = true;
    for (size_t i = 0; i < mz_algorithm_count && may_compare_states(r, s); i++)
        if (mz_algorithms[i]->chosen_by && strcmp(mz_algorithms[i]->chosen_by, mz_option_stateful.name) == 0)
            found = probe(context, &t, mz_algorithms[i]);
    return found && found->verdict != MZ_INCOMPLETE ? found : NULL;
}

/* ---- words ----------------------------------------------------------------------------------------------
 */

static void add_line(mz_report *r, mz_text *text, mz_arena *arena)
{
    if (r->advice_count < MZ_MOST_ADVICE)
        r->advice[r->advice_count++] = mz_arena_copy(arena, mz_text_string(text), text->length);
    mz_text_clear(text);
}

static void add_command(const mz_settings *s, const char *command, mz_text *out)
{
    mz_text_add(out, "  mazurka %s", command);
    for (size_t i = 0; i < s->what.count; i++) {
        mz_text_add(out, " ");
        mz_text_add_quoted(out, s->what.items[i]);
    }
}

static void advise_bound(mz_report *r, const mz_settings *s, const bound *b, double whole, mz_arena *arena)
{
    mz_text line = {0}, command = {0};
    int letters = (int)strlen(b->option) - (b->level == 1); /* 1 preemption */
    mz_text_add(&line, "try: at most %u %.*s, ", b->level, letters, b->option);
    mz_text_add(&line, b->measured ? "finished in " : "about ");
    (b->measured ? mz_text_add_seconds : mz_text_add_duration)(&line, b->seconds);
    if (whole > 0) {
        mz_text_add(&line, " (the whole: ");
        mz_text_add_duration(&line, whole);
        mz_text_add(&line, ")");
    }
    add_line(r, &line, arena);
    mz_text_add(&command, "check --%s=%u", b->option, b->level);
    add_command(s, mz_text_string(&command), &line);
    add_line(r, &line, arena);
    mz_text_release(&command);
    mz_text_release(&line);
}

static void advise_states(mz_report *r, const mz_settings *s, const mz_report *found, mz_arena *arena)
{
    mz_text line = {0};
    mz_text_add(&line, "try: states that were visited are not visited again, finished in ");
    mz_text_add_seconds(&line, found->seconds);
    add_line(r, &line, arena);
    add_command(s, "check --stateful", &line);
    add_line(r, &line, arena);
    mz_text_release(&line);
}

static void advise_sampling(mz_report *r, const mz_settings *s, mz_arena *arena)
{
    mz_text line = {0};
    double a_minute = (double)mz_report_count_of(r, "executions") / r->seconds * 60;
    mz_text_add(&line, "or a sample, of about ");
    mz_text_add_grouped(&line, (uint64_t)a_minute);
    mz_text_add(&line, " executions a minute and processor:");
    add_line(r, &line, arena);
    add_command(s, "fuzz", &line);
    add_line(r, &line, arena);
    mz_text_release(&line);
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

const mz_report *mz_advise(mz_report *r, const mz_settings *s, mz_probe *probe, void *context,
                           mz_arena *arena)
{
    double limit = s->search.limits.seconds, patience = limit > 0 ? limit : r->seconds;
    double part = r->seconds * PART < MOST ? r->seconds * PART : MOST;
    bound chosen = {0};
    const mz_report *states = try_states(r, s, probe, context);
    if (states && states->verdict == MZ_UNSAFE)
        return states;
    if (states) {
        advise_states(r, s, states, arena);
        return NULL;
    }
    for (size_t i = 0; i < mz_algorithm_count && chosen.level == 0; i++) {
        const mz_algorithm *a = mz_algorithms[i];
        if (!a->in_levels || !a->chosen_by)
            continue;
        mz_settings t = probing(s, part);
        const mz_report *found = probe(context, &t, a);
        if (found && found->verdict == MZ_UNSAFE)
            return found;
        if (found)
            chosen = best_level(found, a->chosen_by, patience);
    }
    if (chosen.option && chosen.level > 0)
        advise_bound(r, s, &chosen, r->share_done > 0 ? r->seconds / r->share_done : 0, arena);
    advise_sampling(r, s, arena);
    return NULL;
}
