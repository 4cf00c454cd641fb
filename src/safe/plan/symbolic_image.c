/* The image of a symbolic plan: see wire/symbolic_format.h. */
#include <string.h>

#include "base/memory.h"
#include "safe/plan/symbolic.h"

typedef struct layout {
    uint64_t inputs, guards, premises, seen, stages, plans, stops, lines, names, premise_names, first_plan,
        bytes;
    uint32_t threads;
} layout;

/* An image of a plan has a word with a cache line of its own. */
static uint64_t aligned(uint64_t offset)
{
    return (offset + _Alignof(mz_plan_image) - 1) & ~(uint64_t)(_Alignof(mz_plan_image) - 1);
}

/* ---- premises: the arguments of the first plan, and then the others ---------------------------------------
 */

/* A plan that is for no program in particular says nothing of arguments. */
static bool compares_arguments(const mz_symbolic_plan *s)
{
    return s->plan_count > 0 && mz_plan_line_of(&s->plans[0], "file") &&
           !(s->waived >> MZ_PREMISE_ARGUMENTS & 1);
}

static bool is_compared(const mz_symbolic_plan *s, const mz_plan_premise *p)
{
    return !((s->waived | MZ_PREMISES_NOT_COMPARED) >> p->kind & 1);
}

/* Calls `visit` for each, in order. */
static void for_each_premise(const mz_symbolic_plan *s,
                             void (*visit)(void *context, const mz_plan_premise *premise), void *context)
{
    for (size_t i = 0; compares_arguments(s) && i < s->plans[0].line_count; i++) {
        const mz_plan_line *line = &s->plans[0].lines[i];
        if (strcmp(line->key, "argument") == 0)
            visit(context, &(mz_plan_premise){.kind = MZ_PREMISE_ARGUMENTS, .name = line->text});
    }
    for (size_t i = 0; i < s->premise_count; i++)
        if (is_compared(s, &s->premises[i]))
            visit(context, &s->premises[i]);
}

static void count_one(void *context, const mz_plan_premise *premise)
{
    (void)premise;
    ++*(size_t *)context;
}

static size_t count_premises(const mz_symbolic_plan *s)
{
    size_t count = 0;
    for_each_premise(s, count_one, &count);
    return count;
}

static void count_name(void *context, const mz_plan_premise *premise)
{
    *(size_t *)context += strlen(premise->name) + 1;
}

static size_t premise_name_bytes(const mz_symbolic_plan *s)
{
    size_t bytes = 0;
    for_each_premise(s, count_name, &bytes);
    return bytes;
}

typedef struct premise_writer {
    char *memory;
    mz_premise *next;
    uint64_t name;
} premise_writer;

static void write_premise(void *context, const mz_plan_premise *p)
{
    premise_writer *w = context;
    size_t length = strlen(p->name) + 1;
    *w->next++ = (mz_premise){.kind = p->kind, .name = w->name, .size = p->size, .hash = p->hash};
    memcpy(w->memory + w->name, p->name, length);
    w->name += length;
}

static layout layout_of(const mz_symbolic_plan *s)
{
    layout l;
    l.inputs = aligned(sizeof(mz_symbolic_image));
    l.guards = l.inputs + s->input_count * sizeof(mz_symbolic_input);
    l.premises = l.guards + s->guard_count * sizeof(mz_guard);
    l.seen = l.premises + count_premises(s) * sizeof(mz_premise);
    l.stages = l.seen + s->seen_count * sizeof(mz_seen_thread);
    l.plans = l.stages + s->guard_count * sizeof(mz_stage);
    l.stops = l.plans + (s->plan_count + 1) * sizeof(uint64_t);
    l.threads = 0;
    for (size_t i = 0; i < s->plan_count; i++)
        l.threads = s->plans[i].thread_count > l.threads ? s->plans[i].thread_count : l.threads;
    l.lines = l.stops + s->guard_count * l.threads * sizeof(uint32_t);
    l.names = l.lines + s->line_count * sizeof(uint32_t);
    l.premise_names = l.names;
    for (size_t i = 0; i < s->input_count; i++)
        l.premise_names += strlen(s->inputs[i].name) + 1;
    l.first_plan = l.premise_names + premise_name_bytes(s);
    l.bytes = l.first_plan = aligned(l.first_plan);
    for (size_t i = 0; i < s->plan_count; i++)
        l.bytes += aligned(mz_plan_image_bytes(&s->plans[i]));
    return l;
}

size_t mz_symbolic_image_bytes(const mz_symbolic_plan *s)
{
    return layout_of(s).bytes;
}

static void fill_inputs(const mz_symbolic_plan *s, const layout *l, char *memory)
{
    mz_symbolic_input *inputs = (mz_symbolic_input *)(void *)(memory + l->inputs);
    uint64_t name = l->names;
    for (size_t i = 0; i < s->input_count; i++) {
        inputs[i] = (mz_symbolic_input){name, s->inputs[i].low, s->inputs[i].high};
        memcpy(memory + name, s->inputs[i].name, strlen(s->inputs[i].name) + 1);
        name += strlen(s->inputs[i].name) + 1;
    }
}

/* Where each thread has to wait for the decision. A plan that asks for nothing has no such place: what is no
 * event in the others matters to none of them. */
