/* What waits in a search of graphs (explore.c): a stack of graphs, each with the children of it that are
 * still to be visited. Items of the frontier come out of it, and a search of one begins with it: items.c. */
#ifndef MZ_ALGO_GRAPH_STACK_H
#define MZ_ALGO_GRAPH_STACK_H

#include "algo/graph/children.h"
#include "search/search.h"

typedef struct mz__graph_frame {
    mz__graph graph;
    size_t first_child, next_child, child_end;
    bool is_expanded; /* its children are known */
    /* It is its parent with one step more, and has the graph of that, until it is popped; the mark is where
     * that ended. Otherwise something was revisited, and it has a graph of its own. */
    bool is_longer;
    mz__graph_mark parent_end;
    size_t shared; /* at least so many steps at the beginning are those of its parent */
    /* What the program chose in the last child, and may choose otherwise; and when the child was made. */
    mz_choice *chosen;
    size_t chosen_count, chosen_capacity;
    size_t child_made; /* SIZE_MAX: none that is to be made again */
    size_t cause_mark, choice_mark;
} mz__graph_frame;

typedef struct mz__exploration {
    mz__children children;
    uint32_t threads; /* at most */
    mz__graph_frame *frames;
    size_t depth, frame_capacity, frames_made; /* frames[depth - 1] is the one at hand */
    mz_cause *causes;
    size_t cause_count, cause_capacity;
    mz_choice *choices;
    size_t choice_count, choice_capacity;
    uint32_t *slot_of; /* location → slot + 1 */
    size_t slot_capacity;
    uint32_t slot_count;
    bool is_over, is_leaving, is_absorbed;
    size_t go_to;
    size_t
        agreed; /* at least so many steps of the machine are those of the graph at hand, or of its parent */
    /* Of a search that was given an item: the first frame holds what is to be visited as its only child. */
    bool begins_with_child;
    size_t passing; /* the steps that lead there; 0: they have been made */
    mz__graph handed, parent_of_handed;
    bool has_handed; /* they were initialised */
} mz__exploration;

static inline mz__graph_frame *mz__top_graph(const mz__exploration *n)
{
    return &n->frames[n->depth - 1];
}

void mz__exploration_init(mz__exploration *exploration, const mz_search *search);
/* Nothing is on it but the empty graph. */
void mz__exploration_begin(mz__exploration *exploration);

mz__graph_frame *mz__push_frame(mz__exploration *exploration);
void mz__pop_frame(mz__exploration *exploration);
/* The child of the graph at hand, in a frame on top of it. False if the memory model does not allow it. */
bool mz__push_child(mz__exploration *exploration, size_t child);
/* The child of the graph in this frame, for handing it out; or NULL. It stays valid until the next call. */
const mz__graph *mz__graph_of_child(mz__exploration *exploration, size_t parent, size_t child);
/* Choices behind the others, for a step; where they are. */
uint32_t mz__keep_choices(mz__exploration *exploration, const mz_choice *choices, size_t count);

uint32_t mz__slot_of(mz__exploration *exploration, uint32_t location);
/* From now on this is its slot. */
void mz__set_slot(mz__exploration *exploration, uint32_t location, uint32_t slot);

void mz__exploration_release(mz__exploration *exploration);

#endif
