#include "cmd/show_plan.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* ---- text -----------------------------------------------------------------------------------------------
 */

static void add_summary(const mz_plan *plan, mz_text *out)
{
    for (size_t i = 0; i < plan->line_count; i++)
        if (strcmp(plan->lines[i].key, "file") == 0)
            mz_text_add(out, "%s%s", i ? " " : "", plan->lines[i].text);
    size_t constraints = mz_plan_constraints(plan, plan->prefix);
    mz_text_add(out, "%s%zu constraint%s on the first %u of %u events, which come before all others\n",
                plan->line_count ? ": " : "", constraints, constraints == 1 ? "" : "s", plan->prefix,
                plan->length);
    mz_text_add(out, "%" PRIu64 " trace%s verified, about %.3g %% of all; counts %s%s\n", plan->traces,
                plan->traces == 1 ? "" : "s", plan->share * 100,
                plan->counts_accesses ? "accesses" : "operations",
                plan->needs_fences ? ", with fences after stores" : "");
    if (plan->bug)
        mz_text_add(out, "excluded: %s\n", plan->bug);
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
        if (t == e->thread)
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
        mz_text_add(out, "%s%u:%u", w ? ", " : "  <- ", wait.thread, wait.count);
    }
    mz_text_add(out, "\n");
}

void mz_show_text(const mz_plan *plan, mz_text *out)
{
    add_summary(plan, out);
    for (size_t i = 0; i < plan->event_count; i++) {
        if (i == plan->prefix && i > 0)
            mz_text_add(out, "        ---- then in any order:\n");
        add_event_text(plan, i, out);
    }
    if (plan->prefix == 0)
        mz_text_add(out, "nothing is constrained\n");
}

/* ---- pictures -------------------------------------------------------------------------------------------
 */

/* What is drawn of a plan. */
typedef struct picture {
    const mz_plan *plan;
    mz_plan_image *image; /* to look events up */
    bool *drawn;          /* [event] */
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

static picture begin_picture(const mz_plan *plan, bool all)
{
    picture p = {.plan = plan,
                 .image = mz_allocate_zeroed(1, mz_plan_image_bytes(plan)),
                 .drawn = mz_allocate_zeroed(plan->event_count, sizeof(bool))};
    mz_plan_image_fill(plan, 0, p.image);
    for (size_t i = 0; i < plan->prefix; i++) {
        const mz_plan_event *e = &plan->events[i];
        p.drawn[i] |= all || e->wait_count > 0;
        for (uint32_t w = 0; w < e->wait_count; w++)
            p.drawn[position_of(&p, plan->waits[e->first_wait + w])] = true;
    }
    return p;
}

static void end_picture(picture *p)
{
    mz_release(p->image);
    mz_release(p->drawn);
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

void mz_show_dot(const mz_plan *plan, bool all, mz_text *out)
{
    picture p = begin_picture(plan, all);
    uint32_t last[MZ_PLAN_MOST_THREADS] = {0}; /* position + 1 */
    mz_text_add(out, "digraph plan {\n  node [shape=box, style=filled, fontsize=10];\n");
    for (size_t i = 0; i < plan->prefix; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (!p.drawn[i])
            continue;
        mz_text_add(out, "  e%zu [group=t%u, fillcolor=\"%s\", label=\"%u:%u\\n", i, e->thread,
                    fill_of(e->thread), e->thread, e->count);
        add_quoted(out, e->text, false);
        mz_text_add(out, "\"];\n");
        if (last[e->thread])
            mz_text_add(out, "  e%u -> e%zu [color=gray, weight=10];\n", last[e->thread] - 1, i);
        last[e->thread] = (uint32_t)i + 1;
        for (uint32_t w = 0; w < e->wait_count; w++)
            mz_text_add(out, "  e%zu -> e%zu [constraint=true];\n",
                        position_of(&p, plan->waits[e->first_wait + w]), i);
    }
    mz_text_add(out, "}\n");
    end_picture(&p);
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

static void add_edge(uint32_t from, size_t from_row, uint32_t to, size_t to_row, bool constraint,
                     mz_text *out)
{
    size_t x = LEFT + from * COLUMN + BOX / 2, y = TOP + from_row * ROW + HEIGHT;
    size_t end_x = LEFT + to * COLUMN + BOX / 2, end_y = TOP + to_row * ROW;
    mz_text_add(
        out, "<line x1=\"%zu\" y1=\"%zu\" x2=\"%zu\" y2=\"%zu\" stroke=\"%s\" marker-end=\"url(#arrow)\"/>\n",
        x, y, end_x, end_y, constraint ? "#b00" : "#999");
}

void mz_show_svg(const mz_plan *plan, bool all, mz_text *out)
{
    picture p = begin_picture(plan, all);
    size_t *rows = mz_allocate_zeroed(plan->event_count, sizeof *rows), count = 0;
    size_t last[MZ_PLAN_MOST_THREADS] = {0}; /* position + 1 */
    for (size_t i = 0; i < plan->prefix; i++)
        if (p.drawn[i])
            rows[i] = count++;
    mz_text_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<defs><marker id=\"arrow\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" "
        "refY=\"3\" orient=\"auto\"><path d=\"M0,0 L7,3 L0,6 z\" fill=\"#555\"/></marker></defs>\n",
        (size_t)LEFT * 2 + plan->thread_count * (size_t)COLUMN, (size_t)TOP + (count + 1) * ROW);
    for (uint32_t t = 0; t < plan->thread_count; t++)
        mz_text_add(out,
                    "<text x=\"%u\" y=\"30\" text-anchor=\"middle\" font-weight=\"bold\">thread %u</text>\n",
                    LEFT + t * COLUMN + BOX / 2, t);
    for (size_t i = 0; i < plan->prefix; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (!p.drawn[i])
            continue;
        if (last[e->thread])
            add_edge(e->thread, rows[last[e->thread] - 1], e->thread, rows[i], false, out);
        last[e->thread] = i + 1;
        for (uint32_t w = 0; w < e->wait_count; w++) {
            mz_plan_wait wait = plan->waits[e->first_wait + w];
            add_edge(wait.thread, rows[position_of(&p, wait)], e->thread, rows[i], true, out);
        }
        add_box(plan, i, rows[i], out);
    }
    mz_text_add(out, "</svg>\n");
    end_picture(&p);
    mz_release(rows);
}
