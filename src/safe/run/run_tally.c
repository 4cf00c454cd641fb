#include "safe/run/run_tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "safe/run/run.h"

void mz_run_tally_add(mz_run_tally *t, const mz_record_header *record)
{
    t->traces = mz_grow(t->traces, &t->trace_capacity, t->trace_count + 1, sizeof *t->traces);
    t->traces[t->trace_count++] = mz_run_record_trace(record);
    mz_run_record_count_waits(record, t->waits);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t different(mz_run_tally *t)
{
    size_t count = 0;
    if (t->trace_count > 0)
        qsort(t->traces, t->trace_count, sizeof *t->traces, compare_words);
    for (size_t i = 0; i < t->trace_count; i++)
        count += i == 0 || t->traces[i] != t->traces[i - 1];
    return count;
}

static void print_waits(const mz_run_tally *t)
{
    const char *between = "waited for the plan:";
    for (uint32_t thread = 0; thread < MZ_PLAN_MOST_THREADS; thread++)
        if (t->waits[thread] > 0) {
            printf("%s thread %u %llu times", between, thread, (unsigned long long)t->waits[thread]);
            between = ",";
        }
    printf("%s\n", *between == ',' ? "" : "nobody waited for the plan");
}

void mz_run_tally_print(mz_run_tally *t, uint64_t runs, bool has_plan)
{
    printf("%llu runs, %zu different traces", (unsigned long long)runs, different(t));
    for (int i = 0; i < 512; i++)
        if (t->endings[i] > 0)
            printf("; %s %d: %llu", i < 256 ? "exit code" : "signal", i & 255,
                   (unsigned long long)t->endings[i]);
    printf("\n");
    if (has_plan)
        print_waits(t);
    if (t->under_set > 0)
        printf("%llu runs under the constraint set that was found meanwhile\n",
               (unsigned long long)t->under_set);
    if (t->different > 0)
        printf("%llu runs did not keep to the plan; of the first: %s\n", (unsigned long long)t->different,
               mz_text_string(&t->difference));
}

void mz_run_tally_release(mz_run_tally *t)
{
    mz_release(t->traces);
    mz_text_release(&t->difference);
}
