#include "cmd/show_plan.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* ---- text -----------------------------------------------------------------------------------------------
 */

static void add_amount(const mz_plan *plan, mz_text *out)
{
    size_t constraints = mz_plan_constraints(plan, plan->prefix);
    mz_text_add(out, "%zu constraint%s", constraints, constraints == 1 ? "" : "s");
    if (plan->edges_only)
        mz_text_add(out, "%s; all else is free\n", plan->iterations ? " for each iteration" : "");
    else
        mz_text_add(out, " on the first %u of %u events, which come before all others\n", plan->prefix,
                    plan->length);
}

static void add_inputs(const mz_symbolic_plan *symbolic, mz_text *out)
{
    for (size_t i = 0; i < symbolic->input_count; i++)
        mz_text_add(out, "%s%s from %" PRId64 " to %" PRId64, i ? ", " : "inputs: ", symbolic->inputs[i].name,
                    symbolic->inputs[i].low, symbolic->inputs[i].high);
    if (symbolic->input_count > 0)
        mz_text_add(out, "%s\n", symbolic->plan_count == 1 ? "; the same for all of them" : "");
}

static void add_summary(const mz_symbolic_plan *symbolic, mz_text *out)
{
    const mz_plan *plan = &symbolic->plans[0];
    for (size_t i = 0; i < plan->line_count; i++)
        if (strcmp(plan->lines[i].key, "file") == 0)
            mz_text_add(out, "%s%s", i ? " " : "", plan->lines[i].text);
    mz_text_add(out, "%s", plan->line_count ? ": " : "");
    if (symbolic->plan_count == 1)
        add_amount(plan, out);
    else
        mz_text_add(out, "%zu plans, which one applies is decided by the inputs\n", symbolic->plan_count);
    mz_text_add(out, "%" PRIu64 " trace%s verified", plan->traces, plan->traces == 1 ? "" : "s");
    if (plan->edges_only)
        mz_text_add(out, ", which %s all that %s", plan->traces == 1 ? "is" : "are",
                    mz_plan_constraints(plan, plan->prefix) == 1 ? "it allows" : "they allow");
    else if (plan->share > 0)
        mz_text_add(out, ", about %.3g %% of all", plan->share * 100);
    mz_text_add(out, "; counts %s%s\n", plan->counts_accesses ? "accesses" : "operations",
                plan->needs_fences ? ", with fences after stores" : "");
    if (plan->bug)
        mz_text_add(out, "excluded: %s\n", plan->bug);
    add_inputs(symbolic, out);
}

static void add_threads(const mz_plan *plan, mz_text *out)
{
    for (uint32_t t = 0; t < plan->thread_count; t++) {
        if (t == 0)
            mz_text_add(out, "thread 0 is main");
        else
            mz_text_add(out, "; %u: thread %u of %u", t, plan->threads[t].child + 1, plan->threads[t].parent);
    }
    mz_text_add(out, "\n\n");
}

static void add_event_text(const mz_plan *plan, size_t i, mz_text *out)
{
    const mz_plan_event *e = &plan->events[i];
    mz_text_add(out, "%6zu  ", i + 1);
    for (uint32_t t = 0; t < plan->thread_count; t++) {
        if (t == e->thread && e->count == MZ_PLAN_ITERATION_END)
            mz_text_add(out, "%u:end  ", t);
        else if (t == e->thread)
            mz_text_add(out, "%u:%-5u", t, e->count);
        else
            mz_text_add(out, ".      ");
    }
    mz_text_add(out, " %s", e->text);
    if (e->file)
        mz_text_add(out, "  %s:%u", e->file, e->line);
    if (e->picks != MZ_PLAN_PICKS_NOBODY)
        mz_text_add(out, "  wakes %u", e->picks);
    if (i >= plan->prefix)
        mz_text_add(out, "  <- all above");
    for (uint32_t w = 0; w < e->wait_count && i < plan->prefix; w++) {
        mz_plan_wait wait = plan->waits[e->first_wait + w];
        mz_text_add(out, "%s%u:", w ? ", " : "  <- ", wait.thread);
        if (wait.count == MZ_PLAN_ITERATION_END)
            mz_text_add(out, "end");
        else
            mz_text_add(out, "%u", wait.count);
    }
    mz_text_add(out, "\n");
}

static void add_plan_text(const mz_plan *plan, mz_text *out)
{
    add_threads(plan, out);
    for (size_t i = 0; i < plan->event_count; i++) {
        if (i == plan->prefix && i > 0)
            mz_text_add(out, "        ---- then in any order:\n");
        add_event_text(plan, i, out);
    }
    if (plan->prefix == 0)
        mz_text_add(out, "nothing is constrained\n");
}

