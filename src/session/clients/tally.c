#include "session/clients/tally.h"

#include <string.h>

#include "base/memory.h"

static uint32_t number_of_algorithm(const char *name)
{
    uint32_t number = 0;
    while (strcmp(mz_algorithms[number]->name, name) != 0)
        number++;
    return number + 1;
}

static uint32_t number_of_equivalence(const char *word)
{
    uint32_t number = 0;
    while (mz_equivalence_word((mz_equivalence)number) != word)
        number++;
    return number + 1;
}

mz_tally mz_tally_of(size_t number, const mz_result *result, const char *left)
{
    const mz_report *r = &result->report;
    mz_tally one = {.statistics = result->search.statistics,
                    .threads = r->thread_count,
                    .peak_bytes = r->peak_bytes,
                    .checks = r->checks,
                    .refined = (uint32_t)r->refined,
                    .memory = (uint32_t)r->memory,
                    .is_memory_found = r->is_memory_found,
                    .is_late = result->search.is_late,
                    .algorithm = number_of_algorithm(r->algorithm),
                    .equivalence = number_of_equivalence(r->equivalence_word)};
    mz_text reason = {0};
    if (r->verdict == MZ_INCOMPLETE || (r->verdict == MZ_SAFE && *left)) {
        mz_text_add(&reason, "client %zu: %s", number, *left ? left : r->reason);
        one.reason = mz_copy_string(mz_text_string(&reason));
        one.open = 1;
        one.bounded = r->bounded && !*left;
        one.sampled = r->only_sampled && !*left;
    }
    one.checked = !(result->search.stop && r->verdict == MZ_INCOMPLETE && !result->search.gave_up);
    mz_text_release(&reason);
    return one;
}

void mz_tally_add(mz_tally *t, const mz_tally *later)
{
#define MZ_X(field, json_key, table_label) t->statistics.field += later->statistics.field;
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    t->checked += later->checked;
    t->open += later->open;
    t->bounded += later->bounded;
    t->sampled += later->sampled;
    if (!t->reason && later->reason)
        t->reason = mz_copy_string(later->reason);
    t->is_late |= later->is_late;
    t->threads = later->threads > t->threads ? later->threads : t->threads;
    t->peak_bytes = later->peak_bytes > t->peak_bytes ? later->peak_bytes : t->peak_bytes;
    t->checks |= later->checks;
    t->refined |= later->refined;
    t->memory = later->memory > t->memory ? later->memory : t->memory;
    t->is_memory_found |= later->is_memory_found;
    t->algorithm = later->algorithm ? later->algorithm : t->algorithm;
    t->equivalence = later->equivalence ? later->equivalence : t->equivalence;
}

void mz_tally_write(const mz_tally *t, mz_bytes *out)
{
#define MZ_X(field, json_key, table_label) mz_bytes_add_number(out, t->statistics.field);
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    const uint64_t numbers[] = {t->checked,         t->open,       t->bounded,    t->sampled, t->is_late,
                                t->threads,         t->peak_bytes, t->checks,     t->refined, t->memory,
                                t->is_memory_found, t->algorithm,  t->equivalence};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        mz_bytes_add_number(out, numbers[i]);
    mz_bytes_add_string(out, t->reason);
}

void mz_tally_read(mz_byte_reader *r, mz_tally *t)
{
    *t = (mz_tally){0};
#define MZ_X(field, json_key, table_label) t->statistics.field = mz_read_number(r);
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    t->checked = mz_read_number(r);
    t->open = mz_read_number(r);
    t->bounded = mz_read_number(r);
    t->sampled = mz_read_number(r);
    t->is_late = mz_read_number_to(r, 1);
    t->threads = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    t->peak_bytes = mz_read_number(r);
    t->checks = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    t->refined = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    t->memory = (uint32_t)mz_read_number_to(r, MZ_MEMORY_RC11);
    t->is_memory_found = mz_read_number_to(r, 1);
    t->algorithm = (uint32_t)mz_read_number_to(r, mz_algorithm_count);
    t->equivalence = (uint32_t)mz_read_number_to(r, MZ_GRAPH + 1);
    t->reason = mz_read_string(r);
}

void mz_tally_release(mz_tally *t)
{
    mz_release(t->reason);
    *t = (mz_tally){0};
}

void mz_tally_tell(const mz_tally *t, const mz_settings *s, mz_report_count *counts, mz_report *r)
{
    size_t n = 0;
#define MZ_X(field, json_key, table_label)                                                                   \
    counts[n++] = (mz_report_count){json_key, table_label, t->statistics.field};
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    *r = mz_report_of_nothing(s,
                              t->algorithm ? mz_algorithms[t->algorithm - 1]->name : s->algorithms[0]->name);
    r->equivalence_word =
        mz_equivalence_word((mz_equivalence)(t->equivalence ? t->equivalence - 1 : MZ_MAZURKIEWICZ));
    r->counts = counts;
    r->count_count = n;
    r->all_errors = s->search.all_errors;
    r->accepts_bounded = s->accepts_bounded;
    r->thread_count = t->threads;
    r->peak_bytes = t->peak_bytes;
    r->checks = t->checks;
    r->refined = (mz_relation)t->refined;
    r->memory = (mz_memory)t->memory;
    r->is_memory_found = t->is_memory_found;
    r->verdict = t->reason ? MZ_INCOMPLETE : MZ_SAFE;
    r->reason = t->reason ? t->reason : "";
    r->bounded = t->open > 0 && t->bounded == t->open;
    r->only_sampled = t->open > 0 && t->sampled == t->open;
    r->share_done = 1;
}
