#include "search/search.h"

void mz_search_sample(mz_search *s, double seconds)
{
    const mz_limits *limits = &s->options.limits;
    bool is_part = s->execution && s->execution->initial_choices > 0 && s->options.one_valuation;
    if (!s->options.sample || s->options.sampling == MZ_SAMPLE_NOTHING || limits->memory > 0)
        return;  /* nobody to ask, or no room for the memory that it needs */
    if (is_part) /* samples are of all valuations */
        return;
    double total = s->options.sample(s->machine, s->options.sampling == MZ_SAMPLE_INTERLEAVINGS,
                                     mz_seconds_now() + seconds, limits->depth);
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
    if (total > 0)
        s->total = total;
}

void mz_search_sample_meanwhile(mz_search *s)
{
    mz_search_sample(s, s->sampling_due);
    s->sampling_due = 0;
    if (s->machine->begin_again)
        s->stop = s->begin_again = true;
    else if (s->machine->class->rewind)
        mz_search_repeat(s);
}