void mz_show_text(const mz_symbolic_plan *symbolic, mz_text *out)
{
    add_summary(symbolic, out);
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        if (symbolic->plan_count > 1) {
            mz_text_add(out, "\nwhen ");
            mz_symbolic_condition(symbolic, i, out);
            mz_text_add(out, ": ");
            add_amount(&symbolic->plans[i], out);
        }
        add_plan_text(&symbolic->plans[i], out);
    }
}

/* ---- pictures -------------------------------------------------------------------------------------------
 */

/* What is drawn of a plan. */
typedef struct picture {
    const mz_plan *plan;
    size_t number;
    mz_text condition;    /* when it applies; "" if always */
    mz_plan_image *image; /* to look events up */
    bool *drawn;          /* [event] */
    bool *follows;        /* [event]: the first of its thread beyond the prefix; it waits for all of that */
    uint32_t last[MZ_PLAN_MOST_THREADS]; /* of each thread in the prefix: position + 1, 0: none */
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

static picture begin_picture(const mz_symbolic_plan *symbolic, size_t number, bool all)
{
    const mz_plan *plan = &symbolic->plans[number];
    picture p = {.plan = plan,
                 .number = number,
                 .image = mz_allocate_zeroed(1, mz_plan_image_bytes(plan)),
                 .drawn = mz_allocate_zeroed(plan->event_count, sizeof(bool)),
                 .follows = mz_allocate_zeroed(plan->event_count, sizeof(bool))};
    mz_symbolic_condition(symbolic, number, &p.condition);
    mz_plan_image_fill(plan, 0, p.image);
    for (size_t i = 0; i < plan->prefix; i++) {
        const mz_plan_event *e = &plan->events[i];
        p.drawn[i] |= all || e->wait_count > 0;
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

static const char *fill_of(uint32_t thread)
{
    return thread % 2 == 0 ? "#cccccc" : "#ffffff";
}

static void add_dot_constraint(const picture *p, size_t from, size_t to, mz_text *out)
{
    mz_text_add(out, "    p%zu_%zu -> p%zu_%zu [constraint=true%s", p->number, from, p->number, to,
                p->follows[to] ? ", style=dashed" : "");
    if (p->condition.length > 0) {
        mz_text_add(out, ", label=\"");
        add_quoted(out, mz_text_string(&p->condition), false);
        mz_text_add(out, "\"");
    }
    mz_text_add(out, "];\n");
}

static void add_dot_events(const picture *p, mz_text *out)
{
    const mz_plan *plan = p->plan;
    uint32_t last[MZ_PLAN_MOST_THREADS] = {0}; /* position + 1 */
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (!p->drawn[i])
            continue;
        mz_text_add(out, "    p%zu_%zu [group=t%u, fillcolor=\"%s\", label=\"%u:%u\\n", p->number, i,
                    e->thread, fill_of(e->thread), e->thread, e->count);
        add_quoted(out, e->text, false);
        mz_text_add(out, "\"];\n");
        if (last[e->thread])
            mz_text_add(out, "    p%zu_%u -> p%zu_%zu [color=gray, weight=10];\n", p->number,
                        last[e->thread] - 1, p->number, i);
        last[e->thread] = (uint32_t)i + 1;
        for (uint32_t w = 0; w < e->wait_count && i < plan->prefix; w++)
            add_dot_constraint(p, position_of(p, plan->waits[e->first_wait + w]), i, out);
        for (uint32_t t = 0; t < plan->thread_count && p->follows[i]; t++)
            if (t != e->thread && p->last[t] > 0)
                add_dot_constraint(p, p->last[t] - 1, i, out);
    }
}

void mz_show_dot(const mz_symbolic_plan *symbolic, bool all, mz_text *out)
{
    mz_text_add(out, "digraph plan {\n  node [shape=box, style=filled, fontsize=10];\n");
    for (size_t i = 0; i < symbolic->plan_count; i++) {
        picture p = begin_picture(symbolic, i, all);
        mz_text_add(out, "  subgraph cluster%zu {\n    label=\"", i);
        if (p.condition.length > 0) {
            mz_text_add(out, "when ");
            add_quoted(out, mz_text_string(&p.condition), false);
        }
        mz_text_add(out, "%s\";\n", p.plan->prefix > 0 ? "" : ": nothing is constrained");
        add_dot_events(&p, out);
        mz_text_add(out, "  }\n");
        end_picture(&p);
    }
    mz_text_add(out, "}\n");
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
