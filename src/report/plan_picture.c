#include "report/plan_picture.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* ---- pictures -------------------------------------------------------------------------------------------
 */

enum { MOST_SHARED = 64 };

/* What is drawn of a plan. */
typedef struct picture {
    const mz_plan *plan;
    size_t number;
    mz_text condition;    /* when it applies; "" if always */
    mz_plan_image *image; /* to look events up */
    bool *drawn;          /* [event] */
    bool *follows;        /* [event]: the first of its thread beyond the prefix; it waits for all of that */
    uint32_t last[MZ_PLAN_MOST_THREADS]; /* of each thread in the prefix: position + 1, 0: none */
    /* [plan]: so many events are the same in this one and in that, because they come before it is decided
     * which of both applies */
    uint32_t *shared;
} picture;

/* Where the event that is waited for stands in the plan. */
static size_t position_of(const picture *p, mz_plan_wait wait)
{
    const char *memory = (const char *)p->image;
    const mz_plan_thread *thread =
        (const mz_plan_thread *)(const void *)(memory + p->image->threads) + wait.thread;
    const mz_plan_entry *entries =
        (const mz_plan_entry *)(const void *)(memory + p->image->entries) + thread->first_entry;
    uint32_t low = 0, high = thread->entry_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (entries[middle].count <= wait.count)
            low = middle;
        else
            high = middle;
    }
    return entries[low].rank;
}

/* What is held back by the prefix as a whole: by the last event of every thread in it. */
static void add_followers(picture *p)
{
    uint64_t followed = 0; /* threads */
    for (size_t i = p->plan->prefix; p->plan->prefix > 0 && i < p->plan->event_count; i++) {
        uint64_t bit = UINT64_C(1) << p->plan->events[i].thread;
        p->follows[i] = p->drawn[i] = !(followed & bit);
        followed |= bit;
    }
    for (uint32_t t = 0; t < p->plan->thread_count; t++)
        if (p->last[t] > 0)
            p->drawn[p->last[t] - 1] = true;
}

static bool is_read_after(const mz_plan *plan, size_t event)
{
    for (size_t i = 0; i < plan->read_count; i++)
        if (plan->reads[i].rank == event + 1)
            return true;
    return false;
}

static bool leads_to(const mz_symbolic_plan *s, uint32_t at, uint32_t plan)
{
    if (at & MZ_GUARD_PLAN)
        return (at & ~MZ_GUARD_PLAN) == plan;
    return leads_to(s, s->guards[at].holds, plan) || leads_to(s, s->guards[at].fails, plan);
}

/* Below this guard the plan and others go separate ways. */
static void find_shared(const mz_symbolic_plan *s, uint32_t at, picture *p)
{
    uint32_t own = (uint32_t)p->number;
    if ((at & MZ_GUARD_PLAN) || !leads_to(s, at, own))
        return;
    const mz_guard *g = &s->guards[at];
    uint32_t decided = mz_symbolic_decided_at(s, at);
    for (uint32_t q = 0; q < s->plan_count; q++) {
        bool separate = (leads_to(s, g->holds, own) && leads_to(s, g->fails, q)) ||
                        (leads_to(s, g->fails, own) && leads_to(s, g->holds, q));
        if (q != own && separate && decided < p->shared[q])
            p->shared[q] = decided;
    }
    find_shared(s, g->holds, p);
    find_shared(s, g->fails, p);
}

/* Is the event of another plan, too? */
static bool is_shared(const picture *p, size_t plan_count, size_t event)
{
    for (size_t q = 0; q < plan_count; q++)
        if (q != p->number && p->shared[q] > event)
            return true;
    return false;
}

/* The plan in which it is drawn: the first that has it. */
static size_t owner_of(const picture *p, size_t event)
{
    for (size_t q = 0; q < p->number; q++)
        if (p->shared[q] > event)
            return q;
    return p->number;
}

