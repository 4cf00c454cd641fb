#include "algo/graph/stack.h"

#include <string.h>

#include "base/memory.h"

static const mz__memory_model *model_of(mz_memory memory)
{
    return memory == MZ_MEMORY_SC    ? &mz__model_sc
           : memory == MZ_MEMORY_TSO ? &mz__model_tso
                                     : &mz__model_rc11;
}

void mz__exploration_init(mz__exploration *n, const mz_search *s)
{
    *n = (mz__exploration){.threads = s->machine->thread_capacity};
    mz__children_init(&n->children, model_of(s->options.memory), n->threads);
}

void mz__exploration_begin(mz__exploration *n)
{
    while (n->depth > 0)
        mz__pop_frame(n);
    mz__graph_frame *root = mz__push_frame(n);
    root->graph.count = root->graph.step_count = root->graph.slot_count = 0;
    for (uint32_t t = 0; t < root->graph.threads; t++)
        root->graph.last[t] = MZ__NO_EVENT;
}

static void exchange_graphs(mz__graph_frame *f, mz__graph_frame *with)
{
    mz__graph graph = f->graph;
    f->graph = with->graph;
    with->graph = graph;
}

mz__graph_frame *mz__push_frame(mz__exploration *n)
{
    n->frames = mz_grow(n->frames, &n->frame_capacity, n->depth + 1, sizeof *n->frames);
    if (n->depth == n->frames_made) {
        n->frames[n->depth] = (mz__graph_frame){0};
        mz__graph_init(&n->frames[n->depth].graph, n->threads);
        n->frames_made++;
    }
    mz__graph_frame *f = &n->frames[n->depth++];
    f->first_child = f->next_child = f->child_end = n->children.count;
    f->is_expanded = f->is_longer = false;
    f->shared = 0;
    f->child_made = SIZE_MAX;
    f->cause_mark = n->cause_count;
    f->choice_mark = n->choice_count;
    return f;
}

void mz__pop_frame(mz__exploration *n)
{
    mz__graph_frame *f = &n->frames[--n->depth];
    if (f->is_longer) {
        mz__graph_take_back(&f->graph, &f->parent_end);
        exchange_graphs(f - 1, f);
    }
    n->children.count = f->first_child;
    n->cause_count = f->cause_mark;
    n->choice_count = f->choice_mark;
}

static bool is_made(const mz__exploration *n, size_t parent)
{
    return parent == 0 && n->begins_with_child;
}

bool mz__push_child(mz__exploration *n, size_t child)
{
    mz__graph_frame *f = mz__push_frame(n), *parent = f - 1;
    bool grows = true;
    if (is_made(n, n->depth - 2)) {
        mz__graph_copy(&f->graph, &parent->graph);
    } else if (n->children.list[child].revisited != MZ__NO_EVENT) {
        grows = mz__make_child(&n->children, &parent->graph, &n->children.list[child], &f->graph);
    } else {
        f->parent_end = mz__graph_mark_of(&parent->graph);
        grows = f->is_longer = mz__extend_graph(&n->children, &parent->graph, &n->children.list[child]);
        if (grows)
            exchange_graphs(parent, f);
    }
    if (!grows)
        mz__pop_frame(n);
    return grows;
}

const mz__graph *mz__graph_of_child(mz__exploration *n, size_t parent, size_t child)
{
    if (!n->has_handed) {
        mz__graph_init(&n->handed, n->threads);
        mz__graph_init(&n->parent_of_handed, n->threads);
    }
    n->has_handed = true;
    size_t holder = parent;
    while (holder + 1 < n->depth && n->frames[holder + 1].is_longer)
        holder++;
    mz__graph_copy_with_past(&n->parent_of_handed, &n->frames[holder].graph);
    for (; holder > parent; holder--)
        mz__graph_take_back(&n->parent_of_handed, &n->frames[holder].parent_end);
    if (is_made(n, parent))
        return &n->parent_of_handed;
    bool grows = mz__make_child(&n->children, &n->parent_of_handed, &n->children.list[child], &n->handed);
    return grows ? &n->handed : NULL;
}

uint32_t mz__keep_choices(mz__exploration *n, const mz_choice *choices, size_t count)
{
    size_t first = n->choice_count;
    n->choices = mz_grow(n->choices, &n->choice_capacity, first + count + 1, sizeof *n->choices);
    for (size_t i = 0; i < count; i++)
        n->choices[n->choice_count++] = choices[i];
    return (uint32_t)first;
}

static uint32_t *slot_entry(mz__exploration *n, uint32_t location)
{
    size_t before = n->slot_capacity;
    n->slot_of = mz_grow(n->slot_of, &n->slot_capacity, location + 1, sizeof *n->slot_of);
    if (n->slot_capacity > before)
        memset(n->slot_of + before, 0, (n->slot_capacity - before) * sizeof *n->slot_of);
    return &n->slot_of[location];
}

uint32_t mz__slot_of(mz__exploration *n, uint32_t location)
{
    uint32_t *entry = slot_entry(n, location);
    if (!*entry)
        *entry = ++n->slot_count;
    return *entry - 1;
}

void mz__set_slot(mz__exploration *n, uint32_t location, uint32_t slot)
{
    *slot_entry(n, location) = slot + 1;
}

void mz__exploration_release(mz__exploration *n)
{
    for (size_t i = 0; i < n->frames_made; i++) {
        mz__graph_release(&n->frames[i].graph);
        mz_release(n->frames[i].chosen);
    }
    if (n->has_handed) {
        mz__graph_release(&n->handed);
        mz__graph_release(&n->parent_of_handed);
    }
    mz_release(n->frames);
    mz_release(n->causes);
    mz_release(n->choices);
    mz_release(n->slot_of);
    mz__children_release(&n->children);
}
