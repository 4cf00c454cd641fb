/* If the number of traces is known from sampling (estimate.h), what counts is how many of them there have
 * been. Otherwise the tree itself is looked at:
 *
 * The recursive estimator of Kilby, Slaney, Thiébaux and Walsh ("Estimating search tree size", AAAI 2006), as
 * Simsa, Bryant and Gibson use it for stateless exploration (CMU-PDL-12-113): bottom up along the current
 * path, the size of a subtree is that of its finished children, plus the estimate of the current one, plus a
 * guess for each that is known to come.
 *
 * They guess that a sibling is as large as those before it. Here sizes fall from sibling to sibling: each
 * finds one more thread asleep. By how much is learned from the nodes that are finished. */
#include "search/share.h"

#include "search/search.h"

/* However good a guess looks: a search that was ended has not covered everything. */
static const double MOST_OF_IT = 0.99;

/* Executions that a rank must have seen before it is believed more than all ranks together. */
static const double PRIOR = 8;

static double executions_of(const mz_search *s)
{
    return (double)s->statistics.executions;
}

void mz_share_compare_branch(mz_search *s, const mz_node *node, uint64_t size)
{
    uint32_t rank = 0;
    for (mz_threads rest = node->done; mz_threads_any(rest);
         rest = mz_threads_rest(rest)) /* few: faster than counting bits in a portable way */
        rank++;
    if (rank < MZ_SHARE_RANKS) {
        s->share.ranks[rank].before += node->previous;
        s->share.ranks[rank].after += size;
    }
}

/* The sizes of `count` more children, the last before them being of the given rank and size. */
static double siblings_to_come(const mz_share *share, uint32_t rank, double size, uint32_t count)
{
    double before = 1, after = 1, sum = 0;
    for (uint32_t r = 2; r < MZ_SHARE_RANKS; r++) {
        before += (double)share->ranks[r].before;
        after += (double)share->ranks[r].after;
    }
    double usual = after / before;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t r = rank + i < MZ_SHARE_RANKS ? rank + i : MZ_SHARE_RANKS - 1;
        double ratio =
            ((double)share->ranks[r].after + PRIOR * usual) / ((double)share->ranks[r].before + PRIOR);
        size *= ratio;
        sum += size;
    }
    return sum;
}

/* All outcomes of the choices, of which `earlier` executions belong to those before the current one: which is
 * the n-th of how many? */
static double with_choices(const mz_choice *choices, size_t count, double earlier, double current)
{
    double number = 0, all = 1;
    for (size_t i = 0; i < count; i++) {
        double values = mz_choice_values(&choices[i]);
        number = number * values + mz_choice_rank(&choices[i]);
        all *= values;
    }
    double so_far = earlier + current;
    return so_far + (all - number - 1) * so_far / (number + 1);
}

static double share_of_the_tree(const mz_search *s)
{
    const mz_execution *x = s->execution;
    size_t depth = x->length;
    if (!s->walks_tree || depth >= s->node_capacity)
        return 0; /* not known */
    const mz_node *node = &s->nodes[depth];
    mz_threads coming = node->backtrack & ~node->sleep & ~node->done;
    double size = executions_of(s) - (double)node->entered;
    size = size < 1 ? 1 : size;
    if (mz_threads_any(node->done))
        size += siblings_to_come(&s->share, mz_threads_count(node->done), (double)node->previous,
                                 mz_threads_count(coming) + node->waiting);
    while (depth-- > 0) {
        const mz_event *event = &x->events[depth];
        double entered = (double)node->entered;
        node = &s->nodes[depth];
        size = with_choices(x->choices + event->first_choice, event->choice_count,
                            entered - (double)node->began, size);
        coming = node->backtrack & ~node->sleep & ~node->done & ~mz_threads_of(event->thread);
        size += siblings_to_come(&s->share, mz_threads_count(node->done) + 1, size,
                                 mz_threads_count(coming) + node->waiting) +
                (double)(node->began - node->entered);
    }
    size = with_choices(x->choices, x->initial_choices, (double)node->entered, size);
    return executions_of(s) < size ? executions_of(s) / size : 1;
}

double mz_search_share_done(const mz_search *s)
{
    double done = (double)(s->statistics.traces + s->statistics.pruned);
    double share = done < s->total ? done / s->total : share_of_the_tree(s);
    return s->incomplete && share > MOST_OF_IT ? MOST_OF_IT : share;
}