static picture begin_picture(const mz_symbolic_plan *symbolic, size_t number, bool all)
{
    const mz_plan *plan = &symbolic->plans[number];
    picture p = {.plan = plan,
                 .number = number,
                 .image = mz_allocate_lines(mz_plan_image_bytes(plan)),
                 .drawn = mz_allocate_zeroed(plan->event_count, sizeof(bool)),
                 .follows = mz_allocate_zeroed(plan->event_count, sizeof(bool))};
    p.shared = mz_allocate_zeroed(symbolic->plan_count, sizeof *p.shared);
    bool few = symbolic->plan_count <= MOST_SHARED; /* nobody looks for what so many have in common */
    for (size_t q = 0; q < symbolic->plan_count; q++)
        p.shared[q] = q == number || !few ? 0 : UINT32_MAX;
    if (few)
        find_shared(symbolic, symbolic->guard_count > 0 ? 0 : MZ_GUARD_PLAN, &p);
    mz_symbolic_condition(symbolic, number, &p.condition);
    mz_plan_image_fill(plan, 0, p.image);
    for (size_t i = 0; i < plan->prefix; i++) {
        const mz_plan_event *e = &plan->events[i];
        p.drawn[i] |=
            all || e->wait_count > 0 || is_read_after(plan, i) || is_shared(&p, symbolic->plan_count, i);
        for (uint32_t w = 0; w < e->wait_count; w++)
            p.drawn[position_of(&p, plan->waits[e->first_wait + w])] = true;
        p.last[e->thread] = (uint32_t)i + 1;
    }
    add_followers(&p);
    return p;
}

static void end_picture(picture *p)
{
    mz_release(p->image);
    mz_release(p->drawn);
    mz_release(p->follows);
    mz_release(p->shared);
    mz_text_release(&p->condition);
}

static void add_quoted(mz_text *out, const char *text, bool xml)
{
    for (; *text; text++) {
        if (xml && (*text == '<' || *text == '&' || *text == '>' || *text == '"'))
            mz_text_add(out, "%s",
                        *text == '<'   ? "&lt;"
                        : *text == '>' ? "&gt;"
                        : *text == '&' ? "&amp;"
                                       : "&quot;");
        else if (!xml && (*text == '"' || *text == '\\'))
            mz_text_add(out, "\\%c", *text);
        else
            mz_text_add_bytes(out, text, 1);
    }
}

static void add_reads(const mz_plan *plan, size_t event, const char *before, bool xml, mz_text *out)
{
    for (size_t i = 0; i < plan->read_count; i++)
        if (plan->reads[i].rank == event + 1) {
            mz_text_add(out, "%s", before);
            add_quoted(out, plan->reads[i].name, xml);
            mz_text_add(out, " is read");
        }
}

static const char *fill_of(uint32_t thread)
{
    return thread % 2 == 0 ? "#cccccc" : "#ffffff";
}

static void add_dot_name(const picture *p, size_t event, mz_text *out)
{
    mz_text_add(out, "p%zu_%zu", owner_of(p, event), event);
}

/* An edge to an event that other plans have, too, is there whatever is decided. */
static void add_dot_constraint(const picture *p, size_t from, size_t to, bool labelled, mz_text *out)
{
    mz_text_add(out, "    ");
    add_dot_name(p, from, out);
    mz_text_add(out, " -> ");
    add_dot_name(p, to, out);
    mz_text_add(out, " [constraint=true%s", p->follows[to] ? ", style=dashed" : "");
    if (labelled && p->condition.length > 0) {
        mz_text_add(out, ", label=\"");
        add_quoted(out, mz_text_string(&p->condition), false);
        mz_text_add(out, "\"");
    }
    mz_text_add(out, "];\n");
}

static void add_dot_node(const picture *p, size_t i, mz_text *out)
{
    const mz_plan_event *e = &p->plan->events[i];
    mz_text_add(out, "    ");
    add_dot_name(p, i, out);
    mz_text_add(out, " [group=t%u, fillcolor=\"%s\", label=\"%u:%u\\n", e->thread, fill_of(e->thread),
                e->thread, e->count);
    add_quoted(out, e->text, false);
    add_reads(p->plan, i, "\\n", false, out);
    mz_text_add(out, "\"];\n");
}

