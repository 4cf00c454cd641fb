/* Eager partial order reduction (EPOR): Metzler, Saissi, Bokor, Hesse, Suri, "Efficient verification of
 * program fragments: Eager POR", ATVA 2016, figure 3. `eager-short` is its section 4.
 *
 * The program is explored in sections (algo/sections/sections.h): parts in which the traces are known in
 * advance, as the solutions of a trace constraint system. Races inside a section are decided when it is
 * planned; only those between sections are reversed as in `source`.
 *
 * Deviations from figure 3, which as printed loses traces:
 *  - sleep(u·p) is what is filtered where sleep(u) is printed, and races and notdep are closed under
 * happens-before.
 *  - The section holds awake threads only. Planned sequences that begin with a thread that sleeps must not be
 * pruned as a whole (the paper's remark); threads that sleep are passed over, state by state.
 *  - The planned sequences are the least words of the section's traces (algo/sections/least_words.h). Their
 * trie then branches, at each state, into all threads with which some trace of the section can go on but
 * those that sleep within the section: an inner state is complete up to its sleep set, as the argument in
 * search/races.c needs.
 *  - Races are looked at when an execution has ended, for the reasons given there.
 *  - A reversal is covered if one of its initials is planned, not only if one is in the backtrack set.
 *  - Cyclic constraint systems are never made: algo/sections/constraints.h.
 * Executions may end blocked, as in `source`. */
#include "algo/algorithm.h"
#include "algo/sections/sections.h"
#include "algo/sections/words.h"
#include "base/memory.h"
#include "search/races.h"
#include "search/safe_prefix.h"
#include "search/sleep.h"

/* What is planned at a node of the path, and what became of the event explored from it. */
typedef struct place {
    uint32_t section;   /* index of the one that the node is in */
    mz_threads planned; /* by it */
    bool free;      /* the event was not planned: it reverses a race, and the next section begins behind it */
    uint32_t start; /* of the event's section: races with what is before it are to be reversed */
} place;

typedef struct eager {
    bool short_sections;
    place *places; /* one per node of the path */
    size_t place_capacity;
    mz_section **sections; /* those on the path, one behind the other */
    size_t section_capacity;
} eager;

static eager *eager_of(const mz_search *s)
{
    return s->algorithm_data;
}

static mz_section *section_at(eager *g, uint32_t index)
{
    size_t capacity = g->section_capacity;
    g->sections = mz_grow(g->sections, &g->section_capacity, index + 1, sizeof *g->sections);
    for (; capacity < g->section_capacity; capacity++)
        g->sections[capacity] = NULL;
    if (!g->sections[index])
        g->sections[index] = mz_allocate_zeroed(1, sizeof *g->sections[index]);
    return g->sections[index];
}

static place *place_at(eager *g, size_t depth)
{
    g->places = mz_grow(g->places, &g->place_capacity, depth + 1, sizeof *g->places);
    return &g->places[depth];
}

static void plan(mz_search *s, size_t depth, mz_threads threads)
{
    eager_of(s)->places[depth].planned = threads;
    s->nodes[depth].backtrack |= threads;
}

/* The section has been built along its first word. Now every state on it gets its other branches. */
static void close_section(mz_search *s, mz_section *section)
{
    mz_section_close(section);
    s->statistics.sections++;
    if (!mz_section_is_planned(section))
        return;
    for (uint32_t length = 0; length < section->count; length++)
        plan(s, section->start + length, mz_section_children(section, s, length));
}

static void begin_section(mz_search *s, mz_node *node, uint32_t index)
{
    eager *g = eager_of(s);
    size_t depth = s->execution->length;
    mz_section *section = section_at(g, index);
    mz_section_leave(section, s); /* the one that was here before */
    mz_section_begin(section, s, node->enabled & ~node->sleep, g->short_sections);
    g->places[depth].section = index;
    plan(s, depth, mz_threads_of(mz_section_next(section, node->enabled)));
}

/* The machine has arrived at a new state. */
static void enter(mz_search *s, mz_node *node)
{
    eager *g = eager_of(s);
    size_t depth = s->execution->length;
    place *here = place_at(g, depth);
    *here = (place){0};
    if (depth == 0) {
        begin_section(s, node, 0);
        return;
    }
    const place *before = here - 1;
    mz_section *section = g->sections[before->section];
    here->section = before->section;
    if (before->free) {
        begin_section(s, node, before->section + 1);
        return;
    }
    if (!section->closed) {
        uint32_t next = mz_section_next(section, node->enabled & ~node->sleep);
        if (next != MZ_NONE) {
            plan(s, depth, mz_threads_of(next));
            return;
        }
        close_section(s, section);
    }
    mz_threads children = mz_section_children(section, s, (uint32_t)depth - section->start);
    if (mz_threads_any(children)) {
        plan(s, depth, children);
        return;
    }
    mz_section_visit(section, s);
    begin_section(s, node, before->section + 1);
}

/* First what is planned, in the order of the words (what comes later in it may rely on the earlier ones being
 * asleep), then what reverses races. */
static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    const eager *g = eager_of(s);
    place *here = &g->places[s->execution->length];
    mz_threads left =
        mz_threads_any(node->enabled) ? node->backtrack & ~node->sleep & ~node->done : MZ_NO_THREADS;
    if (!mz_threads_any(left))
        return false;
    mz_threads planned = left & here->planned;
    if (mz_threads_any(here->planned & node->sleep))
        g->sections[here->section]->passed_over = true;
    here->free = !mz_threads_any(planned);
    *thread = !here->free ? mz_section_first(g->sections[here->section], planned) : mz_threads_first(left);
    mz_choices_prescribe(&s->choices, NULL, 0);
    return true;
}

