#include "search/leaf.h"

#include "base/memory.h"
#include "base/vector.h"
#include "machine/identity.h"
#include "search/safe_prefix.h"
#include "search/scout.h"

mz_leaf mz_leaf_of(const mz_status *status)
{
    if (mz_threads_any(status->pruned))
        return MZ_LEAF_PRUNED;
    if (mz_threads_any(status->failed))
        return MZ_LEAF_FAILED;
    if (status->redundant && !status->ended)
        return MZ_LEAF_BLOCKED;
    return mz_threads_any(status->blocked) && !status->ended ? MZ_LEAF_DEADLOCK : MZ_LEAF_COMPLETE;
}

/* All other threads have ended: join them, assume the opposite of what is to hold, call it an error. Programs
 * that say their property in this way are pruned in every execution, and rightly. */
static bool is_pruned_at_end(const mz_status *status)
{
    return mz_threads_count(status->pruned) == 1 && mz_threads_any(status->finished) &&
           !mz_threads_any(status->failed | status->ready | status->blocked);
}

/* How it has ended, and who has made its steps, as an array of JSON: ["complete",0,1,1] */
static void sketch(mz_search *s, mz_leaf leaf)
{
    static const char *const endings[] = {
        [MZ_LEAF_COMPLETE] = "complete", [MZ_LEAF_DEADLOCK] = "deadlock", [MZ_LEAF_FAILED] = "failed",
        [MZ_LEAF_PRUNED] = "pruned",     [MZ_LEAF_BLOCKED] = "redundant", [MZ_LEAF_VISITED] = "visited",
        [MZ_LEAF_CUT] = "cut",           [MZ_LEAF_CLOSED] = "closed"};
    enum { MOST_STEPS = 200 };
    const mz_execution *x = s->execution;
    if (!x)
        return;
    mz_text_add(&s->sketch, "%s[\"%s\"", s->sketched++ ? ",\n" : "", endings[leaf]);
    for (size_t i = 0; i < x->length && i < MOST_STEPS; i++)
        mz_text_add(&s->sketch, ",%u", x->events[i].thread);
    mz_text_add(&s->sketch, "]");
}

static mz_hash identity_of(mz_search *s, const mz_depth_first *algorithm)
{
    return algorithm->identity ? algorithm->identity(s) : mz_identity(s->execution);
}

void mz_leaf_count(mz_search *s, const mz_depth_first *algorithm, mz_leaf leaf)
{
    if (s->sketched < s->options.sketched)
        sketch(s, leaf);
    s->statistics.executions++;
    s->ended++;
    for (size_t i = 0; i < s->open_count && leaf != MZ_LEAF_BLOCKED && leaf != MZ_LEAF_VISITED; i++)
        s->problems[s->open[i].problem].occurrences++;
    if (s->unasked.count > 0 && mz_threads_any(s->machine->status->failed) && leaf != MZ_LEAF_BLOCKED)
        s->statistics.cut_by_errors++;
    switch (leaf) {
    case MZ_LEAF_BLOCKED:
        s->statistics.blocked++;
        s->statistics.in_vain += s->machine->status->redundant;
        break;
    case MZ_LEAF_PRUNED:
        s->statistics.pruned++;
        s->pruned_at_end |= is_pruned_at_end(s->machine->status);
        break;
    case MZ_LEAF_VISITED:
        s->statistics.revisited++;
        break;
    case MZ_LEAF_CUT:
        s->statistics.cut++;
        break;
    default:
        if (algorithm->repeats && !mz_hash_set_add(&s->visited, identity_of(s, algorithm)))
            s->statistics.repeated++;
        else
            s->statistics.traces++;
    }
}

/* A real program may do something else when the same schedule is repeated, perhaps one time in two. The first
 * execution is tried again several times, if that takes no time to speak of, and the next ones once; then
 * ever fewer are. */
enum { AGAIN_AT_FIRST = 8, FIRST_EXECUTIONS = 16 };