static void find_stops(const mz_plan *plan, uint32_t common, uint32_t *stops)
{
    for (size_t i = common; i < plan->event_count && plan->prefix > 0; i++) {
        uint32_t *stop = &stops[plan->events[i].thread];
        if (*stop == 0 || plan->events[i].count < *stop)
            *stop = plan->events[i].count;
    }
}

static void fill_stages(const mz_symbolic_plan *s, const layout *l, char *memory)
{
    mz_stage *stages = (mz_stage *)(void *)(memory + l->stages);
    bool *below = mz_allocate_zeroed(s->plan_count, sizeof *below);
    for (size_t g = 0; g < s->guard_count; g++) {
        uint64_t stops = l->stops + g * l->threads * sizeof(uint32_t);
        uint32_t common = mz_symbolic_common(s, (uint32_t)g, below);
        for (size_t i = s->plan_count; i-- > 0;) {
            if (!below[i])
                continue;
            stages[g] = (mz_stage){common, (uint32_t)i, stops};
            find_stops(&s->plans[i], common, (uint32_t *)(void *)(memory + stops));
        }
    }
    mz_release(below);
}

static void fill_plan(const mz_plan *plan, uint32_t flags, mz_place_finder find, const void *context,
                      void *memory)
{
    uint64_t *offsets = mz_allocate_zeroed(plan->place_count + 1, sizeof *offsets);
    for (size_t i = 0; i < plan->place_count; i++)
        offsets[i] = find ? find(context, plan->places[i]) : MZ_PLAN_NO_PLACE;
    mz_plan_image_fill(plan, flags, memory);
    mz_plan_image_set_places(memory, offsets);
    mz_release(offsets);
}

void mz_symbolic_image_fill(const mz_symbolic_plan *s, uint32_t flags, mz_place_finder find,
                            const void *context, void *memory)
{
    layout l = layout_of(s);
    char *bytes = memory;
    *(mz_symbolic_image *)memory = (mz_symbolic_image){
        .magic = MZ_SYMBOLIC_IMAGE_MAGIC,
        .input_count = (uint32_t)s->input_count,
        .guard_count = (uint32_t)s->guard_count,
        .plan_count = (uint32_t)s->plan_count,
        .thread_count = l.threads,
        .nondet_low = s->nondet_low,
        .nondet_high = s->nondet_high,
        .inputs = l.inputs,
        .guards = l.guards,
        .premises = l.premises,
        .seen = l.seen,
        .seen_count = (uint32_t)s->seen_count,
        .premise_count = (uint32_t)count_premises(s),
        .compares_arguments = compares_arguments(s),
        .stages = l.stages,
        .lines = s->names_racing_lines ? l.lines : 0,
        .line_count = (uint32_t)s->line_count,
        .plans = l.plans,
        .bytes = l.bytes,
        .quarantine = s->quarantine,
    };
    fill_inputs(s, &l, bytes);
    if (s->guard_count > 0)
        memcpy(bytes + l.guards, s->guards, s->guard_count * sizeof *s->guards);
    fill_stages(s, &l, bytes);
    if (s->line_count > 0)
        memcpy(bytes + l.lines, s->lines, s->line_count * sizeof *s->lines);
    if (s->seen_count > 0)
        memcpy(bytes + l.seen, s->seen, s->seen_count * sizeof *s->seen);
    for_each_premise(s, write_premise,
                     &(premise_writer){bytes, (mz_premise *)(void *)(bytes + l.premises), l.premise_names});
    uint64_t *plans = (uint64_t *)(void *)(bytes + l.plans), at = l.first_plan;
    for (size_t i = 0; i < s->plan_count; i++) {
        plans[i] = at;
        fill_plan(&s->plans[i], flags, find, context, bytes + at);
        at += aligned(mz_plan_image_bytes(&s->plans[i]));
    }
}

mz_plan_image *mz_symbolic_image_plan(void *memory, size_t plan)
{
    const mz_symbolic_image *image = memory;
    const uint64_t *plans = (const uint64_t *)(void *)((char *)memory + image->plans);
    return (mz_plan_image *)(void *)((char *)memory + plans[plan]);
}

/* ---- a constraint set in its place ------------------------------------------------------------------------
 */

/* A set has no more events than the plan, and no more edges than the plan's rules amount to (edges.c). */
size_t mz_symbolic_set_room(const mz_symbolic_plan *s)
{
    const mz_plan *plan = &s->plans[0];
    if (s->plan_count != 1 || plan->edges_only)
        return 0;
    mz_plan largest = *plan;
    largest.wait_count += (size_t)plan->thread_count * plan->thread_count;
    return aligned(mz_plan_image_bytes(&largest));
}

void mz_symbolic_image_reserve(void *memory, size_t room)
{
    mz_symbolic_image *image = memory;
    uint64_t *plans = (uint64_t *)(void *)((char *)memory + image->plans);
    plans[image->plan_count] = image->bytes;
    image->set_room = room;
}

void mz_symbolic_image_add_set(const mz_symbolic_plan *set, uint32_t flags, mz_place_finder find,
                               const void *context, void *memory)
{
    mz_symbolic_image *image = memory;
    if (image->set_room == 0 || set->plan_count != 1 || !set->plans[0].edges_only || image->has_set)
        return;
    fill_plan(&set->plans[0], flags, find, context, mz_symbolic_image_plan(memory, image->plan_count));
    __atomic_store_n(&image->has_set, 1, __ATOMIC_SEQ_CST);
}