/* The last event has just been performed: which section is it in? */
static void assign_section(mz_search *s)
{
    eager *g = eager_of(s);
    uint32_t position = (uint32_t)s->execution->length - 1;
    place *here = &g->places[position];
    here->start = position;
    if (here->free)
        return;
    mz_section *section = g->sections[here->section];
    if (section->closed || mz_section_admit(section, s)) {
        here->start = section->start;
        return;
    }
    /* it may not be a member: the next section begins with it */
    close_section(s, section);
    mz_section_visit(section, s);
    mz_section *following = section_at(g, ++here->section);
    mz_section_leave(following, s);
    const mz_node *node = &s->nodes[position];
    mz_section_begin(following, s, node->enabled & ~node->sleep, g->short_sections);
    here->start = following->start = position;
    here->planned = mz_threads_of(s->execution->events[position].thread);
    mz_section_admit(following, s);
}

static mz_threads sleep_after(mz_search *s, mz_node *node, uint32_t thread, const mz_operation *executed)
{
    assign_section(s);
    return mz_sleep_after(s, node, thread, executed);
}

static void reverse(mz_search *s, const mz_reversal *v)
{
    const eager *g = eager_of(s);
    if (v->event == MZ_NONE || v->e < g->places[v->event].start)
        mz_require_initial(s, v);
}

static void leaf(mz_search *s)
{
    eager *g = eager_of(s);
    size_t length = s->execution->length;
    mz_section *section = length > 0 ? g->sections[g->places[length - 1].section] : NULL;
    if (section && !section->closed)
        close_section(s, section);
    if (section && length == section->start + section->count)
        mz_section_visit(section, s);
    mz_reverse_races(s, reverse);
}

/* What waits in a section becomes branches, which `source` explores: a state within a section is complete up
 * to its sleep set (see above), which is all that the argument for source sets asks of it. The order is that
 * of the words. */
static uint32_t first_of(const mz_search *s, size_t depth, mz_threads left)
{
    const eager *g = eager_of(s);
    mz_threads planned = left & g->places[depth].planned;
    return mz_threads_any(planned) ? mz_section_first(g->sections[g->places[depth].section], planned)
                                   : mz_threads_first(left);
}

static void run_with(mz_search *search, bool short_sections)
{
    if (search->machine->complex_blocking) {
        mz_algorithm_source.run(search);
        return;
    }
    eager g = {.short_sections = short_sections};
    search->algorithm_data = &g;
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .sleep = sleep_after,
                                       .enter = enter,
                                       .next = next,
                                       .leaf = leaf,
                                       .branches = true,
                                       .grows = true,
                                       .first_of = first_of,
                                       .unsplittable = search->options.safe_prefix,
                                   });
    for (size_t i = 0; i < g.section_capacity && g.sections[i]; i++) {
        mz_section_leave(g.sections[i], search);
        mz_section_release(g.sections[i]);
        mz_release(g.sections[i]);
    }
    mz_release(g.sections);
    mz_release(g.places);
}

/* A program that is one section is run word by word. Where there are more sections, whatever is done inside
 * them, the races between them have to be looked at, at every step and for every trace; that leaves nothing
 * to gain from planning, and a trie to walk. So this is `source` then, unless all sections are asked for. */
/* For a safe prefix, states of the first trace have to be left one by one, so sections are walked. That trace
 * is the least word, and a state on it is complete when it is left: let u lead there, and t be a trace of a
 * section that has u as a beginning. The least word of t is not greater than one that begins with u, and not
 * less than the least of all, which does: so it begins with u, and lies below that state. A trace that is to
 * be followed need not be a least word: that is for `source`. */
static void run(mz_search *search)
{
    const mz_safe_prefix *safe = search->options.safe_prefix;
    if ((safe && safe->follow) || mz_search_form(search) == MZ_ITEM_BRANCH)
        mz_algorithm_source.run(search);
    else if (search->options.all_sections || safe)
        run_with(search, false);
    else if (!mz_explore_words(search, false, MZ_ITEM_BRANCH))
        mz_algorithm_source.run(search);
}

static void run_short(mz_search *search)
{
    if (mz_search_form(search) == MZ_ITEM_BRANCH)
        mz_algorithm_source.run(search);
    else if (!mz_explore_words(search, true, MZ_ITEM_BRANCH))
        run_with(search, true);
}

static const mz_option sections_option = {
    .name = "sections",
    .argument = "adaptive|all",
    .help = "plan a section only if it is the whole program (default), or all",
    .audience = MZ_FOR_CHECK | MZ_FOR_ESTIMATE,
    .type = MZ_OPTION_EITHER,
    .at = offsetof(mz_search_options, all_sections),
};

const mz_algorithm mz_algorithm_eager = {
    .name = "eager",
    .description = "Eager POR: sections planned by trace constraint systems, source sets between them",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_LOCKS | MZ_REFINES_ROUNDS | MZ_REFINES_SYMMETRY,
    .makes_plans = true,
    .options = (const mz_option *const[]){&sections_option, NULL},
    .run = run,
};

const mz_algorithm mz_algorithm_eager_short = {
    .name = "eager-short",
    .description = "Eager POR with short sections: one dependent event per thread",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_LOCKS | MZ_REFINES_ROUNDS | MZ_REFINES_SYMMETRY,
    .one_worker = true,
    .run = run_short,
};
