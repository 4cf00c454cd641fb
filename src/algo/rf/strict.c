#include "algo/rf/strict.h"

/* Looks at the traces that are explored. */
typedef struct watch {
    mz_observation *observation;
    bool has_loose;
    void (*observe)(void *context, mz_search *search, mz_leaf leaf); /* who is told, too; or NULL */
    void *context;
} watch;

static void look_at_trace(void *context, mz_search *s, mz_leaf leaf)
{
    watch *w = context;
    mz_observation *o = w->observation;
    if (w->observe)
        w->observe(w->context, s, leaf);
    s->stop |= w->has_loose; /* seen before, in a search that has begun again */
    mz_observation_shorten(o, s->first_new);
    o->width = s->execution->width;
    mz_observation_follow(o, s->execution);
    if (!o->learned)
        return;
    mz_observation_restart(o, s->execution);
    w->has_loose |= mz_has_loose(o);
    s->stop |= w->has_loose;
}

bool mz__explore_strictly(mz_search *s, mz_observation *o, void (*explore_traces)(mz_search *search))
{
    watch w = {.observation = o};
    if (s->frontier) { /* an attempt that fails is void as a whole, with what it has reported */
        w.observe = s->observe;
        w.context = s->observe_context;
    }
    uint64_t events = s->options.limits.events;
    void *context = s->observe_context;
    s->observe = look_at_trace;
    s->observe_context = &w;
    s->observe_at_once = true;
    if (events == 0)
        s->options.limits.events = UINT64_MAX; /* not word by word, which nobody can look at */
    explore_traces(s);
    s->options.limits.events = events;
    s->observe_context = context;
    s->observe_at_once = false;
    return !w.has_loose;
}