/* Those of the plan's own events that other plans have, too, or those that they have not. */
static void add_dot_events(const picture *p, size_t plan_count, bool shared, mz_text *out)
{
    const mz_plan *plan = p->plan;
    size_t last[MZ_PLAN_MOST_THREADS] = {0}; /* position + 1 */
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (!p->drawn[i])
            continue;
        size_t before = last[e->thread];
        last[e->thread] = i + 1;
        if (owner_of(p, i) != p->number || is_shared(p, plan_count, i) != shared)
            continue;
        add_dot_node(p, i, out);
        if (before > 0) {
            mz_text_add(out, "    ");
            add_dot_name(p, before - 1, out);
            mz_text_add(out, " -> ");
            add_dot_name(p, i, out);
            mz_text_add(out, " [color=gray, weight=10];\n");
        }
        for (uint32_t w = 0; w < e->wait_count && i < plan->prefix; w++)
            add_dot_constraint(p, position_of(p, plan->waits[e->first_wait + w]), i, !shared, out);
        for (uint32_t t = 0; t < plan->thread_count && p->follows[i]; t++)
            if (t != e->thread && p->last[t] > 0)
                add_dot_constraint(p, p->last[t] - 1, i, !shared, out);
    }
}

void mz_show_dot(const mz_symbolic_plan *symbolic, bool all, mz_text *out)
{
    mz_text common = {0}, plans = {0};
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        picture p = begin_picture(symbolic, i, all);
        mz_text_add(&plans, "  subgraph cluster%zu {\n    label=\"", i);
        if (p.condition.length > 0) {
            mz_text_add(&plans, "when ");
            add_quoted(&plans, mz_text_string(&p.condition), false);
        }
        mz_text_add(&plans, "%s\";\n", p.plan->prefix > 0 ? "" : ": nothing is constrained");
        add_dot_events(&p, symbolic->plan_count, false, &plans);
        mz_text_add(&plans, "  }\n");
        add_dot_events(&p, symbolic->plan_count, true, &common);
        end_picture(&p);
    }
    mz_text_add(out, "digraph plan {\n  node [shape=box, style=filled, fontsize=10];\n");
    if (common.length > 0)
        mz_text_add(out, "  subgraph cluster_common {\n    label=\"before it is decided\";\n%s  }\n",
                    mz_text_string(&common));
    mz_text_add(out, "%s}\n", mz_text_string(&plans));
    mz_text_release(&common);
    mz_text_release(&plans);
}

enum { COLUMN = 170, ROW = 44, LEFT = 20, TOP = 50, BOX = 150, HEIGHT = 28 };

static void add_box(const mz_plan *plan, size_t i, size_t row, mz_text *out)
{
    const mz_plan_event *e = &plan->events[i];
    size_t x = LEFT + e->thread * COLUMN, y = TOP + row * ROW;
    mz_text_add(out,
                "<g><title>%u:%u</title><rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" rx=\"6\" "
                "fill=\"%s\" stroke=\"#333\"/><text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\">",
                e->thread, e->count, x, y, BOX, HEIGHT, fill_of(e->thread), x + BOX / 2, y + HEIGHT / 2 + 4);
    char word[24] = {0};
    size_t length = 0;
    for (size_t n; e->text[length] && (n = mz_utf8_bytes(e->text + length, strlen(e->text + length))) > 0 &&
                   length + n < sizeof word - 1;
         length += n)
        memcpy(word + length, e->text + length, n);
    add_quoted(out, word, true);
    mz_text_add(out, "%s</text></g>\n", e->text[length] ? "…" : "");
}

/* Program order; a constraint; what waits for the whole prefix. */
typedef enum line { GRAY, SOLID, DASHED } line;

static void add_edge(uint32_t from, size_t from_row, uint32_t to, size_t to_row, line style, mz_text *out)
{
    size_t x = LEFT + from * COLUMN + BOX / 2, y = TOP + from_row * ROW + HEIGHT;
    size_t end_x = LEFT + to * COLUMN + BOX / 2, end_y = TOP + to_row * ROW;
    mz_text_add(out,
                "<line x1=\"%zu\" y1=\"%zu\" x2=\"%zu\" y2=\"%zu\" stroke=\"%s\"%s "
                "marker-end=\"url(#arrow)\"/>\n",
                x, y, end_x, end_y, style == GRAY ? "#999" : "#b00",
                style == DASHED ? " stroke-dasharray=\"4 3\"" : "");
}

/* Beside the event after which it is read. */
static void add_svg_reads(const mz_plan *plan, size_t i, size_t row, mz_text *out)
{
    if (!is_read_after(plan, i))
        return;
    mz_text_add(out, "<text x=\"%zu\" y=\"%zu\" font-style=\"italic\">",
                (size_t)LEFT + plan->events[i].thread * (size_t)COLUMN + 4,
                (size_t)TOP + row * ROW + HEIGHT + 11);
    add_reads(plan, i, "↓ ", true, out);
    mz_text_add(out, "</text>\n");
}

