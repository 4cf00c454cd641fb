/* Plan files: reading them. What is read is a plan that can be enforced, whatever the file says: every wait
 * is for an event that stands before it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "safe/plan/plan_reader.h"

typedef mz_plan_reader reader;

static void read_about(reader *r, const char *key, char *rest)
{
    mz_plan_add_line(r->plan, key, mz_lines_unescape(&r->lines, rest));
}

static void read_hash(reader *r, const char *key, char *rest)
{
    (void)key;
    r->plan->hash = strcmp(rest, "-") == 0 ? "" : mz_lines_unescape(&r->lines, rest);
}

/* One of two words: is it the first? */
static bool is_first(reader *r, const char *key, const char *rest, const char *first, const char *second)
{
    if (strcmp(rest, first) != 0 && strcmp(rest, second) != 0)
        mz_lines_wrong_at(&r->lines, rest, "%s: '%.40s' is neither %s nor %s", key, rest, first, second);
    return strcmp(rest, first) == 0;
}

static void read_counts(reader *r, const char *key, char *rest)
{
    r->plan->counts_accesses = is_first(r, key, rest, "accesses", "operations");
}

static void read_fences(reader *r, const char *key, char *rest)
{
    r->plan->needs_fences = is_first(r, key, rest, "yes", "no");
}

static void read_verified(reader *r, const char *key, char *rest)
{
    (void)key;
    r->plan->traces = (uint64_t)mz_lines_number(&r->lines, &rest, 0, INT64_MAX, "traces");
    char *end;
    r->plan->share = strtod(rest, &end);
    if (!r->lines.error->set && (end == rest || *end || !(r->plan->share >= 0 && r->plan->share <= 1)))
        mz_lines_wrong_at(&r->lines, rest, "share: '%.40s' is not a number from 0 to 1", rest);
}

static void read_bug(reader *r, const char *key, char *rest)
{
    (void)key;
    r->plan->bug = mz_lines_unescape(&r->lines, rest);
}

static void read_racing(reader *r, const char *key, char *rest)
{
    (void)key;
    mz_symbolic_add_lines(r->symbolic, &r->lines, rest);
}

static void begin_next_plan(reader *r);

/* Whatever stands before the first plan is about all of them. */
static void read_plan(reader *r, const char *key, char *rest)
{
    mz_symbolic_plan *s = r->symbolic;
    size_t number = r->plan_has_begun ? s->plan_count : 0;
    if (number == MZ_MOST_PLANS) {
        mz_lines_wrong(&r->lines, "more than %d plans", MZ_MOST_PLANS);
        return;
    }
    if (mz_plan_next_count(r, &rest, 0, UINT32_MAX, key) != number && !r->lines.error->set)
        mz_lines_wrong(&r->lines, "plan %zu comes next", number);
    if (!r->lines.error->set)
        mz_lines_nothing_left(&r->lines, rest);
    if (!r->lines.error->set && number > 0)
        begin_next_plan(r);
    r->plan_has_begun = true;
}

static void read_thread(reader *r, const char *key, char *rest)
{
    mz_plan *plan = r->plan;
    (void)key;
    if (plan->thread_count == MZ_PLAN_MOST_THREADS) {
        mz_lines_wrong(&r->lines, "more than %d threads", MZ_PLAN_MOST_THREADS);
        return;
    }
    mz_plan_thread *t = &plan->threads[plan->thread_count];
    t->parent = (uint32_t)mz_lines_number(&r->lines, &rest, 0, plan->thread_count - 1, "parent");
    if (!r->lines.error->set && *rest != '.')
        mz_lines_wrong_at(&r->lines, rest, "a thread is PARENT.CHILD");
    if (r->lines.error->set)
        return;
    rest++;
    t->child = (uint32_t)mz_lines_number(&r->lines, &rest, 0, UINT32_MAX, "child");
    mz_lines_nothing_left(&r->lines, rest);
    plan->thread_count++;
}

static void read_ends(reader *r, const char *key, char *rest)
{
    (void)key;
    uint32_t thread = mz_plan_next_count(r, &rest, 0, r->plan->thread_count - 1, "ends: thread");
    uint32_t count = mz_plan_next_count(r, &rest, 0, UINT32_MAX - 1, "ends: count");
    mz_lines_nothing_left(&r->lines, rest);
    r->plan->threads[thread].ends = count + 1;
}