static bool is_time_to_repeat(const mz_search *s)
{
    uint64_t n = s->ended;
    return s->machine->class->rewind && !s->options.repeats_nothing && !s->stop &&
           (n <= FIRST_EXECUTIONS || (n & (n - 1)) == 0);
}

static void repeat(mz_search *s)
{
    double end = mz_seconds_now() + 0.005;
    uint32_t times = s->ended == 1 ? AGAIN_AT_FIRST : 1;
    do
        mz_search_repeat(s);
    while (--times > 0 && !s->stop && mz_seconds_now() < end);
}

static inline bool is_too_long(const mz_search *s)
{
    uint64_t longest = s->options.limits.longest;
    return MZ_UNLIKELY(longest > 0 && s->execution->length >= longest) && !s->stop;
}

/* There may be no end of such executions, and to look at what could have gone otherwise in one takes very
 * long. It is the last one, but for some at random, which seldom let one thread alone go on. */
static void stop_as_too_long(mz_search *s)
{
    if (s->next_scouting > 0)
        mz_search_scout(s);
    if (s->stop)
        return;
    if (s->stuck > 0) /* that is told */
        mz_search_stop(s, "%s", "");
    else
        mz_search_stop_as_too_long(s, s->options.limits.longest);
}

/* ---- executions as wholes (machine/history.h) -----------------------------------------------------------
 */

/* Of a trace: its clocks. */
static uint32_t knows_of_trace(const void *order, uint32_t thread, uint32_t index, uint32_t of)
{
    const mz_execution *x = order;
    if (index == 0 || thread >= x->thread_capacity || of >= x->thread_capacity)
        return 0;
    return mz_clock(x, mz_position_of(x, thread, index))[of];
}

/* Not every algorithm keeps the order. *made: is it to be destroyed? */
static mz_execution *ordered(mz_search *s, bool *made)
{
    *made = !s->execution->track_order;
    return *made ? mz_execution_with_order(s->execution, s->machine) : s->execution;
}

/* At the end of an execution that is complete. */
static void judge_execution(mz_search *s)
{
    const mz_judge *judge = s->machine->judge;
    bool made;
    mz_execution *x = ordered(s, &made);
    mz_failure failure = {.kind = MZ_FAIL_HISTORY};
    uint16_t *schedule = mz_allocate(x->length * sizeof *schedule);
    if (judge->condemns(judge->context, s->machine, knows_of_trace, x, &failure, schedule))
        mz_search_found_in(s, &failure, schedule);
    mz_failure_release(&failure);
    mz_release(schedule);
    if (made)
        mz_execution_destroy(x);
}

/* Where nobody can go on: does the judge say that this may be? */
static bool may_wait(mz_search *s)
{
    const mz_judge *judge = s->machine->judge;
    bool made;
    mz_execution *x = ordered(s, &made);
    bool may = judge->may_wait(judge->context, s->machine, knows_of_trace, x);
    if (made)
        mz_execution_destroy(x);
    return may;
}

void mz_leaf_end(mz_search *s, const mz_depth_first *algorithm, mz_leaf leaf)
{
    if (leaf == MZ_LEAF_DEADLOCK && !(MZ_UNLIKELY(s->machine->judge) && may_wait(s)))
        mz_search_report_deadlock(s);
    else if (leaf == MZ_LEAF_COMPLETE && MZ_UNLIKELY(s->machine->judge))
        judge_execution(s);
    else if (leaf == MZ_LEAF_PRUNED)
        mz_search_report_partial_deadlock(s);
    mz_leaf_count(s, algorithm, leaf);
    if (is_too_long(s))
        stop_as_too_long(s);
    if (is_time_to_repeat(s))
        repeat(s);
    if (s->observe)
        s->observe(s->observe_context, s, leaf);
    s->lost |= s->stop;
    if (algorithm->leaf && !s->stop)
        algorithm->leaf(s);
    if (s->options.safe_prefix) /* last: it may use the machine */
        mz_safe_prefix_leaf(s, leaf);
    s->first_new = s->execution->length;
    s->at_leaf = true;
    if (MZ_UNLIKELY(s->pause))
        mz_search_pause(s, algorithm);
}
