/* A limit has ended the search: the same command with a larger one. */
#include <stdio.h>
#include <string.h>

#include "algo/algorithm.h"
#include "base/interrupt.h"
#include "session/large/advice.h"

/* Traces and events cost time alone, and ten times as much is soon reached; what costs memory, or makes each
 * execution longer, is doubled. */
enum { MANY = 10, TWICE = 2, MEBI = 20 };

/* "--max-events=100" and "--max-events" "100" are left out: another number takes their place. */
static size_t length_of_option(const mz_words *what, size_t at, const char *option)
{
    const char *word = what->items[at];
    size_t length = strlen(option);
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, option, length) != 0)
        return 0;
    return word[2 + length] == '=' ? 1 : word[2 + length] == '\0' ? 2 : 0;
}

/* Its levels are an option that the command would not have. */
static bool is_in_levels(const char *algorithm)
{
    for (size_t i = 0; i < mz_algorithm_count; i++)
        if (mz_algorithms[i]->in_levels && strcmp(mz_algorithms[i]->name, algorithm) == 0)
            return true;
    return false;
}

/* What was asked for is kept as far as it says what is checked; how it is to be searched is not. */
static void add_command(const mz_words *what, const char *algorithm, const char *option, const char *value,
                        mz_text *out)
{
    mz_text_add(out, "try: mazurka check --%s=%s", option, value);
    if (algorithm)
        mz_text_add(out, " -a %s", algorithm);
    for (size_t i = 0; i < what->count;) {
        size_t replaced = length_of_option(what, i, option);
        if (replaced == 0) {
            mz_text_add(out, " ");
            mz_text_add_quoted(out, what->items[i]);
        }
        i += replaced > 0 ? replaced : 1;
    }
}

void mz_advise_limit(mz_report *r, const mz_settings *s, mz_arena *arena)
{
    const mz_limits *l = &s->search.limits;
    const struct {
        const char *reason, *option; /* how the reason names it */
        uint64_t limit, times;
        const char *unit;
    } all[] = {
        {"(--max-traces)", "max-traces", l->traces, MANY, ""},
        {"(--max-events)", "max-events", l->events, MANY, ""},
        {"(--max-depth)", "max-depth", l->depth, MANY, ""},
        {"was reached (--max-memory)", "max-memory", (l->memory + (1 << MEBI) - 1) >> MEBI, TWICE, "M"},
        {"(--depth)", "depth", s->search.depth, TWICE, ""},
        {"than --unroll allows", "unroll", s->unroll, TWICE, ""}};
    if (r->verdict != MZ_INCOMPLETE || r->advice_count > 0 || s->what.count == 0 || mz_interrupted ||
        s->search.stateful || is_in_levels(r->algorithm))
        return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].limit == 0 || all[i].limit > UINT64_MAX / MANY || !strstr(r->reason, all[i].reason))
            continue;
        char value[32];
        mz_text line = {0};
        snprintf(value, sizeof value, "%llu%s", (unsigned long long)(all[i].limit * all[i].times),
                 all[i].unit);
        add_command(&s->what, s->algorithm_is_default ? NULL : r->algorithm, all[i].option, value, &line);
        r->advice[r->advice_count++] = mz_arena_copy(arena, mz_text_string(&line), line.length);
        mz_text_release(&line);
        return;
    }
}