static void read_prefix(reader *r, const char *key, char *rest)
{
    (void)key;
    r->plan->prefix = mz_plan_next_count(r, &rest, 0, UINT32_MAX - 1, "prefix");
    if (!r->lines.error->set && strcmp(mz_plan_next_word(r, &rest, "of"), "of") != 0)
        mz_lines_wrong(&r->lines, "a prefix is D of LENGTH");
    if (!r->lines.error->set)
        r->plan->length = mz_plan_next_count(r, &rest, r->plan->prefix, UINT32_MAX - 1, "length");
    if (!r->lines.error->set)
        mz_lines_nothing_left(&r->lines, rest);
}

/* What stands instead of a prefix. */
static void read_rule(reader *r, const char *key, char *rest)
{
    r->plan->iterations = strcmp(rest, "iterations") == 0;
    if (!r->plan->iterations && strcmp(rest, "edges") != 0)
        mz_lines_wrong_at(&r->lines, rest, "%s: '%.40s' is not known: there are 'edges' and 'iterations'",
                          key, rest);
    r->plan->edges_only = true;
}

/* ---- events ---------------------------------------------------------------------------------------------
 */

static mz_operation_kind kind_of(reader *r, const char *word)
{
    for (int kind = 0; kind < MZ_OPERATION_KIND_COUNT; kind++)
        if (strcmp(mz_operation_name((mz_operation_kind)kind), word) == 0)
            return (mz_operation_kind)kind;
    if (r->plan->edges_only && strcmp(word, "any") == 0)
        return (mz_operation_kind)MZ_PLAN_ANY_KIND;
    mz_lines_wrong_at(&r->lines, word, "'%.40s' is no kind of operation", word);
    return MZ_OP_READ;
}

/* Of an event, or 'end': of an iteration. */
static uint32_t count_of(reader *r, char **word, const char *what)
{
    if (r->plan->iterations && strncmp(*word, "end", 3) == 0) {
        *word += 3;
        return MZ_PLAN_ITERATION_END;
    }
    return (uint32_t)mz_lines_number(&r->lines, word, 1, UINT32_MAX - 1, what);
}

static void read_waits(reader *r, char *word, mz_plan_event *event)
{
    mz_plan *plan = r->plan;
    event->first_wait = (uint32_t)plan->wait_count;
    if (strcmp(word, "-") == 0)
        return;
    for (;; word++) {
        char *start = word;
        mz_plan_wait wait = {
            (uint32_t)mz_lines_number(&r->lines, &word, 0, plan->thread_count - 1, "waits: thread"), 0};
        if (!r->lines.error->set && *word != ':')
            mz_lines_wrong_at(&r->lines, word, "a wait is THREAD:COUNT");
        if (r->lines.error->set)
            return;
        word++;
        wait.count = count_of(r, &word, "waits: count");
        if (r->lines.error->set)
            return;
        if (wait.thread == event->thread || wait.count > r->last_count[wait.thread]) {
            mz_lines_wrong_at(&r->lines, start, "a wait is for an earlier event of another thread");
            return;
        }
        plan->waits = mz_grow(plan->waits, &plan->wait_capacity, plan->wait_count + 1, sizeof *plan->waits);
        plan->waits[plan->wait_count++] = wait;
        event->wait_count++;
        if (*word != ',')
            break;
    }
    if (*word)
        mz_lines_wrong_at(&r->lines, word, "'%.40s' is too much here", word);
}

/* What follows the bars is for people: FILE:LINE and the operation. */
static void read_words(reader *r, char *rest, mz_plan_event *event)
{
    event->text = "";
    if (*rest && *rest != '|')
        mz_lines_wrong_at(&r->lines, rest, "'%.40s' is too much here: the rest follows a bar", rest);
    if (*rest != '|')
        return;
    char *place = rest + 1 + strspn(rest + 1, " "), *bar = strchr(place, '|');
    if (!bar) {
        mz_lines_wrong_at(&r->lines, rest, "an event has three parts");
        return;
    }
    event->text = mz_lines_unescape(&r->lines, bar + 1 + strspn(bar + 1, " "));
    while (bar > place && bar[-1] == ' ')
        bar--;
    *bar = '\0';
    bool is_place = strchr(place, ':');
    event->line = mz_plan_take_line(place);
    if (is_place)
        event->file = mz_lines_unescape(&r->lines, place);
}

static void check_order(reader *r, const mz_plan_event *event)
{
    bool in_prefix = r->plan->edges_only || r->plan->event_count < r->plan->prefix;
    if (event->count <= r->last_count[event->thread])
        mz_lines_wrong(&r->lines, "the counts of a thread go up: after %u comes no %u",
                       r->last_count[event->thread], event->count);
    else if (!in_prefix && r->followed[event->thread])
        mz_lines_wrong(&r->lines, "of each thread one event stands after the prefix, not more");
    r->followed[event->thread] |= !in_prefix;
    r->last_count[event->thread] = event->count;
}