static void add_edge_label(const picture *p, uint32_t from, size_t from_row, uint32_t to, size_t to_row,
                           mz_text *out)
{
    if (p->condition.length == 0)
        return;
    mz_text_add(out, "<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\" fill=\"#b00\">",
                (size_t)LEFT + (from + to) * (size_t)COLUMN / 2 + BOX / 2,
                (size_t)TOP + (from_row + to_row) * (size_t)ROW / 2 + HEIGHT / 2 - 6);
    add_quoted(out, mz_text_string(&p->condition), true);
    mz_text_add(out, "</text>\n");
}

static void add_svg_constraint(const picture *p, const size_t *rows, size_t from, size_t to, mz_text *out)
{
    const mz_plan_event *e = &p->plan->events[from], *f = &p->plan->events[to];
    add_edge(e->thread, rows[from], f->thread, rows[to], p->follows[to] ? DASHED : SOLID, out);
    add_edge_label(p, e->thread, rows[from], f->thread, rows[to], out);
}

static void add_svg_events(const picture *p, const size_t *rows, mz_text *out)
{
    const mz_plan *plan = p->plan;
    size_t last[MZ_PLAN_MOST_THREADS] = {0}; /* position + 1 */
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (!p->drawn[i])
            continue;
        if (last[e->thread])
            add_edge(e->thread, rows[last[e->thread] - 1], e->thread, rows[i], GRAY, out);
        last[e->thread] = i + 1;
        for (uint32_t w = 0; w < e->wait_count && i < plan->prefix; w++)
            add_svg_constraint(p, rows, position_of(p, plan->waits[e->first_wait + w]), i, out);
        for (uint32_t t = 0; t < plan->thread_count && p->follows[i]; t++)
            if (t != e->thread && p->last[t] > 0)
                add_svg_constraint(p, rows, p->last[t] - 1, i, out);
        add_box(plan, i, rows[i], out);
        add_svg_reads(plan, i, rows[i], out);
    }
}

/* Moved down by `top`; how high it is. */
static size_t add_svg_plan(const picture *p, size_t top, mz_text *out)
{
    const mz_plan *plan = p->plan;
    size_t *rows = mz_allocate_zeroed(plan->event_count, sizeof *rows), count = 0;
    for (size_t i = 0; i < plan->event_count; i++)
        if (p->drawn[i])
            rows[i] = count++;
    mz_text_add(out, "<g transform=\"translate(0,%zu)\">\n", top);
    if (p->condition.length > 0) {
        mz_text_add(out, "<text x=\"%d\" y=\"12\" font-weight=\"bold\">when ", LEFT);
        add_quoted(out, mz_text_string(&p->condition), true);
        mz_text_add(out, "%s</text>\n", plan->prefix > 0 ? "" : ": nothing is constrained");
    }
    for (uint32_t t = 0; t < plan->thread_count; t++)
        mz_text_add(out,
                    "<text x=\"%u\" y=\"30\" text-anchor=\"middle\" font-weight=\"bold\">thread %u</text>\n",
                    LEFT + t * COLUMN + BOX / 2, t);
    add_svg_events(p, rows, out);
    mz_text_add(out, "</g>\n");
    mz_release(rows);
    return (size_t)TOP + (count + 1) * ROW;
}

void mz_show_svg(const mz_symbolic_plan *symbolic, bool all, mz_text *out)
{
    mz_text plans = {0};
    size_t height = 0, threads = 0;
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        picture p = begin_picture(symbolic, i, all);
        height += add_svg_plan(&p, height, &plans);
        threads = p.plan->thread_count > threads ? p.plan->thread_count : threads;
        end_picture(&p);
    }
    mz_text_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<defs><marker id=\"arrow\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" "
        "refY=\"3\" orient=\"auto\"><path d=\"M0,0 L7,3 L0,6 z\" fill=\"#555\"/></marker></defs>\n%s</svg>\n",
        (size_t)LEFT * 2 + threads * (size_t)COLUMN, height, mz_text_string(&plans));
    mz_text_release(&plans);
}