static void read_event(reader *r, const char *key, char *rest)
{
    mz_plan *plan = r->plan;
    mz_plan_event event = {.picks = MZ_PLAN_PICKS_NOBODY, .place = MZ_PLAN_NOWHERE};
    (void)key;
    event.thread = mz_plan_next_count(r, &rest, 0, plan->thread_count - 1, "thread");
    char *count = r->lines.error->set ? rest : mz_plan_next_word(r, &rest, "count");
    if (!r->lines.error->set)
        event.count = count_of(r, &count, "count");
    if (!r->lines.error->set && *count)
        mz_lines_wrong_at(&r->lines, count, "'%.40s' is too much here", count);
    if (!r->lines.error->set)
        event.kind = kind_of(r, mz_plan_next_word(r, &rest, "kind"));
    char *place = r->lines.error->set ? rest : mz_plan_next_word(r, &rest, "place");
    if (!r->lines.error->set && strcmp(place, "-") != 0)
        event.place = mz_plan_add_place(plan, mz_lines_unescape(&r->lines, place));
    char *waits = r->lines.error->set ? rest : mz_plan_next_word(r, &rest, "waits");
    if (!r->lines.error->set)
        read_waits(r, waits, &event);
    char *picks = r->lines.error->set ? rest : mz_plan_next_word(r, &rest, "picks");
    if (!r->lines.error->set && strcmp(picks, "-") != 0)
        event.picks = mz_plan_next_count(r, &picks, 0, plan->thread_count - 1, "picks");
    if (!r->lines.error->set)
        read_words(r, rest, &event);
    if (!r->lines.error->set)
        check_order(r, &event);
    if (r->lines.error->set)
        return;
    plan->events = mz_grow(plan->events, &plan->event_capacity, plan->event_count + 1, sizeof *plan->events);
    plan->events[plan->event_count++] = event;
}

static void read_end(reader *r, const char *key, char *rest)
{
    (void)key;
    mz_lines_nothing_left(&r->lines, rest);
    r->ended = true;
}

/* ---- lines ----------------------------------------------------------------------------------------------
 */

enum { NEEDED = 1, REPEATED = 2 };

/* In the order in which they stand, but that the first ones may be in any. */
static const struct {
    const char *name;
    void (*read)(reader *, const char *key, char *rest);
    unsigned how;
} keys[] = {
    {"file", read_about, REPEATED},
    {"compiler", read_about, 0},
    {"flag", read_about, REPEATED},
    {"link", read_about, REPEATED},
    {"argument", read_about, REPEATED},
    {"image", read_hash, NEEDED},
    {"counts", read_counts, NEEDED},
    {"fences", read_fences, NEEDED},
    {"verified", read_verified, 0},
    {"bug", read_bug, 0},
    {"nondet", mz_plan_read_nondet, 0},
    {"input", mz_plan_read_input, REPEATED},
    {"guard", mz_plan_read_guard, REPEATED},
    {"premise", mz_plan_read_premise, REPEATED},
    {"seen", mz_plan_read_seen, REPEATED},
    {"waives", mz_plan_read_waives, REPEATED},
    {"racing", read_racing, REPEATED},
    {"plan", read_plan, REPEATED},
    {"thread", read_thread, REPEATED},
    {"ends", read_ends, REPEATED},
    {"reads", mz_plan_read_reads, REPEATED},
    {"prefix", read_prefix, NEEDED},
    {"rule", read_rule, 0},
    {"event", read_event, REPEATED},
    {"end", read_end, NEEDED},
};
enum {
    KEYS = sizeof keys / sizeof *keys,
    END = KEYS - 1,
    EVENT = KEYS - 2,
    RULE = KEYS - 3,
    PREFIX = KEYS - 4,
    PLAN = KEYS - 8,
};

static void check_place_of_line(reader *r, int k)
{
    bool has_prefix = r->seen & (1u << PREFIX | 1u << RULE);
    if (r->ended)
        mz_lines_wrong(&r->lines, "something follows 'end'");
    else if ((r->seen & (1u << k)) && !(keys[k].how & REPEATED))
        mz_lines_wrong(&r->lines, "'%s' is given twice", keys[k].name);
    else if (k < PLAN && (r->plan_has_begun || has_prefix))
        mz_lines_wrong(&r->lines, "'%s' has to stand before the %s", keys[k].name,
                       r->plan_has_begun ? "plans" : "prefix");
    else if ((k == PREFIX || k == RULE) && has_prefix)
        mz_lines_wrong(&r->lines, "there is a prefix or a rule, not both");
    else if (k > PLAN && k < PREFIX && has_prefix)
        mz_lines_wrong(&r->lines, "'%s' has to stand before the prefix", keys[k].name);
    else if (k == PLAN && (has_prefix ? !r->plan_has_begun : r->plan_has_begun))
        mz_lines_wrong(&r->lines, "a plan begins, but %s",
                       has_prefix ? "the one before has no number" : "the one before has no prefix");
    else if (k == EVENT && !has_prefix)
        mz_lines_wrong(&r->lines, "'prefix' has to stand before the events");
}

static bool is_version(const char *line, int version)
{
    mz_text first = {0};
    mz_text_add(&first, "%s %d", MZ_PLAN_MAGIC, version);
    bool same = strcmp(line, mz_text_string(&first)) == 0;
    mz_text_release(&first);
    return same;
}

static void read_line(void *context, char *line)
{
    reader *r = context;
    size_t length = strcspn(line, " ");
    int k = 0;
    if (r->lines.line == 1) {
        int version = 1;
        while (version < MZ_PLAN_VERSION && !is_version(line, version))
            version++;
        mz_lines_check_version(&r->lines, line, "a plan", MZ_PLAN_MAGIC, version);
        r->counts_inputs = version >= 4;
        r->symbolic->says_premises = version >= 5;
        return;
    }
    while (k < KEYS && !mz_is_word(line, length, keys[k].name))
        k++;
    if (k == KEYS)
        mz_lines_wrong(&r->lines, "unknown word '%.*s'", mz_lines_shown(length), line);
    else
        check_place_of_line(r, k);
    if (r->lines.error->set)
        return;
    r->seen |= 1u << k;
    keys[k].read(r, keys[k].name, line + length + strspn(line + length, " "));
}

/* What no single line of a plan tells. */
static void check_plan(reader *r)
{
    mz_plan *plan = r->plan;
    if (plan->edges_only)
        plan->prefix = plan->length = (uint32_t)plan->event_count;
    if (!r->lines.error->set && plan->event_count < plan->prefix)
        mz_lines_wrong(&r->lines, "the prefix has %u events, but there are %zu", plan->prefix,
                       plan->event_count);
    for (size_t i = 0; i < plan->place_count && !r->lines.error->set; i++)
        if (!strchr(plan->places[i], '+'))
            mz_lines_wrong(&r->lines, "a place is NAME+OFFSET, not '%.40s'", plan->places[i]);
}

static void begin_next_plan(reader *r)
{
    check_plan(r);
    r->plan = mz_symbolic_add_plan(r->symbolic);
    const mz_plan *first = &r->symbolic->plans[0];
    r->plan->hash = first->hash;
    r->plan->counts_accesses = first->counts_accesses;
    r->plan->needs_fences = first->needs_fences;
    r->plan->bug = first->bug;
    r->seen &= ~(1u << PREFIX | 1u << RULE | 1u << EVENT);
    memset(r->last_count, 0, sizeof r->last_count);
    memset(r->followed, 0, sizeof r->followed);
}

static void check_whole(reader *r)
{
    for (int k = 0; k < KEYS && !r->lines.error->set; k++)
        if ((keys[k].how & NEEDED) && !(r->seen & (1u << k)) && !(k == PREFIX && r->plan->edges_only))
            mz_lines_wrong(&r->lines, "there is no line '%s'%s", keys[k].name,
                           k == END ? ": is the file cut off?" : "");
    check_plan(r);
    if (!r->lines.error->set)
        mz_plan_check_guards(r);
}

bool mz_symbolic_parse(mz_symbolic_plan *symbolic, const char *name, const char *text, size_t length,
                       mz_error *error)
{
    mz_symbolic_init(symbolic);
    symbolic->quarantine = MZ_QUARANTINE;
    reader r = {.symbolic = symbolic, .lines = {.name = name, .error = error}};
    r.plan = mz_symbolic_add_plan(symbolic);
    mz_lines_read(&r.lines, &symbolic->strings, text, length, read_line, &r);
    if (!error->set)
        check_whole(&r);
    return !error->set;
}

bool mz_symbolic_load(mz_symbolic_plan *symbolic, const char *path, mz_error *error)
{
    mz_text text = {0};
    mz_symbolic_init(symbolic);
    if (mz_file_read_text(path, MZ_PLAN_MOST_BYTES, "a plan", &text, error))
        mz_symbolic_parse(symbolic, path, mz_text_string(&text), text.length, error);
    mz_text_release(&text);
    return !error->set;
}
